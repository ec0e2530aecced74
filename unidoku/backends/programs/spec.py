"""The row of a program, and the row of the family: any program, described by the label itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from itertools import islice, pairwise

from unidoku.backends.base import Backend, Capabilities
from unidoku.backends.languages.answers import can_be_several
from unidoku.backends.languages.catalogue import find_language
from unidoku.backends.options import DeclaredOption, option_type_error
from unidoku.backends.program_version import (
    ASKING,
    guessed_version,
    printed_version,
    unknown_version,
)
from unidoku.backends.programs.adapter import ProgramBackend
from unidoku.backends.programs.command import PACKAGE, Command
from unidoku.backends.spec import BackendSpec
from unidoku.backends.toolkit.minizinc_solvers import listed_solvers, name_and_version
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.errors import BackendError, BackendNotInstalledError, OptionError
from unidoku.support.extras import advice

_TARGET = "unidoku.backends.programs.adapter:ProgramBackend"


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
    guarded: tuple[str, ...] = ("command",)
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
        max_sum: int | None = None,
    ) -> ProgramSpec:
        """Return a row whose capabilities follow from the language and the command.

        The arguments are those of the row; ``max_sum`` is by default that of the language.

        Raises:
            InputError: the language is unknown, or the command is not valid.
        """
        most = find_language(language).max_sum if max_sum is None else max_sum
        parsed = _parsed(command, name, folder, language)
        Command.split(version, f"{name}: version")
        return cls(
            name=name,
            target=_TARGET,
            summary=summary or f"{parsed.words[0]}, a program that reads {language}",
            capabilities=Capabilities(
                constraints=ALL_CONSTRAINTS, honours=parsed.honours, max_sum=most
            ),
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
        return _missing(self.language, self._parsed)

    @property
    def version(self) -> str | None:
        """The version that the program prints when it is run for it.

        None if it prints none, or if the row has no command, because the backend's label names it.
        """
        return (self.command and own_version(self._parsed, self.version_command)) or None

    def factory(self) -> Callable[..., Backend]:
        """Return the function that makes the backend from its options."""
        return partial(_new_backend, self)

    def _importable(self) -> Callable[..., Backend]:
        if self.command:
            check_program(self, self._parsed, self.missing)
        return self.factory()

    @property
    def _parsed(self) -> Command:
        return Command.parse(self.command, self.name, self.folder)

    def options(self) -> tuple[DeclaredOption, ...]:
        """Return the options of a program; raise errors as `BackendSpec.options` does."""
        self._importable()
        names = ("command",) if self.command else ("language", "command")
        options = [
            DeclaredOption(name=name, type="str", choices=(), default=getattr(self, name) or None)
            for name in names
        ]
        return (*options, *self.shared_options)


def _new_backend(
    row: ProgramSpec, /, *, command: str | None = None, language: str | None = None
) -> ProgramBackend:
    command, language = command or row.command, language or row.language
    for option, value in (("language", language), ("command", command)):
        if type(value) is not str:
            raise option_type_error(row.name, option, "str", value)
        if not value:
            raise OptionError(
                f"{row.name}: expected the option {option!r}, as in "
                'program[language=dimacs,command="cadical {file}"]'
            )
    if row.language and language != row.language:
        raise OptionError(f"{row.name} reads {row.language}; for another language use program")
    most = row.capabilities.max_sum if row.language else find_language(language).max_sum
    parsed = _parsed(command, row.name, row.folder, language)
    check_program(row, parsed, _missing(language, parsed))
    asking = row.version_command if command == row.command else ""
    version = partial(version_of, language, parsed, asking)
    return ProgramBackend(row.name, language, parsed, version, most)


def _parsed(text: str, who: str, folder: str, language: str) -> Command:
    """Return a command; refuse ``{solutions}`` where only one is read."""
    command = Command.parse(text, who, folder)
    if command.names_solutions and not can_be_several(language):
        raise OptionError(
            f"{who}: command: expected no {{solutions}} with language {language!r}, of whose "
            "programs one solution is read in each run; leave it out"
        )
    return command


def _missing(language: str, command: Command) -> tuple[str, ...]:
    is_in_package = command.words[0].startswith(PACKAGE)
    needs = [] if command.is_there or is_in_package else [command.words[0]]
    compiler = Command(("minizinc",), command.folder)
    if language == "flatzinc" and not compiler.is_there:
        needs.append("minizinc")
    return tuple(dict.fromkeys((*needs, *command.missing_packages)))


def own_version(command: Command, asking: str) -> str:
    """Return the version that a program prints; empty if it prints none.

    Args:
        command: command of the program.
        asking: command that prints its version; empty if nobody has said one.
    """
    if asking:
        return printed_version(*Command(Command.split(asking, "version"), command.folder).typed)
    if packages := [name for name in command.packages if name not in command.missing_packages]:
        return ", ".join(f"{name} {version(name)}" for name in packages)
    return guessed_version(command.typed[0]) if len(command.files) == 1 else ""


def version_of(language: str, command: Command, asking: str) -> str:
    """Return the versions of all programs that a command runs, or digests of unknown ones."""
    version = own_version(command, asking) or unknown_version(command.files)
    match language:
        case "flatzinc":
            return f"{version}, {printed_version('minizinc', ASKING)}"
        case "minizinc":
            return ", ".join((version, *_solver_beneath(command.words)))
        case _:
            return version


def _solver_beneath(words: Sequence[str]) -> Iterator[str]:
    """Yield the version of the solver that MiniZinc runs, if its command names one."""
    for option, name in pairwise(words):
        with suppress(BackendError):
            if option == "--solver":
                rows = (
                    row
                    for row in listed_solvers()
                    if name in (row["id"], row["id"].rpartition(".")[2])
                )
                yield from map(name_and_version, islice(rows, 1))


def check_program(row: ProgramSpec, command: Command, missing: Sequence[str]) -> None:
    """Raise BackendNotInstalledError if programs that a command needs are missing."""
    if command.words[0] in missing and (fault := command.fault):
        raise BackendNotInstalledError(
            f"backend {row.name!r} cannot run {command.words[0]}: {fault}"
        )
    if missing:
        raise BackendNotInstalledError(
            f"backend {row.name!r} needs {', '.join(missing)}, which is not "
            f"{'installed' if missing[0] in command.packages else 'on the PATH'}; "
            f"{advice(row.install)}"
        )


FAMILY = ProgramSpec(
    name="program",
    target=_TARGET,
    summary="any program that reads a language of solvers, by its command",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS, honours=frozenset({"time_limit", "seed", "threads"})
    ),
    paradigm="program",
)
"""The row of a program that nobody lists: ``program[language=dimacs,command="…"]``."""
