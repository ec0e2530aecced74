"""The boards of a file in parts, so that memory does not grow with its length.

Text, CSV, either of them compressed, and arrays of numpy. The first bytes tell which it is,
except for CSV, which its name tells.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from unidoku.backends.many import batch_layout
from unidoku.core.batch import Batch
from unidoku.core.variants import Variant
from unidoku.errors import InputError
from unidoku.files.source import GZIP, NPY, Source
from unidoku.files.streams import BLOCK, CsvLines, Numbered, TextLines

__all__ = ["Parts", "open_parts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The boards of a source.

    Args:
        name: what messages call the source.
        place: ``line`` or ``row``: what the numbers of its boards count.
        batches: the boards in order; the boards of one batch have the same layout.
        done: returns how much of the source has been read, from 0 to 1; 0 if that is unknown.
    """

    name: str
    place: str
    batches: Iterator[Numbered]
    done: Callable[[], float]


@contextlib.contextmanager
def open_parts(source: Source) -> Iterator[Parts]:
    """Open a source, and read its beginning, which tells how the boards are written.

    Raises:
        InputError: it cannot be read, or holds no board.
    """
    with contextlib.ExitStack() as stack:
        raw, size = _open(source)
        if source.puzzle != "-":
            stack.enter_context(raw)
        magic = raw.peek(len(NPY))
        if magic.startswith(NPY):
            yield _array_parts(source)
            return
        stream = cast(BinaryIO, raw)
        if magic.startswith(GZIP):
            stream = cast(BinaryIO, stack.enter_context(gzip.GzipFile(fileobj=raw)))
        is_csv = ".csv" in Path(source.name).suffixes[-2:]
        lines = (CsvLines if is_csv else TextLines)(source, stream)
        yield Parts(
            name=source.name,
            place="line",
            batches=lines.batches(),
            done=lambda: raw.tell() / size if size else 0.0,
        )


def _open(source: Source) -> tuple[io.BufferedReader, int]:
    """Open a source, and return its size in bytes; 0 if that is unknown."""
    if source.puzzle == "-":
        if sys.stdin is None:
            raise InputError("expected boards on standard input, but it is closed")
        if isinstance(stream := getattr(sys.stdin, "buffer", None), io.BufferedReader):
            return stream, 0
        return _buffered(sys.stdin.read()), 0
    if not source.is_file:
        source.read()  # refuses what is no board either
        return _buffered(source.puzzle), 0
    path = Path(source.puzzle)
    try:
        return path.open("rb"), path.stat().st_size
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error}") from error


def _buffered(text: str) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(text.encode()))


def _array_parts(source: Source) -> Parts:
    """Open a file of numpy, mapped into memory."""
    try:
        array = np.atleast_1d(np.load(source.puzzle, mmap_mode="r", allow_pickle=False))
    except (OSError, ValueError) as error:
        raise InputError(f"{source.puzzle} cannot be read: {error}") from error
    try:
        if source.size and isinstance(source.variant, str):
            layout = Variant.parse(source.variant).layout(source.size)
        else:
            layout = batch_layout(array, source.variant)
        Batch.from_array(layout, array[:1])
    except InputError as error:
        raise InputError(f"{source.puzzle}: {error}") from error
    rows = max(BLOCK // len(layout), 1)
    done = [0]

    def batches() -> Iterator[Numbered]:
        for start in range(0, len(array), rows):
            batch = Batch.from_array(layout, array[start : start + rows])
            done[0] = start + len(batch)
            yield batch, range(start + 1, start + 1 + len(batch))

    return Parts(
        name=source.puzzle,
        place="row",
        batches=batches(),
        done=lambda: done[0] / max(len(array), 1),
    )
