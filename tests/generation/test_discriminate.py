"""Boards that are hard for one backend and easy for another."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.helpers.wrong.answers import fake
from unidoku import load, solve
from unidoku.backends.base import Result, Stop
from unidoku.errors import InputError, UnknownBackendError, UnsupportedError, WrongAnswerError
from unidoku.generation import (
    Discrimination,
    Generation,
    InstanceGeneration,
    InstanceRequest,
    PuzzleRequest,
    TellingBoard,
)
from unidoku.generation import discriminate as module
from unidoku.generation.discriminate import exchanged
from unidoku.generation.ruled import RuledGeneration
from unidoku.support.deadline import Deadline

PAIR = ("norvig", "native")


def holes(seed: int = 1, **asked: Any) -> InstanceGeneration:
    usual: dict[str, Any] = {"family": "quasigroup", "n": 8, "holes": (0.5,)}
    return InstanceGeneration(request=InstanceRequest(**usual | asked), count=100, seed=seed)


def walked(run: Any, boards: int = 24, pair: tuple[str, str] = PAIR) -> list[TellingBoard]:
    walk = Discrimination(run=run, backends=pair, boards=boards)
    steps = [board for board in walk if board is not None]
    assert walk.progress.attempts == boards
    assert walk.progress.in_time
    return steps


def test_a_walk_goes_up_and_its_board_has_the_figures_when_it_is_searched_again() -> None:
    steps = walked(holes(n=12, holes=(0.45,)), 40)
    ratios = [board.ratio for board in steps]
    assert ratios == sorted(ratios)
    assert ratios[-1] > ratios[0]
    best = steps[-1]
    again = [solve(best.puzzle.board, backend=label, solutions=2) for label in PAIR]
    assert tuple(result.statistics["failures"] for result in again) == best.figures
    assert best.ratio == (best.figures[0] + 1) / (best.figures[1] + 1)


@pytest.mark.parametrize("pair", [PAIR, ("sat", "exact-cover")])
def test_a_seed_gives_the_same_board_again_and_another_one_does_not(pair: tuple[str, str]) -> None:
    first, again, other = (walked(holes(seed), 12, pair)[-1] for seed in (1, 1, 2))
    assert first == again
    assert first.puzzle.board != other.puzzle.board


def test_exchanges_keep_the_number_of_givens_and_of_solutions() -> None:
    [start] = Generation(n=6, request=PuzzleRequest(clues=(10, 10)), seed=3)
    [board] = start.boards()
    best = walked(Generation(n=6, request=PuzzleRequest(clues=(10, 10)), count=None, seed=3))[-1]
    assert sum(map(bool, best.puzzle.board.givens)) == sum(map(bool, board.givens)) == 10
    assert load("sat").solve(best.puzzle.board, solutions=2).solutions == (best.puzzle.solution,)


def test_an_exchange_moves_one_given_and_is_none_where_there_is_nothing_to_move() -> None:
    [puzzle] = InstanceGeneration(request=holes().request, seed=5)
    solver, rng = load("native"), random.Random(1)
    moved = exchanged(puzzle, solver, Deadline(), rng)
    assert moved is not None
    pairs = zip(puzzle.board.givens, moved.board.givens, strict=True)
    assert sorted(bool(new) - bool(old) for old, new in pairs if new != old) == [-1, 1]
    assert "attempt" not in moved.numbers
    [cages] = RuledGeneration(family="kenken", n=3, seed=1)
    assert exchanged(cages, solver, Deadline(), rng) is None


def test_puzzles_without_givens_are_new_ones_until_the_budget_is_used() -> None:
    best = walked(RuledGeneration(family="kenken", n=4, count=None, seed=1), 8)[-1]
    assert not any(best.puzzle.board.givens)
    assert best.puzzle.board.layout.rules


def test_backends_that_count_nothing_are_measured_in_seconds() -> None:
    silent = fake("silent", lambda _board, _request, result: replace(result, statistics={}))
    walk = Discrimination(run=Generation(n=4, count=None, seed=1), backends=PAIR, boards=2)
    vars(walk)["_solvers"] = (load("norvig"), silent)
    *_, best = walk
    assert best is not None
    assert best.measure == "seconds"
    assert best.ratio == best.figures[0] / best.figures[1] > 0
    assert str(best).endswith("not exactly repeatable")


def test_a_board_that_the_second_backend_does_not_decide_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_NODES", 1)
    walk = Discrimination(run=holes(n=12, holes=(0.42,)), backends=("native", "norvig"), boards=3)
    assert [*walk] == [None] * 3
    assert walk.progress.refused == {"not decided by norvig": 3}


def test_what_the_first_backend_did_until_its_limit_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    request = InstanceRequest(family="quasigroup", n=15, holes=(0.42,))
    run = InstanceGeneration(request=request, count=3, seed=1)
    monkeypatch.setattr(
        module,
        "limits_of",
        lambda solver, *_: {} if solver.label == "native" else {"node_limit": 5},
    )
    assert walked(run, 3)[-1].figures[0] <= 5


def test_backends_that_disagree_end_the_walk() -> None:
    liar = fake("liar", lambda *_: Result(count=0, solutions=(), stop=Stop.EXHAUSTED))
    walk = Discrimination(run=Generation(n=4, count=None), backends=PAIR, boards=2)
    vars(walk)["_solvers"] = (load("norvig"), liar)
    with pytest.raises(WrongAnswerError, match="norvig and liar find different numbers"):
        list(walk)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"backends": ("sat", "sat")}, InputError, "got 'sat' twice"),
        ({"backends": ("sat", "nativ")}, UnknownBackendError, "did you mean 'native'"),
        ({"boards": 0}, InputError, "one board or more"),
        ({"run": Generation(walk=True, request=PuzzleRequest(clues=(17, 17)))}, InputError, "walk"),
        ({"run": Generation(request=PuzzleRequest(minimal=True))}, InputError, "keep minimal"),
        ({"run": holes(holes=(3, 5))}, InputError, "one number of holes"),
    ],
)
def test_requests_that_cannot_be_met_are_refused(
    change: dict[str, Any], error: type[Exception], message: str
) -> None:
    usual: dict[str, Any] = {"run": Generation(), "backends": PAIR}
    with pytest.raises(error, match=message):
        Discrimination(**usual | change)


def test_a_backend_that_cannot_take_the_boards_says_so() -> None:
    run = holes(n=65, family="", variant="latin", holes=(), filled=(2,))
    with pytest.raises(UnsupportedError, match="up to 64 values"):
        list(Discrimination(run=run, backends=("native", "norvig"), boards=1))
