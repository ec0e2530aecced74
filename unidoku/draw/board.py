"""Draws a board as SVG, with the parts that all pictures of boards share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import NamedTuple, TypeAlias

from unidoku.core.bits import all_values, is_single, value_of, values_of
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.layout import Grid, Layout
from unidoku.draw.outside import filled_value, star_value, surroundings
from unidoku.draw.paint import BOARD, Theme
from unidoku.draw.rules import over, under
from unidoku.draw.strokes import CELL, MARGIN, circle, corner, star, text
from unidoku.errors import InputError
from unidoku.support.arguments import named_arguments

_VALUE_SIZE = 20
"""The font size of a value."""

_BESIDE_RULES = 0.86
"""Distance of pencil marks from the middle of a cell: they must not touch cages."""

_Side: TypeAlias = tuple[int, int, int, int]
"""The ends of a line: x, y, x, y."""

_INSET = 2
"""Distance from the sides of a cell to its filling, so that the lines are visible."""

_PLAIN = frozenset({"row", "column", "box", "region", "unit", "anti-knight", "anti-king"})
"""Unit kinds without shading: lines show them, or they would shade the whole board."""


@named_arguments
def svg(
    board: BoardLike, grid: Grid | None = None, *, theme: Theme = "auto", all_marks: bool = False
) -> str:
    """Return the board as one SVG element, which browsers and other renderers can draw.

    Thick lines separate boxes, regions and areas; extra units (diagonals, windows, …) are shaded;
    cells that clash are tinted; rules are drawn in the usual way. Givens are bold. If a grid (a
    solution) is given, the other cells show its values; otherwise they show their pencil marks, if
    any.

    Args:
        board: the puzzle: a board, or a text, rows of values or a puzzle as for `unidoku.solve`.
        grid: a solution of the board; None for none.
        theme: ``light`` or ``dark``; ``auto`` is light, and dark in a browser whose system setting
            is dark.
        all_marks: whether cells that may hold any value show all pencil marks; otherwise none.

    Raises:
        InputError: there is no such theme, or the grid has another number of cells.
    """
    board = as_board(board)
    if grid is not None and len(grid) != len(board.layout):
        cells = len(board.layout)
        raise InputError(f"grid: expected {cells} values, one for each cell, got {len(grid)}")
    style = f"<style>{BOARD.dark_style}</style>" if theme == "auto" else ""
    return BOARD.painted(picture(board, grid, style, all_marks=all_marks), theme)


def picture(
    board: Board, grid: Grid | None = None, style: str = "", *, all_marks: bool = False
) -> str:
    """Return the SVG element of a board with this style, or none if the page has the style."""
    layout = board.layout
    box, drawn = parts(board, grid, all_marks=all_marks)
    label = f"{layout.name} board, {layout.n} values"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{BOARD.name}" role="img" '
        f'aria-label="{escape(label)}" '
        f'viewBox="{box.left} {box.top} {box.width} {box.height}" '
        f'width="{box.width}" height="{box.height}">'
    )
    return "\n".join(filter(None, [head, style, *drawn, "</svg>"]))


class Box(NamedTuple):
    """The part of the plane that a picture shows."""

    left: int
    top: int
    width: int
    height: int


def parts(
    board: Board, grid: Grid | None = None, *, all_marks: bool = False
) -> tuple[Box, list[str]]:
    """Return the box of a board's picture and its content, for a picture of several boards."""
    has_marks = grid is None and (all_marks or board.has_pencil_marks)
    box, drawn = backdrop(board, has_marks=has_marks)
    return box, [*drawn, *filter(None, _texts(board, grid, all_marks))]


def backdrop(board: Board, *, has_marks: bool = False) -> tuple[Box, list[str]]:
    """Return the box of a board's picture, and all that it contains except for values and marks.

    Args:
        board: the board.
        has_marks: whether cells contain pencil marks, which need the place of totals.
    """
    layout = board.layout
    around = surroundings(layout)
    room = around.room()
    box = Box(
        -room.left,
        -room.top,
        layout.columns * CELL + 2 * MARGIN + room.left + room.right,
        layout.rows * CELL + 2 * MARGIN + room.top + room.bottom,
    )
    drawn = [
        f'<rect class="paper" x="{box.left}" y="{box.top}" width="{box.width}" '
        f'height="{box.height}"/>',
        *_tints(board),
        *around.under(layout),
        *under(layout),
        lines(layout),
        *over(layout, has_marks=has_marks, without=around.drawn),
        *around.over(layout),
    ]
    return box, [part for part in drawn if part]


