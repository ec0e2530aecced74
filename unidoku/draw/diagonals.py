"""Little killers: the sum of a diagonal is outside the grid, with an arrow along it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from unidoku.core.layout import Layout, Position
from unidoku.core.rules import Rule, SumOfCells
from unidoku.draw.place import CELL, corner, text
from unidoku.draw.strokes import Place, path, towards

Side: TypeAlias = Literal["left", "right", "top", "bottom"]

RING = 26
"""The space that these clues take around the grid."""

_SIZE = 12

_AWAY = (CELL / 2, 16.0)
"""From the arrow's corner to the middle of its number: along the side, and outwards."""


@dataclass(frozen=True, slots=True)
class Diagonal:
    """A clue of a diagonal.

    Args:
        total: the sum, as text.
        first: the position of the first cell.
        step: from each cell to the next, 1 or -1 down and to the right.
        sides: the side where the clue is drawn; at a corner of the grid, the adjacent side too.
    """

    total: int
    first: Position
    step: Position
    sides: tuple[Side, ...]

    def drawn(self, layout: Layout) -> Iterator[str]:
        """Yield the number, and the arrow to the corner of the first cell."""
        down, right = self.step
        x, y = corner(layout, layout.cell_at[self.first])
        tip = (x + CELL * (right < 0), y + CELL * (down < 0))
        along, out = _AWAY if self.sides[0] in ("top", "bottom") else reversed(_AWAY)
        middle = (tip[0] - along * right, tip[1] - out * down)
        yield text(*middle, _SIZE, self.total, "clue")
        end = towards(tip, middle, 1.5)
        yield path("pointer", [towards(tip, middle, 12), end])
        yield path("pointer", [_beside(end, down, 0), end, _beside(end, 0, right)])


def _beside(place: Place, down: int, right: int) -> Place:
    return place[0] - 4.5 * right, place[1] - 4.5 * down


def diagonals(layout: Layout, rules: Sequence[Rule]) -> dict[Rule, Diagonal]:
    """Return the clue for each sum of a diagonal that runs from side to side."""
    found: dict[Rule, Diagonal] = {}
    for rule in rules:
        if not isinstance(rule, SumOfCells) or len(rule.summed) < 2:
            continue
        places = [layout.positions[cell] for cell in rule.summed]
        step, *others = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places)}
        if others or step not in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            continue
        sides = _sides(layout, places[0], step)
        if sides and (places[-1][0] + step[0], places[-1][1] + step[1]) not in layout.cell_at:
            found[rule] = Diagonal(rule.total, places[0], step, sides)
    return found


def _sides(layout: Layout, first: Position, step: Position) -> tuple[Side, ...]:
    """Return the sides of the grid beyond which the position before the first cell is."""
    row, column = first[0] - step[0], first[1] - step[1]
    beyond: dict[Side, bool] = {
        "top": row < 0,
        "bottom": row >= layout.rows,
        "left": column < 0,
        "right": column >= layout.columns,
    }
    return tuple(side for side, is_beyond in beyond.items() if is_beyond)
