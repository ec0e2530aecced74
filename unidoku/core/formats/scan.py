"""From text to cells: symbols with their places, frames and comments left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["Line", "Piece", "is_border", "is_comment", "symbols_in", "words_in"]


class Line(NamedTuple):
    """A line of text and its number, from 1."""

    number: int
    text: str


class Piece(NamedTuple):
    """A symbol or a word, and where it stands (line and column from 1)."""

    text: str
    line: int
    column: int


_BORDER = re.compile(r"[\s|+*=:.'`-]*(---|===|\+--|-\+)[\s|+*=:.'`-]*")
_UNFRAMED = str.maketrans({"│": "|", "┃": "|", "║": "|", "─": "-", "━": "-", "═": "="})


def is_comment(line: Line) -> bool:
    """Tell whether a line is a comment: its first mark is a ``#``."""
    return line.text.lstrip().startswith("#")


def is_border(line: Line) -> bool:
    """Tell whether a line may be a border: frame marks only, with dashes in a row among them."""
    return _BORDER.fullmatch(_ascii(line.text)) is not None


def _ascii(text: str) -> str:
    return re.sub("[┌┐└┘├┤┬┴┼╋╬╔╗╚╝╠╣╦╩]", "+", text.translate(_UNFRAMED))


def words_in(lines: Sequence[Line]) -> Iterator[Piece]:
    """Yield the words, which blanks and vertical bars separate."""
    for line in lines:
        for match in re.finditer(r"[^\s|]+", _ascii(line.text)):
            yield Piece(match[0], line.number, match.start() + 1)


def symbols_in(lines: Sequence[Line]) -> Iterator[Piece]:
    """Yield the single symbols; blanks, vertical bars and plus signs are frame."""
    for line in lines:
        for column, symbol in enumerate(_ascii(line.text), start=1):
            if not symbol.isspace() and symbol not in "|+":
                yield Piece(symbol, line.number, column)
