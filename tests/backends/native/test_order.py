"""The order in which the engines give the grids of a board."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import unidoku
from tests.backends.native.boards import LANES
from tests.helpers.volume import volume
from unidoku import Board, Request, Stop
from unidoku.testing.strategies import boards, unit_systems

ENGINES = [LANES, *map(unidoku.load, ("native[engine=python]", "native[engine=single]"))]


@settings(max_examples=volume(15))
@given(boards(unit_systems()))
def test_all_solutions_of_a_board_come_ascending_from_each_engine(board: Board) -> None:
    for solver in ENGINES:
        result = solver.solve(board, solutions=200)
        if result.stop is Stop.EXHAUSTED:
            assert list(result.solutions) == sorted(result.solutions), solver.label


@settings(max_examples=volume(15))
@given(boards(unit_systems()), st.integers(1, 40), st.integers(0, 20))
def test_of_a_search_cut_short_the_grids_are_the_first_of_each_longer_one(
    board: Board, wanted: int, further: int
) -> None:
    for solver in ENGINES:
        longer = solver.backend.search(board, Request(solutions=wanted + further))
        for request in (
            Request(solutions=wanted),
            Request(solutions=wanted + further, keep=wanted),
        ):
            result = solver.solve(board, solutions=request.solutions, keep=request.keep)
            if result.count > len(result.solutions) or result.stop is Stop.SOLUTIONS:
                assert result.solutions == longer.solutions[:wanted], solver.label


def test_the_empty_board_gives_its_grids_alike_though_engines_find_others_first() -> None:
    board, every = Board.empty(unidoku.layout("classic", 4)), Request(solutions=None)
    assert len({solver.backend.search(board, every).solutions for solver in ENGINES}) > 1
    (given,) = {solver.search(board, every).solutions for solver in ENGINES}
    assert list(given) == sorted(given)
    assert len(given) == 288
