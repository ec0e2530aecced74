"""Runners: they measure runs, with more or less isolation.

A `Runner` takes runs and yields records. It is a `Pool` of worker processes that are forked or
spawned, a cluster whose nodes have such pools, or `Inline`, which uses this process itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from typing import TYPE_CHECKING, Protocol

from unidoku.backends.solving.solver import Solver
from unidoku.comparison.order import Run
from unidoku.comparison.record import Record
from unidoku.comparison.run.measure import Inline, MeasurementSettings
from unidoku.errors import InputError
from unidoku.parallel.signals import cleaning_up_at_signals

if TYPE_CHECKING:
    from unidoku.comparison.run.chunks import PoolSettings

KINDS = ("pool", "spawn", "inline")
"""The runners by name: forked workers, spawned workers, none."""


class Runner(Protocol):
    """Measures runs."""

    def run(self, runs: Iterable[Run]) -> Iterator[Record]:
        """Yield the record of each run when it ends; runs on one board keep their order."""

    def refresh(self) -> None:
        """Replace the processes that measure, so that they keep no state.

        No run may be in progress.
        """

    def close(self) -> None:
        """End all processes that the runner started."""


def open_runner(
    solvers: Mapping[str, Solver],
    measuring: MeasurementSettings,
    *,
    kind: str | None = None,
    workers: int = 1,
    cores: int = 1,
    scheduler: str | None = None,
    waiting: Callable[[Run, bool, float], object] = lambda *_: None,
) -> AbstractContextManager[Runner]:
    """Start a runner; leaving the ``with`` ends it.

    Args:
        solvers: the solvers, by the labels that runs name.
        measuring: how to measure.
        kind: ``pool`` (forked workers), ``spawn`` or ``inline``; if None, ``pool`` on Linux and
            ``spawn`` elsewhere. ``pebble`` is a former name of ``spawn``.
        workers: number of processes that measure at the same time; with a scheduler, on each node.
        cores: number of cores for each worker.
        scheduler: address of a Dask cluster that runs the measurements: ``tcp://host:port`` or
            ``local:N``.
        waiting: called from time to time, by a pool of this process, while a run takes longer than
            a second: with the run, whether its backend is still being loaded, and the seconds.

    Raises:
        InputError: an unknown kind, a number below one, or a scheduler that cannot be used.
        UnsupportedError: this system cannot enforce the memory limit, or cannot fork.
    """
    kind = "spawn" if kind == "pebble" else kind
    if kind not in (None, *KINDS):
        raise InputError(f"engine: expected {', '.join(KINDS)}, got {kind!r}")
    if scheduler is not None and kind == "inline":
        raise InputError("engine: a scheduler's nodes use 'pool' or 'spawn', got 'inline'")
    if kind == "inline":
        return closing(Inline(solvers, measuring))
    # A list of commands does not need the modules that start and watch processes.
    from unidoku.comparison.run.chunks import PoolSettings

    settings = PoolSettings(workers=workers, cores=cores, kind=kind)
    if scheduler is not None:
        from unidoku.comparison.run.cluster import carried

        return carried(solvers, measuring, settings, scheduler)
    return _pool(solvers, measuring, settings, waiting)


@contextmanager
def _pool(
    solvers: Mapping[str, Solver],
    measuring: MeasurementSettings,
    settings: PoolSettings,
    waiting: Callable[[Run, bool, float], object],
) -> Iterator[Runner]:
    """Open a pool, which is closed before a signal such as SIGTERM ends this process, too."""
    from unidoku.comparison.run.pool import Pool

    with cleaning_up_at_signals(), Pool(solvers, measuring, settings, waiting=waiting) as pool:
        yield pool
