"""Backends with planted faults, run side by side: each is blamed for its own, and nobody else."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.helpers.engines import BAD, CASES, GRACE, KINDS, all_gone, cases_of, measuring
from tests.helpers.volume import SOAK, volume
from unidoku import Board, Request, load
from unidoku.comparison.order import Run, schedule
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.run.chunks import PoolSettings
from unidoku.comparison.verdict import Judge

pytestmark = [pytest.mark.processes, pytest.mark.volume]

HERE = "tests.helpers.wrong.faults"
OTHERS = "tests.helpers.wrong.processes"

RETURNED = "a process that it forked returned from the search"
LIMIT = 1.5
"""Seconds for a search: enough for those that take a millisecond, on a busy machine too."""

STOPPED = f"did not stop at its limit of {LIMIT:g} s"

FAULTS = {
    f"{HERE}:ExitsWithoutFault": (Outcome.CRASHED, "its process exited with code 0"),
    f"{OTHERS}:Aborts": (Outcome.MEMORY, "its process was ended by SIGABRT: terminate called"),
    f"{OTHERS}:HangsHoldingTheGil": (Outcome.TIMEOUT, STOPPED),
    f"{OTHERS}:HangsInPython": (Outcome.TIMEOUT, STOPPED),
    f"{OTHERS}:ForksAChild": (Outcome.TIMEOUT, STOPPED),
    f"{OTHERS}:KeepsItsLimit": (Outcome.UNKNOWN, ""),
    f"{OTHERS}:RaisesSystemExit": (Outcome.FAILED, "SystemExit: that is all"),
    f"{OTHERS}:Raises": (Outcome.FAILED, "ZeroDivisionError: inside the fake"),
    f"{OTHERS}:ReturnsNonsense": (Outcome.WRONG, "expected a Result with grids as tuples of ints"),
    f"{OTHERS}:ReturnsWhatCannotBeSent": (Outcome.FAILED, "ickle"),
    f"{OTHERS}:Exits": (Outcome.CRASHED, "its process exited with code 3"),
    f"{OTHERS}:SegFaults": (Outcome.CRASHED, "its process was ended by SIGSEGV"),
    f"{HERE}:WrongGrid": (Outcome.WRONG, "in the grid (1, 1,"),
    f"{HERE}:TwoForOne": (Outcome.WRONG, "reported 2 solutions"),
    f"{HERE}:DeniesSolutions": (Outcome.SOLVED, ""),  # the verdict finds it
    f"{HERE}:ItsChildTakesMemory": (Outcome.FAILED, "CalledProcessError"),
    f"{HERE}:Sleeps": (Outcome.TIMEOUT, STOPPED),
    f"{OTHERS}:IgnoresTheLimit": (Outcome.TIMEOUT, STOPPED),
    f"{OTHERS}:IgnoresSigterm": (Outcome.TIMEOUT, STOPPED),
    f"{HERE}:IgnoresSigtermForGood": (Outcome.SOLVED, ""),
    f"{HERE}:StopsItself": (Outcome.TIMEOUT, STOPPED),
    f"{OTHERS}:ClosesEverything": (Outcome.CRASHED, "its process exited with code 1"),
    f"{HERE}:ChangesItsMind": (Outcome.WRONG, "solutions"),
    f"{OTHERS}:WritesToStdout": (Outcome.SOLVED, ""),
    f"{HERE}:LeavesOrphans": (Outcome.SOLVED, ""),
    f"{HERE}:ForksTwice": (Outcome.SOLVED, ""),
    f"{HERE}:KillsItsGroup": (Outcome.CRASHED, "its process was ended by SIGTERM"),
    f"{HERE}:LeaksAnArray": (Outcome.SOLVED, ""),
    f"{HERE}:ForksAndReturns": (Outcome.FAILED, RETURNED),
    f"{HERE}:ForksAndRaises": (Outcome.FAILED, RETURNED),
    f"{HERE}:ForksAndAnswersAlone": (Outcome.TIMEOUT, STOPPED),
    f"{HERE}:WritesToThePipe": (Outcome.FAILED, "another process wrote to the pipe"),
    f"{HERE}:TellsItsSignals": (Outcome.SOLVED, ""),
    f"{OTHERS}:Sound": (Outcome.SOLVED, ""),
    "norvig": (Outcome.SOLVED, ""),
}
"""How the run of each backend on a board with a 1 in its first cell ends; on others it is right."""


def boards(number: int) -> list[Board]:
    """Return 4x4 boards with a solution, a third of them with a 1 in the first cell."""
    chance = random.Random(number)
    by_name: dict[str, Board] = {}
    while len(by_name) < number:
        first = "1" if len(by_name) % 3 == 0 else chance.choice(".234")
        rest = ["."] * 15
        rest[chance.randrange(4, 15)] = chance.choice("1234")
        text = first + "".join(rest)
        board = Board.parse(text)
        if load("norvig").solve(board).count:
            by_name[text] = board
    return list(by_name.values())


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("kind", "workers"),
    [
        pytest.param("pool", 1, marks=pytest.mark.soak),
        ("pool", 2),
        pytest.param("spawn", 2, marks=pytest.mark.thorough),
    ],
)
def test_each_of_many_faults_is_blamed_on_its_own_backend_and_no_run_is_lost(
    kind: str, workers: int, mark: str
) -> None:
    cases = cases_of(*boards(volume(2)))
    labels = list(FAULTS)[:: 3 if kind == "spawn" and not SOAK else 1]
    solvers = {label: load(label) for label in labels}
    runs = list(schedule(cases, list(solvers), 1, 3))
    request = Request(solutions=1, time_limit=LIMIT)
    limits = measuring(request=request, memory_limit=1 << 30)
    with KINDS[kind](solvers, limits, PoolSettings(workers=workers, grace=GRACE)) as pool:
        records = list(pool.run(runs))
    assert Counter(run.key for run in runs) == Counter(record.key for record in records)
    bad = {case.id for case in cases if case.board.givens[0] == 1}
    for record in records:
        outcome, evidence = FAULTS[record.backend]
        if record.case not in bad:
            outcome, evidence = Outcome.SOLVED, ""
        assert record.outcome is outcome, record
        assert evidence in " ".join(record.evidence), record
        if record.outcome is Outcome.SOLVED:
            assert record.statistics.get("usual", 1) == 1, record
    judge = Judge()
    for case in cases:
        judge.add_case(case)
    for record in records:
        judge.add(record)
    refuted = {item.backends[0] for item in judge.verdict().disagreements}
    wrong = {label for label, (outcome, _) in FAULTS.items() if outcome is Outcome.WRONG}
    assert refuted == (wrong | {f"{HERE}:DeniesSolutions"}) & set(labels)
    assert all_gone(mark)


def run_on_bad(label: str, *, kind: str = "pool", sample_ns: int = 0) -> Record:
    """Return the record of one run of a backend on the board that brings its fault out."""
    with KINDS[kind]({label: load(label)}, measuring(sample_ns=sample_ns)) as pool:
        (record,) = pool.run([Run(CASES[1], label, 1)])
    assert record.case == BAD.digest
    return record


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["ForksAndReturns", "ForksAndRaises"])
def test_a_forked_process_takes_no_part_in_a_sample(name: str, kind: str, mark: str) -> None:
    record = run_on_bad(f"{HERE}:{name}", kind=kind, sample_ns=3_000_000)
    assert record.outcome is Outcome.FAILED
    assert RETURNED in " ".join(record.evidence)
    assert all_gone(mark)


@pytest.mark.parametrize("name", ["LeavesOrphans", "ForksTwice"])
def test_what_a_run_started_ends_with_it_and_is_told(name: str, mark: str) -> None:
    label = f"{HERE}:{name}"
    with KINDS["pool"]({label: load(label)}, measuring()) as pool:
        (record,) = pool.run([Run(CASES[1], label, 1)])
        assert all_gone(mark, but=2)  # the fork server and the worker
    assert record.outcome is Outcome.SOLVED
    assert any("running, which were ended" in reason for reason in record.usage.disturbed)


@pytest.mark.parametrize(("kind", "servers"), [("pool", 1), ("spawn", 0)])
def test_what_a_worker_that_crashed_had_started_ends_with_it(
    kind: str, servers: int, mark: str
) -> None:
    label = f"{OTHERS}:WaitsForADaemon"
    with KINDS[kind]({label: load(label)}, measuring()) as pool:
        (record,) = pool.run([Run(CASES[1], label, 1)])
        assert record.outcome is Outcome.TIMEOUT
        assert all_gone(mark, but=servers)


def test_a_backend_that_kills_the_fork_server_is_blamed_and_the_others_go_on(mark: str) -> None:
    labels = [f"{OTHERS}:KillsTheForkServer", f"{OTHERS}:Slow"]
    runs = list(schedule(CASES, labels, 2, 3))
    limits = measuring(request=Request(solutions=1, time_limit=20))
    solvers = {label: load(label) for label in labels}
    with KINDS["pool"](solvers, limits, PoolSettings(workers=2)) as pool:
        records = list(pool.run(runs))
    assert Counter(run.key for run in runs) == Counter(record.key for record in records)
    for record in records:
        is_bad = record.backend == labels[0] and record.case == BAD.digest
        assert record.outcome is (Outcome.CRASHED if is_bad else Outcome.SOLVED), record
        assert not is_bad or "the process that starts workers ended" in record.evidence[0]
    assert all_gone(mark)
