"""Puzzles of one layout, made in batches; attempts that do not meet the request are counted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from unidoku.backends.batch import STOPS
from unidoku.backends.solving.solver import Solver
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.regions import map_of
from unidoku.core.text.symbols import DIGITS_FIRST
from unidoku.errors import TimeLimitError, WrongAnswerError
from unidoku.formats.lines import write_lines
from unidoku.generation.dig import dig, minimality
from unidoku.generation.grids import RandomTable, random_grids
from unidoku.generation.oracle import Cells, Flags, Oracle
from unidoku.generation.request import GenerationProgress, PuzzleRequest, orbits
from unidoku.logic import Ending, chosen, up_to, walk_through
from unidoku.logic.catalogue import LEVELS, level_of
from unidoku.logic.explainer.scale import scale_rating
from unidoku.support.deadline import time_limit_scope

_MOST = 4096
"""The most puzzles in a batch."""

_WORK = 3e9
"""The most that a batch costs: its puzzles times the square of the candidates of an empty board.
That is at most a second on boards of 81 cells."""

_FIRST = 32
"""Puzzles in the first batch if more are requested; each further batch is four times as large."""


_SYMBOLS = np.frombuffer(f".{DIGITS_FIRST}".encode(), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Puzzles:
    """Puzzles of one layout, each with its solution.

    Args:
        layout: layout of all puzzles.
        cells: the givens, of shape (puzzles, cells), 0 for an empty cell.
        grids: the solutions, of the same shape.
    """

    layout: Layout
    cells: Cells
    grids: Cells

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.cells)

    def __getitem__(self, which: slice | Flags) -> Puzzles:
        """Return some of the puzzles."""
        return Puzzles(self.layout, self.cells[which], self.grids[which])

    def boards(self) -> Iterator[Board]:
        """Yield each puzzle as a board."""
        for row in self.cells.tolist():
            yield Board.from_values(self.layout, row)

    def lines(self, *, with_map: bool = False) -> bytes:
        """Return the puzzles as lines of text, one for each, which the commands can read.

        The line of a jigsaw has a map of its regions after the givens, one symbol for each cell.
        """
        if not with_map:
            return write_lines(self.layout, self.cells)
        tail = f" {map_of(self.layout)}\n".encode()
        return b"".join(row.tobytes() + tail for row in _SYMBOLS[self.cells])


def framed_text(board: Board, *, with_map: bool = False) -> str:
    """Return a board in rows, followed by the rows of its region map if requested."""
    if not with_map:
        return board.text()
    n = board.layout.n
    givens = "".join(chr(_SYMBOLS[value]) for value in board.givens)
    return "\n".join(
        " ".join(text[start : start + n])
        for text in (givens, map_of(board.layout))
        for start in range(0, n * n, n)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Makes puzzles of one layout.

    Args:
        oracle: checks uniqueness.
        filler: decides which full grids exist; often the same object.
        request: the properties that puzzles must have.
        progress: counts puzzles and refusals.
        seed: seed of the random numbers.
        second: second solver, which confirms uniqueness; None for no confirmation.
    """

    oracle: Oracle
    filler: Oracle
    request: PuzzleRequest
    progress: GenerationProgress
    seed: int
    second: Solver | None = None

    def puzzles(
        self, first: int = 0, wanted: int | None = None, attempts: int | None = None
    ) -> Iterator[Puzzles]:
        """Yield puzzles that meet the request, in the order of their attempts; parts may be empty.

        Args:
            first: number of the first attempt.
            wanted: number of puzzles, None for no limit.
            attempts: number of attempts after which to give up, None for no limit.

        Raises:
            TimeLimitError: the deadline of the oracle has passed.
            WrongAnswerError: two backends disagree.
        """
        candidates = len(self.oracle.layout) * self.oracle.layout.n
        most = int(min(_MOST, max(_FIRST, _WORK / candidates**2)))
        end = math.inf if attempts is None else first + attempts
        missing = math.inf if wanted is None else wanted
        size = min(missing, _FIRST)
        tried = accepted = 0
        while missing and first < end:
            size = int(min(size, end - first))
            for puzzles in self._batch(first, size):
                good = puzzles[: int(missing)] if missing < len(puzzles) else puzzles
                if len(good):
                    self.confirm(good)
                self.progress.made += len(good)
                accepted += len(good)
                missing -= len(good)
                yield good
                if not missing:
                    return
            first += size
            tried += size
            # A tenth more than needed at the current success rate: a small batch
            # needs as many calls of the backend as a large one.
            size = min(size * 4, most)
            if missing < math.inf:
                size = min(size, math.ceil(missing * 1.1 * tried / max(accepted, 1)))

    def _batch(self, first: int, size: int) -> Iterator[Puzzles]:
        """Make some attempts, and yield the puzzles that meet the request."""
        puzzles = self._make(first, size)
        self.progress.attempts += size
        if self.request.clues is not None:
            fewest, most = self.request.clues
            givens = np.count_nonzero(puzzles.cells, axis=1)
            puzzles = self._filtered(
                puzzles, (givens >= fewest) & (givens <= most), f"not {self.request.clues_text}"
            )
        if self.request.minimal:
            minimal, not_minimal = minimality(self.oracle, puzzles.cells)
            self.progress.refused["not minimal"] += int(not_minimal.sum())
            self.progress.refused["undecided"] += int((~minimal & ~not_minimal).sum())
            puzzles = puzzles[minimal]
        if self.request.difficulty is None and self.request.rating is None:
            yield puzzles
        else:
            yield from self._as_difficult(puzzles)

    def _make(self, first: int, size: int) -> Puzzles:
        """Make full grids and remove givens; return the puzzles proved to have one solution."""
        layout = self.oracle.layout
        groups = orbits(layout, self.request.symmetry)
        targets = np.array(self.request.clue_targets(layout))
        candidates = len(layout) * layout.n
        numbers = RandomTable(self.seed, candidates + len(groups) + 1).rows(first, size)
        grids = random_grids(
            self.filler, numbers[:, :candidates].reshape(size, len(layout), layout.n)
        )
        has_grid = grids.any(axis=1)
        self.progress.refused["no grid"] += int((~has_grid).sum())
        numbers, grids = numbers[has_grid], grids[has_grid]
        fewest = targets[numbers[:, -1].astype(np.int64) * len(targets) >> 32]
        cells = dig(self.oracle, grids, groups, numbers[:, candidates:-1], fewest)
        answers = self.oracle.ask(cells, keep=True)
        agrees = (answers.grids == grids).all(axis=1)
        for row in np.flatnonzero(answers.unique & ~agrees)[:1].tolist():
            raise WrongAnswerError(
                f"{self.oracle.solver.label} claims that {_line(layout, cells[row])} has one "
                f"solution, but it has {_line(layout, grids[row])} and "
                f"{_line(layout, answers.grids[row])}"
            )
        return self._filtered(Puzzles(layout, cells, grids), answers.unique, "undecided")

    def _filtered(self, puzzles: Puzzles, which: Flags, reason: str) -> Puzzles:
        """Return the selected puzzles, and count the others as refused for a reason."""
        self.progress.refused[reason] += int((~which).sum())
        return puzzles[which]

    def _as_difficult(self, puzzles: Puzzles) -> Iterator[Puzzles]:
        """Yield the puzzles with the difficulty or the rating asked for, each as one part."""
        request, deadline = self.request, self.oracle.deadline
        for row, board in enumerate(puzzles.boards()):
            deadline.check("generate")
            refused = None
            if (name := request.difficulty) is not None:
                comparison = compared_difficulty(board, name, time_limit=deadline.limit)
                refused = comparison and f"{comparison} than {name}"
            elif request.rating is not None:
                with time_limit_scope(lambda: deadline.check("generate")):
                    refused = _beside_rating(board, request.rating)
            if refused is not None:
                self.progress.refused[refused] += 1
            yield puzzles[row : row + (refused is None)]

    def confirm(self, puzzles: Puzzles) -> None:
        """Check with the second solver that each puzzle has exactly this solution.

        Raises:
            TimeLimitError: the solver did not decide in time.
            WrongAnswerError: the solver disagrees.
        """
        if self.second is None:
            return
        layout = puzzles.layout
        timed = "time_limit" in self.second.spec.capabilities.honours
        limit = self.oracle.deadline.limit if timed else None
        answers = self.second.solve_many(
            puzzles.cells, layout=layout, solutions=2, time_limit=limit
        )
        agrees = answers.unique & (answers.grids == puzzles.grids).all(axis=1)
        for row in np.flatnonzero(~agrees)[:1].tolist():
            count, stop = int(answers.counts[row]), STOPS[answers.stops[row]]
            undecided = count < 2 and not stop.answered
            answer = "did not decide in time" if undecided else f"finds {count}"
            raise (TimeLimitError if undecided else WrongAnswerError)(
                f"{_line(layout, puzzles.cells[row])}: {self.oracle.solver.label} finds 1 "
                f"solution, {self.second.label} {answer}"
            )


