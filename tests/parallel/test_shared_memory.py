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

from unidoku.parallel.dispatch import with_memory
from unidoku.parallel.executors import executor_for
from unidoku.parallel.local_pool import LocalProcesses
from unidoku.parallel.shared_memory import SLOT, AnswerMemory, Slot, SlotAnswer, answer_into, space

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


def test_an_answer_to_a_process_that_is_gone_is_sent_as_ever() -> None:
    memory = AnswerMemory(1)
    slot = taken(memory)
    memory.close()
    assert answer_into(slot, ramp, 10)["size"] == 10


def in_place(sizes: list[int]) -> list[NDArray[np.uint8]]:
    """Return arrays that are made where they are read, as far as there is room."""
    spaces = [space(size) for size in sizes]
    found = [
        np.empty(size, np.uint8) if each is None else np.frombuffer(each, np.uint8)
        for size, each in zip(sizes, spaces, strict=True)
    ]
    for number, array in enumerate(found):
        array[:] = number + 1
    made[:] = found
    return found


made: list[NDArray[np.uint8]] = []


def test_what_is_made_in_the_slot_is_not_copied() -> None:
    memory = AnswerMemory(2)
    for slot in (taken(memory), taken(memory)):
        found = memory.read(answer_into(slot, in_place, [100, 1, 0, 4096]))
        for number, (array, there) in enumerate(zip(made, found, strict=True), 1):
            assert (there == number).all()
            array[:] = 7
            assert (there == 7).all(), "the same memory"


def test_what_is_made_elsewhere_is_copied_beside_it() -> None:
    memory = AnswerMemory(1)
    sizes = [SLOT - 1000, 2000, 500]
    found = memory.read(answer_into(taken(memory), in_place, [SLOT - 1000, 500]))
    assert [array[0] for array in found] == [1, 2]
    assert len(answer_into(taken(AnswerMemory(1)), in_place, sizes)) == 3, "too large"
    assert space(1) is None, "no answer is under way"


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
