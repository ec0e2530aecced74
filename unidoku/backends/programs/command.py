"""The command of a program: its words, with placeholders for a file, limits and a seed."""

from __future__ import annotations

import math
import re
import shlex
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from unidoku.backends.base import Request
from unidoku.backends.toolkit.process import ANSWER, FILE
from unidoku.errors import OptionError, nearest

_TIME, _SEED, _THREADS, _SOLUTIONS = "{time}", "{seed}", "{threads}", "{solutions}"

_PLACES = (FILE, ANSWER, _TIME, _SEED, _THREADS, _SOLUTIONS)

PACKAGE = "package:"
"""The beginning of a word that names a file of an installed package of Python."""

_OF_A_SHELL = {"<", ">", ">>", "2>", "2>&1", "|", "&", "&&", "||", ";"}

_HONOURS = {_SEED: "seed", _THREADS: "threads"}


@dataclass(frozen=True, slots=True)
class Command:
    """The command that runs a program on a file.

    ``{file}`` stands for the file of the board, ``{answer}`` for a file that the program writes,
    ``{time}`` for the time limit rounded up to seconds, ``{seed}`` and ``{threads}`` for those of
    the request, and ``{solutions}`` for the number of solutions to look for. If a search has no
    time limit, no seed or no number of solutions, the word with that placeholder is left out, and
    so is an option before it, as in ``-s {seed}``.

    ``package:NAME/FILE`` is a file in the package of Python NAME, which is not imported; FILE may
    be a pattern such as ``solvers/*.jar``.

    Args:
        words: words of the command.
        folder: folder that names of files in the command are relative to.
    """

    words: tuple[str, ...]
    folder: str

    @classmethod
    def parse(cls, text: str, who: str, folder: str, *, reads_boards: bool = False) -> Command:
        """Split a command into words as a shell would; other shell syntax is not supported.

        Args:
            text: the command.
            who: name of the backend, for messages.
            folder: folder that names of files are relative to.
            reads_boards: whether the program reads boards, not a language of solvers: then the
                command need not have ``{file}``.

        Raises:
            OptionError: it has no ``{file}``, or an unknown placeholder.
        """
        words = cls.split(text, f"{who}: command")
        if shell := _OF_A_SHELL.intersection(words):
            raise OptionError(
                f"{who}: command: {min(shell)!r} is for a shell, which does not run it; write "
                f"sh -c '…', got {text!r}"
            )
        for placeholder in re.findall(r"\{\w*\}", text):
            if placeholder not in _PLACES:
                meant = nearest(placeholder, _PLACES)
                raise OptionError(f"{who}: command: unknown placeholder {placeholder!r}; {meant}")
        if not words and reads_boards:
            raise OptionError(f"{who}: command: expected a program, got {text!r}")
        if not reads_boards and not cls(words, folder).reads_file:
            raise OptionError(
                f"{who}: command: expected a program and {FILE}, where the name of the board's "
                f"file goes, such as 'cadical {FILE}', got {text!r}"
            )
        return cls(words, folder)

    @staticmethod
    def split(text: str, where: str) -> tuple[str, ...]:
        """Split a text into words as a shell would; raises OptionError, which names the place."""
        try:
            return tuple(shlex.split(text))
        except ValueError as error:
            raise OptionError(f"{where}: expected words, got {text!r}: {error}") from error

    @property
    def reads_file(self) -> bool:
        """Whether the program reads a file, and so runs once for each."""
        return any(FILE in word for word in self.words[1:])

    @property
    def names_solutions(self) -> bool:
        """Whether the program is told how many solutions to look for, and finds several at once."""
        return any(_SOLUTIONS in word for word in self.words)

    @property
    def honours(self) -> frozenset[str]:
        """The limits that the command honours; at the time limit the program is killed."""
        text = " ".join(self.words)
        return frozenset(
            {"time_limit"} | {h for placeholder, h in _HONOURS.items() if placeholder in text}
        )

    @property
    def typed(self) -> list[str]:
        """The words, with names of the program and other files that are valid in any folder."""
        program, *words = map(self._placed, self.words)
        return [shutil.which(program) or program, *words]

    @property
    def files(self) -> tuple[str, ...]:
        """The program and the other files that the command names, such as a script that it runs."""
        program, *words = self.typed
        return (
            program,
            *(word for word in words if Path(word).is_absolute() and Path(word).is_file()),
        )

    @property
    def is_there(self) -> bool:
        """Whether the program is installed."""
        return shutil.which(self._placed(self.words[0])) is not None

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages of Python that the command names files of."""
        names = (word.removeprefix(PACKAGE) for word in self.words if word.startswith(PACKAGE))
        return tuple(name.partition("/")[0] for name in names)

    @property
    def missing_packages(self) -> tuple[str, ...]:
        """Those that are not installed, or do not have the file."""
        words = (word for word in self.words if word.startswith(PACKAGE))
        missing = (word for word in words if _in_package(word) is None)
        return tuple(word.removeprefix(PACKAGE).partition("/")[0] for word in missing)

    @property
    def fault(self) -> str:
        """Why a program that is named by its path cannot be run; empty if it has only a name."""
        path = Path(self.folder, self.words[0]).absolute()
        if not path.exists():
            return f"there is no file {path}" if Path(self.words[0]).name != self.words[0] else ""
        if path.is_dir():
            return f"{path} is a folder"
        return f"{path} is not executable; type: chmod +x {shlex.quote(str(path))}"

    def words_for(
        self, request: Request, left: float | None = None, solutions: int | None = None
    ) -> list[str]:
        """Return the words for a search; placeholders of files are kept.

        Args:
            request: request of the search.
            left: seconds left for this run; None for the request's time limit.
            solutions: number of solutions that this run looks for; None for the request's.
        """
        left = request.time_limit if left is None else left
        solutions = request.solutions if solutions is None else solutions
        values = {
            _TIME: None if left is None else str(math.ceil(left) + 1),
            _SEED: None if request.seed is None else str(request.seed),
            _THREADS: str(request.threads),
            _SOLUTIONS: None if solutions is None else str(solutions),
        }
        arguments: list[str] = []
        program, *words = self.typed
        for word in words:
            if any(placeholder in word and value is None for placeholder, value in values.items()):
                if word in values and arguments and arguments[-1].startswith("-"):
                    arguments.pop()
                continue
            for placeholder, value in values.items():
                word = word.replace(placeholder, value or "")
            arguments.append(word)
        return [program, *arguments]

    def _placed(self, word: str) -> str:
        """Return a word; the name of an existing file becomes one that is valid in any folder.

        So does that of a folder with a slash in it: without one it may be another word.
        """
        if word.startswith(PACKAGE):
            return _in_package(word) or word
        path = Path(self.folder, word)
        is_name = path.is_file() or ("/" in word and path.is_dir())
        return str(path.absolute()) if "{" not in word and is_name else word


def _in_package(word: str) -> str | None:
    """Return the file of an installed package; None if it is not there."""
    name, _, pattern = word.removeprefix(PACKAGE).partition("/")
    try:
        package = find_spec(name)
    except (ImportError, ValueError):
        return None
    folders = package.submodule_search_locations if package is not None else None
    files = sorted(file for folder in folders or () for file in Path(folder).glob(pattern))
    return str(files[-1]) if files else None
