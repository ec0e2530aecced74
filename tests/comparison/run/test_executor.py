"""Runs that executors carry: each has one record, whatever becomes of the nodes."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest

from tests.helpers.engines import (
    BAD,
    CASES,
    GRACE,
    all_gone,
    by_run,
    dask,
    label,
    marked,
    measuring,
    solvers_of,
    until,
)
from unidoku.comparison.order import Run, schedule
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.run import cluster as module
from unidoku.comparison.run import open_runner
from unidoku.comparison.run.chunks import PoolSettings
from unidoku.comparison.run.cluster import Carried, Chunk, run_chunk
from unidoku.errors import BackendError, InputError
from unidoku.parallel.executors import Cluster, executor_for

pytestmark = pytest.mark.processes

NAMES = ["Sound", "SegFaults", "HangsInPython"]
SETTINGS = PoolSettings(grace=GRACE)


@pytest.fixture(autouse=True)
def _node_closed() -> Iterator[None]:
    """End the pool that this process has as a node."""
    yield
    module._node.close()


def check(records: list[Record], rounds: int) -> None:
    """See that each run has its record, and that only the faulty ones are at fault."""
    by_key = by_run(records)
    assert len(by_key) == len(NAMES) * len(CASES) * rounds
    for (name, case, _), record in by_key.items():
        wanted = Outcome.SOLVED
        if case == BAD.digest and name != "Sound":
            wanted = Outcome.CRASHED if name == "SegFaults" else Outcome.TIMEOUT
        assert record.outcome is wanted, (name, record)


def runs_of(names: list[str], rounds: int) -> Iterator[Run]:
    return schedule(CASES, [label(name) for name in names], rounds, 1)


def test_threads_carry_runs_to_one_node(mark: str) -> None:
    with ThreadPoolExecutor(2) as executor:
        engine = Carried(solvers_of(*NAMES), measuring(), SETTINGS, executor=executor)
        with closing(engine):
            check(list(engine.run(runs_of(NAMES, 2))), 2)
            check(list(engine.run(runs_of(NAMES, 1))), 1)
    module._node.close()
    assert all_gone(mark)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes_carry_runs_to_a_node_each(method: str, mark: str) -> None:
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        engine = Carried(
            solvers_of(*NAMES), measuring(), SETTINGS, executor=executor, chunk_seconds=0.1
        )
        records = list(engine.run(runs_of(NAMES, 3)))
    check(records, 3)
    nodes = {record.worker.partition("/")[0].rpartition(":")[2] for record in records}
    assert str(os.getpid()) not in nodes
    assert 1 <= len(nodes) <= 2
    assert all_gone(mark)


def test_a_node_keeps_its_pool_from_chunk_to_chunk_and_gives_it_up_for_another_setup() -> None:
    def chunk(setup: str) -> Chunk:
        solvers = solvers_of("Sound")
        carried = Carried(solvers, measuring(), executor=ThreadPoolExecutor(1))
        return Chunk(
            setup=setup,
            configurations=carried._chunk.configurations,
            measuring=measuring(),
            settings=PoolSettings(),
            runs=(Run(CASES[0], label("Sound"), 1),),
        )

    pools = []
    for setup in ("a", "a", "b"):
        (record,) = run_chunk(chunk(setup))
        assert record.outcome is Outcome.SOLVED
        pools.append(module._node._pool)
    assert pools[0] is pools[1] is not pools[2]


class Lossy(Executor):
    """Loses each chunk as often as it is told, then has it carried out."""

    def __init__(self, times: int, error: Exception) -> None:
        self.times = times
        self.error = error
        self.seen: dict[tuple[Run, ...], int] = {}

    def submit(  # type: ignore[override]  # of the many forms, this one is used
        self, function: Callable[[Chunk], list[Record]], chunk: Chunk
    ) -> Future[list[Record]]:
        future: Future[list[Record]] = Future()
        self.seen[chunk.runs] = self.seen.get(chunk.runs, 0) + 1
        if self.seen[chunk.runs] <= self.times:
            future.set_exception(self.error)
        else:
            future.set_result(function(chunk) * 2)  # all of it twice
        return future


class KilledWorker(Exception):  # noqa: N818 - as Dask calls it
    """As Dask's."""


@pytest.mark.parametrize("error", [BrokenProcessPool("gone"), KilledWorker(), OSError("closed")])
def test_a_chunk_that_is_lost_goes_to_another_node_and_each_record_counts_once(
    error: Exception,
) -> None:
    carried = Carried(solvers_of(*NAMES), measuring(), SETTINGS, executor=Lossy(2, error))
    check(list(carried.run(runs_of(NAMES, 1))), 1)


def test_a_chunk_that_is_lost_four_times_is_a_record_that_says_so() -> None:
    executor = Lossy(4, KilledWorker("node 7"))
    carried = Carried(solvers_of("Sound"), measuring(), executor=executor)
    records = list(carried.run(runs_of(["Sound"], 1)))
    assert {record.outcome for record in records} == {Outcome.CRASHED}
    message = "the node that it was on was lost 4 times, the last: KilledWorker: node 7"
    assert {record.evidence for record in records} == {(message,)}
    assert len(by_run(records)) == 3


@pytest.mark.parametrize("error", [BackendError("no worker can be started"), TypeError("odd")])
def test_what_is_no_loss_of_a_node_is_raised(error: Exception) -> None:
    carried = Carried(solvers_of("Sound"), measuring(), executor=Lossy(1, error))
    with pytest.raises(type(error), match=str(error)):
        list(carried.run(runs_of(["Sound"], 1)))


