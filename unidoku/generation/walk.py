"""Puzzles with few clues: a walk from puzzle to puzzle by exchanging givens.

The neighbours of a puzzle are found by removing one or two givens and looking for one given that
makes the rest unique again: {-1+1} leads to puzzles with as many clues, {-2+1} to one clue fewer.
The collections of 17-clue puzzles were made with these neighbourhoods.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, combinations, count

import numpy as np
from numpy.typing import NDArray

from unidoku.errors import TimeLimitError
from unidoku.generation.dig import minimality
from unidoku.generation.grids import peer_table
from unidoku.generation.maker import Maker, Puzzles
from unidoku.generation.oracle import Cells, Flags, Oracle
from unidoku.generation.request import GenerationProgress, PuzzleRequest
from unidoku.support.deadline import Deadline

_ASKED = 12
"""Additional givens tried at a time for each board; the solutions found for them rule out most
of the others."""

_PAIRS = 48
"""Boards with two givens fewer that are examined at a time."""

_GRACE = 10.0
"""Seconds to prove a puzzle, which may be the best one when the time limit is reached."""


@dataclass(frozen=True, slots=True)
class Walker:
    """Makes puzzles with few clues by walks from dug puzzles.

    Args:
        maker: makes the first puzzle of each walk; the walk uses its request and layout.
    """

    maker: Maker

    def puzzles(self, first: int, wanted: int | None) -> Iterator[Puzzles]:
        """Yield puzzles that meet the request; when time is up, the best one so far.

        The best one counts as made only if no number of clues was requested.

        Args:
            first: number of the first attempt.
            wanted: number of puzzles, None for no limit.

        Raises:
            TimeLimitError: the deadline has passed; raised after the best puzzle was yielded.
        """
        progress = self.maker.progress
        best: list[Cells] = []
        attempts = count(first)
        for _ in count() if wanted is None else range(wanted):
            best.clear()
            try:
                while not self._reaches_goal(next(attempts), best):
                    pass
            except TimeLimitError:
                if best:
                    clues = np.count_nonzero(best[0])
                    if self.maker.request.clues is None:
                        progress.made += 1
                    else:
                        progress.refused[f"with {clues} clues at the end of its walk"] += 1
                    yield self._proved(best[0])
                raise
            progress.made += 1
            yield self._proved(best[0])

    def _reaches_goal(self, attempt: int, best: list[Cells]) -> bool:
        """Walk from a new puzzle, and return whether the walk met the request.

        `best` holds the puzzle with the fewest clues so far, if there is one; it is updated.
        """
        oracle, request = self.maker.oracle, self.maker.request
        self.maker.progress.attempts += 1
        starts = replace(
            self.maker, request=PuzzleRequest(), progress=GenerationProgress(), second=None
        )
        order = np.random.Generator(np.random.Philox(key=self.maker.seed, counter=attempt + 1))
        for start in starts.puzzles(attempt, 1, 1):
            for cells in chain(start.cells, _walk(oracle, start.cells[0], order)):
                clues = np.count_nonzero(cells)
                if not best or clues < np.count_nonzero(best[0]):
                    best[:] = [cells]
                if request.clues is None or clues > request.clues[1]:
                    continue
                if clues < request.clues[0]:
                    break
                if not request.minimal or minimality(oracle, cells[None])[0].all():
                    best[:] = [cells]
                    return True
        return False

    def _proved(self, cells: Cells) -> Puzzles:
        """Return the puzzle with its solution, confirmed by the second solver if there is one."""
        oracle = replace(self.maker.oracle, deadline=Deadline(_GRACE))
        answers = oracle.ask(cells[None], keep=True)
        puzzles = Puzzles(oracle.layout, cells[None], answers.grids)
        replace(self.maker, oracle=oracle).confirm(puzzles)
        return puzzles


def _walk(oracle: Oracle, puzzle: Cells, order: np.random.Generator) -> Iterator[Cells]:
    """Yield puzzles with fewer and fewer clues, each with one solution.

    The walk ends only when all neighbours have been visited.

    Raises:
        TimeLimitError: the deadline of the oracle has passed.
    """
    visited: set[bytes] = set()
    while True:
        fewer = _fewer(oracle, puzzle, order)
        if fewer is not None:
            puzzle = fewer
            visited.clear()
            yield puzzle
            continue
        visited.add(puzzle.tobytes())
        neighbouring = neighbours(oracle, _without(puzzle, 1), order)
        new = [row for row in neighbouring if row.tobytes() not in visited]
        if not new:
            return
        puzzle = new[int(order.integers(len(new)))]


def _fewer(oracle: Oracle, puzzle: Cells, order: np.random.Generator) -> Cells | None:
    """Return a neighbour with one clue fewer; None if there is none."""
    without_one = _without(puzzle, 1)
    fewer = without_one[oracle.ask(without_one).unique]
    rests = _without(puzzle, 2)
    order.shuffle(rests)
    for start in range(0, len(rests), _PAIRS):
        if len(fewer):
            break
        fewer = neighbours(oracle, rests[start : start + _PAIRS], order)
    chosen: list[Cells] = list(fewer)
    return chosen[int(order.integers(len(chosen)))] if chosen else None


def _without(puzzle: Cells, count: int) -> Cells:
    """Return the puzzle without each combination of this many givens."""
    choices = np.array(list(combinations(np.flatnonzero(puzzle).tolist(), count)), np.intp)
    rests = np.repeat(puzzle[None, :], len(choices), axis=0)
    if len(choices):
        np.put_along_axis(rests, choices, 0, axis=1)
    return rests


def neighbours(oracle: Oracle, rests: Cells, order: np.random.Generator) -> Cells:
    """Return the puzzles with one solution that are made by adding one given to some boards.

    A value that two known solutions share does not make its board unique. Each value tried yields
    another solution, so some dozens of searches settle hundreds of candidates.
    """
    layout = oracle.layout
    open_ones = _candidates(oracle, rests)
    seen = np.zeros(open_ones.shape, np.bool_)
    known: set[tuple[int, bytes]] = set()
    unique: list[Cells] = []
    while open_ones.any():
        row, index = _chosen(open_ones.reshape(len(rests), -1), order)
        cell, value = np.divmod(index, layout.n)
        open_ones[row, cell, value] = False
        boards = rests[row]
        boards[np.arange(len(row)), cell] = value + 1
        answers = oracle.ask(boards, keep=True)
        unique += [boards[answers.unique]]
        possible = np.flatnonzero(answers.possible)
        _close(open_ones, seen, known, row[possible].tolist(), answers.grids[possible])
    return np.unique(np.concatenate(unique), axis=0) if unique else rests[:0]


def _candidates(oracle: Oracle, rests: Cells) -> Flags:
    """Return which values the empty cells may hold, of shape (boards, cells, n)."""
    n = oracle.layout.n
    given = rests[:, :, None] == np.arange(1, n + 1, dtype=np.uint8)
    seen = np.einsum("bcv,cd->bdv", given, peer_table(oracle.layout))
    return np.asarray(~seen & (rests == 0)[:, :, None], np.bool_)


def _chosen(
    candidates: Flags, order: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and positions of a few random candidates of each row."""
    weight = order.random(candidates.shape, np.float32)
    weight[~candidates] = 2.0
    few = min(_ASKED, candidates.shape[1])
    places = np.argpartition(weight, few - 1, axis=1)[:, :few]
    rows = np.repeat(np.arange(len(candidates)), few)
    flat = places.ravel()
    still = candidates[rows, flat]
    return rows[still], flat[still]


def _close(
    open_ones: Flags, seen: Flags, known: set[tuple[int, bytes]], rows: list[int], grids: Cells
) -> None:
    """Remove the candidates that two different solutions of a board share."""
    cells = np.arange(grids.shape[1])
    for row, grid in zip(rows, grids, strict=True):
        if (row, grid.tobytes()) in known:
            continue
        known.add((row, grid.tobytes()))
        value = grid.astype(np.intp) - 1
        again = seen[row, cells, value]
        open_ones[row, cells[again], value[again]] = False
        seen[row, cells, value] = True
