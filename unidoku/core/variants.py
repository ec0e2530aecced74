"""Variants: the named ways to build a layout, and how names combine.

A variant is written as names joined by ``+``, some with an argument after a colon: ``x``,
``x+windoku``, ``classic:2x3``, ``jigsaw:<map>``, ``samurai+x``. Rows and columns are always
present; boxes are present unless ``latin`` or ``jigsaw`` replaces them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from unidoku.core import units
from unidoku.core.layout import MAX_VALUES, Layout, Position, Unit
from unidoku.core.rules.base import KINDS, Rule
from unidoku.core.rules.catalogue import OF_NEIGHBOURS
from unidoku.core.rules.schroedinger import Schroedinger, values_with
from unidoku.core.units import Square
from unidoku.errors import LayoutError, nearest
from unidoku.support.arguments import named_arguments
from unidoku.support.schema import shown

BASES: Mapping[str, str] = {
    "classic": "rows, columns and boxes; the box may be given: classic:2x3 (rows x columns)",
    "latin": "rows and columns only",
    "jigsaw": "rows, columns and regions from a map, a symbol for each cell: jigsaw:0011…",
}
"""The units of a square, before additions."""

ADDITIONS: Mapping[str, Callable[[Square], list[Unit]]] = {
    "x": units.diagonals,
    "windoku": units.windows,
    "disjoint": units.disjoint_groups,
    "asterisk": units.asterisk,
    "centre-dot": units.centre_dot,
    "girandola": units.girandola,
    "anti-knight": units.anti_knight,
    "anti-king": units.anti_king,
}
"""Further units, which can be combined freely."""

RULES = OF_NEIGHBOURS
"""Rules for all pairs of adjacent cells."""

S_CELLS = Schroedinger.kind

CONTENTS: Mapping[str, str] = {
    S_CELLS: "digits from 0 to the size, two of them in one cell of each row, column and box; "
    "rules count the sum, and with schroedinger:digits compare each of the two",
}
"""What cells hold, if it is not one value."""

PLACEMENTS: Mapping[str, str] = {
    "samurai": "five squares, the middle one sharing a corner box with each of the others",
    "grids": "squares placed freely, by the row and column of their top left cells, "
    "from 0: grids:0,0/6,6",
}
"""Arrangements of several squares on one board; shared boxes count once."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A parsed variant: parts in the order in which they were written, as (name, argument)."""

    parts: tuple[tuple[str, str], ...]

    @classmethod
    @lru_cache(maxsize=256)
    def parse(cls, text: str) -> Variant:
        """Parse names joined by ``+``.

        Raises:
            LayoutError: a name is not a variant, a name is repeated, or there are several bases.
        """
        parts = []
        for part in text.split("+"):
            name, _, argument = part.partition(":")
            parts.append((name.strip().lower(), argument.strip()))
        names = [name for name, _ in parts]
        known = [*BASES, *ADDITIONS, *RULES, *CONTENTS, *PLACEMENTS]
        for name, argument in parts:
            if name in KINDS and name not in known:
                raise LayoutError(
                    f"expected a variant, got {name!r}, a kind of rule; "
                    "write it with its cells into a puzzle file"
                )
            if name not in known:
                raise LayoutError(f"expected a variant, got {shown(name)}; {nearest(name, known)}")
            if argument and name not in ("classic", "jigsaw", "grids", *CONTENTS):
                raise LayoutError(f"variant {name!r} takes no argument, got {shown(argument)}")
        for group in (BASES, PLACEMENTS):
            chosen = [name for name in names if name in group]
            if len(chosen) > 1:
                raise LayoutError(f"expected one of {', '.join(group)}, got {' and '.join(chosen)}")
        if len(set(names)) < len(names):
            raise LayoutError(f"expected each variant once, got {shown(text)}")
        return cls(tuple(parts))

    def __str__(self) -> str:
        """Return the text that parses to this variant, without region maps."""
        return "+".join(
            f"{name}:{argument}" if argument and name != "jigsaw" else name
            for name, argument in self.parts
        )

    def argument(self, name: str) -> str | None:
        """Return the argument of a part, empty if it has none; None without such a part."""
        return dict(self.parts).get(name)

    @property
    def needs_regions(self) -> bool:
        """Whether it is a jigsaw whose map is still missing (it follows in the puzzle's text)."""
        return self.argument("jigsaw") == ""

    @property
    def has_s_cells(self) -> bool:
        """Whether cells may hold two digits, and the digits are 0 to n."""
        return self.argument(S_CELLS) is not None

    @property
    def placement(self) -> str | None:
        """Name of the part that places several squares, None if there is one square."""
        return next((name for name, _ in self.parts if name in PLACEMENTS), None)

    def with_regions(self, text: str) -> Variant:
        """Return the variant with the region map filled in."""
        parts = [("jigsaw", text) if name == "jigsaw" else (name, a) for name, a in self.parts]
        return Variant(tuple(parts))

    def corners(self, n: int) -> list[Position]:
        """Return the top left position of each square on the board."""
        if (text := self.argument("grids")) is not None:
            return _read_corners(text)
        if self.argument("samurai") is None:
            return [(0, 0)]
        box = self.square(n).box_shape("samurai")
        down, right = n - box[0], n - box[1]
        return [(0, 0), (0, 2 * right), (down, right), (2 * down, 0), (2 * down, 2 * right)]

    def square(self, n: int) -> Square:
        """Return the square that the builders work on."""
        if not 1 <= n <= MAX_VALUES:
            raise LayoutError(f"expected a size from 1 to {MAX_VALUES}, got {n}")
        if self.argument("latin") is not None or self.argument("jigsaw") is not None:
            return Square(n)
        box = self.argument("classic")
        return Square(n, _read_box(box, n) if box else units.default_box(n))

    def layout(self, n: int) -> Layout:
        """Return the layout of size n, which is built once.

        Raises:
            LayoutError: the variant does not exist in that size.
        """
        return _build(self, n)

    def size(self, cells: int) -> int | None:
        """Return the n for which the layout has that many cells, or None if there is none."""
        return _size(self, cells)


