"""Write the page of the techniques from their catalogue and docstrings.

A family is a module of `unidoku.logic`: its docstring introduces it, and the first paragraph of
each function says what the technique finds.

Usage: python docs/make_techniques.py
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

from make_backends import one_line, table

from unidoku.logic import TECHNIQUES, Technique

PAGE = Path(__file__).parent / "techniques.md"

INTRODUCTION = """\
# The techniques

<!-- Made by `python docs/make_techniques.py` from catalogue and docstrings: change those. -->

The techniques are tried in this order; after each step, the search begins again with the first.
All are stated in terms of units, so that they hold on any layout. A unit is full if it has as many
cells as there are values. Hidden singles and sets, locked candidates and the bases of fish need
full units; candidates are removed from units of any kind.

The rating is that of Sudoku Explainer 1.2.1; a technique that it does not have is rated between
its neighbours. The score is that of HoDoKu, or of a related technique there. The rating of a
puzzle is the highest rating of its steps, and its score is the sum of their scores.

Case and dashes in names do not matter. Wherever techniques are chosen (`--techniques`, the option
of the backend `logic`, the argument `techniques` of `explain`, `hint` and `rate`) they are joined
by commas. `usual` stands for all that hold on every board, `..XY-wing` for the usual ones up to
that one, `all` also for those that assume that there is only one solution.
"""


def function_of(technique: Technique) -> Callable[..., object]:
    """Return the function that finds a technique's steps, without its fixed arguments."""
    return technique.find.func if isinstance(technique.find, partial) else technique.find


def first_paragraph(thing: object) -> str:
    """Return the first paragraph of a docstring on one line."""
    paragraphs = (inspect.getdoc(thing) or "").split("\n\n")
    return one_line(paragraphs[0]).replace("``", "`")


def introduction(family: str) -> str:
    """Return a module's docstring as Markdown."""
    text = inspect.getdoc(import_module(f"unidoku.logic.{family}")) or ""
    return text.replace("``", "`")


def page() -> str:
    """Return the page."""
    rows = [
        [
            row.name,
            ", ".join(row.also),
            f"{row.rating:g}",
            str(row.score),
            f"[{row.family}](#{row.family})",
            "one solution" if row.needs_uniqueness else "",
        ]
        for row in TECHNIQUES
    ]
    header = ["technique", "also called", "rating", "score", "family", "assumes"]
    parts = [INTRODUCTION, table(header, rows)]
    for family in dict.fromkeys(row.family for row in TECHNIQUES):
        parts.append(f"## {family}\n\n{introduction(family)}\n")
        functions = {
            function_of(row): [
                same.name for same in TECHNIQUES if function_of(same) is function_of(row)
            ]
            for row in TECHNIQUES
            if row.family == family
        }
        parts.append(
            "".join(
                f"- **{', '.join(names)}**. {first_paragraph(function)}\n"
                for function, names in functions.items()
            )
        )
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
