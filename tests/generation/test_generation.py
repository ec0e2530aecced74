"""What `generate` promises of its puzzles."""

from __future__ import annotations

import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unidoku
from tests.helpers.volume import volume
from tests.helpers.wrong.answers import fake, says_unknown
from unidoku import Board, Layout, layout, load
from unidoku.analysis.rate import rate
from unidoku.errors import InputError, TimeLimitError, WrongAnswerError
from unidoku.generation import Generation, PuzzleRequest, generate
from unidoku.generation.maker import Maker, compared_difficulty
from unidoku.generation.oracle import Oracle, quickest
from unidoku.generation.request import SYMMETRIES, GenerationProgress, orbits
from unidoku.generation.ruled.run import RuledGeneration
from unidoku.logic import walk_through
from unidoku.logic.catalogue import LEVELS
from unidoku.support.deadline import Deadline
from unidoku.testing.strategies import named_layouts, unit_systems

NORVIG, SAT = load("norvig"), load("sat")

EVERYTHING = 9 * 9


def clues(board: Board) -> int:
    return sum(map(bool, board.givens))


def without(board: Board, cell: int) -> Board:
    values = list(board.givens)
    values[cell] = 0
    return Board.from_values(board.layout, values)


def is_strictly_minimal(board: Board) -> bool:
    given_cells = [cell for cell, value in enumerate(board.givens) if value]
    return all(SAT.solve(without(board, cell), solutions=2).count == 2 for cell in given_cells)


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant", ["classic", "x", "windoku", "x+windoku", "jigsaw", "jigsaw+x", "latin"]
)
def test_two_backends_find_one_solution_of_every_puzzle(variant: str) -> None:
    for board in generate(variant, n=6 if variant == "jigsaw+x" else 9, count=3, seed=1):
        assert SAT.solve(board, solutions=2).unique
        assert NORVIG.solve(board, solutions=2).unique


@given(unit_systems() | named_layouts(), st.integers(0, 1000))
@settings(max_examples=volume(10))
def test_any_layout_that_can_be_filled_gives_minimal_puzzles(where: Layout, seed: int) -> None:
    if not SAT.solve(Board.empty(where)).count:
        with pytest.raises(InputError, match="one without a solution"):
            list(generate(where, seed=seed))
        return
    [board] = generate(where, seed=seed, minimal=True)
    assert SAT.solve(board, solutions=2).unique
    assert is_strictly_minimal(board)


def test_rules_beyond_units_are_kept() -> None:
    for board in generate("non-consecutive", n=6, count=3, seed=1):
        assert SAT.solve(board, solutions=2).unique


def test_overlapping_grids_are_served() -> None:
    [board] = generate("samurai", n=4, seed=1)
    assert SAT.solve(board, solutions=2).unique


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_the_givens_lie_in_the_symmetry_asked_for(symmetry: str) -> None:
    for board in generate("classic", n=6, count=5, seed=2, symmetry=symmetry):
        for orbit in orbits(board.layout, symmetry):
            assert len({bool(board.givens[cell]) for cell in orbit}) == 1


def test_minimal_is_strict_with_symmetry_too() -> None:
    request = PuzzleRequest(symmetry="rotational", minimal=True)
    run = Generation(n=4, request=request, count=20, seed=1)
    boards = [board for puzzles in run for board in puzzles.boards()]
    assert len(boards) == 20
    assert all(map(is_strictly_minimal, boards))
    assert run.progress.refused["not minimal"] > 0


@pytest.mark.parametrize("asked", [30, (33, 35)])
def test_puzzles_have_as_many_clues_as_asked_for(asked: int | tuple[int, int]) -> None:
    counts = {clues(board) for board in generate(clues=asked, count=20, seed=1)}
    fewest, most = (asked, asked) if isinstance(asked, int) else asked
    assert counts == set(range(fewest, most + 1))


def test_minimal_puzzles_of_other_clue_counts_are_refused_and_counted() -> None:
    run = Generation(n=4, request=PuzzleRequest(clues=(5, 5), minimal=True), count=10, seed=1)
    boards = [board for puzzles in run for board in puzzles.boards()]
    assert {clues(board) for board in boards} == {5}
    assert all(map(is_strictly_minimal, boards))
    assert run.progress.attempts >= 10 + run.progress.refused["not 5 clues"] > 10


