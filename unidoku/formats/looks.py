"""How rules look in a drawn puzzle: which of them have a picture, its place and its colour.

Writers of pictures and the sentences about them ask the same object, so that a sentence about
"a green line" stands where the line is green, and a rule without a picture is told with its cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from unidoku.core import rules
from unidoku.core.caching import layout_cache
from unidoku.core.layout import Layout, Position
from unidoku.core.names import names_by_number
from unidoku.core.rules import Rule
from unidoku.formats import meanings
from unidoku.formats.frame import cut_at_regions
from unidoku.formats.meanings import PairLine, line_of_pairs

Side: TypeAlias = Literal["left", "right", "top", "bottom"]


class Colour(NamedTuple):
    """A colour of lines, with the word for it."""

    word: str
    code: str


GREY = Colour("grey", "#CFCFCF")
GREEN, ORANGE, LIME = Colour("green", "#67F067"), Colour("orange", "#FF9A00"), "#B8E04A"
PURPLE, GOLD, BROWN = "#F067F0", "#E8B923", "#B5977A"
SLOW = ("#6495ED", "#B0E0E6")
SUMS: Mapping[str, str] = MappingProxyType(
    {"region-sum": "#2ECBFF", "zipper": "#CDB1EC", "double-arrow": "#C54B8B"}
)
OF_PAIRS: Mapping[str, Colour] = MappingProxyType(
    {
        "nabner": Colour("yellow", "#C9C883"),
        "modular": Colour("teal", "#33BBBB"),
        "parity": Colour("coral", "#FF7F50"),
        "entropic": Colour("peach", "#FFCCAA"),
    }
)
"""The colours of lines that setters use, those of the plug-ins of f-puzzles."""

_OWN = (
    Colour("red", "#E6261F"),
    Colour("indigo", "#4355DB"),
    Colour("dark green", "#1E7B34"),
    Colour("black", "#404040"),
    Colour("magenta", "#B0127B"),
)
"""The colours of lines of a setter's own, by the order of their names."""

CLUES: Mapping[type[Rule], str] = MappingProxyType(
    {
        rules.Sandwich: "total",
        rules.XSum: "total",
        rules.Skyscraper: "seen",
        rules.HiddenSkyscraper: "height",
        rules.NumberedRoom: "value",
    }
)
"""The kinds that are numbers outside the grid, and the fields with the numbers."""

_FROM: Mapping[Position, Side] = MappingProxyType(
    {(0, 1): "left", (0, -1): "right", (1, 0): "top", (-1, 0): "bottom"}
)

_ALWAYS = (
    rules.Thermo,
    rules.Whispers,
    rules.Palindrome,
    rules.Renban,
    rules.SumLine,
    rules.Between,
    rules.Lockout,
    rules.Lunchbox,
    rules.CountingCircles,
)
"""The kinds that always have a picture: lines, and circles."""

_CAGES = (rules.Killer, rules.Product, rules.KenKen, rules.EqualityCage, rules.Rellik)


