"""Boards in the standard languages of solvers, and the answers that solvers give.

- `catalogue`: one row a language.
- `clauses`: DIMACS.
- `linear`: OPB, LP, MPS and toulbar2's CFN, from one 0-1 program.
- `smt`: SMT-LIB, in integers or bit vectors.
- `programs`: answer-set programs, MiniZinc, FlatZinc.
- `answers`: what solvers print, read and checked.
"""

from __future__ import annotations

from unidoku.languages.answers import Answer, read_answer
from unidoku.languages.catalogue import LANGUAGES, Language, export, find_language

__all__ = ["LANGUAGES", "Answer", "Language", "export", "find_language", "read_answer"]
