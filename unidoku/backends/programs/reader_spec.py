"""The row of a program that reads boards, which a table ``[programs.NAME]`` declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from unidoku.backends.base import Backend, Capabilities
from unidoku.backends.options import DeclaredOption
from unidoku.backends.programs.command import Command
from unidoku.backends.programs.protocol import AnswerForm, JsonLines, LineProtocol, TextLines
from unidoku.backends.programs.reader import BoardReader
from unidoku.backends.programs.sheet import InputWriter
from unidoku.backends.programs.spec import ProgramSpec, version_of
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.errors import OptionError

READER_LANGUAGES: Mapping[str, str] = {"line": "text", "json": "json"}
"""The languages of programs that read boards, with the format of the boards by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSpec(ProgramSpec):
    """The row of a program that reads boards.

    Args:
        boards: writes the boards that it reads.
        form: the form of the lines that it answers; for ``json`` only what they contain.
        greeted: whether it gets a full board first, and may print other lines before its answer.
            Otherwise its first line is its answer to the first board.
    """

    boards: InputWriter = InputWriter()  # noqa: RUF009 - it is immutable
    form: AnswerForm = AnswerForm()  # noqa: RUF009 - as above
    greeted: bool = True
    deductions: bool = False

    @classmethod
    def declared(
        cls,
        name: str,
        language: str,
        command: str,
        *,
        version: str = "",
        install: str = "",
        folder: str = ".",
        input: str = "",
        answers: str = "grid",
        complete: bool = True,
        max_solutions: int | None = None,
        variant: str = "classic",
        sizes: Sequence[int] = (),
        max_sum: int | None = None,
    ) -> ReaderSpec:
        """Return the row of a table, whose keys are the arguments.

        Raises:
            InputError: a key has a value that is not valid.
        """
        parsed = Command.parse(command, name, folder, reads_boards=True)
        Command.split(version, f"{name}: version")
        form = AnswerForm(answers)
        boards = InputWriter(
            format=input or READER_LANGUAGES[language], variant=variant, sizes=tuple(sizes)
        )
        if language == "json" and (parsed.reads_file or answers not in ("grid", "count")):
            raise OptionError(
                "json: expected a command without {file}, and answers = 'grid' or 'count'"
            )
        return cls(
            name=name,
            whole=parsed.reads_file,
            keeps_program=not parsed.reads_file,
            target="unidoku.backends.programs.reader:BoardReader",
            summary=f"{parsed.words[0]}, a program that reads boards",
            capabilities=Capabilities(
                constraints=ALL_CONSTRAINTS,
                honours=parsed.honours,
                max_values=max(sizes, default=None),
                max_sum=max_sum,
                max_solutions=_most_solutions(form, language, max_solutions),
                complete=complete,
                grids=not form.has_count,
            ),
            paradigm=f"program, {language}",
            install=install,
            language=language,
            command=command,
            version_command=version,
            folder=folder,
            boards=boards,
            form=form,
        )

    @property
    def _parsed(self) -> Command:
        return Command.parse(self.command, self.name, self.folder, reads_boards=True)

    @property
    def shared_options(self) -> tuple[DeclaredOption, ...]:
        """None: a program gets the board as it is."""
        return ()

    def options(self) -> tuple[DeclaredOption, ...]:
        """Return no options: the table has all that there is to say."""
        self._importable()
        return ()

    def factory(self) -> Callable[..., Backend]:
        """Return the function that makes the backend, which takes no options."""
        return partial(_new_reader, self)


def _most_solutions(form: AnswerForm, language: str, stated: int | None) -> int | None:
    """Return how many solutions a program can look for; refuse more than one grid in a line."""
    if form.has_count or language == "json":
        return stated
    if stated not in (None, 1):
        raise OptionError(
            f"max_solutions: expected 1, because a grid is one solution, got {stated}; "
            "for a program that counts, set answers"
        )
    return 1


def _new_reader(row: ReaderSpec, /) -> BoardReader:
    command = row._parsed
    protocol: LineProtocol = (
        JsonLines(boards=row.boards)
        if row.language == "json"
        else TextLines(boards=row.boards, form=row.form, greeted=row.greeted)
    )
    return BoardReader(
        name=row.name,
        language=row.language,
        command=command,
        protocol=protocol,
        complete=row.capabilities.complete,
        find_version=partial(version_of, row.language, command, row.version_command),
    )
