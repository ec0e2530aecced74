"""The symbols of a text: their places and their values.

Values are digits to 9, then letters, or numbers if one symbol is not enough; frames and comments
are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from unidoku.core.bits import all_values, bit, mask_of
from unidoku.errors import FormatError

DIGITS_FIRST = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS_ONLY = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_HEXADECIMAL = "0123456789ABCDEF"

NO_CANDIDATES = "!"
"""A cell without candidates in a candidate grid."""

EMPTIES = frozenset("0xX.-*_?~:'`\"/\\<>()[]{}@$%&^=;,#" + "·•∙⋅∘○◦◌□▢☐◻▫–—−…¤ˍ˙")
"""Symbols that may stand for an empty cell unless they are values. Only marks in common use are
accepted, so that a file of zero bytes or a picture is not an empty board."""

_BORDER = frozenset(" \t|+*=:.'`-")
_FRAME = re.compile(r"[\s|+]")
_WORD = re.compile(r"[^\s|]+")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_UNFRAMED = str.maketrans({"│": "|", "┃": "|", "║": "|", "─": "-", "━": "-", "═": "="})


class TextLine(NamedTuple):
    """A line of text and its number, from 1."""

    number: int
    text: str


class Piece(NamedTuple):
    """A symbol or a word with its place (line and column from 1)."""

    text: str
    line: int
    column: int

    def error(self, message: str) -> FormatError:
        """Return the error with this message at this place."""
        return FormatError(message, self.line, self.column)


def is_comment(line: TextLine) -> bool:
    """Return whether a line is a comment: its first character is a ``#``."""
    return line.text.lstrip().startswith("#")


def is_border(line: TextLine) -> bool:
    """Return whether a line may be a border: only frame marks, with several dashes in a row."""
    text = _ascii(line.text)
    return any(mark in text for mark in ("---", "===", "+--", "-+")) and _BORDER.issuperset(text)


def _ascii(text: str) -> str:
    return (
        text if text.isascii() else re.sub("[┌┐└┘├┤┬┴┼╋╬╔╗╚╝╠╣╦╩]", "+", text.translate(_UNFRAMED))
    )


def count_symbols(text: str) -> int:
    """Return the number of symbols that `symbols_in` finds in a line."""
    return len(_FRAME.sub("", _ascii(text)))


def count_words(text: str) -> int:
    """Return the number of words that `words_in` finds in a line."""
    return sum(1 for _ in _WORD.finditer(_ascii(text)))


def named(text: str) -> str:
    r"""Return a text as messages quote it; invisible characters also by their Unicode number.

    >>> named("z"), named("\0")
    ("'z'", 'U+0000 (a control character)')
    """
    if len(text) != 1 or (text.isascii() and text.isprintable()):
        return repr(text)
    code = f"U+{ord(text):04X}"
    return f"{code} (a control character)" if _CONTROL.match(text) else f"{text!r} ({code})"


def refuse_controls(lines: Iterable[TextLine]) -> None:
    """Refuse a text with control characters.

    Raises:
        FormatError: there is a control character; the message names the first one and its place.
    """
    for line in lines:
        if (match := _CONTROL.search(line.text)) is not None:
            piece = Piece(match[0], line.number, match.start() + 1)
            raise piece.error(f"expected text, got {named(piece.text)}; is this a text file?")


def words_in(lines: Sequence[TextLine]) -> Iterator[Piece]:
    """Yield the words, which are separated by blanks and vertical bars."""
    for line in lines:
        for match in _WORD.finditer(_ascii(line.text)):
            yield Piece(match[0], line.number, match.start() + 1)


def symbols_in(lines: Sequence[TextLine]) -> Iterator[Piece]:
    """Yield the single symbols; blanks, vertical bars and plus signs belong to the frame."""
    for line in lines:
        for column, symbol in enumerate(_ascii(line.text), start=1):
            if not symbol.isspace() and symbol not in "|+":
                yield Piece(symbol, line.number, column)


def has_digits_only(n: int, first_value: int = 1) -> bool:
    """Return whether each of n values is written as one digit."""
    return first_value + n <= 10


def alphabets(
    n: int, symbols: str | None = None, used: Iterable[str] = (), first_value: int = 1
) -> list[str]:
    """Return the possible alphabets of a board of size n; empty if n is too large.

    ``symbols``, if given, is the only alphabet. A text that uses 0 and upper-case letters may be
    hexadecimal. If the first value is not 1, each value has its own digit or letter.

    Raises:
        FormatError: ``symbols`` has not n different symbols.
    """
    if symbols is not None:
        if len(symbols) < n or len(set(symbols)) < len(symbols):
            raise FormatError(f"expected at least {n} different symbols, got {symbols!r}")
        return [symbols[:n]]
    if first_value != 1:
        row = f"0{DIGITS_FIRST}"[first_value : first_value + n]
        return [row] if len(row) == n else []
    if has_digits_only(n):
        return [DIGITS_FIRST[:n]]
    possible = [DIGITS_FIRST, _LETTERS_ONLY]
    if "0" in used and any(text.isalpha() for text in used) and n == len(_HEXADECIMAL):
        possible.append(_HEXADECIMAL)
    return [alphabet[:n] for alphabet in possible if len(alphabet) >= n]


