"""Totals for the boards of a file: how many there are, and how each search ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from unidoku.backends.batch import INVALID, STOPS, BatchResult, add_figures
from unidoku.support.text import plural

SHOWN = 10
"""The most unreadable boards whose reasons are kept; all of them are counted."""


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
