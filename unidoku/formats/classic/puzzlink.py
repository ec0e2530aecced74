"""Links to puzz.link and other sites of pzpr: Sudoku, Skyscrapers, Kakuro and nonograms.

A link names a genre, the number of columns and of rows, and the clues, ``…/p?sudoku/4/4/g1k23k3g``.
The readers follow pzpr's own ones (``src/variety-common/Encode.js`` and ``src/variety/*.js`` of
robx/pzprjs), because there is no description of the clues.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from unidoku.core.board import Board
from unidoku.core.rules import Rule, Skyscraper
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, LayoutError
from unidoku.formats.families import Run, kakuro, nonogram
from unidoku.formats.frame import Frame
from unidoku.formats.puzzles import Puzzle
from unidoku.support.text import listed

_MOST_SIDE = 100

_UNKNOWN = -1
"""A clue that is a question mark."""

_LINK = re.compile(r"https?://\S+?/p(?:\.html)?\?([\w-]+)/(\S*)")

_PAGE = re.compile(r"https?://\S*logic-masters\.de/\S*")


def read(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzle in a link.

    >>> [puzzle.board.text("line") for puzzle in read("https://puzz.link/p?sudoku/4/4/g1k23k3g")]
    ['.1.....23.....3.']

    Raises:
        FormatError: it is not such a link; the message states what was expected.
    """
    line = text.strip()
    if _PAGE.fullmatch(line):
        raise FormatError(
            "expected a link with a puzzle, got one to a page of Logic Masters; copy the link on "
            "that page (Penpa+, SudokuPad, f-puzzles), or the puzzle that it opens"
        )
    link = _LINK.fullmatch(line)
    if link is None:
        raise FormatError(
            f"expected a link such as https://puzz.link/p?sudoku/9/9/…, got {line[:60]!r}"
        )
    genre = _GENRES.get(link[1])
    if genre is None:
        genres = listed(sorted(_GENRES), "or")
        raise FormatError(f"expected a link to {genres}, got {link[1][:40]!r}")
    match = re.fullmatch(r"(\d{1,3})/(\d{1,3})(?:/([^/]*))?/?", link[2])
    if match is None:
        raise FormatError(
            f"expected {link[1]}/COLUMNS/ROWS/CLUES without settings, got {link[2][:40]!r}"
        )
    columns, rows = int(match[1]), int(match[2])
    if not 1 <= min(columns, rows) <= max(columns, rows) <= _MOST_SIDE:
        got = f"got {columns} and {rows}"
        raise FormatError(f"expected 1 to {_MOST_SIDE} columns and rows, {got}")
    try:
        yield Puzzle(genre(_Clues(match[3] or ""), columns, rows), "", 1)
    except LayoutError as error:
        raise FormatError(f"{link[1]}: {error}") from error


