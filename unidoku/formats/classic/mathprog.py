"""Data of GLPK's examples in GNU MathProg, ``.dat``: picture puzzles and Sudoku.

The names are those of the models ``pbn/pbn.mod`` (rows ``m``, columns ``n``, blocks ``row`` and
``col``) and ``sudoku.mod`` (``givens``) in GLPK's examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from unidoku.core.board import Board
from unidoku.core.layout import MAX_VALUES
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, LayoutError
from unidoku.formats.families import MOST_SIDE, Clues, nonogram
from unidoku.formats.puzzles import Puzzle

_MOST_WORDS = 200_000

_COMMENT = re.compile(r"/\*.*?\*/|#[^\n]*", re.DOTALL)

_NUMBER = re.compile(r"\d{1,6}")

_PICTURE, _SUDOKU = frozenset(["m", "n", "row", "col"]), frozenset(["givens"])


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter: its name, the words of its columns, of its rows, and its line."""

    name: str
    columns: Sequence[str]
    words: Sequence[str]
    line: int

    def error(self, message: str) -> FormatError:
        """Return an error about the parameter."""
        return FormatError(f"{self.name}: {message}", self.line)


def read(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzle in a file of data.

    >>> text = "data; param m := 1; param n := 2; param row : 1 := 1 2; param col : 1 := 1 1 2 1;"
    >>> [rule.blocks for puzzle in read(text) for rule in puzzle.board.layout.rules]
    [(2,), (1,), (1,)]

    Raises:
        FormatError: it is not data of such a puzzle; the message states the line.
    """
    parameters = _parameters(text)
    names = frozenset(parameters)
    if names == _PICTURE:
        height, width = (_number(parameters[name], MOST_SIDE) for name in ("m", "n"))
        clues = [
            _clues(parameters[name], count, room)
            for name, count, room in (("row", height, width), ("col", width, height))
        ]
        yield Puzzle(Board.empty(nonogram(*clues)), "", 1)
    elif names == _SUDOKU:
        yield Puzzle(_sudoku(parameters["givens"]), "", 1)
    else:
        got = ", ".join(sorted(names))[:80] or "none"
        raise FormatError(
            f"expected the parameters m, n, row and col (picture puzzle); or givens; got {got}"
        )


def _parameters(text: str) -> Mapping[str, _Parameter]:
    # A comment is blanked out up to its line ends, so that lines keep their numbers.
    bare = _COMMENT.sub(lambda match: "\n" * match[0].count("\n") or " ", text)
    if (start := bare.find("/*")) >= 0:
        raise FormatError("expected */ after /*", bare.count("\n", 0, start) + 1)
    parameters: dict[str, _Parameter] = {}
    line = 1
    for part in bare.split(";"):
        item = part.strip()
        first = line + part[: len(part) - len(part.lstrip())].count("\n")
        line += part.count("\n")
        if item in ("", "data", "end"):
            continue
        match = re.match(r"param\s+([A-Za-z]\w*)\s*(?::([^:]*))?:=", item)
        if match is None or match[1] in parameters:
            got = " ".join(item[:60].split())
            raise FormatError(f"expected data such as param m := 5; once each, got {got!r}", first)
        words = item[match.end() :].split()
        if len(words) > _MOST_WORDS:
            raise FormatError(f"{match[1]}: expected at most {_MOST_WORDS:,} numbers", first)
        parameters[match[1]] = _Parameter(match[1], (match[2] or "").split(), words, first)
    return parameters


def _number(parameter: _Parameter, most: int) -> int:
    word = " ".join(parameter.words)
    if parameter.columns or not _NUMBER.fullmatch(word) or not 1 <= int(word) <= most:
        raise parameter.error(f"expected a number from 1 to {most}, got {word[:40]!r}")
    return int(word)


def _rows(parameter: _Parameter, count: int) -> Iterator[Sequence[int]]:
    """Yield the numbers of each row, 0 for a dot; the first word of a row is its number."""
    size = len(parameter.columns) + 1
    words = parameter.words
    if len(words) != count * size or size < 2:
        raise parameter.error(f"expected {count} rows of {size} words, got {len(words)} words")
    for row in range(count):
        first, *numbers = words[row * size :][:size]
        if first != str(row + 1):
            got = f"got {first[:40]!r}"
            raise parameter.error(f"expected row {row + 1} to begin with {row + 1}, {got}")
        for word in numbers:
            if word != "." and not _NUMBER.fullmatch(word):
                got = f"got {word[:40]!r}"
                raise parameter.error(f"row {row + 1}: expected numbers and dots, {got}")
        yield [0 if word == "." else int(word) for word in numbers]


def _clues(parameter: _Parameter, count: int, room: int) -> Clues:
    clues = [tuple(filter(None, row)) for row in _rows(parameter, count)]
    for number, blocks in enumerate(clues, start=1):
        if sum(blocks) + len(blocks) - 1 > room:
            message = f"row {number}: expected blocks that fit in {room} cells, got {blocks}"
            raise parameter.error(message[:120])
    return clues


def _sudoku(parameter: _Parameter) -> Board:
    size = len(parameter.columns)
    if size > MAX_VALUES:
        raise parameter.error(f"expected at most {MAX_VALUES} columns")
    values = [value for row in _rows(parameter, size) for value in row]
    if wrong := [value for value in values if value > size]:
        raise parameter.error(f"expected 1 to {size}, got {wrong[0]}")
    try:
        return Board.from_values(named_layout("classic", size), values)
    except LayoutError as error:
        raise parameter.error(str(error)) from error
