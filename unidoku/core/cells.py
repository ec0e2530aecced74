"""Cells as people write them, in puzzle files and in rules: names, runs, paths, whole rows.

``A1`` and ``r1c1`` are cells, ``A1-A4`` is a run in a row, a column or a diagonal, ``A1-A4-D4`` a
path with a corner, ``A1 A2 B2`` a list, ``row 3 right`` a row that is read from its right side,
``#2`` the second hidden cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Protocol, TypeAlias

from unidoku.core.constraints.primitives import Pair
from unidoku.core.names import (
    NOWHERE,
    SHORTEST,
    Position,
    by_ends,
    number_of,
    position_of,
    row_letter,
)
from unidoku.errors import FormatError, LayoutError
from unidoku.support.arguments import fits
from unidoku.support.schema import shown

SIDES: tuple[Position, ...] = ((-1, 0), (0, -1), (0, 1), (1, 0))
"""The steps from a cell to those that share a side with it."""

CORNERS: tuple[Position, ...] = ((-1, -1), (-1, 1), (1, -1), (1, 1))
"""The steps from a cell to those that share only a corner with it."""

Near: TypeAlias = Sequence[Sequence[int]]
"""The neighbours of each cell."""


CellLike: TypeAlias = int | str | tuple[int, int]
"""A cell by its number in reading order, its name, or its row and column, all from 0."""


class PlacedCells(Protocol):
    """Cells that have places, as those of a layout."""

    @property
    def positions(self) -> Sequence[Position]:
        """The row and the column of each cell, from 0; hidden cells have none."""

    @property
    def cell_at(self) -> Mapping[Position, int]:
        """The cell at each position."""


class NamedCells(PlacedCells, Protocol):
    """Cells that have names and places, as those of a layout."""

    @property
    def names(self) -> Sequence[str]:
        """The name of each cell."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def columns(self) -> int:
        """The number of columns."""

    def cell(self, name: str) -> int:
        """Return the cell of a name."""

    def __len__(self) -> int:
        """Return the number of cells."""


NEIGHBOURS = "neighbours"
"""The word for all pairs of cells that share a side."""

TOUCHING = "touching"
"""The word for all pairs of cells that share a side or a corner."""

UNMARKED = "unmarked"
"""The word for all such pairs that no rule of the puzzle lists."""

_WHOLE = re.compile(r"(row|column)\s+(\w+)(?:\s+(left|right|top|bottom))?", re.IGNORECASE)
"""A row or a column, and the side from which it is read."""

_SIDES = {"row": ("left", "right"), "column": ("top", "bottom")}
"""The sides of each: reading begins at the first unless the text names the other."""


def cell_from(layout: NamedCells, name: CellLike) -> int:
    """Return a cell by its name, its place or its number, see `Layout.cell`.

    Raises:
        LayoutError: there is no such cell.
    """
    if isinstance(name, tuple):
        if name in layout.cell_at:
            return layout.cell_at[name]
        sides = f"{layout.rows} rows and {layout.columns} columns"
        raise LayoutError(f"expected a cell in {sides}, both from 0, got {shown(name)}")
    if not isinstance(name, str):
        if not fits(name, int) or name not in range(len(layout)):
            raise LayoutError(f"expected a cell from 0 to {len(layout) - 1}, got {shown(name)}")
        return int(name)
    hidden = len(layout.names) - len(layout)
    if number_of(name) in range(1, hidden + 1):
        return len(layout) + number_of(name) - 1
    try:
        return layout.cell_at[position_of(name, layout.rows)]
    except KeyError:
        further = f", or #1 to {layout.names[-1]}" if hidden else ""
        ends = f"{layout.names[0]} to {layout.names[len(layout) - 1]}{further}"
        raise LayoutError(f"expected a cell from {ends}, got {shown(name)}") from None


def cells_from(layout: NamedCells, value: object) -> tuple[int, ...]:
    """Return the cells that a text, or a list of texts, names, in their order.

    >>> from unidoku.core.variants import layout
    >>> four = layout("classic", 4)
    >>> cells_from(four, "A1-A3 B2"), cells_from(four, "A1-C3-C1"), cells_from(four, "row 4 right")
    ((0, 1, 2, 5), (0, 5, 10, 9, 8), (15, 14, 13, 12))

    Raises:
        FormatError: it names no cells, or cells that do not exist in the layout.
    """
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return tuple(cell for part in value for cell in cells_from(layout, part))
    if not isinstance(value, str):
        raise FormatError(f"expected cells such as 'A1 A2', 'A1-A4' or 'row 3', got {shown(value)}")
    if whole := _WHOLE.fullmatch(value.strip()):
        return _whole(layout, value, whole[1].lower(), whole[2], (whole[3] or "").lower())
    return tuple(cell for word in re.split(r"[\s,]+", value.strip()) for cell in _run(layout, word))


