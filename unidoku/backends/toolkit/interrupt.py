"""Ctrl-C during a search in a compiled library.

Python hears a signal between two of its own instructions, and so not while the main thread is
inside a library. Here a thread hears it: the signal's number arrives on a socket
(`signal.set_wakeup_fd`), and the thread asks the library to stop. The library returns, and
Python raises KeyboardInterrupt in the main thread as ever. A search pays some three microseconds,
where a thread of its own would cost it some hundred.

The library must release the GIL while it searches, and have a call that stops it from outside.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable

__all__ = ["stopped_by_ctrl_c"]

_AGAIN = 0.02
"""Seconds until the library is asked again: a search that is being set up may not have heard."""


class stopped_by_ctrl_c:  # noqa: N801 - it reads as what it does: with stopped_by_ctrl_c(stop)
    """Call ``stop``, maybe several times, if Ctrl-C comes while the body of the ``with`` runs.

    Outside the main thread, which alone gets KeyboardInterrupt, it does nothing.

    Args:
        stop: makes the library end its search soon; called from another thread.

    Raises:
        KeyboardInterrupt: Ctrl-C came. Also where a handler of the caller's swallowed it: the
            search was cut short and has no answer.
    """

    __slots__ = ("_before", "_listener", "_stop")

    def __init__(self, stop: Callable[[], object]) -> None:
        """Remember what to call."""
        self._stop = stop
        self._listener: _Listener | None = None

    def __enter__(self) -> None:
        """Have signals told to the listener."""
        if threading.current_thread() is not threading.main_thread():
            return
        listener = self._listener = _Listener.of_this_process()
        descriptor = listener.mouth.fileno()
        self._before = signal.set_wakeup_fd(descriptor, warn_on_full_buffer=False)
        listener.forward = self._before
        listener.stop = self._stop

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Have signals told to whom they were told before."""
        listener = self._listener
        if listener is None:
            return
        with listener.lock:
            listener.stop = None
        signal.set_wakeup_fd(self._before)
        if kind is not None or listener.heard:
            # It may not have read all: what it would hear late must not stop a later search.
            listener.retire()
        if kind is None and listener.heard:
            raise KeyboardInterrupt


class _Listener:
    """The thread that hears signals, and what it is to call."""

    current: _Listener | None = None

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.lock = threading.Lock()
        self.stop: Callable[[], object] | None = None
        self.heard = False
        self.forward = -1  # who listened before, such as an event loop
        self.mouth, self._ear = socket.socketpair()
        self.mouth.setblocking(False)
        threading.Thread(target=self._listen, name="unidoku-ctrl-c", daemon=True).start()

    @classmethod
    def of_this_process(cls) -> _Listener:
        """Return the one there is, or a new one; a thread does not survive a fork."""
        if cls.current is None or cls.current.pid != os.getpid():
            cls.current = cls()
        return cls.current

    def retire(self) -> None:
        """Let the thread end, once it has read what came."""
        _Listener.current = None
        self.mouth.close()

    def _listen(self) -> None:
        while signals := self._ear.recv(256):  # none is left once the other end is closed
            if self.forward >= 0:
                with contextlib.suppress(OSError):
                    os.write(self.forward, signals)
            if signal.SIGINT in signals:
                self._stop_search()
        self._ear.close()

    def _stop_search(self) -> None:
        """Ask for as long as there is a search to be stopped."""
        while True:
            with self.lock:
                if self.stop is None:
                    return
                self.heard = True
                self.stop()
            time.sleep(_AGAIN)
