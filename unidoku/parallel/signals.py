"""Signals that end this process: what they must not leave behind, and where they have to wait."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import current_thread, main_thread
from types import FrameType

_FATAL = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Signals that end a process at once, without an exception, unless it has a handler."""


class _EndedError(BaseException):
    """A signal ends this process; raised in the body that has to be left before."""


@contextmanager
def cleaning_up_at_signals() -> Iterator[None]:
    """Have signals that would end this process at once first leave the body, by an exception.

    These are SIGTERM and SIGHUP (kill, timeout, a closed terminal): those for which the caller has
    no handler of its own, and in the main thread only.
    """
    if current_thread() is not main_thread():
        yield
        return
    got: list[int] = []

    def leave(number: int, _: object) -> None:
        if not got:
            got.append(number)
            raise _EndedError

    ours = [number for number in _FATAL if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in ours:
            signal.signal(number, leave)
        yield
    finally:
        for number in ours:
            if signal.getsignal(number) is leave:  # not one that was set in the body
                signal.signal(number, signal.SIG_DFL)
        if got:
            signal.raise_signal(got[0])


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let signals wait for the end of the body, if their handlers are functions of Python.

    A handler may raise an exception, as that of Ctrl-C does, and it does so between any two steps:
    also where a process has begun or a folder was made, and nobody knows of it yet. In other
    threads nothing has to wait, because handlers run in the main thread only.
    """
    if current_thread() is not main_thread():
        yield
        return
    got: list[tuple[int, FrameType | None]] = []

    def note(number: int, frame: FrameType | None) -> None:
        got.append((number, frame))

    handlers = {
        number: handler
        for number in (*_FATAL, signal.SIGINT)
        if callable(handler := signal.getsignal(number))
    }
    try:
        for number in handlers:
            signal.signal(number, note)
        yield
    finally:
        with ExitStack() as stack:  # each is called, also if one before it raises an exception
            for number, frame in reversed(got):
                # To asyncio, which has seen the signal, one that is raised again would be two.
                stack.callback(handlers[number], number, frame)
            for number, handler in handlers.items():
                signal.signal(number, handler)
