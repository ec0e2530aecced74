"""Rules with a name in Interactive Sudoku Solver: the writer of each, one row for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from unidoku.core import rules
from unidoku.core.bits import values_of
from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import Layout
from unidoku.formats.frame import Frame
from unidoku.formats.iss.scope import diagonal_from, name_of
from unidoku.formats.meanings import ranks_every_line
from unidoku.formats.named import is_default

MOST_WEIGHT = 100
"""The largest weight in a sum."""

GROUP = "VH"
"""The name of the group of cells that are not drawn."""


def chaos_of(layout: Layout) -> rules.ChaosConstruction | None:
    """Return the rule that all cells of a grid fall into regions, if hidden cells number them."""
    chaos = [rule for rule in layout.rules if isinstance(rule, rules.ChaosConstruction)]
    size = len(layout)
    if len(chaos) != 1 or [*chaos[0].held] != [*layout.cells] or chaos[0].columns != layout.columns:
        return None
    first, large = chaos[0].regions[0], chaos[0].count == max(layout.rows, layout.columns) > 1
    in_order = [*chaos[0].regions] == [*range(first, first + size)]
    return chaos[0] if first >= size and large and in_order else None


class Words:
    """Writes rules of a layout.

    Attributes:
        is_raw: whether rows and columns are not units: then there are no clues outside the grid.
        chaos: the rule of regions that are to be found, if it is about all cells of the grid.
        others: number of hidden cells that do not number regions.
        without_marks: whether marks are written as tables; used in branches with unmarked cells.
    """

    def __init__(self, frame: Frame, layout: Layout, *, is_raw: bool) -> None:
        """Take the frame and the layout; `is_raw` if rows and columns are not units."""
        self.frame, self.layout, self.is_raw = frame, layout, is_raw
        self.without_marks = False
        self.chaos = None if is_raw else chaos_of(layout)
        regions = self.chaos.regions if self.chaos else ()
        first, size = len(layout), len(layout.hidden)
        others = [cell for cell in range(first, first + size) if cell not in regions]
        self.others = len(others)
        self._names = {cell: name_of(*position) for cell, position in enumerate(layout.positions)}
        self._names |= {cell: f"CC{number}" for number, cell in enumerate(regions, 1)}
        self._names |= {cell: f"{GROUP}{number}" for number, cell in enumerate(others, 1)}
        if len(others) == 1:
            self._names[others[0]] = GROUP

    def names(self, cells: Iterable[int]) -> list[str]:
        """Return the names of cells; hidden cells that number regions are a group of their own."""
        return [self._names[cell] for cell in cells]

    def valued(self, cell: int, mask: int) -> str:
        """Return the name of a cell with the values in a mask: ``R1C1_5_6``."""
        return "_".join([*self.names([cell]), *map(str, map(self.layout.number, values_of(mask)))])

    def of(self, rule: rules.Rule) -> list[str] | None:
        """Return the constraints for a rule; None if it has no name there."""
        return WORDS[type(rule)](self, rule)

    def part(self, kind: str, cells: Iterable[int], *args: object) -> list[str]:
        """Return one constraint."""
        return ["." + "~".join([kind, *map(str, args), *self.names(cells)])]

    def line(self, line: Sequence[int]) -> tuple[str, int] | None:
        """Return the whole row or column that a clue looks along, and from which end."""
        lines = [] if self.is_raw else self.frame.lines()
        for end in (1, -1):
            if (cells := tuple(line)[::end]) in lines:
                index, rows = lines.index(cells), self.frame.rows
                return f"R{index + 1}" if index < rows else f"C{index - rows + 1}", end
        return None

    def are_beside(self, pairs: Iterable[Pair]) -> bool:
        """Return whether all pairs consist of adjacent cells."""
        size = len(self.layout)
        return all(max(a, b) < size and b in self.frame.near[a] for a, b in pairs)

    def marked(self, layout_rules: Iterable[rules.Rule]) -> tuple[list[Pair], list[Pair]]:
        """Return the pairs of cells with a dot, and those with a letter."""
        dots: list[Pair] = []
        letters: list[Pair] = []
        for rule in layout_rules:
            if type(rule) in (rules.DiffersBy, rules.Ratio) and self.of(rule):
                dots += rule.pairs  # type: ignore[attr-defined]  # they have pairs
            elif type(rule) is rules.PairSum and self.of(rule):
                letters += rule.pairs
        return dots, letters


Write = Callable[[Words, Any], "list[str] | None"]


def _cells(kind: str, field: str = "line", fewest: int = 1) -> Write:
    """Return the writer of a rule that is a list of cells, if there are enough of them."""

    def write(words: Words, rule: Any) -> list[str] | None:
        cells = getattr(rule, field)
        return words.part(kind, cells) if len(cells) >= fewest else None

    return write


def _numbered(kind: str, number_field: str, field: str = "line") -> Write:
    return lambda words, rule: words.part(kind, getattr(rule, field), getattr(rule, number_field))


def _killer(words: Words, rule: rules.Killer) -> list[str] | None:
    if not rule.cage:
        return None
    if rule.total == 0:
        cells = tuple(dict.fromkeys(rule.cage))
        return words.part("Sum", rule.cage, 0) + words.part("AllDifferent", cells)
    return words.part("Cage", rule.cage, "" if rule.total is None else rule.total)


def _sum(words: Words, rule: rules.SumOfCells) -> list[str] | None:
    if not rule.summed:
        return None
    diagonal = () if words.is_raw else diagonal_from(words.frame, rule.summed[0])
    if rule.summed == diagonal and len(diagonal) > 1:
        return words.part("LittleKiller", rule.summed[:1], rule.total)
    return words.part("Sum", rule.summed, rule.total)


def _weighted(words: Words, rule: rules.WeightedSum) -> list[str] | None:
    largest = max(map(abs, rule.weights), default=0)
    if rule.sign != "=" or largest > MOST_WEIGHT or not rule.summed:
        return None
    weights = "_".join(map(str, rule.weights))
    return words.part("Sum", rule.summed, f"{rule.total}_=_{weights}")


def _arrow(words: Words, rule: rules.Arrow) -> list[str] | None:
    if not rule.circle or not rule.shaft:
        return None
    if len(rule.circle) == 1:
        return words.part("Arrow", (*rule.circle, *rule.shaft))
    if len(rule.circle) <= 3 and words.frame.high <= 9 and _is_readable(words, rule.circle):
        return words.part("PillArrow", (*rule.circle, *rule.shaft), len(rule.circle))
    return None


def _is_readable(words: Words, circle: Sequence[int]) -> bool:
    """Return whether each cell is a step to the right, down, or both from the one before it."""
    columns = words.frame.columns
    return max(circle) < len(words.layout) and all(
        (b // columns - a // columns, b % columns - a % columns) in ((0, 1), (1, 0), (1, 1))
        for a, b in pairwise(circle)
    )


def _ambiguous_arrow(words: Words, rule: rules.AmbiguousArrow) -> list[str]:
    """Return arrows, one for each cell that may hold the sum, of which one holds."""
    arrows = [words.part("Arrow", (cell, *others))[0] for cell, others in rule.ways]
    return ["".join([".Or", *dict.fromkeys(arrows), ".End"])]


def _same_sum(words: Words, rule: rules.SameSum) -> list[str] | None:
    if not rule.summed or not rule.other:
        return None
    (cells, other), part = (rule.summed, rule.other), words.part
    if len(cells) == 2:
        return part("DoubleArrow", (cells[0], *other, cells[1]))
    start = part("EqualSum", cells)[0]
    return [f"{start}~-{part('', other)[0].removeprefix('.')}"]


def _sandwich(words: Words, rule: rules.Sandwich) -> list[str] | None:
    named = words.line(rule.line)
    is_whole = len(rule.line) == words.layout.n and rule.high == words.frame.high
    if named is None or not is_whole or rule.total < 0:
        return None
    return [f".Sandwich~{rule.total}~{named[0]}"]


def _battlefield(words: Words, rule: rules.Battlefield) -> list[str] | None:
    """Return alternatives: a value of each end, and the sum of the cells that these leave."""
    branches = []
    for ends, cells in rule.fields(words.layout):
        if cells or rule.total == 0:
            given = [f".~{words.valued(end.cells[0], end.masks[0])}" for end in ends]
            total = words.part("Sum", cells, rule.total) if cells else []
            branches.append("".join([".And", *given, *total, ".End"]))
    return ["".join([".Or", *branches, ".End"])] if branches else None


def _clue(kind: str, field: str, least: int) -> Write:
    def write(words: Words, rule: Any) -> list[str] | None:
        named, clue = words.line(rule.line), getattr(rule, field)
        if named is None or clue < least:
            return None
        name, end = named
        return [f".{kind}~{name}~{clue}" if end == 1 else f".{kind}~{name}~~{clue}"]

    return write


def _full_rank(words: Words, rule: rules.FullRank) -> list[str] | None:
    """Write a rank among all lines; whether lines may be equal is one word for all ranks."""
    others = [each for each in words.layout.rules if isinstance(each, rules.FullRank)]
    if words.is_raw or {each.ties for each in others} != {rule.ties}:
        return None
    parts = _clue("FullRank", "rank", 1)(words, rule)
    if parts is None or not ranks_every_line(rule, words.frame):
        return None
    return [".FullRankTies~any", *parts] if rule.ties and rule == others[0] else parts


def _marks(kind: str, **fields: int) -> Write:
    def write(words: Words, rule: Any) -> list[str] | None:
        if getattr(rule, "never", False) or not words.are_beside(rule.pairs):
            return None
        if words.without_marks and kind != "GreaterThan":
            return None
        if any(getattr(rule, name) != value for name, value in fields.items()):
            return None
        return [part for pair in rule.pairs for part in words.part(kind, pair)]

    return write


def _letters(words: Words, rule: rules.PairSum) -> list[str] | None:
    kind = {10: "X", 5: "V"}.get(rule.total)
    return _marks(kind)(words, rule) if kind else None


def _contains(words: Words, rule: rules.Contains) -> list[str] | None:
    values = "_".join(map(str, rule.wanted))
    if not rule.wanted or not rule.held or min(rule.wanted) < 0:
        return None
    first, columns = min(rule.held), words.frame.columns
    square = (first, first + 1, first + columns, first + columns + 1)
    inside = words.frame.inside(first // columns + 1, first % columns + 1)
    if rule.held == square and inside and not rule.exactly:
        return ["~".join([words.part("Quad", (first,))[0], *map(str, rule.wanted)])]
    return words.part("ContainExact" if rule.exactly else "ContainAtLeast", rule.held, values)


def _equality(words: Words, rule: rules.EqualityCage) -> list[str] | None:
    fits = rule.high == words.frame.high and len(rule.cage) > 1
    return words.part("EqualityCage", rule.cage) if fits else None


def _entropic(words: Words, rule: rules.Entropic) -> list[str] | None:
    fits = words.layout.n == 9 and is_default(words.layout, rule, "classes")
    return words.part("Entropic", rule.line) if fits else None


def _region_sum(words: Words, rule: rules.RegionSum) -> list[str] | None:
    if not words.is_raw and is_default(words.layout, rule, "parts"):
        return words.part("RegionSumLine", rule.line)
    parts = [words.part("", part)[0].removeprefix(".") for part in rule.groups()]
    return [f".EqualSum{'~-'.join(parts)}"]


def _extreme(words: Words, rule: rules.Minimum | rules.Maximum) -> list[str] | None:
    if not words.are_beside(rule.compared):
        return None
    pairs = [pair if isinstance(rule, rules.Maximum) else pair[::-1] for pair in rule.compared]
    return [part for pair in pairs for part in words.part("GreaterThan", pair)]


def _parity(words: Words, rule: rules.Odd | rules.Even) -> list[str]:
    values = [v for v in words.frame.values if v % 2 == rule.remainder]
    return [".~" + "_".join([name, *map(str, values)]) for name in words.names(rule.held)]


def _index(words: Words, rule: rules.Index) -> list[str] | None:
    inside = max(rule.held) < len(words.layout)
    if rule.of not in ("row", "column") or words.is_raw or not inside:
        return None
    return words.part("Indexing", rule.held, rule.of[0].upper())


def _clone(words: Words, rule: rules.Clone) -> list[str]:
    return [part for pair in rule.related_pairs() for part in words.part("SameValues", pair, 2)]


def _taxicab(words: Words, rule: rules.Taxicab) -> list[str] | None:
    fits = is_default(words.layout, rule, "held", "columns", "steps", "values")
    return [".AntiTaxicab"] if fits else None


def _sum_line(words: Words, rule: rules.SumLine) -> list[str] | None:
    (part,) = words.part("SumLine", rule.line, rule.total)
    return [f"{part}~LOOP" if rule.loop else part]


def _connected(words: Words, rule: rules.Connected) -> list[str] | None:
    if [*rule.held] != [*words.layout.cells] or rule.columns != words.frame.columns:
        return None
    if not rule.values or min(rule.values) < 0:
        return None
    size = "" if rule.count is None else f"~{rule.count}"
    return [f".ConnectedValues~~{'_'.join(map(str, rule.values))}{size}"]


def _of_a_region(kind: str) -> Write:
    def write(words: Words, rule: rules.RegionCount | rules.RegionRun) -> list[str] | None:
        arms = rule.lines if isinstance(rule, rules.RegionRun) else [rule.regions]
        inside = set(words.chaos.regions) if words.chaos else set()
        if rule.number[0] in inside or not all(map(inside.issuperset, arms)):
            return None
        (part,) = words.part(kind, rule.number)
        lists = "~-~".join(words.part("", arm)[0].removeprefix(".~") for arm in arms)
        return [f"{part}~{int(rule.without_first)}~{lists}"]

    return write


WORDS: Mapping[type[rules.Rule], Write] = {
    rules.Thermo: _cells("Thermo"),
    rules.Modular: _numbered("Modular", "modulus"),
    rules.Parity: lambda words, rule: words.part("Modular", rule.line, 2),
    rules.Entropic: _entropic,
    rules.RegionSum: _region_sum,
    rules.Zipper: _cells("Zipper", fewest=3),
    rules.DoubleArrow: _cells("DoubleArrow", fewest=3),
    rules.AmbiguousArrow: _ambiguous_arrow,
    rules.Minimum: _extreme,
    rules.Maximum: _extreme,
    rules.Odd: _parity,
    rules.Even: _parity,
    rules.Index: _index,
    rules.Clone: _clone,
    rules.Taxicab: _taxicab,
    rules.Whispers: _numbered("Whisper", "least"),
    rules.Palindrome: _cells("Palindrome"),
    rules.Renban: _cells("Renban", fewest=2),
    rules.Between: _cells("Between", fewest=2),
    rules.Lockout: _numbered("Lockout", "least"),
    rules.SumLine: _sum_line,
    rules.Killer: _killer,
    rules.Rellik: lambda words, rule: (
        words.part("RellikCage", rule.cage, rule.total) if rule.cage else None
    ),
    rules.EqualityCage: _equality,
    rules.SumOfCells: _sum,
    rules.WeightedSum: _weighted,
    rules.SameSum: _same_sum,
    rules.Arrow: _arrow,
    rules.Lunchbox: _numbered("Lunchbox", "total"),
    rules.Sandwich: _sandwich,
    rules.XSum: _clue("XSum", "total", 1),
    rules.Battlefield: _battlefield,
    rules.Skyscraper: _clue("Skyscraper", "seen", 1),
    rules.HiddenSkyscraper: _clue("HiddenSkyscraper", "height", 0),
    rules.NumberedRoom: _clue("NumberedRoom", "value", 0),
    rules.FullRank: _full_rank,
    rules.DiffersBy: _marks("WhiteDot", by=1),
    rules.Ratio: _marks("BlackDot", times=2),
    rules.PairSum: _letters,
    rules.Greater: _marks("GreaterThan"),
    rules.Contains: _contains,
    rules.SameMultiset: lambda words, rule: (
        words.part("SameValues", rule.held + rule.other, 2) if len(rule.held) > 1 else None
    ),
    rules.CountingCircles: _cells("CountingCircles", "circles"),
    rules.CountDistinct: lambda words, rule: (
        words.part("CountDistinct", (*rule.number, *rule.counted)) if rule.counted else None
    ),
    rules.Indexed: lambda words, rule: (
        words.part("ValueIndexing", (*rule.value, *rule.place, *rule.line)) if rule.line else None
    ),
    rules.Connected: _connected,
    rules.ChaosConstruction: lambda words, rule: (
        [".ChaosConstruction"] if rule == words.chaos else None
    ),
    rules.RegionCount: _of_a_region("ChaosCount"),
    rules.RegionRun: _of_a_region("ChaosArrow"),
}
"""The writer of each of these kinds; it returns None for rules that the name cannot express."""