def pairs_from(layout: NamedCells, value: object) -> tuple[Pair, ...]:
    """Return pairs of cells: ``[["A1", "A2"], "B1-B2"]``, or ``"neighbours"`` for all adjacent.

    >>> from unidoku.core.variants import layout
    >>> pairs_from(layout("latin", 2), ["A1 B1"]), pairs_from(layout("latin", 2), "neighbours")
    (((0, 2),), ((0, 1), (0, 2), (1, 3), (2, 3)))

    Raises:
        FormatError: it names no pairs of cells of the layout.
    """
    if value in (NEIGHBOURS, TOUCHING):
        return neighbours(layout, corners=value == TOUCHING)
    if not isinstance(value, list):
        words = f"{NEIGHBOURS!r}, {TOUCHING!r} or {UNMARKED!r}"
        wanted = f"pairs of cells such as ['A1 A2', 'B1 B2'], {words}"
        raise FormatError(f"expected {wanted}, got {shown(value)}")
    pairs = []
    for part in value:
        cells = cells_from(layout, part)
        if len(cells) != 2:
            raise FormatError(
                f"expected pairs of two cells, got {len(cells)} cells in {shown(part)}"
            )
        pairs.append((cells[0], cells[1]))
    return tuple(pairs)


def neighbours(
    layout: NamedCells, without: Iterable[Pair] = (), *, corners: bool = False
) -> tuple[Pair, ...]:
    """Return the pairs of adjacent cells in reading order, without some of them.

    With ``corners``, pairs of cells that share only a corner are included.
    """
    cell_at = layout.cell_at
    left_out = set(map(frozenset, without))
    steps = ((0, 1), (1, -1), (1, 0), (1, 1)) if corners else ((0, 1), (1, 0))
    return tuple(
        (cell, cell_at[position])
        for cell, (row, column) in enumerate(layout.positions)
        for position in ((row + down, column + right) for down, right in steps)
        if position in cell_at and {cell, cell_at[position]} not in left_out
    )


def adjacent(layout: PlacedCells) -> Near:
    """Return the cells that share a side with each cell."""
    return _near(layout, SIDES)


def around(layout: PlacedCells) -> Near:
    """Return the cells that share a side or a corner with each cell."""
    return _near(layout, (*SIDES, *CORNERS))


def _near(layout: PlacedCells, steps: Sequence[Position]) -> Near:
    cell_at = layout.cell_at
    places = [[(row + down, col + right) for down, right in steps] for row, col in layout.positions]
    return [[cell_at[position] for position in square if position in cell_at] for square in places]


def text_of_cells(layout: NamedCells, cells: Sequence[int]) -> str:
    """Return cells as a text that `cells_from` can read.

    >>> from unidoku.core.variants import layout
    >>> text_of_cells(layout("classic", 4), (0, 1, 2, 6, 4))
    'A1-A3 B3 B1'
    """
    places = [layout.positions[cell] if cell < len(layout) else NOWHERE for cell in cells]
    return by_ends([layout.names[cell] for cell in cells], places, shortest_diagonal=SHORTEST)


def texts_of_pairs(layout: NamedCells, pairs: Sequence[Pair]) -> str | list[str]:
    """Return pairs of cells as `pairs_from` can read them."""
    if len(pairs) > 1:
        for word, corners in ((NEIGHBOURS, False), (TOUCHING, True)):
            if pairs == neighbours(layout, corners=corners):
                return word
    return [f"{layout.names[a]} {layout.names[b]}" for a, b in pairs]


def _whole(layout: NamedCells, text: str, kind: str, name: str, side: str) -> tuple[int, ...]:
    """Return the cells of a row or a column in the order from a side."""
    first, second = _SIDES[kind]
    if side not in ("", first, second):
        raise FormatError(f"expected a {kind} from the {first} or the {second}, got {shown(text)}")
    axis = 0 if kind == "row" else 1
    letters = [row_letter(row, layout.rows) for row in range(layout.rows)] if kind == "row" else []
    number = letters.index(name.upper()) + 1 if name.upper() in letters else name
    cells = [
        c for c, position in enumerate(layout.positions) if str(position[axis] + 1) == str(number)
    ]
    if not cells:
        last = layout.rows if kind == "row" else layout.columns
        raise FormatError(f"expected a {kind} from 1 to {last}, got {shown(text)}")
    return tuple(reversed(cells) if side == second else cells)


def _run(layout: NamedCells, word: str) -> Iterator[int]:
    """Yield the cells of a word: one cell, or a path of straight runs given by its corners."""
    try:
        corners = [layout.cell(name) for name in word.split("-")]
    except LayoutError as error:
        within = f" in {shown(word)}" if "-" in word else ""
        raise FormatError(f"{error}{within}") from None
    yield corners[0]
    if len(corners) > 1 and max(corners) >= len(layout):
        raise FormatError(f"expected a run of cells of the grid, got {shown(word)}")
    for start, end in pairwise(corners):
        step = _step(layout.positions[start], layout.positions[end])
        if step is None:
            raise FormatError(f"expected a run in a row, a column or a diagonal, got {shown(word)}")
        position = layout.positions[start]
        while position != layout.positions[end]:
            position = (position[0] + step[0], position[1] + step[1])
            if position not in layout.cell_at:
                raise FormatError(f"expected a run of cells, but there is a hole in {shown(word)}")
            yield layout.cell_at[position]


def _step(start: Position, end: Position) -> Position | None:
    """Return the step from a cell to the next in a straight run; None if they share no line."""
    down, right = end[0] - start[0], end[1] - start[1]
    length = max(abs(down), abs(right))
    if not length or {abs(down), abs(right)} - {0, length}:
        return None
    return down // length, right // length
