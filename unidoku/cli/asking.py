"""Asks something of several puzzles, and goes on after one that fails or is not decided."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

from unidoku.cli.codes import ERROR, answer
from unidoku.cli.common import print_json, print_notes
from unidoku.cli.printing import say
from unidoku.errors import (
    BackendError,
    InputError,
    OptionError,
    SettingsError,
    TimeLimitError,
    WrongAnswerError,
)
from unidoku.formats import Puzzle
from unidoku.support.text import listed, plural


class Each:
    """Several puzzles to ask one by one: one that fails is named, and the others are asked too."""

    def __init__(self, puzzles: Iterable[tuple[str, Puzzle]], *, as_json: bool = False) -> None:
        """Take puzzles from `numbered`, and whether one that fails has a line of JSON too."""
        self._puzzles = puzzles
        self._as_json = as_json
        self._boards = self._undecided = self._failed = 0
        self._is_yes = True

    def __iter__(self) -> Iterator[tuple[str, Puzzle]]:
        """Yield the puzzles with their prefixes."""
        for puzzle in self._puzzles:
            self._asked = puzzle
            self._boards += 1
            yield puzzle

    @contextlib.contextmanager
    def going_on(self) -> Iterator[None]:
        """Report an error of the body about one of several puzzles; the only one raises it."""
        try:
            yield
        except (OptionError, SettingsError):
            raise  # it would be the same for all
        except (TimeLimitError, InputError, BackendError, WrongAnswerError) as error:
            name, puzzle = self._asked
            if not name:
                raise
            print_notes([f"{name}{error}"])
            if self._as_json:
                record = puzzle.board.record(puzzle.name)
                print_json({**record, "error": str(error)})
            self._undecided += isinstance(error, TimeLimitError)
            self._failed += not isinstance(error, TimeLimitError)

    def head(self) -> None:
        """Print the name of a puzzle above its answer of several lines, after an empty line."""
        if self._boards > 1:
            say()
        if self._asked[1].name:
            say(f"# {self._asked[1].name}")

    def answer(self, yes: object) -> None:
        """Take the answer about a puzzle."""
        self._is_yes &= bool(yes)

    def code(self) -> int:
        """Return the exit code: whether all answers are yes, unless a puzzle failed.

        It is said how many puzzles have no answer.
        """
        counts = {"not decided": self._undecided, "failed": self._failed}
        without = [f"{count:,} {words}" for words, count in counts.items() if count]
        if without:
            print_notes([f"{plural(self._boards, 'puzzle')}: {listed(without)}"])
        return ERROR if self._failed else answer(self._is_yes and not self._undecided)
