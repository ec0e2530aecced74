"""Journals of several machines together: no run is lost, and no ratio hides two machines."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.helpers.command_runner import Runner
from tests.helpers.made_runs import CASES, PLAN, records_in
from tests.helpers.made_runs import run as made
from unidoku.comparison import read_comparison
from unidoku.comparison.journal import Journal, merged, read_header, write_journal
from unidoku.comparison.lines import Header
from unidoku.comparison.record import Record


def runs_of(label: str, machine: str, factor: float = 1.0) -> list[Record]:
    """Return two rounds of a backend on four cases, measured on a machine."""
    return [
        made(label, case, factor * (1 + case) / 1000, round=number, worker=f"{machine}/0")
        for case in range(4)
        for number in (1, 2)
    ]


def journal(path: Path, host: str, records: Iterable[Record]) -> Path:
    cases = {case.id: case for case in CASES}
    labels = list(dict.fromkeys(record.backend for record in records))
    plan = PLAN | {"backends": labels, "repeats": 2, "time_limit": 1.0, "solutions": 2}
    with Journal(path, Header(plan=plan, environment={"host": host})) as written:
        for record in records:
            written.add(cases[record.case], record)
    return path


@pytest.fixture
def same_plan(tmp_path: Path) -> list[Path]:
    """The journals of one plan on two machines, the second four times as slow."""
    return [
        journal(
            tmp_path / f"{host}.jsonl",
            host,
            [*runs_of("a", host, factor), *runs_of("b", host, 3 * factor)],
        )
        for host, factor in (("laptop", 1.0), ("raspberry", 4.0))
    ]


@pytest.fixture
def across(tmp_path: Path) -> list[Path]:
    """One backend on one machine, the other on another."""
    return [
        journal(tmp_path / "one.jsonl", "laptop", runs_of("a", "laptop")),
        journal(tmp_path / "two.jsonl", "raspberry", runs_of("b", "raspberry", 4)),
    ]


def test_the_runs_of_one_plan_on_two_machines_are_all_there(
    same_plan: list[Path], tmp_path: Path
) -> None:
    both = tmp_path / "both.jsonl"
    write_journal(both, *merged(same_plan))
    assert len(records_in(both)) == 32
    assert {(record.key, record.machine) for record in records_in(both)} == {
        (record.key, record.machine) for path in same_plan for record in records_in(path)
    }
    assert read_header(both).environment["machines"] == ["laptop", "raspberry"]
    results = read_comparison([both]).results
    assert (len(results), results.machines) == (32, ["laptop", "raspberry"])
    assert results.column("machine").tolist() == [0] * 16 + [1] * 16


def test_workers_that_name_no_machine_are_of_that_of_their_journal(tmp_path: Path) -> None:
    paths = [
        journal(
            tmp_path / f"{host}.jsonl",
            host,
            [replace(record, worker=worker) for record in runs_of("a", "")],
        )
        for host, worker in (("laptop", "inline"), ("raspberry", ""), ("vm", "inline"))
    ]
    both = tmp_path / "both.jsonl"
    write_journal(both, *merged(paths))
    assert len(records_in(both)) == 24
    assert read_comparison([both]).results.machines == ["laptop", "raspberry", "vm"]
    assert read_header(both).environment["machines"] == ["laptop", "raspberry", "vm"]
    again = tmp_path / "again.jsonl"
    write_journal(again, *merged([both]))
    assert records_in(again) == records_in(both)


def test_the_processes_of_a_node_are_one_machine() -> None:
    machines = [made("a", 0, 1, worker=name).machine for name in ("n1:47/0", "n1:8/1", "n1/0", "")]
    assert machines == ["n1", "n1", "n1", ""]


@pytest.mark.filterwarnings("default:16 runs of .* were left out:UserWarning")
def test_runs_that_one_machine_has_twice_are_counted_in_a_warning(
    run: Runner, same_plan: list[Path], tmp_path: Path
) -> None:
    laptop, raspberry = map(str, same_plan)
    ran = run("report", laptop, raspberry, laptop, "--runs", str(tmp_path / "runs.csv"))
    assert ran.code == 0
    assert ran.err == (
        f"unidoku: warning: 16 runs of {laptop} were left out: the same runs of the same machine "
        "come before\n"
    ), "the journals are read twice, and it is said once"
    with (tmp_path / "runs.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 32


def test_no_run_is_called_left_out_where_none_is(run: Runner, same_plan: list[Path]) -> None:
    ran = run("report", *map(str, same_plan))
    assert (ran.code, ran.err) == (0, "")
    assert "cases: 4, backends: 2, machines: 2, repeats: 2" in ran.out
    words = " ".join(ran.out.split())
    assert "The runs are those of 2 machines, laptop and raspberry" in words
    assert "†" not in words, "both backends ran alike on both machines"


@pytest.mark.parametrize("form", [[], ["--markdown"], ["--latex"]])
def test_a_ratio_of_two_machines_is_marked(
    run: Runner, across: list[Path], form: list[str]
) -> None:
    ran = run("report", *map(str, across), *form)
    words = " ".join(ran.out.split())
    mark = r"\textdagger{}" if form == ["--latex"] else "†"
    assert "4.00" in words
    assert f"] {mark}".replace("]", "{]}" if form == ["--latex"] else "]") in words
    assert f"{mark}: the ratio is of times from different machines" in words


def test_a_ratio_of_two_machines_is_marked_in_csv(run: Runner, across: list[Path]) -> None:
    rows = list(csv.DictReader(io.StringIO(run("report", *map(str, across), "--csv").out)))
    assert [row["ratio_across_machines"] for row in rows] == ["", "1"]


def test_one_machine_says_nothing_of_machines(run: Runner, same_plan: list[Path]) -> None:
    ran = run("report", str(same_plan[0]))
    assert "machine" not in ran.out
    assert "machines" not in read_header(same_plan[0]).environment
