"""Draws a board as SVG, with the parts that all pictures of boards share."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby
from typing import NamedTuple, TypeAlias

from unidoku.core.bits import all_values, is_single, value_of, values_of
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.caching import layout_cache
from unidoku.core.layout import Grid, Layout, row_name
from unidoku.core.rules import AnyOf, Rule
from unidoku.draw.cosmetics import cosmetics, fog, reach
from unidoku.draw.outside import Room, filled_value, star_value, surroundings
from unidoku.draw.paint import BOARD, DARK_STYLE, Theme
from unidoku.draw.rules import over, under
from unidoku.draw.strokes import CELL, MARGIN, STRIP, circle, corner, star, text
from unidoku.errors import InputError
from unidoku.formats.cosmetics import Cosmetic
from unidoku.formats.grid_parts import parts_of
from unidoku.formats.puzzles import Puzzle
from unidoku.support.arguments import named_arguments
from unidoku.support.language import listing, message, named
from unidoku.support.schema import shown

_VALUE_SIZE = 20
"""The font size of a value."""

_PAD, _BESIDE_CAGES = 2.0, 5.0
"""The space between pencil marks and the sides of a cell, without and with cages in it."""

LABELS = 15
"""Room for the names of rows and columns, on the left and above."""

_LABEL_SIZE = 9
"""The size of these names."""

_Side: TypeAlias = tuple[int, int, int, int]
"""The ends of a line: x, y, x, y."""

_INSET = 2
"""Distance from the sides of a cell to its filling, so that the lines are visible."""

_PLAIN = frozenset({"row", "column", "box", "region", "unit", "anti-knight", "anti-king"})
"""Unit kinds without shading in a layout with holes: lines show them, or they shade it all."""


@named_arguments
def svg(
    board: BoardLike,
    grid: Grid | None = None,
    *,
    theme: Theme = "auto",
    all_marks: bool = False,
    labels: bool = False,
) -> str:
    """Return the board as one SVG element, which browsers and other renderers can draw.

    Thick lines separate boxes, regions and areas; diagonals are lines, and other extra units
    (windows, …) are shaded; cells that clash are tinted; rules are drawn in the usual way. Givens
    are bold. If a grid (a solution) is given, the other cells show its values; otherwise they show
    their pencil marks, if any.

    Args:
        board: the puzzle: a board, or a text, rows of values or a puzzle as for `unidoku.solve`.
            The cosmetics and the fog of a `Puzzle` are drawn too; fog not over a solution.
        grid: a solution of the board; None for none.
        theme: ``light`` or ``dark``; ``auto`` is light, and dark in a browser whose system setting
            is dark.
        all_marks: whether cells that may hold any value show all pencil marks; otherwise none.
        labels: whether the names of rows and columns are drawn, in the notation in force.

    Raises:
        InputError: there is no such theme, or the grid has another number of cells or other values.
    """
    puzzle = board if isinstance(board, Puzzle) else None
    board = as_board(board)
    if grid is not None and len(grid) != len(board.layout):
        cells = len(board.layout)
        raise InputError(f"grid: expected {cells} values, one for each cell, got {len(grid)}")
    if grid is not None and not set(grid) <= {*range(board.layout.n + 1)}:
        raise InputError(f"grid: expected values from 0 to {board.layout.n}, got {shown(grid)}")
    style = DARK_STYLE if theme == "auto" else ""
    drawn = picture(board, grid, style, all_marks=all_marks, labels=labels, puzzle=puzzle)
    return BOARD.painted(drawn, theme)


def picture(
    board: Board,
    grid: Grid | None = None,
    style: str = "",
    *,
    all_marks: bool = False,
    labels: bool = False,
    puzzle: Puzzle | None = None,
) -> str:
    """Return the SVG element of a board with this style, or none if the page has the style."""
    layout = board.layout
    box, drawn = parts(board, grid, all_marks=all_marks, puzzle=puzzle)
    if labels:
        names = names_at_sides(layout, -box.left, -box.top)
        box = box.with_labels()
        drawn = [box.paper(), *drawn[1:], names]
    label = message("{layout} board, {count} values", layout=layout_name(layout), count=layout.n)
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

    def with_labels(self) -> Box:
        """Return the box with room for the names of rows and columns."""
        left, top = self.left - LABELS, self.top - LABELS
        return Box(left, top, self.width + LABELS, self.height + LABELS)

    def paper(self) -> str:
        """Return the ground of the picture."""
        return (
            f'<rect class="paper" x="{self.left}" y="{self.top}" width="{self.width}" '
            f'height="{self.height}"/>'
        )


def parts(
    board: Board,
    grid: Grid | None = None,
    *,
    all_marks: bool = False,
    puzzle: Puzzle | None = None,
    symbols: Sequence[str] = (),
) -> tuple[Box, list[str]]:
    """Return the box of a board's picture and its content, for a picture of several boards.

    Args:
        board: the board.
        grid: a solution of it.
        all_marks: the argument of `svg`.
        puzzle: the puzzle whose cosmetics are drawn, and whose fog if there is no solution.
        symbols: what is drawn for each value, from the first on; by default what it is shown as.
    """
    box, drawn = backdrop(board, puzzle.cosmetics if puzzle else ())
    veil = [*fog(board.layout, puzzle.fog)] if puzzle and puzzle.fog and grid is None else []
    texts = ("", *map(escape, symbols)) if symbols else board.layout.shown
    return box, [*drawn, *filter(None, _texts(board, grid, all_marks, texts)), *veil]


def backdrop(board: Board, drawn: Sequence[Cosmetic] = ()) -> tuple[Box, list[str]]:
    """Return the box of a board's picture, and all that it contains except for values and marks.

    Args:
        board: the board.
        drawn: its cosmetics.
    """
    layout = board.layout
    around = surroundings(layout)
    around_grid = zip(around.room(), reach(layout, drawn), strict=True)
    room = Room(*(max(sides) for sides in around_grid))
    box = Box(
        -room.left,
        -room.top,
        layout.columns * CELL + 2 * MARGIN + room.left + room.right,
        layout.rows * CELL + 2 * MARGIN + room.top + room.bottom,
    )
    layers = [
        box.paper(),
        *_tints(board),
        *cosmetics(drawn, over=False),
        *around.under(layout),
        *under(layout),
        lines(layout),
        *over(layout, without=around.drawn),
        *around.over(layout),
        *cosmetics(drawn, over=True),
    ]
    return box, [part for part in layers if part]


def with_regions(board: Board, regions: Grid) -> Board:
    """Return a board whose picture has lines around regions that a solution has.

    Args:
        board: the board.
        regions: the number of the region of each cell.
    """
    layout = board.layout
    areas = [
        tuple(cell for cell in layout.cells if regions[cell] == number)
        for number in sorted(set(regions))
    ]
    return replace(board, layout=replace(layout, areas=(*layout.areas, *areas)))


def names_at_sides(layout: Layout, left: float, top: float) -> str:
    """Return the names of rows and columns, in the notation in force, beside other things there."""
    middle, outside = MARGIN + CELL / 2, MARGIN - LABELS / 2
    texts = [
        text(outside - left, row * CELL + middle, _LABEL_SIZE, row_name(row, layout.rows))
        for row in range(layout.rows)
    ]
    texts += [
        text(column * CELL + middle, outside - top, _LABEL_SIZE, column + 1)
        for column in range(layout.columns)
    ]
    return f'<g class="label" font-size="{_LABEL_SIZE}">{"".join(texts)}</g>'


def shaded(layout: Layout) -> frozenset[int]:
    """Return the cells of extra units, without diagonals of the grid; none if that is every cell.

    Which units are extra is decided by their cells, whatever a format calls them.
    """
    parts = parts_of(layout)
    if parts is not None:
        extra = [cells for cells in parts.units if len(cells) > 1]
    else:
        extra = [unit.cells for unit in layout.units if unit.kind not in _PLAIN]
    cells = {cell for unit_cells in extra for cell in unit_cells if cell < len(layout)}
    return frozenset(cells) if len(cells) < len(layout) else frozenset()


def layout_label(layout: Layout) -> str:
    """Return a layout's name for people, and its n."""
    return f"{layout_name(layout)}, n = {layout.n}"


