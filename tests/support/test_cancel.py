"""Calls that another thread cancels, or the task that awaits them."""

from __future__ import annotations

import asyncio
import functools
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

import unidoku
from unidoku import Board, Cancel, Cancelled, layout
from unidoku.backends.native.compiler.compiled_function import Program
from unidoku.backends.native.lanes import compile as compiling
from unidoku.support.cancel import in_force
from unidoku.support.deadline import Deadline, check_time_limit

PROPER = "1... ..2. .3.. ...4"

E9, E25, E49 = (Board.empty(layout("classic", n)) for n in (9, 25, 49))

SOON = 20.0
"""Seconds within which a call ends that would otherwise run for hours, on any machine."""


@contextmanager
def cancelled_after(seconds: float) -> Iterator[Cancel]:
    """Expect that the block raises Cancelled soon after its token is cancelled."""
    cancel = Cancel()
    timer = threading.Timer(seconds, cancel.cancel)
    begun = time.perf_counter()
    timer.start()
    with pytest.raises(Cancelled):
        yield cancel
    assert seconds <= time.perf_counter() - begun < SOON
    assert cancel.cancelled
    assert in_force() == ()


ENDLESS: dict[str, Callable[[Cancel], object]] = {
    "solve": lambda cancel: unidoku.solve(E9, solutions=None, keep=0, cancel=cancel),
    "count": lambda cancel: unidoku.count(E25, cancel=cancel),
    "solve_many": lambda cancel: unidoku.solve_many(
        [E9] * 3, solutions=None, keep=0, cancel=cancel, backend="norvig"
    ),
    "stream": lambda cancel: list(
        unidoku.load("norvig").stream(iter([E9] * 3), solutions=None, keep=0, cancel=cancel)
    ),
    "backbone": lambda cancel: unidoku.backbone(E25, backend="norvig", cancel=cancel),
    "true_candidates": lambda cancel: unidoku.true_candidates(E25, backend="norvig", cancel=cancel),
    "estimate_count": lambda cancel: unidoku.estimate_count(E25, cancel=cancel),
    "survey": lambda cancel: unidoku.survey(E25, time_limit=1e6, cancel=cancel),
    "generate": lambda cancel: list(unidoku.generate(count=None, cancel=cancel)),
    "explain": lambda cancel: unidoku.explain(E25, techniques="all", cancel=cancel),
    "hint": lambda cancel: unidoku.hint(E25, techniques="all", cancel=cancel),
    "rate": lambda cancel: unidoku.rate(E25, techniques="all", cancel=cancel),
    "check": lambda cancel: unidoku.check(E49, backend="norvig", cancel=cancel),
}
"""Calls that take very long, with a token."""


@pytest.mark.parametrize("call", ENDLESS.values(), ids=list(ENDLESS))
def test_a_call_ends_when_its_token_is_cancelled(call: Callable[[Cancel], object]) -> None:
    with cancelled_after(0.05) as cancel:
        call(cancel)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("engine", ["single", "lanes"])
def test_a_batch_of_a_compiled_engine_ends(engine: str, threads: int) -> None:
    solver = unidoku.load(f"native[engine={engine}]")
    boards = [E9] * (20_000 if engine == "lanes" else 2)
    solver.solve_many(boards[:1])  # compiles what is not in the cache
    with cancelled_after(0.05) as cancel:
        solver.solve_many(boards, solutions=None, keep=0, threads=threads, cancel=cancel)
    assert solver.solve_many([PROPER]).counts.tolist() == [1]


def test_a_cancelled_token_lets_no_call_begin() -> None:
    cancel = Cancel()
    cancel.cancel()
    cancel.cancel()
    for call in ENDLESS.values():
        with pytest.raises(Cancelled, match="the call was cancelled"):
            call(cancel)


def test_a_token_that_is_not_cancelled_changes_nothing(backend_name: str) -> None:
    cancel = Cancel()
    result = unidoku.solve(PROPER, solutions=2, backend=backend_name, cancel=cancel)
    assert (result.unique, cancel.cancelled, in_force()) == (True, False, ())


