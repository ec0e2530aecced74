"""The shapes of a picture: areas, outlines, marked candidates and links, as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from unidoku.core.layout import Layout
from unidoku.draw.board import mark_place, mark_size
from unidoku.draw.strokes import CELL, MARGIN, corner, text
from unidoku.draw.strokes import number as _n
from unidoku.logic import Candidate

VALUE_SIZE = 22
"""The size of a placed value."""


def disc(layout: Layout, candidate: Candidate) -> str:
    """Return a candidate of a step's pattern: its value in a disc."""
    x, y, size = place(layout, candidate)
    disc = f'<circle class="pattern" cx="{_n(x)}" cy="{_n(y)}" r="{_n(size * 0.48)}"/>'
    return disc + _on(layout, candidate, "on")


def diamond(layout: Layout, candidate: Candidate) -> str:
    """Return a candidate that is a fin of a fish: its value in a diamond."""
    x, y, size = place(layout, candidate)
    r = size * 0.6
    points = f"M{_n(x)} {_n(y - r)}l{_n(r)} {_n(r)}l{_n(-r)} {_n(r)}l{_n(-r)} {_n(-r)}z"
    return f'<path class="fin" d="{points}"/>' + _on(layout, candidate, "on")


def struck(layout: Layout, candidate: Candidate, *, marked: bool) -> str:
    """Return a removed candidate; only the stroke if it is marked already."""
    x, y, size = place(layout, candidate)
    r = size * 0.45
    left, top, side = _n(x - r), _n(y - r), _n(2 * r)
    line = f"M{left} {_n(y + r)}l{side} -{side}"
    if marked:
        return f'<path class="strike on-strike" d="{line}"/>'
    square = f'<rect class="gone" x="{left}" y="{top}" width="{side}" height="{side}" rx="1.5"/>'
    return square + _on(layout, candidate, "left") + f'<path class="strike" d="{line}"/>'


def ringed(layout: Layout, candidate: Candidate) -> str:
    """Return a candidate that a step places: its value in a circle, in a framed cell."""
    x, y, size = place(layout, candidate)
    frame = framed(layout, candidate[0])
    ring = f'<circle class="ring" cx="{_n(x)}" cy="{_n(y)}" r="{_n(size * 0.48)}"/>'
    return frame + ring + _on(layout, candidate, "placed")


def framed(layout: Layout, cell: int) -> str:
    """Return a frame in a cell."""
    left, top = corner(layout, cell)
    side = CELL - 4
    return f'<rect class="ring" x="{left + 2}" y="{top + 2}" width="{side}" height="{side}"/>'


def _on(layout: Layout, candidate: Candidate, kind: str) -> str:
    x, y, _ = place(layout, candidate)
    return text(x, y, candidate_size(layout), layout.shown[candidate[1]], kind)


def link(layout: Layout, start: Candidate, end: Candidate, *, strong: bool) -> str:
    """Return an arrow that bends to one side, so that two in a line do not overlap."""
    x1, y1, size = place(layout, start)
    x2, y2, _ = place(layout, end)
    away = complex(x2 - x1, y2 - y1)
    length = abs(away)
    if not length:
        return ""
    along = away / length
    middle, bend = complex(x1, y1) + away / 2, along * 1j * min(0.16 * length, CELL)
    control = middle + bend if _inside(layout, middle + bend) else middle - bend
    edge = min(size * 0.5, length * 0.36)
    into = complex(x2, y2) - control
    into /= abs(into)
    out = control - complex(x1, y1)
    begin = complex(x1, y1) + edge * out / abs(out)
    tip = complex(x2, y2) - edge * into
    head = min(size * 0.36, length * 0.3)
    foot = tip - head * into
    wing = into * 1j * head * 0.55
    curve = f"M{_at(begin)}Q{_at(control)} {_at(foot)}"
    arrow = f"M{_at(tip)}L{_at(foot + wing)}L{_at(foot - wing)}z"
    kind = "link" if strong else "link weak"
    return f'<path class="{kind}" d="{curve}"/><path class="head" d="{arrow}"/>'


def _inside(layout: Layout, point: complex) -> bool:
    return 0 < point.real < layout.columns * CELL and 0 < point.imag < layout.rows * CELL


def area(layout: Layout, cells: Iterable[int]) -> str:
    """Return a path of squares; adjacent ones are merged."""
    drawn = []
    for row, begin, end in _runs(layout, cells):
        x, y = begin * CELL + MARGIN, row * CELL + MARGIN
        width = (end - begin) * CELL
        drawn.append(f"M{x} {y}h{width}v{CELL}h-{width}z")
    return "".join(drawn)


def _runs(layout: Layout, cells: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """Yield the row, the first column and the end column of each run of adjacent cells."""
    positions = sorted(layout.positions[cell] for cell in cells)
    numbered = enumerate(positions)
    for (row, _), run in groupby(numbered, key=lambda item: (item[1][0], item[1][1] - item[0])):
        columns = [position[1] for _, position in run]
        yield row, columns[0], columns[-1] + 1


def outline(layout: Layout, cells: Iterable[int], kind: str, inset: float) -> str:
    """Return the sides that cells do not share, moved inwards."""
    inside = {layout.positions[cell] for cell in cells}
    drawn = []
    for row, column in sorted(inside):
        x, y = column * CELL + MARGIN, row * CELL + MARGIN
        near, far = inset, CELL - inset
        # A side ends inset only where the next one begins in the same cell.
        left = near if (row, column - 1) not in inside else 0
        right = far if (row, column + 1) not in inside else CELL
        top = near if (row - 1, column) not in inside else 0
        bottom = far if (row + 1, column) not in inside else CELL
        if top:
            drawn.append(f"M{_n(x + left)} {_n(y + near)}h{_n(right - left)}")
        if bottom != CELL:
            drawn.append(f"M{_n(x + left)} {_n(y + far)}h{_n(right - left)}")
        if left:
            drawn.append(f"M{_n(x + near)} {_n(y + top)}v{_n(bottom - top)}")
        if right != CELL:
            drawn.append(f"M{_n(x + far)} {_n(y + top)}v{_n(bottom - top)}")
    return f'<path class="{kind}" d="{"".join(drawn)}"/>'


def place(layout: Layout, candidate: Candidate) -> tuple[float, float, float]:
    """Return the middle of a candidate, and the size of its place."""
    cell, value = candidate
    x, y = corner(layout, cell)
    right, down, size = mark_place(layout, value)
    return x + right, y + down, size


def candidate_size(layout: Layout) -> float:
    """Return the size of candidates."""
    return round(mark_size(layout, place(layout, (0, 1))[2]), 1)


def _at(point: complex) -> str:
    return f"{_n(point.real)} {_n(point.imag)}"
