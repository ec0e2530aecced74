"""The distribution of work: settings of a pool, and the runs that a worker gets at once."""

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

_OVERHEAD = 1e-4
"""Approximate seconds that a run takes besides its searches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolSettings:
    """Settings of a pool: the number of workers, their cores, and their time.

    Args:
        workers: number of processes that measure at the same time.
        cores: number of cores for each worker. If there are enough, each worker has its own cores,
            and the first core is left to the supervisor.
        grace: seconds by which a search may exceed its time limit before its process is killed; a
            tenth of the limit is added.
        chunk_seconds: seconds of work that a worker gets at once.
        kind: how workers start: ``pool`` forks them from a clean process, ``spawn`` starts a new
            interpreter for each; None for the way that is safe on the system.
        pin: whether each worker is bound to its cores; False if there is another pool on the same
            machine, which would choose the same cores.

    Raises:
        InputError: there is less than one worker or core.
    """

    workers: int = 1
    cores: int = 1
    grace: float = 1.0
    chunk_seconds: float = 0.25
    kind: str | None = None
    pin: bool = True

    def __post_init__(self) -> None:
        """Raise for numbers below one."""
        for name in ("workers", "cores"):
            if getattr(self, name) < 1:
                raise InputError(f"{name}: expected at least 1, got {getattr(self, name)}")

    def cores_of(self, slot: int) -> frozenset[int]:
        """Return the cores of a worker; empty if it may use all cores."""
        if not self.pin or not hasattr(os, "sched_getaffinity"):
            return frozenset()
        available = sorted(os.sched_getaffinity(0))
        wanted = self.workers * self.cores
        if wanted > len(available) or len(available) == 1:
            return frozenset()
        if wanted < len(available):
            available = available[1:]
        return frozenset(available[slot * self.cores : (slot + 1) * self.cores])


class Chunks:
    """Hands out runs in chunks; consecutive runs on one board stay together.

    Args:
        seconds: seconds of work in a chunk.
        most: upper bound on the runs of a chunk (its last board may exceed it). It keeps one worker
            from holding all the remaining work if the estimate is wrong.
    """

    def __init__(self, seconds: float, most: int) -> None:
        self._seconds = seconds
        self._most = most
        self._pace = 0.05  # recent seconds for each run; assumed to be slow until one has ended
        self._back: deque[Run] = deque()
        self._blocks: Iterator[list[Run]] = iter(())

    def begin(self, runs: Iterable[Run]) -> None:
        """Replace the remaining runs."""
        self._back.clear()
        self._blocks = (list(block) for _, block in groupby(runs, attrgetter("together")))

    def give_back(self, runs: Iterable[Run]) -> None:
        """Take runs back, which are then handed out before all others."""
        self._back.extend(runs)

    def next(self) -> list[Run]:
        """Return the runs of whole boards until there is enough work; empty if nothing is left."""
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
        """Whether runs are so fast that a worker must get its next chunk soon."""
        return self._pace < self._seconds / 5

    def ended(self, record: Record) -> None:
        """Update the estimated duration of a run from a record."""
        timing = record.timing
        searched = timing.wall_ns * timing.loops + (timing.first_ns or 0)
        self._pace += 0.1 * (min(searched / 1e9 + _OVERHEAD, 10.0) - self._pace)
