"""What the words of other formats mean: rules of this package, made from cells and numbers.

Readers make rules whose words and cells are those of a class themselves, such as ``Thermo(cells)``;
here is everything that is more than one such call. A rule that cells differ is a unit, and a rule
about the values of single cells is a `Domain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, combinations, combinations_with_replacement
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from unidoku.core import rules
from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import Unit
from unidoku.core.rules import Rule
from unidoku.core.rules.cages import SIGNS
from unidoku.errors import InputError
from unidoku.formats.frame import Frame
from unidoku.formats.named import arrows_named


class Domain(NamedTuple):
    """Cells, and the values that each may hold."""

    cells: Sequence[int]
    values: Iterable[int]


Meaning: TypeAlias = Rule | Unit | Domain
Cells: TypeAlias = Sequence[int]


class UnknownRuleError(InputError):
    """A rule without a counterpart in this version; the message names it."""


def related(
    pairs: Iterable[Pair], holds: Callable[[int, int], object], name: str
) -> Iterator[rules.Pairs]:
    """Yield the rule that relates the cells of each pair; a cell with itself is left out."""
    if different := tuple((a, b) for a, b in pairs if a != b):
        yield rules.Pairs(different, holds, name)


def equal(pairs: Iterable[Pair], name: str = "equal") -> Iterator[rules.Pairs]:
    """Yield the rule by which the two cells of each pair hold the same value."""
    return related(pairs, lambda a, b: a == b, name)


def in_table(
    pairs: Iterable[Pair], table: Iterable[Sequence[int]], name: str = "relation"
) -> Iterator[rules.Pairs]:
    """Yield the rule by which the values of each pair are a row of a table."""
    allowed = {(a, b) for a, b in table}
    return related(pairs, lambda a, b: (a, b) in allowed, name)


def nabner(cells: Cells) -> Iterator[rules.Nabner]:
    """Yield the rule by which no two values are equal or consecutive; none for a single cell."""
    if len(line := tuple(dict.fromkeys(cells))) > 1:
        yield rules.Nabner(line)


def modular(cells: Cells, mod: int) -> Iterator[rules.Modular | rules.Parity]:
    """Yield the rule by which as many neighbours as the modulus have different remainders."""
    if len(cells) > 1 and mod > 1:
        yield rules.Parity(tuple(cells)) if mod == 2 else rules.Modular(tuple(cells), mod)


def entropic(cells: Cells, classes: Sequence[Cells] | None = None) -> Iterator[rules.Entropic]:
    """Yield the rule by which as many neighbours as classes hold values of different classes."""
    if len(cells) > 1:
        yield rules.Entropic(tuple(cells), None if classes is None else tuple(map(tuple, classes)))


def different(cells: Cells, name: str = "different") -> Unit:
    """Return a unit of cells in any order."""
    return Unit(tuple(sorted(set(cells))), name)


def extreme(cell: int, neighbours: Cells, *, least: bool) -> rules.Minimum | rules.Maximum:
    """Return the rule by which a cell is less than its neighbours, or greater."""
    kind = rules.Minimum if least else rules.Maximum
    return kind((cell,), tuple((cell, other) for other in neighbours))


def parity(cells: Cells, frame: Frame, *, odd: bool) -> Domain:
    """Return the odd values, or the even ones, for some cells."""
    return Domain(cells, [value for value in frame.values if value % 2 == odd])


def weighted_sum(
    cells: Cells, total: int, weights: Sequence[int] | None = None, sign: str = "="
) -> rules.SumOfCells | rules.WeightedSum:
    """Return the rule for a sum of cells, each of which may have a weight.

    Raises:
        UnknownRuleError: the sign is unknown.
    """
    weights = weights or [1] * len(cells)
    if sign not in SIGNS:
        raise UnknownRuleError(f"sum with {sign}")
    if sign == "=" and set(weights) == {1}:
        return rules.SumOfCells(tuple(cells), total)
    return rules.WeightedSum(tuple(cells), tuple(weights), total, sign)


def arrow(circle: Cells, shaft: Cells, frame: Frame) -> Iterator[rules.Arrow | Domain]:
    """Yield an arrow; the digits after the first of a number in its circle are below 10."""
    yield rules.Arrow(tuple(circle), tuple(shaft))
    if frame.high > _NINE:
        yield Domain(circle[1:], range(frame.low, _NINE + 1))


_NINE = 9
"""The largest digit of a number."""


def region_sum(segments: Sequence[Cells]) -> Iterator[rules.RegionSum]:
    """Yield the rule by which the parts of a line in different regions have the same sum."""
    if len(segments) > 1:
        yield rules.RegionSum(tuple(chain(*segments)), tuple(map(len, segments)))


def same_sums(segments: Sequence[Cells]) -> Iterator[rules.SameSum]:
    """Yield the rules by which all segments have the same sum: one for each two segments."""
    return (rules.SameSum(tuple(a), tuple(b)) for a, b in combinations(segments, 2))


def same_values(groups: Sequence[Cells]) -> Iterator[rules.SameMultiset]:
    """Yield the rules by which each group contains the same values as the first."""
    first, *others = groups
    return (rules.SameMultiset(tuple(first), tuple(other)) for other in others)


def look_and_say(
    cells: Cells, counts: Iterable[Sequence[int]], frame: Frame
) -> Iterator[rules.Contains | Domain]:
    """Yield the rules by which some values occur exactly so many times each."""
    for times, value in counts:
        if times:
            yield rules.Contains(tuple(cells), (value,) * times, exactly=True)
        else:
            yield Domain(cells, [other for other in frame.values if other != value])


def squares_hit(squares: Iterable[Cells], classes: Sequence[Cells]) -> Iterator[rules.Hits]:
    """Yield the rules by which each square contains a value of each class."""
    return (rules.Hits(tuple(cells), tuple(map(tuple, classes))) for cells in squares)


def flatmates(
    frame: Frame, middle: int = 5, above: int = 1, below: int = 9
) -> Iterator[rules.Flatmates]:
    """Yield the rules of Dutch flatmates, one for each column: see `Flatmates`."""
    return (rules.Flatmates(line, middle, above, below) for line in frame.lines()[frame.rows :])


def value_indexing(cells: Cells) -> rules.Indexed:
    """Return the rule by which the second cell names a place in the rest, the first its value."""
    return rules.Indexed(tuple(cells[1:2]), tuple(cells[:1]), tuple(cells[2:]))


def index(selector: int, cells: Cells, value: int) -> rules.Index | rules.NumberedRoom:
    """Return the rule by which the cell at the place that the selector names has a value."""
    if selector == cells[0]:
        return rules.NumberedRoom(tuple(cells), value)
    return rules.Index((selector,), "", tuple(cells), (value,))


def ranks_every_line(rule: rules.FullRank, frame: Frame) -> bool:
    """Return whether a rank is that among all rows and columns of a square, from either end."""
    lines = frame.views("left", "top", "right", "bottom")
    return frame.rows == frame.columns and sorted([rule.line, *rule.lines]) == sorted(lines)


def full_ranks(
    clues: Iterable[tuple[Cells, int]], ties: str, frame: Frame
) -> Iterator[rules.FullRank | rules.LinesDiffer]:
    """Yield the ranks of some lines among all rows and columns, read from either end.

    If lines have two lengths, the shorter ones are smaller, provided that no value is 0.

    Args:
        clues: lines with their ranks.
        ties: the lines that differ from all others: ``none`` may be equal, ``only-unclued``, or
            ``any``.
        frame: the grid.

    Raises:
        UnknownRuleError: there is no such rule.
    """
    if ties not in ("none", "only-unclued", "any"):
        raise UnknownRuleError(f"full_rank with ties {ties}")
    if frame.rows != frame.columns and not frame.low:
        raise UnknownRuleError("full_rank of lines of two lengths, with zeros")
    lines = frame.views("left", "top", "right", "bottom")
    for line, rank in clues:
        others = [other for other in lines if other != tuple(line) and len(other) == len(line)]
        shorter = sum(len(other) < len(line) for other in lines)
        cells = tuple(chain.from_iterable(others))
        yield rules.FullRank(tuple(line), rank - shorter, cells, ties=ties == "any")
    if ties == "none":
        for a, b in combinations_with_replacement(
            frame.lines(), 2
        ):  # in the other direction as well
            if len(a) == len(b):
                yield rules.LinesDiffer(a, b[::-1])
                if a != b:
                    yield rules.LinesDiffer(a, b)


def region_run(count: int, arms: Sequence[Cells], *, without_first: bool) -> rules.RegionRun:
    """Return a rule about arms of region cells that begin with the same cell and leave it.

    Raises:
        UnknownRuleError: the arms begin with different cells, or come back.
    """
    if (
        not arms
        or not all(arms)
        or any(arm[0] != arms[0][0] or [*arm].count(arm[0]) != 1 for arm in arms)
    ):
        raise UnknownRuleError("chaos_run of arms that do not begin with the same cell")
    return rules.RegionRun((count,), tuple(chain(*arms)), without_first)


class Automaton(NamedTuple):
    """An automaton of another format.

    Attributes:
        start: the states in which it begins.
        accept: the states in which it may end.
        steps: a state, the value that is read in it, and the next state.
        marks: the states that are reached from a state by the mark between two segments.
        name: its name.
    """

    start: Sequence[int]
    accept: Sequence[int]
    steps: Sequence[tuple[int, int, int]]
    marks: Mapping[int, Iterable[int]] = MappingProxyType({})
    name: str = "automaton"


def line_of(machine: Automaton, segments: Sequence[Cells]) -> rules.Line:
    """Return an automaton that reads segments of cells, and a mark between each two of them."""
    cells = tuple(chain.from_iterable(segments))
    steps, start, accept, marks = machine.steps, machine.start, machine.accept, machine.marks
    if len(segments) == 1:
        return rules.Line(cells, tuple(start), tuple(steps), tuple(accept), machine.name)

    def after_marks(states: Iterable[int], index: int) -> set[int]:
        """Return the states after the marks before the cell at an index."""
        reached = set(states)
        for _ in range(ends.count(index)):
            reached = {after for state in reached for after in marks.get(state, ())}
        return reached

    # Each place on the line has its own states, and the mark is read with the cell before it.
    ends = [*accumulate(map(len, segments))][:-1]
    named = [start, accept, *[(a, b) for a, _, b in steps], *marks.values()]
    size = 1 + max(map(max, named))
    placed = [
        (index * size + state, value, (index + 1) * size + reached)
        for index in range(len(cells))
        for state, value, target in steps
        for reached in after_marks([target], index + 1)
    ]
    last = tuple(len(cells) * size + state for state in accept)
    return rules.Line(cells, tuple(after_marks(start, 0)), tuple(placed), last, machine.name)


def either(branches: Sequence[Iterable[Meaning]]) -> Iterator[Rule]:
    """Yield a rule that one branch holds; an empty branch always holds."""
    conditions = [tuple(map(_in_branch, branch)) for branch in branches]
    if all(conditions):
        yield arrows_named(rules.AnyOf(tuple(conditions)))


def _in_branch(meaning: Meaning) -> Rule:
    match meaning:
        case Unit(cells):
            return rules.Killer(cells)
        case Domain(cells, values):
            return rules.Holds(tuple(cells), tuple(values))
        case _:
            return meaning
