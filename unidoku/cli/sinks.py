"""Answers to many boards, to a file or to standard output, as they come."""

from __future__ import annotations

import contextlib
import gzip
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Protocol, TypeAlias, cast

import click
import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Result, Stop
from unidoku.backends.batch import STOPS, BatchResult
from unidoku.cli.common import Source, count_text, describe
from unidoku.core.batch import Batch
from unidoku.core.formats.lines import write_lines
from unidoku.errors import InputError

__all__ = ["Sink", "Writer", "count_lines", "open_sink", "solution_lines"]

QUICK = 1
"""The level of compression: a higher one takes longer than the solving."""

HEADER = b"quizzes,solutions\n"
"""The columns' names in CSV, as Kaggle's files have them."""

Writer: TypeAlias = Callable[[Batch, BatchResult], bytes]
"""Makes text with a line a board."""


class Sink(Protocol):
    """Takes answers, in the order of their boards."""

    def write(self, batch: Batch, result: BatchResult) -> None:
        """Write what was found of these boards."""

    def close(self) -> None:
        """Finish what was written; the file is whole then."""


def solution_lines(batch: Batch, result: BatchResult) -> bytes:
    """Write solutions; in place of one that is missing the puzzle, and a comment that says why."""
    text = write_lines(batch.layout, result.grids)
    missing = np.flatnonzero(result.counts == 0)
    if not len(missing):
        return text
    lines = text.splitlines()
    puzzles = write_lines(batch.layout, _givens(batch)[missing]).splitlines()
    for index, puzzle in zip(missing.tolist(), puzzles, strict=True):
        if index in result.invalid:
            lines[index] = _invalid(result.invalid[index])
        else:
            why = describe(Result(count=0, solutions=(), stop=STOPS[result.stops[index]]))
            lines[index] = puzzle + f" # {why}".encode()
    return _text(lines)


def solution_records(batch: Batch, result: BatchResult) -> bytes:
    """Write puzzle and solution; nothing in place of what is missing."""
    text = write_lines(batch.layout, _givens(batch), result.grids, empty="0")
    missing = np.flatnonzero(result.counts == 0).tolist()
    if not missing:
        return text
    lines = text.splitlines()
    for index in missing:
        puzzle = b"" if index in result.invalid else lines[index].partition(b",")[0]
        lines[index] = puzzle + b","
    return _text(lines)


def count_lines(batch: Batch, result: BatchResult) -> bytes:
    """Write the number of solutions; in place of a board that could not be read a comment."""
    lines = [b"%d" % count for count in result.counts.tolist()]
    for index in np.flatnonzero(result.stops != STOPS.index(Stop.EXHAUSTED)).tolist():
        if index in result.invalid:
            lines[index] = _invalid(result.invalid[index])
        else:
            stop = STOPS[result.stops[index]]
            lines[index] = count_text(int(result.counts[index]), stop).encode()
    return _text(lines)


def _givens(batch: Batch) -> NDArray[np.uint8]:
    """Return the givens of all boards, those with pencil marks among them."""
    cells = batch.cells.copy() if batch.boards else batch.cells
    for index, board in batch.boards.items():
        cells[index] = board.givens
    return cells


def _invalid(reason: str) -> bytes:
    return f"# invalid: {' '.join(reason.split())}".encode()


def _text(lines: list[bytes]) -> bytes:
    return b"".join([line + b"\n" for line in lines])


class LineSink:
    """Text, a line a board."""

    def __init__(self, stream: BinaryIO, writer: Writer, header: bytes = b"") -> None:
        """Write the header, if there is one."""
        self._stream = stream
        self._writer = writer
        self._stream.write(header)

    def write(self, batch: Batch, result: BatchResult) -> None:
        """Write a line a board."""
        self._stream.write(self._writer(batch, result))

    def close(self) -> None:
        """Flush the stream."""
        self._stream.flush()


class ArraySink:
    """A file of numpy: uint8 of shape (boards, cells), zeros where there is no solution."""

    def __init__(self, stream: BinaryIO) -> None:
        """Leave place for the header, which says how many boards there are."""
        self._stream = stream
        self._boards = self._cells = 0
        self._write_header()

    def write(self, batch: Batch, result: BatchResult) -> None:
        """Write a row a board."""
        if self._boards and self._cells != len(batch.layout):
            raise InputError(
                f"an array holds boards of one size, got {self._cells} cells and then "
                f"{len(batch.layout)}; write a .txt"
            )
        self._stream.write(result.grids.tobytes())
        self._cells = len(batch.layout)
        self._boards += len(batch)

    def close(self) -> None:
        """Write the header over the first, which is as long."""
        self._stream.seek(0)
        self._write_header()
        self._stream.flush()

    def _write_header(self) -> None:
        # numpy pads the header so that the number of rows can be written later.
        shape = (self._boards, self._cells)
        np.lib.format.write_array_header_1_0(
            self._stream, {"descr": "|u1", "fortran_order": False, "shape": shape}
        )


@contextlib.contextmanager
def open_sink(target: str | None, source: Source, writer: Writer) -> Iterator[Sink]:
    """Open what takes the answers, and finish it.

    A file has another name, with ``.part`` after its own, until it is whole. It is left there
    if the run is interrupted or fails, and removed if the input is at fault.

    Args:
        target: a file, ``.npy``, ``.csv`` or text, the latter two also compressed (``.gz``);
            standard output if not given or ``-``.
        source: what must not be overwritten.
        writer: of lines; solutions may be written in the other forms too.

    Raises:
        InputError: the file cannot be written, or is the source.
    """
    if target is None or target == "-":
        if sys.stdout is None:
            raise InputError("expected an output file: standard output is closed")
        yield LineSink(sys.stdout.buffer, writer)
        return
    path = Path(os.path.realpath(target))
    # A device or a pipe has no other name to be written under.
    part = path.with_name(path.name + ".part") if path.is_file() or not path.exists() else path
    if path.is_dir() or os.path.realpath(source.puzzle) in (str(path), str(part)):
        raise InputError(f"expected a new file for the answers, got {target!r}")
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    if kind in ("csv", "npy") and writer is not solution_lines:
        raise InputError(f"expected a file for lines of text, got {target!r}")
    if path.suffix == ".gz" and kind == "npy":
        raise InputError(f"expected .npy, or text to be compressed, got {target!r}")
    try:
        file = part.open("wb")
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error}") from error
    with file:
        try:
            with contextlib.ExitStack() as stack:
                stream = cast(BinaryIO, file)
                if path.suffix == ".gz":
                    packed = stack.enter_context(gzip.GzipFile("", "wb", QUICK, file))
                    stream = cast(BinaryIO, packed)
                sink = stack.enter_context(contextlib.closing(_sink(stream, kind, writer)))
                yield sink
        except InputError:
            if part != path:
                part.unlink()
            raise
        except BaseException:
            click.echo(f"unidoku: what was found so far is in {part}", err=True)
            raise
    if part != path:
        part.replace(path)


def _sink(stream: BinaryIO, kind: str, writer: Writer) -> Sink:
    match kind:
        case "npy":
            return ArraySink(stream)
        case "csv":
            return LineSink(stream, solution_records, HEADER)
        case _:
            return LineSink(stream, writer)
