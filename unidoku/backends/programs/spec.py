"""The row of a program, and the row of the family: any program, described by the label itself."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from unidoku.backends.base import Backend, Capabilities
from unidoku.backends.languages.catalogue import find_language
from unidoku.backends.options import DeclaredOption, checked
from unidoku.backends.programs.adapter import ProgramBackend
from unidoku.backends.programs.command import Command
from unidoku.backends.spec import BackendSpec
from unidoku.core.shapes import Automaton, Or, Region, Relation, Rows, SameValues, Sets, Sum
from unidoku.errors import BackendNotInstalledError, OptionError
from unidoku.extras import advice

__all__ = ["FAMILY", "ProgramSpec"]

_SHAPES = frozenset({Relation, Sum, Sets, Automaton, Rows, SameValues, Region, Or})
"""The shapes that every language can express."""

_TARGET = "unidoku.backends.programs.adapter:ProgramBackend"

_VERSION_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramSpec(BackendSpec):
    """The row of a program, whose command a label may override.

    Args:
        language: language that the program reads; empty if the label names it.
        command: command that runs it, see `Command`; empty if the label gives it.
        version_command: command that prints the version; empty if there is none.
        folder: folder that names of files in the commands are relative to.
    """

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
        program, *words = Command(tuple(self.version_command.split()), self.folder).typed
        number = _version(program, *words)
        return f"{Path(program).stem} {number}" if number else None

    def factory(self) -> Callable[..., Backend]:
        """Return the function that makes the backend from its options."""
        return partial(_made, self)

    def options(self) -> tuple[DeclaredOption, ...]:
        """Return the options of a program; raise errors as `BackendSpec.options` does."""
        BackendSpec._importable(self)
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
    if missing := _missing(chosen.language, parsed):
        raise BackendNotInstalledError(
            f"backend {row.name!r} needs {', '.join(missing)}, which is not on the PATH; "
            f"{advice(row.install)}"
        )
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


@lru_cache(maxsize=64)
def _version(*words: str) -> str:
    """Return the first number with a point that a command prints, or its only word."""
    try:
        ran = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_VERSION_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    said = ran.stdout[:4096].decode(errors="replace").strip()
    found = re.search(r"\d+(?:\.\d+)+", said) or re.fullmatch(r"[\w.+-]{1,20}", said)
    return found[0] if found else ""


FAMILY = ProgramSpec(
    name="program",
    target=_TARGET,
    summary="any program that reads a language of solvers, by its command",
    capabilities=Capabilities(shapes=_SHAPES, honours=frozenset({"time_limit", "seed", "threads"})),
    paradigm="program",
)
"""The row of a program that nobody lists: ``program[language=dimacs,command="…"]``."""
