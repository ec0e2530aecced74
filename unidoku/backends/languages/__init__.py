"""Boards in the standard languages of solvers, and the answers that solvers give.

- `catalogue`: one row for each language.
- `clauses`: DIMACS.
- `linear`: OPB, LP, MPS and toulbar2's CFN, from one 0-1 program.
- `smt`: SMT-LIB, in integers or bit vectors.
- `asp`: answer-set programs.
- `minizinc`: a MiniZinc model; `flatzinc`: the FlatZinc compiled from it.
- `answers`: reads and checks the output of solvers; `proof`: proofs that there is no solution.
"""

from __future__ import annotations

from unidoku.backends.languages.answers import Answer, read_answer
from unidoku.backends.languages.catalogue import LANGUAGES, Language, export, find_language

__all__ = ["LANGUAGES", "Answer", "Language", "export", "find_language", "read_answer"]
