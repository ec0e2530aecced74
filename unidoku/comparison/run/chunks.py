"""How work is shared out: settings of a pool, and the runs that a worker is handed at once."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from unidoku.comparison.order import Run
from unidoku.comparison.record import Record
from unidoku.errors import InputError

__all__ = ["Chunks", "PoolSettings"]

_OVERHEAD = 1e-4
"""Seconds that a run takes besides its searches, roughly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolSettings:
    """How many workers, where, and how long they have.

    Args:
        workers: processes that measure at the same time.
        cores: cores of each worker. Where there are enough, each worker has its own, and the
            first core is left to the supervisor.
        grace: seconds that a search may overrun its time limit by before its process is killed;
            a tenth of the limit is added.
        chunk_seconds: seconds of work that a worker is handed at once.
        kind: how workers start: ``pool``, forked from a clean process, or ``spawn``, each a new
            interpreter; None for the way that is safe on the system that they run on.
        pin: keep each worker to its cores; not where another pool is on the same machine, which
            would choose the same ones.

    Raises:
        InputError: fewer than one worker or core.
    """

    workers: int = 1
    cores: int = 1
    grace: float = 1.0
    chunk_seconds: float = 0.25
    kind: str | None = None
    pin: bool = True

    def __post_init__(self) -> None:
        """Refuse numbers below one."""
        for name in ("workers", "cores"):
            if getattr(self, name) < 1:
                raise InputError(f"{name}: expected at least 1, got {getattr(self, name)}")

    def cores_of(self, place: int) -> frozenset[int]:
        """Return the cores of a worker; empty if it may use all."""
        if not self.pin or not hasattr(os, "sched_getaffinity"):
            return frozenset()
        there = sorted(os.sched_getaffinity(0))
        wanted = self.workers * self.cores
        if wanted > len(there) or len(there) == 1:
            return frozenset()
        if wanted < len(there):
            there = there[1:]
        return frozenset(there[place * self.cores : (place + 1) * self.cores])


class Chunks:
    """Hands out runs in chunks; those of one board, which follow each other, stay together.

    Args:
        seconds: seconds of work in a chunk.
        most: upper bound on the runs of a chunk (its last board may exceed it). It keeps one
            worker from holding all the remaining work where the estimate is wrong.
    """

    def __init__(self, seconds: float, most: int) -> None:
        self._seconds = seconds
        self._most = most
        self._pace = 0.05  # recent seconds a run; taken to be slow until one has ended
        self._back: deque[Run] = deque()
        self._blocks: Iterator[list[Run]] = iter(())

    def begin(self, runs: Iterable[Run]) -> None:
        """Replace the runs that are left."""
        self._back.clear()
        self._blocks = (list(block) for _, block in groupby(runs, attrgetter("together")))

    def give_back(self, runs: Iterable[Run]) -> None:
        """Take runs back, to be handed out before all others."""
        self._back.extend(runs)

    def next(self) -> list[Run]:
        """Return whole boards until there is work enough; empty if nothing is left."""
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

    @property
    def quick(self) -> bool:
        """Whether runs have been so fast that it matters how soon a worker has its next chunk."""
        return self._pace < self._seconds / 5

    def ended(self, record: Record) -> None:
        """Learn from a record how long runs take."""
        timing = record.timing
        searched = timing.wall_ns * timing.loops + (timing.first_ns or 0)
        self._pace += 0.1 * (min(searched / 1e9 + _OVERHEAD, 10.0) - self._pace)