def test_an_executor_that_is_shut_down_is_an_error_and_no_record() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    carried = Carried(solvers_of("Sound"), measuring(), executor=executor)
    with pytest.raises(BackendError, match="the executor no longer accepts tasks"):
        list(carried.run(runs_of(["Sound"], 1)))


def test_an_iterator_that_is_closed_cancels_what_no_node_has_begun() -> None:
    with ThreadPoolExecutor(1) as executor:
        executor.window = lambda: 3  # type: ignore[attr-defined]  # as our own executors have it
        carried = Carried(solvers_of("Slow"), measuring(), executor=executor, chunk_seconds=0.1)
        records = carried.run(runs_of(["Slow"], 20))
        next(records)
        under_way = list(carried._carrier._pending)
        records.close()  # type: ignore[attr-defined]  # an iterator that is a generator
        assert not carried._carrier._pending
    assert any(future.cancelled() for future in under_way)


@pytest.fixture
def scheduler(root: Path, tmp_path: Path, mark: str) -> Iterator[str]:
    """Run a scheduler and two workers of Dask, each a program of its own; return its address."""
    file = tmp_path / "scheduler.json"
    options = ["--scheduler-file", str(file)]
    quiet = {"DASK_LOGGING__DISTRIBUTED": "critical"}
    begun = []

    def start(program: str, *arguments: str) -> None:
        begun.append(
            subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{program}", *options, *arguments],
                cwd=root,
                env=os.environ | quiet | {"PYTHONPATH": str(root)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )

    free = ["--port", "0", "--dashboard-address", "127.0.0.1:0"]
    start("dask_scheduler", *free, "--no-dashboard", "--host", "127.0.0.1")
    for _ in range(2):
        start("dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard")
    assert until(file.exists)
    assert until(lambda: bool(file.read_text()))
    yield json.loads(file.read_text())["address"]
    for process in begun:
        process.kill()
        process.wait()
    assert all_gone(mark)


def dask_workers(mark: str) -> list[psutil.Process]:
    workers = []
    for each in marked(mark):
        with suppress(psutil.Error):  # it may have ended since
            if "distributed.cli.dask_worker" in each.cmdline():
                workers.append(each)
    return workers


@pytest.mark.thorough
def test_a_worker_of_dask_that_is_killed_loses_no_run(scheduler: str, mark: str) -> None:
    names = [*NAMES, "Slow"]
    engine = open_runner(solvers_of(*names), measuring(), scheduler=scheduler)
    records = []
    with engine as carried:
        for record in carried.run(runs_of(names, 6)):
            records.append(record)
            if len(records) == 10:
                node = record.worker.partition("/")[0].rpartition(":")[2]
                (victim,) = [each for each in dask_workers(mark) if str(each.pid) == node]
                victim.kill()
    assert len({record.worker.partition("/")[0] for record in records}) == 2
    slow = [record for record in records if record.backend == label("Slow")]
    assert {record.outcome for record in slow} == {Outcome.SOLVED}
    check([record for record in records if record.backend != label("Slow")], 6)
    assert len(slow) == 6 * len(CASES)


def test_a_cluster_of_this_machine_carries_runs_and_leaves_nothing_behind(mark: str) -> None:
    with open_runner(solvers_of(*NAMES), measuring(), scheduler="local:2") as carried:
        records = list(carried.run(runs_of(NAMES, 2)))
    check(records, 2)
    assert all_gone(mark)


def refused(address: str, message: str) -> None:
    with pytest.raises(InputError, match=message), executor_for(address):
        pass


@pytest.mark.parametrize(
    "address", ["", "local:0", "local:", "local:two", "tcp://", "tcp://host", "host:8786", "mpi:4"]
)
def test_what_is_no_address_of_a_scheduler_is_refused(address: str) -> None:
    refused(address, r"expected tcp://host:port, tls://.* or local:N, got")


def test_a_scheduler_that_is_not_there_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unidoku.parallel.executors._CONNECT", 0.3)
    refused("tcp://127.0.0.1:9", r"Dask at 'tcp://127\.0\.0\.1:9', got no answer")


@pytest.fixture
def empty() -> Iterator[str]:
    """The address of a scheduler without workers."""
    with dask(0) as address:
        yield address


def test_a_scheduler_without_workers_is_said_so(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unidoku.parallel.executors._WORKERS", 0.3)
    refused(empty, "has no workers; start some: dask worker tcp://")


def test_a_worker_of_another_version_is_refused(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unidoku.parallel.executors.__version__", "0.0.7")
    refused(scheduler, r"expected unidoku 0\.0\.7 on Python .*, got unidoku 0")


def test_a_cluster_that_loses_all_its_workers_is_an_error_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("unidoku.parallel.executors._WORKERS", 0.0)
    monkeypatch.setattr("unidoku.parallel.executors._KNOWN", 0.0)
    answers: Iterator[list[str] | OSError] = iter([["a", "b"], [], OSError("closed")])

    class FakeClient:
        def nthreads(self) -> list[str]:
            answer = next(answers)
            if isinstance(answer, OSError):
                raise answer
            return answer

    with ThreadPoolExecutor(1) as executor:
        cluster = Cluster(executor, FakeClient())  # type: ignore[arg-type]  # what is asked of it
        assert cluster.window() == 4
        for message in ("has had no worker", "lost the connection to the scheduler: closed"):
            with pytest.raises(BackendError, match=message):
                cluster.nodes()
