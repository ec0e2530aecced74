"""Settings: the backend with its options and limits, and the source of each setting.

The first source that has a setting wins: the argument of a call or command, the environment
(``UNIDOKU_BACKEND``), ``unidoku.toml`` in the working folder or a parent, ``[tool.unidoku]`` in
``pyproject.toml`` there, the user's own ``unidoku.toml`` (`unidoku.places`), the default.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unidoku.backends import BUILT_IN, find
from unidoku.backends.base import Request
from unidoku.backends.options import parse_label
from unidoku.backends.programs.declared import programs_of
from unidoku.errors import InputError, OptionError, SettingsError, UnknownBackendError
from unidoku.kinds import NUMBER, TABLE, TEXT
from unidoku.settings_files import SettingsSource, settings_tables
from unidoku.toml import check_table

__all__ = ["DEFAULT_BACKEND", "Setting", "Settings", "read_settings"]

DEFAULT_BACKEND = "auto"


@dataclass(frozen=True, slots=True)
class Setting:
    """A value in force and its source."""

    value: Any
    source: str


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force.

    Args:
        backend: label of the backend to use.
        time_limit: seconds for each search; None for no limit.
        options: options of each backend that a file names.
        programs: command of each program that a file makes a backend.
    """

    backend: Setting
    time_limit: Setting
    options: Mapping[str, Mapping[str, Setting]] = field(default_factory=dict)
    programs: Mapping[str, Setting] = field(default_factory=dict)

    def options_of(self, name: str) -> dict[str, Any]:
        """Return the options of a backend in the files."""
        return {key: setting.value for key, setting in self.options.get(name, {}).items()}

    def rows(self) -> Iterator[tuple[str, Setting]]:
        """Yield each setting with its name in a file."""
        yield "backend", self.backend
        yield "time_limit", self.time_limit
        for name, options in self.options.items():
            for key, setting in options.items():
                yield f"backends.{name}.{key}", setting
        for name, setting in self.programs.items():
            yield f"programs.{name}.command", setting


def read_settings(folder: Path | None = None) -> Settings:
    """Read the settings in force in a folder.

    Args:
        folder: the folder, None for the working folder.

    Raises:
        SettingsError: a file cannot be read, has an unknown key or backend, or a value of the
            wrong type.
    """
    found = {"backend": Setting(DEFAULT_BACKEND, "default"), "time_limit": Setting(None, "default")}
    options: dict[str, dict[str, Setting]] = {}
    programs: dict[str, Setting] = {}
    # The least important source first, so that the others overwrite it.
    for one in settings_tables(folder or Path.cwd()):
        source, table = one.name, one.table
        _check(one)
        found |= {name: Setting(table[name], source) for name in found if name in table}
        for name, given in table.get("backends", {}).items():
            for key, value in given.items():
                options.setdefault(name, {})[key] = Setting(value, source)
        for name, told in table.get("programs", {}).items():
            programs[name] = Setting(told["command"], source)
    if label := os.environ.get("UNIDOKU_BACKEND"):
        source = "environment variable UNIDOKU_BACKEND"
        _check_backend(source, label)
        found["backend"] = Setting(label, source)
    return Settings(**found, options=options, programs=programs)


def _check(one: SettingsSource) -> None:
    kinds = {"backend": TEXT, "time_limit": NUMBER, "backends": TABLE, "programs": TABLE}
    source, checked = one.name, check_table(one.table, kinds, one.name)
    programs_of(checked.get("programs", {}), source, str(one.folder), taken=BUILT_IN)
    _check_backend(source, checked.get("backend", DEFAULT_BACKEND))
    try:
        Request(time_limit=checked.get("time_limit"))
    except InputError as error:
        raise SettingsError(f"{source}: {error}") from error
    for name, options in checked.get("backends", {}).items():
        _check_backend(source, name)
        if not isinstance(options, dict):
            raise SettingsError(f"{source}: backends.{name}: expected a table, got {options!r}")


def _check_backend(source: str, label: str) -> None:
    try:
        find(parse_label(label)[0])
    except (UnknownBackendError, OptionError) as error:
        raise SettingsError(f"{source}: {error}") from error