def test_the_same_seed_gives_the_same_puzzles_however_many() -> None:
    few = list(generate(n=6, count=20, seed=3))
    many = list(itertools.islice(generate(n=6, count=None, seed=3), 100))
    assert few == many[:20]
    assert len(set(many)) == 100
    assert few != list(generate(n=6, count=20, seed=4))


def test_threads_do_not_change_the_puzzles() -> None:
    item, two = (list(generate(n=6, count=40, seed=3, threads=k)) for k in (1, 2))
    assert item == two


def test_the_hardest_technique_is_the_one_asked_for() -> None:
    for board in generate(count=2, seed=3, difficulty="naked pair"):
        hardest = walk_through(board).hardest
        assert hardest is not None
        assert hardest.technique == "naked pair"


def test_the_rating_is_in_the_range_asked_for() -> None:
    run = Generation(seed=7, request=PuzzleRequest(rating=(2.0, 2.6), minimal=True))
    [board] = [board for puzzles in run for board in puzzles.boards()]
    assert 2.0 <= unidoku.rate(board, scale="explainer").rating <= 2.6
    assert set(run.progress.refused) >= {"rated below 2.0", "rated above 2.6"}


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_level_is_that_of_rate(level: str) -> None:
    (board,) = generate(n=6, count=1, seed=5, difficulty=level)
    assert rate(board).level == level
    others = {name: compared_difficulty(board, name) for name in LEVELS}
    at = LEVELS.index(level)
    assert others == {
        name: "harder" if LEVELS.index(name) < at else "easier" if LEVELS.index(name) > at else None
        for name in LEVELS
    }


def test_difficulty_is_told_from_both_sides() -> None:
    easy = Board.parse("1... ..2. .3.. ...4")
    assert compared_difficulty(easy, "hidden single") is None
    assert compared_difficulty(easy, "naked pair") == "easier"
    hard = Board.parse(
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
    )
    assert compared_difficulty(hard, "hidden single") == "harder"


def test_a_walk_ends_at_fewer_clues_than_digging_reaches() -> None:
    assert min(clues(board) for board in generate(count=50, seed=1)) > 20
    [board] = generate(seed=1, walk=True, clues=20, time_limit=30)
    assert clues(board) == 20
    assert SAT.solve(board, solutions=2).unique


@pytest.mark.parametrize("cross_check", [None, "sat"])
def test_a_walk_that_runs_out_of_time_gives_the_best_it_reached(cross_check: str | None) -> None:
    request = PuzzleRequest(clues=(5, 5))
    run = Generation(
        n=6, request=request, walk=True, seed=1, time_limit=0.7, cross_check=cross_check
    )
    [puzzles] = run
    assert np.count_nonzero(puzzles.cells) < 10
    assert run.progress.made == 0
    assert "at the end of its walk" in str(run.progress)


def test_the_time_limit_ends_a_run_with_what_was_reached() -> None:
    began = time.monotonic()
    run = Generation(n=6, count=None, seed=1, time_limit=0.5)
    total = sum(len(puzzles) for puzzles in run)
    assert total == run.progress.made > 0
    assert not run.progress.in_time
    assert time.monotonic() - began < 5
    with pytest.raises(TimeLimitError, match=r"0 of 5 puzzles.*not 8 clues"):
        list(generate(n=4, count=5, clues=8, minimal=True, time_limit=0.3))


def test_a_backend_that_is_wrong_is_named_with_the_board() -> None:
    with pytest.raises(WrongAnswerError, match=r"[.1-6]{36}: .*finds 1 .*CountsTwo"):
        list(generate(n=6, count=5, seed=1, cross_check="tests.helpers.wrong.answers:CountsTwo"))


