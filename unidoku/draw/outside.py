"""Draws what is around the cells: clues at the sides, little killers, and the totals of Kakuro."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from unidoku.core.layout import Layout, Position
from unidoku.core.rules import AnyOf, Killer, NonogramLine, PairSum, Rule
from unidoku.draw.strokes import CELL, MARGIN, Place, corner, path, shown_rules, text, towards
from unidoku.formats.frame import Side
from unidoku.formats.looks import CLUES as NUMBERS
from unidoku.formats.looks import looks_of, side_of

Box: TypeAlias = tuple[float, float, float, float]
"""The left and upper side of a rectangle, its width and its height."""

_RING = 30
"""The space that these clues take around the grid."""

_DIAGONAL_SIZE = 12

_AWAY = (CELL / 2, 20.0)
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

    def ends(self, layout: Layout) -> tuple[Place, Place]:
        """Return the middle of the number, and the corner of the first cell."""
        down, right = self.step
        x, y = corner(layout, layout.cell_at[self.first])
        tip = (x + CELL * (right < 0), y + CELL * (down < 0))
        along, out = _AWAY if self.sides[0] in ("top", "bottom") else reversed(_AWAY)
        return (tip[0] - along * right, tip[1] - out * down), tip

    def drawn(self, layout: Layout) -> Iterator[str]:
        """Yield the number, and the arrow to the corner of the first cell."""
        down, right = self.step
        middle, tip = self.ends(layout)
        yield text(*middle, _DIAGONAL_SIZE, self.total, "clue")
        end = towards(tip, middle, 1.5)
        yield path("pointer", [towards(tip, middle, 16), end])
        yield path("pointer", [_wing(end, down, 0), end, _wing(end, 0, right)])


def _wing(point: Place, down: int, right: int) -> Place:
    return point[0] - 5 * right, point[1] - 5 * down


def diagonals(layout: Layout) -> dict[Rule, Diagonal]:
    """Return the clue for each sum of a diagonal that runs from side to side."""
    by_rule: dict[Rule, Diagonal] = {}
    for rule, step in looks_of(layout).diagonals.items():
        first = layout.positions[rule.summed[0]]
        sides = _sides(layout, first, step)
        if sides and len(rule.summed) > 1:
            by_rule[rule] = Diagonal(rule.total, first, step, sides)
    return by_rule


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


CLUES: Mapping[str, str] = {kind.kind: field for kind, field in NUMBERS.items()} | {
    "nonogram": "blocks"
}
"""The kinds of rules that are clues along a line, and the fields that the clues show."""

_SIZE = 13
"""Font size of a clue."""

_APART = 5
"""The space between the numbers of a clue, and between the clue and the grid."""


class Room(NamedTuple):
    """The space on each side of the cells."""

    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0


@dataclass(frozen=True)
class Surroundings:
    """Everything that is drawn around cells.

    Args:
        clues: at each side, by row or column from 0, the texts of the clue.
        runs: the totals of Kakuro at positions without cells: of the runs below and to the right.
        diagonals: the clues of little killers.
        drawn: the rules that are drawn by these parts.
    """

    clues: Mapping[tuple[Side, int], Sequence[str]]
    runs: Mapping[Position, tuple[int | None, int | None]]
    diagonals: Sequence[Diagonal]
    drawn: frozenset[Rule]

    def room(self) -> Room:
        """Return the space that they take."""
        margins = dict.fromkeys(("left", "top", "right", "bottom"), 0.0)
        for (side, _), words in self.clues.items():
            wide = side in ("left", "right")
            sizes = [_width(word) if wide else _SIZE for word in words]
            from_grid = self._from_grid(side)
            margins[side] = max(margins[side], sum(sizes) + _APART * len(sizes) + from_grid)
        for side in (side for diagonal in self.diagonals for side in diagonal.sides):
            margins[side] = max(margins[side], _RING)
        for row, column in self.runs:
            margins["top"] = max(margins["top"], CELL * (row < 0))
            margins["left"] = max(margins["left"], CELL * (column < 0))
        return Room(**{side: math.ceil(width) for side, width in margins.items()})

    def _from_grid(self, side: Side) -> float:
        """Return the space between the grid and its clues: less where there are little killers."""
        return _RING if any(diagonal.sides[0] == side for diagonal in self.diagonals) else _APART

    def under(self, layout: Layout) -> Iterator[str]:
        """Yield the parts below the lines between cells: those of Kakuro, outside its cells."""
        if self.runs:
            first = [min(0, *(position[axis] for position in self.runs)) for axis in (0, 1)]
            for row in range(first[0], layout.rows):
                for column in range(first[1], layout.columns):
                    if (row, column) not in layout.cell_at:
                        yield from self._hole(row, column)

    def _hole(self, row: int, column: int) -> Iterator[str]:
        x, y = column * CELL + MARGIN, row * CELL + MARGIN
        yield f'<rect class="hole" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'
        down, right = self.runs.get((row, column), (None, None))
        if down is not None or right is not None:
            yield f'<path class="slash" d="M{x} {y}l{CELL} {CELL}"/>'
        if down is not None:
            yield text(x + 0.3 * CELL, y + 0.74 * CELL, _SIZE - 2, down, "on-hole")
        if right is not None:
            yield text(x + 0.7 * CELL, y + 0.26 * CELL, _SIZE - 2, right, "on-hole")

    def over(self, layout: Layout) -> Iterator[str]:
        """Yield the clues at the sides."""
        end = _ends(layout)
        for (side, line), words in self.clues.items():
            middle = line * CELL + MARGIN + CELL / 2
            away = float(self._from_grid(side))
            outward = _outward(side)
            # The last number of a line that is read from there is nearest to the grid.
            for word in reversed(words) if outward < 0 else words:
                size = _width(word) if side in ("left", "right") else _SIZE
                centre = end[side] + outward * (away + size / 2)
                x, y = (centre, middle) if side in ("left", "right") else (middle, centre)
                yield text(x, y, _SIZE, word, "clue")
                away += size + _APART
        for diagonal in self.diagonals:
            yield from diagonal.drawn(layout)

    def around(self, layout: Layout, rule: Rule) -> Box | None:
        """Return the rectangle around the clue of a rule; None if the rule has none."""
        if diagonal := diagonals(layout).get(rule):
            (x, y), _ = diagonal.ends(layout)
            half = _width(str(diagonal.total)) / 2 + 3
            return x - half, y - _SIZE / 2 - 2, 2 * half, _SIZE + 4
        line = getattr(next(_branches(rule), None), "line", ())
        if not (seen_from := _seen_from(layout, line) if line else None):
            return None
        side, index = seen_from
        is_beside = side in ("left", "right")
        sizes = [_width(word) if is_beside else _SIZE for word in self.clues[seen_from]]
        length = sum(sizes) + _APART * len(sizes) + 1
        near = self._from_grid(side) - 3
        start = _ends(layout)[side] + (near if _outward(side) > 0 else -near - length)
        across = index * CELL + MARGIN + 5
        if is_beside:
            return start, across, length, CELL - 10
        return across, start, CELL - 10, length


def _ends(layout: Layout) -> dict[Side, float]:
    """Return where the grid ends at each side."""
    return {
        "left": MARGIN,
        "top": MARGIN,
        "right": layout.columns * CELL + MARGIN,
        "bottom": layout.rows * CELL + MARGIN,
    }


def _outward(side: Side) -> int:
    return -1 if side in ("left", "top") else 1


def _width(word: str) -> float:
    return 0.6 * _SIZE * len(word)


def surroundings(layout: Layout) -> Surroundings:
    """Return the parts that are drawn around the cells of a layout."""
    clues: defaultdict[tuple[Side, int], list[str]] = defaultdict(list)
    drawn: set[Rule] = set()
    for rule in shown_rules(layout):
        branches = [*_branches(rule)]
        if branches and (seen_from := _seen_from(layout, getattr(branches[0], "line", ()))):
            texts = [clue_words(branch) for branch in branches]
            clues[seen_from] += [f"{word}/" for words in texts[:-1] for word in words] + texts[-1]
            drawn.add(rule)
    runs, cages = _runs(layout)
    slants = diagonals(layout)
    drawn |= cages | slants.keys()
    return Surroundings(clues, runs, tuple(slants.values()), frozenset(drawn))


def _branches(rule: Rule) -> Iterator[Rule]:
    """Yield a clue, or the alternative clues of one line, at least one of which holds."""
    if rule.kind in CLUES:
        yield rule
    elif isinstance(rule, AnyOf):
        first, *others = rule.rules
        clues = [(each.kind, getattr(each, "line", ())) for each in (first, *others)]
        alone = all(len(branch) == 1 for branch in rule.branches)
        if first.kind in CLUES and alone and len(set(clues)) == 1:
            yield from rule.rules


def clue_words(clue: Rule) -> list[str]:
    """Return the numbers of a clue; 0 for a line of a nonogram without blocks."""
    value = getattr(clue, CLUES[clue.kind])
    return [*map(str, (value or (0,)) if isinstance(value, tuple) else (value,))]


def _seen_from(layout: Layout, line: Sequence[int]) -> tuple[Side, int] | None:
    """Return the side from which a line is read, and its row or column; None inside the grid."""
    if (read_from := side_of(layout, line)) is None:
        return None
    first, second = (layout.positions[cell] for cell in line[:2])
    step = second[0] - first[0], second[1] - first[1]
    is_outside = read_from[0] in _sides(layout, first, step)
    return read_from if is_outside and _before(first, step) not in layout.cell_at else None


def _before(position: Position, step: Position) -> Position:
    return position[0] - step[0], position[1] - step[1]


def _runs(
    layout: Layout,
) -> tuple[Mapping[Position, tuple[int | None, int | None]], set[Rule]]:
    """Return the totals of Kakuro and their cages; none if a cage is not a whole run."""
    cages = [rule for rule in shown_rules(layout) if isinstance(rule, Killer)]
    totals: dict[Position, tuple[int | None, int | None]] = {}
    for cage in cages:
        places = [layout.positions[cell] for cell in sorted(cage.cage)]
        step = (1, 0) if len({column for _, column in places}) == 1 else (0, 1)
        row, column = places[0]
        run = [(row + step[0] * k, column + step[1] * k) for k in range(len(places))]
        before, after = _before(run[0], step), (run[-1][0] + step[0], run[-1][1] + step[1])
        ends = before in layout.cell_at or after in layout.cell_at
        if ends or run != places or cage.total is None or len(run) < 2:
            return {}, set()
        down, right = totals.get(before, (None, None))
        totals[before] = (cage.total, right) if step == (1, 0) else (down, cage.total)
    return totals, set(cages)


def filled_value(layout: Layout) -> int | None:
    """Return the value whose cells are filled, if the layout is a nonogram."""
    rules = (rule for rule in shown_rules(layout) if isinstance(rule, NonogramLine))
    filled = next((rule.filled for rule in rules), None)
    return None if filled is None or layout.n != 2 else filled - layout.first_value + 1


def star_value(layout: Layout) -> int | None:
    """Return the value that is drawn as a star, if the layout has stars that do not touch."""
    apart = any(
        isinstance(rule, PairSum) and rule.never and rule.total == 2 for rule in shown_rules(layout)
    )
    return 2 if apart and layout.n == 2 and layout.first_value == 0 else None