@lru_cache(maxsize=256)
def _build(variant: Variant, n: int) -> Layout:
    square = variant.square(n)
    built = [*units.rows(square), *units.columns(square)]
    if regions := variant.argument("jigsaw"):
        built += units.regions(square, regions)
    elif variant.needs_regions:
        raise LayoutError("jigsaw needs a region map: 'jigsaw:<map>', or after the givens")
    if square.box:
        built += units.boxes(square)
    for name, _ in variant.parts:
        if name in ADDITIONS:
            built += ADDITIONS[name](square)
    rules: list[Rule] = [
        RULES[name](units.neighbours(square)) for name, _ in variant.parts if name in RULES
    ]
    values, first_value = n, 1
    if variant.has_s_cells:
        s_cells = Schroedinger(n + 1, variant.argument(S_CELLS) or Schroedinger.compared)
        rules = [s_cells, *rules]
        values, first_value = values_with(n + 1), 0
    layout_of_units = Layout.from_units(
        values, built, shape=(n, n), rules=rules, name=str(variant), first_value=first_value
    )
    corners = variant.corners(n)
    if corners == [(0, 0)]:
        return layout_of_units
    return overlap([(layout_of_units, corner) for corner in corners], name=str(variant))


@lru_cache(maxsize=4096)
def _size(variant: Variant, cells: int) -> int | None:
    largest = min(math.isqrt(cells), MAX_VALUES)
    sizes = range(1, largest + 1) if variant.placement else (largest,)
    return next((n for n in sizes if n and _cells(variant, n) == cells), None)


@lru_cache(maxsize=4096)
def _cells(variant: Variant, n: int) -> int:
    """Return the number of cells of the layout, 0 if the variant does not exist in that size."""
    try:
        variant.square(n)  # raises for sizes without boxes, such as 5x5
        return _area(n, variant.corners(n)) if variant.placement else n * n
    except LayoutError:
        return 0