def compared_difficulty(
    board: Board, name: str, *, time_limit: float | None = None
) -> Literal["easier", "harder"] | None:
    """Compare the hardest technique of a puzzle with a named one, or its level; None if the same.

    Several techniques may share the name.

    Raises:
        InputError: there is no technique of this name.
        TimeLimitError: the time limit was reached.
    """
    techniques = "usual" if name in LEVELS else up_to(name)
    walkthrough = walk_through(board, techniques=techniques, time_limit=time_limit).finished()
    if walkthrough.outcome is not Ending.SOLVED:
        return "harder"
    if name in LEVELS:
        level = LEVELS.index(level_of(walkthrough.steps, board.layout))
        wanted = LEVELS.index(name)
        return None if level == wanted else "harder" if level > wanted else "easier"
    hardest = walkthrough.hardest
    named = {row.name for row in chosen(name)}
    return None if hardest is not None and hardest.technique in named else "easier"


def _beside_rating(board: Board, wanted: tuple[float, float]) -> str | None:
    """Return why the rating of a board is not in a range; None if it is."""
    least, most = wanted
    rated = scale_rating(board, most=most)
    if rated.outcome is not Ending.SOLVED or rated.rating > most:
        return f"rated above {most}"
    return f"rated below {least}" if rated.rating < least else None


def _line(layout: Layout, cells: Cells) -> str:
    return Board.from_values(layout, cells.tolist()).text("line")
