"""The lines of a journal: tables of JSON, and the kind of each field.

A line that is not JSON is torn: a writer was killed while it wrote the line, or two writers mixed
their lines. A line of JSON that does not fit was edited, or written by another version.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from unidoku.comparison.cases import Case
from unidoku.comparison.config import PLAN, PLAN_REQUIRED
from unidoku.comparison.environment import COMPUTED_WITH
from unidoku.comparison.record import COLUMNS, DIGEST, Record, record_from_table, table_of_record
from unidoku.core.portable import board_from_table, table_of_board
from unidoku.errors import FormatError
from unidoku.support.schema import (
    NUMBERS,
    PLAIN_TABLE,
    TABLE,
    TEXT,
    WHOLE,
    Kind,
    misfit,
    or_null,
    whole,
)

SCHEMA = 1
"""Version of the lines; version 1 has header, case, run and end."""

FRONT = b'{"type":"header",'
"""The beginning of every journal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line of a journal.

    Args:
        plan: the plan; see `ComparisonPlan.plan_table`.
        environment: the machine and the versions; see `unidoku.comparison.environment`.
    """

    plan: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)


Entry: TypeAlias = Case | Record
"""The content of lines after the header."""


class TornError(ValueError):
    """A line is not JSON."""


class OrphanError(FormatError):
    """A line is the record of a run whose case has no earlier line in the journal."""


def line_of(table: Mapping[str, Any]) -> bytes:
    """Return a table as a line; unpaired surrogates, which UTF-8 lacks, become ``?``."""
    text = json.dumps(table, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "replace") + b"\n"


def table_of_line(line: bytes) -> dict[str, Any]:
    """Return the table of a line.

    Raises:
        TornError: the line is not JSON.
        FormatError: the line is JSON, but not a table with a type.
    """
    try:
        table = json.loads(line.decode("utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise TornError(str(error)) from error
    except (ValueError, RecursionError) as error:  # a number of 5000 digits, 10,000 brackets
        raise FormatError(f"expected a line of a journal: {error}") from error
    if not TABLE.holds(table) or not TEXT.holds(table.get("type")):
        raise FormatError("expected a line of a journal, which has a type")
    return dict(table)


def table_of_header(header: Header) -> dict[str, Any]:
    """Return the header as a table."""
    return {"type": "header", "schema": SCHEMA, "plan": header.plan} | {
        "environment": header.environment
    }


def header_of(table: dict[str, Any]) -> Header:
    """Return the header of a table.

    Raises:
        FormatError: the table does not fit this version; the message names the field.
    """
    if table.pop("type") != "header":
        raise FormatError("expected a journal of unidoku compare, which begins with a header")
    if table.get("schema") != SCHEMA:
        raise FormatError(
            f"expected schema {SCHEMA}, got {table.get('schema')!r}; "
            "read it with the version of unidoku that wrote it"
        )
    _check(table, _HEADER, _HEADER)
    _check(table["plan"], PLAN, PLAN_REQUIRED, "plan: ")
    computed = {
        name: entry for name, entry in table["environment"].items() if name in COMPUTED_WITH
    }
    _check(computed, COMPUTED_WITH, (), "environment: ")
    return Header(plan=table["plan"], environment=table["environment"])


def table_of_case(case: Case) -> dict[str, Any]:
    """Return the case as a table."""
    line: dict[str, Any] = {"type": "case", "id": case.id, "name": case.name}
    line |= {"source": case.source, "solutions": case.solutions}
    if case.numbers:
        line["numbers"] = dict(case.numbers)
    return line | {"board": table_of_board(case.board)}


def table_of_run(record: Record, n: int) -> dict[str, Any]:
    """Return the record of a run on a board with n values as a table."""
    return {"type": "run"} | table_of_record(record, n)


def tables_of(entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    """Yield the tables of cases and records, each case before its records."""
    sizes: dict[str, int] = {}
    for entry in entries:
        if isinstance(entry, Case):
            sizes[entry.id] = entry.board.layout.n
            yield table_of_case(entry)
        else:
            yield table_of_run(entry, sizes[entry.case])


def entry_of(table: dict[str, Any], sizes: Mapping[str, int]) -> Entry | None:
    """Return the case or record of a table after the header; None for the closing line.

    Args:
        table: the table of a line.
        sizes: number of values of each case so far, by its id.

    Raises:
        OrphanError: it is a run, and its case is not among those.
        FormatError: the table does not fit this version; the message names the field.
    """
    match table.pop("type"):
        case "case":
            _check(table, _CASE, _CASE_REQUIRED)
            return _case(table)
        case "run":
            _check(table, _RUN, _RUN_REQUIRED)
            if (size := sizes.get(table["case"])) is None:
                raise OrphanError(f"expected the board {table['case']} in a line above")
            return record_from_table(table, size)
        case "end":
            _check(table, _END, _END)
            return None
        case other:
            raise FormatError(
                f"expected a line of the type case, run or end, got {other!r}; "
                "a later version of unidoku may have written it"
            )


def _case(table: Mapping[str, Any]) -> Case:
    try:
        board = board_from_table(table["board"])
    except FormatError as error:
        raise FormatError(f"board: {error.message}") from error
    case = Case(
        board=board,
        name=table["name"],
        source=table["source"],
        solutions=table["solutions"],
        numbers=table.get("numbers", {}),
    )
    if case.id != table["id"]:
        raise FormatError(f"field 'id': expected {case.id}, which the board has, got {table['id']}")
    return case


def _check(
    table: Mapping[str, Any], kinds: Mapping[str, Kind], required: Any, where: str = ""
) -> None:
    if wrong := misfit(table, kinds, required):
        raise FormatError(where + wrong)


_FACTS = Kind("a table of texts and finite numbers", PLAIN_TABLE.holds)
"""Facts about a machine; most of them are only shown."""

_HEADER = {"schema": WHOLE, "plan": TABLE, "environment": _FACTS}

_END = {"environment": _FACTS}

_CASE = {
    "id": DIGEST,
    "name": TEXT,
    "source": TEXT,
    "solutions": or_null(whole(0)),
    "board": TABLE,
    "numbers": NUMBERS,
}

_CASE_REQUIRED = tuple(name for name in _CASE if name != "numbers")

_RUN = {column.name: column.kind for column in COLUMNS}

_RUN_REQUIRED = ("key", "case", "backend", "round", "outcome")
