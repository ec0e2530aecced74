"""Draws rules along cells: thermometers, arrows and lines, below the lines between cells.

Lines have the colours that setters use. So that they are told apart in grey print too, each kind
has a pattern along its middle, marks at its ends, or both. A small number at the start shows what
these do not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from unidoku.core import rules
from unidoku.core.layout import Layout
from unidoku.core.rules import Rule
from unidoku.draw.strokes import (
    CELL,
    SMALL,
    Drawing,
    Place,
    along,
    circle,
    corner,
    in_corner,
    is_whole,
    middle,
    path,
    square,
    text,
    towards,
)
from unidoku.formats.looks import GREEN, INDEX, ORANGE, looks_of, path_of_pairs

_BULB = 12.0
"""The radius of a circle."""

_END = 3.2
"""Half the size of a mark at the end of a line."""


class Style(NamedTuple):
    """The look of a kind of line.

    Attributes:
        colour: the class of the broad line.
        core: the pattern along its middle; empty for none.
        end: the mark at both ends: ``square``, ``disc``, ``ring``, ``rim``, or empty for none.
    """

    colour: str
    core: str = ""
    end: str = ""


LINES: Mapping[str, Style] = {
    "german": Style("far", "dashes"),
    "dutch": Style("dutch", "dashes", "square"),
    "whisper": Style("lime", "dashes", "disc"),
    "renban": Style("run", "dots"),
    "palindrome": Style("mirror"),
    "same-sum": Style("same", "dots", "disc"),
    "region-sum": Style("same", "solid"),
    "zipper": Style("zipped", "stitches"),
    "double-arrow": Style("twofold", end="ring"),
    "ambiguous-arrow": Style("either", "paired"),
    "ambiguous-ends": Style("either", "paired", "rim"),
    "nabner": Style("apart", "dots", "square"),
    "modular": Style("modulus", "mixed"),
    "parity": Style("turns", "long", "disc"),
    "entropic": Style("thirds", "mixed", "square"),
    "sum-line": Style("tens", "long"),
    "product-line": Style("times", "stitches", "square"),
    "lunchbox": Style("lunch", "long", "square"),
    "same-values": Style("equal", "solid", "square"),
    "count-distinct": Style("run", "solid", "disc"),
}
"""The look of each kind of line: no two of them are alike in grey."""


def styled(name: str, layout: Layout, line: Sequence[int]) -> Iterator[str]:
    """Yield a line with the look of a kind."""
    style = LINES[name]
    yield along(style.colour, layout, line)
    if style.core:
        yield along(f"core {style.core}", layout, line)
    for cell in dict.fromkeys((line[0], line[-1])) if style.end else ():
        yield _END_MARKS[style.end](middle(layout, cell))


_END_MARKS: Mapping[str, Callable[[tuple[float, float]], str]] = {
    "square": lambda point: square("end", point, 2 * _END),
    "disc": lambda point: circle("end", point, _END),
    "ring": lambda point: circle("twofold-ring", point, _BULB),
    "rim": lambda point: circle("either-ring", point, _BULB),
}


def _thermo(layout: Layout, thermo: rules.Thermo) -> Iterator[str]:
    """Yield a tube with its bulb."""
    yield along("tube", layout, thermo.line)
    yield circle("bulb", middle(layout, thermo.line[0]), _BULB)


def _slow_thermo(layout: Layout, thermo: rules.SlowThermo) -> Iterator[str]:
    """Yield a blue and hollow tube with its bulb."""
    yield along("gentle-tube", layout, thermo.line)
    yield along("slow", layout, thermo.line)
    yield circle("gentle-bulb", middle(layout, thermo.line[0]), _BULB)


def _coloured(name: str, label: Callable[[Any], str] = lambda rule: "") -> Drawing:
    """Return the drawing of a line of a kind, with a text at its start."""

    def draw(layout: Layout, rule: Any) -> Iterator[str]:
        yield from styled(name, layout, rule.line)
        if text := label(rule):
            yield from in_corner(layout, rule.line[0], text)

    return draw


def _whispers(layout: Layout, rule: rules.Whispers) -> Iterator[str]:
    """Yield a green line, an orange one if Dutch, and a number for any other difference."""
    names = {GREEN: "german", ORANGE: "dutch", None: "whisper"}
    name = names[looks_of(layout).whisper(rule)]
    yield from styled(name, layout, rule.line)
    if name == "whisper":
        yield from in_corner(layout, rule.line[0], f"≥{rule.least}")


def _sum_line(layout: Layout, sum_line: rules.SumLine) -> Iterator[str]:
    """Yield a line, closed if it is a loop, and the sum of its parts if that is not always 10."""
    yield from styled("sum-line", layout, (*sum_line.line, *sum_line.line[: sum_line.loop]))
    if sum_line.total != 10 or looks_of(layout).is_numbered(sum_line, "total"):
        yield from in_corner(layout, sum_line.line[0], sum_line.total)


def _own_line(layout: Layout, rule: rules.Line | rules.Pairs) -> Iterator[str]:
    """Yield a thin line of a setter's own, in the colour of its name, with a dot at its start."""
    cells = rule.line if isinstance(rule, rules.Line) else path_of_pairs(rule.pairs)
    colour = looks_of(layout).own_colours.get(rule)
    name = f"own-{colour.word.split()[-1]}" if colour else "own-black"
    yield along(name, layout, cells)
    yield circle(f"{name}-start", middle(layout, cells[0]), 5)


