"""Settings: the backend with its options and limits, and the source of each setting.

The first source that has a setting wins: the argument of a call or command, the environment
(``UNIDOKU_BACKEND``), ``unidoku.toml`` in the working folder or a parent, ``[tool.unidoku]`` in
``pyproject.toml`` there, the user's own ``unidoku.toml`` (`unidoku.support.user_dirs`), the
default.

Commands read the settings; calls of the library do so only through `unidoku.configured`. What a
file of a folder would start or import has no effect unless the user trusts it
(`unidoku.support.trust`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unidoku.backends import BUILT_IN, find
from unidoku.backends.base import Request
from unidoku.backends.options import parse_label
from unidoku.backends.programs.declared import programs_of
from unidoku.backends.reach import reaches, starts_of
from unidoku.errors import InputError, OptionError, SettingsError, UnknownBackendError
from unidoku.support.language import ENGLISH, LANGUAGES
from unidoku.support.logs import logger
from unidoku.support.naming import naming
from unidoku.support.notation import BY_LETTER, NOTATIONS
from unidoku.support.schema import NUMBER, TABLE, TEXT, Kind
from unidoku.support.text import listed
from unidoku.support.toml import check_table, read_toml
from unidoku.support.trust import Launch, is_trusted, to_type
from unidoku.support.user_dirs import settings_file

if TYPE_CHECKING:
    from unidoku.backends.programs.spec import ProgramSpec

_LOG = logger(__name__)

DEFAULT_BACKEND = "auto"

_LANGUAGE = Kind(listed(map(repr, LANGUAGES), "or"), lambda value: value in LANGUAGES)
_NOTATION = Kind(listed(map(repr, NOTATIONS), "or"), lambda value: value in NOTATIONS)

_PLAIN: Mapping[str, Kind] = {
    "backend": TEXT,
    "time_limit": NUMBER,
    "names": _NOTATION,
    "language": _LANGUAGE,
}
"""Settings that are one value, and its kind."""

BACKEND_VARIABLE = "UNIDOKU_BACKEND"
"""The environment variable that names the backend where no argument does."""


def default_label() -> str:
    """Return the label of the backend where neither an argument nor a file names one."""
    return os.environ.get(BACKEND_VARIABLE) or DEFAULT_BACKEND


@dataclass(frozen=True, slots=True)
class Setting:
    """A value in force and its source.

    Args:
        value: the value.
        source: name of the file or variable.
        folder: folder of the file, None for other sources.
    """

    value: Any
    source: str
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Ignored:
    """What a file may not start, because the user does not trust it: see `unidoku.support.trust`.

    Args:
        source: name of the file, or of its part.
        file: the file.
        starts: what it would start.
        names: the settings without effect: ``backend``, and names of backends and programs.
    """

    source: str
    file: Path
    starts: tuple[Launch, ...]
    names: frozenset[str]

    def __str__(self) -> str:
        """Name it, and what to type."""
        return to_type(self.source, self.file.parent, self.starts)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force.

    Args:
        backend: label of the backend to use.
        time_limit: seconds for each search; None for no limit.
        names: the notation of cells, one of `NOTATIONS`.
        language: the language of texts for people, one of `LANGUAGES`.
        options: options of each backend that a file names.
        programs: command of each program that a file makes a backend.
        program_rows: the rows of these programs in the catalogue.
        ignored: what has no effect because the user does not trust it.
    """

    backend: Setting
    time_limit: Setting
    names: Setting = Setting(BY_LETTER, "default")
    language: Setting = Setting(ENGLISH, "default")
    options: Mapping[str, Mapping[str, Setting]] = field(default_factory=dict)
    programs: Mapping[str, Setting] = field(default_factory=dict)
    program_rows: Mapping[str, ProgramSpec] = field(default_factory=dict)
    ignored: tuple[Ignored, ...] = ()

    def granted(self, name: str) -> Settings:
        """Return the settings after asking for consent to what a setting needs.

        Args:
            name: ``backend``, or the name of a backend or a program.
        """
        refused = self.ignored_at(name)
        if refused and all(
            is_trusted(entry.source, entry.file.parent, entry.starts, asking=True)
            for entry in refused
        ):
            return read_settings()
        return self

    def ignored_at(self, name: str) -> list[Ignored]:
        """Return why a setting has no effect; the name is as for `granted`."""
        return [entry for entry in self.ignored if name in entry.names]

    def programs_named(self, name: str = "") -> Mapping[str, ProgramSpec]:
        """Return the rows of the programs.

        Raises:
            SettingsError: the name is one of an ignored program.
        """
        for entry in self.ignored_at(name):
            if name not in BUILT_IN:
                raise SettingsError(str(entry))
        return self.program_rows

    def options_of(self, name: str) -> dict[str, Any]:
        """Return the options of a backend in the files."""
        return {key: setting.value for key, setting in self.options.get(name, {}).items()}

    def rows(self) -> Iterator[tuple[str, Setting]]:
        """Yield each setting with its name in a file."""
        for name in _PLAIN:
            yield name, getattr(self, name)
        for name, options in self.options.items():
            for key, setting in options.items():
                yield f"backends.{name}.{key}", setting
        for name, setting in self.programs.items():
            yield f"programs.{name}.command", setting


