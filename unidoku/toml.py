"""TOML: files with known keys, read and checked with messages that name file and key; and text."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unidoku.errors import SettingsError, nearest, reason
from unidoku.kinds import Kind

__all__ = ["check_table", "read_toml", "toml_lines", "toml_value"]


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        SettingsError: the file is missing, not text, or not TOML; the message names the line.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {reason(error)}") from error
    except (ValueError, RecursionError) as error:
        # Besides its own ValueError, tomllib lets through those of ints and of nesting.
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
    held = {key: value for key, value in table.items() if value is not None}
    return [f"{_key(key)} = {toml_value(value)}" for key, value in held.items()]


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
    # TOML wants the one control character escaped that JSON leaves alone.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
