"""Draws cages and sums in the usual way: an outline, and a total in the first cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from unidoku.core import rules
from unidoku.core.layout import Layout
from unidoku.core.rules import Rule
from unidoku.draw.strokes import CELL, along, corner, number, outline, shown_rules, text

Drawing: TypeAlias = Callable[[Layout, Any], Iterator[str]]
"""Draws a rule: returns the parts of a picture."""

TOTAL, SMALL = 8.2, 7
"""The font sizes of a cage's total, and of other small texts."""

STRIP = 8.8
"""The height of the part of a cell in which totals are, above pencil marks."""


def killer(layout: Layout, cage: rules.Killer) -> Iterator[str]:
    """Yield a dashed line around the cells, and the total in the first of them."""
    cells = sorted(set(cage.cage))
    yield f'<path class="cage" d="{outline(layout, cells)}"/>'
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


def in_corner(layout: Layout, cell: int, total: int | str, *, right: bool = False) -> Iterator[str]:
    """Yield a small number in the upper left of a cell, or in its upper right."""
    x, y = corner(layout, cell)
    width = 0.6 * TOTAL * len(str(total)) + 1
    left = x + CELL - 2 - width if right else x + 2
    yield (
        f'<rect class="back" x="{number(left)}" y="{number(y + 2)}" width="{number(width)}" '
        f'height="{number(STRIP - 2)}"/>'
    )
    yield text(left + width / 2, y + 2.2 + TOTAL * 0.36, TOTAL, total, "clue")


def sum_of(layout: Layout, rule: rules.SumOfCells) -> Iterator[str]:
    """Yield a dotted line through the cells, and the total in the first of them."""
    if not is_whole(layout, rule.summed):
        yield along("way", layout, rule.summed)
        yield from in_corner(layout, rule.summed[0], rule.total)


def labelled(template: str) -> Drawing:
    """Return the drawing of a cage with a text, in which a star stands for its total."""

    def draw(
        layout: Layout, cage: rules.Product | rules.Rellik | rules.EqualityCage
    ) -> Iterator[str]:
        yield f'<path class="cage" d="{outline(layout, sorted(set(cage.cage)))}"/>'
        label = template.replace("*", str(getattr(cage, "total", "")))
        yield from in_corner(layout, min(cage.cage), label)

    return draw


def kenken(layout: Layout, rule: rules.KenKen) -> Iterator[str]:
    """Yield a cage with its number and the sign of its operation."""
    yield from labelled(f"*{_SIGNS[rule.by]}" if len(rule.cage) > 1 else "*")(layout, rule)


_SIGNS = {"+": "+", "-": "\u2212", "*": "×", "/": "÷"}


def weighted(layout: Layout, weighted_sum: rules.WeightedSum) -> Iterator[str]:
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


def is_whole(layout: Layout, cells: Sequence[int]) -> bool:
    """Return whether cells are a whole row, column, unit or area, whose rules are not drawn."""
    wanted = set(cells)
    groups = (*layout.areas, *(unit.cells for unit in layout.units))
    return any(wanted == set(group) for group in groups) or any(
        wanted == {cell for cell, position in enumerate(layout.positions) if position[axis] == line}
        for axis in (0, 1)
        for line in {layout.positions[cell][axis] for cell in cells[:1] if cell < len(layout)}
    )


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


def has_totals(several: Iterable[Rule]) -> bool:
    """Return whether rules have cages or numbers in corners of cells."""
    return any(
        has_totals(rule.rules) if isinstance(rule, rules.AnyOf) else rule.kind in _WITH_TOTALS
        for rule in several
    )