def are_marks(pieces: Sequence[Piece], n: int) -> bool:
    """Return whether a text has n places for each cell, with value v only in the v-th place."""
    digits = [(k % n + 1, piece.text) for k, piece in enumerate(pieces) if piece.text.isdigit()]
    marks = [text == str(value) for value, text in digits if text != "0"]
    return has_digits_only(n) and bool(marks) and all(marks)


def read_marks(pieces: Sequence[Piece], n: int) -> list[int]:
    """Read n places for each cell, each its own value or empty (Sukaku), as candidate sets."""
    empty = _Empty()
    for piece in pieces:
        if not piece.text.isdigit():
            empty.accept(piece, f"1 to {n}")
    marks = [piece.text.isdigit() and piece.text != "0" for piece in pieces]
    return [
        mask_of(value for value in range(1, n + 1) if marks[cell * n + value - 1])
        for cell in range(n * n)
    ]


class _Empty:
    """The symbol for empty cells in a text: the first one found, and no other."""

    def __init__(self) -> None:
        self.symbol = ""

    def accept(self, piece: Piece, expected: str) -> None:
        """Accept the piece as an empty cell, or refuse it."""
        # In tables of two-digit numbers an empty cell has two characters too: ``..``, ``00``.
        text = piece.text[0] if len(set(piece.text)) == 1 else piece.text
        if text not in EMPTIES:
            raise piece.error(f"expected {expected} or one symbol for empty, got {named(text)}")
        if self.symbol and text != self.symbol:
            raise piece.error(
                f"expected one symbol for empty, got {text!r} after {self.symbol!r}; "
                "write all empty cells alike"
            )
        self.symbol = text


def read_symbols(pieces: Sequence[Piece], n: int, alphabet: str) -> list[int]:
    """Read one symbol for each cell as candidate sets.

    Raises:
        FormatError: a symbol is not in the alphabet and cannot stand for empty.
    """
    values = {symbol: value for value, symbol in enumerate(alphabet, start=1)}
    if alphabet.upper() == alphabet:
        values |= {symbol.lower(): value for symbol, value in values.items()}
    expected = f"{alphabet[0]} to {alphabet[-1]}"
    empty = _Empty()
    masks = []
    for piece in pieces:
        value = values.get(piece.text)
        if value is None:
            empty.accept(piece, expected)
        masks.append(bit(value) if value else all_values(n))
    return masks


def read_words(
    pieces: Sequence[Piece], n: int, first_value: int = 1, words: Sequence[str] = ()
) -> list[int]:
    """Read one word for each cell: a number, candidates of a candidate grid, or an empty cell.

    Candidates are adjacent digits if all values are digits, otherwise numbers joined by commas.
    With ``words``, these stand for the values, instead of numbers.

    Raises:
        FormatError: a word is not one of these.
    """
    empty = _Empty()
    masks = []
    for piece in pieces:
        if piece.text == NO_CANDIDATES:
            masks.append(0)
        elif piece.text.replace(",", "").isdecimal() and (
            not first_value or set(piece.text) != {"0"}
        ):
            masks.append(
                _read_known(piece, words) if words else _read_candidates(piece, n, first_value)
            )
        else:
            expected = f"numbers from {first_value} to {first_value + n - 1}"
            empty.accept(piece, f"{words[0]} to {words[-1]}" if words else expected)
            masks.append(all_values(n))
    return masks


def _read_known(piece: Piece, words: Sequence[str]) -> int:
    parts = piece.text.split(",")
    if len({*parts}) < len(parts) or not {*parts} <= {*words}:
        expected = f"different ones of {words[0]} to {words[-1]}, two digits in ascending order"
        raise piece.error(f"expected {expected}, got {piece.text!r}")
    return mask_of(words.index(part) + 1 for part in parts)


def _read_candidates(piece: Piece, n: int, first_value: int) -> int:
    parts = list(piece.text) if has_digits_only(n, first_value) else piece.text.split(",")
    mask = 0
    for part in parts:
        value = int(part) - first_value + 1 if part.isdecimal() and len(part) < 6 else 0
        if not 1 <= value <= n or mask & bit(value):
            expected = f"different numbers from {first_value} to {first_value + n - 1}"
            raise piece.error(f"expected {expected}, got {piece.text!r}")
        mask |= bit(value)
    return mask
