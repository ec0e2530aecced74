"""Draws rules in the usual way: a table from kinds of rules to drawings.

Thermometers, arrows and lines are drawn below the lines between cells, by ``paths``; cages, dots
and signs are drawn above them. A rule that holds between all cells without a mark has no drawing. A
rule of a class that is not in the table is not drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from unidoku.core import rules
from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import Layout
from unidoku.core.rules import Rule
from unidoku.core.rules.base import KINDS
from unidoku.draw.outside import CLUES, clue_words
from unidoku.draw.paths import UNDER
from unidoku.draw.strokes import (
    CELL,
    MARGIN,
    SMALL,
    TOTAL,
    Drawing,
    Place,
    along,
    circle,
    corner,
    in_corner,
    is_whole,
    middle,
    outline,
    path,
    shown_rules,
    text,
    towards,
)
from unidoku.formats.grid_parts import parts_of
from unidoku.formats.looks import looks_of

_DOT = 4.5
"""The radius of a dot."""


_TINTS = frozenset({"indexed", "index", "clone", "odd", "even", "minimum", "maximum", "doubler"})
"""The kinds that are drawn first, below all lines."""

_ENDED = frozenset(
    (
        "ambiguous-arrow",
        "arrow",
        "between",
        "double-arrow",
        "lockout",
        "counting-circles",
        "region-count",
        "region-run",
    )
)
"""The kinds that are drawn last, because their ends lie on lines."""


def under(layout: Layout) -> Iterator[str]:
    """Yield the parts of rules that lie below the lines between cells."""
    layout = looks_of(layout).layout
    for ends in diagonal_lines(layout):
        yield path("slant", ends)
    rules = shown_rules(layout)
    order = sorted(rules, key=lambda rule: (rule.kind in _ENDED) - (rule.kind in _TINTS))
    yield from _drawn(layout, order, UNDER)


def diagonal_lines(layout: Layout) -> Iterator[tuple[Place, Place]]:
    """Yield the ends of the lines along those diagonals of the whole grid that are units."""
    parts = parts_of(layout)
    right, bottom = layout.columns * CELL + MARGIN, layout.rows * CELL + MARGIN
    if parts and parts.falling:
        yield (MARGIN, MARGIN), (right, bottom)
    if parts and parts.rising:
        yield (MARGIN, bottom), (right, MARGIN)


def over(layout: Layout, *, without: Collection[Rule] = ()) -> Iterator[str]:
    """Yield the parts of rules above the lines between cells, except for some rules."""
    layout = looks_of(layout).layout
    rules = [rule for rule in shown_rules(layout) if rule not in without]
    return _drawn(layout, rules, OVER)


def _drawn(layout: Layout, rules: Iterable[Rule], table: Mapping[str, Drawing]) -> Iterator[str]:
    for rule in rules:
        if KINDS.get(rule.kind) is type(rule) and rule.kind in table:
            yield from table[rule.kind](layout, rule)


def _cage(layout: Layout, cells: Collection[int]) -> str:
    """Return a dashed line around some cells."""
    return f'<path class="cage" d="{outline(layout, sorted(set(cells)))}"/>'


def _killer(layout: Layout, cage: rules.Killer) -> Iterator[str]:
    """Yield a dashed line around the cells, and the total in the first of them."""
    cells = sorted(set(cage.cage))
    yield _cage(layout, cells)
    if cage.total is not None:
        # In Kakuro two runs may begin in one cell: the column's total is then on its right.
        first = [
            rule
            for rule in shown_rules(layout)
            if isinstance(rule, rules.Killer) and min(rule.cage) == cells[0]
        ]
        in_column = len({layout.positions[cell][1] for cell in cells}) == 1
        right = len(first) > 1 and in_column
        yield from in_corner(layout, cells[0], cage.total, right=right)


def _sum(layout: Layout, rule: rules.SumOfCells) -> Iterator[str]:
    """Yield a dotted line through the cells, and the total in the first of them."""
    if not is_whole(layout, rule.summed):
        yield along("way", layout, rule.summed)
        yield from in_corner(layout, rule.summed[0], rule.total)


def _labelled(template: str) -> Drawing:
    """Return the drawing of a cage with a text, in which a star stands for its total."""

    def draw(
        layout: Layout, cage: rules.Product | rules.Rellik | rules.EqualityCage
    ) -> Iterator[str]:
        yield _cage(layout, cage.cage)
        label = template.replace("*", str(getattr(cage, "total", "")))
        yield from in_corner(layout, min(cage.cage), label)

    return draw


def _kenken(layout: Layout, rule: rules.KenKen) -> Iterator[str]:
    """Yield a cage with its number and the sign of its operation."""
    yield from _labelled(f"*{_SIGNS[rule.by]}" if len(rule.cage) > 1 else "*")(layout, rule)


_SIGNS = {"+": "+", "-": "\u2212", "*": "×", "/": "÷"}


def _weighted(layout: Layout, weighted_sum: rules.WeightedSum) -> Iterator[str]:
    """Yield a dotted line through the cells, their sum, and the weight of each cell."""
    yield along("way", layout, weighted_sum.summed)
    label = {"=": "", "<=": "≤", ">=": "≥", "!=": "≠"}[weighted_sum.sign] + str(weighted_sum.total)
    yield from in_corner(layout, weighted_sum.summed[0], label)
    for cell, weight in zip(weighted_sum.summed, weighted_sum.weights, strict=True):
        if weight != 1:
            x, y = corner(layout, cell)
            times = ("\u2212" if weight < 0 else "") + (
                f"{abs(weight)}×" if abs(weight) > 1 else ""
            )
            yield text(x + CELL - SMALL, y + CELL - SMALL, SMALL, times, "clue")


def _between(layout: Layout, pair: Pair) -> tuple[Place, list[str]]:
    """Return the place between two cells, and a line between them if they do not touch."""
    (row, column), (below, other_column) = layout.positions[pair[0]], layout.positions[pair[1]]
    start, end = middle(layout, pair[0]), middle(layout, pair[1])
    apart = abs(row - below) + abs(column - other_column) > 1
    link = [path("tie", [start, end])] if apart else []
    return ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), link


def _dots(kind: str, usual: int, key: str) -> Drawing:
    """Return the drawing of dots, with a number in a dot whose value is not the usual one."""

    def draw(layout: Layout, marked: rules.DiffersBy | rules.Ratio) -> Iterator[str]:
        value: int = getattr(marked, key)
        for pair in () if marked.never else marked.pairs:
            centre, link = _between(layout, pair)
            yield from link
            yield circle(kind, centre, _DOT if value == usual else _DOT + 1.5)
            if value != usual:
                yield text(*centre, TOTAL, value, f"on-{kind}")

    return draw


def _letters(layout: Layout, marked: rules.PairSum) -> Iterator[str]:
    """Yield an X for 10, a V for 5, and any other sum as a number."""
    for pair in () if marked.never else marked.pairs:
        centre, link = _between(layout, pair)
        yield from link
        yield circle("back", centre, _DOT + 1)
        yield text(*centre, TOTAL + 1, {10: "X", 5: "V"}.get(marked.total, marked.total), "clue")


def _signs(layout: Layout, rule: rules.Greater) -> Iterator[str]:
    """Yield signs whose open side is towards the greater value."""
    for greater, less in rule.pairs:
        centre, link = _between(layout, (greater, less))
        yield from link
        yield circle("back", centre, _DOT + 1)
        tip = towards(centre, middle(layout, less), 3)
        back = towards(centre, middle(layout, greater), 3)
        across = (tip[1] - centre[1], centre[0] - tip[0])
        yield path(
            "sign",
            [
                (back[0] + 1.4 * across[0], back[1] + 1.4 * across[1]),
                tip,
                (back[0] - 1.4 * across[0], back[1] - 1.4 * across[1]),
            ],
        )


def _outside(layout: Layout, rule: rules.Sandwich) -> Iterator[str]:
    """Yield a clue at the side of its first cell."""
    line = rule.line
    first = middle(layout, line[0])
    way = towards(first, middle(layout, line[1 % len(line)]), CELL / 2 - TOTAL / 2 - 1)
    centre = (2 * first[0] - way[0], 2 * first[1] - way[1])
    yield text(*centre, TOTAL, " ".join(clue_words(rule)), "clue")


def _dot(layout: Layout, rule: rules.Hits) -> Iterator[str]:
    """Yield a dot in the middle of the cells; a rule about all squares has a text instead."""
    fours = [other for other in layout.rules if isinstance(other, rules.Hits)]
    if sum(len(other.held) == 4 for other in fours) >= (layout.rows - 1) * (layout.columns - 1):
        return
    places = [middle(layout, cell) for cell in rule.held]
    centre = (sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places))
    yield circle("black", centre, 2)


def _contents(layout: Layout, contains: rules.Contains) -> Iterator[str]:
    """Yield the values in a circle between the cells, in two lines if many; otherwise in a cage."""
    if is_whole(layout, contains.held):
        return
    places = [middle(layout, cell) for cell in contains.held]
    if any(max(abs(x - v), abs(y - w)) > CELL for x, y in places for v, w in places):
        yield _cage(layout, contains.held)
        yield from in_corner(layout, min(contains.held), " ".join(map(str, contains.wanted)))
        return
    x, y = (sum(centre[axis] for centre in places) / len(places) for axis in (0, 1))
    half = (len(contains.wanted) + 1) // 2 if len(contains.wanted) > 2 else 2
    lines = [contains.wanted[:half], contains.wanted[half:]]
    longest = max(len(" ".join(map(str, line))) for line in lines)
    yield circle("white", (x, y), max(7.0, 0.3 * TOTAL * longest + 2))
    for line, up in zip(lines, (-1, 1) if lines[1] else (0, 0), strict=True):
        if line:
            yield text(x, y + up * TOTAL * 0.42, TOTAL - 1, " ".join(map(str, line)), "on-white")


def _links(layout: Layout, rule: rules.Pairs) -> Iterator[str]:
    """Yield a line between the cells of each pair, with a dot in the middle.

    Nothing is yielded for pairs with another picture, and for a rule about the whole grid.
    """
    looks = looks_of(layout)
    if rule in looks.pictured or looks.is_everywhere(rule):
        return
    for pair in rule.pairs:
        centre, _ = _between(layout, pair)
        ends = [towards(centre, middle(layout, cell), CELL / 4) for cell in pair]
        yield path("tie", ends)
        yield circle("black", centre, 1.5)


def _values(layout: Layout, holds: rules.Holds) -> Iterator[str]:
    """Yield the values at the lower side of each cell."""
    for cell in dict.fromkeys(holds.held):
        x, y = corner(layout, cell)
        words = " ".join(map(str, holds.values))
        yield text(x + CELL / 2, y + CELL - SMALL / 2 - 2, SMALL, words, "clue")


def _either(layout: Layout, either: rules.AnyOf) -> Iterator[str]:
    """Yield the drawings of all branches in one place, and a sign that any of them may hold."""
    cages = [inner for inner in either.rules if isinstance(inner, rules.Killer)]
    if len({frozenset(inner.cage) for inner in cages}) == 1 and [(cage,) for cage in cages] == [
        *either.branches
    ]:  # one cage with several totals
        yield _cage(layout, cages[0].cage)
        totals = "/".join(str(inner.total) for inner in cages if inner.total is not None)
        yield from in_corner(layout, min(cages[0].cage), totals)
        return
    for table in (UNDER, OVER):
        yield from _drawn(layout, either.rules, table)
    if either.cells:
        x, y = corner(layout, min(either.cells))
        yield text(x + CELL - TOTAL, y + CELL - SMALL, SMALL, "or", "clue")


def _parted(key: str) -> Drawing:
    """Return the drawing of a line around some cells; of nothing if they are all there are."""

    def draw(layout: Layout, rule: Rule) -> Iterator[str]:
        cells = sorted(cell for cell in set(getattr(rule, key)) if cell < len(layout))
        if cells != [*layout.cells]:
            yield _cage(layout, cells)

    return draw


def _nothing(layout: Layout, rule: Rule) -> Iterator[str]:
    """Yield nothing: a rule about all neighbours is described in words, not drawn."""
    return iter(())


OVER: Mapping[str, Drawing] = {
    "killer": _killer,
    "sum": _sum,
    "difference": _dots("white", 1, "by"),
    "ratio": _dots("black", 2, "times"),
    "pair-sum": _letters,
    "greater": _signs,
    "pairs": _links,
    "non-consecutive": _nothing,
    "taxicab": _nothing,
    "no-three-equal": _nothing,
    "lines-differ": _nothing,
    "hits": _dot,
    "differ-where": _nothing,
    "flatmates": _nothing,
    "connected": _parted("held"),
    "chaos-construction": _parted("held"),
    "product": _labelled("*×"),
    "kenken": _kenken,
    "rellik": _labelled("≠*"),
    "equality-cage": _labelled("="),
    "weighted-sum": _weighted,
    "contains": _contents,
    "holds": _values,
    "any-of": _either,
    **dict.fromkeys(CLUES, _outside),
}
"""The drawing of each kind of rule above the lines between cells."""
