"""The command of a program: its words, and the places in them for a file, limits and a seed."""

from __future__ import annotations

import math
import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from unidoku.backends.base import Request
from unidoku.backends.toolkit.process import ANSWER, FILE
from unidoku.errors import OptionError, nearest

__all__ = ["Command"]

_TIME, _SEED, _THREADS = "{time}", "{seed}", "{threads}"

_PLACES = (FILE, ANSWER, _TIME, _SEED, _THREADS)

_HONOURS = {_SEED: "seed", _THREADS: "threads"}


@dataclass(frozen=True, slots=True)
class Command:
    """What is typed to run a program on a file.

    ``{file}`` stands for the file of the board, ``{answer}`` for one that the program writes,
    ``{time}`` for whole seconds above the time limit, ``{seed}`` and ``{threads}`` for those of
    the request. Where a search has no time limit or no seed, the word with that place is left out,
    and so is an option that is the word before it, as in ``-s {seed}``.

    Args:
        words: its words.
        folder: the folder that names of files in it are relative to.
    """

    words: tuple[str, ...]
    folder: str

    @classmethod
    def parse(cls, text: str, who: str, folder: str) -> Command:
        """Read a command as a shell would take it apart; nothing else of a shell's is known.

        Raises:
            OptionError: it has no ``{file}``, or a place that means nothing.
        """
        try:
            words = tuple(shlex.split(text))
        except ValueError as error:
            raise OptionError(f"{who}: command: expected words, got {text!r}: {error}") from error
        for place in re.findall(r"\{\w*\}", text):
            if place not in _PLACES:
                raise OptionError(
                    f"{who}: command: unknown place {place!r}; {nearest(place, _PLACES)}"
                )
        if not any(FILE in word for word in words[1:]):
            raise OptionError(
                f"{who}: command: expected a program and {FILE}, where the name of the board's "
                f"file goes, such as 'cadical {FILE}', got {text!r}"
            )
        return cls(words, folder)

    @property
    def honours(self) -> frozenset[str]:
        """The limits that a search by it can keep; the time is kept by killing the program."""
        said = " ".join(self.words)
        return frozenset({"time_limit"} | {h for place, h in _HONOURS.items() if place in said})

    @property
    def typed(self) -> list[str]:
        """The words, the program and other files by names that any folder understands."""
        program, *words = map(self._placed, self.words)
        return [shutil.which(program) or program, *words]

    @property
    def is_there(self) -> bool:
        """Whether the program is installed."""
        return shutil.which(self._placed(self.words[0])) is not None

    def told(self, request: Request, left: float | None = None) -> list[str]:
        """Return the words for a search; the places of files are left.

        Args:
            request: what is asked.
            left: seconds that are left for this run; None for those of the request.
        """
        left = request.time_limit if left is None else left
        values = {
            _TIME: None if left is None else str(math.ceil(left) + 1),
            _SEED: None if request.seed is None else str(request.seed),
            _THREADS: str(request.threads),
        }
        told: list[str] = []
        program, *words = self.typed
        for word in words:
            if any(place in word and value is None for place, value in values.items()):
                if word in values and told and told[-1].startswith("-"):
                    told.pop()
                continue
            for place, value in values.items():
                word = word.replace(place, value or "")
            told.append(word)
        return [program, *told]

    def _placed(self, word: str) -> str:
        """Return a word; the name of a file that is there as one that any folder understands."""
        path = Path(self.folder, word)
        return str(path.absolute()) if "{" not in word and path.is_file() else word
