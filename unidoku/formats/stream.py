"""Reads the bytes of a text, unpacked, in blocks of whole lines and in bounded memory.

However large the unpacked file is, only a block and the longest line are in memory.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from unidoku.errors import FormatError, InputError, reason

__all__ = ["GZIP", "LONGEST", "NPY", "TextStream", "decoded", "line_ends", "open_stream"]

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
        number = 1
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
                self._refuse_long(block, number)
                number += line_ends(block)
                self.start = offset
                yield block
                offset = None if offset is None else offset + len(block)
                rest = b""
            rest += data[end:]
            if self._is_json and len(rest) > LONGEST:
                self.start = offset = None
                yield rest
                rest = b""
            self._refuse_long(rest, number)
            data = self._read()
        self.start = None  # the file has no line end here
        if rest or carriage_return:
            yield rest + b"\n"

    def _refuse_long(self, block: bytes, number: int) -> None:
        """Raise if a block contains a line longer than `LONGEST`."""
        start = 0
        while len(block) - start > LONGEST and not self._is_json:
            end = block.rfind(b"\n", start, start + LONGEST + 1) + 1
            if not end:
                raise FormatError(
                    f"expected lines of at most {LONGEST >> 20} MiB, got a longer one; "
                    "is this a file of boards?",
                    number + block.count(b"\n", 0, start),
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


def decoded(block: bytes, number: int, name: str) -> str:
    """Return a block as text; its first line has this number.

    Raises:
        FormatError: it is not UTF-8; the message states the line.
    """
    try:
        return block.decode()
    except UnicodeDecodeError as error:
        line = number + block.count(b"\n", 0, error.start)
        message = f"expected text in UTF-8, got the byte 0x{block[error.start]:02x}"
        raise FormatError(f"{message}; save it as UTF-8", line, source=name) from error
