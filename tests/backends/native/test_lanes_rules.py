from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unidoku
from tests.backends.native.boards import LANES
from tests.backends.native.shaped import Shaped, holds, shaped_layouts
from tests.helpers.volume import SOAK, volume
from unidoku import Board, Layout, Request, Stop, layout
from unidoku.backends.batch import BatchBackend
from unidoku.backends.native.choice import lanes_lack
from unidoku.backends.native.lanes.compile import kernel
from unidoku.backends.native.lanes.rules import Op, has_program, program_of
from unidoku.backends.native.lanes.workspace import Clock
from unidoku.core.constraints.primitives import Or, SameValues, Sum
from unidoku.core.rules import (
    Arrow,
    Greater,
    Killer,
    NonConsecutive,
    Ratio,
    Rule,
    Sandwich,
    Skyscraper,
    SumOfCells,
    Thermo,
    Whispers,
)
from unidoku.errors import UnsupportedError
from unidoku.testing.strategies import boards, cages, ruled_layouts, unit_systems

SINGLE = unidoku.load("native[engine=single]")
PYTHON = unidoku.load("native[engine=python]")
NATIVE = cast(BatchBackend, LANES.backend)
WIDE = 16
"""Values that the lanes of 16 bits hold; the search for wider ones is compiled where SOAK is."""


@settings(max_examples=volume(60))
@given(chosen=shaped_layouts().filter(lambda one: SOAK or one.n <= WIDE))
def test_of_full_grids_the_lanes_take_those_that_keep_all_rules(chosen: Layout) -> None:
    plain = Layout.from_units(chosen.n, [], shape=(1, len(chosen)), rules=chosen.rules)
    if lanes_lack(plain):
        return
    constraints = [rule.constraint for rule in chosen.rules if isinstance(rule, Shaped)]
    grids = list(itertools.product(range(1, chosen.n + 1), repeat=len(chosen)))
    result = LANES.solve_many(np.array(grids, np.uint8), layout=plain)
    kept = [all(holds(constraint, grid) for constraint in constraints) for grid in grids]
    assert result.counts.tolist() == kept


@settings(max_examples=volume(40))
@given(boards(ruled_layouts() | cages() | unit_systems()), st.sampled_from((8, 16, None)))
def test_random_boards_have_the_solutions_that_the_python_engine_finds(
    board: Board, lanes: int | None
) -> None:
    label = "native[engine=lanes]" if lanes is None else f"native[engine=lanes,lanes={lanes}]"
    solver = unidoku.load(label)
    try:
        mine = solver.solve(board, solutions=50)
    except UnsupportedError as error:
        # Nothing else is refused here.
        assert re.search("alternatives|connected regions", str(error))  # noqa: PT017 - as above
        return
    theirs = PYTHON.solve(board, solutions=50)
    assert (mine.count, mine.stop) == (theirs.count, theirs.stop)
    if mine.stop is Stop.EXHAUSTED:
        assert set(mine.solutions) == set(theirs.solutions)


def ruled(*rules: Rule, variant: str = "classic") -> Layout:
    """A layout with these rules besides its own."""
    one = layout(variant)
    return replace(one, rules=(*one.rules, *rules))


GRID = tuple(map(int, PYTHON.solve("1" + "." * 80).solutions[0]))
DIAGONAL = tuple(range(0, 81, 10))
LINE = (0, 10, 20, 30, 40)
FAMILIES: dict[str, tuple[Rule, ...]] = {
    "thermo": (Thermo(tuple(sorted((0, 9, 18, 27), key=GRID.__getitem__))),),
    "whisper": (Whispers((0, 1), abs(GRID[0] - GRID[1])), Whispers((0, 1, 2), 1)),
    "ratio": (Ratio(((GRID.index(4), GRID.index(8)),), 2),),
    "greater": (Greater(tuple((b, a) for a in range(8) for b in range(a) if GRID[b] > GRID[a])),),
    "killer": (Killer((0, 1, 2), sum(GRID[:3])), Killer((3, 4, 5, 12), GRID[12] + sum(GRID[3:6]))),
    "sum": (SumOfCells(LINE, sum(GRID[cell] for cell in LINE)),),
    "arrow": (Arrow((GRID.index(9),), (GRID.index(4), GRID.index(5))),),
    "sandwich": (
        Sandwich(
            tuple(range(9)),
            sum(GRID[min(GRID.index(1), GRID.index(9)) + 1 : max(GRID.index(1), GRID.index(9))]),
        ),
    ),
    "skyscraper": (
        Skyscraper(tuple(range(9)), sum(GRID[at] > max(GRID[:at], default=0) for at in range(9))),
    ),
}


@pytest.fixture(params=FAMILIES)
def family(request: pytest.FixtureRequest) -> tuple[Layout, list[Board]]:
    """A layout with rules that a grid keeps, and boards of it with some cells of the grid."""
    one = ruled(*FAMILIES[request.param])
    chance = np.random.default_rng(1)
    givens = [np.where(chance.random(81) < share / 24, GRID, 0).tolist() for share in range(6, 14)]
    return one, [Board.from_values(one, values) for values in givens * 6]


