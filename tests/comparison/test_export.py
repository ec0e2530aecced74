"""Exports hold every run, alike in both formats, and no half of a file is left behind."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import fields
from operator import attrgetter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from tests.helpers.made_runs import CASES, PLAN
from tests.helpers.volume import volume
from unidoku import Stop
from unidoku.comparison import export
from unidoku.comparison.cases import Case
from unidoku.comparison.export import COLUMNS
from unidoku.comparison.journal import Journal, read_journal
from unidoku.comparison.lines import Header
from unidoku.comparison.record import Outcome, Record, Timing, Usage
from unidoku.errors import FormatError, InputError, OutputError

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
COUNTS = st.integers(0, 2**63 - 1)
GROUPS = {"timing": Timing, "usage": Usage}
PATHS = {field.name: field.name for field in fields(Record) if field.name not in GROUPS} | {
    field.name: f"{group}.{field.name}" for group, kind in GROUPS.items() for field in fields(kind)
}
RECORDS = st.builds(
    Record,
    key=TEXTS,
    case=st.sampled_from([case.id for case in CASES[:3]]),
    backend=TEXTS,
    round=st.integers(1, 99),
    image=st.integers(0, 9),
    outcome=st.sampled_from(Outcome),
    stop=st.none() | st.sampled_from(Stop),
    count=COUNTS,
    timing=st.builds(Timing, wall_ns=COUNTS, first_ns=st.none() | COUNTS, loops=COUNTS),
    usage=st.builds(Usage, disturbed=st.lists(TEXTS, max_size=2).map(tuple)),
    statistics=st.dictionaries(TEXTS, st.floats(allow_nan=False), max_size=2),
    evidence=st.lists(TEXTS, max_size=2).map(tuple),
    worker=TEXTS,
    started=st.floats(0, 2e9),
)


def record(number: int, case: Case = CASES[0]) -> Record:
    key = f"{number:016x}"
    return Record(key=key, case=case.id, backend="a", round=1 + number, outcome=Outcome.SOLVED)


def csv_rows(path: Path) -> list[dict[str, object]]:
    """Return the rows with the types that the columns say."""
    read = {"text": str, "int": int, "float": float}
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {
                name: read[kind](row[name]) if row[name] or kind == "text" else None
                for name, kind in COLUMNS.items()
            }
            for row in csv.DictReader(file)
        ]


def parquet_rows(path: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = parquet.read_table(path).to_pylist()
    return rows


def export_both(entries: list[Case | Record], folder: Path) -> list[dict[str, object]]:
    """Return the rows, which are found to be the same in both files."""
    paths = [folder / "runs.csv", folder / "runs.parquet"]
    for path in paths:
        path.unlink(missing_ok=True)
        count = sum(isinstance(entry, Record) for entry in entries)
        assert export.export(iter(entries), path) == count
    as_csv, as_parquet = csv_rows(paths[0]), parquet_rows(paths[1])
    # What there is none of is empty in CSV, where a text may be empty too.
    texts = ("stop", "measure", "warm_up")
    assert as_csv == [row | {name: row[name] or "" for name in texts} for row in as_parquet]
    return as_parquet


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=volume(50))
@given(records=st.lists(RECORDS, max_size=5))
def test_both_formats_hold_every_run_with_all_its_figures(
    records: list[Record], tmp_path: Path
) -> None:
    rows = export_both([*CASES[:3], *records], tmp_path)
    assert len(rows) == len(records)
    same = {name: path for name, path in PATHS.items() if name in COLUMNS and name != "stop"}
    assert len(same) == 23
    for row, run in zip(rows, records, strict=True):
        assert {name: row[name] for name in same} == {
            name: attrgetter(path)(run) for name, path in same.items()
        }
        assert row["stop"] == (run.stop and run.stop.value)
        assert row["started_s"] == run.started
        assert json.loads(str(row["statistics_json"])) == run.statistics
        assert json.loads(str(row["evidence_json"])) == list(run.evidence)
        assert json.loads(str(row["disturbed_json"])) == list(run.usage.disturbed)


def test_every_field_of_a_record_but_its_grids_is_exported() -> None:
    renamed = {"statistics": "statistics_json", "started": "started_s"}
    renamed |= {"evidence": "evidence_json", "disturbed": "disturbed_json"}
    names = {renamed.get(name, name) for name in PATHS} - {"solutions"}
    of_case = {"name", "source", "layout", "n", "givens", "known_solutions"}
    assert names | of_case == set(COLUMNS)


def test_each_run_has_the_facts_of_its_case(tmp_path: Path) -> None:
    known = Case(board=CASES[2].board, name="name", source="file", solutions=3)
    (first, second) = export_both([CASES[0], record(1), known, record(2, known)], tmp_path)
    names = ("case", "name", "source", "layout", "n", "givens", "known_solutions")
    assert [first[name] for name in names] == [CASES[0].id, "c0", "made", "classic", 4, 2, None]
    assert [second[name] for name in names] == [known.id, "name", "file", "classic", 4, 1, 3]


def test_a_journal_is_exported_in_batches_as_in_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path, Header(plan=PLAN)) as journal:
        for number in range(10):
            journal.add(CASES[number % 3], record(number, CASES[number % 3]))
    at_once = export_both(list(read_journal(path)), tmp_path)
    monkeypatch.setattr(export, "_BATCH", 3)
    assert export_both(list(read_journal(path)), tmp_path) == at_once
    assert [row["round"] for row in at_once] == list(range(1, 11))
    assert parquet.ParquetFile(tmp_path / "runs.parquet").num_row_groups == 4


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_runs_are_written_while_others_are_still_to_be_read(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "_BATCH", 100)
    path = tmp_path / f"runs{suffix}"
    sizes = []

    def entries() -> Iterator[Case | Record]:
        yield CASES[0]
        for number in range(4000):
            if number % 1000 == 0:
                sizes.append(path.with_name(f"{path.name}.part").stat().st_size)
            yield record(number)

    assert export.export(entries(), path) == 4000
    assert len(set(sizes)) == 4
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_no_file_is_overwritten_and_none_is_left_half_written(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"runs{suffix}"

    def torn() -> Iterator[Case | Record]:
        yield CASES[0]
        yield record(1)
        raise FormatError("torn")

    with pytest.raises(FormatError, match="torn"):
        export.export(torn(), path)
    assert not path.exists()
    path.write_text("mine")
    with pytest.raises(OutputError, match="exists; name another file, or replace it with --force"):
        export.export([], path)
    assert path.read_text() == "mine"
    with pytest.raises(OutputError, match="cannot be written"):
        export.export([], tmp_path / "nowhere" / path.name)
    assert [path] == list(tmp_path.iterdir())
    assert export.export([CASES[0], record(1)], path, force=True) == 1
    assert path.read_bytes() != b"mine"


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_disk_that_is_full_is_said(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"runs{suffix}").symlink_to("/dev/full")
    path = tmp_path / f"runs{suffix}"
    with pytest.raises(OutputError, match=r"cannot be written: No space left"):
        export.export([CASES[0], record(1)], path)


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a file name that ends in \.csv, \.parquet; got"):
        export.export([], tmp_path / "runs.xlsx")


def test_csv_needs_no_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert export.export([], tmp_path / "runs.csv") == 0


def test_columns_have_their_types_even_without_runs(tmp_path: Path) -> None:
    export.export([], tmp_path / "runs.parquet")
    schema = parquet.read_schema(tmp_path / "runs.parquet")
    assert schema.names == list(COLUMNS)
    assert schema.field("wall_ns").type == pa.int64()
