"""What misbehaves costs its own run and nothing else."""

from __future__ import annotations

import os
import re
import signal
import uuid
from collections import Counter
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import psutil
import pytest

from tests.helpers.engines import (
    BAD,
    CASES,
    GRACE,
    KINDS,
    LIMIT,
    all_gone,
    by_run,
    label,
    measuring,
    solvers_of,
)
from unidoku import Request, load
from unidoku.comparison import read_plan
from unidoku.comparison.order import Run, schedule
from unidoku.comparison.record import Outcome
from unidoku.comparison.run import open_runner
from unidoku.comparison.run.chunks import PoolSettings
from unidoku.comparison.run.limits import MemoryGroup
from unidoku.comparison.run.messages import Job
from unidoku.comparison.run.start import Spawned
from unidoku.errors import InputError
from unidoku.files.examples import comparison_file
from unidoku.parallel.processes import Connection

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_backend_prints_and_where_it_fails_are_kept(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    names = {
        "PrintsAndRaises": Outcome.FAILED,
        "PrintsAndAborts": Outcome.CRASHED,
        "PrintsAndHangs": Outcome.TIMEOUT,
        "PrintsAndLies": Outcome.WRONG,
    }
    (case,) = (case for case in CASES if case.board == BAD)
    runs = [Run(case, label(name), 1) for name in [*names, "Sound"]]
    with KINDS[kind](solvers_of(*names, "Sound"), measuring(), PoolSettings(grace=GRACE)) as engine:
        records = {name: record for (name, *_), record in by_run(list(engine.run(runs))).items()}
    assert records.pop("Sound").printed == ""
    for name, record in records.items():
        assert record.outcome is names[name]
        assert "a" * 100 in record.printed
        assert len(record.printed) < 2 * 4096
        assert "looked at the board" in record.printed
        assert record.printed.endswith("a warning")
        survived = record.outcome in (Outcome.FAILED, Outcome.WRONG)
        assert ("no line break" in record.printed) == survived
    raised = records["PrintsAndRaises"]
    first, second = raised.evidence[0].splitlines()
    assert re.fullmatch(r"ZeroDivisionError: outer \(processes.py, line \d+\)", first)
    assert second == "and its second line"
    assert "KeyError: 'inner'" in raised.traceback
    assert 'processes.py", line' in raised.traceback
    assert "measure.py" not in raised.traceback  # it begins in the backend's own code
    assert {item.traceback for item in records.values()} == {raised.traceback, ""}


def test_a_backend_that_prints_without_end_does_not_fill_the_disk() -> None:
    (case,) = (case for case in CASES if case.board == BAD)
    name = "PrintsWithoutEnd"
    with KINDS["pool"](solvers_of(name), measuring(request=Request())) as engine:
        (record,) = engine.run([Run(case, label(name), 1)])
    assert record.outcome is Outcome.FAILED
    (size,) = re.findall(r"RuntimeError: (\d+) bytes", record.evidence[0])
    assert 60_000_000 < int(size) < 190_000_000
    assert 0 < len(record.printed) <= 4096


@pytest.mark.parametrize("kind", KINDS)
def test_runs_on_one_board_are_measured_by_one_worker_in_their_order(kind: str) -> None:
    names = ["Sound", "Instant"]
    runs = list(schedule(CASES, [label(name) for name in names], 4, 3))
    with KINDS[kind](solvers_of(*names), measuring(), PoolSettings(workers=2)) as pool:
        records = list(pool.run(runs))
    index = {record.key: position for position, record in enumerate(records)}
    worker = {record.key: record.worker for record in records}
    for first, second in zip(runs[::2], runs[1::2], strict=True):
        assert index[first.key] < index[second.key]
        assert worker[first.key] == worker[second.key]


def test_the_caller_is_told_what_a_run_that_takes_long_is_doing() -> None:
    waited: list[tuple[Run, bool]] = []

    def waiting(run: Run, loading: bool, seconds: float) -> None:
        assert seconds > 1
        waited.append((run, loading))

    asked = measuring(request=Request(solutions=1, time_limit=20))
    run = Run(CASES[1], label("LoadsSlowly"), 1)
    with open_runner(solvers_of("LoadsSlowly"), asked, waiting=waiting) as pool:
        (record,) = pool.run([run])
    assert record.outcome is Outcome.SOLVED
    assert list(dict.fromkeys(waited)) == [(run, True), (run, False)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_pool_carries_out_one_plan_after_the_other(kind: str) -> None:
    with KINDS[kind](solvers_of("Sound", "SegFaults"), measuring()) as engine:
        for number in (1, 2):
            runs = [Run(case, label("Sound"), number) for case in CASES]
            runs.append(Run(CASES[1], label("SegFaults"), number))
            assert len(by_run(list(engine.run(runs)))) == 4


@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_that_ends_between_two_plans_is_blamed_on_no_run(kind: str) -> None:
    with KINDS[kind](solvers_of("Sound"), measuring()) as pool:
        list(pool.run([Run(CASES[0], label("Sound"), 1)]))
        (pid,) = pool.pids
        psutil.Process(pid).kill()
        records = list(pool.run([Run(case, label("Sound"), 2) for case in CASES]))
    assert [record.outcome for record in records] == [Outcome.SOLVED] * 3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "least"), [("IgnoresTheLimit", LIMIT + GRACE), ("IgnoresSigterm", LIMIT)]
)
def test_a_search_is_ended_soon_after_its_deadline(name: str, least: float, kind: str) -> None:
    with KINDS[kind](solvers_of(name), measuring(), PoolSettings(grace=GRACE)) as pool:
        (record,) = pool.run([Run(CASES[1], label(name), 1)])
    assert record.outcome is Outcome.TIMEOUT
    assert least * 1e9 <= record.timing.wall_ns < (least + 5) * 1e9


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_beyond_the_memory_limit_is_recorded_and_the_worker_lives_on(kind: str) -> None:
    settings = measuring(memory_limit=100_000_000, request=Request(time_limit=20))
    names = ["ExhaustsMemory", "TakesFiftyMegabytes"]
    with KINDS[kind](solvers_of(*names), settings) as pool:
        records = by_run(list(pool.run(schedule(CASES, [label(name) for name in names], 1, 5))))
    record = records["ExhaustsMemory", BAD.digest, 1]
    assert record.outcome is Outcome.MEMORY
    assert "MemoryError" in record.evidence[0]
    others = {each.outcome for each in records.values() if each is not record}
    assert others == {Outcome.SOLVED}
    assert len({each.worker for each in records.values()}) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_backend_starts_counts_where_there_are_cgroups_of_our_own(kind: str) -> None:
    name = "ItsChildrenExhaustMemory"
    settings = measuring(memory_limit=200 << 20, request=Request(time_limit=20))
    with KINDS[kind](solvers_of(name), settings, PoolSettings(grace=20)) as pool:
        records = by_run(list(pool.run(schedule(CASES, [label(name)], 1, 5))))
    outcomes = {case: record.outcome for (_, case, _), record in records.items()}
    group = MemoryGroup.make()  # as root, or where systemd lets us
    expected = Outcome.SOLVED if group is None else Outcome.MEMORY
    assert outcomes.pop(BAD.digest) is expected
    assert set(outcomes.values()) == {Outcome.SOLVED}
    if group is not None:
        group.remove()
        left = (psutil.pid_exists(int(f.name[8:])) for f in group.folder.parent.glob("unidoku-*"))
        assert all(left)  # those of other tests


