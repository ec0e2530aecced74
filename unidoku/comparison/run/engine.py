"""Engines: who measures runs, and how isolated they are."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from typing import Protocol

from unidoku.backends.solver import Solver
from unidoku.comparison.plan import Run
from unidoku.comparison.record import Record
from unidoku.comparison.run.bench import Measuring
from unidoku.comparison.run.settings import PoolSettings
from unidoku.errors import InputError

__all__ = ["KINDS", "Engine", "open_engine"]

KINDS = ("pool", "pebble", "inline")
"""The engines by name."""


class Engine(Protocol):
    """Measures runs."""

    def run(self, runs: Iterable[Run]) -> Iterator[Record]:
        """Yield the record of each run, as it ends; runs on one board keep their order."""

    def refresh(self) -> None:
        """Have what follows measured by new processes: whatever the old ones kept is gone.

        No runs may be under way.
        """

    def close(self) -> None:
        """End all processes that it started."""


def open_engine(
    solvers: Mapping[str, Solver],
    measuring: Measuring,
    *,
    kind: str | None = None,
    workers: int = 1,
    cores: int = 1,
    scheduler: str | None = None,
) -> AbstractContextManager[Engine]:
    """Start an engine; leaving the ``with`` ends it.

    Args:
        solvers: by the labels that runs name.
        measuring: how to measure.
        kind: ``pool``, ``pebble`` or ``inline``; the first where processes can be forked, else
            the second.
        workers: processes that measure at the same time; with a scheduler, on each node.
        cores: of each worker.
        scheduler: of a Dask cluster that carries the runs: ``tcp://host:port`` or ``local:N``.

    Raises:
        InputError: no such kind, a number that cannot be, or a scheduler that cannot be used;
            what an engine needs is not installed.
    """
    # Each engine is imported only if it is wanted: not every system can import all of them.
    if kind is None:
        kind = "pool" if hasattr(os, "fork") and sys.platform in ("linux", "darwin") else "pebble"
    settings = PoolSettings(workers=workers, cores=cores)
    if kind not in KINDS:
        raise InputError(f"engine: expected {', '.join(KINDS)}, got {kind!r}")
    if scheduler is not None:
        if kind != "pool":
            raise InputError(f"engine: a scheduler's nodes use 'pool', got {kind!r}")
        from unidoku.comparison.run.scheduler import carried

        return carried(solvers, measuring, settings, scheduler)
    if kind == "inline":
        from unidoku.comparison.run.inline import Inline

        return closing(Inline(solvers, measuring))
    if kind == "pebble":
        from unidoku.comparison.run.pebbled import Pebbled

        return closing(Pebbled(solvers, measuring, settings))
    from unidoku.comparison.run.pool import Pool

    return closing(Pool(solvers, measuring, settings))
