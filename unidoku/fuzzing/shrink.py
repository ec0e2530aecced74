"""Shrinking: the smallest boards that still show what a large one showed.

Delta debugging: Andreas Zeller and Ralf Hildebrandt, Simplifying and Isolating Failure-Inducing
Input, IEEE Transactions on Software Engineering 28(2), 2002.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.rules import NonConsecutive
from unidoku.errors import InputError
from unidoku.fuzzing.reduce import (
    givens_of,
    measure,
    steps,
    with_givens,
    with_pairs,
    without_cells,
    without_units,
)
from unidoku.fuzzing.symptom import Boards
from unidoku.fuzzing.templates import templates

__all__ = ["MOST_TESTS", "ddmin", "shrink", "shrink_all"]

T = TypeVar("T")

MOST_TESTS = 5000
"""Boards tried before shrinking stops with what it has."""


def ddmin(parts: Sequence[T], shows: Callable[[list[T]], bool]) -> list[T]:
    """Return parts of which none can be left out alone: the algorithm ddmin.

    >>> ddmin(range(100), lambda kept: {7, 42} <= set(kept))
    [7, 42]

    Args:
        parts: all of which together show it.
        shows: tells whether some of them, in the same order, still do.

    Cost: at worst the square of the number of parts, in tests; for a single part that matters,
    twice the logarithm.
    """
    kept = list(parts)
    if kept and shows([]):
        return []
    pieces = 2
    while len(kept) > 1:
        size = math.ceil(len(kept) / pieces)
        subsets = [kept[start : start + size] for start in range(0, len(kept), size)]
        rests = [kept[:start] + kept[start + size :] for start in range(0, len(kept), size)]
        if (smaller := next(filter(shows, subsets), None)) is not None:
            kept, pieces = smaller, 2
        elif len(subsets) > 2 and (smaller := next(filter(shows, rests), None)) is not None:
            kept, pieces = smaller, max(pieces - 1, 2)
        elif size > 1:
            pieces = min(2 * pieces, len(kept))
        else:
            break
    return kept


def shrink(
    board: Board, shows: Callable[[Board], bool], deadline: float = math.inf, *, small: bool = True
) -> Board:
    """Return the smallest board found that still shows it; see `shrink_all`."""
    (smallest,) = shrink_all((board,), lambda boards: shows(boards[0]), deadline, small=small)
    return smallest


def shrink_all(
    boards: Boards,
    shows: Callable[[Boards], bool],
    deadline: float = math.inf,
    *,
    small: bool = True,
    known: Iterable[Boards] = (),
) -> Boards:
    """Return the smallest boards found that still show it, the last being the one that does.

    Where neither deadline nor `MOST_TESTS` comes first, the result is 1-minimal: none of
    `unidoku.fuzzing.reduce.steps` leads to boards that show it as well.

    Args:
        boards: that show it; those before the last are asked before it.
        shows: tells whether boards show it.
        deadline: on the monotonic clock, when to stop with what there is.
        small: begin with the smallest boards of all, which may have nothing to do with these.
        known: boards to begin with, if none of those shows it.
    """
    search = _Search(boards, shows, deadline)
    if small:
        search.take_first(chain(templates(len(boards), boards[-1].layout), known))
    before = None
    while before != (before := search.smallest):
        search.without_boards()
        search.without_givens()
        search.without_units()
        search.without_pairs()
        search.without_lines()
        search.without_cells()
        while search.take_first(steps(search.smallest)):
            pass
    return search.smallest


class _Search:
    """The smallest boards so far, and what has been tried."""

    def __init__(self, boards: Boards, shows: Callable[[Boards], bool], deadline: float) -> None:
        self.smallest = boards
        self._shows = shows
        self._deadline = deadline
        self._tried: set[tuple[str, ...]] = set()

    def try_out(self, boards: Boards) -> bool:
        """Tell whether boards show it; those that do, and are smaller, are the smallest now."""
        name = tuple(board.digest for board in boards)
        over = len(self._tried) >= MOST_TESTS or time.monotonic() > self._deadline
        if over or name in self._tried or measure(boards) >= measure(self.smallest):
            return False
        self._tried.add(name)
        if shown := self._shows(boards):
            self.smallest = boards
        return shown

    def take_first(self, candidates: Iterable[Boards]) -> bool:
        """Take the first of the candidates that shows it."""
        return any(map(self.try_out, candidates))

    def _reduce(self, parts: Sequence[T], keep: Callable[[list[T]], Boards]) -> None:
        """Leave out as many parts as ddmin can; the boards with all of them are the smallest."""

        def shows(kept: list[T]) -> bool:
            try:
                return self.try_out(keep(kept))
            except InputError:  # no cell is left
                return False

        ddmin(parts, shows)

    def without_boards(self) -> None:
        """Leave out boards that are asked before the last."""
        boards = self.smallest
        self._reduce(range(len(boards) - 1), lambda kept: (*(boards[k] for k in kept), boards[-1]))

    def without_givens(self) -> None:
        """Leave out givens and pencil marks."""
        boards = self.smallest
        self._reduce(givens_of(boards), partial(with_givens, boards))

    def without_units(self) -> None:
        """Leave out units of each layout."""
        for place in range(len(self.smallest)):
            boards = self.smallest
            layout = boards[place].layout
            self._reduce(range(len(layout.units)), partial(_with_units, boards, layout))

    def without_pairs(self) -> None:
        """Leave out pairs of rules."""
        for place in range(len(self.smallest)):
            for number, rule in enumerate(self.smallest[place].layout.rules[:1]):
                boards = self.smallest
                layout = boards[place].layout
                if isinstance(rule, NonConsecutive):
                    self._reduce(rule.pairs, partial(with_pairs, boards, layout, number))

    def without_lines(self) -> None:
        """Leave out rows, then columns, of all boards that have as many cells."""
        for axis in (0, 1):
            boards = self.smallest
            lines = {position[axis] for position in boards[-1].layout.positions}
            self._reduce(sorted(lines), partial(_with_lines, boards, axis))

    def without_cells(self) -> None:
        """Leave out cells of all boards that have as many."""
        boards = self.smallest
        self._reduce(boards[-1].layout.cells, partial(_with_cells, boards))


def _with_units(boards: Boards, layout: Layout, kept: Collection[int]) -> Boards:
    return without_units(boards, layout, set(range(len(layout.units))).difference(kept))


def _with_lines(boards: Boards, axis: int, kept: Collection[int]) -> Boards:
    positions = boards[-1].layout.positions
    return _with_cells(boards, [c for c, place in enumerate(positions) if place[axis] in kept])


def _with_cells(boards: Boards, kept: Collection[int]) -> Boards:
    """Return the boards with some of the cells of the last, and the same ones of its equals."""
    cells = len(boards[-1].layout)
    alike = [place for place, board in enumerate(boards) if len(board.layout) == cells]
    return without_cells(boards, alike, set(range(cells)).difference(kept))
