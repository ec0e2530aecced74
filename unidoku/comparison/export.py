"""Export: all runs as one flat table, for spreadsheets, data frames and databases.

The journal remains the record. An export repeats the facts about a case in each of its runs, so
that no tables have to be joined. Runs are written while they are read, so that memory grows only
with the number of cases.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from io import TextIOWrapper
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

from unidoku.comparison.cases import Case
from unidoku.comparison.record import COLUMNS as RUN_COLUMNS
from unidoku.comparison.record import Record
from unidoku.support.atomic_write import ending_of, new_file
from unidoku.support.extras import command, not_installed
from unidoku.support.text import no_formula

ENDINGS = (".csv", ".parquet")
"""Endings of the names of exports."""

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = tuple[Cell, ...]

_CASE_COLUMNS: dict[str, Literal["text", "int", "float"]] = {
    "case": "text",
    "name": "text",
    "source": "text",
    "layout": "text",
    "n": "int",
    "givens": "int",
    "known_solutions": "int",
}

_RUN = tuple(column for column in RUN_COLUMNS if column.export is not None)

COLUMNS: Mapping[str, Literal["text", "int", "float"]] = _CASE_COLUMNS | {
    column.export_name: "text" if column.export == "json" else column.export
    for column in RUN_COLUMNS
    if column.export is not None
}
"""The columns of an export and their types: those of the case, then those of the run.

``known_solutions``, ``stop``, ``load_ns`` and ``first_ns`` may be null, which is empty in CSV.
``givens`` is their number. ``started_s`` is in seconds since 1970.
"""

_figures = attrgetter(*(column.path for column in _RUN))

_BATCH = 20_000
"""Runs written at a time; they take 20 MB of memory."""


def export(
    entries: Iterable[Case | Record],
    path: Path,
    *,
    force: bool = False,
    spreadsheet: bool = False,
    names: Mapping[str, str] | None = None,
) -> int:
    """Write all runs to a file, as CSV or as Parquet by its suffix; return their number.

    Args:
        entries: cases and runs, each case before its runs, as `read_journal` yields them.
        path: file that ends in ``.csv`` (as RFC 4180 defines it: UTF-8, lines end in CR LF) or
            ``.parquet``.
        force: whether to replace a file that exists.
        spreadsheet: whether texts in CSV that spreadsheets would run are escaped by
            `unidoku.support.text.no_formula`.
        names: short names of backends by label, which are written in place of the labels.

    Raises:
        InputError: the suffix is another one, or pyarrow is missing for Parquet.
        OutputError: the file exists or cannot be written.
        FormatError: an entry cannot be read.
    """
    if names:
        entries = (_renamed(entry, names) for entry in entries)
    with new_file(path, force=force, endings=ENDINGS) as file:
        if ending_of(path) == ".parquet":
            return _write_parquet(entries, file)
        return _write_csv(entries, file, spreadsheet)


def _renamed(entry: Case | Record, names: Mapping[str, str]) -> Case | Record:
    """Return a record with the short name of its backend; anything else as it is."""
    if isinstance(entry, Case) or entry.backend not in names:
        return entry
    return replace(entry, backend=names[entry.backend])


def _write_csv(entries: Iterable[Case | Record], file: BinaryIO, spreadsheet: bool) -> int:
    total = 0
    text = TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for batch in _batches(entries):
        writer.writerows((map(no_formula, row) for row in batch) if spreadsheet else batch)
        total += len(batch)
    text.detach()
    return total


def _write_parquet(entries: Iterable[Case | Record], file: BinaryIO) -> int:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise not_installed("Parquet, unlike CSV, needs pyarrow", command("parquet")) from error
    types = {"text": pa.string(), "int": pa.int64(), "float": pa.float64()}
    schema = pa.schema([(name, types[kind]) for name, kind in COLUMNS.items()])
    total = 0
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in _batches(entries):
            columns = [
                pa.array(column, type=field.type)
                for column, field in zip(zip(*batch, strict=True), schema, strict=True)
            ]
            writer.write_batch(pa.record_batch(columns, schema=schema))
            total += len(batch)
    return total


def _batches(entries: Iterable[Case | Record]) -> Iterator[list[Row]]:
    rows = _rows(entries)
    while batch := list(islice(rows, _BATCH)):
        yield batch


def _rows(entries: Iterable[Case | Record]) -> Iterator[Row]:
    cases: dict[str, Row] = {}
    for entry in entries:
        if isinstance(entry, Case):
            cases[entry.id] = _of_case(entry)
        else:
            yield cases[entry.case] + _of_record(entry)


def _of_case(case: Case) -> Row:
    board = case.board
    givens = sum(map(bool, board.givens))
    layout = board.layout
    return (case.id, case.name, case.source, layout.name, layout.n, givens, case.solutions)


def _of_record(record: Record) -> Row:
    values = zip(_figures(record), _RUN, strict=True)
    return tuple(_cell(value, column.export == "json") for value, column in values)


def _cell(value: Any, as_json: bool) -> Cell:
    plain: Cell = value.value if isinstance(value, Enum) else value
    return _json(value) if as_json else plain


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
