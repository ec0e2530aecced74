from __future__ import annotations

import random
import re
import signal
import threading
import time
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unidoku
from tests.backends.native.alone import form, search, tables
from tests.backends.native.boards import HARD, NONE, SEVERAL, SINGLE
from tests.backends.native.shaped import shaped, shaped_layouts
from tests.helpers.volume import SOAK, volume
from unidoku import Board, Layout, Request, Stop, layout
from unidoku.backends.native import choice
from unidoku.backends.native.single import boards as single
from unidoku.backends.native.single import function
from unidoku.backends.native.single.search.kinds import Propagator, Returned
from unidoku.core import rules as r
from unidoku.core.constraints.automaton import machine_of_steps
from unidoku.core.constraints.primitives import Automaton, Or, Sum, digit_sets
from unidoku.core.regions import random_map
from unidoku.core.transforms.implied import with_implied
from unidoku.errors import UnsupportedError
from unidoku.testing import brute_force
from unidoku.testing.strategies import boards, cages, ruled_layouts, unit_systems

pytestmark = pytest.mark.usefixtures("form")

SAT = unidoku.load("sat")
OTHERS = (SAT, unidoku.load("norvig")) if SOAK else (SAT,)
MANY = Board.parse(SEVERAL[2])


def outcome(board: Board, solver: unidoku.Solver = SINGLE, **limits: Any) -> Any:
    """What is found; of grids the set, if it is all there are."""
    result = solver.solve(board, **limits)
    assert len(set(result.solutions)) == len(result.solutions)
    grids = set(result.solutions) if result.stop is Stop.EXHAUSTED else None
    return result.count, result.stop, grids


@settings(max_examples=volume(80))
@given(board=boards(ruled_layouts() | cages() | unit_systems()))
def test_random_boards_have_the_solutions_that_others_find(board: Board) -> None:
    for other in OTHERS:
        assert outcome(board, solutions=50) == outcome(board, other, solutions=50)


@settings(max_examples=volume(60))
@given(chosen=shaped_layouts())
def test_random_constraints_have_the_solutions_that_trying_all_grids_finds(chosen: Layout) -> None:
    expected = set(brute_force(Board.empty(chosen)))
    result = SINGLE.solve(Board.empty(chosen), solutions=None)
    assert set(result.solutions) == expected
    assert result.count == len(expected)


def test_a_cage_of_too_many_sets_is_a_sum_of_cells_that_differ() -> None:
    def propagators(size: int, total: int) -> set[int]:
        rules = [r.Killer(tuple(range(size)), total)]
        return {*tables(Layout.from_units(12, [range(12)], shape=(1, 12), rules=rules)).arrays[0]}

    assert len(digit_sets(12, 6, 39, 39)) < 130
    assert Propagator.SETS in propagators(3, 6)
    few, many = Layout.from_units(16, [range(16)], shape=(1, 16)), 17 * 4
    assert len(digit_sets(16, 8, many, many)) > 130
    rules = [r.Killer(tuple(range(8)), many), *[r.SumOfCells((8, cell), 17) for cell in (9, 10)]]
    board = Board.empty(Layout(16, few.units, few.positions, tuple(rules)))
    assert Propagator.SETS not in {*tables(board.layout).arrays[0]}
    result = SINGLE.solve(board, solutions=20)
    assert all(sum(grid[:8]) == many for grid in result.solutions)


@pytest.mark.parametrize("node_limit", [1, 2, 3, 7, 50, 333])
def test_a_node_limit_is_kept_exactly_and_what_was_found_before_is_kept(node_limit: int) -> None:
    for board in (MANY, Board.parse(HARD[0]), Board.empty(layout("latin", 5))):
        whole = SINGLE.solve(board, solutions=2000)
        result = SINGLE.solve(board, solutions=2000, node_limit=node_limit)
        assert result.statistics["nodes"] == min(node_limit, whole.statistics["nodes"])
        assert (result.stop is Stop.NODES) == (node_limit < whole.statistics["nodes"])
        assert result.solutions == whole.solutions[: result.count]


