"""Stopping a search in a compiled library from outside: at Ctrl-C, its time limit, or a token.

Python handles a signal between two of its own instructions, so not while the main thread is inside
a library. A thread for each search would cost as much as some searches take. So one thread handles
all searches of the process: the number of a signal arrives on its socket (`signal.set_wakeup_fd`),
and it sleeps until the earliest deadline. It asks the library to stop; the library returns, and
Python raises KeyboardInterrupt as usual. A token that is cancelled (`unidoku.support.cancel`) wakes
the thread over the same socket, and `Cancelled` is raised.

The library must release the GIL while it searches, and have a call that stops it from outside.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from unidoku.support.cancel import in_force, raise_if_cancelled
from unidoku.support.deadline import Deadline

_AGAIN = 0.02
"""Seconds until the library is asked again: a search that is being set up may miss the call."""

_POKE, _FENCE = 0, 255
"""Bytes on the thread's socket other than signals: check the deadlines; see `_Watcher.fence`."""


def stopped_from_outside(
    stop: Callable[[], object], deadline: Deadline | None = None
) -> AbstractContextManager[None]:
    """Return a context that calls ``stop``, perhaps several times, when its body has to end.

    This happens at Ctrl-C, if the body runs in the main thread, the only one to get
    KeyboardInterrupt, once the deadline has passed, and when a token that is in force is cancelled.
    After the body ``stop`` is not called any more. What it raises is reported as an exception of a
    thread, once, and it is called again.

    Args:
        stop: function that makes the library end its search soon; called from another thread.
        deadline: deadline, such as the `Budget` of the search; None for no limit.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed; raised when the context is left, even if a handler of
            the caller swallowed it, because the search was cut short and has no answer.
        Cancelled: a token was cancelled; also instead of what the body raises.
    """
    return _Watched(stop, deadline)


class _Watched:
    """A search that can be stopped, as a context manager; a class costs half of a generator."""

    __slots__ = (
        "_before",
        "_deadline",
        "_tokens",
        "_watcher",
        "has_failed",
        "in_main_thread",
        "interrupted",
        "stop",
        "until",
    )

    def __init__(self, stop: Callable[[], object], deadline: Deadline | None) -> None:
        self.stop = stop
        self._deadline = deadline
        self._tokens = in_force()
        self._watcher: _Watcher | None = None
        self._before = -1
        self.until = math.inf
        self.in_main_thread = self.interrupted = self.has_failed = False

    def __enter__(self) -> None:
        left = None if self._deadline is None else self._deadline.left
        self.in_main_thread = threading.current_thread() is threading.main_thread()
        if left is None and not self.in_main_thread and not self._tokens:
            return
        watcher = self._watcher = _Watcher.of_this_process()
        for token in self._tokens:
            token.listen(watcher.poke)
        if left is not None:
            self.until = time.perf_counter() + left
        watcher.add(self)
        if self.in_main_thread:
            sender = watcher.sender.fileno()
            self._before = signal.set_wakeup_fd(sender, warn_on_full_buffer=False)
            if self._before != sender:  # it is equal inside another search
                watcher.forward = self._before

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        watcher = self._watcher
        if watcher is None:
            return
        with watcher.lock:
            watcher.searches.remove(self)
        for token in self._tokens:
            token.forget(watcher.poke)
        if self.in_main_thread:
            signal.set_wakeup_fd(self._before)
            if kind is not None or self.interrupted:
                watcher.fence()
            if kind is None and self.interrupted:
                raise KeyboardInterrupt
        if kind is None or issubclass(kind, Exception):
            raise_if_cancelled(self._tokens)

    @property
    def has_to_end(self) -> bool:
        """Whether it has to end whatever the time is."""
        return self.interrupted or any(token.cancelled for token in self._tokens)


def _stop(search: _Watched) -> None:
    """Ask a library to stop; the thread survives a refusal, for all later searches need it."""
    try:
        search.stop()
    except Exception as error:  # noqa: BLE001 - whatever the library raises
        if not search.has_failed:
            thread = threading.current_thread()
            threading.excepthook(
                threading.ExceptHookArgs((type(error), error, error.__traceback__, thread))
            )
        search.has_failed = True


class _Watcher:
    """The thread that receives signals and checks the clock, and the searches that it watches."""

    current: _Watcher | None = None

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.lock = threading.Lock()
        self.searches: set[_Watched] = set()
        self.forward = -1  # the previous listener, such as an event loop
        self._wakes_at = math.inf
        self._fences = 0
        self.sender, self._receiver = socket.socketpair()
        self.sender.setblocking(False)
        threading.Thread(target=self._run, name="unidoku-stopping", daemon=True).start()

    @classmethod
    def of_this_process(cls) -> _Watcher:
        """Return the existing watcher, or a new one; a thread does not survive a fork."""
        if cls.current is None or cls.current.pid != os.getpid():
            cls.current = cls()
        return cls.current

    def add(self, search: _Watched) -> None:
        """Watch a search."""
        with self.lock:
            self.searches.add(search)
            if search.until < self._wakes_at or search.has_to_end:  # it may be cancelled already
                self.poke()

    def poke(self) -> None:
        """Have the thread look at the searches now."""
        self._send(_POKE)

    def fence(self) -> None:
        """Mark unread signals as late, so that they do not stop a later search."""
        with self.lock:
            self._fences += self._send(_FENCE)

    def _send(self, byte: int) -> int:
        with contextlib.suppress(BlockingIOError):
            return self.sender.send(bytes([byte]))
        return 0

    def _run(self) -> None:
        while True:
            with self.lock:
                now = time.perf_counter()
                for search in self.searches:
                    if search.has_to_end or search.until <= now:
                        _stop(search)
                again = any(search.has_to_end for search in self.searches)
                first = min((search.until for search in self.searches), default=math.inf)
                self._wakes_at = max(now if again else first, now + _AGAIN)
                forever = self._wakes_at == math.inf
            self._receiver.settimeout(None if forever else self._wakes_at - now)
            with contextlib.suppress(TimeoutError):
                self._handle(self._receiver.recv(256))

    def _handle(self, message: bytes) -> None:
        """Forward signals and record those that concern a search."""
        if self.forward >= 0 and (signals := message.translate(None, bytes([_POKE, _FENCE]))):
            with contextlib.suppress(OSError):
                os.write(self.forward, signals)
        with self.lock:
            for byte in message:
                if byte == _FENCE:
                    self._fences -= 1
                elif byte == signal.SIGINT and not self._fences:
                    for search in self.searches:
                        search.interrupted |= search.in_main_thread
