"""Calls in a new process, for what cannot be stopped otherwise: the process is killed.

Calls on text from elsewhere are made there too (``untrusted=True``), within limits of time and
memory that hold for all that they do, reading the text included.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from functools import wraps
from multiprocessing import Pipe
from pkgutil import resolve_name
from threading import Thread
from typing import Any, ParamSpec, TypeVar

from unidoku.errors import (
    BackendError,
    InputError,
    MemoryLimitError,
    UnidokuError,
    is_out_of_memory,
)
from unidoku.parallel.processes import (
    Connection,
    connect,
    die_with_parent,
    ending,
    interpreter,
    kill_tree,
    start,
)
from unidoku.parallel.temporary import temporary_variables
from unidoku.support.cancel import Cancel, cancellable
from unidoku.support.deadline import Deadline
from unidoku.support.language import in_language, language
from unidoku.support.memory_limit import check_memory_limit, lift_memory_limit, limit_memory
from unidoku.support.notation import named_by, notation

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
    task = pickle.dumps((call, arguments, keywords))
    with temporary_variables() as variables:
        answer, error = pickle.loads(_answer_to(task, deadline or Deadline(), variables))
    if error is not None:
        raise error
    return answer


def _answer_to(task: bytes, clock: Deadline, variables: Mapping[str, str]) -> bytes:
    """Return what `_answer` returns in a new process with these environment variables."""
    pipe, child_end = Pipe()
    with child_end:
        handle = child_end.fileno()
        command = interpreter(f"from {__name__} import main; main({handle})")
        process = start(command, handle=handle, apart=False, env=os.environ | variables)
    sending = Thread(target=_send, args=(pipe, task), daemon=True)  # it may never read a long one
    try:
        sending.start()
        has_ended = False
        while not pipe.poll(0 if has_ended else clock.pause(_LOOK)):
            if has_ended:  # what it started may keep the pipe open
                break
            clock.check("the process of the call was killed")
            has_ended = process.poll() is not None
        try:
            data = pipe.recv_bytes() if pipe.poll() else b""
        except (EOFError, OSError):
            data = b""
        if not data:
            raise BrokenExecutor(f"a process {ending(process.wait())}")
    finally:
        if process.poll() is None:
            kill_tree(process.pid)
        process.wait()
        if sending.ident is not None:
            sending.join(_LOOK)  # what the process started may keep the pipe open
        pipe.close()
    return data


def _send(pipe: Connection, task: bytes) -> None:
    with contextlib.suppress(OSError):  # the process has ended, as is seen where it is waited for
        pipe.send_bytes(task)


def main(handle: int) -> None:
    """Make the call that comes through the inherited pipe, and send its answer or its error.

    The terminal's Ctrl-C is for the process at the other end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    with connect(handle) as pipe, contextlib.suppress(EOFError, OSError):  # the other has ended
        pipe.send_bytes(_answer(pipe.recv_bytes()))


def _answer(task: bytes) -> bytes:
    """Return the pickled result of a call and None, or None and its error."""
    try:
        call, arguments, keywords = pickle.loads(task)
        return pickle.dumps((call(*arguments, **keywords), None))
    except BaseException as error:  # noqa: BLE001 - it is raised in the other process
        if not isinstance(error, UnidokuError):
            error.add_note(f"In the process of the call:\n{traceback.format_exc()}")
        try:
            answer = pickle.dumps((None, error))
            pickle.loads(answer)
        except Exception:  # noqa: BLE001 - the error cannot be sent
            return pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))
        return answer


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
            untrusted = given.pop("untrusted", False)
            if untrusted not in (True, False):
                raise InputError(f"untrusted: expected True or False, got {untrusted!r}")
            if not untrusted:
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
    limits, words = (clock.seconds, clock.started, memory), (notation(), language())
    try:
        return in_process(_limited, name, arguments, keywords, limits, words, deadline=clock)
    except BrokenExecutor as error:
        raise BackendError(f"the call on untrusted input failed: {error}") from error


def _limited(
    name: str,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    limits: tuple[float, float, int],
    words: tuple[str, str],
) -> Any:
    """Call what has this name in this process, which it may not outgrow; see `_confined`.

    Cells have the names, and texts the language, that they have in the other process. The clock of
    `time.perf_counter` is the same in all processes of a machine.
    """
    seconds, started, memory = limits
    limit_memory(memory << 20)
    remaining = Deadline(seconds * (1 - _RESERVE), started)
    remaining.check("reading untrusted input")
    try:
        with named_by(words[0]), in_language(words[1]):
            return resolve_name(name)(*arguments, **{**keywords, "time_limit": remaining.limit})
    except BaseException as error:
        if is_out_of_memory(error):
            raise MemoryLimitError(f"memory limit of {memory} MiB reached") from None
        raise
    finally:
        lift_memory_limit()  # the answer, which is no larger, has to be sent
