"""Export: all runs as one flat table, for spreadsheets, data frames and databases.

The journal stays the record; an export repeats each case's facts in each of its runs, so that no
table needs to be joined. Runs are written as they are read, so that memory grows with the number
of cases only.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, TypeAlias

from unidoku.comparison.cases import Case
from unidoku.comparison.record import COLUMNS as RUN_COLUMNS
from unidoku.comparison.record import Record
from unidoku.errors import InputError
from unidoku.extras import command, not_installed

__all__ = ["COLUMNS", "export"]

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
"""Runs written at a time; 20 MB of memory."""


def export(entries: Iterable[Case | Record], path: Path) -> int:
    """Write all runs to a new file, as CSV or as Parquet by its suffix; return their number.

    Args:
        entries: cases and runs, each case ahead of its runs, as `read_journal` yields them.
        path: ends in ``.csv`` (as RFC 4180 defines it: UTF-8, lines end in CR LF) or ``.parquet``.

    Raises:
        InputError: another suffix; the file exists or cannot be written; Parquet without pyarrow.
        FormatError: the entries raise it.
    """
    match path.suffix.lower():
        case ".csv":
            return _export_csv(entries, path)
        case ".parquet":
            return _export_parquet(entries, path)
    raise InputError(f"{path}: expected a file name that ends in .csv or .parquet")


def _export_csv(entries: Iterable[Case | Record], path: Path) -> int:
    total = 0
    with _new_file(path), path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for batch in _batches(entries):
            writer.writerows(batch)
            total += len(batch)
    return total


def _export_parquet(entries: Iterable[Case | Record], path: Path) -> int:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise not_installed(
            f"{path}: Parquet, unlike CSV, needs pyarrow", command("parquet")
        ) from error
    types = {"text": pa.string(), "int": pa.int64(), "float": pa.float64()}
    schema = pa.schema([(name, types[kind]) for name, kind in COLUMNS.items()])
    total = 0
    with _new_file(path), parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in _batches(entries):
            columns = [
                pa.array(column, type=field.type)
                for column, field in zip(zip(*batch, strict=True), schema, strict=True)
            ]
            writer.write_batch(pa.record_batch(columns, schema=schema))
            total += len(batch)
    return total


@contextmanager
def _new_file(path: Path) -> Iterator[None]:
    """Make a file; remove it if the body of the ``with`` cannot complete it."""
    try:
        path.open("xb").close()
    except FileExistsError:
        raise InputError(f"{path} exists; name a new file, or remove it") from None
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error}") from error
    try:
        yield
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(f"{path} cannot be written: {error}") from error
        raise


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
    shown: Cell = value.value if isinstance(value, Enum) else value
    return _json(value) if as_json else shown


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
