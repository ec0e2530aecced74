"""Unidoku's own puzzle files, in TOML or JSON: any layout, any rules, several puzzles in a file.

The schema is in docs/puzzle-files.md; `unidoku.formats.toml.table` defines its keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unidoku.errors import FormatError
from unidoku.formats.losses import Written
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.toml.table import puzzle_from_table
from unidoku.formats.toml.text import table_of_puzzle
from unidoku.support.schema import TABLE, WHOLE, Kind, listed_of, misfit, shown
from unidoku.support.toml import parse_toml, toml_lines, toml_value

VERSION = 1
"""Version of the schema, which a file states in its key ``version``."""

_SEVERAL: Mapping[str, Kind] = {"version": WHOLE, "puzzles": listed_of(TABLE)}

_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*puzzles[ \t]*\]\]", re.MULTILINE)


def read_toml(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    r"""Yield the puzzles in a file in TOML.

    >>> text = 'version = 1\nvariant = "latin"\nsize = 2\ngivens = "1..."'
    >>> [puzzle.board.text("line") for puzzle in read_toml(text)]
    ['1...']

    Raises:
        FormatError: it is not TOML, or not a puzzle file; the message names the puzzle and the key.
    """
    try:
        table = parse_toml(text)
    except ValueError as error:
        raise FormatError(f"expected a puzzle file in TOML: {error}") from error
    starts = [text.count("\n", 0, header.start()) + 1 for header in _HEADER.finditer(text)]
    yield from _puzzles(table, starts)


def read_json(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzles in a file in JSON, which has the same keys as TOML.

    Raises:
        FormatError: as `read_toml`.
    """
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"expected a puzzle file in JSON: {error}") from error
    yield from _puzzles(table, [])


def _puzzles(table: object, starts: list[int]) -> Iterator[Puzzle]:
    """Yield the puzzles of a whole file; messages state the line of a puzzle if it is known."""
    if not isinstance(table, dict):
        raise FormatError(f"expected a table of a puzzle's keys, got {shown(table)}")
    if (version := table.get("version")) != VERSION or version is True:
        got = "none; begin it with that line" if version is None else shown(version)
        raise FormatError(f"expected a puzzle file with version = {VERSION}, got {got}")
    contents = {key: value for key, value in table.items() if key != "version"}
    if "puzzles" not in contents:
        yield puzzle_from_table(contents, 1)
        return
    if wrong := misfit(table, _SEVERAL):
        raise FormatError(wrong)
    parts = contents["puzzles"]
    if not parts:
        raise FormatError("expected a puzzle, got a file without any")
    lines = starts if len(starts) == len(parts) else [1] * len(parts)
    for number, (part, line) in enumerate(zip(parts, lines, strict=True), start=1):
        try:
            yield puzzle_from_table(part, line)
        except FormatError as error:
            name = part.get("name")
            called = f"puzzle {number}" + (f" ({name})" if isinstance(name, str) else "")
            raise FormatError(f"{called}: {error}", line if line > 1 else 0) from error


def write_toml(puzzles: Sequence[Puzzle]) -> Written:
    """Return puzzles as a file in TOML, which `read_toml` can read.

    Raises:
        InputError: a rule has no written form.
    """
    tables = [table_of_puzzle(puzzle) for puzzle in puzzles]
    parts = [f"version = {VERSION}"]
    for table in tables:
        head = [] if len(tables) == 1 else ["", "[[puzzles]]"]
        parts += [
            *head,
            *(line for key, value in table.items() for line in lines_of_key(key, value)),
        ]
    return Written("\n".join(parts))


def write_json(puzzles: Sequence[Puzzle]) -> Written:
    """Return puzzles as a file in JSON, which `read_json` can read.

    Raises:
        InputError: a rule has no written form.
    """
    tables = [table_of_puzzle(puzzle) for puzzle in puzzles]
    table = tables[0] if len(tables) == 1 else {"puzzles": tables}
    text = json.dumps({"version": VERSION, **table}, ensure_ascii=False, indent=1)
    escaped = (
        symbol if symbol.isprintable() or symbol == "\n" else json.dumps(symbol)[1:-1]
        for symbol in text
    )
    return Written("".join(escaped))


def lines_of_key(key: str, value: Any) -> list[str]:
    """Return the lines of a key in TOML: one for each row of a grid or part of a list of tables."""
    if isinstance(value, str) and "\n" in value and _PLAIN.fullmatch(value):
        return [f'{key} = """', f'{value}"""']
    if isinstance(value, list) and any(isinstance(part, dict) for part in value):
        return [f"{key} = [", *(f"    {toml_value(part)}," for part in value), "]"]
    return toml_lines({key: value})


_PLAIN = re.compile(r'[^"\\\x00-\x09\x0b-\x1f\x7f]*')
"""Texts that need no escapes in several lines."""
