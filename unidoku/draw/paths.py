"""Draws rules along cells: thermometers, arrows and lines, below the lines between cells.

Lines have the colours that setters use: whispers are green, renban violet, palindromes grey, lines
of one sum blue, lines of tens orange. A small number at the start shows what the colour does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from unidoku.core.layout import Layout
from unidoku.core.rules import (
    Arrow,
    Between,
    CountDistinct,
    Holds,
    Indexed,
    Lockout,
    Palindrome,
    RegionRun,
    Renban,
    Rule,
    SameMultiset,
    SameSum,
    SumLine,
    Thermo,
    Whispers,
)
from unidoku.draw.cages import Drawing, in_corner, is_whole
from unidoku.draw.strokes import CELL, along, circle, corner, middle, path

_BULB = 12.0
"""The radius of a circle."""


def _thermo(layout: Layout, thermo: Thermo) -> Iterator[str]:
    """Yield a tube with its bulb; a slow thermometer is hollow."""
    line = thermo.line
    yield along("tube", layout, line)
    if thermo.slow:
        yield along("slow", layout, line)
    yield circle("bulb", middle(layout, line[0]), _BULB)


def _coloured(kind: str, label: Callable[[Any], str] = lambda rule: "") -> Drawing:
    """Return the drawing of a coloured line, with a text at its start."""

    def draw(layout: Layout, rule: Whispers | Renban | Palindrome) -> Iterator[str]:
        line = rule.line
        yield along(kind, layout, line)
        if text := label(rule):
            yield from in_corner(layout, line[0], text)

    return draw


def _least(usual: int) -> Callable[[Whispers | Lockout], str]:
    """Return a function for the text of a line whose least difference is not the usual one."""
    return lambda rule: "" if rule.least == usual else f"≥{rule.least}"


def _tens(layout: Layout, sum_line: SumLine) -> Iterator[str]:
    """Yield a line, closed if it is a loop, and the sum of its parts if that is not 10."""
    yield along("tens", layout, (*sum_line.line, *sum_line.line[: sum_line.loop]))
    if sum_line.total != 10:
        yield from in_corner(layout, sum_line.line[0], sum_line.total)


def _indexed(layout: Layout, indexed: Indexed) -> Iterator[str]:
    """Yield a tinted index cell, a thin line, and a dot in the cell of the value."""
    (index_cell,), (value,) = indexed.place, indexed.value
    x, y = corner(layout, index_cell)
    yield f'<rect class="indexing" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'
    yield along("index", layout, indexed.line)
    yield circle("indexing", middle(layout, value), 4)


def parity_of(layout: Layout, rule: Holds) -> int | None:
    """Return 1 if a rule makes cells odd, 0 if even, None if it is another rule."""
    shown = range(layout.first_value, layout.first_value + layout.n)
    for parity in (0, 1):
        if set(rule.values) & set(shown) == {value for value in shown if value % 2 == parity}:
            return parity if layout.n > 2 else None
    return None


def _parity_marks(layout: Layout, holds: Holds) -> Iterator[str]:
    """Yield a grey circle in each odd cell, and a grey square in each even one."""
    parity = parity_of(layout, holds)
    for cell in () if parity is None else dict.fromkeys(holds.held):
        x, y = corner(layout, cell)
        if parity:
            yield circle("parity", middle(layout, cell), CELL * 0.36)
        else:
            box = f'x="{x + 5}" y="{y + 5}" width="{CELL - 10}" height="{CELL - 10}"'
            yield f'<rect class="parity" {box}/>'


def _ring(layout: Layout, cells: Sequence[int]) -> Iterator[str]:
    """Yield a circle around a cell, or a pill around several."""
    yield along("rim", layout, cells)
    yield along("hollow", layout, cells)


def _arrow(layout: Layout, arrow: Arrow) -> Iterator[str]:
    """Yield a circle or a pill, the shaft from its edge, and the head."""
    places = [middle(layout, cell) for cell in (arrow.circle[-1], *arrow.shaft)]
    yield path("shaft", places)
    if len(places) > 1:
        before, tip = places[-2:]
        angle = math.atan2(before[1] - tip[1], before[0] - tip[0])
        wings = [
            (tip[0] + 7 * math.cos(angle + turn), tip[1] + 7 * math.sin(angle + turn))
            for turn in (-0.6, 0.6)
        ]
        yield path("shaft", [wings[0], tip, wings[1]])
    yield from _ring(layout, arrow.circle)


def _ends(kind: str, label: Callable[[Any], str] = lambda rule: "") -> Drawing:
    """Return the drawing of a coloured line with circles at its ends."""

    def draw(layout: Layout, rule: Between | Lockout) -> Iterator[str]:
        line = rule.line
        yield along(kind, layout, line)
        for end in (line[0], line[-1]):
            yield from _ring(layout, (end,))
        if text := label(rule):
            yield from in_corner(layout, line[0], text)

    return draw


def _both_lines(key: str) -> Drawing:
    """Return the drawing of two lines of one colour, joined where they meet end to end."""

    def draw(layout: Layout, rule: SameSum | SameMultiset) -> Iterator[str]:
        line: Sequence[int] = getattr(rule, key)
        other: Sequence[int] = rule.other
        if is_whole(layout, line) and is_whole(layout, other):
            return
        for start in (line, line[::-1]):
            for two in (other, other[::-1]):
                if _touch(layout, start[-1], two[0]):
                    yield along("same", layout, (*start, *two))
                    return
        yield along("same", layout, line)
        yield along("same", layout, other)

    return draw


def _touch(layout: Layout, cell: int, other: int) -> bool:
    """Return whether two cells meet at a side or a corner."""
    (row, column), (below, other_column) = layout.positions[cell], layout.positions[other]
    return max(abs(row - below), abs(column - other_column)) == 1


def _circles(key: str) -> Drawing:
    """Return the drawing of a circle in each of some cells."""

    def draw(layout: Layout, rule: Rule) -> Iterator[str]:
        for cell in getattr(rule, key):
            yield from _ring(layout, (cell,))

    return draw


def _distinct(layout: Layout, rule: CountDistinct) -> Iterator[str]:
    """Yield a line through the cells that are counted, and a circle around the number's cell."""
    yield along("run", layout, rule.counted)
    yield from _circles("number")(layout, rule)


def _run(layout: Layout, run: RegionRun) -> Iterator[str]:
    """Yield a circle for the number, and a stroke along the first step of each arm."""
    for first, *others in run.lines:
        if others:
            yield along("tie", layout, (first, others[0]))
    yield from _circles("number")(layout, run)


UNDER: Mapping[str, Drawing] = MappingProxyType(
    {
        "thermo": _thermo,
        "whisper": _coloured("far", _least(5)),
        "renban": _coloured("run"),
        "palindrome": _coloured("mirror"),
        "arrow": _arrow,
        "between": _ends("mirror"),
        "lockout": _ends("lock", _least(4)),
        "same-sum": _both_lines("summed"),
        "same-values": _both_lines("held"),
        "indexed": _indexed,
        "line": _coloured("own"),
        "sum-line": _tens,
        "counting-circles": _circles("circles"),
        "count-distinct": _distinct,
        "region-count": _circles("number"),
        "region-run": _run,
        "holds": _parity_marks,
    }
)
"""The drawing of each kind of rule below the lines between cells."""
