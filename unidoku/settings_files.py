"""The settings files that hold in a folder: which they are, and what they say, unchecked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from unidoku.places import settings_file
from unidoku.toml import read_toml

__all__ = ["SettingsSource", "settings_tables"]


@dataclass(frozen=True, slots=True)
class SettingsSource:
    """A file, or a part of one, with settings.

    Args:
        name: name in messages.
        folder: the file's folder.
        table: its contents, unchecked.
    """

    name: str
    folder: Path
    table: Any


def settings_tables(folder: Path) -> Iterator[SettingsSource]:
    """Yield the sources of settings for a folder, the least important first.

    Raises:
        SettingsError: a file cannot be read.
    """
    if (users := settings_file()) is not None:
        yield SettingsSource(str(users), users.absolute().parent, _read_unchanged(users))
    folders = [folder.absolute(), *folder.absolute().parents]
    for parent in folders:
        path = parent / "pyproject.toml"
        if path.is_file():
            tool = _read_unchanged(path).get("tool", {})
            if isinstance(tool, dict) and "unidoku" in tool:
                yield SettingsSource(f"{path} [tool.unidoku]", parent, tool["unidoku"])
                break
    for parent in folders:
        path = parent / "unidoku.toml"
        if path.is_file():
            yield SettingsSource(str(path), parent, _read_unchanged(path))
            break


def _read_unchanged(path: Path) -> dict[str, Any]:
    """Return a file's table; the file is read again only if it has changed."""
    try:
        status = path.stat()
    except OSError:
        return read_toml(path)  # it says what is wrong
    return _read_version(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=32)
def _read_version(path: Path, _time: int, _size: int) -> dict[str, Any]:
    return read_toml(path)
