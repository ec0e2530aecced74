"""Calls in a new process, for what cannot be stopped otherwise: the process is killed.

Calls on text from elsewhere are made there too (``untrusted=True``), within limits of time and
memory that hold for all that they do, reading the text included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from functools import wraps
from pkgutil import resolve_name
from typing import Any, ParamSpec, TypeVar

from unidoku.errors import BackendError, InputError, MemoryLimitError, is_out_of_memory
from unidoku.parallel.local_pool import LocalProcesses
from unidoku.support.cancel import Cancel, cancellable
from unidoku.support.deadline import Deadline
from unidoku.support.memory_limit import (
    check_memory_limit,
    lift_memory_limit,
    limit_memory,
)

P = ParamSpec("P")
T = TypeVar("T")

UNTRUSTED_TIME = 10.0
"""Default time limit of a call on untrusted input, in seconds."""

UNTRUSTED_MEMORY = 1024
"""Default memory limit of a call on untrusted input, in mebibytes."""

_LOOK = 0.5
"""Longest single wait in seconds."""

_RESERVE = 0.1
"""Share of the time limit that is left for the end of the call and its answer."""


def in_process(
    call: Callable[..., Any], /, *arguments: Any, deadline: Deadline | None = None, **keywords: Any
) -> Any:
    """Return what a call returns in a new process, which ends with the call.

    Call, arguments and answer are pickled; none of them may need the main module, which the process
    does not import. Starting the process takes some 0.2 s.

    Args:
        call: the function.
        arguments: its arguments.
        deadline: when the process is killed; by default only if the call is cancelled.
        keywords: its keyword arguments.

    Raises:
        TimeLimitError: the deadline has passed.
        Cancelled: the call was cancelled.
        BrokenExecutor: the process ended by itself.
        Exception: any exception of the call.
    """
    clock = deadline or Deadline()
    processes = LocalProcesses(1, with_main=False)
    try:
        answer = processes.submit(call, *arguments, **keywords)
        while not processes.wait_any([answer], clock.pause(_LOOK)):
            clock.check("the process of the call was killed")
        return answer.result()
    finally:
        processes.kill()


def confinable(
    refuse: Callable[[Mapping[str, Any]], object] | None = None,
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a function be cancelled, and be called in a confined process with ``untrusted=True``.

    The function must have the parameters ``cancel``, ``untrusted``, ``memory_limit`` and
    ``time_limit``.

    Args:
        refuse: function that gets the keyword arguments of a call on untrusted input, and raises
            for those that reach beyond the solvers of the catalogue.
    """

    def decorated(call: Callable[P, T]) -> Callable[P, T]:
        plain = cancellable(call)

        @wraps(call)
        def guarded(*arguments: P.args, **keywords: P.kwargs) -> T:
            given: dict[str, Any] = dict(keywords)
            memory = given.pop("memory_limit", None)
            if not given.pop("untrusted", False):
                if memory is not None:
                    raise InputError(f"memory_limit={memory!r} needs untrusted=True")
                return plain(*arguments, **keywords)
            cancel = given.pop("cancel", None)
            if refuse is not None:
                refuse(given)
            name = f"{call.__module__}:{call.__qualname__}"  # other decorators may be around it
            answer: T = _confined(name, arguments, given, memory, cancel=cancel)
            return answer

        return guarded

    return decorated


@cancellable
def _confined(
    name: str,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    memory: int | None,
    *,
    cancel: Cancel | None,
) -> Any:
    """Return what a function returns in a process of limited time and memory.

    Raises:
        UnsupportedError: this system keeps no memory limit.
        InputError: the memory limit is not a number above 0.
        TimeLimitError, MemoryLimitError: a limit was reached.
        BackendError: the process ended by itself.
    """
    memory = UNTRUSTED_MEMORY if memory is None else memory
    if type(memory) is not int or memory < 1:
        raise InputError(f"memory_limit: expected mebibytes above 0, got {memory!r}")
    check_memory_limit(memory << 20)
    clock = Deadline(keywords.get("time_limit") or UNTRUSTED_TIME)
    if clock.seconds is None:
        raise InputError("time_limit: expected seconds for a call on untrusted input, got no limit")
    limits = clock.seconds, clock.started, memory
    try:
        return in_process(_limited, name, arguments, keywords, *limits, deadline=clock)
    except BrokenExecutor as error:
        raise BackendError(f"the call on untrusted input failed: {error}") from error


def _limited(
    name: str,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    seconds: float,
    started: float,
    memory: int,
) -> Any:
    """Call what has this name in this process, which it may not outgrow; see `_confined`.

    The clock of `time.perf_counter` is the same in all processes of a machine.
    """
    limit_memory(memory << 20)
    left = Deadline(seconds * (1 - _RESERVE), started)
    left.check("reading untrusted input")
    try:
        return resolve_name(name)(*arguments, **{**keywords, "time_limit": left.limit})
    except BaseException as error:
        if is_out_of_memory(error):
            raise MemoryLimitError(f"memory limit of {memory} MiB reached") from None
        raise
    finally:
        lift_memory_limit()  # the answer, which is no larger, has to be sent
