"""What a run uses is what all its processes use: processor time, memory, and limits of both."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from tests.helpers.comparing import compared
from tests.helpers.engines import BAD, CASES, KINDS, all_gone, measuring
from tests.helpers.volume import thorough
from unidoku import Request, load
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.report.words import growing
from unidoku.comparison.results import Results
from unidoku.comparison.run.measure import Inline
from unidoku.comparison.session import read_comparison
from unidoku.errors import InputError, SettingsError

pytestmark = pytest.mark.processes

HERE = "tests.helpers.wrong.faults"
SPINNING = [
    ("Spins", "pool"),
    ("ItsProgramSpins", "pool"),
    ("ItsKeptProgramSpins", "pool"),
    ("ItsKeptProgramSpins", "spawn"),
    *(pytest.param(name, "spawn", marks=pytest.mark.soak) for name in ("Spins", "ItsProgramSpins")),
]
"""Backends that use processor time in one way each, and where they run."""
SPUN = 180_000_000
"""Nanoseconds of processor time, of which the backends here use 0.2 s."""


def run(name: str, kind: str = "pool", **settings: object) -> list[Record]:
    """Return the records of two runs of a backend on the board that it is planted on."""
    label = f"{HERE}:{name}"
    limits = measuring(request=Request(solutions=1, time_limit=60), **settings)
    with KINDS[kind]({label: load(label)}, limits) as pool:
        return list(pool.run(Run(CASES[1], label, number) for number in (1, 2)))


@pytest.mark.parametrize(("name", "kind"), SPINNING)
def test_processor_time_is_that_of_all_processes(name: str, kind: str) -> None:
    for record in run(name, kind, cpu_limit=30.0):
        assert record.outcome is Outcome.SOLVED
        assert SPUN < record.timing.cpu_ns < 10 * SPUN


@pytest.mark.parametrize("limit", [2 << 30, *thorough(None)])
def test_the_peak_of_memory_is_that_of_all_processes(limit: int | None) -> None:
    for record in run("ItsProgramTakesMemory", memory_limit=limit):
        assert record.outcome is Outcome.SOLVED
        assert 190_000_000 < record.usage.peak_bytes < 500_000_000
    for record in run("ItsProgramSpins", memory_limit=limit):
        assert record.usage.peak_bytes < 150_000_000


@pytest.mark.parametrize(("name", "kind"), SPINNING)
def test_a_run_over_its_limit_of_processor_time_is_not_solved(name: str, kind: str) -> None:
    for record in run(name, kind, cpu_limit=0.1):
        assert record.outcome in (Outcome.TIMEOUT, Outcome.LATE)  # ended, or ended by itself before
        if record.outcome is Outcome.TIMEOUT:
            assert "s of processor time, more than its limit" in record.evidence[0]


@pytest.mark.parametrize("kind", KINDS)
def test_processes_that_use_too_much_processor_time_are_ended(kind: str, mark: str) -> None:
    for record in run("ItsProgramsSpinForLong", kind, cpu_limit=0.3):
        assert record.outcome is Outcome.TIMEOUT
        assert "s of processor time, more than its limit" in record.evidence[0]
    assert all_gone(mark)


def test_the_limit_of_processor_time_holds_in_the_process_of_the_caller() -> None:
    label = f"{HERE}:Spins"
    inline = Inline({label: load(label)}, measuring(request=Request(solutions=1), cpu_limit=0.1))
    records = {record.case: record for record in inline.run(Run(c, label, 1) for c in CASES)}
    assert records.pop(BAD.digest).outcome is Outcome.LATE
    assert {record.outcome for record in records.values()} == {Outcome.SOLVED}


SMALL = ["1... ..2. .3.. ...4"]


def test_the_limit_is_part_of_the_plan_and_older_journals_stay_readable(tmp_path: Path) -> None:
    journal, old = tmp_path / "a.jsonl", tmp_path / "old.jsonl"
    assert (
        "limit: 1 s a run, 7 s of processor time"
        in compared(SMALL, "norvig", output=journal, cpu_limit=7.0).title
    )
    with pytest.raises(InputError, match=r"with cpu_limit=7.0, this run asks for cpu_limit=0.0"):
        compared(SMALL, "norvig", output=journal, resume=True)
    assert "processor time" not in compared(SMALL, "norvig", output=tmp_path / "b.jsonl").title
    text = (tmp_path / "b.jsonl").read_text("utf-8")
    assert '"cpu_limit":0.0' in text
    old.write_text(text.replace('"cpu_limit":0.0,', "").replace(',"cpu_limit":0.0', ""), "utf-8")
    assert "cpu_limit" not in old.read_text("utf-8")
    assert compared(SMALL, "norvig", output=old, resume=True).done == 1
    with pytest.warns(UserWarning, match="1 run of .* was left out"):
        assert read_comparison([old, tmp_path / "b.jsonl"]).done == 1
    with pytest.raises(InputError, match=r"was run with cpu_limit = 0.0, .* with 7.0"):
        read_comparison([journal, old])


def test_a_limit_below_zero_is_refused() -> None:
    with pytest.raises(SettingsError, match="cpu_limit: expected a finite number of 0 or more"):
        compared(SMALL, "norvig", cpu_limit=-1.0)


def leaking(rounds: int, **settings: object) -> list[Record]:
    names = ["LeaksAnArray", "Spins"]
    labels = [f"{HERE}:{name}" for name in names]
    runs = [Run(CASES[0], label, number + 1) for number in range(rounds) for label in labels]
    with KINDS["pool"]({label: load(label) for label in labels}, measuring(**settings)) as pool:
        records = list(pool.run(runs))
    assert Counter(run.key for run in runs) == Counter(record.key for record in records)
    return records


@pytest.mark.parametrize(("rounds", "is_named"), [(15, False), (40, True)])
def test_a_backend_that_keeps_memory_of_each_search_is_named(rounds: int, is_named: bool) -> None:
    results = Results()
    results.add_case(CASES[0])
    for record in leaking(rounds):
        results.add(record)
    lines = [*growing(results)]
    assert len(lines) == is_named
    for line in lines:
        grown = re.fullmatch(r"(\S+) grew by (1\.\d) MB a search, \d+ MB in 40 searches", line)
        assert grown is not None
        assert grown[1] == f"{HERE}:LeaksAnArray"
        assert 1.2 <= float(grown[2]) <= 1.8


def test_a_worker_that_has_grown_beyond_the_limit_is_replaced_and_no_run_is_lost() -> None:
    limit = 40 << 20
    records = [record for record in leaking(60, memory_limit=limit) if "Leaks" in record.backend]
    assert {record.outcome for record in records} == {Outcome.SOLVED}
    before = [int(record.statistics["resident"]) for record in records]
    drops = [first for first, other in pairwise(before) if other < first - (limit >> 1)]
    assert len(drops) >= 2
    assert max(before) - min(before) < limit + (8 << 20)