def _pairs(layout: Layout, rule: rules.Pairs) -> Iterator[str]:
    """Yield the line of related pairs, if they follow each other."""
    if rule in looks_of(layout).own_colours:
        yield from _own_line(layout, rule)


def _clone(layout: Layout, clone: rules.Clone) -> Iterator[str]:
    """Yield the shading of cells and of their clones, with letters if others have clones too."""
    shades = looks_of(layout).shades
    shade = shades.get(clone)
    letter = "abcde"[[*shades].index(clone)] if shade and len(shades) > 1 else ""
    for cell in dict.fromkeys((*clone.held, *clone.other)):
        yield square(f"twin-{shade.word if shade else 'grey'}", middle(layout, cell), CELL)
    for cell in (min(clone.held), min(clone.other)) if letter else ():
        x, y = corner(layout, cell)
        yield text(x + CELL - SMALL, y + CELL - SMALL + 1, SMALL, letter, "clue")


def _index(layout: Layout, index: rules.Index) -> Iterator[str]:
    """Yield the tint of cells, and a stroke that goes across the line, or along one of your own."""
    tint = f"index-{INDEX[index.of].word}" if index.of else "indexing"
    for cell in dict.fromkeys(index.held):
        yield square(tint, middle(layout, cell), CELL)
    for cell, line, _ in index.each:
        x, y = middle(layout, cell)
        a, b = {"row": (CELL / 2, 0), "column": (0, CELL / 2)}.get(index.of, (0, 0))
        yield (
            path("core", [(x - a, y - b), (x + a, y + b)])
            if index.of
            else along("core", layout, line)
        )


def _doublers(layout: Layout, rule: rules.Doubler) -> Iterator[str]:
    """Yield the tint of the doublers that are known, and their factor in a corner."""
    for cell in dict.fromkeys(rule.at):
        x, y = corner(layout, cell)
        yield square("doubling", middle(layout, cell), CELL)
        yield text(x + CELL - SMALL, y + CELL - SMALL + 1, SMALL, f"×{rule.factor}", "clue")


def _extreme(layout: Layout, rule: rules.Minimum | rules.Maximum) -> Iterator[str]:
    """Yield a grey cell, with a sign at each side that points to the smaller value."""
    for cell in dict.fromkeys(rule.held):
        yield square("parity", middle(layout, cell), CELL)
    for cell, other in rule.compared:
        start, end = middle(layout, cell), middle(layout, other)
        points = [towards(start, end, CELL / 2 - distance) for distance in (2, 6)]
        tip, back = points if isinstance(rule, rules.Maximum) else points[::-1]
        across = (back[1] - tip[1], tip[0] - back[0])
        wings = [(back[0] + way * across[0], back[1] + way * across[1]) for way in (1, -1)]
        yield path("sign", [wings[0], tip, wings[1]])


def _indexed(layout: Layout, indexed: rules.Indexed) -> Iterator[str]:
    """Yield a tinted index cell, a thin line, and a dot in the cell of the value."""
    for cell in dict.fromkeys(indexed.place):
        yield square("indexing", middle(layout, cell), CELL)
    yield along("core", layout, indexed.line)
    yield circle("indexing", middle(layout, indexed.value[0]), 4)


def _in_each(
    shape: Callable[[str, Place, float], str], kind: str, size: float, key: str = "held"
) -> Drawing:
    """Return the drawing of a circle or a square in each of some cells."""

    def draw(layout: Layout, rule: Rule) -> Iterator[str]:
        for cell in dict.fromkeys(getattr(rule, key)):
            yield shape(kind, middle(layout, cell), size)

    return draw


def _zipper(layout: Layout, zipper: rules.Zipper) -> Iterator[str]:
    """Yield a line with a dot at its centre."""
    line, half = zipper.line, len(zipper.line) // 2
    yield from styled("zipper", layout, line)
    ends = [middle(layout, cell) for cell in line[half - 1 + len(line) % 2 : half + 1]]
    x, y = (sum(axis) / len(ends) for axis in zip(*ends, strict=True))
    yield circle("end", (x, y), _END)