@pytest.mark.parametrize("most", [1, 2, 20, 10_000])
def test_a_search_gives_up_after_exactly_so_many_failures_and_keeps_what_it_found(
    most: int,
) -> None:
    request = Request(solutions=2000)
    for board in (MANY, Board.parse(HARD[0]), Board.parse(NONE)):
        whole = search(board, request)
        result = search(board, request, most)
        assert result.stop in (Stop.INCOMPLETE, whole.stop)
        assert result.solutions == whole.solutions[: result.count]
        if not whole.count:
            assert result.statistics["failures"] == min(most, whole.statistics["failures"])
            gives_up = most < whole.statistics["failures"]
            assert result.stop is (Stop.INCOMPLETE if gives_up else whole.stop)


def test_the_grids_and_their_order_are_the_same_whatever_is_kept_or_asked_for() -> None:
    whole = SINGLE.solve(MANY, solutions=1000)
    assert len(whole.solutions) == 1000 > single.ROOM
    for keep in (0, 1, 3, single.ROOM, single.ROOM + 1, None):
        result = SINGLE.solve(MANY, solutions=300, keep=keep)
        assert result.count == 300
        assert result.solutions == whole.solutions[: 300 if keep is None else keep]


def test_stacks_grow_as_deep_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = Layout.from_units(3, [[0, 1]], shape=(1, 400))
    monkeypatch.setattr(single, "FIRST_DEPTH", 1)
    result = SINGLE.solve(Board.empty(chosen), solutions=500)
    assert result.count == 500
    assert len(set(result.solutions)) == 500


def test_a_search_that_restarts_counts_each_grid_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single, "FIRST_RUN", 1)
    monkeypatch.setattr(single, "FIRST_RUN_WITH_RULES", 1)
    ruled = layout().with_rules(r.Thermo((0, 1, 2)), r.Killer((39, 40, 41), 15))
    begun_anew = {layout(): 0, ruled: 0}
    for text in (*HARD, NONE, *SEVERAL[:2]):
        for shape in begun_anew:
            board = Board.parse(text, shape)
            assert outcome(board, solutions=100) == outcome(board, SAT, solutions=100)
            begun_anew[shape] += SINGLE.solve(board, solutions=2).statistics["restarts"] > 0
    assert min(begun_anew.values()) > 1


def test_a_batch_finds_what_each_board_alone_does_in_any_number_of_threads() -> None:
    texts = [*HARD, *SEVERAL, NONE] * 3
    boards = [Board.parse(text) for text in texts]
    limits: Any
    for limits in ({"solutions": 1}, {"solutions": 2}, {"solutions": 200, "node_limit": 30}):
        alone = [SINGLE.solve(board, **limits) for board in boards]
        for threads in (1,) if form() is function.INTERPRETED else (1, 2, 5, 100):
            batch = SINGLE.solve_many(boards, threads=threads, **limits)
            assert batch.counts.tolist() == [result.count for result in alone]
            grids = [(*result.solutions, (0,) * 81)[0] for result in alone]
            assert batch.grids.tolist() == [list(grid) for grid in grids]
            stops = [unidoku.backends.batch.STOPS[code] for code in batch.stops]
            assert stops == [result.stop for result in alone]


def test_a_search_lets_other_threads_of_python_run_and_hears_an_interrupt() -> None:
    board = Board.empty(layout("classic", 9))
    ticks = 0

    def interrupt() -> None:
        nonlocal ticks
        for _ in range(20):
            time.sleep(0.005)
            ticks += 1
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        SINGLE.solve(board, solutions=None, keep=0, time_limit=60)
    thread.join()
    assert ticks == 20


