"""Write the page of the techniques from their catalogue and docstrings, and its drawings.

A family is a module of `unidoku.logic.techniques` or `unidoku.logic.ruled`: its docstring
introduces it, and the first paragraph of each function says what the technique finds. Techniques on
rules are drawn on a puzzle of examples/rules.

Usage: python docs/make_techniques.py
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path

from drawn_page import write
from make_backends import one_line, table

import unidoku
from unidoku.logic import TECHNIQUES, State, Step, Technique, steps_from, up_to
from unidoku.logic.show import svg

DOCS = Path(__file__).parent
PAGE = DOCS / "techniques.md"
IMAGES = DOCS / "images" / "techniques"
EXAMPLES = DOCS.parent / "examples" / "rules"

DRAWN = {
    "last cell of a rule": "killer",
    "cells of a rule": "sandwich",
    "line bounds": "thermo",
    "run overlap": "nonogram",
    "related cells": "kropki",
    "combinations": "killer",
    "sum bounds": "arrow",
    "innies and outies": "little-killer",
    "rule pointing": "quadruples",
    "unit in a rule": "skyscrapers",
    "same values": "same-values",
    "sums compared": "star-battle",
    "sum arrangements": "same-sums",
    "line arrangements": "takuzu",
    "either way": "either",
    "arrangements": "whisper",
    "relation chain": "kropki",
    "rules together": "relliks",
    "AIC through rules": "renban",
}
"""The example on which each technique is drawn."""

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

Techniques on [rules](rules.md) work on what a rule means, whatever its kind, and say the rule in
its own words. Rules only take solutions away, so techniques on units hold beside them, except
those that assume that there is only one solution. Chains use links that rules make.

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


def introduction(function: Callable[..., object]) -> str:
    """Return the docstring of a function's module as Markdown."""
    text = inspect.getdoc(import_module(function.__module__)) or ""
    return text.replace("``", "`")


@lru_cache(maxsize=32)
def example(name: str) -> tuple[State, Step]:
    """Return the first step of a technique on its example, with the state before it.

    Where it finds nothing at once, easier ones go ahead.
    """
    row = next(row for row in TECHNIQUES if row.name == name)
    state = State.start(unidoku.read(EXAMPLES / f"{DRAWN[name]}.toml")[0].board)
    step = next(row.steps(state), None)
    if step is not None:
        return state, step
    for step, after in steps_from(state, up_to(name)):
        if step.technique == name:
            return state, step
        state = after
    raise AssertionError(f"{name} finds nothing on {DRAWN[name]}")


def image(name: str) -> str:
    """Return the name of the file of a technique's drawing."""
    return f"{name.replace(' ', '-')}.svg"


def drawings() -> dict[Path, str]:
    """Return the drawings, by their files."""
    return {IMAGES / image(name): svg(*example(name)) + "\n" for name in DRAWN}


def drawn(name: str) -> str:
    """Return the drawing of a technique and what it shows; nothing if it is not drawn."""
    if name not in DRAWN:
        return ""
    _, step = example(name)
    return f"\n![{name}](images/techniques/{image(name)})\n\n*{step}.*\n"


def page() -> str:
    """Return the page."""
    rows = [
        [
            row.name,
            ", ".join(row.aliases),
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
        first = next(row for row in TECHNIQUES if row.family == family)
        parts.append(f"## {family}\n\n{introduction(function_of(first))}\n")
        functions = {
            function_of(row): [
                same.name for same in TECHNIQUES if function_of(same) is function_of(row)
            ]
            for row in TECHNIQUES
            if row.family == family
        }
        parts.append(
            "".join(
                f"- **{', '.join(names)}**. {first_paragraph(function)}\n{drawn(names[0])}"
                for function, names in functions.items()
            )
        )
    return "\n".join(parts)


if __name__ == "__main__":
    write(PAGE, page(), drawings())