def _modular(layout: Layout, rule: rules.Modular) -> Iterator[str]:
    """Yield a teal line, and its modulus if that is not always 3."""
    yield from styled("modular", layout, rule.line)
    if rule.modulus != 3 or looks_of(layout).is_numbered(rule, "modulus"):
        yield from in_corner(layout, rule.line[0], f"mod {rule.modulus}")


def _ring(layout: Layout, cells: Sequence[int]) -> Iterator[str]:
    """Yield a circle around a cell, or a pill around several."""
    yield along("rim", layout, cells)
    yield along("hollow", layout, cells)


def _arrow(layout: Layout, arrow: rules.Arrow) -> Iterator[str]:
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


def _between(layout: Layout, rule: rules.Between) -> Iterator[str]:
    """Yield a thin line with circles at its ends."""
    yield along("shaft", layout, rule.line)
    for end in (rule.line[0], rule.line[-1]):
        yield from _ring(layout, (end,))


def _lockout(layout: Layout, rule: rules.Lockout) -> Iterator[str]:
    """Yield a thin line with diamonds at its ends, and the least difference if not always 4."""
    yield along("lock-line", layout, rule.line)
    for end in (rule.line[0], rule.line[-1]):
        x, y = middle(layout, end)
        half = _BULB + 1.5
        points = [(x, y - half), (x + half, y), (x, y + half), (x - half, y), (x, y - half)]
        yield path("diamond", points)
    if rule.least != 4 or looks_of(layout).is_numbered(rule, "least"):
        yield from in_corner(layout, rule.line[0], f"≥{rule.least}")


def _both_lines(name: str, key: str) -> Drawing:
    """Return the drawing of two lines of one kind, joined where they meet end to end."""

    def draw(layout: Layout, rule: rules.SameSum | rules.SameMultiset) -> Iterator[str]:
        line: Sequence[int] = getattr(rule, key)
        other: Sequence[int] = rule.other
        if is_whole(layout, line) and is_whole(layout, other):
            return
        for start in (line, line[::-1]):
            for second in (other, other[::-1]):
                if _touch(layout, start[-1], second[0]):
                    yield from styled(name, layout, (*start, *second))
                    return
        yield from styled(name, layout, line)
        yield from styled(name, layout, other)

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


def _distinct(layout: Layout, rule: rules.CountDistinct) -> Iterator[str]:
    """Yield a line through the cells that are counted, and a circle around the number's cell."""
    yield from styled("count-distinct", layout, rule.counted)
    yield from _circles("number")(layout, rule)


def _run(layout: Layout, run: rules.RegionRun) -> Iterator[str]:
    """Yield a circle for the number, and a stroke along the first step of each arm."""
    for first, *others in run.lines:
        if others:
            yield along("tie", layout, (first, others[0]))
    yield from _circles("number")(layout, run)


UNDER: Mapping[str, Drawing] = {
    "thermo": _thermo,
    "whisper": _whispers,
    "renban": _coloured("renban"),
    "palindrome": _coloured("palindrome"),
    "arrow": _arrow,
    "between": _between,
    "lockout": _lockout,
    "lunchbox": _coloured("lunchbox", lambda rule: rule.total),
    "same-sum": _both_lines("same-sum", "summed"),
    "same-values": _both_lines("same-values", "held"),
    "indexed": _indexed,
    "line": _own_line,
    "pairs": _pairs,
    "sum-line": _sum_line,
    "counting-circles": _in_each(circle, "counted", _BULB + 1, "circles"),
    "count-distinct": _distinct,
    "region-count": _circles("number"),
    "region-run": _run,
    "slow-thermo": _slow_thermo,
    "nabner": _coloured("nabner"),
    "modular": _modular,
    "entropic": _coloured("entropic"),
    "parity": _coloured("parity"),
    "region-sum": _coloured("region-sum"),
    "zipper": _zipper,
    "double-arrow": _coloured("double-arrow"),
    "ambiguous-arrow": lambda layout, arrow: styled(
        "ambiguous-ends" if arrow.ends else arrow.kind, layout, arrow.line
    ),
    "product-line": _coloured("product-line", lambda rule: f"{rule.total}×"),
    "odd": _in_each(circle, "parity", CELL * 0.36),
    "even": _in_each(square, "parity", CELL - 10),
    "clone": _clone,
    "doubler": _doublers,
    "index": _index,
    "minimum": _extreme,
    "maximum": _extreme,
}
"""The drawing of each kind of rule below the lines between cells."""
