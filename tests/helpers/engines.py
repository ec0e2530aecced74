"""What the tests of runners share: boards, faults by label, and the processes of one test."""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial

import psutil

from unidoku import Board, Request, load
from unidoku.backends.solving.solver import Solver
from unidoku.comparison.cases import Case
from unidoku.comparison.record import Record
from unidoku.comparison.run.chunks import PoolSettings
from unidoku.comparison.run.measure import MeasurementSettings
from unidoku.comparison.run.pool import Pool

MARK = "UNIDOKU_TEST_MARK"
"""The environment variable by which a test finds the processes that it began."""

LIMIT = 0.3
GRACE = 0.2

# The first cell of the last is given as 1, which is what brings the faults out.
GOOD = [Board.parse("2.............4."), Board.parse(".1..........3...")]
BAD = Board.parse("1...............")


def _pool(
    kind: str,
    solvers: Mapping[str, Solver],
    measuring: MeasurementSettings,
    settings: PoolSettings | None = None,
) -> Pool:
    return Pool(solvers, measuring, replace(settings or PoolSettings(), kind=kind))


KINDS: dict[str, Callable[..., Pool]] = {kind: partial(_pool, kind) for kind in ("pool", "spawn")}
"""Pools by how their workers start."""


def label(name: str) -> str:
    return f"tests.helpers.wrong.processes:{name}"


def cases_of(*boards: Board) -> list[Case]:
    return [Case(board=board, name=str(k), source="test") for k, board in enumerate(boards)]


CASES = cases_of(GOOD[0], BAD, GOOD[1])


def measuring(**settings: object) -> MeasurementSettings:
    known: dict[str, object] = {
        "request": Request(solutions=1, time_limit=LIMIT),
        "sample_ns": 0,
        "relabel": False,
    }
    return MeasurementSettings(**(known | settings))  # type: ignore[arg-type]  # keywords of one test


def solvers_of(*names: str) -> dict[str, Solver]:
    return {label(name): load(label(name)) for name in names}


def by_run(records: Sequence[Record]) -> Mapping[tuple[str, str, int], Record]:
    """Index records by backend's class, case and round, and see that none came twice."""
    records_by_run = {(r.backend.partition(":")[2], r.case, r.round): r for r in records}
    assert len(records_by_run) == len(records)
    return records_by_run


def marked(mark: str) -> list[psutil.Process]:
    """Return the processes that a test has begun and that still run."""
    processes = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
                continue
            # Python keeps one of each a program, whatever is started or ended.
            if re.search("resource_tracker|forkserver", " ".join(process.cmdline())):
                continue
            if process.environ().get(MARK) == mark:
                processes.append(process)
    return processes


def until(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def all_gone(mark: str, but: int = 0) -> bool:
    """Return whether all processes of a test except some have ended, after some time."""
    return until(lambda: len(marked(mark)) <= but)


@contextmanager
def dask(workers: int) -> Iterator[str]:
    """Run a scheduler of Dask with some workers, and yield its address."""
    from distributed import LocalCluster  # half a second, which collecting the tests need not take

    with LocalCluster(  # type: ignore[no-untyped-call]  # distributed has no types
        n_workers=workers,
        threads_per_worker=1,
        scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        silence_logs=logging.CRITICAL,
    ) as cluster:
        yield cluster.scheduler_address
