"""The puzzles of a text in JSON, one after the other, in the memory of one.

A file that a program wrote has all its puzzles on one line, as objects in the list ``puzzles`` or
one after the other. Each is cut out by its brackets, so that a reader of whole texts can read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from unidoku.errors import FormatError
from unidoku.formats.stream import LONGEST_OF_JSON

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]]|"', re.DOTALL)
"""A whole text, a bracket, or the beginning of a text whose end is not known yet."""

_LIST = re.compile(rb"\s*:\s*\[")
_BEGINNING_OF_LIST = re.compile(rb"\s*(?::\s*)?\Z")
_KEY = b'"puzzles"'


def json_parts(blocks: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the number of the line where each puzzle begins, and a text with it alone.

    A puzzle of a list has the keys that stand before the list, such as ``version``.

    Raises:
        FormatError: an object is longer than 64 MiB, or something else is beside the puzzles.
    """
    parts = _Parts()
    for block in blocks:
        yield from parts.read(block)
    parts.end()


class _Parts:
    """The text that is read but not yet cut, and where in it reading stands."""

    def __init__(self) -> None:
        self._text = b""
        self._at = 0  # of the next token
        self._start = 0  # of what is to be cut next
        self._line = 1
        self._depth = 0
        self._header: bytes | None = None
        self._is_first = True

    def read(self, block: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield the puzzles that end in a block."""
        self._text += block
        while token := _TOKEN.search(self._text, self._at):
            if token[0] == b'"':
                break
            if token[0] == _KEY and self._depth == 1 and self._header is None:
                if _BEGINNING_OF_LIST.match(self._text, token.end()):
                    break
                if opened := _LIST.match(self._text, token.end()):
                    self._open(token.start(), opened.end())
                    continue
            self._at = token.end()
            if token[0] in (b"{", b"["):
                self._down(token[0], token.start())
            elif token[0] in (b"}", b"]"):
                yield from self._up(token.end())
        self._text, self._at, self._start = self._text[self._start :], self._at - self._start, 0
        if len(self._text) > LONGEST_OF_JSON:
            most = LONGEST_OF_JSON >> 20
            message = f"expected puzzles of at most {most} MiB, got a longer one"
            raise FormatError(message, self._line)

    def _open(self, key: int, end: int) -> None:
        """Begin the list of puzzles."""
        self._header = self._text[self._start : key] + _KEY + b":["
        self._at, self._is_first, self._depth = end, True, 2
        self._cut(end)

    def _down(self, bracket: bytes, start: int) -> None:
        if self._depth == (0 if self._header is None else 2):
            wanted = b"" if self._header is None or self._is_first else b","
            between = self._text[self._start : start].strip()
            if bracket == b"[" or between != wanted:
                raise FormatError("expected objects of JSON, with commas in a list", self._line)
            self._is_first = False
            self._cut(start)
        self._depth += 1

    def _up(self, end: int) -> Iterator[tuple[int, bytes]]:
        self._depth -= 1
        if self._header is not None and self._depth == 2:
            yield self._line, self._header + self._text[self._start : end] + b"]}"
            self._cut(end)
        elif self._header is not None and self._depth == 1:
            self._cut(end)
        elif self._depth <= 0:
            content = self._text[self._start : end]
            if self._header is None:
                yield self._line, content
            elif content.strip() != b"}":
                raise FormatError("expected 'puzzles' as the last key of a long file", self._line)
            self._depth, self._header = 0, None
            self._cut(end)

    def _cut(self, end: int) -> None:
        """Begin what is to be cut next."""
        self._line += self._text.count(b"\n", self._start, end)
        self._start = end

    def end(self) -> None:
        """Raise if a puzzle is not complete at the end of the text."""
        if self._depth or self._text.strip():
            raise FormatError("expected the end of an object in JSON, got the end", self._line)
