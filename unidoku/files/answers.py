"""The answers for the boards of a file: a line for each, or a row of a table or an array; totals.

Totals say how many boards there are, and how each search ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Request, Result, Stop, count_text
from unidoku.backends.batch import INVALID, STOPS, BatchResult, add_figures
from unidoku.core.batch import Batch
from unidoku.errors import InputError
from unidoku.files.chunk import BoardChunk, Columns, OpenSource
from unidoku.files.writer import HEADER, BoardWriter
from unidoku.formats.lines import line_array, write_lines
from unidoku.support.text import plural

SHOWN = 10
"""The most unreadable boards whose reasons are kept; all of them are counted."""


@dataclass(frozen=True, slots=True)
class SolutionTable:
    """The table that solutions are written into.

    Args:
        name: name of the first source in messages.
        columns: columns of the first source that are copied too; None for none.
        has_unique: whether a column states if a board has exactly one solution.
    """

    name: str
    columns: Columns | None
    has_unique: bool

    @classmethod
    def of(cls, source: OpenSource, request: Request) -> SolutionTable:
        """Return the table for the answers to a request."""
        return cls(source.name, source.columns, request.solutions != 1)

    @property
    def delimiter(self) -> bytes:
        """What separates columns: the same as in the table that was read."""
        return self.columns.delimiter if self.columns else b","

    @property
    def header(self) -> bytes:
        """The first line of the table, with the names of its columns."""
        if (columns := self.columns) is None:
            names = HEADER.rstrip()
            return names + (b",unique\n" if self.has_unique else b"\n")
        names = b"solutions" + (self.delimiter + b"unique" if self.has_unique else b"")
        return _text([columns.around.joined(names, self.delimiter)])

    def check(self, source: OpenSource) -> None:
        """Check that a further source has the same columns.

        Raises:
            InputError: its columns differ.
        """
        if source.columns != self.columns:
            raise InputError(
                f"{source.name}: expected the columns of {self.name}, to write both into one "
                "table; write a .txt, or solve each file by itself"
            )

    def rows(self, boards: BoardChunk, result: BatchResult) -> bytes:
        """Return a row for each board; the field of a missing solution is empty."""
        batch = boards.batch
        solutions = [*write_lines(batch.layout, result.grids).splitlines()]
        for index in np.flatnonzero(result.counts == 0).tolist():
            solutions[index] = b""
        if self.has_unique:
            solutions = [
                solution + self.delimiter + verdict
                for solution, verdict in zip(solutions, _verdicts(result), strict=True)
            ]
        if boards.around is not None:
            rows = zip(boards.around, solutions, strict=True)
            return _text([around.joined(middle, self.delimiter) for around, middle in rows])
        puzzles = write_lines(batch.layout, _givens(batch), empty="0").splitlines()
        for index in batch.invalid:
            puzzles[index] = b""
        return _text([b",".join(row) for row in zip(puzzles, solutions, strict=True)])


def _verdicts(result: BatchResult) -> list[bytes]:
    """Return for each board whether it has exactly one solution; empty if it cannot be read."""
    is_known = (result.counts > 1) | (result.stops == STOPS.index(Stop.EXHAUSTED))
    verdicts = np.where(result.unique, b"yes", np.where(is_known, b"no", b"unknown"))
    verdicts = np.where(result.stops == INVALID, b"", verdicts)
    return [bytes(verdict) for verdict in verdicts]


def write_solutions(
    writer: BoardWriter, boards: BoardChunk, result: BatchResult, table: SolutionTable
) -> None:
    """Write the solutions in the form of the output file."""
    match writer.form:
        case "text":
            writer.write(_solution_lines(boards.batch, result))
        case "csv":
            writer.write(table.rows(boards, result))
        case "npy":
            writer.write_rows(result.grids)


def write_counts(
    writer: BoardWriter, boards: BoardChunk, result: BatchResult, table: SolutionTable
) -> None:
    """Write the numbers of solutions; a comment takes the place of a board that cannot be read."""
    lines = [b"%d" % count for count in result.counts.tolist()]
    for index in np.flatnonzero(result.stops != STOPS.index(Stop.EXHAUSTED)).tolist():
        if index in result.invalid:
            lines[index] = _invalid(result.invalid[index])
        else:
            stop = STOPS[result.stops[index]]
            lines[index] = count_text(int(result.counts[index]), stop).encode()
    writer.write(_text(lines))


def _solution_lines(batch: Batch, result: BatchResult) -> bytes | memoryview:
    """Return solutions; the puzzle and a comment with the reason replace a missing one."""
    missing = np.flatnonzero(result.counts == 0)
    if not len(missing):
        return line_array(batch.layout, result.grids).data
    lines = write_lines(batch.layout, result.grids).splitlines()
    puzzles = write_lines(batch.layout, _givens(batch)[missing]).splitlines()
    for index, puzzle in zip(missing.tolist(), puzzles, strict=True):
        if index in result.invalid:
            lines[index] = _invalid(result.invalid[index])
        else:
            why = Result(count=0, solutions=(), stop=STOPS[result.stops[index]])
            lines[index] = puzzle + f" # {why}".encode()
    return _text(lines)


def _givens(batch: Batch) -> NDArray[np.uint8]:
    """Return the givens of all boards, pencil-mark boards included."""
    cells = batch.cells.copy() if batch.boards else batch.cells
    for index, board in batch.boards.items():
        cells[index] = board.givens
    return cells


def _invalid(reason: str) -> bytes:
    return f"# invalid: {' '.join(reason.split())}".encode()


def _text(lines: list[bytes]) -> bytes:
    return b"".join([line + b"\n" for line in lines])


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Totals for the boards of a file, so far or at the end.

    Args:
        boards: number of boards so far.
        solved: number of boards with a solution.
        impossible: number of boards that are proved to have no solution.
        undecided: number of boards that a limit stopped before they were decided.
        invalid: number of boards that could not be read.
        reasons: place and reason for the first boards that could not be read.
        statistics: the backend's statistics, summed over all boards.
        done: share of the file that has been read, from 0 to 1; 0 if it is unknown.
        notes: remarks on how the files were read, where that may surprise the user.
        before: number of boards that an earlier run answered; they are not counted here.
    """

    boards: int = 0
    solved: int = 0
    impossible: int = 0
    undecided: int = 0
    invalid: int = 0
    reasons: tuple[str, ...] = ()
    statistics: Mapping[str, float] = field(default_factory=dict)
    done: float = 0.0
    notes: tuple[str, ...] = ()
    before: int = 0

    @classmethod
    def of(cls, result: BatchResult, name: Callable[[int], str]) -> Totals:
        """Return the totals for boards; ``name`` returns a board's name in messages."""
        read = result.stops != INVALID
        answered = np.isin(result.stops, [k for k, stop in enumerate(STOPS) if stop.answered])
        examples = sorted(result.invalid.items())[:SHOWN]
        return cls(
            boards=len(result),
            solved=int(result.solved.sum()),
            impossible=int((answered & ~result.solved).sum()),
            undecided=int((read & ~answered).sum()),
            invalid=int((~read).sum()),
            reasons=tuple(f"{name(index)}: {why}" for index, why in examples),
            statistics=result.statistics,
        )

    def joined(self, other: Totals, done: float) -> Totals:
        """Return the sum of these totals and those of the boards that follow."""
        statistics = dict(self.statistics)
        add_figures(statistics, other.statistics)
        return replace(
            self,
            boards=self.boards + other.boards,
            solved=self.solved + other.solved,
            impossible=self.impossible + other.impossible,
            undecided=self.undecided + other.undecided,
            invalid=self.invalid + other.invalid,
            reasons=(self.reasons + other.reasons)[:SHOWN],
            statistics=statistics,
            done=done,
        )

    def __str__(self) -> str:
        """Return the counts that are not zero.

        >>> print(Totals(boards=1200, solved=1199, undecided=1))
        1,200 boards: 1,199 with a solution, 1 undecided
        """
        others = {
            "without solution": self.impossible,
            "undecided": self.undecided,
            "invalid": self.invalid,
        }
        phrases = [f"{self.solved:,} with a solution"]
        phrases += [f"{count:,} {outcome}" for outcome, count in others.items() if count]
        resumed = f" after {self.before:,} of an earlier run" if self.before else ""
        return f"{plural(self.boards, 'board')}{resumed}: {', '.join(phrases)}"
