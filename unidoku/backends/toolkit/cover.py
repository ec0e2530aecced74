"""A layout in candidates: sets of which exactly one holds, and sets of which at most one does.

It is what a clause set, a 0-1 program or an exact cover is written from. The candidate "cell
holds value" is the number ``cell * n + value - 1``; the words primary and secondary are those
of Knuth, The Art of Computer Programming 4B (2022), section 7.2.2.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from unidoku.backends.base import Request
from unidoku.backends.toolkit.budget import Budget
from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout

__all__ = ["Cover", "cover_of", "grid_of", "held_candidates"]


@dataclass(frozen=True, slots=True)
class Cover:
    """The constraints of a layout on its candidates.

    Args:
        size: how many candidates there are.
        primary: sets of which exactly one holds: one for each cell, and one for each value of
            each full unit.
        secondary: sets of which at most one holds: one for each value of each unit that only
            differs.
    """

    size: int
    primary: tuple[tuple[int, ...], ...]
    secondary: tuple[tuple[int, ...], ...]

    def exclusive_pairs(self) -> Iterator[tuple[int, int]]:
        """Yield each pair of candidates that do not hold together, once, smaller one first.

        Those of small layouts are kept: many puzzles may share their units.
        """
        return iter(_kept_pairs(self)) if self.size <= _SMALL else _pairs(self)


_SMALL = 1 << 11
"""Candidates of a layout whose pairs are kept: up to 12x12 values, some 3 MB."""


@lru_cache(maxsize=4)
def _kept_pairs(cover: Cover) -> tuple[tuple[int, int], ...]:
    return tuple(_pairs(cover))


def _pairs(cover: Cover) -> Iterator[tuple[int, int]]:
    seen: set[tuple[int, int]] = set()
    for group in (*cover.primary, *cover.secondary):
        for at, a in enumerate(group):
            for b in group[at + 1 :]:
                if (a, b) not in seen:
                    seen.add((a, b))
                    yield a, b


def cover_of(layout: Layout, budget: Budget | None = None) -> Cover:
    """Return the cover of a layout's units: half a millisecond for 9x9, half a second for 64x64.

    The covers of the last few layouts are kept; of what its rules say nothing is in it. Raises
    LimitReached if the budget's time is over.
    """
    layout = layout.base
    cover = _covers.pop(layout, None) or _make(layout, budget or Budget(Request()))
    _covers[layout] = cover  # the last used is the last
    while len(_covers) > _MOST:
        _covers.pop(next(iter(_covers)), None)
    return cover


_covers: dict[Layout, Cover] = {}

_MOST = 8


def _make(layout: Layout, budget: Budget) -> Cover:
    n = layout.n
    primary: list[tuple[int, ...]] = []
    secondary: list[tuple[int, ...]] = []
    for cell in layout.cells:
        primary.append(tuple(range(cell * n, cell * n + n)))
        budget.check_time()
    for unit in layout.maximal_units:
        group = primary if len(unit.cells) == n else secondary
        group.extend(tuple([cell * n + value for cell in unit.cells]) for value in range(n))
        budget.check_time()
    return Cover(len(layout) * n, tuple(primary), tuple(secondary))


def held_candidates(board: Board) -> tuple[list[int], list[int]]:
    """Return the candidates that the board says hold, and those that it says do not.

    The first are those of the givens. The second are those that pencil marks leave out; of a
    given's cell none is named, for the one that holds says it. A cell without candidates has
    all of them among the second.
    """
    n = board.layout.n
    everything = (1 << n) - 1
    true: list[int] = []
    false: list[int] = []
    start = 0
    for mask in board.candidates:
        if mask != everything:
            if mask and not mask & (mask - 1):
                true.append(start + mask.bit_length() - 1)
            else:
                false.extend(start + value - 1 for value in values_of(everything & ~mask))
        start += n
    return true, false


def grid_of(layout: Layout, true: Sequence[int]) -> Grid:
    """Return the grid of the candidates that hold, one a cell, in any order."""
    n = layout.n
    return tuple([candidate % n + 1 for candidate in sorted(true)])
