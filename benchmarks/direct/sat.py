"""PySAT, called directly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from pysat.solvers import Solver

from unidoku import Board, Layout

NAME = "glucose4"


def clauses(layout: Layout) -> Iterator[list[int]]:
    """Yield the clauses of a layout whose units are full, pairwise; variables from 1."""
    n = layout.n
    for cell, peers in enumerate(layout.peers):
        first = cell * n + 1
        yield list(range(first, first + n))
        yield from ([-a, -b] for a, b in combinations(range(first, first + n), 2))
        for other in peers:
            if other > cell:
                yield from ([-first - v, -(other * n + 1) - v] for v in range(n))
    for unit in layout.units:
        for value in range(1, n + 1):
            yield [cell * n + value for cell in unit.cells]


def best(layout: Layout) -> Callable[[Board], int]:
    """A live solver, the givens as assumptions, the first solution forbidden for one call."""
    n, size = layout.n, len(layout) * layout.n
    solver = Solver(NAME, bootstrap_with=clauses(layout))
    last = size

    def count(board: Board) -> int:
        nonlocal last
        assumptions = [cell * n + value for cell, value in enumerate(board.givens) if value]
        if not solver.solve(assumptions):
            return 0
        given = set(assumptions)
        last += 1
        found = [literal for literal in solver.get_model()[:size] if literal > 0]
        solver.add_clause([-last, *(-literal for literal in found if literal not in given)])
        assumptions.append(last)
        more = solver.solve(assumptions)
        solver.add_clause([-last])
        return 2 if more else 1

    return count


def naive(board: Board) -> int:
    """Clauses and solver made for each board, the givens as clauses."""
    n = board.layout.n
    givens = [[cell * n + value] for cell, value in enumerate(board.givens) if value]
    with Solver(NAME, bootstrap_with=[*clauses(board.layout), *givens]) as solver:
        count = 0
        for _ in solver.enum_models():
            count += 1
            if count == 2:
                break
        return count
