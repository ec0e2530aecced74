"""Ends processes that a backend forks from a worker, and restores what it changes about signals.

A backend may fork. If its child does not end inside the search, but returns from it or raises, two
processes would search, read runs and answer on one pipe, and what the child does would be blamed on
other backends. So a worker notes which process it is, and every other one ends at once.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import signal

FORKED: list[int] = []
"""Not empty in a process that was forked from a worker: loops test it, which takes 20 ns."""


class Forks:
    """Remembers which process the worker is, in memory that it shares with forked processes."""

    def __init__(self) -> None:
        """Make this process the worker."""
        self._worker = os.getpid()
        self._note = mmap.mmap(-1, 1)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._mark)
        _all.append(self)

    def _mark(self) -> None:
        FORKED.append(os.getpid())

    def end_if_forked(self) -> None:
        """Leave a note for the worker and end, if this process is not the worker itself."""
        if os.getpid() != self._worker:
            self._note[0] = 1
            os._exit(1)

    def has_returned(self) -> bool:
        """Return whether a forked process has ended that way."""
        return self._note[0] == 1

    def take_return(self) -> bool:
        """Return whether a forked process has ended that way since the last call."""
        has_returned = self.has_returned()
        self._note[0] = 0
        return has_returned


_all: list[Forks] = []


def end_if_forked() -> None:
    """End this process if it was forked from a worker; do nothing if there is no worker."""
    for forks in _all:
        forks.end_if_forked()


_FIXED = {getattr(signal, name) for name in ("SIGKILL", "SIGSTOP") if hasattr(signal, name)}

_LAST = 31
"""The last signal that is not a real-time one."""


class Signals:
    """The handlers, the blocked signals and the timer of this process, as they are when it is made.

    Only handlers that Python sets are seen.
    """

    def __init__(self) -> None:
        """Note the handlers of this process; for its main thread."""
        numbers = sorted(n for n in signal.valid_signals() if n <= _LAST and n not in _FIXED)
        self._handlers = [
            (signal_number, signal.getsignal(signal_number)) for signal_number in numbers
        ]
        self._blocked = None
        if hasattr(signal, "pthread_sigmask"):
            self._blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())

    def restore(self) -> None:
        """Bring back what was noted; takes some 15 µs."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for signal_number, handler in self._handlers:
            if signal.getsignal(signal_number) is not handler:
                with contextlib.suppress(OSError, ValueError, TypeError):
                    signal.signal(signal_number, signal.SIG_DFL if handler is None else handler)
        if self._blocked is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, self._blocked)
