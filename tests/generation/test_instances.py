"""Boards for experiments: their empty cells, their numbers of solutions, their recipes."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.volume import volume
from tests.helpers.wrong.answers import fake, says_unknown, stops_at_its_nodes
from unidoku import Board, layout, load, verify
from unidoku.backends.base import Request, Stop
from unidoku.errors import InputError, TimeLimitError, WrongAnswerError
from unidoku.formats import Puzzle
from unidoku.generation import InstanceGeneration, InstanceRequest
from unidoku.generation.attempts import RefusedError, confirm
from unidoku.generation.instances.run import SolutionCounter
from unidoku.support.deadline import Deadline

SAT, NORVIG = load("sat"), load("norvig")


def boards(count: int = 1, seed: int = 1, **asked: Any) -> list[Puzzle]:
    run = InstanceGeneration(
        request=InstanceRequest(**asked), count=count, seed=seed, time_limit=60
    )
    puzzles = [*run]
    assert run.progress.in_time, run.progress
    return puzzles


def empty_cells(board: Board, kind: str) -> set[int]:
    """Return the numbers of empty cells in the units of a kind."""
    units = [unit for unit in board.layout.units if unit.kind == kind]
    return {sum(board.givens[cell] == 0 for cell in unit.cells) for unit in units}


@given(st.integers(2, 9), st.floats(0, 1), st.integers(0, 2**40))
@settings(max_examples=volume(30))
def test_a_quasigroup_with_holes_has_so_many_and_its_grid_solves_it(
    n: int, share: float, seed: int
) -> None:
    [puzzle] = boards(family="quasigroup", n=n, holes=(share,), seed=seed)
    assert puzzle.board.layout == layout("latin", n)
    assert puzzle.board.givens.count(0) == puzzle.numbers["holes"] == round(share * n * n)
    assert puzzle.solution is not None
    assert not verify(puzzle.board, puzzle.solution)


@given(st.integers(2, 9), st.floats(0, 1), st.integers(0, 2**40))
@settings(max_examples=volume(30))
def test_balanced_holes_are_as_many_in_each_row_and_column(n: int, share: float, seed: int) -> None:
    [puzzle] = boards(family="quasigroup", n=n, holes=(share,), balanced=True, seed=seed)
    [per_row] = empty_cells(puzzle.board, "row")
    assert empty_cells(puzzle.board, "column") == {per_row}
    assert abs(per_row - share * n) <= 0.5 + 1 / n


def test_balanced_holes_of_a_sudoku_are_as_many_in_each_box_too() -> None:
    [puzzle] = boards(holes=(45,), balanced=True)
    assert [empty_cells(puzzle.board, kind) for kind in ("row", "column", "box")] == [{5}] * 3


@given(st.integers(2, 9), st.floats(0, 0.6), st.integers(0, 2**40))
@settings(max_examples=volume(30))
def test_filled_cells_are_so_many_and_none_has_the_value_of_a_peer(
    n: int, share: float, seed: int
) -> None:
    [puzzle] = boards(family="qcp", n=n, filled=(share,), seed=seed)
    board = puzzle.board
    assert n * n - board.givens.count(0) == round(share * n * n)
    assert puzzle.numbers["filled_share"] == pytest.approx(round(share * n * n) / n**2, abs=1e-6)
    for cell, value in enumerate(board.givens):
        assert not value or all(board.givens[peer] != value for peer in board.layout.peers[cell])


def test_quasigroup_completion_has_boards_with_and_without_solutions() -> None:
    answers = [
        SAT.solve(board.board) for board in boards(family="qcp", n=8, filled=(0.42,), count=30)
    ]
    solved = sum(answer.count for answer in answers)
    assert 0 < solved < 30


@pytest.mark.parametrize("solutions", [0, 1, 2, 4])
@pytest.mark.parametrize(
    "asked",
    [
        {"variant": "classic", "n": 6},
        {"variant": "anti-knight", "n": 6, "holes": (26,)},
        {"variant": "latin", "n": 5, "holes": (0.6,), "balanced": True},
        {"family": "qcp", "n": 5, "filled": (0.4,)},
    ],
    ids=["classic", "holes", "balanced", "filled"],
)
def test_two_other_backends_find_as_many_solutions_as_were_requested(
    asked: dict[str, Any], solutions: int
) -> None:
    for puzzle in boards(solutions=solutions, count=3, **asked):
        assert puzzle.solutions == solutions
        for solver in (SAT, NORVIG):
            result = solver.search(puzzle.board, Request(solutions=solutions + 1))
            assert (result.count, result.stop) == (solutions, Stop.EXHAUSTED)


def test_a_board_depends_on_its_request_seed_and_attempt_only() -> None:
    both = boards(family="quasigroup", n=6, holes=(10, 0.5), count=2, seed=3)
    assert [puzzle.numbers["holes"] for puzzle in both] == [10, 10, 18, 18]
    assert both[2:] == boards(family="quasigroup", n=6, holes=(18,), count=2, seed=3)
    assert both[2:] != boards(family="quasigroup", n=6, holes=(18,), count=2, seed=4)
    assert both[3].name == "quasigroup 6, 18 holes, seed 3, attempt 1"
    assert both[3].numbers == {
        "size": 6,
        "holes": 18,
        "holes_share": 0.5,
        "filled_share": 0.5,
        "holes_scaled": pytest.approx(18 / 6**1.55, abs=1e-6),
        "seed": 3,
        "attempt": 1,
    }


def test_boards_made_on_other_processes_are_the_same() -> None:
    request = InstanceRequest(n=4, solutions=2)
    with ProcessPoolExecutor(1) as executor:
        run = InstanceGeneration(request=request, count=3, seed=5, executor=executor)
        assert [*run] == boards(n=4, solutions=2, count=3, seed=5)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "expected a number of holes, of filled cells, or of solutions, got none"),
        ({"holes": (3,), "filled": (3,)}, "holes, filled: expected one of them, got both"),
        ({"holes": (82,)}, "holes: expected a number of cells from 0 to 81, or a share from 0.0"),
        ({"filled": (1.5,)}, "filled: expected a number of cells from 0 to 81, .* got 1.5"),
        ({"holes": (float("nan"),)}, "holes: expected a number .* got nan"),
        ({"holes": (40,), "balanced": True}, "balanced: expected a multiple of 9 holes, .* got 40"),
        (
            {"solutions": 1, "balanced": True},
            "balanced: expected .*, got none; name it, such as",
        ),
        ({"solutions": -1}, "solutions: expected a number from 0 to 10000, got -1"),
        ({"solutions": 10**6}, "solutions: expected a number from 0 to 10000, got 1000000"),
        ({"variant": "jigsaw", "holes": (3,)}, "jigsaw: expected a layout with known regions"),
        ({"variant": "samurai", "holes": (9,), "balanced": True}, "a square of 81 cells, got 369"),
        ({"family": "quasigroop", "holes": (3,)}, "did you mean 'quasigroup'"),
        ({"family": "quasigroup", "filled": (3,)}, r"such as --holes 42% or, in Python, holes=\(0"),
        ({"family": "qcp", "solutions": 0}, "qcp: expected filled, the number or share of cells"),
        ({"family": "qcp", "variant": "x", "filled": (3,)}, "qcp: it has its own layout"),
    ],
)
def test_requests_that_no_board_meets_are_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        InstanceGeneration(request=InstanceRequest(**asked))


def test_less_than_one_board_is_refused() -> None:
    with pytest.raises(InputError, match="count: expected one board or more, got 0"):
        InstanceGeneration(request=InstanceRequest(solutions=1), count=0)


@pytest.mark.parametrize("seed", [-1, 1 << 63, 1.5])
def test_seeds_that_a_puzzle_file_cannot_hold_are_refused(seed: Any) -> None:
    with pytest.raises(InputError, match="seed: expected an int from 0 to 9223372036854775807"):
        InstanceGeneration(request=InstanceRequest(solutions=1), seed=seed)


def test_the_time_limit_ends_a_request_that_cannot_be_met_and_the_reasons_are_counted() -> None:
    request = InstanceRequest(n=4, holes=(1,), solutions=2)
    run = InstanceGeneration(request=request, seed=1, time_limit=0.5)
    assert [*run] == []
    assert not run.progress.in_time
    assert set(run.progress.refused) == {"with fewer solutions"}


def test_a_second_backend_that_finds_another_number_ends_the_run() -> None:
    request = InstanceRequest(n=4, solutions=1)
    wrong = "tests.helpers.wrong.answers:CountsTwo"
    run = InstanceGeneration(request=request, seed=1, cross_check=wrong)
    message = "finds 1 solution, tests.helpers.wrong.answers:CountsTwo finds 2"
    with pytest.raises(WrongAnswerError, match=message):
        next(iter(run))


def test_a_second_backend_that_does_not_decide_in_time_ends_the_run() -> None:
    board = Board.empty(layout("classic", 4))
    with pytest.raises(TimeLimitError, match="norvig finds 1 solution, slow did not decide"):
        confirm(board, 1, NORVIG, fake("slow", says_unknown), Deadline(5))
    counter = SolutionCounter(fake("stopped", stops_at_its_nodes), Deadline(5), 1)
    with pytest.raises(RefusedError, match="undecided"):
        counter.require(board.layout, board.givens)
