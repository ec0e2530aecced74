"""Processes of this machine: every task gets its answer or its error, and nothing hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.helpers.engines import all_gone
from unidoku.parallel import local_pool
from unidoku.parallel.local_pool import LocalProcesses

pytestmark = pytest.mark.processes

LARGE = 5_000_000
"""Bytes that no pipe holds."""


@pytest.fixture
def two() -> Iterator[LocalProcesses]:
    """Two processes."""
    processes = LocalProcesses(2)
    yield processes
    processes.kill()


@pytest.fixture
def one() -> Iterator[LocalProcesses]:
    """One process, which does all tasks in their order."""
    processes = LocalProcesses(1)
    yield processes
    processes.kill()


def reversed_bytes(data: bytes) -> bytes:
    return data[::-1]


def zeros(size: int, _: bytes = b"") -> bytes:
    return bytes(size)


def pid_after(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def leave(code: int) -> NoReturn:
    os._exit(code)


def leave_a_child(path: str) -> NoReturn:
    """End this process, and leave a copy of it with an open pipe."""
    if not os.fork():
        Path(path).write_text(str(os.getpid()))
        time.sleep(600)
    while not Path(path).exists() or not Path(path).read_text():
        time.sleep(0.01)
    os._exit(3)


class UnsendableError(Exception):
    """Cannot be pickled."""

    def __reduce__(self) -> NoReturn:
        raise TypeError("not to be sent")


class UnreadableError(Exception):
    """Cannot be made again."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail(kind: str) -> NoReturn:
    if kind == "unsendable":
        raise UnsendableError("a reason")
    if kind == "unreadable":
        raise UnreadableError(1, 2)
    if kind == "exit":
        raise SystemExit(4)
    raise ValueError(kind)


def generator() -> Any:
    return (number for number in range(3))


class Unreadable:
    """Cannot be unpickled."""

    def __reduce__(self) -> Any:
        return int, ("no number",)


def test_tasks_and_answers_that_fill_the_pipe_do_not_wait_for_each_other(
    one: LocalProcesses, two: LocalProcesses
) -> None:
    data = b"0123456789" * (LARGE // 10)
    for executor in (one, two):
        large = [executor.submit(reversed_bytes, data) for _ in range(5)]
        assert all(future.result() == data[::-1] for future in large)
        mixed = [executor.submit(zeros, LARGE, data[: k % 2 * LARGE]) for k in range(8)]
        assert [len(future.result()) for future in mixed] == [LARGE] * 8


def test_there_is_no_thread_in_this_process(two: LocalProcesses) -> None:
    before = threading.active_count()
    assert list(two.map(abs, range(-9, 0))) == list(range(9, 0, -1))
    assert threading.active_count() == before


def test_tasks_are_shared_among_all_processes(two: LocalProcesses) -> None:
    futures = [two.submit(pid_after, 0.2) for _ in range(4)]
    pids = [future.result() for future in futures]
    assert len(set(pids)) == 2
    assert os.getpid() not in pids


def test_any_future_that_is_done_ends_the_wait(two: LocalProcesses) -> None:
    slow, quick = two.submit(pid_after, 600), two.submit(pid_after, 0)
    assert two.wait_any([slow, quick]) == [quick]
    assert two.wait_any([slow], 0) == []
    with pytest.raises(TimeoutError):
        slow.result(timeout=0.01)
    with pytest.raises(TimeoutError):
        slow.exception(timeout=0)


@pytest.mark.parametrize(
    ("kind", "error", "said"),
    [
        ("usual", ValueError, "usual"),
        ("unsendable", RuntimeError, "UnsendableError: a reason"),
        ("unreadable", RuntimeError, "UnreadableError: 1 and 2"),
        ("exit", SystemExit, "4"),
    ],
)
def test_an_error_comes_back_with_its_place(
    one: LocalProcesses, kind: str, error: type[BaseException], said: str
) -> None:
    raised = one.submit(fail, kind).exception()
    assert type(raised) is error
    assert str(raised) == said
    assert "in fail" in str(raised.__cause__)
    assert one.submit(abs, -1).result() == 1, "the process goes on"


def test_what_cannot_be_sent_is_an_error_of_its_future_alone(one: LocalProcesses) -> None:
    with pytest.raises(AttributeError):
        one.submit(lambda: 1).result()
    with pytest.raises(TypeError, match="generator"):
        one.submit(generator).result()
    with pytest.raises(ValueError, match="no number"):
        one.submit(Unreadable).result()
    with pytest.raises(ValueError, match="no number"):
        one.submit(abs, Unreadable()).result()
    assert one.submit(abs, -1).result() == 1


def test_a_process_that_ends_fails_its_tasks_and_another_takes_its_place(
    two: LocalProcesses,
) -> None:
    first, other = two.submit(pid_after, 0.5), two.submit(pid_after, 0.5)
    pids = {first.result(), other.result()}
    bad, good = two.submit(leave, 3), two.submit(pid_after, 0.5)
    with pytest.raises(BrokenExecutor, match=r"^a process exited with code 3$"):
        bad.result()
    assert good.result() in pids
    now = {future.result() for future in [two.submit(pid_after, 0.5) for _ in range(2)]}
    assert len(now) == 2
    assert len(now & pids) == 1
    os.kill((now & pids).pop(), signal.SIGKILL)
    errors = [future.exception() for future in [two.submit(pid_after, 0.5) for _ in range(2)]]
    assert sorted(map(str, errors)) == ["None", "a process was ended by SIGKILL"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_process_whose_child_keeps_its_pipe_is_missed(
    one: LocalProcesses, tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    try:
        with pytest.raises(BrokenExecutor, match="exited with code 3"):
            one.submit(leave_a_child, str(note)).result()
    finally:
        os.kill(int(note.read_text()), signal.SIGKILL)


def test_an_interrupt_between_two_bytes_costs_one_process(
    one: LocalProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    before = one.submit(pid_after, 0).result()
    future = one.submit(pid_after, 0)
    with monkeypatch.context() as patch:
        patch.setattr(local_pool._Worker, "receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            future.result()
    with pytest.raises(BrokenExecutor):
        future.result()
    assert one.submit(pid_after, 0).result() != before


def test_tasks_that_wait_can_be_cancelled_and_the_others_are_waited_for(
    one: LocalProcesses,
) -> None:
    futures: list[Future[int]] = [one.submit(pid_after, 0.2) for _ in range(4)]
    assert [future.cancel() for future in futures] == [False, False, True, True]
    one.shutdown()
    assert futures[0].result() == futures[1].result()
    with pytest.raises(RuntimeError, match="shut down"):
        one.submit(abs, 1)


def test_a_search_that_nobody_waits_for_is_killed(two: LocalProcesses, mark: str) -> None:
    two.submit(pid_after, 600)
    two.end()
    assert all_gone(mark)


def test_a_program_that_ends_none_of_its_processes_ends(root: Path, mark: str) -> None:
    program = (
        "import time\n"
        "from unidoku.parallel.local_pool import LocalProcesses\n"
        "if __name__ == '__main__':\n"
        "    processes = LocalProcesses(2)\n"
        "    processes.submit(time.sleep, 600)\n"
        "    print(processes.submit(abs, -1).result())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=root, check=True
    )
    assert ran.stdout == "1\n"
    assert not ran.stderr
    assert all_gone(mark)
