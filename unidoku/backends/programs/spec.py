"""The row of a program, and the row of the family: any program, described by the label itself."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from threading import Thread
from typing import IO

from unidoku.backends.base import Backend, Capabilities
from unidoku.backends.languages.catalogue import find_language
from unidoku.backends.options import DeclaredOption, checked
from unidoku.backends.programs.adapter import ProgramBackend
from unidoku.backends.programs.command import Command
from unidoku.backends.spec import BackendSpec
from unidoku.core.shapes import Automaton, Or, Region, Relation, Rows, SameValues, Sets, Sum
from unidoku.errors import BackendNotInstalledError, OptionError
from unidoku.extras import advice
from unidoku.process import end_group, start

__all__ = ["FAMILY", "ProgramSpec"]

_SHAPES = frozenset({Relation, Sum, Sets, Automaton, Rows, SameValues, Region, Or})
"""The shapes that every language can express."""

_TARGET = "unidoku.backends.programs.adapter:ProgramBackend"

_VERSION_SECONDS, _VERSION_BYTES = 5.0, 4096
"""The longest that a program may take to print its version, and what is read of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramSpec(BackendSpec):
    """The row of a program, whose command a label may override.

    Args:
        language: language that the program reads; empty if the label names it.
        command: command that runs it, see `Command`; empty if the label gives it.
        version_command: command that prints the version; empty if there is none.
        folder: folder that names of files in the commands are relative to.
    """

    whole: bool = True
    language: str = ""
    command: str = ""
    version_command: str = ""
    folder: str = "."

    @classmethod
    def of(
        cls,
        name: str,
        language: str,
        command: str,
        *,
        version: str = "",
        summary: str = "",
        install: str = "",
        homepage: str = "",
        licence: str = "",
        folder: str = ".",
    ) -> ProgramSpec:
        """Return a row whose capabilities follow from the language and the command.

        Raises:
            InputError: the language is unknown, or the command is not valid.
        """
        find_language(language)
        parsed = Command.parse(command, name, folder)
        Command.split(version, f"{name}: version")
        return cls(
            name=name,
            target=_TARGET,
            summary=summary or f"{parsed.words[0]}, a program that reads {language}",
            capabilities=Capabilities(shapes=_SHAPES, honours=parsed.honours),
            paradigm=f"program, {language}",
            install=install,
            homepage=homepage,
            licence=licence,
            language=language,
            command=command,
            version_command=version,
            folder=folder,
        )

    @property
    def missing(self) -> tuple[str, ...]:
        """The programs that are not installed: the program itself, and MiniZinc if needed."""
        if not self.command:
            return ()
        return _missing(self.language, Command.parse(self.command, self.name, self.folder))

    @property
    def version(self) -> str | None:
        """The version that the program prints, after its name; None if it prints none."""
        if not self.version_command:
            return None
        command = Command(Command.split(self.version_command, self.name), self.folder)
        program, *words = command.typed
        number = _version(program, *words)
        return f"{Path(program).stem} {number}" if number else None

    def factory(self) -> Callable[..., Backend]:
        """Return the function that makes the backend from its options."""
        return partial(_made, self)

    def _importable(self) -> Callable[..., Backend]:
        if self.command:
            _check_there(self, self.language, Command.parse(self.command, self.name, self.folder))
        return self.factory()

    def options(self) -> tuple[DeclaredOption, ...]:
        """Return the options of a program; raise errors as `BackendSpec.options` does."""
        self._importable()
        names = ("command",) if self.command else ("language", "command")
        own = [
            DeclaredOption(name=name, type="str", choices=(), default=getattr(self, name) or None)
            for name in names
        ]
        return (*own, *self.shared_options)


def _made(
    row: ProgramSpec, /, *, command: str | None = None, language: str | None = None
) -> ProgramBackend:
    chosen = _Options(command=command or row.command, language=language or row.language)
    checked(row.name, chosen)
    if row.language and chosen.language != row.language:
        raise OptionError(f"{row.name} reads {row.language}; for another language use program")
    for option in ("language", "command"):
        if not getattr(chosen, option):
            raise OptionError(
                f"{row.name}: expected the option {option!r}, as in "
                'program[language=dimacs,command="cadical {file}"]'
            )
    find_language(chosen.language)
    parsed = Command.parse(chosen.command, row.name, row.folder)
    _check_there(row, chosen.language, parsed)
    return ProgramBackend(row.name, chosen.language, parsed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    command: str
    language: str


def _missing(language: str, command: Command) -> tuple[str, ...]:
    needs = [] if command.is_there else [command.words[0]]
    compiler = Command(("minizinc",), command.folder)
    if language == "flatzinc" and not compiler.is_there:
        needs.append("minizinc")
    return tuple(needs)


def _check_there(row: ProgramSpec, language: str, command: Command) -> None:
    """Raise BackendNotInstalledError if what a command needs is not there."""
    missing = _missing(language, command)
    if command.words[0] in missing and (fault := command.fault):
        raise BackendNotInstalledError(
            f"backend {row.name!r} cannot run {command.words[0]}: {fault}"
        )
    if missing:
        raise BackendNotInstalledError(
            f"backend {row.name!r} needs {', '.join(missing)}, which is not on the PATH; "
            f"{advice(row.install)}"
        )


@lru_cache(maxsize=64)
def _version(*words: str) -> str:
    """Return the first number with a point that a command prints, or its only word."""
    try:
        process = start(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError:
        return ""
    printed: list[bytes] = []
    assert process.stdout is not None
    # A thread, because what it prints may have no end, and so may what it started.
    reader = Thread(target=_read_start, args=(process.stdout, printed), daemon=True)
    try:
        reader.start()
        reader.join(_VERSION_SECONDS)
    finally:
        end_group(process, kill=True)
    reader.join(1.0)  # it still has what was printed before
    said = b"".join(printed).decode(errors="replace").strip()
    found = re.search(r"\d+(?:\.\d+)+", said) or re.fullmatch(r"[\w.+-]{1,20}", said)
    return found[0] if found else ""


def _read_start(output: IO[bytes], printed: list[bytes]) -> None:
    with output:
        printed.append(output.read(_VERSION_BYTES))


FAMILY = ProgramSpec(
    name="program",
    target=_TARGET,
    summary="any program that reads a language of solvers, by its command",
    capabilities=Capabilities(shapes=_SHAPES, honours=frozenset({"time_limit", "seed", "threads"})),
    paradigm="program",
)
"""The row of a program that nobody lists: ``program[language=dimacs,command="…"]``."""
