"""Reads the bytes of a text, unpacked, in blocks of whole lines and in bounded memory.

However large the unpacked file is, only a block and the longest line are in memory. A program
writes all puzzles of a file in JSON on one line, as objects in the list ``puzzles`` or one after
the other: each is cut out by its brackets, so that a reader of whole texts can read it.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from unidoku.errors import FormatError, InputError, reason

BLOCK = 1 << 21
"""Bytes that are read at a time."""

LONGEST = 1 << 20
"""The most bytes of a line, and of a text that is read as a whole: the largest board in the
widest form takes fewer."""

LONGEST_OF_JSON = 1 << 26
"""The most bytes of a puzzle in JSON, of which programs write all on one line."""

GZIP, NPY = b"\x1f\x8b", b"\x93NUMPY"
"""The beginnings of compressed files, whatever their names are."""

_LARGE = 1 << 16
"""Bytes in which line ends are counted by numpy, and how many of them at a time."""

_LINE_END = ord("\n")

_UTF8 = b"\xef\xbb\xbf"
_OTHERS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
"""The beginnings of text in the encodings that Windows and spreadsheets write."""


class TextStream:
    """Text that is read in blocks of whole lines; `open_stream` creates one.

    Attributes:
        name: name of the text in messages.
        is_packed: whether it is compressed.
        is_array: whether it is a numpy array, and therefore not text.
        size: number of bytes in the file; 0 if it is unknown or the file is compressed.
        start: offset in the file of the block that was yielded last; None if the bytes of the file
            differ from those of the block.
    """

    def __init__(self, raw: io.BufferedReader, name: str, size: int = 0) -> None:
        """Read the first bytes."""
        self.name = name
        self._raw = raw
        self._bytes = size
        start = self._peek()
        self.is_packed = start.startswith(GZIP)
        self._marked = 0  # size of the byte order mark
        self._is_json = False
        self._stream = (
            cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if self.is_packed else cast(BinaryIO, raw)
        )
        self.is_array = start.startswith(NPY)
        self.size = 0 if self.is_packed else size
        self.start: int | None = None

    def done(self) -> float:
        """Return the share that has been read, from 0 to 1; 0 if it is unknown."""
        return self._raw.tell() / self._bytes if self._bytes else 0.0

    def blocks(self) -> Iterator[bytes]:
        r"""Yield the text in blocks of whole lines, with ``\n`` for all kinds of line ends.

        A line of JSON that is longer than `LONGEST` is in several blocks.

        Raises:
            FormatError: another line is longer than `LONGEST`, or the text is in another encoding.
            InputError: it cannot be read.
        """
        data = self._start()
        offset = self._marked if self.size else None
        line = 1
        rest, carriage_return = b"", b""
        while data:
            data = carriage_return + data
            carriage_return = b"\r" if data.endswith(b"\r") else b""
            if b"\r" in data:
                offset = None
                data = (
                    data.removesuffix(carriage_return).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
                )
            end = data.rfind(b"\n") + 1
            if end:
                block = b"".join((rest, memoryview(data)[:end]))
                self._refuse_long(block, line)
                line += line_ends(block)
                self.start = offset
                yield block
                offset = None if offset is None else offset + len(block)
                rest = b""
            rest += data[end:]
            if self._is_json and len(rest) > LONGEST:
                self.start = offset = None
                yield rest
                rest = b""
            self._refuse_long(rest, line)
            data = self._read()
        self.start = None  # the file has no line end here
        if rest or carriage_return:
            yield rest + b"\n"

    def _refuse_long(self, block: bytes, first_line: int) -> None:
        """Raise if a block contains a line longer than `LONGEST`."""
        start = 0
        while len(block) - start > LONGEST and not self._is_json:
            end = block.rfind(b"\n", start, start + LONGEST + 1) + 1
            if not end:
                raise FormatError(
                    f"expected lines of at most {LONGEST >> 20} MiB, got a longer one; "
                    "is this a file of boards?",
                    first_line + block.count(b"\n", 0, start),
                    source=self.name,
                )
            start = end

    def _start(self) -> bytes:
        """Read the first block, without a byte order mark."""
        data = self._read()
        for mark, encoding in _OTHERS.items():
            if data.startswith(mark):
                raise FormatError(
                    f"expected text in UTF-8, got {encoding}; save it as UTF-8", source=self.name
                )
        if data.startswith(NPY):
            raise InputError(
                f"{self.name}: expected text, got an array of numpy; give it as a file of its own"
            )
        start = data.removeprefix(_UTF8)
        self._marked = len(data) - len(start)
        self._is_json = start.lstrip().startswith(b"{")
        return start if start or not data else self._read()

    def _read(self) -> bytes:
        try:
            return self._stream.read(BLOCK)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{self.name} cannot be read: {reason(error)}") from error

    def _peek(self) -> bytes:
        try:
            return self._raw.peek(len(NPY))
        except OSError as error:
            raise InputError(f"{self.name} cannot be read: {reason(error)}") from error


@contextlib.contextmanager
def open_stream(path: Path | None) -> Iterator[TextStream]:
    """Open a file, or standard input if there is no path.

    Raises:
        InputError: it cannot be read.
    """
    if path is None:
        yield TextStream(_standard_input(), "standard input")
        return
    try:
        raw = path.open("rb")
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {reason(error)}") from error
    with raw:
        yield TextStream(raw, str(path), size)


def _standard_input() -> io.BufferedReader:
    if sys.stdin is None:
        raise InputError("expected boards on standard input, but it is closed")
    if isinstance(stream := getattr(sys.stdin, "buffer", None), io.BufferedReader):
        return stream
    return io.BufferedReader(io.BytesIO(sys.stdin.read().encode()))


def line_ends(data: bytes) -> int:
    """Return how many line ends there are, which CPython counts byte by byte."""
    if len(data) < _LARGE:
        return data.count(b"\n")
    import numpy as np  # which who reads a board or two does without

    ends = np.frombuffer(data, np.uint8)
    return sum(
        int(np.count_nonzero(ends[start : start + _LARGE] == _LINE_END))
        for start in range(0, len(ends), _LARGE)
    )


def decoded(block: bytes, first_line: int, name: str) -> str:
    """Return a block as text; its first line has this number.

    Raises:
        FormatError: it is not UTF-8; the message states the line.
    """
    try:
        return block.decode()
    except UnicodeDecodeError as error:
        line = first_line + block.count(b"\n", 0, error.start)
        message = f"expected text in UTF-8, got the byte 0x{block[error.start]:02x}"
        raise FormatError(f"{message}; save it as UTF-8", line, source=name) from error


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
