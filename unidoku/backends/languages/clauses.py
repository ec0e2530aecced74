"""DIMACS: a board as clauses, the input of SAT solvers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from unidoku.backends.languages.model import BoardModel
from unidoku.backends.toolkit.clauses import Clause, Clauses

__all__ = ["write_dimacs"]


def clauses_of_board(model: BoardModel) -> Iterator[Clause]:
    """Yield the clauses of a board; candidate k is the variable k + 1."""
    true, false = model.decided()
    yield from ([candidate + 1] for candidate in true)
    yield from ([-candidate - 1] for candidate in false)
    yield from ([candidate + 1 for candidate in group] for group in model.cover.primary)
    yield from ([-a - 1, -b - 1] for a, b in model.cover.exclusive_pairs())
    yield from Clauses(model.lowered)
    yield from ([-candidate - 1 for candidate in held] for held in model.known())


def write_dimacs(model: BoardModel) -> Iterator[str]:
    """Yield the lines of a DIMACS file; comments say which variables are which cell and value."""
    one, clauses = model.board.layout, list(clauses_of_board(model))
    top = max(model.lowered.size, max(map(abs, chain.from_iterable(clauses)), default=0))
    yield from (f"c {comment}" for comment in model.comments())
    for cell in one.cells:
        ends = f"{cell * one.n + 1} to {cell * one.n + one.n}"
        yield f"c {ends}: {one.names[cell]} is {one.shown[1]} to {one.shown[-1]}"
    yield f"p cnf {top} {len(clauses)}"
    for clause in clauses:
        yield " ".join(map(str, [*clause, 0]))
