"""Ids of Simon Tatham's games: what a game is, and how ids write run lengths and walls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from unidoku.core.board import Board
from unidoku.core.regions import connected_parts
from unidoku.errors import FormatError, InputError
from unidoku.formats.families import Rest
from unidoku.formats.losses import Report

_A = ord("a")

_BEYOND = (-1, -1)
"""Stands for the side after the last side."""


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
        match = re.fullmatch(self.parameters, parameters)
        if match is None:
            raise FormatError(f"expected parameters of {self.name}, got {parameters[:40]!r}")
        if not re.fullmatch(self.description, description):
            raise FormatError(f"expected a description of {self.name}, got {description[:40]!r}")
        try:
            return self.read(match, description, report)
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


def grid_of(text: str, cells: int, most: int) -> list[int]:
    """Return the number of each cell, 0 for a cell without one.

    A letter stands for a number of empty cells, ``a`` for one; ``_`` separates two numbers.

    >>> grid_of("1a2_3b", 6, 4)
    [1, 0, 2, 3, 0, 0]

    Raises:
        FormatError: there are too many or too few cells, or numbers above the maximum.
    """
    if not re.fullmatch(r"(?:[a-z_]|(?<!\d)\d{1,6}(?!\d))*", text):
        raise FormatError(f"expected numbers, letters a to z and _, got {text[:40]!r}")
    values: list[int] = []
    for part in re.findall(r"[a-z]|\d+", text):
        if part.isdigit():
            if not 1 <= int(part) <= most:
                raise FormatError(f"expected numbers from 1 to {most}, got {part}")
            values.append(int(part))
        else:
            values += [0] * (ord(part) - _A + 1)
        if len(values) > cells:
            break
    if len(values) != cells:
        count = "more" if len(values) > cells else str(len(values))
        raise FormatError(f"expected {cells} cells, got {count}")
    return values


def text_of_grid(numbers: Iterable[int]) -> str:
    """Return numbers, 0 for an empty cell, as a text; see `grid_of`."""
    parts: list[str] = []
    empty = 0
    for number in numbers:
        if not number:
            empty += 1
            continue
        parts += [*_letters(empty)] or ["_"] * bool(parts)
        parts.append(str(number))
        empty = 0
    return "".join([*parts, *_letters(empty)])


def _letters(count: int) -> Iterator[str]:
    while count > 0:
        yield chr(_A - 1 + min(count, 26))
        count -= 26


@dataclass(frozen=True, slots=True)
class Walls:
    """The way in which a game writes the walls between groups of cells.

    The text describes all sides between two cells, of each row and then of each column: a letter
    stands for a number of sides without a wall, and one with a wall after them; ``_`` stands for a
    wall alone; the last wall is beyond the last side. One letter has no wall after it. The programs
    read another number there than the comments in them state: this class reads as they do.

    Args:
        open_letter: number of sides for the letter without a wall.
        repeats: whether a number after a letter repeats the letter.
    """

    open_letter: int
    repeats: bool

    def groups(self, text: str, side: int) -> list[tuple[int, ...]]:
        """Return the groups of cells of a square, in the order of their first cells.

        Raises:
            FormatError: the text does not describe each side.
        """
        sides = [*_sides(side)]
        near: list[list[int]] = [[] for _ in range(side * side)]
        index = 0
        for length, is_closed in self._steps(text, len(sides)):
            if index + length > len(sides):
                index = len(sides) + 2
                break
            for cell_before, other in sides[index : index + length]:
                near[cell_before].append(other)
                near[other].append(cell_before)
            index += length + is_closed
        if index != len(sides) + 1:
            count = "more" if index > len(sides) + 1 else f"{max(index - 1, 0)}"
            raise FormatError(f"expected walls for {len(sides)} sides of cells, got {count}")
        return [tuple(cells) for cells in connected_parts(range(side * side), near)]

    def _steps(self, text: str, most: int) -> Iterator[tuple[int, bool]]:
        """Yield the number of sides without a wall, and whether there is one after them."""
        pattern = r"([_a-z])(\d{0,6})" if self.repeats else r"([_a-z])()"
        if not re.fullmatch(f"(?:{pattern})*", text):
            raise FormatError(f"expected walls as letters a to z and _, got {text[:40]!r}")
        for letter, count in re.findall(pattern, text):
            length = 0 if letter == "_" else ord(letter) - _A + 1
            for _ in range(min(int(count or 1), most + 2) or 1):
                yield length, length != self.open_letter

    def text(self, groups: Sequence[Iterable[int]], side: int) -> str:
        """Return the groups of cells of a square as a text; see `groups`."""
        group = {cell: number for number, cells in enumerate(groups) for cell in cells}
        letters, open_sides = "", 0
        for first, other in [*_sides(side), _BEYOND]:
            if (first, other) != _BEYOND and group[first] == group[other]:
                open_sides += 1
                continue
            letters += chr(_A - 1 + self.open_letter) * (open_sides // self.open_letter)
            left = open_sides % self.open_letter
            letters += chr(_A - 1 + left) if left else "_"
            open_sides = 0
        if not self.repeats:
            return letters
        return re.sub(r"(.)\1{2,}", lambda run: f"{run[1]}{len(run[0])}", letters)


def _sides(side: int) -> Iterator[tuple[int, int]]:
    """Yield the two cells at each inner side of a square, first by rows, then by columns."""
    for row in range(side):
        for column in range(side - 1):
            yield row * side + column, row * side + column + 1
    for column in range(side):
        for row in range(side - 1):
            yield row * side + column, (row + 1) * side + column


SOLO_WALLS = Walls(open_letter=26, repeats=False)
KEEN_WALLS = Walls(open_letter=25, repeats=True)
