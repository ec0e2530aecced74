"""The parts of a layout, in the terms of formats that draw grids, for the writers of these."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import Layout, Position
from unidoku.core.rules import Rule
from unidoku.errors import InputError

KNIGHT: tuple[Position, ...] = ((1, 2), (2, 1), (2, -1), (1, -2))
KING: tuple[Position, ...] = ((1, 1), (1, -1))

_REGIONS = ("box", "region")

_LONGEST_WORDS = 120


@dataclass
class Anatomy:
    """The parts of a layout of rows and columns.

    Attributes:
        rows: number of rows.
        columns: number of columns.
        lacking: rows and columns that are not units.
        regions: boxes or regions that do not overlap.
        falling: whether the diagonal from the top left is a unit.
        rising: whether the other diagonal is a unit.
        antiknight: whether cells at a knight's move from each other differ.
        antiking: whether cells that share a corner differ.
        disjoint: whether cells at the same place in their regions differ.
        units: all other units.
    """

    rows: int
    columns: int
    lacking: int = 0
    regions: list[tuple[int, ...]] = field(default_factory=list)
    falling: bool = False
    rising: bool = False
    antiknight: bool = False
    antiking: bool = False
    disjoint: bool = False
    units: list[tuple[int, ...]] = field(default_factory=list)


def anatomy_of(layout: Layout, form: str) -> Anatomy:
    """Return the parts of a layout without holes.

    Raises:
        InputError: it has holes, which the format cannot have.
    """
    rows, columns = layout.rows, layout.columns
    if rows * columns != len(layout):
        raise InputError(f"{form} holds full rectangles of cells, got a layout with holes")
    parts = Anatomy(rows, columns)
    left = dict.fromkeys(unit.cells for unit in layout.units)

    def take(*units: Sequence[int]) -> bool:
        """Take units out if all of them exist, and return whether they do."""
        found = [tuple(sorted(unit)) for unit in units]
        if not units or not left.keys() >= set(found):
            return False
        for unit in found:
            left.pop(unit, None)
        return True

    cells = range(rows * columns)
    for start in range(rows):
        parts.lacking += not take(cells[start * columns : (start + 1) * columns])
    for start in range(columns):
        parts.lacking += not take(cells[start::columns])
    seen: set[int] = set()
    for unit in layout.units:
        if unit.kind in _REGIONS and unit.cells in left and seen.isdisjoint(unit.cells):
            seen.update(unit.cells)
            parts.regions.append(unit.cells)
            left.pop(unit.cells)
    if rows == columns:
        parts.falling = take(cells[:: columns + 1])
        parts.rising = take(cells[columns - 1 : -1 : columns - 1]) if rows > 1 else False
    size = len(parts.regions[0]) if parts.regions else 0
    if size and all(len(region) == size for region in parts.regions):
        parts.disjoint = take(*[[region[k] for region in parts.regions] for k in range(size)])
    parts.antiknight = take(*_steps(layout, KNIGHT))
    parts.antiking = take(*_steps(layout, KING))
    parts.units = [*left]
    return parts


def _steps(layout: Layout, moves: Iterable[Position]) -> list[Pair]:
    at = layout.cell_at
    return [
        (cell, at[place])
        for cell, (row, column) in enumerate(layout.positions)
        for place in [(row + down, column + right) for down, right in moves]
        if place in at
    ]


def all_beside(layout: Layout, without: Iterable[Sequence[int]] = ()) -> set[frozenset[int]]:
    """Return the pairs of adjacent cells, without some of them."""
    return set(map(frozenset, _steps(layout, ((0, 1), (1, 0))))) - set(map(frozenset, without))


def said(one: Layout, rule: Rule) -> str:
    """Return a rule in words, shortened, for a report of losses."""
    words = f"{rule.kind}: {rule.words(one.names)}"
    return textwrap.shorten(words, _LONGEST_WORDS, placeholder=" …")
