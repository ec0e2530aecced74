"""Work: the runs still to be handed out, in chunks that take about as long as one another."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from unidoku.comparison.plan import Run
from unidoku.comparison.record import Record

__all__ = ["Work"]

_OVERHEAD = 1e-4
"""Seconds that a run takes besides its searches, roughly."""


class Work:
    """Hands out runs; those that belong together (`Run.together`) stay so, and in order.

    Args:
        seconds: of work in a chunk.
        most: runs in a chunk, but for the rest of its last board: where the pace was wrong, a
            chunk is what one worker is left with while others have nothing to do.
    """

    def __init__(self, seconds: float, most: int) -> None:
        """Begin without runs; the pace is that of slow ones until more is known."""
        self._seconds = seconds
        self._most = most
        self._pace = 0.05  # seconds a run, as it has been of late
        self._back: deque[Run] = deque()
        self._blocks: Iterator[list[Run]] = iter(())

    def begin(self, runs: Iterable[Run]) -> None:
        """Take other runs in place of those that are left."""
        self._back.clear()
        self._blocks = (list(block) for _, block in groupby(runs, attrgetter("together")))

    def give_back(self, runs: Iterable[Run]) -> None:
        """Take runs back, to be handed out before all others."""
        self._back.extend(runs)

    def chunk(self) -> list[Run]:
        """Take whole boards until there is work enough; empty if nothing is left."""
        if self._back:
            chunk = list(self._back)
            self._back.clear()
            return chunk
        chunk = []
        while len(chunk) < self._most and len(chunk) * self._pace < self._seconds:
            block = next(self._blocks, None)
            if block is None:
                break
            chunk += block
        return chunk

    def ended(self, record: Record) -> None:
        """Learn from a record how long runs take."""
        searched = record.wall_ns * record.loops + (record.first_ns or 0)
        self._pace += 0.1 * (min(searched / 1e9 + _OVERHEAD, 10.0) - self._pace)
