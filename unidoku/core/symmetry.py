"""Symmetries: moves of the cells and renamings of the values that preserve every unit and rule.

A symmetric image of a board has as many solutions as the board, and they are the images of its
solutions. The symmetries of the classic layout are those of Russell and Jarvis, Mathematics of
Sudoku II (2006): permutations of rows within bands, of bands, of columns within stacks and of
stacks, transposition, and renaming of values.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.constraints.operations import merged, reversed_values
from unidoku.core.constraints.operations import moved as moved_constraint
from unidoku.core.layout import Grid, Layout

_STEPS = 60
"""Minimum number of random generators composed, so that rows, columns and rotations mix."""


@dataclass(frozen=True)
class Symmetry:
    """A move of the cells and a renaming of the values.

    Args:
        cells: cell ``c`` moves to ``cells[c]``; a range if no cell moves.
        values: value ``v`` becomes ``values[v]``; ``values[0]`` is 0.
    """

    cells: Sequence[int]
    values: tuple[int, ...]

    @cached_property
    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one."""
        cells = self.cells if isinstance(self.cells, range) else _inverse(self.cells)
        return Symmetry(cells, _inverse(self.values))

    def board(self, board: Board) -> Board:
        """Return the image of a board."""
        bits = [1 << value >> 1 for value in self.values]
        renamed = {
            mask: bits[mask.bit_length()]
            if mask & (mask - 1) == 0
            else sum([bits[value] for value in values_of(mask)])
            for mask in set(board.candidates)
        }
        candidates = map(renamed.__getitem__, board.candidates)
        return Board.of(board.layout, moved(candidates, self.cells))

    def grid(self, grid: Grid) -> Grid:
        """Return the image of a grid."""
        return moved(map(self.values.__getitem__, grid), self.cells)


def moved(contents: Iterable[int], places: Sequence[int]) -> tuple[int, ...]:
    """Return the contents of the cells after each moves to its place; a range moves nothing."""
    if isinstance(places, range):
        return tuple(contents)
    result = [0] * len(places)
    for target, content in zip(places, contents, strict=True):
        result[target] = content
    return tuple(result)


def relabelling(layout: Layout, order: random.Random) -> Symmetry:
    """Return a random symmetry that moves no cell."""
    values = list(range(1, layout.n + 1))
    if not layout.rules and not layout.hidden:
        order.shuffle(values)
    elif is_reversible(layout) and order.random() < 0.5:
        values.reverse()
    return Symmetry(layout.cells, (0, *values))


def random_symmetry(layout: Layout, order: random.Random) -> Symmetry:
    """Return a random symmetry of a layout.

    Cost: the first call for a layout searches its generators, some milliseconds on 81 cells.
    """
    cells = list(layout.cells)
    generators = cell_symmetries(layout)
    # Odd and even numbers are equally likely, because some symmetries need an odd number of steps.
    steps = max(_STEPS, 3 * len(generators)) + order.randrange(2)
    for _ in range(steps if generators else 0):
        step = order.choice(generators)
        cells = [step[cell] for cell in cells]
    return Symmetry(tuple(cells), relabelling(layout, order).values)


@lru_cache(maxsize=256)
def cell_symmetries(layout: Layout) -> tuple[tuple[int, ...], ...]:
    """Return moves of cells that preserve units and rules; their products preserve them too.

    The moves are geometric: rotations and reflections of the whole board, and swaps of rows,
    columns and bands: alone, together with their mirror image, in every band, or of rows and
    columns at once. On classic boards, Latin squares, X, windoku and other single additions their
    products are all symmetries, except that disjoint groups may be exchanged with boxes. None is
    found for layouts with hidden cells.
    """
    if layout.hidden:
        return ()
    keeps = _Keeper(layout)
    rows, columns = range(layout.rows), range(layout.columns)
    symmetries = [keeps.moved(rows[::-1], columns), keeps.moved(rows, columns[::-1])]
    if rows == columns:
        symmetries.append(keeps.moved(rows, columns, turned=True))
    for swaps in _line_swaps(layout.rows):
        symmetries.append(keeps.first((lines, columns) for lines in swaps))
    for swaps in _line_swaps(layout.columns):
        symmetries.append(keeps.first((rows, lines) for lines in swaps))
    if rows == columns:
        for swaps in _line_swaps(layout.rows):
            alone = keeps.first((lines, columns) for lines in swaps)
            symmetries.append(None if alone else keeps.first((lines, lines) for lines in swaps))
    return tuple(dict.fromkeys(filter(None, symmetries)))