@pytest.mark.parametrize("kind", KINDS)
def test_each_run_has_a_peak_of_memory_of_its_own(kind: str) -> None:
    name = "TakesFiftyMegabytes"
    runs = [Run(case, label(name), 1) for case in CASES]
    with KINDS[kind](solvers_of(name), measuring(request=Request(time_limit=20))) as pool:
        before, taken, after = (record.usage.peak_bytes for record in pool.run(runs))
    assert 45_000_000 < taken < 60_000_000
    assert max(before, after) < 10_000_000


@pytest.mark.parametrize("kind", KINDS)
def test_an_iterator_that_is_closed_gives_its_workers_up(kind: str) -> None:
    names = ["Slow", "HangsInPython"]
    runs = schedule(CASES, [label(name) for name in names], 50, 1)
    with KINDS[kind](solvers_of(*names), measuring()) as engine:
        records = engine.run(runs)
        next(records)
        records.close()  # type: ignore[attr-defined]  # an iterator that is a generator
        again = [Run(case, label("Slow"), 100) for case in CASES]
        assert {record.key for record in engine.run(again)} == {run.key for run in again}


def test_a_backend_whose_import_ends_the_process_is_blamed_alone(tmp_path: Path) -> None:
    module = f"ends_{uuid.uuid4().hex}"
    (tmp_path / f"{module}.py").write_text(
        "import os\nfrom tests.helpers.wrong.processes import Sound\n"
        "if 'UNIDOKU_PARENT' not in os.environ or os.getpid() != int(os.environ['UNIDOKU_PARENT']):"
        "\n    os._exit(9)\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        patch.setenv("UNIDOKU_PARENT", str(os.getpid()))
        solvers = {f"{module}:Sound": load(f"{module}:Sound")} | solvers_of("Sound")
        for kind in KINDS.values():
            with kind(solvers, measuring()) as engine:
                records = list(engine.run(schedule(CASES, list(solvers), 1, 1)))
            assert sorted((record.backend, record.outcome) for record in records) == sorted(
                [(f"{module}:Sound", Outcome.CRASHED)] * 3 + [(label("Sound"), Outcome.SOLVED)] * 3
            )


def test_a_spawned_worker_that_is_killed_before_it_begins_a_run_costs_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = Spawned.start
    killed: list[int] = []

    def kill_the_first(
        self: Spawned, job: Job, supervisor_end: Connection, worker_end: Connection
    ) -> None:
        start(self, job, supervisor_end, worker_end)
        if not killed:
            killed.extend(self._processes)
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr(Spawned, "start", kill_the_first)
    with KINDS["spawn"](solvers_of("Sound"), measuring()) as pool:
        records = list(pool.run(Run(case, label("Sound"), 1) for case in CASES))
    assert len(killed) == 1
    assert [record.outcome for record in by_run(records).values()] == [Outcome.SOLVED] * 3


@pytest.mark.parametrize("kind", KINDS)
def test_each_worker_has_a_core_of_its_own_where_there_are_enough(kind: str) -> None:
    allowed = os.sched_getaffinity(0)
    runs = list(schedule(CASES, [label("TellsItsCores")], 8, 1))
    for workers in (1, 2):
        settings = PoolSettings(workers=workers)
        measured = measuring(request=Request(solutions=1))  # on a busy core a limit may be met
        with KINDS[kind](solvers_of("TellsItsCores"), measured, settings) as pool:
            records = list(pool.run(runs))
        table = {record.worker: int(record.statistics["nodes"]) for record in records}
        wanted = [settings.cores_of(position) or allowed for position in range(workers)]
        for worker, cores in table.items():
            position = int(worker.rpartition("/")[2])
            assert cores == sum(1 << core for core in wanted[position])


def test_cores_are_shared_out_and_the_first_is_left_to_the_supervisor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2, 4, 6, 8})
    pair = PoolSettings(workers=2, cores=2)
    assert [sorted(pair.cores_of(index)) for index in (0, 1)] == [[2, 4], [6, 8]]
    assert PoolSettings(workers=6).cores_of(0) == frozenset()
    assert PoolSettings(workers=2, pin=False).cores_of(0) == frozenset()