def test_several_calls_share_a_token() -> None:
    cancel = Cancel()
    with ThreadPoolExecutor(3) as threads:
        count = functools.partial(unidoku.count, E9, backend="norvig", cancel=cancel)
        searches = [threads.submit(count) for _ in range(3)]
        cancel.cancel()
        assert [type(search.exception(SOON)) for search in searches] == [Cancelled] * 3


def test_a_token_is_in_force_in_the_steps_of_an_iterator_and_not_between_them() -> None:
    cancel = Cancel()
    puzzles = unidoku.generate(n=4, count=None, cancel=cancel)
    for _ in range(2):
        next(puzzles)
        assert in_force() == ()
    cancel.cancel()
    with pytest.raises(Cancelled):
        next(puzzles)


def test_an_outer_token_holds_for_inner_calls_with_their_own() -> None:
    inner = Cancel()
    with cancelled_after(0.05) as outer:
        asked: Any = {"solutions": None, "keep": 0}
        list(
            unidoku.load("norvig").stream(
                (str(unidoku.solve(E9, cancel=inner, **asked)) for _ in "a"), cancel=outer
            )
        )
    assert not inner.cancelled


def test_code_of_a_kernel_is_compiled_where_it_can_be_ended(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLVM takes some seconds for it, and hears nothing meanwhile."""
    monkeypatch.setenv("UNIDOKU_CACHE", str(tmp_path))
    monkeypatch.setattr(compiling, "_kernels", {})
    with cancelled_after(0.3) as cancel:
        unidoku.count(E9, backend="native[engine=lanes]", cancel=cancel)
    assert not list(tmp_path.glob("*.o"))


def test_a_program_that_is_compiled_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = Program("time", "sleep")
    program = "import time; time.sleep(1000)"
    monkeypatch.setattr("unidoku.backends.native.compiler.compiled_function._PROGRAM", program)
    with cancelled_after(0.05) as cancel:

        @unidoku.support.cancel.cancellable
        def compiled(*, cancel: Cancel) -> bytes:
            return endless.compiled()

        compiled(cancel=cancel)


def test_a_look_at_a_clock_is_a_look_at_the_tokens_of_its_call() -> None:
    cancel = Cancel()
    seen: list[Deadline] = []

    @unidoku.support.cancel.cancellable
    def call(*, cancel: Cancel) -> None:
        seen.append(Deadline())
        check_time_limit()
        assert seen[0].pause(5) < 0.1
        cancel.cancel()
        check_time_limit()

    with pytest.raises(Cancelled):
        call(cancel=cancel)
    for glance in (lambda: seen[0].left, lambda: seen[0].limit, lambda: seen[0].passed):
        with pytest.raises(Cancelled):
            glance()
    assert Deadline().pause(5) == 5


def test_a_task_that_is_cancelled_ends_its_call() -> None:
    ended: list[str] = []

    def search() -> None:
        try:
            unidoku.count(E9, backend="norvig")
        except Cancelled:
            ended.append("cancelled")
            raise

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(unidoku.in_thread(search), 0.05)
        assert ended == ["cancelled"], "the call has ended before the task goes on"
        result = await unidoku.in_thread(unidoku.solve, PROPER, solutions=2)
        assert result.unique
        with pytest.raises(unidoku.FormatError):
            await unidoku.in_thread(unidoku.solve, "nonsense")

    asyncio.run(asyncio.wait_for(main(), SOON))


def test_a_task_whose_call_waits_for_a_thread_is_cancelled_at_once() -> None:
    freed = threading.Event()

    async def main() -> None:
        busy = [asyncio.create_task(asyncio.to_thread(freed.wait)) for _ in range(64)]
        await asyncio.sleep(0.01)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(unidoku.in_thread(unidoku.solve, PROPER), 0.05)
        freed.set()
        await asyncio.gather(*busy)

    asyncio.run(asyncio.wait_for(main(), SOON))
