"""Writes files of boards: text, CSV, both compressed or not, and numpy arrays."""

from __future__ import annotations

import codecs
import contextlib
import gzip
import io
import os
import shutil
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, Literal, TextIO, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from unidoku.errors import InputError
from unidoku.formats.stream import line_ends
from unidoku.support.atomic_write import ending_of, new_file

Form: TypeAlias = Literal["text", "csv", "npy"]
"""How a file holds boards: one on each line, puzzle and solution, or rows of values."""

Content: TypeAlias = list[NDArray[np.uint8]]
"""Content of a file of boards: the bytes of lines, or rows of values."""

FORMS: tuple[Form, ...] = ("text", "csv", "npy")

ENDINGS: Mapping[str, Form] = {
    "": "text",
    ".txt": "text",
    ".csv": "csv",
    ".npy": "npy",
    ".gz": "text",
    ".txt.gz": "text",
    ".csv.gz": "csv",
}
"""The endings of file names, and the form of each; those with ``.gz`` are compressed."""

QUICK = 1
"""The level of compression: a higher level takes longer than solving the boards."""

COPIED = 1 << 20
"""Bytes that are copied at a time."""

HEADER = b"quizzes,solutions\n"
"""The names of the columns in CSV, the same as in Kaggle's files."""


class BoardWriter:
    """Writes boards, or answers about them, in order; `open_writer` creates one.

    Attributes:
        form: how the file holds boards; it determines whether to call `write` or `write_rows`.
        part: path of the file until it is complete; None if the file is written directly.
        resumed: number of lines of an earlier writer that the file keeps.
    """

    part: Path | None = None
    resumed: int = 0

    def __init__(self, stream: BinaryIO, form: Form, header: bytes = HEADER) -> None:
        """Write the header if the form has one; a table's header names its columns."""
        self.form = form
        self._stream = stream
        self._shape = (0, 0)
        if form == "csv":
            stream.write(header)
        elif form == "npy":
            self._write_shape()

    def write(self, lines: bytes | memoryview) -> None:
        """Write lines of text or CSV."""
        self._stream.write(lines)

    def append(self, content: Content | Path, boards: int) -> None:
        """Write content that was collected elsewhere; its file, if it has one, is removed.

        Args:
            content: the bytes of lines, or rows of values, or a file of either.
            boards: number of rows.
        """
        if not isinstance(content, Path):
            for array in content:
                if self.form == "npy":
                    self.write_rows(array)
                else:
                    self._stream.write(array.data)
            return
        with content.open("rb") as file:
            if self.form == "npy":
                self.write_rows(np.fromfile(file, np.uint8).reshape(boards, -1))
            else:
                shutil.copyfileobj(file, self._stream, COPIED)
        content.unlink()

    def write_rows(self, values: NDArray[np.uint8]) -> None:
        """Write rows of an array, of shape (boards, cells).

        Raises:
            InputError: earlier rows have another number of cells.
        """
        boards, cells = self._shape
        if boards and cells != values.shape[1]:
            raise InputError(
                f"an array holds boards of one size, got {cells} cells and then "
                f"{values.shape[1]}; write a .txt"
            )
        self._stream.write(values.tobytes())
        self._shape = (boards + len(values), values.shape[1])

    def close(self) -> None:
        """Finish the file, which is complete after this."""
        if self.form == "npy":
            self._stream.seek(0)
            self._write_shape()
        self._stream.flush()

    def _write_shape(self) -> None:
        """Write numpy's header, whose length does not depend on the number of rows."""
        np.lib.format.write_array_header_1_0(
            self._stream, {"descr": "|u1", "fortran_order": False, "shape": self._shape}
        )


def form_of(path: str | os.PathLike[str] | None) -> Form:
    """Return the form of a file with this name; text without a name or a known ending."""
    return "text" if path is None else ENDINGS.get(ending_of(path), "text")


@contextlib.contextmanager
def open_writer(
    path: str | os.PathLike[str] | None,
    *,
    forms: Collection[Form] = FORMS,
    sources: Collection[str | os.PathLike[str]] = (),
    force: bool = False,
    header: bytes = HEADER,
    resume: bool = False,
) -> Iterator[BoardWriter]:
    """Open a file for boards, and finish it at the end of a ``with``.

    `unidoku.support.atomic_write.new_file` writes it: if the body raises, the file keeps what was
    written so far, and a note on the exception names it; it is removed if the input is at fault.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with open_writer(f"{folder}/boards.npy") as writer:
    ...         writer.write_rows(np.zeros((2, 81), np.uint8))
    ...     np.load(f"{folder}/boards.npy").shape
    (2, 81)

    Args:
        path: a file, ``.npy``, ``.csv`` or text, the latter two also compressed (``.gz``);
            standard output as text if it is None or ``-``.
        forms: the forms that the caller can write.
        sources: files that must not be overwritten.
        force: replace a file that exists.
        header: the line that names the columns of a ``.csv``.
        resume: whether to continue the unfinished text of an earlier writer.

    Raises:
        InputError: the file is also the source, or its ending belongs to none of the forms.
        OutputError: the file exists or cannot be written.
    """
    if path is None or path == "-":
        if sys.stdout is None:
            raise InputError("expected an output file: standard output is closed")
        yield BoardWriter(_standard_output(sys.stdout), "text")
        return
    if os.path.realpath(path) in (os.path.realpath(source) for source in sources):
        raise InputError(f"expected another file than the boards', got {os.fspath(path)!r}")
    endings = [ending for ending, form in ENDINGS.items() if form in forms]
    with (
        new_file(path, force=force, keep=True, resume=resume, endings=endings) as file,
        contextlib.ExitStack() as stack,
    ):
        ending = ending_of(path)
        part = Path(file.name)
        lines = _cut(cast(io.BufferedWriter, file).raw) if resume else 0  # type: ignore[arg-type]  # a file
        if ENDINGS[ending] == "npy" and not file.seekable():
            raise InputError(f"expected a file for .npy, which begins with its size; got {path}")
        if ending.endswith(".gz"):
            packed = stack.enter_context(gzip.GzipFile("", "wb", QUICK, file, 0))
            file = cast(BinaryIO, packed)
        writer = stack.enter_context(contextlib.closing(BoardWriter(file, ENDINGS[ending], header)))
        writer.part = part if part.suffix == ".part" else None
        writer.resumed = lines
        yield writer


def _whole_lines(file: io.FileIO) -> tuple[int, int]:
    """Return the number of whole lines, and the byte after the last one.

    A power cut may leave zeros in place of what was not yet on the disk: lines end before them.
    """
    lines = end = offset = 0
    is_lost = False
    while not is_lost and (block := file.read(1 << 20)):
        if is_lost := b"\0" in block:
            block = block.partition(b"\0")[0]
        lines += line_ends(block)
        end = offset + block.rfind(b"\n") + 1 if b"\n" in block else end
        offset += len(block)
    return lines, end


def _cut(file: io.FileIO) -> int:
    """Cut a file after its last whole line, move to its end, and return the number of lines."""
    lines, end = _whole_lines(file)
    file.truncate(end)
    file.seek(end)
    return lines


def _standard_output(stream: TextIO) -> BinaryIO:
    """Return standard output for UTF-8: its bytes, or a wrapper for a wider encoding."""
    if "\n".encode(stream.encoding or "utf-8") == b"\n":
        return stream.buffer
    return cast(BinaryIO, codecs.EncodedFile(stream.buffer, "utf-8", stream.encoding))
