"""Symmetries: ways to move the cells and rename the values that keep every unit and rule.

A symmetric image of a board has as many solutions as the board, and they are the images of its
solutions. The symmetries of the classic layout are those of Russell and Jarvis, Mathematics of
Sudoku II (2006): rows within bands, bands, columns within stacks, stacks, transposition, names.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout, Position
from unidoku.core.rules import NonConsecutive, Rule

__all__ = ["Symmetry", "cell_symmetries", "random_symmetry", "relabelling"]

_STEPS = 60
"""Generators multiplied into one random symmetry: enough to mix rows, columns and turns."""


@dataclass(frozen=True)
class Symmetry:
    """A move of the cells and a renaming of the values.

    Args:
        cells: cell ``c`` moves to ``cells[c]``; a range where none moves.
        values: value ``v`` becomes ``values[v]``; ``values[0]`` is 0.
    """

    cells: Sequence[int]
    values: tuple[int, ...]

    @classmethod
    def identity(cls, layout: Layout) -> Symmetry:
        """Return the symmetry that changes nothing."""
        return cls(layout.cells, tuple(range(layout.n + 1)))

    @cached_property
    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one."""
        cells = self.cells if isinstance(self.cells, range) else _inverse(self.cells)
        return Symmetry(cells, _inverse(self.values))

    def board(self, board: Board) -> Board:
        """Return the image of a board."""
        renamed = {
            mask: sum(1 << self.values[value] - 1 for value in values_of(mask))
            for mask in set(board.candidates)
        }
        candidates = [renamed[mask] for mask in board.candidates]
        return Board.of(board.layout, tuple(self._moved(candidates)))

    def grid(self, grid: Grid) -> Grid:
        """Return the image of a grid."""
        return tuple(self._moved([self.values[value] for value in grid]))

    def _moved(self, contents: list[int]) -> list[int]:
        if isinstance(self.cells, range):
            return contents
        moved = [0] * len(contents)
        for cell, content in zip(self.cells, contents, strict=True):
            moved[cell] = content
        return moved


def relabelling(layout: Layout, order: random.Random) -> Symmetry:
    """Return a random symmetry that moves no cell."""
    values = list(range(1, layout.n + 1))
    if not layout.rules:
        order.shuffle(values)
    elif _reversible(layout) and order.random() < 0.5:
        values.reverse()
    return Symmetry(layout.cells, (0, *values))


def random_symmetry(layout: Layout, order: random.Random) -> Symmetry:
    """Return a random symmetry of a layout.

    Cost: the first of a layout looks for its generators, some milliseconds on 81 cells.
    """
    cells = list(layout.cells)
    generators = cell_symmetries(layout)
    for _ in range(_STEPS if generators else 0):
        step = order.choice(generators)
        cells = [step[cell] for cell in cells]
    return Symmetry(tuple(cells), relabelling(layout, order).values)


@lru_cache(maxsize=256)
def cell_symmetries(layout: Layout) -> tuple[tuple[int, ...], ...]:
    """Return moves of cells that keep units and rules; products of them do as well.

    Those looked for are geometric: turns and reflections of the whole board, swaps of adjacent
    rows, columns, and bands of them.
    """
    units = {frozenset(unit.cells) for unit in layout.units}
    rules = [_canonical(rule) for rule in layout.rules]
    found = []
    for move in _moves(layout):
        places = [move(position) for position in layout.positions]
        if not all(place in layout.cell_at for place in places):
            continue
        cells = tuple(layout.cell_at[place] for place in places)
        kept = all(frozenset(cells[cell] for cell in unit.cells) in units for unit in layout.units)
        if kept and rules == [_canonical(rule.moved(cells)) for rule in layout.rules]:
            found.append(cells)
    return tuple(dict.fromkeys(found))


def _moves(layout: Layout) -> Iterator[Callable[[Position], Position]]:
    rows, columns = layout.rows, layout.columns
    yield lambda place: (rows - 1 - place[0], place[1])
    yield lambda place: (place[0], columns - 1 - place[1])
    if rows == columns:
        yield lambda place: (place[1], place[0])
    for size in range(1, max(rows, columns) // 2 + 1):
        for start in range(0, rows - 2 * size + 1, size):
            yield partial(_with_rows_swapped, start, size)
        for start in range(0, columns - 2 * size + 1, size):
            yield partial(_with_columns_swapped, start, size)


def _with_rows_swapped(start: int, size: int, place: Position) -> Position:
    return _swapped(place[0], start, size), place[1]


def _with_columns_swapped(start: int, size: int, place: Position) -> Position:
    return place[0], _swapped(place[1], start, size)


def _swapped(line: int, start: int, size: int) -> int:
    """Return where a line goes when two neighbouring bands of so many lines change places."""
    if start <= line < start + size:
        return line + size
    if start + size <= line < start + 2 * size:
        return line - size
    return line


def _canonical(rule: Rule) -> object:
    if isinstance(rule, NonConsecutive):
        return frozenset(map(frozenset, rule.pairs))
    return rule


def _reversible(layout: Layout) -> bool:
    return all(isinstance(rule, NonConsecutive) for rule in layout.rules)


def _inverse(places: Sequence[int]) -> tuple[int, ...]:
    inverse = [0] * len(places)
    for place, image in enumerate(places):
        inverse[image] = place
    return tuple(inverse)
