"""Pictures of boards, as SVG for notebooks and pages; the core does not know this module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import TypeAlias

from unidoku.core.bits import all_values, is_single, value_of, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout

CELL = 36
"""The width of a cell."""

MARGIN = 3
"""The space around the cells; the outer lines lie half in it."""

_Side: TypeAlias = tuple[int, int, int, int]
"""Where a line begins and ends: x, y, x, y."""

_PLAIN = frozenset({"row", "column", "box", "region", "unit", "anti-knight", "anti-king"})
"""Unit kinds that are not shaded: lines show them, or the shade would cover the whole board."""

STYLE = """
.unidoku{--ink:#1b1b1b;--paper:#ffffff;--line:#9a9a9a;--shade:#dbe7f6;--clash:#f8cfc9;
--found:#1f5fbf;--mark:#6b6b6b}
@media (prefers-color-scheme:dark){.unidoku{--ink:#ececec;--paper:#17191c;--line:#5f646b;
--shade:#24374f;--clash:#6b2a24;--found:#7fb2ff;--mark:#a5a9ae}}
.unidoku rect{fill:var(--paper)} .unidoku .shade{fill:var(--shade)}
.unidoku .clash{fill:var(--clash)} .unidoku .thin{stroke:var(--line);stroke-width:1}
.unidoku .thick{stroke:var(--ink);stroke-width:2.5;stroke-linecap:square}
.unidoku text{font-family:Helvetica,Arial,sans-serif;text-anchor:middle;
dominant-baseline:central} .unidoku .given{fill:var(--ink);font-weight:600}
.unidoku .found{fill:var(--found)} .unidoku .mark{fill:var(--mark)}
"""
"""How the classes of the elements look, light and dark."""


def svg(board: Board, grid: Grid | None = None) -> str:
    """Return the board as one SVG element, light or dark as the reader's system is.

    Thick lines separate boxes and regions; extra units (diagonals, windows, …) are shaded; cells
    that clash are tinted. Givens are bold; with a grid, a solution, the other cells show its
    values, without one their pencil marks, where there are some.
    """
    layout = board.layout
    width = layout.columns * CELL + 2 * MARGIN
    height = layout.rows * CELL + 2 * MARGIN
    label = f"{layout.name} board, {layout.n} values"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="unidoku" role="img" '
        f'aria-label="{escape(label)}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">',
        f"<style>{STYLE}</style>",
        *_squares(board),
        *_lines(layout),
        *_texts(board, grid),
        "</svg>",
    ]
    return "\n".join(parts)


def corner(layout: Layout, cell: int) -> tuple[int, int]:
    """Return x and y of the upper left corner of a cell."""
    row, column = layout.positions[cell]
    return column * CELL + MARGIN, row * CELL + MARGIN


def shaded(layout: Layout) -> frozenset[int]:
    """Return the cells of extra units, unless that is every cell."""
    cells = {cell for unit in layout.units if unit.kind not in _PLAIN for cell in unit.cells}
    return frozenset(cells) if len(cells) < len(layout) else frozenset()


def layout_label(layout: Layout) -> str:
    """Return a layout's name without the region maps that it may hold, and its n."""
    return f"{re.sub(r'jigsaw:[^+]*', 'jigsaw', layout.name)}, n = {layout.n}"


def _squares(board: Board) -> Iterator[str]:
    layout = board.layout
    shade = shaded(layout)
    clashing = {cell for problem in board.problems() for cell in problem.cells}
    for cell in layout.cells:
        x, y = corner(layout, cell)
        kind = "clash" if cell in clashing else "shade" if cell in shade else ""
        yield f'<rect class="{kind}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'


def sides(layout: Layout) -> dict[_Side, str]:
    """Return each side of each cell once, ``thin`` or ``thick``.

    Thin ones come first, so that thick ones are drawn over them.
    """
    areas = [
        frozenset(unit for unit in units if unit.kind in ("box", "region"))
        for units in layout.units_of
    ]
    found: dict[_Side, str] = {}
    for cell, (row, column) in enumerate(layout.positions):
        x, y = corner(layout, cell)
        right, below = x + CELL, y + CELL
        for side, beside in (
            ((x, y, right, y), (row - 1, column)),
            ((x, below, right, below), (row + 1, column)),
            ((x, y, x, below), (row, column - 1)),
            ((right, y, right, below), (row, column + 1)),
        ):
            other = layout.cell_at.get(beside)
            inside = other is not None and areas[other] == areas[cell]
            found[side] = "thin" if inside else "thick"
    return dict(sorted(found.items(), key=lambda item: item[1] == "thick"))


def _lines(layout: Layout) -> Iterator[str]:
    for (x1, y1, x2, y2), kind in sides(layout).items():
        yield f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _texts(board: Board, grid: Grid | None) -> Iterator[str]:
    layout = board.layout
    for cell, mask in enumerate(board.candidates):
        x, y = corner(layout, cell)
        if is_single(mask):
            yield _text("given", x + CELL / 2, y + CELL / 2, 20, value_of(mask))
        elif grid is not None:
            yield _text("found", x + CELL / 2, y + CELL / 2, 20, grid[cell])
        elif mask != all_values(layout.n):
            for value in values_of(mask):
                right, down, size = mark_place(layout.n, value)
                yield _text("mark", x + right, y + down, size * 0.8, value)


def mark_place(n: int, value: int) -> tuple[float, float, float]:
    """Return x and y of the middle of a value's pencil mark in its cell, and the room for it."""
    side = max(1, round(n**0.5 + 0.49))
    size = CELL / side
    down, right = divmod(value - 1, side)
    return (right + 0.5) * size, (down + 0.5) * size, size


def _text(kind: str, x: float, y: float, size: float, value: int) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="{size:g}">{value}</text>'