def shaded(layout: Layout) -> frozenset[int]:
    """Return the cells of extra units; none if that is every cell."""
    extra = [unit.cells for unit in layout.units if unit.kind not in _PLAIN]
    cells = {cell for unit_cells in extra for cell in unit_cells if cell < len(layout)}
    return frozenset(cells) if len(cells) < len(layout) else frozenset()


def layout_label(layout: Layout) -> str:
    """Return a layout's name without the region maps that it may contain, and its n."""
    return f"{re.sub(r'jigsaw:[^+]*', 'jigsaw', layout.name)}, n = {layout.n}"


def _tints(board: Board) -> Iterator[str]:
    clashing = {cell for problem in board.problems() for cell in problem.cells}
    for cell in sorted(clashing | shaded(board.layout)):
        x, y = corner(board.layout, cell)
        kind = "clash" if cell in clashing else "shade"
        yield f'<rect class="{kind}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'


def sides(layout: Layout) -> dict[_Side, str]:
    """Return each side of each cell once, ``thin`` or ``thick``.

    Thin ones come first, so that thick ones are drawn over them.
    """
    areas: list[set[object]] = [
        {unit for unit in units if unit.kind in ("box", "region")} for units in layout.units_of
    ]
    for area in layout.areas:
        for cell in area:
            areas[cell].add(area)
    if filled_value(layout) is not None:  # lines let readers count cells
        for cell, (row, column) in enumerate(layout.positions):
            areas[cell].add((row // 5, column // 5))
    found: dict[_Side, str] = {}
    for cell, (row, column) in enumerate(layout.positions):
        x, y = corner(layout, cell)
        right, below = x + CELL, y + CELL
        for side, position in (
            ((x, y, right, y), (row - 1, column)),
            ((x, below, right, below), (row + 1, column)),
            ((x, y, x, below), (row, column - 1)),
            ((right, y, right, below), (row, column + 1)),
        ):
            other = layout.cell_at.get(position)
            inside = other is not None and areas[other] == areas[cell]
            found[side] = "thin" if inside else "thick"
    return dict(sorted(found.items(), key=lambda item: item[1] == "thick"))


def lines(layout: Layout) -> str:
    """Return the lines between cells, thick between boxes, regions and areas."""
    paths = []
    for kind, found in groupby(sides(layout).items(), key=lambda item: item[1]):
        drawn = "".join(
            f"M{x1} {y1}h{x2 - x1}" if y1 == y2 else f"M{x1} {y1}v{y2 - y1}"
            for (x1, y1, x2, y2), _ in found
        )
        paths.append(f'<path class="{kind}" d="{drawn}"/>')
    return "".join(paths)


def _texts(board: Board, grid: Grid | None, all_marks: bool) -> Iterator[str]:
    layout = board.layout
    filled = filled_value(layout)
    marked = filled or star_value(layout)
    closer = _BESIDE_RULES if layout.rules else 1.0
    for cell, mask in enumerate(board.candidates):
        x, y = corner(layout, cell)
        value = value_of(mask) if is_single(mask) else grid[cell] if grid is not None else 0
        kind = "given" if is_single(mask) else "found"
        middle = x + CELL / 2, y + CELL / 2
        if marked and value == marked:
            yield _filling(x, y, kind) if filled else star(kind, middle, CELL * 0.36)
        elif marked and value:
            yield circle("mark", middle, 2) if kind == "given" else ""
        elif value:
            yield text(*middle, _VALUE_SIZE, layout.shown[value], kind)
        elif all_marks or mask != all_values(layout.n):
            for value in values_of(mask):
                right, down, size = mark_place(layout.n, value)
                centre = (x + _nearer(right, closer), y + _nearer(down, closer))
                yield text(*centre, size * 0.8 * closer, layout.shown[value], "mark")


def _nearer(position: float, closer: float) -> float:
    """Return a position in a cell, moved towards the middle by a factor."""
    return CELL / 2 + (position - CELL / 2) * closer


def _filling(x: int, y: int, kind: str) -> str:
    side = CELL - 2 * _INSET
    return (
        f'<rect class="{kind}" x="{x + _INSET}" y="{y + _INSET}" width="{side}" height="{side}"/>'
    )


def mark_place(n: int, value: int) -> tuple[float, float, float]:
    """Return x and y of the middle of a value's pencil mark in its cell, and the space for it."""
    side = max(1, round(n**0.5 + 0.49))
    size = CELL / side
    down, right = divmod(value - 1, side)
    return (right + 0.5) * size, (down + 0.5) * size, size
