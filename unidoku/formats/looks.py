"""How rules look in a drawn puzzle: which of them have a picture, its place and its colour.

Writers of pictures and the sentences about them ask the same object, so that a sentence about
"a green line" stands where the line is green, and a rule without a picture is told with its cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from unidoku.core import rules
from unidoku.core.caching import layout_cache
from unidoku.core.cells import neighbours
from unidoku.core.hidden import stated
from unidoku.core.layout import Layout, Position
from unidoku.core.names import names_by_number
from unidoku.core.rules import Rule
from unidoku.formats.frame import Frame, Side
from unidoku.formats.meanings import ranks_every_line
from unidoku.formats.named import is_default, is_path, named


class Colour(NamedTuple):
    """A colour of lines, with the word for it."""

    word: str
    code: str


GREY = Colour("grey", "#CFCFCF")
GREEN, ORANGE, LIME = Colour("green", "#67F067"), Colour("orange", "#FF9A00"), "#B8E04A"
PURPLE, GOLD, BROWN = "#F067F0", "#E8B923", "#B5977A"
SLOW = ("#6495ED", "#B0E0E6")
LINES: Mapping[type[Rule], Colour] = {
    rules.Nabner: Colour("yellow", "#C9C883"),
    rules.Modular: Colour("teal", "#33BBBB"),
    rules.Parity: Colour("coral", "#FF7F50"),
    rules.Entropic: Colour("peach", "#FFCCAA"),
    rules.RegionSum: Colour("blue", "#2ECBFF"),
    rules.Zipper: Colour("lavender", "#CDB1EC"),
    rules.DoubleArrow: Colour("pink", "#C54B8B"),
    rules.ProductLine: Colour("ochre", "#C9772E"),
    rules.AmbiguousArrow: Colour("slate", "#7E84D2"),
}
"""The colours of lines that setters use, those of the plug-ins of f-puzzles."""

INDEX: Mapping[str, Colour] = {
    "row": Colour("green", "#7CC77C"),
    "column": Colour("red", "#C77C7C"),
    "box": Colour("blue", "#7C7CC7"),
}
"""The tints of cells that are an index of their row, column or box."""

DOUBLERS = Colour("yellow", "#FCE9A9")
"""The tint of doublers that are known."""

_SHADES = (
    Colour("grey", "#D8D8D8"),
    Colour("yellow", "#FFF2A8"),
    Colour("green", "#CBEFC4"),
    Colour("blue", "#C6DDF7"),
    Colour("pink", "#F7CFE0"),
)
"""The tints of clones, by their order."""

_OWN = (
    Colour("red", "#E6261F"),
    Colour("indigo", "#4355DB"),
    Colour("dark green", "#1E7B34"),
    Colour("black", "#404040"),
    Colour("magenta", "#B0127B"),
)
"""The colours of lines of a setter's own, by the order of their names."""

CLUES: Mapping[type[Rule], str] = {
    rules.Sandwich: "total",
    rules.XSum: "total",
    rules.Battlefield: "total",
    rules.Skyscraper: "seen",
    rules.HiddenSkyscraper: "height",
    rules.NumberedRoom: "value",
    rules.FullRank: "rank",
}
"""The kinds that are numbers outside the grid, and the fields with the numbers."""

_FROM: Mapping[Position, Side] = {
    (0, 1): "left",
    (0, -1): "right",
    (1, 0): "top",
    (-1, 0): "bottom",
}
"""The side from which a line is read, by the step from each cell to the next."""

_ALWAYS = (
    rules.Thermo,
    rules.SlowThermo,
    rules.Whispers,
    rules.Palindrome,
    rules.Renban,
    rules.SumLine,
    rules.Between,
    rules.Lockout,
    rules.Lunchbox,
    rules.CountingCircles,
    rules.Odd,
    rules.Even,
)
"""The kinds that always have a picture: lines, circles and squares."""

