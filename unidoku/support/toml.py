"""TOML: files with known keys, read and checked with messages that name file and key; and text."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unidoku.errors import SettingsError, nearest, reason
from unidoku.support.schema import Kind, shown

_LONGEST = 4 << 20
"""The most characters of a text in TOML: `tomllib` takes about a second for each million."""

_DEEPEST = 32
"""The most parts of a key: `tomllib` takes memory by the square of their number."""

_MOST_TABLES = 1 << 17
"""The most parts of keys that may each need a table of their own, which takes a kilobyte."""

_TEXTS_AND_COMMENTS = re.compile(
    r"""(?sm)
    \"{3} (?: [^"\\]++ | \\.? | "(?!"") )*+ (?: "{3,5} | \Z )
    | '{3} (?: [^']++ | '(?!'') )*+ (?: '{3,5} | \Z )
    | " (?: [^"\\\n]++ | \\[^\n]? )*+ (?: " | $ )
    | ' [^'\n]*+ (?: ' | $ )
    | \# [^\n]*+
    """,
    re.VERBOSE,
)
"""Matches as `tomllib` reads them; what is not ended goes on to the end of its line or the text."""

_DEEP_KEY = re.compile(rf'(?<![\w"-])(?:[\w"-]++[ \t]*+\.[ \t]*+){{{_DEEPEST}}}')
_OWN_TABLE = re.compile(r"\.|^[ \t]*+\[|=[ \t]*+[\[{]", re.MULTILINE)

_OF_BACKSLASHES = re.compile(r"Unescaped '\\' in a string|Invalid hex value")
"""The beginnings of the messages of `tomllib` about a path of Windows in double quotes."""


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table of a text in TOML, in little memory: 150 MB, whatever the text.

    Raises:
        ValueError: the text is not TOML, or has keys of too many parts, or is too long.
    """
    if len(text) > _LONGEST:
        raise ValueError(
            f"expected at most {_LONGEST:,} characters, got {len(text):,}; split the file"
        )
    bare = _TEXTS_AND_COMMENTS.sub('"', text)
    if deep := _DEEP_KEY.search(bare):
        raise ValueError(f"expected keys of at most {_DEEPEST} parts, got {shown(deep[0])}")
    tables = sum(1 for _ in _OWN_TABLE.finditer(bare))
    if tables > _MOST_TABLES:
        message = f"expected at most {_MOST_TABLES:,} tables, got {tables:,}"
        raise ValueError(f"{message}; split the file")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("expected lists and tables nested less deeply") from None
    except tomllib.TOMLDecodeError as error:
        if not _OF_BACKSLASHES.match(str(error)):
            raise
        advice = r"write a text with \ in single quotes, such as 'C:\boards.txt'"
        raise ValueError(f"{error}; {advice}") from None


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        SettingsError: the file is missing, not text, or not TOML; the message names the line.
    """
    try:
        return parse_toml(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {reason(error)}") from error
    except ValueError as error:
        raise SettingsError(f"{path} is not TOML: {error}") from error


def check_table(table: object, kinds: Mapping[str, Kind], where: str) -> dict[str, Any]:
    """Check a table of a TOML file, and return it.

    Args:
        table: the value read from the file.
        kinds: the known keys, and what each may be.
        where: name of the table, with which error messages begin.

    Raises:
        SettingsError: the value is not a table, a key is unknown, or a value is of another kind.
    """
    if not isinstance(table, dict):
        raise SettingsError(f"{where}: expected a table, got {table!r}")
    for key, value in table.items():
        if key not in kinds:
            raise SettingsError(f"{where}: unknown key {key!r}; {nearest(key, kinds)}")
        if not kinds[key].holds(value):
            raise SettingsError(f"{where}: {key}: expected {kinds[key]}, got {value!r}")
    return table


def toml_lines(table: Mapping[str, Any]) -> list[str]:
    """Return a table in TOML, one line for each key; TOML has no null, so None is left out.

    >>> toml_lines({"n": 4, "shape": [2, 2], "total": None, "at": {"row A": 1}})
    ['n = 4', 'shape = [2, 2]', 'at = { "row A" = 1 }']
    """
    values = {key: value for key, value in table.items() if value is not None}
    return [f"{_key(key)} = {toml_value(value)}" for key, value in values.items()]


def toml_value(value: Any) -> str:
    """Return a value in TOML, of which JSON's numbers, texts and lists are a part."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(toml_lines(value))} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _key(text: str) -> str:
    return text if re.fullmatch("[A-Za-z0-9_-]+", text) else _text(text)


def _text(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    # JSON leaves some control characters as they are, and its escapes differ above four digits.
    return "".join(
        character if character.isprintable() else f"\\U{ord(character):08X}" for character in quoted
    )