def test_lines_of_many_states_are_few_propagations_until_the_clock_is_looked_at() -> None:
    machine = machine_of_steps(9, 0, lambda state, v: (state + v**3) % 500, lambda state: state < 9)
    plain = layout("latin", 9)
    lines = tuple(shaped(Automaton(unit.cells, machine)) for unit in plain.units)
    board = Board.empty(replace(plain, rules=lines))
    memory = single.Memory(tables(board.layout))
    memory.begin(board.candidates, Request(solutions=None, keep=0), None)
    assert memory.go_on() == Returned.CLOCK
    assert memory.figures()["propagations"] < 150, "each takes as long as many of others"
    began = time.perf_counter()
    result = SINGLE.solve(board, solutions=None, keep=0, time_limit=0.05)
    assert result.stop is Stop.TIME
    assert time.perf_counter() - began < 5


def test_sums_may_be_wider_than_the_bits_of_a_number() -> None:
    weights = (1000, 100, 10, 1, -1000, -100, -10, -1)
    equal = shaped(Sum(tuple(range(8)), weights, 0, 0))
    large = shaped(Sum((0, 4), (1, 1), 17, 18))
    chosen = Layout.from_units(9, [], shape=(1, 8), rules=[equal, large])
    result = SINGLE.solve(Board.empty(chosen), solutions=None)
    assert result.count == 9**3
    assert all(grid[:4] == grid[4:] for grid in result.solutions)


def test_alternatives_within_alternatives_have_the_solutions_of_each_choice() -> None:
    def total(cells: tuple[int, ...], number: int) -> Sum:
        return Sum(cells, (1,) * len(cells), number, number)

    inner = Or(((total((1, 2), 3),), (total((1, 2), 7), total((0, 2), 5))))
    either = Or(((total((0, 1), 4), inner), (total((0, 3), 8),), (inner, inner)))
    chosen = Layout.from_units(4, [[0, 1]], shape=(1, 4), rules=[shaped(either)])
    result = SINGLE.solve(Board.empty(chosen), solutions=None)
    assert set(result.solutions) == set(brute_force(Board.empty(chosen)))
    assert 0 < result.count < 4**3 * 3


def test_an_impossible_rule_leaves_no_solution() -> None:
    chosen = Layout.from_units(4, [range(4)], rules=[r.Killer((0, 1), 9)])
    result = SINGLE.solve(Board.empty(chosen), solutions=None)
    assert (result.count, result.stop) == (0, Stop.EXHAUSTED)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (Layout.from_units(63, [range(63)], shape=(1, 63)), "supports up to 62 values, the board"),
        (Layout.from_units(2, [[0, 1]], shape=(5, 9)), "supports up to 40 cells, the board has 45"),
    ],
    ids=["values", "cells"],
)
def test_a_board_too_large_is_refused_or_left_to_others(
    chosen: Layout, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "MAX_SINGLE_CELLS", 40)
    board = Board.empty(chosen)
    for call in (SINGLE.solve, lambda puzzle: SINGLE.solve_many([puzzle])):
        with pytest.raises(UnsupportedError, match=re.escape(f"native[engine=single] {message}")):
            call(board)
    assert unidoku.load("auto").solve(board).count == 1


def test_as_many_values_as_it_serves_are_searched() -> None:
    chosen = layout("latin", 62)
    assert SINGLE.solve(Board.empty(chosen)).count == 1


@pytest.mark.parametrize("seed", [6, 137])
def test_impossible_jigsaws_are_refuted_before_and_after_a_restart(seed: int) -> None:
    regions = random_map(6, random.Random(seed))
    cells = [
        [cell for cell, number in enumerate(regions) if number == region]
        for region in sorted(set(regions))
    ]
    rows = [range(first, first + 6) for first in range(0, 36, 6)]
    columns = [range(first, 36, 6) for first in range(6)]
    board = Board.empty(Layout.from_units(6, [*rows, *columns, *cells]))
    result = SINGLE.solve(board, solutions=None)
    assert (result.count, result.stop) == (0, Stop.EXHAUSTED)
    assert (result.statistics["restarts"] > 0) == (seed == 137)
    assert unidoku.load("sat").solve(board).count == 0