def _read_box(text: str, n: int) -> tuple[int, int]:
    height, _, width = text.lower().partition("x")
    if not (_is_number(height) and _is_number(width)):
        raise LayoutError(f"expected a box as rows x columns, such as 2x3, got {shown(text)}")
    if int(height) * int(width) != n:
        raise LayoutError(f"expected a box of {n} cells on a {n}x{n} board, got {text!r}")
    return int(height), int(width)


def _is_number(text: str) -> bool:
    return re.fullmatch("[0-9]{1,4}", text) is not None


def _read_corners(text: str) -> list[Position]:
    corners = []
    for part in text.split("/"):
        row, _, column = part.partition(",")
        if not (_is_number(row.strip()) and _is_number(column.strip())):
            raise LayoutError(f"expected places as row,column/row,column, got {part!r} in {text!r}")
        corners.append((int(row), int(column)))
    return corners


def _area(n: int, corners: Iterable[Position]) -> int:
    """Return the number of cells that squares cover together, row by row."""
    area = 0
    for row in {top + k for top, _ in corners for k in range(n)}:
        end = 0
        for left in sorted(left for top, left in corners if top <= row < top + n):
            area += max(left + n - max(left, end), 0)
            end = left + n
    return area


@named_arguments
def layout(variant: str = "classic", n: int = 9) -> Layout:
    """Return the layout of a named variant, such as ``layout("x+windoku")``.

    The same arguments give the same object.

    >>> layout("classic").names[:3], len(layout("samurai"))
    (('A1', 'A2', 'A3'), 369)

    Args:
        variant: names joined by ``+``; see `BASES`, `ADDITIONS`, `RULES`, `CONTENTS` and
            `PLACEMENTS`.
        n: values are 1 to n.

    Raises:
        LayoutError: the variant is unknown, or does not exist in that size.
    """
    return Variant.parse(variant).layout(n)


def variant_of(layout: Layout) -> Variant | None:
    """Return the variant of this layout in its size; None if the layout has other units.

    >>> str(variant_of(layout("x+windoku")))
    'x+windoku'
    """
    try:
        variant = Variant.parse(layout.name)
        return variant if variant.layout(layout.size) == layout else None
    except LayoutError:
        return None


@named_arguments
def overlap(parts: Iterable[tuple[Layout, Position]], name: str = "grids") -> Layout:
    """Overlay layouts: cells at the same position become one, equal units are kept once.

    Each layout keeps its own hidden cells.

    Args:
        parts: each layout with the row and column (from 0) of its top left corner.
        name: name for display.

    Raises:
        LayoutError: the layouts have different sizes n or first values, or there are none.
    """
    placed = list(parts)
    if len({part.n for part, _ in placed}) != 1:
        raise LayoutError(f"expected layouts of one size, got {sorted({p.n for p, _ in placed})}")
    if len({part.first_value for part, _ in placed}) != 1:
        raise LayoutError("expected layouts of one first value, got several")
    moved = [
        [(top + row, left + column) for row, column in part.positions]
        for part, (top, left) in placed
    ]
    positions = sorted({position for places in moved for position in places})
    cell_at = {position: cell for cell, position in enumerate(positions)}
    overlaid: list[Unit] = []
    rules: list[Rule] = []
    hidden: list[int] = []
    areas: list[list[int]] = []
    for k, ((part, _), places) in enumerate(zip(placed, moved, strict=True), start=1):
        start = len(positions) + len(hidden)
        cells = [cell_at[target] for target in places]
        cells += range(start, start + len(part.hidden))
        hidden += part.hidden
        areas += ([cells[cell] for cell in area] for area in part.areas)
        overlaid += (
            Unit(
                tuple(sorted(cells[cell] for cell in unit.cells)), unit.kind, f"{unit} of grid {k}"
            )
            for unit in part.units
        )
        rules += (rule.moved(cells) for rule in part.rules)
    first = placed[0][0].first_value
    return Layout.from_units(
        placed[0][0].n,
        overlaid,
        positions=positions,
        rules=rules,
        name=name,
        first_value=first,
        hidden=hidden,
        areas=areas,
    )
