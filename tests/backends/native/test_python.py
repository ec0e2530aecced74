from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.backends.native.boards import ruled_layout
from tests.helpers.volume import volume
from unidoku import Board, Layout, Request, Result, Stop, layout
from unidoku.backends import BackendSpec
from unidoku.backends.adapters.norvig import Norvig
from unidoku.backends.base import Capabilities
from unidoku.backends.native.python import classic, general, search
from unidoku.backends.native.python.tree import Engine, grid_of
from unidoku.backends.solving.solver import Solver
from unidoku.core.constraints.primitives import Relation
from unidoku.core.layout import Unit
from unidoku.core.variants import Variant
from unidoku.testing import CHECKS, brute_force
from unidoku.testing.conformance import Check
from unidoku.testing.strategies import boards, named_layouts, unit_systems

HARD = "1.......5.9.2...4...3...7...8.9.6.......5.......84..9...5...3...6...4.2.7.......1"
SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
LOOSE_X = "........1.....2....3...4....................5......6....7........8...........9..."


@dataclass(frozen=True)
class Plain:
    """The search as a backend, for the suite that every backend passes."""

    def search(self, board: Board, request: Request) -> Result:
        return search(board, request)


SOLVER = Solver(
    BackendSpec(
        name="python",
        target=f"{__name__}:Plain",
        summary="",
        capabilities=Capabilities(
            constraints=frozenset({Relation}),
            honours=frozenset({"time_limit", "node_limit"}),
        ),
    ),
    Plain(),
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_conforms(check: Check) -> None:
    check(SOLVER)


def classic_boards() -> st.SearchStrategy[Board]:
    """Classic boards near a solved one: with no, one or several solutions, often pencil-marked."""
    value = st.tuples(st.integers(0, 80), st.integers(1, 9))
    return st.builds(
        _classic_board,
        st.permutations(range(81)),
        st.integers(26, 45),
        st.lists(value, max_size=2),
        st.lists(st.tuples(st.integers(0, 80), st.integers(1, 511)), max_size=20),
    )


def _classic_board(
    cells: list[int], shown: int, changed: list[tuple[int, int]], marks: list[tuple[int, int]]
) -> Board:
    values = [0] * 81
    for cell in cells[:shown]:
        values[cell] = int(SOLVED[cell])
    for cell, value in changed:
        values[cell] = value
    candidates = list(Board.from_values(layout("classic"), values).candidates)
    for cell, mask in marks:
        candidates[cell] &= mask | 1 << int(SOLVED[cell]) - 1
    return Board(layout("classic"), tuple(candidates))


def check_against_norvig(board: Board) -> None:
    mine = SOLVER.search(board, Request(solutions=40))
    theirs = Norvig().search(board, Request(solutions=40))
    assert (mine.count, mine.stop) == (theirs.count, theirs.stop)
    if mine.stop is Stop.EXHAUSTED:
        assert set(mine.solutions) == set(theirs.solutions)


@settings(max_examples=volume(50))
@given(boards(unit_systems()))
def test_random_unit_systems_have_the_solutions_that_norvig_finds(board: Board) -> None:
    check_against_norvig(board)


@given(boards(named_layouts()))
def test_small_variants_have_the_solutions_that_norvig_finds(board: Board) -> None:
    check_against_norvig(board)


@given(classic_boards())
@example(Board.parse(HARD))
def test_classic_boards_have_the_solutions_that_norvig_finds(board: Board) -> None:
    assert classic.fits(board.layout)
    check_against_norvig(board)


@given(classic_boards())
def test_the_classic_engine_and_the_general_one_find_the_same(board: Board) -> None:
    other = Layout.from_units(9, [*board.layout.units, Unit((0, 1))])  # which says nothing new
    assert not classic.fits(other)
    mine = search(board, Request(solutions=40))
    general_result = search(Board(other, board.candidates), Request(solutions=40))
    assert (mine.count, mine.stop) == (general_result.count, general_result.stop)
    if mine.stop is Stop.EXHAUSTED:
        assert set(mine.solutions) == set(general_result.solutions)


@given(boards(unit_systems().filter(lambda layout: layout.n ** len(layout) < 5000)))
def test_all_solutions_are_those_of_brute_force_each_once(board: Board) -> None:
    found = search(board, Request(solutions=None)).solutions
    assert sorted(found) == sorted(brute_force(board))


@given(boards(unit_systems()))
def test_a_rule_beyond_units_is_kept(board: Board) -> None:
    ruled = ruled_layout(board)
    check_against_norvig(Board(ruled, board.candidates))


@pytest.mark.parametrize(
    ("variant", "n", "known"),
    [
        ("classic", 4, 288),
        pytest.param("latin", 5, 161280, marks=pytest.mark.soak),  # OEIS A002860
        ("anti-knight", 6, 11520),
        ("anti-knight+anti-king+non-consecutive", 9, 72),
        ("latin", 1, 1),
    ],
)
def test_full_grids_are_as_many_as_known(variant: str, n: int, known: int) -> None:
    result = search(Board.empty(layout(variant, n)), Request(solutions=None, keep=0))
    assert (result.count, result.stop, result.solutions) == (known, Stop.EXHAUSTED, ())


@pytest.mark.parametrize(
    ("variant", "n"), [("x", 9), ("windoku", 9), ("samurai", 9), ("classic", 16), ("latin", 25)]
)
def test_empty_boards_of_many_layouts_are_filled(variant: str, n: int) -> None:
    assert SOLVER.solve(Board.empty(layout(variant, n)), solutions=3).count == 3


def test_the_layout_is_classic_by_its_units_whatever_its_name() -> None:
    nine = layout("classic")
    renamed = Layout.from_units(9, reversed(nine.units), name="mine")
    assert classic.fits(nine)
    assert classic.fits(renamed)
    for other in (
        layout("x"),
        layout("latin"),
        layout("classic", 4),
        layout("classic", 16),
        layout("non-consecutive"),
        Variant.parse("classic:1x9").layout(9),
        Layout.from_units(9, nine.units[1:]),
        Layout.from_units(9, nine.units, shape=(9, 10)),
    ):
        assert not classic.fits(other), other


@cache
def one_value_grids() -> tuple[int, ...]:
    """All 46656 ways to place one value on a classic board, as sets of cells."""
    found = []
    for columns in itertools.permutations(range(9)):
        boxes = {(row // 3, column // 3) for row, column in enumerate(columns)}
        if len(boxes) == 9:
            found.append(sum(1 << 9 * row + column for row, column in enumerate(columns)))
    assert len(found) == 46656
    return tuple(found)


def places() -> st.SearchStrategy[int]:
    """Places of one value on a classic board: the union of some ways to place it, or any set."""
    one = st.deferred(lambda: st.sampled_from(one_value_grids()))
    ways = st.lists(one, min_size=1, max_size=5)
    return ways.map(_union) | st.integers(0, (1 << 81) - 1)


def _union(sets: list[int]) -> int:
    made = 0
    for one in sets:
        made |= one
    return made


def bits(cells: int) -> Iterator[int]:
    """The cells of a set, each as a set of one."""
    while cells:
        yield cells & -cells
        cells &= cells - 1


@settings(max_examples=volume(60))
@given(places())
def test_the_classic_tables_remove_no_place_that_the_value_can_take(before: int) -> None:
    ways = [way for way in one_value_grids() if way & ~before == 0]
    settled = classic.make_settle()(before, -1)
    if settled is None:
        assert not ways
        return
    left, decided = settled
    assert _union(ways) & ~left == 0
    assert left & ~before == 0
    rows = [left & 0b111111111 << 9 * row for row in range(9)]
    assert decided == _union([row for row in rows if row & (row - 1) == 0])
    peers = layout("classic").peers
    for cell in bits(decided):
        assert not any(left >> peer & 1 for peer in peers[cell.bit_length() - 1])


@settings(max_examples=volume(60))
@given(places())
def test_the_classic_tables_say_at_least_what_the_general_engine_says(before: int) -> None:
    nine = layout("classic")
    tables = classic.make_settle()(before, -1)
    units = general.make_settle(nine, general.Left(nine))(before, -1)
    if tables is None or units is None:
        assert tables is None
        return
    assert tables[0] & ~units[0] == 0
    assert units[1] & ~tables[1] == 0


def engine_states() -> st.SearchStrategy[tuple[Layout, int]]:
    """A layout and places of one value in it."""
    return (unit_systems() | named_layouts()).flatmap(
        lambda chosen: st.tuples(st.just(chosen), st.integers(0, (1 << len(chosen)) - 1))
    )


@given(engine_states(), st.integers(0, (1 << 48) - 1))
def test_what_is_concluded_does_not_depend_on_what_was_known(
    state: tuple[Layout, int], fewer: int
) -> None:
    chosen, before = state
    settle = general.make_settle(chosen, general.Left(chosen))
    first = settle(before, -1)
    if first is None:
        return
    assert settle(first[0], first[0]) == (first[0], 0)
    after = first[0] & fewer
    at_once, in_steps = settle(after, -1), settle(after, first[0])
    assert (at_once is None) == (in_steps is None)
    if at_once is not None and in_steps is not None:
        assert at_once[0] == in_steps[0]
        assert at_once[1] == in_steps[1] | at_once[1]


@given(engine_states())
def test_where_a_value_can_be_is_what_its_places_do_not_all_see(state: tuple[Layout, int]) -> None:
    chosen, drawn = state
    cells = drawn or 1  # a set that is not empty
    members = [cell for cell in chosen.cells if cells >> cell & 1]
    expected = {
        cell for cell in chosen.cells if any(cell not in chosen.peers[other] for other in members)
    }
    left = general.Left(chosen)[cells]
    assert {cell for cell in chosen.cells if left >> cell & 1} == expected


def test_tables_that_are_full_are_emptied_and_filled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(general, "TABLE_SIZE", 3)
    board = Board.empty(layout("anti-knight+non-consecutive", 6))
    small = general.engine(board.layout)
    monkeypatch.undo()
    assert small.effects is not None
    large = general.engine(board.layout)
    assert large.effects is not None
    for cell, value in itertools.product(board.layout.cells, range(6)):
        assert small.left[1 << cell] == large.left[1 << cell]
        assert small.effects[1 << cell, value] == large.effects[1 << cell, value]
        assert small.settle(3 << cell, -1) == large.settle(3 << cell, -1)
    for table in (small.left, small.effects):
        assert isinstance(table, dict)
        assert len(table) <= 3


@pytest.mark.parametrize("n", [1, 2, 9, 15, 16, 25, 144])
def test_a_grid_is_read_from_its_places(n: int) -> None:
    grid = tuple((5 * cell) % n + 1 for cell in range(3 * n))
    sets = [sum(1 << cell for cell, v in enumerate(grid) if v == value + 1) for value in range(n)]
    assert grid_of(sets, (1 << len(grid)) - 1) == grid


@pytest.mark.parametrize("board", [Board.parse(HARD), Board.parse(LOOSE_X, "x")])
def test_a_node_limit_allows_exactly_so_many_nodes(board: Board) -> None:
    full = search(board, Request(solutions=2))
    nodes = int(full.statistics["nodes"])
    assert nodes > 1
    for limit in range(1, min(nodes, 40)):
        result = search(board, Request(solutions=2, node_limit=limit))
        if result.stop is Stop.NODES:
            assert result.statistics["nodes"] == limit
    result = search(board, Request(solutions=2, node_limit=nodes))
    assert (result.count, result.stop) == (full.count, full.stop)
    if full.stop is Stop.EXHAUSTED:
        assert search(board, Request(solutions=2, node_limit=nodes - 1)).stop is Stop.NODES


def test_only_kept_grids_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    from unidoku.backends.native.python import tree

    built = []
    real = tree.grid_of

    def counting(*arguments: tuple[object, ...]) -> object:
        built.append(arguments)
        return real(*arguments)  # type: ignore[arg-type]  # whatever it is called with

    monkeypatch.setattr(tree, "grid_of", counting)
    result = search(Board.empty(layout("classic", 4)), Request(solutions=None, keep=3))
    assert (result.count, len(result.solutions), len(built)) == (288, 3, 3)


def test_an_easy_board_takes_one_node_and_no_failure() -> None:
    board = Board.parse(
        "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
    )
    statistics = search(board, Request()).statistics
    assert (statistics["nodes"], statistics["failures"]) == (1, 0)


def test_a_clashing_board_fails_at_the_root() -> None:
    for board in (Board.parse("11.. .... .... ...."), Board.parse("11" + "." * 79)):
        statistics = search(board, Request()).statistics
        assert (statistics["nodes"], statistics["failures"]) == (1, 1)


def test_a_value_may_be_missing_where_no_unit_is_full() -> None:
    partial = Layout.from_units(3, [[0, 1]], shape=(1, 2))
    assert search(Board.empty(partial), Request(solutions=None)).count == 6


def test_it_needs_no_recursion() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(120)
    try:
        result = SOLVER.solve(Board.empty(layout("classic", 25)), node_limit=20000)
    finally:
        sys.setrecursionlimit(limit)
    assert result.count == 1


def test_the_smallest_value_is_tried_first() -> None:
    first = search(Board.empty(layout("classic", 4)), Request(solutions=1)).solutions[0]
    assert first[0] == 1


@pytest.mark.parametrize("n", [64, 144])
def test_the_largest_boards_are_solved_and_stop_in_time(n: int) -> None:
    k = {64: 8, 144: 12}[n]
    grid = [(r % k * k + r // k + c) % n + 1 for r in range(n) for c in range(n)]
    holes = {*range(n), *range(0, n * n, n)} - {0}
    opened = [0 if cell in holes else value for cell, value in enumerate(grid)]
    board = Board.from_values(layout("classic", n), opened)
    result = search(board, Request(solutions=2))
    assert result.solutions == (tuple(grid),)
    assert result.unique is True
    result = search(Board.empty(layout("latin", n)), Request(solutions=None, time_limit=0.05))
    assert result.stop is Stop.TIME


def test_engines_are_made_once_a_layout() -> None:
    from unidoku.backends.native.python import _engine

    one, again = _engine(layout("x")), _engine(layout("x"))
    assert isinstance(one, Engine)
    assert one is again
