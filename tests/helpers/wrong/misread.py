"""Backends that misread one class of constraints each, for tests of the conformance suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from tests.helpers.wrong.unfit import Search, norvig
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
    told = [constraint for one in layout.constraints if (constraint := change(one)) is not None]
    rules = (ConstraintRule(tuple(layout.cells), tuple(told)),) if told else ()
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
    lines = [one for one in board.layout.constraints if isinstance(one, Automaton)]
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
    same = [one for one in board.layout.constraints if isinstance(one, SameValues)]
    grids = tuple(
        grid
        for grid in found.solutions
        if all({grid[c] for c in one.cells} == {grid[c] for c in one.others} for one in same)
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
    told = tuple(
        constraint for constraint in layout.constraints if not isinstance(constraint, kind)
    )
    rules = (ConstraintRule(tuple(layout.cells), told),) if told else ()
    return Board(Layout(layout.n, layout.units, layout.positions, rules), board.candidates)


MISREADERS: list[tuple[Search, Callable[[Solver], None]]] = [
    (reads_lines_from_their_end, constraints.serves_the_lines_it_names),
    (reads_lines_not_to_their_end, constraints.serves_the_lines_it_names),
    (starts_lines_in_one_state, constraints.serves_the_lines_it_names),
    (reads_a_cell_of_a_line_once, constraints.serves_the_lines_it_names),
    (finds_a_grid_for_each_way_through_a_line, constraints.serves_the_lines_it_names),
    (loses_the_last_row_of_a_table, constraints.serves_the_tables_it_names),
    (reads_rows_in_another_order, constraints.serves_the_tables_it_names),
    (knows_no_tables_of_four_cells, constraints.serves_the_tables_it_names),
    (lets_cells_of_a_cage_be_the_same, constraints.serves_the_sums_it_names),
    (allows_one_more_than_a_sum_may_be, constraints.serves_the_sums_it_names),
    (reads_relations_from_the_other_cell, constraints.serves_the_rules_it_names),
    (forgets_how_often_a_value_is_there, constraints.serves_the_same_values_it_names),
    (forgets_that_cells_are_connected, constraints.serves_the_regions_it_names),
    (takes_a_region_to_be_larger, constraints.serves_the_regions_it_names),
    (forgets_what_differs_in_a_region, constraints.serves_the_regions_it_names),
    (knows_the_first_branch_only, constraints.serves_the_alternatives_it_names),
]
"""Each with the check that tells it apart."""
