"""Backends that misread one class of constraints each, for tests of the conformance suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TypeVar

from tests.helpers.wrong.misconfigured import Search
from unidoku import Board, Layout, Request, Result
from unidoku.backends.adapters.norvig import Norvig
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
from unidoku.testing import constraints
from unidoku.testing.conformance import Check
from unidoku.testing.truth import ConstraintRule

C = TypeVar("C", bound=Constraint)


def _with(board: Board, constraints: Sequence[Constraint]) -> Board:
    """Return the board with other constraints in place of its own."""
    layout = board.layout
    rules = (ConstraintRule(tuple(layout.cells), tuple(constraints)),) if constraints else ()
    return Board(Layout(layout.n, layout.units, layout.positions, rules), board.candidates)


def _misreading(kind: type[C], change: Callable[[C], Constraint | None]) -> Search:
    """Return a search that changes the constraints of a class; None forgets one."""

    def search(board: Board, request: Request) -> Result:
        parts = [
            change(part) if isinstance(part, kind) else part for part in board.layout.constraints
        ]
        return Norvig().search(_with(board, [part for part in parts if part is not None]), request)

    return search


def _finds_a_grid_for_each_way_through_a_line(board: Board, request: Request) -> Result:
    """Return a grid again if an automaton may read it by another way."""
    result = Norvig().search(board, request)
    lines = [part for part in board.layout.constraints if isinstance(part, Automaton)]
    grids = [grid for grid in result.solutions for _ in range(_ways(lines, grid))]
    return replace(result, count=len(grids), solutions=tuple(grids))


def _ways(lines: list[Automaton], grid: tuple[int, ...]) -> int:
    ways = 1
    for cells, machine in ((line.cells, line.machine) for line in lines):
        states = Counter(
            state for state in range(len(machine.steps)) if machine.starts >> state & 1
        )
        for cell in cells:
            after: Counter[int] = Counter()
            for state, value, target in machine.transitions:
                if value == grid[cell]:
                    after[target] += states[state]
            states = after
        ways *= sum(many for state, many in states.items() if machine.accepting >> state & 1)
    return ways


def _forgets_how_often_a_value_is_there(board: Board, request: Request) -> Result:
    """Take lists of the same values for the same sets of values."""
    same = [part for part in board.layout.constraints if isinstance(part, SameValues)]
    if not same:
        return Norvig().search(board, request)
    others = [part for part in board.layout.constraints if not isinstance(part, SameValues)]
    result = Norvig().search(_with(board, others), Request(solutions=None))
    grids = tuple(
        grid
        for grid in result.solutions
        if all({grid[c] for c in part.cells} == {grid[c] for c in part.others} for part in same)
    )
    return replace(result, count=len(grids), solutions=grids)


MISREADERS: dict[str, tuple[Search, Check]] = {
    "reads lines from their end": (
        _misreading(Automaton, lambda line: replace(line, cells=line.cells[::-1])),
        constraints.supports_declared_automata,
    ),
    "lets a line end in any state": (
        _misreading(
            Automaton,
            lambda line: replace(
                line,
                machine=replace(line.machine, accepting=(1 << len(line.machine.steps)) - 1),
            ),
        ),
        constraints.supports_declared_automata,
    ),
    "starts lines in one state": (
        _misreading(
            Automaton,
            lambda line: replace(
                line,
                machine=replace(line.machine, starts=line.machine.starts & -line.machine.starts),
            ),
        ),
        constraints.supports_declared_automata,
    ),
    "reads a cell of a line once": (
        _misreading(Automaton, lambda line: replace(line, cells=tuple(dict.fromkeys(line.cells)))),
        constraints.supports_declared_automata,
    ),
    "finds a grid for each way through a line": (
        _finds_a_grid_for_each_way_through_a_line,
        constraints.supports_declared_automata,
    ),
    "loses the last row of a table": (
        _misreading(Table, lambda table: replace(table, rows=table.rows[:-1])),
        constraints.supports_declared_tables,
    ),
    "reads rows in another order": (
        _misreading(
            Table,
            lambda table: Table((table.cells[1], table.cells[0], *table.cells[2:]), table.rows),
        ),
        constraints.supports_declared_tables,
    ),
    "knows no tables of four cells": (
        _misreading(Table, lambda table: None if len(table.cells) > 3 else table),
        constraints.supports_declared_tables,
    ),
    "lets cells of a cage be the same": (
        _misreading(
            Sets,
            lambda cage: (
                Sum(cage.cells, (1,) * len(cage.cells), *cage.totals) if cage.masks else cage
            ),
        ),
        constraints.supports_declared_sums,
    ),
    "allows one more than a sum may be": (
        _misreading(Sum, lambda sum_: replace(sum_, high=sum_.high + 1)),
        constraints.supports_declared_sums,
    ),
    "reads relations from the other cell": (
        _misreading(
            Relation,
            lambda relation: replace(relation, pairs=tuple((b, a) for a, b in relation.pairs)),
        ),
        constraints.supports_declared_relations,
    ),
    "forgets how often a value is there": (
        _forgets_how_often_a_value_is_there,
        constraints.supports_declared_same_values,
    ),
    "forgets that cells are connected": (
        _misreading(
            Region, lambda region: replace(region, pairs=tuple(combinations(region.cells, 2)))
        ),
        constraints.supports_declared_regions,
    ),
    "takes a region to be larger": (
        _misreading(Region, lambda region: replace(region, high=region.high + 1)),
        constraints.supports_declared_regions,
    ),
    "forgets what differs in a region": (
        _misreading(Region, lambda region: replace(region, others=())),
        constraints.supports_declared_regions,
    ),
    "knows the first branch only": (
        _misreading(Or, lambda either: Or(either.branches[:1])),
        constraints.supports_declared_alternatives,
    ),
}
"""Searches that misread a class of constraints, each with the check that it does not pass."""
