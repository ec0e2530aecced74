"""DIMACS: a board as clauses, the input of SAT solvers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from unidoku.backends.languages.model import BoardModel
from unidoku.backends.toolkit.clauses import Clauses
from unidoku.backends.toolkit.cover import Cover
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.reified import Clause

_A_PART = 1 << 14
"""Number of clauses that are written between two checks of the clock."""


class _Written(NamedTuple):
    """Clauses as lines, with their number: 10 MB for 25x25 boards."""

    text: str
    clauses: int


_UNITS: Models[_Written] = Models()
"""Clauses of the units, which many boards share, unlike those of candidates and rules."""


def write_dimacs(model: BoardModel) -> Iterator[str]:
    """Yield the lines of a DIMACS file; comments map the variables to cells and values."""
    layout, cover = model.board.layout, model.cover
    with _UNITS.lend(layout.base, None, lambda: _of_units(cover, model)) as units:
        rules, own = list(Clauses(model.lowered)), list(_own(model))
        top = max(model.lowered.size, max(map(abs, chain.from_iterable(rules)), default=0))
        yield from (f"c {comment}" for comment in model.comments())
        for cell in layout.cells:
            ends = f"{cell * layout.n + 1} to {cell * layout.n + layout.n}"
            yield f"c {ends}: {layout.names[cell]} is {layout.shown[1]} to {layout.shown[-1]}"
        yield f"p cnf {top} {units.clauses + len(rules) + len(own)}"
        yield from _lines(own)
        if units.text:
            yield units.text
        yield from _lines(rules)


def _own(model: BoardModel) -> Iterator[Clause]:
    """Yield the clauses of the board and of known grids; candidate k is the variable k + 1."""
    true, false = model.decided()
    yield from ([candidate + 1] for candidate in true)
    yield from ([-candidate - 1] for candidate in false)
    yield from ([-candidate - 1 for candidate in candidates] for candidates in model.known())


def _of_units(cover: Cover, model: BoardModel) -> _Written:
    lines = list(_lines([candidate + 1 for candidate in group] for group in cover.primary))
    for a, b in cover.exclusive_pairs():
        lines.append(f"-{a + 1} -{b + 1} 0")
        if not len(lines) % _A_PART:
            model.budget.check_time()
    return _Written("\n".join(lines), len(lines))


def _lines(clauses: Iterable[Clause]) -> Iterator[str]:
    return (" ".join(map(str, [*clause, 0])) for clause in clauses)
