"""Programs that files declare: tables ``[programs.NAME]`` of settings and of comparisons."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Any

from unidoku.errors import InputError, SettingsError, nearest
from unidoku.support.schema import TABLE, TEXT, YES_NO, listed_of, whole
from unidoku.support.toml import check_table

if TYPE_CHECKING:
    from unidoku.backends.programs.spec import ProgramSpec

KEYS = {"language": TEXT, "command": TEXT, "version": TEXT, "install": TEXT, "max_sum": whole(1)}
"""The keys of a table; the first two are required."""

READER_KEYS = {
    **KEYS,
    "input": TEXT,
    "answers": TEXT,
    "complete": YES_NO,
    "max_solutions": whole(1),
    "variant": TEXT,
    "sizes": listed_of(whole(1, bits=8)),
}
"""The keys of a table of a program that reads boards."""


def programs_of(
    table: object, where: str, folder: str, *, used: Container[str] = ()
) -> dict[str, ProgramSpec]:
    """Return the rows of a table of programs.

    Args:
        table: the programs by their names.
        where: name of the file, for messages.
        folder: folder that names of files in the commands are relative to.
        used: names that are already used.

    Raises:
        SettingsError: a name or a table is not valid, or a name is already used.
    """
    checked = check_table(
        table, dict.fromkeys(table, TABLE) if isinstance(table, dict) else {}, where
    )
    for name in checked:
        if name in used:
            raise SettingsError(
                f"{where}: programs.{name}: the name is taken by a built-in backend; choose another"
            )
    return {name: _row(name, program, where, folder) for name, program in checked.items()}


def _row(name: str, table: Mapping[str, Any], where: str, folder: str) -> ProgramSpec:
    # Slow to import, and few have any.
    from unidoku.backends.languages.catalogue import LANGUAGES
    from unidoku.backends.programs.reader_spec import READER_LANGUAGES, ReaderSpec
    from unidoku.backends.programs.spec import ProgramSpec

    table_name = f"{where}: programs.{name}"
    if not re.fullmatch(r"\w[\w.+-]*", name):
        raise SettingsError(f"{table_name}: expected a name of letters, digits and ._+-")
    reads_boards = table.get("language") in READER_LANGUAGES
    if not reads_boards and (others := (READER_KEYS.keys() - KEYS.keys()) & table.keys()):
        languages = " or ".join(READER_LANGUAGES)
        raise SettingsError(
            f"{table_name}: {min(others)}: expected no such key with language = "
            f"{table.get('language')!r}; it is for {languages}"
        )
    check_table(table, READER_KEYS if reads_boards else KEYS, table_name)
    for key in ("language", "command"):
        if key not in table:
            raise SettingsError(
                f"{table_name}: expected the key {key!r}, got {', '.join(table) or 'none'}"
            )
    try:
        if reads_boards:
            return ReaderSpec.declared(name, **table, folder=folder)
        if table["language"] not in LANGUAGES:
            known = (*READER_LANGUAGES, *LANGUAGES)
            raise InputError(
                f"expected a language, got {table['language']!r}; "
                f"{nearest(table['language'], known)}"
            )
        return ProgramSpec.of(name, **table, folder=folder)
    except InputError as error:
        raise SettingsError(f"{table_name}: {error}") from error