def test_settings_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="workers: expected at least 1, got 0"):
        PoolSettings(workers=0)
    with pytest.raises(InputError, match="cores: expected at least 1, got 0"):
        PoolSettings(cores=0)


@pytest.mark.parametrize("kind", ["pool", "inline"])
def test_a_run_may_ask_something_else_than_the_others(kind: str) -> None:
    asked = [1, 2, 5, None, 1]
    runs = [
        Run(
            CASES[0], label("Sound"), k, request=Request(solutions=n, time_limit=5.0) if n else None
        )
        for k, n in enumerate(asked, start=1)
    ]
    with open_runner(solvers_of("Sound"), measuring(), kind=kind) as engine:
        records = sorted(engine.run(runs), key=attrgetter("round"))
    assert [record.count for record in records] == [1, 2, 5, 1, 1]


def test_a_run_is_ended_at_its_own_limit() -> None:
    run = Run(CASES[1], label("IgnoresTheLimit"), 1, request=Request(solutions=1, time_limit=0.05))
    slow = measuring(request=Request(solutions=1, time_limit=100.0))
    with open_runner(solvers_of("IgnoresTheLimit"), slow, kind="pool") as engine:
        (record,) = engine.run([run])
    assert record.outcome is Outcome.TIMEOUT
    assert "limit of 0.05 s" in record.evidence[0]