class _Clues:
    """The clues of a link, which are read from left to right."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def symbol(self) -> str:
        """Return the next symbol, empty at the end."""
        self._at += 1
        return self._text[self._at - 1 : self._at]

    def numbers(self, count: int) -> list[int | None]:
        """Return clues of cells: None is no clue, `_UNKNOWN` a question mark.

        A number is a hexadecimal digit, or ``-`` and two of them, or ``+`` and three; a letter from
        g on stands for cells without a clue. A link that has any has those of all cells.
        """
        numbers: list[int | None] = []
        while len(numbers) < count and (symbol := self.symbol()):
            if symbol in "0123456789abcdef":
                numbers.append(int(symbol, 16))
            elif symbol in "-+":
                digits = self.symbol() + self.symbol() + (self.symbol() if symbol == "+" else "")
                if not re.fullmatch("[0-9a-f]{2,3}", digits):
                    raise FormatError(f"expected a hexadecimal number, got {symbol + digits!r}")
                numbers.append(int(digits, 16))
            elif symbol == ".":
                numbers.append(_UNKNOWN)
            elif "g" <= symbol <= "z":
                numbers += [None] * (int(symbol, 36) - 15)
            else:
                raise FormatError(f"expected a clue, got {symbol!r}")
        if numbers and len(numbers) < count:
            raise FormatError(f"expected {count} clues, got {len(numbers)}; is the link cut off?")
        return numbers[:count] or [None] * count

    def total(self) -> int | None:
        """Return a clue of Kakuro; None if there is none, or it is 0, which is not checked."""
        symbol = self.symbol()
        if re.fullmatch("[0-9a-j]", symbol):
            return int(symbol, 36) or None
        if re.fullmatch("[A-Z]", symbol):
            return int(symbol, 36) + 10
        if symbol in ("", "-", "."):
            return None
        raise FormatError(f"expected a sum of Kakuro, got {symbol!r}")

    def end(self) -> None:
        """Refuse further symbols."""
        if rest := self._text[self._at :]:
            raise FormatError(f"expected clues that have room, got {rest[:40]!r} beyond them")


def _values(clues: _Clues, size: int) -> list[int]:
    """Return the values of a square, 0 for empty cells and question marks."""
    values = [max(0, number or 0) for number in clues.numbers(size * size)]
    if wrong := [value for value in values if value > size]:
        raise FormatError(f"expected values up to {size}, got {wrong[0]}")
    clues.end()
    return values


def _side(columns: int, rows: int) -> int:
    if columns != rows:
        raise FormatError(f"expected a square, got {columns} columns and {rows} rows")
    return rows


def _sudoku(clues: _Clues, columns: int, rows: int) -> Board:
    side = _side(columns, rows)
    if side not in (4, 9, 16, 25):
        raise FormatError(f"expected a side of 4, 9, 16 or 25, got {side}")
    return Board.from_values(named_layout("classic", side), _values(clues, side))


def _skyscrapers(clues: _Clues, columns: int, rows: int) -> Board:
    side = _side(columns, rows)
    seen = clues.numbers(4 * side)
    views = Frame(side, side).views("top", "bottom", "left", "right")
    rules: list[Rule] = [
        Skyscraper(line, number)
        for line, number in zip(views, seen, strict=True)
        if number is not None and number > 0
    ]
    layout = replace(named_layout("latin", side), rules=tuple(rules), name="skyscrapers")
    return Board.from_values(layout, _values(clues, side))


def _nonogram(clues: _Clues, columns: int, rows: int) -> Board:
    sides = ((columns, rows), (rows, columns))
    numbers = clues.numbers(sum(count * ((room + 1) // 2) for count, room in sides))
    if _UNKNOWN in numbers:
        raise FormatError("nonogram: clues with a question mark are not supported")
    parts: list[list[tuple[int, ...]]] = []
    start = 0
    for count, room in sides:
        parts.append([])
        for _ in range(count):
            end = start + (room + 1) // 2
            # The clue next to the grid, which is the last one of its line, comes first.
            blocks = tuple([number for number in numbers[start:end][::-1] if number])
            if sum(blocks) + len(blocks) - 1 > room:
                raise FormatError(f"expected blocks that fit in {room} cells, got {blocks}"[:120])
            parts[-1].append(blocks)
            start = end
    clues.end()
    return Board.empty(nonogram(parts[1], parts[0]))


def _kakuro(clues: _Clues, columns: int, rows: int) -> Board:
    """Return a Kakuro: black cells have a sum of the word below them, and one of that right."""
    black: dict[int, tuple[int | None, int | None]] = {}
    cell, size = 0, columns * rows
    while cell < size:
        symbol = clues.symbol()
        if not symbol:
            break
        if "k" <= symbol <= "z":
            cell += int(symbol, 36) - 19
        elif symbol == ".":
            black[cell] = (None, None)
            cell += 1
        else:
            black[cell] = (_Clues(symbol).total(), clues.total())
            cell += 1
    above = [None if column in black else clues.total() for column in range(columns)]
    left = [None if row * columns in black else clues.total() for row in range(rows)]
    clues.end()
    white = [cell for cell in range(size) if cell not in black]
    if not white:
        raise FormatError("expected cells that are not black, got none")
    numbers = {cell: number for number, cell in enumerate(white)}
    runs: list[Run] = []
    lines = Frame(rows, columns).lines()
    outside = [*left, *above]
    for position, (line, first) in enumerate(zip(lines, outside, strict=True)):
        total, run = first, []
        for current in (*line, None):
            if current is not None and current not in black:
                run.append(numbers[current])
                continue
            if len(run) > 9:
                raise FormatError(f"expected words of up to 9 cells, got {len(run)}")
            if run and (total is not None or len(run) > 1):
                runs.append((tuple(run), total))
            if current is not None:
                total, run = black[current][0 if position >= rows else 1], []
    return Board.empty(kakuro([divmod(cell, columns) for cell in white], runs))


_GENRES: Mapping[str, Callable[[_Clues, int, int], Board]] = {
    "kakuro": _kakuro,
    "nonogram": _nonogram,
    "skyscrapers": _skyscrapers,
    "sudoku": _sudoku,
}