def test_a_second_backend_that_does_not_decide_is_no_disagreement() -> None:
    oracle = Oracle(load("native"), layout("classic", 4), Deadline(60))
    maker = Maker(
        oracle=oracle,
        filler=oracle,
        request=PuzzleRequest(),
        progress=GenerationProgress(),
        seed=1,
        second=fake("slow", says_unknown),
    )
    with pytest.raises(TimeLimitError, match="native finds 1 solution, slow did not decide"):
        list(maker.puzzles(wanted=1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"clues": EVERYTHING + 1}, "from 8 to 81"),
        ({"clues": 7}, "from 8 to 81"),
        ({"clues": (30, 25)}, "smaller first"),
        ({"clues": 25, "n": 6, "symmetry": "rotational"}, "cannot lie in a pattern"),
        ({"symmetry": "round"}, "'round'"),
        (
            {"variant": Layout.from_units(2, [], shape=(1, 2)), "symmetry": "diagonal"},
            "no counterpart",
        ),
        ({"difficulty": "magic"}, "technique"),
        ({"rating": (2.1, 2.2)}, "no puzzle is rated 2.1-2.2; below 4.0 there are 1.0, 1.2"),
        ({"rating": (7.5, 7.0)}, "from 1.0 to 10.0, or two of them, the smaller first, got 7.5-7"),
        ({"rating": 7, "difficulty": "naked pair"}, "expected one of them, got both"),
        ({"rating": 7, "rules": ["killer"]}, "classic boards without rules"),
        ({"rating": 7, "walk": True}, "leave these out"),
        ({"variant": "oval"}, "variant"),
        ({"seed": -1}, "seed"),
        ({"count": 0}, "one puzzle or more"),
        ({"walk": True, "symmetry": "full"}, "leave these out"),
        ({"walk": True}, "no end"),
        ({"backend": "nobody"}, "nobody"),
    ],
)
def test_requests_that_cannot_be_met_are_refused(
    arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(Exception, match=message) as refusal:
        list(generate(**arguments))  # type: ignore[arg-type]  # among them what is of a wrong type
    assert isinstance(refusal.value, InputError | LookupError)


def test_puzzles_of_one_layout_share_its_regions() -> None:
    boards = list(generate("jigsaw", n=5, count=6, seed=1, per_layout=3))
    names = [board.layout for board in boards]
    assert names[0] == names[2] != names[3] == names[5]


def test_a_layout_may_be_ones_own() -> None:
    [board] = generate(layout("classic", 6), seed=1)
    assert board.layout is layout("classic", 6)


def test_the_engine_that_makes_few_puzzles_does_not_change_them() -> None:
    boards = [
        list(generate("classic", count=3, seed=1, minimal=True, backend=label))
        for label in (None, "native[engine=python]", "native[engine=single]")
    ]
    assert boards[0] == boards[1] == boards[2]
    assert quickest(layout("classic", 9), 3, None).options == {"engine": "single"}


@pytest.mark.parametrize(
    "asked",
    [
        {"n": 4, "count": 40, "minimal": True, "cross_check": "norvig"},
        {"variant": "jigsaw", "n": 4, "count": 5, "per_layout": 2},
        {"family": "kenken", "n": 3, "count": 3},
    ],
)
def test_an_executor_makes_the_puzzles_that_one_process_makes(asked: dict[str, Any]) -> None:
    alone = list(unidoku.generate(**asked, seed=5))
    with ThreadPoolExecutor(2) as executor:
        spread = list(unidoku.generate(**asked, seed=5, executor=executor))
    assert spread == alone


def test_what_becomes_of_the_attempts_is_counted_wherever_they_were_made() -> None:
    with ThreadPoolExecutor(2) as executor:
        run = Generation(n=4, count=20, seed=1, executor=executor)
        assert sum(map(len, run)) == 20
        ruled = RuledGeneration(family="kenken", n=3, count=2, seed=1, executor=executor)
        assert [puzzle.name for puzzle in ruled] == ["kenken 1", "kenken 2"]
    assert run.progress.made == 20
    assert run.progress.attempts >= 20
    assert ruled.progress.attempts == ruled.progress.made + ruled.progress.refused.total()


def test_a_time_limit_ends_what_an_executor_makes() -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(TimeLimitError, match="time limit of"):
        list(unidoku.generate(n=9, clues=17, seed=1, time_limit=0.2, executor=executor))


def test_a_walk_is_not_shared() -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(InputError, match="walk: a walk is made"):
        Generation(walk=True, time_limit=1, executor=executor)
