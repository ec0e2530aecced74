"""Boards as SVG, for notebooks and pages."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from unidoku.core.bits import all_values, is_single, value_of, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout

__all__ = ["svg"]

_CELL = 36
_MARGIN = 3
_PLAIN = frozenset({"row", "column", "box", "region", "unit", "anti-knight", "anti-king"})
"""Unit kinds that are not shaded: lines show them, or they would cover the whole board."""

_STYLE = """
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


def svg(board: Board, grid: Grid | None = None) -> str:
    """Return the board as one SVG element, light or dark as the reader's system is.

    Thick lines part boxes and regions; extra units (diagonals, windows, …) are shaded; cells
    that clash are tinted. Givens are bold; with a grid, the other cells show its values.

    Args:
        board: the puzzle.
        grid: a solution to show; without one, pencil marks are drawn where there are some.
    """
    layout = board.layout
    width = layout.columns * _CELL + 2 * _MARGIN
    height = layout.rows * _CELL + 2 * _MARGIN
    label = f"{layout.name} board, {layout.n} values"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="unidoku" role="img" '
        f'aria-label="{escape(label)}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">',
        f"<style>{_STYLE}</style>",
        *_squares(board),
        *_lines(layout),
        *_texts(board, grid),
        "</svg>",
    ]
    return "\n".join(parts)


def _corner(layout: Layout, cell: int) -> tuple[int, int]:
    row, column = layout.positions[cell]
    return column * _CELL + _MARGIN, row * _CELL + _MARGIN


def _squares(board: Board) -> Iterator[str]:
    layout = board.layout
    shaded = {cell for unit in layout.units if unit.kind not in _PLAIN for cell in unit.cells}
    if len(shaded) == len(layout):
        shaded = set()
    clashing = {cell for problem in board.problems() for cell in problem.cells}
    for cell in layout.cells:
        x, y = _corner(layout, cell)
        kind = "clash" if cell in clashing else "shade" if cell in shaded else ""
        yield f'<rect class="{kind}" x="{x}" y="{y}" width="{_CELL}" height="{_CELL}"/>'


def _lines(layout: Layout) -> Iterator[str]:
    """Yield each side of each cell once, thin lines first so that thick ones cover them."""
    areas = [
        frozenset(unit for unit in units if unit.kind in ("box", "region"))
        for units in layout.units_of
    ]
    sides: dict[tuple[int, int, int, int], str] = {}
    for cell, (row, column) in enumerate(layout.positions):
        x, y = _corner(layout, cell)
        right, below = x + _CELL, y + _CELL
        for side, beside in (
            ((x, y, right, y), (row - 1, column)),
            ((x, below, right, below), (row + 1, column)),
            ((x, y, x, below), (row, column - 1)),
            ((right, y, right, below), (row, column + 1)),
        ):
            other = layout.cell_at.get(beside)
            inside = other is not None and areas[other] == areas[cell]
            sides[side] = "thin" if inside else "thick"
    for (x1, y1, x2, y2), kind in sorted(sides.items(), key=lambda item: item[1] == "thick"):
        yield f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _texts(board: Board, grid: Grid | None) -> Iterator[str]:
    layout = board.layout
    for cell, mask in enumerate(board.candidates):
        x, y = _corner(layout, cell)
        if is_single(mask):
            yield _text("given", x + _CELL / 2, y + _CELL / 2, 20, value_of(mask))
        elif grid is not None:
            yield _text("found", x + _CELL / 2, y + _CELL / 2, 20, grid[cell])
        elif mask != all_values(layout.n):
            side = max(1, round(layout.n**0.5 + 0.49))
            step = _CELL / side
            for value in values_of(mask):
                down, right = divmod(value - 1, side)
                yield _text(
                    "mark", x + (right + 0.5) * step, y + (down + 0.5) * step, step * 0.8, value
                )


def _text(kind: str, x: float, y: float, size: float, value: int) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="{size:g}">{value}</text>'