_CAGES = (rules.Killer, rules.Product, rules.KenKen, rules.EqualityCage, rules.Rellik)


class Looks:
    """The looks of the rules of a layout.

    Attributes:
        names: the names of its cells, by row and column.
        clues: the side of each number outside the grid, and its row or column.
        diagonals: the step of each sum of a diagonal, from cell to cell.
        own_colours: the colours of lines of a setter's own.
        shades: the tints of clones.
        pictured: the rules that have a picture.
    """

    def __init__(self, layout: Layout) -> None:
        """Take the layout, and decide the looks of all its rules, which get their names here."""
        self.layout = layout = stated(named(layout))
        self.names = names_by_number(layout.positions, len(layout.hidden))
        self.clues: dict[Rule, tuple[Side, int]] = {}
        self.diagonals: dict[rules.SumOfCells, Position] = {}
        self.own_colours: dict[Rule, Colour] = {}
        self.shades: dict[Rule, Colour] = {}
        self._colours: dict[tuple[type[Rule], str], Colour] = dict(self._wished())
        self.pictured = frozenset(
            rule
            for rule in layout.rules
            if all(cell < len(layout) for cell in rule.cells) and self._has_picture(rule)
        )

    def _has_picture(self, rule: Rule) -> bool:
        layout = self.layout
        match rule:
            case rules.SumOfCells(summed=cells):
                return self._is_diagonal(rule, cells) or self._is_cage(cells)
            case rules.Arrow(circle=circle, shaft=shaft):
                return bool(shaft) and is_path(layout, (*circle, *shaft[:1]))
            case rules.RegionSum(line=line):
                return is_path(layout, line) and is_default(layout, rule, "parts")
            case rules.Index(of=of):
                return bool(of)
            case rules.Doubler(at=at):
                return bool(at)
            case rules.Minimum() | rules.Maximum():
                return self._are_whole_extremes(type(rule))
            case rules.Clone():
                return self._is_clone(rule)
            case rules.Contains(held=cells, exactly=False):
                return self.is_square(cells)
            case rules.Holds(values=values):
                return bool(values)
            case rules.Greater(pairs=pairs):
                return self._are_neighbours(pairs)
            case rules.DiffersBy() | rules.Ratio() | rules.PairSum():
                return not rule.never and self._are_neighbours(rule.pairs)
            case rules.Line(line=line, name=name):
                return is_path(layout, line) and self._own_colour(rule, name)
            case rules.Pairs(pairs=pairs, name=name):
                line = path_of_pairs(pairs)
                return len(line) > 1 and is_path(layout, line) and self._own_colour(rule, name)
            case rules.AnyOf():
                return self.totals(rule) is not None
        if type(rule) in LINES:
            return is_path(layout, getattr(rule, "line", ()))
        if type(rule) in CLUES:
            return self._is_clue(rule, getattr(rule, "line", ()))
        if isinstance(rule, _CAGES):
            return self._is_cage(rule.cage)
        return isinstance(rule, _ALWAYS)

    def _is_cage(self, cells: Sequence[int]) -> bool:
        return 0 < len(set(cells)) == len(cells)

    def _is_diagonal(self, rule: rules.SumOfCells, cells: Sequence[int]) -> bool:
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
        seen_from = side_of(self.layout, line)
        if seen_from is None or seen_from in self.clues.values():
            return False
        is_row = seen_from[0] in ("left", "right")
        if len(line) != (self.layout.columns if is_row else self.layout.rows):
            return False
        if isinstance(rule, rules.Sandwich) and rule.high != self.layout.n:
            return False
        if isinstance(rule, rules.FullRank):
            frame = Frame(self.layout.rows, self.layout.columns)
            if rule.ties or not ranks_every_line(rule, frame):
                return False
        self.clues[rule] = seen_from
        return True

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

    def _are_whole_extremes(self, kind: type[rules.Minimum | rules.Maximum]) -> bool:
        """Return whether marked cells are compared with all neighbours without such a mark."""
        marked = [rule for rule in self.layout.rules if isinstance(rule, kind)]
        cells = tuple(dict.fromkeys(cell for rule in marked for cell in rule.held))
        whole = kind(cells).bind(self.layout)
        return {*whole.compared} == {pair for rule in marked for pair in rule.compared}

    def _is_clone(self, rule: rules.Clone) -> bool:
        """Note the tint of two areas of one shape; there are only so many."""
        places = self.layout.positions
        steps = {
            (places[b][0] - places[a][0], places[b][1] - places[a][1])
            for a, b in zip(rule.held, rule.other, strict=True)
        }
        if len(steps) > 1 or len(self.shades) == len(_SHADES):
            return False
        self.shades[rule] = _SHADES[len(self.shades)]
        return True

    def totals(self, rule: rules.AnyOf) -> tuple[rules.Killer, ...] | None:
        """Return the cages of a rule that one cage has one of several totals; None for others."""
        cages = tuple(inner for inner in rule.rules if isinstance(inner, rules.Killer))
        alone = [(cage,) for cage in cages] == [*rule.branches]
        is_one = alone and len({frozenset(cage.cage) for cage in cages}) == 1
        return cages if is_one and all(cage.total for cage in cages) else None

    def _own_colour(self, rule: Rule, name: str) -> bool:
        """Note the colour of a line of a setter's own; there are only so many."""
        key = (type(rule), name)
        unused = [colour for colour in _OWN if colour not in self._colours.values()]
        if key not in self._colours and not unused:
            return False
        self.own_colours[rule] = self._colours.setdefault(key, next(iter(unused), _OWN[0]))
        return True

    def _wished(self) -> Iterator[tuple[tuple[type[Rule], str], Colour]]:
        """Yield the colours that rules of a setter's own ask for."""
        by_word = {colour.word.split()[-1]: colour for colour in _OWN}
        for rule in self.layout.rules:
            if isinstance(rule, rules.Line | rules.Pairs) and rule.colour:
                yield (type(rule), rule.name), by_word[rule.colour]

    def is_numbered(self, rule: Rule, field: str) -> bool:
        """Return whether lines of a kind have different numbers, so that each shows its own."""
        kind = type(rule)
        same = (other for other in self.layout.rules if isinstance(other, kind))
        return len({getattr(other, field) for other in same}) > 1

    def whisper(self, rule: rules.Whispers) -> Colour | None:
        """Return the colour of whispers of German or Dutch size; None for any other difference."""
        german = (self.layout.size + 1) // 2
        return {german: GREEN, german - 1: ORANGE}.get(rule.least)

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