def layout_name(layout: Layout) -> str:
    """Return a layout's name for people: its variant, without maps of regions, and its rules."""
    variant, *rules = re.sub(r"jigsaw:[^+ ]*", "jigsaw", layout.name).split(" with ")
    name = "+".join(map(named, variant.split("+")))
    kinds = dict.fromkeys(kind for part in rules for kind in re.split(", | and ", part))
    if not kinds:
        return name
    return message("{layout} with {kinds}", layout=name, kinds=listing(map(named, kinds)))


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
    strengths: dict[_Side, str] = {}
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
            strengths[side] = "thin" if inside else "thick"
    return dict(sorted(strengths.items(), key=lambda item: item[1] == "thick"))


def lines(layout: Layout) -> str:
    """Return the lines between cells, thick between boxes, regions and areas."""
    paths = []
    for kind, group in groupby(sides(layout).items(), key=lambda item: item[1]):
        drawn = "".join(
            f"M{x1} {y1}h{x2 - x1}" if y1 == y2 else f"M{x1} {y1}v{y2 - y1}"
            for (x1, y1, x2, y2), _ in group
        )
        paths.append(f'<path class="{kind}" d="{drawn}"/>')
    return "".join(paths)


def _texts(board: Board, grid: Grid | None, all_marks: bool, texts: Sequence[str]) -> Iterator[str]:
    layout = board.layout
    filled = filled_value(layout)
    marked = filled or star_value(layout)
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
            yield text(*middle, _VALUE_SIZE, texts[value], kind)
        elif all_marks or mask != all_values(layout.n):
            for value in values_of(mask):
                right, down, room = mark_place(layout, value)
                size = mark_size(layout, room)
                yield text(x + right, y + down, size, texts[value], "mark")


