"""Answers in memory that processes share."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from unidoku.carrying import with_memory
from unidoku.cluster import LocalProcesses, executor_for
from unidoku.memory import SLOT, AnswerMemory, Slot, SlotAnswer, answer_into

pytestmark = pytest.mark.skipif(
    not hasattr(os, "memfd_create"), reason="the system has no memory without a name"
)


def ramp(size: int) -> dict[str, Any]:
    return {"bytes": np.arange(size, dtype=np.uint8), "ints": np.arange(size), "size": size}


def taken(memory: AnswerMemory) -> Slot:
    slot = memory.take()
    assert slot is not None
    return slot


def killed_once(marker: str) -> NDArray[np.int64]:
    """Kill this process, unless a file says that this was done before; return an array."""
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return np.arange(1000)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


class Here(LocalProcesses):
    """Calls at once, as processes that share memory do."""

    def submit(
        self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any
    ) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*arguments, **keywords))
        return future


@pytest.mark.parametrize("size", [1, 7, 4096, 100_001])
def test_an_answer_comes_back_as_it_was(size: int) -> None:
    memory = AnswerMemory(2)
    for slot in (taken(memory), taken(memory)):
        answer = answer_into(slot, ramp, size)
        assert isinstance(answer, SlotAnswer)
        assert len(answer.pickled) < 1000
        found = memory.read(answer)
        assert found["size"] == size
        for name in ("bytes", "ints"):
            np.testing.assert_array_equal(found[name], ramp(size)[name])
            assert found[name].dtype == ramp(size)[name].dtype
            assert found[name].flags.aligned


def test_an_answer_without_a_place_is_sent_as_ever() -> None:
    memory = AnswerMemory(1)
    slot = taken(memory)
    assert memory.take() is None
    assert answer_into(slot, ramp, SLOT)["size"] == SLOT, "too large"
    assert answer_into(slot, str, 5) == "5", "without large parts"
    memory.close()
    assert answer_into(slot, ramp, 10)["size"] == 10, "gone"


def test_what_has_the_path_of_the_memory_later_is_not_written_to(tmp_path: Path) -> None:
    memory = AnswerMemory(1)
    slot = taken(memory)
    number = int(slot.path.rpartition("/")[2])
    memory.close()
    other = os.open(tmp_path / "other", os.O_CREAT | os.O_RDWR)
    os.dup2(other, number)
    try:
        assert answer_into(slot, ramp, 10)["size"] == 10
    finally:
        os.close(number)
        if other != number:
            os.close(other)
    assert not (tmp_path / "other").read_bytes()


def test_an_answer_lasts_until_the_next_is_asked_for() -> None:
    answers = with_memory(Here(2), ramp, range(1, 200))
    for size, answer in answers:
        np.testing.assert_array_equal(answer["ints"], np.arange(size))


@pytest.mark.processes
def test_a_process_that_is_killed_loses_no_answer(tmp_path: Path) -> None:
    with executor_for("local:1") as executor:
        answers = with_memory(executor, killed_once, [str(tmp_path / "marker")] * 9)
        assert [int(answer.sum()) for _, answer in answers] == [499_500] * 9
