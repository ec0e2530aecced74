"""Backends that misread one class of constraints each, for tests of the conformance suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from tests.helpers.wrong.misconfigured import Search, norvig
from unidoku import Board, Layout, Request, Result
from unidoku.backends.adapters.norvig import Norvig
from unidoku.backends.solving.solver import Solver
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
from unidoku.testing.truth import ConstraintRule

Change = Callable[[Constraint], Constraint | None]


def _misreading(board: Board, request: Request, change: Change) -> Result:
    """Solve the board of other constraints; those taken for nothing are forgotten."""
    layout = board.layout
    changed = [
        constraint
        for primitive in layout.constraints
        if (constraint := change(primitive)) is not None
    ]
    rules = (ConstraintRule(tuple(layout.cells), tuple(changed)),) if changed else ()
    other = Layout(layout.n, layout.units, layout.positions, rules)
    return Norvig().search(Board(other, board.candidates), request)


def reads_lines_from_their_end(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint:
        match constraint:
            case Automaton(cells, machine):
                return Automaton(cells[::-1], machine)
            case _:
                return constraint

    return _misreading(board, request, change)


def reads_lines_not_to_their_end(board: Board, request: Request) -> Result:
    """Take every state of an automaton for one in which a line may end."""

    def change(constraint: Constraint) -> Constraint:
        match constraint:
            case Automaton(cells, machine):
                return Automaton(cells, replace(machine, accepting=(1 << len(machine.steps)) - 1))
            case _:
                return constraint

    return _misreading(board, request, change)


def starts_lines_in_one_state(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint:
        match constraint:
            case Automaton(cells, machine):
                return Automaton(cells, replace(machine, starts=machine.starts & -machine.starts))
            case _:
                return constraint

    return _misreading(board, request, change)


def reads_a_cell_of_a_line_once(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint:
        match constraint:
            case Automaton(cells, machine):
                return Automaton(tuple(dict.fromkeys(cells)), machine)
            case _:
                return constraint

    return _misreading(board, request, change)


def finds_a_grid_for_each_way_through_a_line(board: Board, request: Request) -> Result:
    """Return a grid again if an automaton may read it by another way."""
    result = Norvig().search(board, request)
    lines = [
        constraint for constraint in board.layout.constraints if isinstance(constraint, Automaton)
    ]
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


def loses_the_last_row_of_a_table(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint:
        match constraint:
            case Table(cells, rows):
                return Table(cells, rows[:-1])
            case _:
                return constraint

    return _misreading(board, request, change)


def reads_rows_in_another_order(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint:
        match constraint:
            case Table(cells, rows):
                return Table((cells[1], cells[0], *cells[2:]), rows)
            case _:
                return constraint

    return _misreading(board, request, change)


def knows_no_tables_of_four_cells(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint | None:
        return None if isinstance(constraint, Table) and len(constraint.cells) > 3 else constraint

    return _misreading(board, request, change)


def lets_cells_of_a_cage_be_the_same(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint:
        match constraint:
            case Sets(cells, masks) if masks:
                totals = constraint.totals
                return Sum(cells, (1,) * len(cells), *totals)
            case _:
                return constraint

    return _misreading(board, request, change)


def allows_one_more_than_a_sum_may_be(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint:
        return (
            replace(constraint, high=constraint.high + 1)
            if isinstance(constraint, Sum)
            else constraint
        )

    return _misreading(board, request, change)


def reads_relations_from_the_other_cell(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint:
        match constraint:
            case Relation(table, pairs):
                return Relation(table, tuple((b, a) for a, b in pairs))
            case _:
                return constraint

    return _misreading(board, request, change)


def forgets_how_often_a_value_is_there(board: Board, request: Request) -> Result:
    """Hold lists of the same values to be the same sets of values."""
    found = norvig(_without(board, SameValues), solutions=None)
    same = [
        constraint for constraint in board.layout.constraints if isinstance(constraint, SameValues)
    ]
    grids = tuple(
        grid
        for grid in found.solutions
        if all(
            {grid[c] for c in constraint.cells} == {grid[c] for c in constraint.others}
            for constraint in same
        )
    )
    asked = Norvig().search(board, request)
    return asked if not same else replace(found, count=len(grids), solutions=grids)


def knows_the_first_branch_only(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint:
        return Or(constraint.branches[:1]) if isinstance(constraint, Or) else constraint

    return _misreading(board, request, change)


def forgets_that_cells_are_connected(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint:
        match constraint:
            case Region(cells):
                return replace(constraint, pairs=tuple(combinations(cells, 2)))
            case _:
                return constraint

    return _misreading(board, request, change)


def takes_a_region_to_be_larger(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint:
        return (
            replace(constraint, high=constraint.high + 1)
            if isinstance(constraint, Region)
            else constraint
        )

    return _misreading(board, request, change)


def forgets_what_differs_in_a_region(board: Board, request: Request) -> Result:
    def change(constraint: Constraint) -> Constraint:
        return replace(constraint, others=()) if isinstance(constraint, Region) else constraint

    return _misreading(board, request, change)


def _without(board: Board, kind: type) -> Board:
    layout = board.layout
    remaining = tuple(
        constraint for constraint in layout.constraints if not isinstance(constraint, kind)
    )
    rules = (ConstraintRule(tuple(layout.cells), remaining),) if remaining else ()
    return Board(Layout(layout.n, layout.units, layout.positions, rules), board.candidates)


MISREADERS: list[tuple[Search, Callable[[Solver], None]]] = [
    (reads_lines_from_their_end, constraints.supports_declared_automata),
    (reads_lines_not_to_their_end, constraints.supports_declared_automata),
    (starts_lines_in_one_state, constraints.supports_declared_automata),
    (reads_a_cell_of_a_line_once, constraints.supports_declared_automata),
    (finds_a_grid_for_each_way_through_a_line, constraints.supports_declared_automata),
    (loses_the_last_row_of_a_table, constraints.supports_declared_tables),
    (reads_rows_in_another_order, constraints.supports_declared_tables),
    (knows_no_tables_of_four_cells, constraints.supports_declared_tables),
    (lets_cells_of_a_cage_be_the_same, constraints.supports_declared_sums),
    (allows_one_more_than_a_sum_may_be, constraints.supports_declared_sums),
    (reads_relations_from_the_other_cell, constraints.supports_declared_relations),
    (forgets_how_often_a_value_is_there, constraints.supports_declared_same_values),
    (forgets_that_cells_are_connected, constraints.supports_declared_regions),
    (takes_a_region_to_be_larger, constraints.supports_declared_regions),
    (forgets_what_differs_in_a_region, constraints.supports_declared_regions),
    (knows_the_first_branch_only, constraints.supports_declared_alternatives),
]
"""Each with the check that tells it apart."""
