"""TOML files with known keys: read, and checked with a message that names file and key."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from unidoku.errors import SettingsError, nearest

__all__ = ["Types", "check_table", "read_toml"]

Types: TypeAlias = Mapping[str, type | tuple[type, type]]
"""The type of each key's value; ``(list, str)`` is a list of texts."""


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        SettingsError: the file is missing, not text, or not TOML; the message names the line.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error
    except (ValueError, RecursionError) as error:
        # Besides its own ValueError, tomllib lets through those of ints and of nesting.
        raise SettingsError(f"{path} is not TOML: {error}") from error


def check_table(table: object, types: Types, where: str) -> dict[str, Any]:
    """Check a table of a TOML file, and return it.

    Args:
        table: the value read from the file.
        types: the known keys with their types; a ``float`` may be written as an int.
        where: name of the table, with which error messages begin.

    Raises:
        SettingsError: the value is not a table, a key is unknown, or a value has another type.
    """
    if not isinstance(table, dict):
        raise SettingsError(f"{where}: expected a table, got {table!r}")
    for key, value in table.items():
        if key not in types:
            raise SettingsError(f"{where}: unknown key {key!r}; {nearest(key, types)}")
        expected = types[key]
        outer, inner = expected if isinstance(expected, tuple) else (expected, None)
        fits = _is(value, outer) and (inner is None or all(_is(part, inner) for part in value))
        if not fits:
            of = f" of {_NAMES[inner]}s" if inner else ""
            raise SettingsError(f"{where}: {key}: expected a {_NAMES[outer]}{of}, got {value!r}")
    return table


_NAMES = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "true or false",
    list: "list",
    dict: "table",
}


def _is(value: object, expected: type) -> bool:
    return type(value) is expected or (expected is float and type(value) is int)