def side_of(layout: Layout, line: Sequence[int]) -> tuple[Side, int] | None:
    """Return the side from which a line is read, and its row or column; None if it has none."""
    positions = [layout.positions[cell] for cell in line]
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(positions)}
    side = _FROM.get(steps.pop()) if len(steps) == 1 else None
    return side and (side, positions[0][0 if side in ("left", "right") else 1])


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
    by_kind: dict[type[Rule], list[Rule]] = {}
    for rule in layout.rules:
        by_kind.setdefault(type(rule), []).append(rule)
    return by_kind


def centre_of(layout: Layout, cells: Sequence[int]) -> tuple[float, float]:
    """Return the middle of cells, as a row and a column with fractions."""
    places = [layout.positions[cell] for cell in cells]
    row, column = (sum(position[axis] for position in places) / len(places) for axis in (0, 1))
    return row + 0.5, column + 0.5


def unmarked(layout: Layout, *kinds: type[rules.PairRule]) -> set[frozenset[int]]:
    """Return the pairs of cells that share a side, without marks of some kinds between them."""
    marks = (
        pair
        for rule in layout.rules
        if isinstance(rule, kinds) and not getattr(rule, "never", False)
        for pair in rule.pairs
    )
    return {*map(frozenset, neighbours(layout, marks))}
