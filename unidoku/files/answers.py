"""The answers to many boards as files hold them: a line a board, or a row of an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Result, Stop, count_text
from unidoku.backends.batch import STOPS, BatchResult
from unidoku.core.batch import Batch
from unidoku.files.writer import BoardWriter
from unidoku.formats.lines import write_lines

__all__ = ["write_counts", "write_solutions"]


def write_solutions(writer: BoardWriter, batch: Batch, result: BatchResult) -> None:
    """Write the solutions, in whatever form the file has."""
    match writer.form:
        case "text":
            writer.write(_solution_lines(batch, result))
        case "csv":
            writer.write(_solution_records(batch, result))
        case "npy":
            writer.write_rows(result.grids)


def write_counts(writer: BoardWriter, batch: Batch, result: BatchResult) -> None:
    """Write the numbers of solutions; in place of a board that could not be read a comment."""
    lines = [b"%d" % count for count in result.counts.tolist()]
    for index in np.flatnonzero(result.stops != STOPS.index(Stop.EXHAUSTED)).tolist():
        if index in result.invalid:
            lines[index] = _invalid(result.invalid[index])
        else:
            stop = STOPS[result.stops[index]]
            lines[index] = count_text(int(result.counts[index]), stop).encode()
    writer.write(_text(lines))


def _solution_lines(batch: Batch, result: BatchResult) -> bytes:
    """Return solutions; in place of one that is missing the puzzle, and a comment that says why."""
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
            why = Result(count=0, solutions=(), stop=STOPS[result.stops[index]])
            lines[index] = puzzle + f" # {why}".encode()
    return _text(lines)


def _solution_records(batch: Batch, result: BatchResult) -> bytes:
    """Return puzzle and solution; nothing in place of what is missing."""
    text = write_lines(batch.layout, _givens(batch), result.grids, empty="0")
    missing = np.flatnonzero(result.counts == 0).tolist()
    if not missing:
        return text
    lines = text.splitlines()
    for index in missing:
        puzzle = b"" if index in result.invalid else lines[index].partition(b",")[0]
        lines[index] = puzzle + b","
    return _text(lines)


def _givens(batch: Batch) -> NDArray[np.uint8]:
    """Return the givens of all boards, including those with pencil marks."""
    cells = batch.cells.copy() if batch.boards else batch.cells
    for index, board in batch.boards.items():
        cells[index] = board.givens
    return cells


def _invalid(reason: str) -> bytes:
    return f"# invalid: {' '.join(reason.split())}".encode()


def _text(lines: list[bytes]) -> bytes:
    return b"".join([line + b"\n" for line in lines])
