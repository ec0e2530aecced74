"""The settings files that hold in a folder: which they are, and what they say, unchecked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from unidoku.support.toml import read_toml
from unidoku.support.user_dirs import settings_file


@dataclass(frozen=True, slots=True)
class SettingsSource:
    """A file, or a part of one, with settings.

    Args:
        name: name in messages.
        file: the file.
        table: its contents, unchecked.
        own: whether it is the user's own file, rather than one of a folder.
    """

    name: str
    file: Path
    table: Any
    own: bool = False

    @property
    def folder(self) -> Path:
        """The file's folder, to which names of files in it are relative."""
        return self.file.parent


def settings_tables(folder: Path) -> Iterator[SettingsSource]:
    """Yield the sources of settings for a folder, the least important first.

    Raises:
        SettingsError: a file cannot be read.
    """
    if (users := settings_file()) is not None:
        yield SettingsSource(str(users), users.absolute(), _read_unchanged(users), True)
    folders = [folder.absolute(), *folder.absolute().parents]
    for parent in folders:
        path = parent / "pyproject.toml"
        if path.is_file():
            tool = _read_unchanged(path).get("tool", {})
            if isinstance(tool, dict) and "unidoku" in tool:
                yield SettingsSource(f"{path} [tool.unidoku]", path, tool["unidoku"])
                break
    for parent in folders:
        path = parent / "unidoku.toml"
        if path.is_file():
            if users is None or path != users.absolute():
                yield SettingsSource(str(path), path, _read_unchanged(path))
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