class _Keeper:
    """Finds which moves of rows and columns preserve the units and rules of a layout."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._units = {frozenset(unit.cells) for unit in layout.units}

    def moved(
        self, rows: Sequence[int], columns: Sequence[int], *, turned: bool = False
    ) -> tuple[int, ...] | None:
        """Return the new place of each cell, None if the move is not a symmetry.

        Row ``r`` moves to ``rows[r]``, column ``c`` to ``columns[c]``; ``turned`` exchanges both.
        """
        layout = self._layout
        places = [(rows[row], columns[column]) for row, column in layout.positions]
        if turned:
            places = [(column, row) for row, column in places]
        if not all(position in layout.cell_at for position in places):
            return None
        cells = tuple(layout.cell_at[position] for position in places)
        if not all(
            frozenset(cells[cell] for cell in unit.cells) in self._units for unit in layout.units
        ):
            return None
        moved = {rule: rule.moved(cells) for rule in layout.rules}
        if set(moved.values()) == moved.keys():
            return cells
        # Different rules may mean the same; those without constraints are compared by themselves.
        rules = {rule for rule in moved if rule.needs_auxiliary}
        if {moved[rule] for rule in rules} != rules:
            return None
        constraints = merged(
            moved_constraint(constraint, cells) for constraint in layout.constraints
        )
        return cells if constraints == layout.constraints else None

    def first(self, moves: Iterable[tuple[Sequence[int], Sequence[int]]]) -> tuple[int, ...] | None:
        """Return the first move of rows and columns that is a symmetry; None if there is none."""
        return next(filter(None, (self.moved(*move) for move in moves)), None)


def _line_swaps(lines: int) -> Iterator[list[tuple[int, ...]]]:
    """Yield swaps of lines, each followed by alternatives to try if it is not a symmetry."""
    for size in range(1, lines // 2 + 1):
        for start in range(0, lines - 2 * size + 1, size):
            yield _alternatives(lines, start, start + size, size)
    for start in range(lines - 2):
        yield _alternatives(lines, start, start + 2, 1)


def _alternatives(lines: int, first: int, second: int, size: int) -> list[tuple[int, ...]]:
    """Return the swap of two bands, alone, with its mirror image, and in every period."""
    plain = _swap(lines, [(first, second)], size)
    mirrored = _swap(lines, [(lines - first - size, lines - second - size)], size)
    periods = [p for p in range(second + size, lines) if lines % p == 0]
    repeated = [
        _swap(lines, [(start + first, start + second) for start in range(0, lines, p)], size)
        for p in periods
    ]
    both = [tuple(mirrored[line] for line in plain)] if mirrored != plain else []
    return [plain, *both, *repeated]


def _swap(lines: int, pairs: Iterable[tuple[int, int]], size: int) -> tuple[int, ...]:
    """Return the new places of lines after swaps of bands, given by their first lines."""
    places = list(range(lines))
    for first, second in pairs:
        for k in range(size):
            places[first + k], places[second + k] = second + k, first + k
    return tuple(places)


def is_reversible(layout: Layout) -> bool:
    """Return whether the rules stay the same when the order of the values is reversed."""
    if layout.hidden or any(rule.needs_auxiliary for rule in layout.rules):
        return False
    return (
        merged(reversed_values(constraint, layout.n) for constraint in layout.constraints)
        == layout.constraints
    )


def _inverse(places: Sequence[int]) -> tuple[int, ...]:
    return moved(range(len(places)), places)