def test_the_runs_of_a_group_are_measured_by_one_worker_in_their_order() -> None:
    runs = [
        Run(CASES[k % 2], label("Sound"), 4 * group + k, group=group)
        for group in range(60)
        for k in range(4)
    ]
    with open_runner(solvers_of("Sound"), measuring(), kind="pool", workers=2) as engine:
        records = list(engine.run(runs))
    assert len(records) == len(runs)
    for worker in {record.worker for record in records}:
        rounds = [record.round for record in records if record.worker == worker]
        groups = [(group, list(pid)) for group, pid in groupby(rounds, lambda k: k // 4)]
        assert all(pid == list(range(4 * group, 4 * group + 4)) for group, pid in groups)


def test_a_runner_is_known_by_its_name() -> None:
    solvers = solvers_of("Sound")
    for kind in ("pool", "spawn", "inline", "pebble", None):
        with open_runner(solvers, measuring(), kind=kind) as engine:
            (record,) = engine.run([Run(CASES[0], label("Sound"), 1)])
        assert record.outcome is Outcome.SOLVED
    with pytest.raises(InputError, match="expected pool, spawn, inline, got 'polo'"):
        open_runner(solvers, measuring(), kind="polo")
    with pytest.raises(InputError, match="nodes use 'pool' or 'spawn', got 'inline'"):
        open_runner(solvers, measuring(), kind="inline", scheduler="local:1")


def test_spawned_workers_give_the_same_answers_as_forked_ones() -> None:
    solvers = {name: load(name) for name in ("norvig", "sat", "exact-cover")}
    cases = read_plan(comparison_file()).changed(folder=comparison_file().parent).cases()[:4]
    asked = measuring(request=Request(solutions=2, time_limit=20), relabel=True)
    answers = []
    for kind in ("pool", "spawn"):
        with open_runner(solvers, asked, kind=kind, workers=2) as engine:
            records = list(engine.run(schedule(cases, list(solvers), 2, 1)))
        assert {record.outcome for record in records} == {Outcome.SOLVED}
        answers.append({record.key: (record.stop, record.count) for record in records})
    assert len(answers[0]) == 24
    assert answers[0] == answers[1]


def test_a_system_whose_python_cannot_look_before_it_reaps_has_a_pool_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, pathlib\ndel os.waitid, os.sched_setaffinity\n"
        "pathlib.Path(__file__).with_name('seen').touch()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))  # of which the fork server's path is made
    names = ["SegFaults", "ForksAChild"]
    with open_runner(solvers_of(*names), measuring(), kind="pool") as engine:
        records = list(engine.run(schedule(CASES, [label(name) for name in names], 1, 1)))
    assert (tmp_path / "seen").exists()
    assert Counter(record.outcome for record in records) == {
        Outcome.SOLVED: 4,
        Outcome.CRASHED: 1,
        Outcome.TIMEOUT: 1,
    }
    assert all_gone(mark)
