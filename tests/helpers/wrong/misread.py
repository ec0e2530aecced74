"""Backends that misread one class of shapes each, for tests of the conformance suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from tests.helpers.wrong.unfit import Search, norvig
from unidoku import Board, Layout, Request, Result
from unidoku.backends.adapters.norvig import Norvig
from unidoku.backends.solving.solver import Solver
from unidoku.core.constraints.shapes import (
    Automaton,
    Or,
    Region,
    Relation,
    Rows,
    SameValues,
    Sets,
    Shape,
    Sum,
)
from unidoku.testing import shapes
from unidoku.testing.truth import ShapeRule

Change = Callable[[Shape], Shape | None]


def _misreading(board: Board, request: Request, change: Change) -> Result:
    """Solve the board of other shapes; those taken for nothing are forgotten."""
    layout = board.layout
    told = [shape for one in layout.shapes if (shape := change(one)) is not None]
    rules = (ShapeRule(tuple(layout.cells), tuple(told)),) if told else ()
    other = Layout(layout.n, layout.units, layout.positions, rules)
    return Norvig().search(Board(other, board.candidates), request)


def reads_lines_from_their_end(board: Board, request: Request) -> Result:
    def change(shape: Shape) -> Shape:
        match shape:
            case Automaton(cells, machine):
                return Automaton(cells[::-1], machine)
            case _:
                return shape

    return _misreading(board, request, change)


def reads_lines_not_to_their_end(board: Board, request: Request) -> Result:
    """Take every state of an automaton for one in which a line may end."""

    def change(shape: Shape) -> Shape:
        match shape:
            case Automaton(cells, machine):
                return Automaton(cells, replace(machine, accepting=(1 << len(machine.steps)) - 1))
            case _:
                return shape

    return _misreading(board, request, change)


def starts_lines_in_one_state(board: Board, request: Request) -> Result:
    def change(shape: Shape) -> Shape:
        match shape:
            case Automaton(cells, machine):
                return Automaton(cells, replace(machine, starts=machine.starts & -machine.starts))
            case _:
                return shape

    return _misreading(board, request, change)


def reads_a_cell_of_a_line_once(board: Board, request: Request) -> Result:
    def change(shape: Shape) -> Shape:
        match shape:
            case Automaton(cells, machine):
                return Automaton(tuple(dict.fromkeys(cells)), machine)
            case _:
                return shape

    return _misreading(board, request, change)


def finds_a_grid_for_each_way_through_a_line(board: Board, request: Request) -> Result:
    """Return a grid again if an automaton may read it by another way."""
    result = Norvig().search(board, request)
    lines = [one for one in board.layout.shapes if isinstance(one, Automaton)]
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
    def change(shape: Shape) -> Shape:
        match shape:
            case Rows(cells, rows):
                return Rows(cells, rows[:-1])
            case _:
                return shape

    return _misreading(board, request, change)


def reads_rows_in_another_order(board: Board, request: Request) -> Result:
    def change(shape: Shape) -> Shape:
        match shape:
            case Rows(cells, rows):
                return Rows((cells[1], cells[0], *cells[2:]), rows)
            case _:
                return shape

    return _misreading(board, request, change)


def knows_no_tables_of_four_cells(board: Board, request: Request) -> Result:
    def change(shape: Shape) -> Shape | None:
        return None if isinstance(shape, Rows) and len(shape.cells) > 3 else shape

    return _misreading(board, request, change)


def lets_cells_of_a_cage_be_the_same(board: Board, request: Request) -> Result:
    def change(shape: Shape) -> Shape:
        match shape:
            case Sets(cells, masks) if masks:
                totals = shape.totals
                return Sum(cells, (1,) * len(cells), *totals)
            case _:
                return shape

    return _misreading(board, request, change)


def allows_one_more_than_a_sum_may_be(board: Board, request: Request) -> Result:
    def change(shape: Shape) -> Shape:
        return replace(shape, high=shape.high + 1) if isinstance(shape, Sum) else shape

    return _misreading(board, request, change)


def reads_relations_from_the_other_cell(board: Board, request: Request) -> Result:
    def change(shape: Shape) -> Shape:
        match shape:
            case Relation(table, pairs):
                return Relation(table, tuple((b, a) for a, b in pairs))
            case _:
                return shape

    return _misreading(board, request, change)


def forgets_how_often_a_value_is_there(board: Board, request: Request) -> Result:
    """Hold lists of the same values to be the same sets of values."""
    found = norvig(_without(board, SameValues), solutions=None)
    same = [one for one in board.layout.shapes if isinstance(one, SameValues)]
    grids = tuple(
        grid
        for grid in found.solutions
        if all({grid[c] for c in one.cells} == {grid[c] for c in one.others} for one in same)
    )
    asked = Norvig().search(board, request)
    return asked if not same else replace(found, count=len(grids), solutions=grids)


def knows_the_first_branch_only(board: Board, request: Request) -> Result:
    def change(shape: Shape) -> Shape:
        return Or(shape.branches[:1]) if isinstance(shape, Or) else shape

    return _misreading(board, request, change)


def forgets_that_cells_are_connected(board: Board, request: Request) -> Result:
    def change(shape: Shape) -> Shape:
        match shape:
            case Region(cells):
                return replace(shape, pairs=tuple(combinations(cells, 2)))
            case _:
                return shape

    return _misreading(board, request, change)


def takes_a_region_to_be_larger(board: Board, request: Request) -> Result:
    def change(shape: Shape) -> Shape:
        return replace(shape, high=shape.high + 1) if isinstance(shape, Region) else shape

    return _misreading(board, request, change)


def forgets_what_differs_in_a_region(board: Board, request: Request) -> Result:
    def change(shape: Shape) -> Shape:
        return replace(shape, others=()) if isinstance(shape, Region) else shape

    return _misreading(board, request, change)


def _without(board: Board, kind: type) -> Board:
    layout = board.layout
    told = tuple(shape for shape in layout.shapes if not isinstance(shape, kind))
    rules = (ShapeRule(tuple(layout.cells), told),) if told else ()
    return Board(Layout(layout.n, layout.units, layout.positions, rules), board.candidates)


MISREADERS: list[tuple[Search, Callable[[Solver], None]]] = [
    (reads_lines_from_their_end, shapes.serves_the_lines_it_names),
    (reads_lines_not_to_their_end, shapes.serves_the_lines_it_names),
    (starts_lines_in_one_state, shapes.serves_the_lines_it_names),
    (reads_a_cell_of_a_line_once, shapes.serves_the_lines_it_names),
    (finds_a_grid_for_each_way_through_a_line, shapes.serves_the_lines_it_names),
    (loses_the_last_row_of_a_table, shapes.serves_the_tables_it_names),
    (reads_rows_in_another_order, shapes.serves_the_tables_it_names),
    (knows_no_tables_of_four_cells, shapes.serves_the_tables_it_names),
    (lets_cells_of_a_cage_be_the_same, shapes.serves_the_sums_it_names),
    (allows_one_more_than_a_sum_may_be, shapes.serves_the_sums_it_names),
    (reads_relations_from_the_other_cell, shapes.serves_the_rules_it_names),
    (forgets_how_often_a_value_is_there, shapes.serves_the_same_values_it_names),
    (forgets_that_cells_are_connected, shapes.serves_the_regions_it_names),
    (takes_a_region_to_be_larger, shapes.serves_the_regions_it_names),
    (forgets_what_differs_in_a_region, shapes.serves_the_regions_it_names),
    (knows_the_first_branch_only, shapes.serves_the_alternatives_it_names),
]
"""Each with the check that tells it apart."""
