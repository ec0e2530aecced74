"""A layout as sets of candidates, of which exactly one holds or at most one holds.

Clause sets, 0-1 programs and exact covers are written from it. The candidate "cell holds value" is
the number ``cell * n + value - 1``; the terms primary and secondary come from Knuth, The Art of
Computer Programming 4B (2022), section 7.2.2.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unidoku.backends.base import Request
from unidoku.backends.toolkit.budget import Budget
from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.caching import layout_cache, on_forgetting
from unidoku.core.constraints.primitives import Sum
from unidoku.core.layout import Grid, Layout


@dataclass(frozen=True, slots=True)
class Cover:
    """The constraints of a layout on its candidates.

    Args:
        size: number of candidates.
        primary: sets of which exactly one holds: one for each cell, and one for each value of
            each full unit.
        secondary: sets of which at most one holds: one for each value of each unit whose values
            only have to differ.
    """

    size: int
    primary: tuple[tuple[int, ...], ...]
    secondary: tuple[tuple[int, ...], ...]

    def exclusive_pairs(self) -> Iterator[tuple[int, int]]:
        """Yield each pair of candidates that exclude each other once, the smaller one first.

        The pairs of small layouts are cached: many puzzles may share their units.
        """
        return iter(_kept_pairs(self)) if self.size <= _SMALL else _pairs(self)


_SMALL = 1 << 11
"""Pairs are cached for layouts of up to this many candidates: up to 12x12, some 3 MB."""


@layout_cache(maxsize=4)
def _kept_pairs(cover: Cover) -> tuple[tuple[int, int], ...]:
    return tuple(_pairs(cover))


def _pairs(cover: Cover) -> Iterator[tuple[int, int]]:
    seen: set[int] = set()  # not of pairs, which take long to free
    for group in (*cover.primary, *cover.secondary):
        for index, a in enumerate(group):
            row = a * cover.size
            for b in group[index + 1 :]:
                if row + b not in seen:
                    seen.add(row + b)
                    yield a, b


def cover_of(layout: Layout, budget: Budget | None = None) -> Cover:
    """Return the cover of a layout's units: half a millisecond for 9x9, half a second for 64x64.

    The covers of the last few layouts are cached; rules are not included. Raises LimitReached if
    the budget's time has passed.
    """
    layout = layout.base
    cover = _covers.pop(layout, None) or _make(layout, budget or Budget(Request()))
    _covers[layout] = cover  # the most recently used comes last
    while len(_covers) > _MOST:
        _covers.pop(next(iter(_covers)), None)
    return cover


_covers: dict[Layout, Cover] = {}
on_forgetting(_covers.clear)

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
    """Return the candidates that hold on the board, and those that it excludes.

    The former are the givens. The latter are those that pencil marks leave out; none is listed for
    a given's cell, because the given implies them. For a cell without candidates all are listed.
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


def terms_of(constraint: Sum, n: int) -> list[tuple[int, int]]:
    """Return the candidates of the cells of a sum, each with what it adds."""
    return [
        (cell * n + value - 1, weight * value)
        for cell, weight in zip(constraint.cells, constraint.weights, strict=True)
        for value in range(1, n + 1)
    ]


def grid_of(layout: Layout, true: Sequence[int]) -> Grid:
    """Return the grid of the candidates that hold, one for each cell, in any order."""
    n = layout.n
    return tuple([candidate % n + 1 for candidate in sorted(true)])