class Looks:
    """The looks of the rules of a layout.

    Attributes:
        names: the names of its cells, by row and column.
        clues: the side of each number outside the grid, and its row or column.
        diagonals: the step of each sum of a diagonal, from cell to cell.
        own: the colours of lines of a setter's own.
        same_sums: the kind and the line of equal sums that are on one: ``region-sum``, ``zipper``
            or ``double-arrow``.
        pictured: the rules that have a picture.
    """

    def __init__(self, layout: Layout) -> None:
        """Take the layout, and decide the looks of all its rules."""
        self.layout = layout
        self.names = names_by_number(layout.positions, len(layout.hidden))
        self.clues: dict[Rule, tuple[Side, int]] = {}
        self.diagonals: dict[Rule, Position] = {}
        self.own: dict[Rule, Colour] = {}
        self.pair_lines: dict[Rule, PairLine] = {}
        self.same_sums = dict(self._lines_of_sums())
        self._colours: dict[tuple[type[Rule], str], Colour] = {}
        self.pictured = frozenset(
            rule
            for rule in layout.rules
            if all(cell < len(layout) for cell in rule.cells) and self._has_picture(rule)
        )

    def _has_picture(self, rule: Rule) -> bool:
        match rule:
            case rules.SumOfCells(summed=cells):
                return self._is_diagonal(rule, cells) or self._is_cage(cells)
            case rules.Arrow(circle=circle, shaft=shaft):
                return bool(shaft) and self.is_path((*circle, *shaft[:1]))
            case rules.SameSum():
                return rule in self.same_sums
            case rules.Contains(held=cells, exactly=False):
                return self.is_square(cells)
            case rules.Holds(values=values):
                return bool(values)
            case rules.Greater(pairs=pairs):
                return self._are_neighbours(pairs)
            case rules.DiffersBy() | rules.Ratio() | rules.PairSum():
                return not rule.never and self._are_neighbours(rule.pairs)
            case rules.Line(line=line, name=name):
                return self.is_path(line) and self._own_colour(rule, name)
            case rules.Pairs():
                return self._is_line_of_pairs(rule)
            case rules.AnyOf():
                return self.totals(rule) is not None
        if type(rule) in CLUES:
            return self._is_clue(rule, getattr(rule, "line", ()))
        if isinstance(rule, _CAGES):
            return self._is_cage(rule.cage)
        return isinstance(rule, _ALWAYS)

    def _is_cage(self, cells: Sequence[int]) -> bool:
        return 0 < len(set(cells)) == len(cells)

    def _is_diagonal(self, rule: Rule, cells: Sequence[int]) -> bool:
        """Note the step of a whole diagonal, read from the side of the grid."""
        places = [self.layout.positions[cell] for cell in cells]
        for step in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            row, column = places[0]
            run = []
            before = (row - step[0], column - step[1])
            while (row, column) in self.layout.cell_at:
                run.append((row, column))
                row, column = row + step[0], column + step[1]
            if run == places and before not in self.layout.cell_at:
                self.diagonals[rule] = step
                return True
        return False

    def _is_clue(self, rule: Rule, line: Sequence[int]) -> bool:
        """Note the side of a clue of a whole line; of two clues at one at only the first."""
        places = [self.layout.positions[cell] for cell in line]
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places)}
        step = steps.pop() if len(steps) == 1 else (0, 0)
        whole = self.layout.columns if step[0] == 0 else self.layout.rows
        if step not in _FROM or len(line) != whole:
            return False
        side = _FROM[step]
        at = (side, places[0][0] if side in ("left", "right") else places[0][1])
        if at in self.clues.values():
            return False
        if isinstance(rule, rules.Sandwich) and rule.high != self.layout.n:
            return False
        self.clues[rule] = at
        return True

    def is_path(self, cells: Sequence[int]) -> bool:
        """Return whether each cell touches the one before, so that a line through them is clear."""
        places = [self.layout.positions[cell] for cell in cells]
        return all(max(abs(a - c), abs(b - d)) == 1 for (a, b), (c, d) in pairwise(places))

    def is_square(self, cells: Sequence[int]) -> bool:
        """Return whether four cells are a square of two by two."""
        places = {self.layout.positions[cell] for cell in cells}
        row, column = min(places)
        return len(cells) == 4 and places == {
            (row + down, column + right) for down in (0, 1) for right in (0, 1)
        }

    def _are_neighbours(self, pairs: Sequence[tuple[int, int]]) -> bool:
        places = self.layout.positions
        return bool(pairs) and all(
            abs(places[a][0] - places[b][0]) + abs(places[a][1] - places[b][1]) == 1
            for a, b in pairs
        )

    def _lines_of_sums(self) -> Iterator[tuple[Rule, tuple[str, tuple[int, ...]]]]:
        """Yield each rule of equal sums that belongs to a line, with the kind and the line.

        Of lines across regions and of zippers each has several rules.
        """
        sums = [
            rule
            for rule in self.layout.rules
            if isinstance(rule, rules.SameSum) and max(rule.cells) < len(self.layout)
        ]
        found: dict[Rule, tuple[str, tuple[int, ...]]] = {}
        for rule in sums:
            if rule not in found and rule.summed and rule.other:
                for kind, line, members in self._lines_from(rule, sums):
                    if self.is_path(line) and len({*line}) == len(line) and {*members} <= {*sums}:
                        found |= dict.fromkeys(members, (kind, line))
                        break
        yield from found.items()

    def _lines_from(
        self, rule: rules.SameSum, sums: Sequence[rules.SameSum]
    ) -> Iterator[tuple[str, tuple[int, ...], Sequence[Rule]]]:
        """Yield the lines that a rule may begin, and all rules of each."""
        parts = [rule.summed, rule.other]
        for other in (other for other in sums if other.summed == parts[0]):
            if other.other not in parts and self.is_path(parts[-1][-1:] + other.other[:1]):
                parts.append(other.other)
        line = tuple(chain(*parts))
        if [*map(tuple, self._segments(line))] == parts:
            yield "region-sum", line, [*meanings.same_sums(parts)]
        pairs = [rule.summed, *[other.other for other in sums if other.summed == rule.summed]]
        centre = pairs.pop(0) if len(rule.summed) == 1 else ()
        if len(pairs) > 1 and {*map(len, pairs)} == {2}:
            line = (*[pair[0] for pair in pairs], *centre, *[pair[1] for pair in pairs[::-1]])
            yield "zipper", line, [*meanings.zipper(line)]
        for ends, inside in ((rule.summed, rule.other), (rule.other, rule.summed)):
            if len(ends) == 2:
                yield "double-arrow", (*ends[:1], *inside, *ends[1:]), [rule]

    def _segments(self, line: Sequence[int]) -> list[list[int]]:
        """Cut a line where it leaves a region; of a board without regions there is one part."""
        region_of = {
            cell: unit.cells
            for unit in self.layout.units
            if unit.kind in ("box", "region")
            for cell in unit.cells
        }
        return cut_at_regions(line, region_of)

    def totals(self, rule: rules.AnyOf) -> tuple[rules.Killer, ...] | None:
        """Return the cages of a rule that one cage has one of several totals; None for others."""
        cages = tuple(inner for inner in rule.rules if isinstance(inner, rules.Killer))
        alone = [(cage,) for cage in cages] == [*rule.branches]
        is_one = alone and len({frozenset(cage.cage) for cage in cages}) == 1
        return cages if is_one and all(cage.total for cage in cages) else None

    def _is_line_of_pairs(self, rule: rules.Pairs) -> bool:
        """Return whether related pairs are drawn as a line: of a known kind, or of an own one."""
        layout = self.layout
        if self.is_index(rule):
            return False
        line = line_of_pairs(rule, layout.n, layout.first_value)
        if line is not None and self.is_path(line.cells) and len(line.cells) > 1:
            is_parity = line.kind == "modular" and line.apart == 2
            self.pair_lines[rule] = line._replace(kind="parity") if is_parity else line
            return True
        cells = path_of_pairs(rule.pairs)
        return self.is_path(cells) and len(cells) > 1 and self._own_colour(rule, rule.name)

    def _own_colour(self, rule: Rule, name: str) -> bool:
        """Note the colour of a line of a setter's own; there are only so many."""
        key = (type(rule), name)
        if key not in self._colours and len(self._colours) == len(_OWN):
            return False
        self.own[rule] = self._colours.setdefault(key, _OWN[len(self._colours)])
        return True

    def whisper(self, rule: rules.Whispers) -> Colour | None:
        """Return the colour of whispers of German or Dutch size; None for any other difference."""
        german = (self.layout.n + 1) // 2
        return {german: GREEN, german - 1: ORANGE}.get(rule.least)

    def is_clone(self, rule: rules.Pairs) -> bool:
        """Return whether the two cells of each pair of a rule hold the same value."""
        return rule.related == tuple(1 << value for value in range(self.layout.n))

    def is_index(self, rule: rules.Pairs) -> bool:
        """Return whether a rule is a part of what a cell says of its row, column or box."""
        return rule.name == "index" and len({a for a, _ in rule.pairs}) == 1

    def is_everywhere(self, rule: rules.Pairs) -> bool:
        """Return whether a rule holds for all pairs of the grid that are as far apart as its own.

        Such a rule is about the whole grid, and has no picture.
        """
        places = self.layout.positions
        steps = {(places[b][0] - places[a][0], places[b][1] - places[a][1]) for a, b in rule.pairs}
        pairs = {*map(frozenset, rule.pairs)}
        if len(pairs) <= len(steps):
            return False
        cell_at = self.layout.cell_at
        return all(
            other is None or frozenset((cell, other)) in pairs
            for cell, (row, column) in enumerate(places)
            for down, right in steps
            for other in (cell_at.get((row + down, column + right)),)
        )

    def odd_or_even(self, rule: rules.Holds) -> Literal["odd", "even"] | None:
        """Return whether a rule makes cells odd or even; None if it means other values."""
        first, n = self.layout.first_value, self.layout.n
        shown = range(first, first + n)
        wanted = set(rule.values) & set(shown)
        if n > 2 and wanted == {value for value in shown if value % 2}:
            return "odd"
        return "even" if n > 2 and wanted == {v for v in shown if v % 2 == 0} else None


