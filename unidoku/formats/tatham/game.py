"""The interface that all games share."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from unidoku.core.board import Board
from unidoku.errors import FormatError, InputError
from unidoku.formats.families import Rest
from unidoku.formats.losses import Report


@dataclass(frozen=True, slots=True)
class Game:
    """A game of the collection.

    Args:
        name: its name in links.
        parameters: pattern of the part before the colon.
        description: pattern of the part after it.
        read: makes the board from both, and reports the chosen meanings.
        write: makes both from the rest of a puzzle.

    A reader raises FormatError, a writer InputError, if there is no such board.
    """

    name: str
    parameters: str
    description: str
    read: Callable[[re.Match[str], str, Report], Board]
    write: Callable[[Rest], str]

    def fits(self, parameters: str, description: str) -> bool:
        """Return whether an id has the form of an id of the game."""
        return bool(
            re.fullmatch(self.parameters, parameters)
            and re.fullmatch(self.description, description)
        )

    def board(self, parameters: str, description: str, report: Report) -> Board:
        """Return the board of an id.

        Raises:
            FormatError: the text is not valid; the message states why.
        """
        found = re.fullmatch(self.parameters, parameters)
        if found is None:
            raise FormatError(f"expected parameters of {self.name}, got {parameters[:40]!r}")
        if not re.fullmatch(self.description, description):
            raise FormatError(f"expected a description of {self.name}, got {description[:40]!r}")
        try:
            return self.read(found, description, report)
        except FormatError as error:
            raise FormatError(f"{self.name}: {error.message}") from error


def check_size(game: str, size: int, least: int, most: int, *, reading: bool = True) -> None:
    """Raise for a size that the game does not have.

    Raises:
        FormatError: the id is read; InputError if a puzzle is written.
    """
    if not least <= size <= most:
        if reading:
            raise FormatError(f"expected a size from {least} to {most}, got {size}")
        raise InputError(f"{game} holds sizes from {least} to {most}, got {size}")
