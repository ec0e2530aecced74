"""Puzzles as wished: made in batches, and those that are not as wished refused and counted."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from unidoku.backends.base import Request
from unidoku.backends.solver import Solver
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.errors import TimeLimitError, WrongAnswerError
from unidoku.generation.chance import Chance
from unidoku.generation.difficulty import difference
from unidoku.generation.dig import dig, minimality
from unidoku.generation.grids import random_grids
from unidoku.generation.judge import Cells, Flags, Judge
from unidoku.generation.pattern import orbits
from unidoku.generation.tally import Tally
from unidoku.generation.wish import Wish

__all__ = ["Maker", "Puzzles", "deadline_of"]

_MOST = 4096
"""Puzzles of a batch, at most."""

_WORK = 3e9
"""What a batch costs at most: its puzzles, times the square of the candidates of an empty board;
on boards of 81 cells a second at the most."""

_FIRST = 32
"""Puzzles of the first batch, where more are wanted; each further one has four times as many."""


@dataclass(frozen=True, slots=True, eq=False)
class Puzzles:
    """Puzzles of one layout, each with its solution.

    Args:
        layout: of all of them.
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
        """Yield each as a board."""
        for row in self.cells.tolist():
            yield Board.from_values(self.layout, row)


def deadline_of(time_limit: float | None) -> float | None:
    """Return when the time of a run is over, by `time.perf_counter`.

    Raises:
        InputError: the limit is not above 0.
    """
    seconds = Request(time_limit=time_limit).time_limit
    return None if seconds is None else time.perf_counter() + seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Makes puzzles of one layout.

    Args:
        judge: decides about uniqueness.
        filler: decides which full grids there are; often the same.
        wish: what the puzzles shall be like.
        tally: where refusals are counted.
        seed: of all that is random.
        second: confirms uniqueness; None for no second opinion.
    """

    judge: Judge
    filler: Judge
    wish: Wish
    tally: Tally
    seed: int
    second: Solver | None = None

    def puzzles(
        self, first: int = 0, wanted: int | None = None, attempts: int | None = None
    ) -> Iterator[Puzzles]:
        """Yield puzzles as wished, in the order of their attempts; none, where all were refused.

        Args:
            first: number of the first attempt.
            wanted: puzzles; None for no end.
            attempts: after which it is given up; None for no end.

        Raises:
            TimeLimitError: the deadline of the judge came first.
            WrongAnswerError: two backends disagree.
        """
        candidates = len(self.judge.layout) * self.judge.layout.n
        most = int(min(_MOST, max(_FIRST, _WORK / candidates**2)))
        end = math.inf if attempts is None else first + attempts
        left = math.inf if wanted is None else wanted
        size = min(left, _FIRST)
        tried = made = 0
        while left and first < end:
            size = int(min(size, end - first))
            for puzzles in self._batch(first, size):
                good = puzzles[: int(left)] if left < len(puzzles) else puzzles
                if len(good):
                    self.confirm(good)
                self.tally.made += len(good)
                made += len(good)
                left -= len(good)
                yield good
                if not left:
                    return
            first += size
            tried += size
            # A few more than are needed if all goes on like this: another batch takes as many
            # questions one after the other as a large one.
            size = min(size * 4, most)
            if left < math.inf:
                size = min(size, math.ceil(left * 1.1 * tried / max(made, 1)))

    def _batch(self, first: int, size: int) -> Iterator[Puzzles]:
        """Make some attempts, and yield what is as wished."""
        made = self._made(first, size)
        self.tally.attempts += size
        if self.wish.clues is not None:
            fewest, most = self.wish.clues
            givens = np.count_nonzero(made.cells, axis=1)
            made = self._kept(
                made, (givens >= fewest) & (givens <= most), f"not {self.wish.clues_text}"
            )
        if self.wish.minimal:
            minimal, not_minimal = minimality(self.judge, made.cells)
            self.tally.refused["not minimal"] += int(not_minimal.sum())
            self.tally.refused["undecided"] += int((~minimal & ~not_minimal).sum())
            made = made[minimal]
        if self.wish.difficulty is None:
            yield made
        else:
            yield from self._as_difficult(made, self.wish.difficulty)

    def _made(self, first: int, size: int) -> Puzzles:
        """Make full grids and dig them; return what has one solution."""
        layout = self.judge.layout
        groups = orbits(layout, self.wish.symmetry)
        goals = np.array(self.wish.goals(layout))
        candidates = len(layout) * layout.n
        numbers = Chance(self.seed, candidates + len(groups) + 1).rows(first, size)
        grids = random_grids(
            self.filler, numbers[:, :candidates].reshape(size, len(layout), layout.n)
        )
        found = grids.any(axis=1)
        self.tally.refused["no grid"] += int((~found).sum())
        numbers, grids = numbers[found], grids[found]
        fewest = goals[numbers[:, -1].astype(np.int64) * len(goals) >> 32]
        cells = dig(self.judge, grids, groups, numbers[:, candidates:-1], fewest)
        answers = self.judge.ask(cells, keep=True)
        same = (answers.grids == grids).all(axis=1)
        for row in np.flatnonzero(answers.unique & ~same)[:1].tolist():
            raise WrongAnswerError(
                f"{self.judge.solver.label}: said of {_line(layout, cells[row])} that there is "
                f"one solution, but there are {_line(layout, grids[row])} and "
                f"{_line(layout, answers.grids[row])}"
            )
        return self._kept(Puzzles(layout, cells, grids), answers.unique, "undecided")

    def _kept(self, puzzles: Puzzles, which: Flags, reason: str) -> Puzzles:
        """Return those that are as wished, and count the others."""
        self.tally.refused[reason] += int((~which).sum())
        return puzzles[which]

    def _as_difficult(self, puzzles: Puzzles, name: str) -> Iterator[Puzzles]:
        """Yield one by one the puzzles whose hardest technique is the one wished, else none."""
        for row, board in enumerate(puzzles.boards()):
            refused = difference(board, name, self.judge.left)
            if refused is not None:
                self.tally.refused[f"{refused} than {name}"] += 1
            yield puzzles[row : row + (refused is None)]

    def confirm(self, puzzles: Puzzles) -> None:
        """Let the second backend say that each puzzle has the one solution.

        Raises:
            TimeLimitError: it does not know in time.
            WrongAnswerError: it says something else.
        """
        if self.second is None:
            return
        layout = puzzles.layout
        answers = self.second.solve_many(
            puzzles.cells, layout=layout, solutions=2, **_time_limit(self.second, self.judge.left)
        )
        same = answers.unique & (answers.grids == puzzles.grids).all(axis=1)
        for row in np.flatnonzero(~same).tolist():
            limit = answers.counts[row] < 2 and not answers.unique[row] and answers.counts[row]
            told = "decides nothing in time" if limit else f"finds {answers.counts[row]}"
            raise (TimeLimitError if limit else WrongAnswerError)(
                f"{_line(layout, puzzles.cells[row])}: {self.judge.solver.label} finds 1 solution, "
                f"{self.second.label} {told}"
            )


def _time_limit(solver: Solver, seconds: float | None) -> dict[str, Any]:
    honours = solver.spec.capabilities.honours
    return {} if seconds is None or "time_limit" not in honours else {"time_limit": seconds}


def _line(layout: Layout, cells: Cells) -> str:
    return Board.from_values(layout, cells.tolist()).text("line")