def read_settings(folder: Path | None = None) -> Settings:
    """Read the settings in force in a folder, without what files would start and nobody trusts.

    Args:
        folder: the folder, None for the working folder.

    Raises:
        SettingsError: a file cannot be read, has an unknown key or backend, or a value of the
            wrong type.
    """
    settings = Settings(Setting(DEFAULT_BACKEND, "default"), Setting(None, "default"))
    # The least important source first, so that the others overwrite it.
    for origin in settings_tables(folder or Path.cwd()):
        settings = _with_source(settings, origin)
    if label := os.environ.get(BACKEND_VARIABLE):
        source = f"environment variable {BACKEND_VARIABLE}"
        with naming(settings.programs_named):
            _check_backend(source, label)
        settings = replace(settings, backend=Setting(label, source))
    return settings


def programs_in_force(name: str) -> Mapping[str, ProgramSpec]:
    """Return the rows of the programs that the settings of the working folder declare.

    Args:
        name: the name that is looked up; consent is asked to start this program.

    Raises:
        SettingsError: as for `read_settings`, or the program of this name is not trusted.
    """
    return read_settings().granted(name).programs_named(name)


@dataclass(frozen=True, slots=True)
class SettingsSource:
    """A file, or a part of one, with settings.

    Args:
        name: name in messages: the path, with the table for a part of a file.
        file: the file.
        table: its contents, unchecked.
        is_users: whether it is the file in the user's settings folder, not one of a working folder.
    """

    name: str
    file: Path
    table: Any
    is_users: bool = False

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
        yield SettingsSource(str(users), users.absolute(), _read_unchanged(users), is_users=True)
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


def _with_source(before: Settings, origin: SettingsSource) -> Settings:
    """Return the settings with those of a source, which overwrite the others."""
    source, home = origin.name, origin.folder
    with naming(before.programs_named, home):
        table, ignored = _trusted_part(origin, _checked(origin))
    for part in ignored:
        _LOG.info("ignored: %s", part)
    declared = table.get("programs", {})
    rows = {**before.program_rows, **programs_of(declared, source, str(home), used=BUILT_IN)}
    settings = replace(before, program_rows=rows, ignored=(*before.ignored, *ignored))
    options = {name: dict(given) for name, given in before.options.items()}
    with naming(settings.programs_named, home):
        _check_backend(source, table.get("backend", DEFAULT_BACKEND))
        for name, given in table.get("backends", {}).items():
            _check_backend(source, name)
            options.setdefault(name, {}).update(
                {key: Setting(value, source, home) for key, value in given.items()}
            )
    commands = {name: Setting(row["command"], source, home) for name, row in declared.items()}
    settings = replace(settings, options=options, programs={**before.programs, **commands})
    changed: Any = {name: Setting(table[name], source, home) for name in _PLAIN if name in table}
    return replace(settings, **changed)


def _checked(source: SettingsSource) -> dict[str, Any]:
    """Return a source's table if its keys and values are of the right kinds."""
    kinds = {**_PLAIN, "backends": TABLE, "programs": TABLE}
    checked = check_table(source.table, kinds, source.name)
    try:
        Request(time_limit=checked.get("time_limit"))
    except InputError as error:
        raise SettingsError(f"{source.name}: {error}") from error
    for name, options in checked.get("backends", {}).items():
        if not isinstance(options, dict):
            raise SettingsError(
                f"{source.name}: backends.{name}: expected a table, got {options!r}"
            )
    programs_of(checked.get("programs", {}), source.name, str(source.folder), used=BUILT_IN)
    return checked


def _trusted_part(
    source: SettingsSource, table: dict[str, Any]
) -> tuple[dict[str, Any], tuple[Ignored, ...]]:
    """Return a table without what may not be started, and what that is."""
    programs = table.get("programs", {})
    named: dict[str, tuple[str, Mapping[str, Any]]] = {}
    try:
        if "backend" in table:
            named["backend"] = parse_label(table["backend"])
        named |= {name: (name, given) for name, given in table.get("backends", {}).items()}
        reaching = {key for key, given in named.items() if [*reaches(*given, programs)]}
        used = [given for key, given in named.items() if key in reaching]
        starts = starts_of([*used, *((name, {}) for name in programs)], programs)
    except (UnknownBackendError, OptionError) as error:
        raise SettingsError(f"{source.name}: {error}") from error
    if source.is_users or is_trusted(source.name, source.folder, starts):
        return table, ()
    allowed = {
        key: value for key, value in table.items() if key != "backend" or key not in reaching
    }
    for key in ("backends", "programs"):
        rows = allowed.get(key, {})
        allowed[key] = {
            name: row for name, row in rows.items() if name not in {*reaching, *programs}
        }
    names = frozenset({*reaching, *programs})
    return allowed, (Ignored(source.name, source.file, starts, names),)


def _check_backend(source: str, label: str) -> None:
    try:
        find(parse_label(label)[0])
    except (UnknownBackendError, OptionError) as error:
        raise SettingsError(f"{source}: {error}") from error
