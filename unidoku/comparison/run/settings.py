"""How many workers, where, and how long they have."""

from __future__ import annotations

import os
from dataclasses import dataclass

from unidoku.errors import InputError

__all__ = ["ONE_THREAD", "PoolSettings"]

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), "1"
)
"""What keeps libraries from starting threads that nobody asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolSettings:
    """How many workers, and where.

    Args:
        workers: processes that measure at the same time.
        cores: of each worker. Where there are enough, each has its own, and the first core is
            left to the supervisor.
        grace: seconds that a search may overrun its time limit by before its process is ended;
            a tenth of the limit is added.
        chunk_seconds: of work that a worker is handed at once.
        pin: keep each worker to its cores; not where another pool is on the same machine, which
            would choose the same ones.

    Raises:
        InputError: a number that cannot be.
    """

    workers: int = 1
    cores: int = 1
    grace: float = 1.0
    chunk_seconds: float = 0.25
    pin: bool = True

    def __post_init__(self) -> None:
        """Refuse numbers that cannot be."""
        for name in ("workers", "cores"):
            if getattr(self, name) < 1:
                raise InputError(f"{name}: expected at least 1, got {getattr(self, name)}")

    def cores_of(self, place: int) -> frozenset[int]:
        """Return the cores of a worker; none if it is not kept to any."""
        if not self.pin or not hasattr(os, "sched_getaffinity"):
            return frozenset()
        there = sorted(os.sched_getaffinity(0))
        wanted = self.workers * self.cores
        if wanted > len(there) or len(there) == 1:
            return frozenset()
        if wanted < len(there):
            there = there[1:]
        return frozenset(there[place * self.cores : (place + 1) * self.cores])
