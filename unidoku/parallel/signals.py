"""Ctrl-C that waits: for what must not be left half begun, such as a cluster of processes."""

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