@settings(max_examples=volume(60))
@given(data=st.data())
def test_counts_are_those_of_all_grids_whatever_is_counted_and_however_cells_are_grouped(
    data: st.DataObject,
) -> None:
    n = data.draw(st.integers(2, 4), label="n")
    cells = data.draw(st.permutations(range(6)), label="cells")[: data.draw(st.integers(3, 6))]
    least = data.draw(st.integers(0, 3), label="least")
    most = data.draw(st.integers(least, 4), label="most")
    open_ended = data.draw(st.booleans(), label="open ended")
    value = data.draw(st.integers(1, n), label="value")

    def step(count: int, read: int) -> int | None:
        if read != value or (open_ended and count == least):
            return count
        return count + 1 if count < most else None

    machine = machine_of_steps(n, 0, step, lambda count: count >= least)
    units = [[0, 1], [2, 3], [4, 5], [0, 2], [3, 5]][: data.draw(st.integers(0, 5))]
    counted = shaped(Automaton(tuple(cells), machine))
    chosen = Layout.from_units(n, units, shape=(2, 3), rules=[counted])
    expected = set(brute_force(Board.empty(chosen)))
    assert set(SINGLE.solve(Board.empty(chosen), solutions=None).solutions) == expected


def test_circles_in_lines_that_leave_a_value_one_place_are_counted_at_once() -> None:
    circles = (0, 1, 5, 6, 7, 8, 12, 13, 15)  # 2 + 3 + 4, so that each line has a 4
    chosen = replace(layout("classic", 4), rules=(r.CountingCircles(circles),))
    result = SINGLE.solve(Board.empty(chosen), solutions=2)
    assert (result.count, result.statistics["nodes"]) == (1, 1)


def test_hidden_cells_that_are_not_below_the_grid_are_refused() -> None:
    row = Layout.from_units(3, [[0, 1, 2]], shape=(1, 2), hidden=[0b111])
    with pytest.raises(AssertionError, match="below the grid"):
        tables(row)


@pytest.mark.parametrize("first_value", [0, 1, 3])
def test_x_sums_that_are_tried_as_alternatives_have_the_solutions_of_lines_that_are_read(
    first_value: int,
) -> None:
    square = Layout.from_units(4, layout("latin", 4).units, shape=(4, 4), first_value=first_value)
    for total in range(1, 14, 2):
        rules = (r.XSum((0, 1, 2, 3), total), r.XSum((15, 11, 7, 3), 8), r.XSum((5, 6, 10), total))
        board = Board.empty(replace(square, rules=rules))
        assert outcome(board, solutions=None) == outcome(board, SAT, solutions=None)


@pytest.mark.parametrize(
    "rule",
    [
        r.CountingCircles((14, 14)),
        r.NonogramLine((3, 2, 3, 1), (1,), 4),
        r.Contains((5, 6, 5), (2,)),
    ],
)
def test_a_line_that_comes_to_a_cell_again_counts_it_again(rule: r.Rule) -> None:
    board = Board.empty(replace(layout("classic", 4), rules=(rule,)))
    assert outcome(board, solutions=None) == outcome(board, SAT, solutions=None)


def test_cells_that_hold_all_values_by_rules_cross_units_and_one_another() -> None:
    lines = ((0, 5, 10, 15), (3, 6, 9, 12))  # the diagonals
    differ = [r.Pairs(tuple(combinations(line, 2)), lambda a, b: a != b) for line in lines]
    extended = with_implied(replace(layout("classic", 4), rules=tuple(differ)))
    assert [*tables(extended).arrays[0]].count(Propagator.SAME) == 4, "each crosses two boxes"
    for text in ("1... .... .... ....", "12.. .... .... ....", "1... ..2. .... ...."):
        board = Board.parse(text, replace(layout("classic", 4), rules=tuple(differ)))
        assert outcome(board, solutions=None) == outcome(board, SAT, solutions=None)