def test_a_batch_is_decided_as_its_boards_are_one_by_one(
    family: tuple[Layout, list[Board]],
) -> None:
    one, several = family
    cells = np.array([board.givens for board in several], np.uint8)
    for request in (Request(solutions=2), Request(solutions=40, node_limit=9)):
        alone = [LANES.backend.search(board, request) for board in several[:8]] * 6
        for threads in (1, 3):
            batch = NATIVE.search_many(one, cells, replace(request, keep=1, threads=threads))
            assert batch.counts.tolist() == [found.count for found in alone]
            firsts = [(*found.solutions, (0,) * 81)[0] for found in alone]
            assert batch.grids.tolist() == [list(grid) for grid in firsts]
    theirs = SINGLE.solve_many(several[:8], solutions=40)
    assert LANES.solve_many(several[:8], solutions=40).counts.tolist() == theirs.counts.tolist()


@pytest.mark.parametrize("node_limit", [1, 2, 7, 60])
def test_a_node_limit_is_kept_exactly_with_rules(node_limit: int) -> None:
    board = Board.empty(ruled(*FAMILIES["thermo"]))
    result = LANES.solve(board, solutions=1000, node_limit=node_limit)
    assert result.statistics["nodes"] == node_limit
    assert result.stop is Stop.NODES
    longer = LANES.solve(board, solutions=1000, node_limit=2 * node_limit)
    assert result.solutions == longer.solutions[: result.count]


def test_the_grids_of_a_ruled_board_come_alike_in_any_number_of_lanes() -> None:
    board = Board.empty(ruled(*FAMILIES["killer"], *FAMILIES["sandwich"]))
    found = {
        unidoku.load(f"native[engine=lanes,lanes={lanes}]").solve(board, solutions=60).solutions
        for lanes in (8, 16, 32)
    }
    assert len(found) == 1


def test_a_time_limit_ends_a_search_with_rules() -> None:
    board = Board.empty(ruled(*FAMILIES["sum"]))
    result = LANES.solve(board, solutions=None, keep=1, time_limit=0.05)
    assert result.stop is Stop.TIME
    assert len(result.solutions) == 1


def test_the_clock_is_looked_at_sooner_where_a_round_has_a_long_program() -> None:
    plain, long = (
        Clock(1.0, 1, kernel(one).work).rounds
        for one in (layout("classic"), ruled(*FAMILIES["sandwich"]))
    )
    assert 1 <= long < plain / 3
    assert Clock(1.0, 1, 10**6).rounds == 1


def test_layouts_of_the_same_units_share_what_is_compiled() -> None:
    plain, one, other = (
        kernel(made)
        for made in (layout("classic"), ruled(*FAMILIES["thermo"]), ruled(*FAMILIES["killer"]))
    )
    assert plain.rules is None
    assert one.addresses["round"] == other.addresses["round"] == plain.addresses["round"]
    assert one.addresses["rules"] == other.addresses["rules"]


def test_what_holds_of_all_neighbours_is_compiled_and_what_does_not_is_a_program() -> None:
    everywhere = layout("non-consecutive")
    assert not has_program(everywhere)
    assert program_of(everywhere, 64) is None
    both = ruled(*FAMILIES["thermo"], variant="non-consecutive")
    program = program_of(both, 64)
    assert program is not None
    assert program.numbers[0] in (Op.UP, Op.DOWN)
    assert kernel(both).addresses["round"] == kernel(everywhere).addresses["round"]
    somewhere = ruled(NonConsecutive(((0, 1),)))
    assert has_program(somewhere)
    assert kernel(somewhere).addresses["round"] == kernel(layout("classic")).addresses["round"]


EITHER = Or(tuple((Sum(cells, (1,) * 9, 12, 30),) for cells in (tuple(range(0, 81, 9)), DIAGONAL)))


@pytest.mark.parametrize(
    ("constraint", "reason"),
    [
        (EITHER, "does not support alternatives"),
        (
            Sum((0, 40, 80), (1000, 101, -10), 1500, 3000),
            "supports sums of up to 8,191, those of 'shaped' reach 9,999",
        ),
        (SameValues(tuple(range(40)), tuple(range(40, 80))), "supports rules of up to 100,000"),
    ],
)
def test_rules_for_which_there_is_no_program_are_refused_with_the_reason(
    constraint: Or | Sum | SameValues, reason: str
) -> None:
    one = ruled(Shaped(constraint))
    assert (lanes_lack(one) or "").startswith(reason)
    with pytest.raises(UnsupportedError, match=reason):
        LANES.solve(Board.empty(one))
    batch = unidoku.load("native").solve_many([Board.empty(one)] * 2, node_limit=1)
    assert batch.statistics["nodes"] == 2


def test_a_batch_with_rules_goes_to_the_lanes_and_a_single_board_does_not() -> None:
    one = ruled(*FAMILIES["arrow"])
    native = unidoku.load("native")
    batch = native.solve_many(np.zeros((2500, 81), np.uint8), layout=one)
    assert "lanes" in batch.statistics
    assert batch.solved.all()
    assert "lanes" not in native.solve(Board.empty(one)).statistics
