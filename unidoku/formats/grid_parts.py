"""The parts of a layout, in the terms of formats that draw grids, for the writers of these."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from unidoku.core.caching import layout_cache
from unidoku.core.layout import Layout
from unidoku.core.rules import Rule
from unidoku.errors import InputError
from unidoku.formats.frame import KING, KNIGHT, MOST_SIDE, Frame
from unidoku.formats.losses import Report

_REGIONS = ("box", "region")

_LONGEST_WORDS = 120


@dataclass(slots=True, kw_only=True)
class GridParts:
    """The parts of a layout of rows and columns.

    Attributes:
        frame: the cells and the values.
        lacking: rows and columns that are not units.
        regions: boxes or regions that do not overlap.
        falling: whether the diagonal from the top left is a unit.
        rising: whether the other diagonal is a unit.
        antiknight: whether cells at a knight's move from each other differ.
        antiking: whether cells that share a corner differ.
        disjoint: whether cells at the same place in their regions differ.
        units: all other units.
    """

    frame: Frame
    lacking: int = 0
    regions: list[tuple[int, ...]] = field(default_factory=list)
    falling: bool = False
    rising: bool = False
    antiknight: bool = False
    antiking: bool = False
    disjoint: bool = False
    units: list[tuple[int, ...]] = field(default_factory=list)

    def moves(self) -> list[str]:
        """Return the names of those units of cells that are not side by side."""
        return [name for name in ("antiknight", "antiking", "disjoint") if getattr(self, name)]

    def drop_moves(self, report: Report) -> None:
        """Report the units of cells that are not side by side, which a format has no names for."""
        for name in self.moves():
            report.drop(name)


def grid_parts(layout: Layout, form: str) -> GridParts:
    """Return the parts of a layout without holes.

    Raises:
        InputError: it has holes, which the format cannot have.
    """
    rows, columns = layout.rows, layout.columns
    if rows * columns != len(layout):
        raise InputError(f"{form} holds full rectangles of cells, got a layout with holes")
    frame = Frame(rows, columns, layout.first_value, layout.first_value + layout.n - 1)
    parts = GridParts(frame=frame)
    remaining = dict.fromkeys(unit.cells for unit in layout.units)

    def take(*units: Sequence[int]) -> bool:
        """Take units out if all of them exist, and return whether they do."""
        cells_of_units = [tuple(sorted(unit)) for unit in units]
        if not units or not remaining.keys() >= set(cells_of_units):
            return False
        for unit in cells_of_units:
            remaining.pop(unit, None)
        return True

    for line in frame.lines():
        parts.lacking += not take(line)
    seen: set[int] = set()
    for unit in layout.units:
        if unit.kind in _REGIONS and unit.cells in remaining and seen.isdisjoint(unit.cells):
            seen.update(unit.cells)
            parts.regions.append(unit.cells)
            remaining.pop(unit.cells)
    if not parts.regions and take(*(boxes := frame.boxes_of(layout.size))):
        parts.regions = [*boxes]  # of a layout whose units have no kinds
    if rows == columns:
        falling, rising = frame.diagonals()
        parts.falling = take(falling)
        parts.rising = rows > 1 and take(rising)
    size = len(parts.regions[0]) if parts.regions else 0
    if size and all(len(region) == size for region in parts.regions):
        parts.disjoint = take(*zip(*parts.regions, strict=True))
    parts.antiknight = take(*frame.steps(KNIGHT))
    parts.antiking = take(*frame.steps(KING))
    parts.units = [*remaining]
    return parts


@layout_cache(maxsize=16)
def parts_of(layout: Layout) -> GridParts | None:
    """Return the parts of a layout to draw; None if it has holes."""
    if layout.rows * layout.columns != len(layout):
        return None
    return grid_parts(layout, "a drawing")


def square_parts(layout: Layout, form: str, most: int | None = None) -> GridParts:
    """Return the parts of a square whose rows and columns differ, with values from 1.

    Raises:
        InputError: it is another layout, or has hidden cells, or more values than the format has.
    """
    parts = grid_parts(layout, form)
    is_square = layout.n == layout.rows == layout.columns and layout.first_value == 1
    if not is_square or parts.lacking or layout.hidden or (most and layout.n > most):
        up_to = f" to {most}" if most else ""
        raise InputError(
            f"{form} holds squares of values from 1{up_to}, different in rows and columns"
        )
    return parts


def drawn_parts(layout: Layout, form: str, *, s_cells: bool = False) -> GridParts:
    """Return the parts of a rectangle whose rows and columns differ, for a program that draws it.

    Args:
        layout: the layout.
        form: the program.
        s_cells: whether it may have S-cells, with the digits from 0 to the longer side.

    Raises:
        InputError: it is another layout, or its values are not 1 to the cells of the longer side.
    """
    parts = grid_parts(layout, form)
    usual = max(layout.rows, layout.columns) == layout.size <= MOST_SIDE
    if layout.s_cells is None:
        usual = usual and layout.first_value == 1
    elif not s_cells:
        raise InputError(
            f"{form} holds one digit in each cell, got {values_in_words(layout)}; links to "
            "SudokuPad and Penpa+ hold such boards"
        )
    if parts.lacking or not usual:
        raise InputError(
            f"{form} holds boards whose rows and columns differ, with values 1 to the longer side, "
            f"got {values_in_words(layout)}{', with others' if parts.lacking else ''}"
        )
    return parts


def values_in_words(layout: Layout) -> str:
    """Return the shape and the values of a layout, for a message about what a format holds."""
    cells = f"{layout.rows}x{layout.columns} cells"
    if layout.s_cells is not None:
        return f"{cells} of {layout.n} values: the digits 0 to {layout.size}, and two in S-cells"
    return f"{cells} of {layout.shown[1]} to {layout.shown[-1]}"


def words_of(layout: Layout, rule: Rule, kind: str = "") -> str:
    """Return a rule in words, shortened, for a report of losses."""
    words = f"{kind or rule.kind}: {rule.words(layout.names)}"
    return textwrap.shorten(words, _LONGEST_WORDS, placeholder=" …")


def drop_rules(report: Report, layout: Layout, rules: Iterable[Rule]) -> None:
    """Report rules that are left out: once a kind, with their number and the first in words."""
    by_kind: dict[str, list[Rule]] = {}
    for rule in rules:
        by_kind.setdefault(rule.kind, []).append(rule)
    for kind, group in by_kind.items():
        count = f"{kind} ({len(group)}), such as" if len(group) > 1 else kind
        report.drop(words_of(layout, group[0], count))
