"""Ground truth by brute force, and assertions that compare a solver with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, assert_never

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.solving.policy import refusals
from unidoku.backends.solving.solver import Solver
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Region,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
)
from unidoku.core.hidden import expanded
from unidoku.core.layout import Grid
from unidoku.core.rules import Rule
from unidoku.core.rules.base import Facts
from unidoku.core.rules.fields import Cells
from unidoku.core.verify.boards import is_solution
from unidoku.testing.limits import NotClaimed


def brute_force(board: Board) -> Iterator[Grid]:
    """Yield every solution by trying every assignment: n to the power of the cells.

    Solutions that differ in hidden cells only are yielded once.
    """
    whole, grids = expanded(board), set()
    choices = [whole.values(cell) for cell in whole.layout.cells]
    for values in itertools.product(*choices):
        grid = values[: len(board.layout)]
        if grid not in grids and is_solution(whole, values):
            if whole is not board:
                grids.add(grid)
            yield grid


def holds(constraint: Constraint, grid: Sequence[int]) -> bool:
    """Return whether values satisfy a constraint, by its definition."""
    match constraint:
        case Relation(table, pairs):
            return all(table[grid[a] - 1] >> grid[b] - 1 & 1 for a, b in pairs)
        case Sum(cells, weights, low, high):
            return low <= sum(w * grid[c] for c, w in zip(cells, weights, strict=True)) <= high
        case Sets(cells, masks):
            return sum({1 << grid[c] - 1 for c in cells}) in masks
        case Automaton(cells, machine):
            steps = machine.transitions
            ways = {state for state in range(len(machine.steps)) if machine.starts >> state & 1}
            for cell in cells:
                ways = {b for a in ways for s, v, b in steps if (s, v) == (a, grid[cell])}
            return any(machine.accepting >> state & 1 for state in ways)
        case Table(cells, rows):
            return tuple(grid[c] for c in cells) in rows
        case SameValues(cells, others):
            return sorted(grid[c] for c in cells) == sorted(grid[c] for c in others)
        case Region(cells, mask, pairs, low, high, others):
            inside = {cell for cell in cells if mask >> grid[cell] - 1 & 1}
            other_values = [grid[b] for a, b in zip(cells, others, strict=False) if a in inside]
            return (
                low <= len(inside) <= high
                and len(set(other_values)) == len(other_values)
                and _reached(inside, pairs) == inside
            )
        case Or(branches):
            return any(all(holds(part, grid) for part in branch) for branch in branches)
        case _:
            assert_never(constraint)


def _reached(cells: set[int], pairs: Sequence[tuple[int, int]]) -> set[int]:
    """Return the cells of a set that are connected to its first cell within the set."""
    reached, before = set(sorted(cells)[:1]), set[int]()
    while reached != before:
        before = set(reached)
        for a, b in pairs:
            if {a, b} <= cells and (a in reached or b in reached):
                reached |= {a, b}
    return reached


@dataclass(frozen=True)
class ConstraintRule(Rule):
    """A rule that consists of constraints, each checked by its definition.

    Args:
        among: all cells of a layout.
        parts: the constraints.
    """

    kind: ClassVar[str] = "constraints"
    among: Cells
    parts: tuple[Constraint, ...]

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield all cells if they are filled and a constraint does not hold."""
        if all(values) and not all(holds(constraint, values) for constraint in self.parts):
            yield self.among

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield the constraints."""
        yield from self.parts

    def words(self, names: Sequence[str]) -> str:
        """Return the names of the constraints."""
        return ", ".join(constraint.name for constraint in self.parts)


def skip_unless_supported(solver: Solver, board: Board) -> None:
    """Raise `NotClaimed` unless the solver, with its options, supports the board."""
    lacking = refusals(solver.spec.capabilities, board.layout, Request())
    if not lacking and solver.options:
        lacking = solver.attempt(board, Request()).refused
    if lacking:
        raise NotClaimed(f"{solver.label} {'; '.join(lacking)}")


def compare_with_brute_force(solver: Solver, board: Board) -> None:
    """Assert that the solver finds exactly the solutions that brute force finds.

    The board must have some.
    """
    expected = _solutions(board)
    assert expected, "the check's own board has solutions"
    result = search_all(solver, board)
    assert set(result.solutions) == expected, f"{board!r}"
    assert result.count == len(expected), f"{board!r}: found {result.count}, one of them twice"


@lru_cache(maxsize=256)
def _solutions(board: Board) -> frozenset[Grid]:
    """Return all solutions; cached, because each solver is compared on the same boards."""
    return frozenset(brute_force(board))


def search_all(solver: Solver, board: Board) -> Result:
    """Search for all solutions and return the result of a search that was complete."""
    result = solver.search(board, Request(solutions=None))
    assert result.stop is Stop.EXHAUSTED, f"expected a complete search, got {result.stop}"
    return result
