"""`Solver.stream` with an executor: the same answers, in the same order, checked again if asked."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import unidoku
from tests.helpers.wrong import answers
from unidoku.backends.batch import BatchResult
from unidoku.backends.solving.streams import _Searching
from unidoku.errors import InputError, WrongAnswerError

LINES = ["1... ..2. .3.. ...4", "12.. .... .... 21..", "11..............", "none", "." * 16] * 5


@pytest.mark.parametrize("backend", ["native", "norvig", "sat[solver=cadical153]"])
def test_answers_are_those_of_one_process(backend: str) -> None:
    solver = unidoku.load(backend)
    with ThreadPoolExecutor(2) as executor:
        spread = [*solver.stream(LINES, chunk=4, executor=executor, recheck=True, solutions=2)]
    alone = [*solver.stream(LINES, chunk=4, solutions=2)]
    for first, other in zip(alone, spread, strict=True):
        assert first.counts.tolist() == other.counts.tolist()
        assert first.stops.tolist() == other.stops.tolist()
        assert dict(first.invalid) == dict(other.invalid)
        assert first.layout == other.layout


def test_a_solver_is_sent_as_what_makes_it() -> None:
    solver = unidoku.load("sat", solver="cadical153")
    solver.solve(LINES[0])  # has a model now, which cannot be pickled
    again = pickle.loads(pickle.dumps(solver))
    assert again.label == solver.label
    assert again.solve(LINES[0]).count == 1


def test_an_error_names_the_board_by_its_place_among_all() -> None:
    solver = answers.fake("liar", answers.wrong_grid)
    work = _Searching(solver, unidoku.layout("classic", 4), unidoku.Request(keep=1))
    stretch = unidoku.backends.solving.streams._Stretch(8, LINES[:1])
    with pytest.raises(WrongAnswerError, match="board 8: liar"):
        work(stretch)


def test_grids_are_checked_again_where_they_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoilt(self: _Searching, stretch: object) -> BatchResult:
        return BatchResult(
            counts=np.ones(2, np.int64),
            grids=np.full((2, 16), 1, np.uint8),
            stops=np.zeros(2, np.uint8),
        )

    monkeypatch.setattr(_Searching, "__call__", spoilt)
    solver = unidoku.load("norvig")
    boards = ["1... ..2. .3.. ...4"] * 2
    with ThreadPoolExecutor(1) as executor:
        assert len(list(solver.stream(boards, executor=executor))) == 1
        with pytest.raises(WrongAnswerError, match="norvig on board 0: "):
            list(solver.stream(boards, executor=executor, recheck=True))


def test_what_is_no_executor_is_refused() -> None:
    with pytest.raises(InputError, match=r"executor: expected a concurrent\.futures\.Executor"):
        unidoku.load("norvig").stream(LINES, executor="local:2")  # type: ignore[arg-type]
