"""Tasks that executors carry: answers in order, whatever becomes of the nodes."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

import unidoku
from tests.helpers.engines import all_gone
from tests.helpers.tasks import killed_once
from unidoku.errors import BackendError
from unidoku.parallel.dispatch import Carrier, in_order, on_nodes, window_of
from unidoku.parallel.executors import executor_for


def doubled(number: int) -> int:
    time.sleep(0.01 if number % 3 == 0 else 0)
    return 2 * number


class Losing(Executor):
    """Loses each task so many times."""

    def __init__(self, times: int) -> None:
        self.left: dict[Any, int] = {}
        self.times = times

    def submit(self, function: Any, /, *arguments: Any, **keywords: Any) -> Future[Any]:
        future: Future[Any] = Future()
        left = self.left.setdefault(arguments, self.times)
        self.left[arguments] = left - 1
        if left > 0:
            future.set_exception(BrokenProcessPool("gone"))
        else:
            future.set_result(function(*arguments))
        return future


def test_answers_come_in_the_order_of_the_tasks_whenever_they_are_ready() -> None:
    with ThreadPoolExecutor(4) as executor:
        answers = list(on_nodes(executor, doubled, range(50)))
    assert answers == [(number, 2 * number) for number in range(50)]


def test_a_task_that_loses_every_node_is_an_error_that_says_how() -> None:
    message = r"task 1: the node that it was on was lost 4 times, the last: BrokenProcessPool: gone"
    with pytest.raises(BackendError, match=message):
        list(in_order(Carrier(Losing(4), doubled), range(5)))


class LosingAnswers(Losing):
    """Loses the node of each task once, with its answer, while Dask hands the answer on."""

    class Answered:
        """A future of Dask whose node is lost after its answer came."""

        status = "lost"

        async def _result(self, raiseit: bool) -> int:
            return 7

    def submit(self, function: Any, /, *arguments: Any, **keywords: Any) -> Future[Any]:
        from distributed.cfexecutor import _cascade_future

        future = super().submit(function, *arguments, **keywords)
        if future.exception() is None:
            return future
        broken: Future[Any] = Future()

        async def hand_on() -> None:
            await _cascade_future(self.Answered(), broken)

        asyncio.run(hand_on())
        return broken


@pytest.mark.parametrize("executor", [Losing, LosingAnswers])
def test_a_task_whose_node_is_lost_goes_to_another_and_its_place_stays(
    executor: type[Losing],
) -> None:
    answers = list(in_order(Carrier(executor(3), doubled), range(5)))
    assert answers == [(number, 2 * number) for number in range(5)]


def not_a_number(number: int) -> int:
    raise TypeError(f"{number} is not a number")


def test_a_type_error_of_a_task_is_raised() -> None:
    with pytest.raises(TypeError, match="0 is not a number"), ThreadPoolExecutor(1) as executor:
        list(in_order(Carrier(executor, not_a_number), range(1)))


def test_no_more_tasks_are_taken_than_there_is_room_for() -> None:
    taken = []

    def tasks() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    with ThreadPoolExecutor(2) as executor:
        assert window_of(executor)() == 4
        answers = on_nodes(executor, doubled, tasks())
        next(answers)
        assert len(taken) <= 70
        answers.close()


def test_an_executor_that_does_not_tell_its_workers_gets_some_dozens_of_tasks() -> None:
    assert window_of(Losing(0))() == 64


@pytest.mark.processes
def test_a_process_that_is_killed_is_replaced_and_no_task_is_lost(
    tmp_path: os.PathLike[str], mark: str
) -> None:
    markers = [os.path.join(tmp_path, name) for name in "abc"]  # noqa: PTH118 - texts are sent
    with executor_for("local:2") as executor:
        answers = [pid for _, pid in on_nodes(executor, killed_once, markers)]
        lines = ["1... ..2. .3.. ...4"] * 5
        solver = unidoku.load("norvig")
        results = list(solver.stream(lines, chunk=2, executor=executor, recheck=True))
    assert len(answers) == 3
    assert os.getpid() not in answers
    assert [len(result) for result in results] == [2, 2, 1]
    assert all(result.solved.all() for result in results)
    assert all_gone(mark)
