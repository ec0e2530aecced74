"""Puzzles of few clues: walks from dug puzzles, until there are as few as wished."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, count

import numpy as np

from unidoku.errors import TimeLimitError
from unidoku.generation.dig import minimality
from unidoku.generation.judge import Cells
from unidoku.generation.run import Maker, Puzzles
from unidoku.generation.tally import Tally
from unidoku.generation.walk import walk
from unidoku.generation.wish import Wish

__all__ = ["Walker"]


@dataclass(frozen=True, slots=True)
class Walker:
    """Makes puzzles of few clues.

    Args:
        maker: whose layout and wish these are.
    """

    maker: Maker

    def puzzles(self, first: int, wanted: int | None) -> Iterator[Puzzles]:
        """Yield puzzles with as few clues as wished; the best there is when the time is over.

        The latter counts as made only if no number of clues is wished.

        Args:
            first: number of the first attempt.
            wanted: puzzles; None for no end.

        Raises:
            TimeLimitError: the deadline came first; after the best was yielded.
        """
        tally = self.maker.tally
        best: list[Cells] = []
        attempt = first
        for _ in count() if wanted is None else range(wanted):
            best.clear()
            try:
                while not self._walked(attempt, best):
                    attempt += 1
                attempt += 1
            except TimeLimitError:
                if best:
                    clues = np.count_nonzero(best[0])
                    if self.maker.wish.clues is None:
                        tally.made += 1
                    else:
                        tally.refused[f"with {clues} clues at the end of its walk"] += 1
                    yield self._proved(best[0])
                raise
            tally.made += 1
            yield self._proved(best[0])

    def _walked(self, attempt: int, best: list[Cells]) -> bool:
        """Walk from a new puzzle; keep the best, and tell whether it is as wished.

        Args:
            attempt: which puzzle to begin with.
            best: the puzzle of the fewest clues so far, if there is one; changed.
        """
        wish = self.maker.wish
        self.maker.tally.attempts += 1
        starts = replace(self.maker, wish=Wish(), tally=Tally(), second=None)
        chance = np.random.Generator(np.random.Philox(key=self.maker.seed, counter=attempt + 1))
        for start in starts.puzzles(attempt, 1, 1):
            for cells in chain(start.cells, walk(self.maker.judge, start.cells[0], chance)):
                clues = np.count_nonzero(cells)
                if not best or clues < np.count_nonzero(best[0]):
                    best[:] = [cells]
                if wish.clues is None or clues > wish.clues[1]:
                    continue
                if clues < wish.clues[0]:
                    break
                if not wish.minimal or minimality(self.maker.judge, cells[None])[0].all():
                    best[:] = [cells]
                    return True
        return False

    def _proved(self, cells: Cells) -> Puzzles:
        """Return the puzzle with its solution, confirmed by the second backend if there is one."""
        judge = self.maker.judge
        answers = replace(judge, deadline=None).ask(cells[None], keep=True)
        puzzles = Puzzles(judge.layout, cells[None], answers.grids)
        self.maker.confirm(puzzles)
        return puzzles
