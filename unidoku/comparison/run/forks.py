"""Ends processes that a backend forks from a worker and that return to the code that measures.

A backend may fork. If its child does not end inside the search, but returns from it or raises, two
processes would search, read runs and answer on one pipe, and what the child does would be blamed on
other backends. So a worker notes which process it is, and every other one ends at once.
"""

from __future__ import annotations

import mmap
import os

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