def _filling(x: int, y: int, kind: str) -> str:
    side = CELL - 2 * _INSET
    return (
        f'<rect class="{kind}" x="{x + _INSET}" y="{y + _INSET}" width="{side}" height="{side}"/>'
    )


def marks_a_side(n: int) -> int:
    """Return how many pencil marks of n values are in a row."""
    return math.isqrt(n - 1) + 1


_WITH_TOTALS = frozenset(
    (
        "killer",
        "sum",
        "product",
        "kenken",
        "rellik",
        "equality-cage",
        "weighted-sum",
        "lunchbox",
        "product-line",
        "sum-line",
    )
)
"""The kinds that are cages, or have a number in the corner of a cell."""


def _has_totals(several: Iterable[Rule]) -> bool:
    """Return whether rules have cages or numbers in corners of cells."""
    return any(
        _has_totals(rule.rules) if isinstance(rule, AnyOf) else rule.kind in _WITH_TOTALS
        for rule in several
    )


@layout_cache(maxsize=16)
def _beside_marks(layout: Layout) -> tuple[float, float]:
    """Return the space beside pencil marks, and above them: more where cages are."""
    return (_BESIDE_CAGES, STRIP) if _has_totals(layout.rules) else (_PAD, _PAD)


def mark_place(layout: Layout, value: int) -> tuple[float, float, float]:
    """Return x and y of the middle of a value's pencil mark in its cell, and the space for it.

    In a layout with cages, marks leave room for these and for totals in the corners of cells.
    """
    side = marks_a_side(layout.n)
    pad, top = _beside_marks(layout)
    width, height = (CELL - 2 * pad) / side, (CELL - pad - top) / side
    down, right = divmod(value - 1, side)
    return pad + (right + 0.5) * width, top + (down + 0.5) * height, min(width, height)


def mark_size(layout: Layout, room: float) -> float:
    """Return the font size of pencil marks in such a space: what the widest of them allows."""
    return min(room * 0.92, room * 1.5 / len(layout.shown[-1]), _VALUE_SIZE * 0.7)