@layout_cache(maxsize=16)
def looks_of(layout: Layout) -> Looks:
    """Return the looks of the rules of a layout; those of the last layouts are stored."""
    return Looks(layout)


def path_of_pairs(pairs: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return the cells of pairs that follow each other; nothing if they do not."""
    if not pairs or any(a[1] != b[0] for a, b in pairwise(pairs)):
        return ()
    return (pairs[0][0], *[b for _, b in pairs])


def of_kind(layout: Layout) -> Mapping[type[Rule], list[Rule]]:
    """Return the rules of a layout by their kinds, in the order in which the kinds first occur."""
    found: dict[type[Rule], list[Rule]] = {}
    for rule in layout.rules:
        found.setdefault(type(rule), []).append(rule)
    return found


def centre_of(layout: Layout, cells: Sequence[int]) -> tuple[float, float]:
    """Return the middle of cells, as a row and a column with fractions."""
    places = [layout.positions[cell] for cell in cells]
    row, column = (sum(position[axis] for position in places) / len(places) for axis in (0, 1))
    return row + 0.5, column + 0.5


def lines_between(layout: Layout) -> Iterator[frozenset[int]]:
    """Yield each pair of cells that share a side."""
    for cell, (row, column) in enumerate(layout.positions):
        for position in ((row, column + 1), (row + 1, column)):
            if (other := layout.cell_at.get(position)) is not None:
                yield frozenset((cell, other))
