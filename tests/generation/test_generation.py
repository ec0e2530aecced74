"""What `generate` promises of its puzzles."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.volume import volume
from unidoku import Board, Layout, layout, load
from unidoku.errors import InputError, TimeLimitError, WrongAnswerError
from unidoku.generation import SYMMETRIES, Generation, Wish, generate
from unidoku.generation.difficulty import difference
from unidoku.generation.pattern import orbits
from unidoku.logic import explain
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
        with pytest.raises(InputError, match="no grid"):
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
    wish = Wish(symmetry="rotational", minimal=True)
    run = Generation(n=4, wish=wish, wanted=20, seed=1)
    boards = [board for puzzles in run for board in puzzles.boards()]
    assert len(boards) == 20
    assert all(map(is_strictly_minimal, boards))
    assert run.tally.refused["not minimal"] > 0


@pytest.mark.parametrize("wished", [30, (33, 35)])
def test_puzzles_have_as_many_clues_as_wished(wished: int | tuple[int, int]) -> None:
    counts = {clues(board) for board in generate(clues=wished, count=20, seed=1)}
    fewest, most = (wished, wished) if isinstance(wished, int) else wished
    assert counts == set(range(fewest, most + 1))


def test_minimal_puzzles_of_other_clue_counts_are_refused_and_counted() -> None:
    run = Generation(n=4, wish=Wish(clues=(5, 5), minimal=True), wanted=10, seed=1)
    boards = [board for puzzles in run for board in puzzles.boards()]
    assert {clues(board) for board in boards} == {5}
    assert all(map(is_strictly_minimal, boards))
    assert run.tally.attempts >= 10 + run.tally.refused["not 5 clues"] > 10


def test_the_same_seed_gives_the_same_puzzles_however_many() -> None:
    few = list(generate(n=6, count=20, seed=3))
    many = list(itertools.islice(generate(n=6, count=None, seed=3), 100))
    assert few == many[:20]
    assert len(set(many)) == 100
    assert few != list(generate(n=6, count=20, seed=4))


def test_threads_do_not_change_the_puzzles() -> None:
    one, two = (list(generate(n=6, count=40, seed=3, threads=k)) for k in (1, 2))
    assert one == two


def test_the_hardest_technique_is_the_one_wished() -> None:
    for board in generate(count=2, seed=3, difficulty="naked pair"):
        hardest = explain(board).hardest
        assert hardest is not None
        assert hardest.technique == "naked pair"


def test_difficulty_is_told_from_both_sides() -> None:
    easy = Board.parse("1... ..2. .3.. ...4")
    assert difference(easy, "hidden single") is None
    assert difference(easy, "naked pair") == "easier"
    hard = Board.parse(
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
    )
    assert difference(hard, "hidden single") == "harder"


def test_a_walk_ends_at_fewer_clues_than_digging_reaches() -> None:
    assert min(clues(board) for board in generate(count=50, seed=1)) > 20
    [board] = generate(seed=1, walk=True, clues=20, time_limit=30)
    assert clues(board) == 20
    assert SAT.solve(board, solutions=2).unique


def test_a_walk_that_runs_out_of_time_gives_the_best_it_reached() -> None:
    run = Generation(n=6, wish=Wish(clues=(5, 5)), walk=True, seed=1, time_limit=1.0)
    [puzzles] = run
    assert np.count_nonzero(puzzles.cells) < 10
    assert run.tally.made == 0
    assert "at the end of its walk" in str(run.tally)


def test_the_time_limit_ends_a_run_with_what_was_reached() -> None:
    began = time.monotonic()
    run = Generation(n=6, wanted=None, seed=1, time_limit=0.5)
    made = sum(len(puzzles) for puzzles in run)
    assert made == run.tally.made > 0
    assert not run.tally.in_time
    assert time.monotonic() - began < 5
    with pytest.raises(TimeLimitError, match=r"0 of 5 puzzles.*not 8 clues"):
        list(generate(n=4, count=5, clues=8, minimal=True, time_limit=0.3))


def test_a_backend_that_is_wrong_is_named_with_the_board() -> None:
    with pytest.raises(WrongAnswerError, match=r"[.1-6]{36}: .*finds 1 .*CountsTwo"):
        list(generate(n=6, count=5, seed=1, second="tests.wrong.fakes:CountsTwo"))


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"clues": EVERYTHING + 1}, "from 8 to 81"),
        ({"clues": 7}, "from 8 to 81"),
        ({"clues": (30, 25)}, "smaller first"),
        ({"clues": 25, "n": 6, "symmetry": "rotational"}, "cannot lie in a pattern"),
        ({"symmetry": "round"}, "'round'"),
        ({"variant": Layout.from_units(2, [], shape=(1, 2)), "symmetry": "diagonal"}, "no mate"),
        ({"difficulty": "magic"}, "technique"),
        ({"variant": "oval"}, "variant"),
        ({"seed": -1}, "seed"),
        ({"count": 0}, "one puzzle or more"),
        ({"walk": True, "symmetry": "full"}, "drop them"),
        ({"walk": True}, "no end"),
        ({"backend": "nobody"}, "nobody"),
    ],
)
def test_wishes_that_cannot_be_are_refused(wish: dict[str, object], told: str) -> None:
    with pytest.raises(Exception, match=told) as refusal:
        list(generate(**wish))  # type: ignore[arg-type]  # among them what is of a wrong type
    assert isinstance(refusal.value, InputError | LookupError)


def test_puzzles_of_one_layout_share_its_regions() -> None:
    boards = list(generate("jigsaw", n=5, count=6, seed=1, per_layout=3))
    names = [board.layout for board in boards]
    assert names[0] == names[2] != names[3] == names[5]


def test_a_layout_may_be_ones_own() -> None:
    [board] = generate(layout("classic", 6), seed=1)
    assert board.layout is layout("classic", 6)
