"""Fewer clues: a walk from puzzle to puzzle by exchanges of givens.

A puzzle's neighbours are found by taking one or two givens away and looking for a given that
makes the rest unique again: {-1+1} leads to puzzles of as many clues, {-2+1} to one fewer. These
are the neighbourhoods in which the collections of 17-clue puzzles were made.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from unidoku.generation.grids import peer_table
from unidoku.generation.judge import Cells, Flags, Judge

__all__ = ["neighbours", "walk"]

_ASKED = 12
"""Additions that are tried at a time for each board; the solutions met on the way rule out most
of the others."""

_PAIRS = 48
"""Boards with two givens less that are looked at in one go."""


def walk(judge: Judge, puzzle: Cells, chance: np.random.Generator) -> Iterator[Cells]:
    """Yield puzzles of fewer and fewer clues, each with one solution; without end.

    Args:
        judge: decides about uniqueness.
        puzzle: where to begin, of shape (cells,).
        chance: where to go.

    Raises:
        TimeLimitError: the deadline of the judge came first.
    """
    visited: set[bytes] = set()
    while True:
        fewer = _fewer(judge, puzzle, chance)
        if fewer is not None:
            puzzle = fewer
            visited.clear()
            yield puzzle
            continue
        visited.add(puzzle.tobytes())
        beside = neighbours(judge, _without(puzzle, 1), chance)
        new = [row for row in beside if row.tobytes() not in visited]
        if not new:
            return
        puzzle = new[int(chance.integers(len(new)))]


def _fewer(judge: Judge, puzzle: Cells, chance: np.random.Generator) -> Cells | None:
    """Return a neighbour with one clue less, if there is any."""
    less = _without(puzzle, 1)
    found = less[judge.ask(less).unique]
    rests = _without(puzzle, 2)
    chance.shuffle(rests)
    for start in range(0, len(rests), _PAIRS):
        if len(found):
            break
        found = neighbours(judge, rests[start : start + _PAIRS], chance)
    chosen: list[Cells] = list(found)
    return chosen[int(chance.integers(len(chosen)))] if chosen else None


def _without(puzzle: Cells, count: int) -> Cells:
    """Return the puzzle without each choice of so many givens."""
    choices = np.array(list(combinations(np.flatnonzero(puzzle).tolist(), count)), np.intp)
    rests = np.repeat(puzzle[None, :], len(choices), axis=0)
    if len(choices):
        np.put_along_axis(rests, choices, 0, axis=1)
    return rests


def neighbours(judge: Judge, rests: Cells, chance: np.random.Generator) -> Cells:
    """Return the puzzles with one solution that one given more makes of some boards.

    A given that two known solutions share does not make its board unique. Each question about
    an addition shows another solution, so that some dozens of questions settle hundreds of
    candidates.

    Args:
        judge: decides about uniqueness.
        rests: boards of several solutions.
        chance: the order in which candidates are tried.
    """
    layout = judge.layout
    open_ones = _candidates(judge, rests)
    seen = np.zeros(open_ones.shape, np.bool_)
    known: set[tuple[int, bytes]] = set()
    found: list[Cells] = []
    while open_ones.any():
        row, place = _chosen(open_ones.reshape(len(rests), -1), chance)
        cell, value = np.divmod(place, layout.n)
        open_ones[row, cell, value] = False
        boards = rests[row]
        boards[np.arange(len(row)), cell] = value + 1
        answers = judge.ask(boards, keep=True)
        found += [boards[answers.unique]]
        possible = np.flatnonzero(answers.possible)
        _strike(open_ones, seen, known, row[possible].tolist(), answers.grids[possible])
    return np.unique(np.concatenate(found), axis=0) if found else rests[:0]


def _candidates(judge: Judge, rests: Cells) -> Flags:
    """Return which values the empty cells may hold, of shape (boards, cells, n)."""
    n = judge.layout.n
    given = rests[:, :, None] == np.arange(1, n + 1, dtype=np.uint8)
    seen = np.einsum("bcv,cd->bdv", given, peer_table(judge.layout))
    return np.asarray(~seen & (rests == 0)[:, :, None], np.bool_)


def _chosen(
    candidates: Flags, chance: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and places of a few candidates at random of each row."""
    weight = chance.random(candidates.shape, np.float32)
    weight[~candidates] = 2.0
    few = min(_ASKED, candidates.shape[1])
    places = np.argpartition(weight, few - 1, axis=1)[:, :few]
    rows = np.repeat(np.arange(len(candidates)), few)
    flat = places.ravel()
    still = candidates[rows, flat]
    return rows[still], flat[still]


def _strike(
    open_ones: Flags, seen: Flags, known: set[tuple[int, bytes]], rows: list[int], grids: Cells
) -> None:
    """Strike out the candidates that two different solutions of a board share."""
    cells = np.arange(grids.shape[1])
    for row, grid in zip(rows, grids, strict=True):
        if (row, grid.tobytes()) in known:
            continue
        known.add((row, grid.tobytes()))
        value = grid.astype(np.intp) - 1
        again = seen[row, cells, value]
        open_ones[row, cells[again], value[again]] = False
        seen[row, cells, value] = True
