"""Ctrl-C that waits for what must not be left half begun, and Ctrl-C that a program may catch."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupt_deferred() -> Iterator[None]:
    """Let Ctrl-C wait for the end of a ``with``, and never reach the processes that it starts.

    Only the main thread hears signals; in another one this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = False

    def remember(*_: object) -> None:
        nonlocal heard
        heard = True

    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, remember)
    blocked = None
    if hasattr(signal, "pthread_sigmask"):  # which processes and threads inherit; not on Windows
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if blocked is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        signal.signal(signal.SIGINT, before)
        if heard:
            signal.raise_signal(signal.SIGINT)


def forget_interrupted_exec() -> None:
    """Let the process end with its own exit code if it catches the present KeyboardInterrupt.

    Once KeyboardInterrupt has left an ``exec`` or ``eval`` of a text, Python ends the process with
    the signal, even if the exception is caught and the program returns normally. Dataclasses and
    named tuples are made by such an ``exec``, so this can happen in any import. The next ``exec``
    that succeeds clears the mark (``unhandled_keyboard_interrupt`` in pythonrun.c of CPython).
    """
    exec("")
