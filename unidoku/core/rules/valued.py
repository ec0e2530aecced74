"""Rules of sums on a layout with doublers: they count the values of cells, not their digits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Any, Self, TypeAlias

from unidoku.core.bits import all_values
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, machine_of_steps
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Relation,
    Sets,
    Sum,
    Table,
    apart,
)
from unidoku.core.names import HiddenCell
from unidoku.core.rules.base import Facts, Rule, RuleInside
from unidoku.core.rules.cages import (
    SIGNS,
    Arrow,
    Killer,
    SameSum,
    SumOfCells,
    WeightedSum,
    within_reach,
)
from unidoku.core.rules.disjunction import AnyOf
from unidoku.core.rules.doubler import MULTIPLIED, PLAIN, Doubler
from unidoku.core.rules.equal_sums import AmbiguousArrow, DoubleArrow, RegionSum, Zipper
from unidoku.core.rules.fields import Cells
from unidoku.core.rules.lines import SumLine
from unidoku.core.rules.outside import Battlefield, Sandwich, XSum
from unidoku.core.rules.pairs import PairSum
from unidoku.core.rules.schroedinger import OfContents
from unidoku.core.rules.sum_machines import SandwichSteps, State, SumLineSteps, SumSteps, XSumSteps
from unidoku.errors import LayoutError
from unidoku.support.language import message

Equation: TypeAlias = tuple[Sequence[tuple[int, int]], str, int]
"""Terms, each a cell and its weight; a sign of `SIGNS`; and the number on the other side."""

Row: TypeAlias = tuple[int, ...]


def counting_values(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return rules in the form that they have beside each other: sums count values of doublers.

    Raises:
        LayoutError: there are two rules of doublers, or one in a branch that needs hidden cells.
    """
    doublers = [rule for rule in rules if isinstance(rule, Doubler)]
    if len(doublers) > 1:
        raise LayoutError("doubler: expected one such rule, got two")
    if not doublers and not any(isinstance(rule, Valued | AnyOf) for rule in rules):
        return tuple(rules)
    return tuple([_valued(rule, doublers[0] if doublers else None) for rule in rules])


def _valued(rule: Rule, doubler: Doubler | None) -> Rule:
    if isinstance(rule, _Adding | OfContents):  # on an expanded layout, or beside S-cells
        return rule
    if isinstance(rule, AnyOf):
        if any(isinstance(inner, Doubler) and not inner.marks for inner in rule.rules):
            raise LayoutError("doubler: expected a rule of its own, got it in a branch of any-of")
        return rule.with_each(lambda inner: _valued(inner, doubler))
    stated = as_stated(rule)
    counts = type(stated) in _BROKEN and getattr(stated, "total", 0) is not None
    if doubler is None or not counts:
        return stated
    held = tuple(cell for cell in stated.cells if cell in doubler.mark_of)
    marks = tuple(doubler.mark_of[cell] for cell in held)
    return Valued(stated, held, marks, doubler.factor, doubler.noun) if held else stated


def as_stated(rule: Rule) -> Rule:
    """Return a rule as a puzzle states it, without what doublers make of it."""
    if isinstance(rule, RuleInside):
        return rule.rule
    if isinstance(rule, AnyOf):
        return rule.with_each(as_stated)
    return rule


@dataclass(frozen=True)
class Valued(RuleInside):
    """A rule of a sum that counts a multiple of the digits of some cells.

    It exists on layouts with doublers only.

    Args:
        rule: the rule as the puzzle states it.
        held: its cells that may be doublers.
        marks: the cells that state which of them are.
        factor: how often a doubler counts.
        noun: what a doubler is called.
    """

    held: Cells
    marks: Cells
    factor: int
    noun: str

    def __post_init__(self) -> None:
        """Refuse parts of a line that may shrink again: they have no machine."""
        super().__post_init__()
        if isinstance(self.rule, SumLine) and self.factor < 0:
            raise LayoutError(f"{self.kind}: expected doublers with a factor from 0 on")

    @cached_property
    def _mark_of(self) -> Mapping[int, int]:
        """The mark of each cell that may be a doubler."""
        return dict(zip(self.held, self.marks, strict=True))

    @property
    def _own_cells(self) -> tuple[int, ...]:
        """The cells of the rule, and their marks."""
        return tuple(dict.fromkeys((*self.rule.cells, *self.marks)))

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells of the rule, and their marks."""
        return self._own_cells

    def bind(self, facts: Facts) -> Self:
        """Return the rule with its rule in the form that a layout stores."""
        return replace(self, rule=self.rule.bind(facts))

    def restricted_to(self, cells: Mapping[int, int]) -> Self | None:
        """Return the rule restricted to these cells; None if marks of its cells are missing."""
        rule = self.rule.restricted_to(cells)
        if rule is None:
            return None
        inside = {*rule.cells}
        pairs = [
            (c, m) for c, m in zip(self.held, self.marks, strict=True) if cells.get(c) in inside
        ]
        if not pairs or any(mark not in cells for _, mark in pairs):
            return None
        held, marks = (tuple(cells[cell] for cell in part) for part in zip(*pairs, strict=True))
        return replace(self, rule=rule, held=held, marks=marks)

    def smaller(self) -> Iterator[Self]:
        """Yield the same of each weaker rule of the sum, with the marks of its cells."""
        for rule in self.rule.smaller():
            if held := tuple(cell for cell in self.held if cell in rule.cells):
                marks = tuple(self._mark_of[cell] for cell in held)
                yield replace(self, rule=rule, held=held, marks=marks)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        twice = self.factor == 2
        times = message("twice") if twice else message("{factor} times", factor=self.factor)
        text = "{rule}, where a {noun} counts {times}"
        return message(text, rule=self.rule.words(names), noun=message(self.noun), times=times)

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield equal digits of a cage; and all cells if they are filled and the sum is wrong."""
        if isinstance(self.rule, Killer):
            yield from Killer(self.rule.cage).broken(values, first_value)
        if not all(values[cell] for cell in self._own_cells):
            return
        digits = {cell: values[cell] + first_value - 1 for cell in self.rule.cells}
        doubled = {cell for cell, mark in self._mark_of.items() if values[mark] == MULTIPLIED}
        counted = {
            cell: value * self.factor if cell in doubled else value
            for cell, value in digits.items()
        }
        if _BROKEN[type(self.rule)](self.rule, digits, counted, first_value):
            yield self._own_cells

    @property
    def adding(self) -> Mapping[int, int]:
        """The cell of each hidden cell, which holds its digit if it is a doubler, otherwise 1."""
        return {}

    @property
    def needs_auxiliary(self) -> bool:
        """Whether it has constraints only with a hidden cell for what each cell adds."""
        return isinstance(self.rule, _LINEAR)

    def auxiliary_domains(self, facts: Facts) -> tuple[int, ...]:
        """Return a hidden cell for each cell that may be a doubler; see `adding`."""
        return (all_values(facts.n),) * len(self.held) if self.needs_auxiliary else ()

    def with_auxiliary(self, facts: Facts, cells: tuple[int, ...]) -> Rule:
        """Return the rule with these cells."""
        return _Adding(self.rule, self.held, self.marks, self.factor, self.noun, cells)

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield tables of pairs of cells, or a machine that reads each mark before its cell."""
        mark_of = self._mark_of
        if isinstance(self.rule, PairSum):
            for pair in self.rule.pairs:
                marked = tuple(cell in mark_of for cell in pair)
                cells = (*pair, *(mark_of[cell] for cell in pair if cell in mark_of))
                arguments = (facts.n, facts.first_value, self.factor, marked)
                yield Table(cells, _pairs(*arguments, self.rule.total, self.rule.never))
            return
        line: tuple[int, ...] = getattr(self.rule, "line", ())
        read = tuple(chain(*((mark_of[c], c) if c in mark_of else (c,) for c in line)))
        marked = tuple(cell in mark_of for cell in line)
        ways = [
            Automaton(read, _marked(facts.n, facts.first_value, self.factor, marked, steps))
            for steps in _ways(self.rule, self.factor, facts)
        ]
        yield _either(ways)


@dataclass(frozen=True)
class _Adding(Valued):
    """The rule with hidden cells for what doublers add.

    Args:
        added: for each of the cells that may be doublers, its digit if it is one; otherwise 1.
    """

    needs_auxiliary = False
    added: Cells = ()

    @property
    def adding(self) -> Mapping[int, int]:
        """The cell of each hidden cell."""
        return dict(zip(self.added, self.held, strict=True))

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells of the rule, their marks, and what they add."""
        return (*self._own_cells, *self.added)

    def hidden_cells(self, facts: Facts, names: Sequence[str]) -> Mapping[int, HiddenCell]:
        """Return that the cells hold what doublers add to their digits."""
        noun, numbers = message(self.noun), range(facts.first_value, facts.first_value + facts.n)
        plain = message("no {noun}, or one with {value}", noun=noun, value=numbers[0])
        others = [message("a {noun} with {value}", noun=noun, value=value) for value in numbers[1:]]
        text = "{cell} as a {noun} in {first}-{last}"
        ends = {"first": names[self.rule.cells[0]], "last": names[self.rule.cells[-1]]}
        return {
            added: HiddenCell(
                message(text, noun=noun, cell=names[cell], **ends), names[cell], (plain, *others)
            )
            for added, cell in self.adding.items()
        }

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield violations, and hidden cells that do not hold what a doubler adds."""
        yield from super().broken(values, first_value)
        for cell, mark, added in zip(self.held, self.marks, self.added, strict=True):
            has_values = values[mark] and values[cell] and values[added]
            if has_values and values[added] != (values[cell] if values[mark] == MULTIPLIED else 1):
                yield cell, mark, added

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield what each doubler adds, the sums with it, and that the cells of a cage differ."""
        rows = _added(facts.n)
        adding = list(zip(self.held, self.marks, self.added, strict=True))
        yield from (Table((mark, cell, added), rows) for cell, mark, added in adding)
        if isinstance(self.rule, Killer):
            pairs = tuple(combinations(dict.fromkeys(self.rule.cage), 2))
            if pairs:
                yield Relation(apart(facts.n), pairs)
        of = {cell: (mark, added) for cell, mark, added in adding}
        branches = [
            (*given, self._within(facts, of, terms, _SIGN_BOUNDS[sign](total)))
            for given, (terms, sign, total) in _equations(self.rule, facts)
        ]
        if isinstance(self.rule, AmbiguousArrow | Battlefield):
            yield Or(tuple(branches))
        else:
            yield from chain(*branches)

    def _within(
        self,
        facts: Facts,
        of: Mapping[int, tuple[int, int]],
        terms: Sequence[tuple[int, int]],
        bounds: Sequence[tuple[int | None, int | None]],
    ) -> Constraint:
        """Return that the weighted values are within one of the bounds.

        A doubler counts (factor - 1) times its digit more. The hidden cell plus the first value
        times the mark, less 1 and the first value, is the digit of a doubler, and 0 for others.
        """
        first = facts.first_value
        weighted: list[tuple[int, int]] = []
        offset = 0
        least = most = 0
        for cell, weight in terms:
            weighted.append((cell, weight))
            offset += weight * (1 - first)
            extra = weight * (self.factor - 1) if cell in of else 0
            if extra:
                mark, added = of[cell]
                weighted += [(added, extra), (mark, extra * first)]
                offset += extra * (1 + first)
            ends = [weight * value for value in (first, first + facts.n - 1)]
            ends += [weight * self.factor * value for value in (first, first + facts.n - 1)]
            least, most = least + min(ends), most + max(ends)
        return _either(
            [
                Sum.of(
                    weighted,
                    (min(least, high or 0) if low is None else low) + offset,
                    (max(most, low or 0) if high is None else high) + offset,
                )
                for low, high in bounds
            ]
        )


def _either(ways: Sequence[Constraint]) -> Constraint:
    """Return that one of some constraints holds."""
    return ways[0] if len(ways) == 1 else Or(tuple((way,) for way in ways))


_SIGN_BOUNDS: Mapping[str, Callable[[int], Sequence[tuple[int | None, int | None]]]] = {
    "=": lambda total: [(total, total)],
    "<=": lambda total: [(None, total)],
    ">=": lambda total: [(total, None)],
    "!=": lambda total: [(None, total - 1), (total + 1, None)],
}
"""The bounds of a sum, of which one has to hold, by the sign; None for no bound."""
assert _SIGN_BOUNDS.keys() == SIGNS.keys()

_LINEAR = (
    *(Killer, SumOfCells, Arrow, SameSum, WeightedSum),
    *(RegionSum, Zipper, DoubleArrow, AmbiguousArrow, Battlefield),
)
"""The kinds that are sums of weighted cells."""


def _equations(rule: Rule, facts: Facts) -> Iterator[tuple[tuple[Sets, ...], Equation]]:
    """Yield the sums of a rule: all hold, or if they have sets of values, one with its sets."""
    match rule:
        case Killer(cage=cells, total=int(total)) | SumOfCells(summed=cells, total=total):
            yield (), ([(cell, 1) for cell in cells], "=", total)
        case Arrow(circle=circle, shaft=shaft):
            tens = [(cell, -(10**place)) for place, cell in enumerate(reversed(circle))]
            yield (), ([*tens, *((cell, 1) for cell in shaft)], "=", 0)
        case SameSum(summed=summed, other=other):
            yield (), _equal(summed, other)
        case WeightedSum(summed=cells, weights=weights, sign=sign, total=total):
            yield (), ([*zip(cells, weights, strict=True)], sign, total)
        case RegionSum() | Zipper() | DoubleArrow():
            for group, other in combinations(rule.groups(), 2):
                yield (), _equal(group, other)
        case AmbiguousArrow(ways=ways):
            for cell, others in ways:
                yield (), _equal(others, (cell,))
        case Battlefield(total=total):
            for ends, cells in rule.fields(facts):
                yield ends, ([(cell, 1) for cell in cells], "=", total)


def _equal(cells: Sequence[int], others: Sequence[int]) -> Equation:
    """Return that two groups of cells have the same sum."""
    return [*((cell, 1) for cell in cells), *((cell, -1) for cell in others)], "=", 0


@number_cache(maxsize=64)
def _added(n: int) -> tuple[Row, ...]:
    """Return the rows of a mark, a digit, and what the cell adds."""
    plain = [(PLAIN, digit, 1) for digit in range(1, n + 1)]
    return (*plain, *((MULTIPLIED, digit, digit) for digit in range(1, n + 1)))


@number_cache(maxsize=256)
def _pairs(
    n: int, first: int, factor: int, marked: tuple[bool, bool], total: int, never: bool
) -> tuple[Row, ...]:
    """Return the rows of two digits and the marks that they have, whose values sum to a total."""
    shift = first - 1
    times = [((PLAIN, 1), (MULTIPLIED, factor)) if has else ((0, 1),) for has in marked]
    return tuple(
        sorted(
            (a, b, *(mark for mark in (mark_a, mark_b) if mark))
            for a in range(1, n + 1)
            for b in range(1, n + 1)
            for mark_a, by in times[0]
            for mark_b, times_b in times[1]
            if ((a + shift) * by + (b + shift) * times_b == total) != never
        )
    )


def _ways(rule: Rule, factor: int, facts: Facts) -> list[SumSteps]:
    """Return the machines of a line, one of which accepts it: a loop may begin inside a part."""
    assert isinstance(rule, SumLine | XSum | Sandwich)
    total = within_reach(rule.total, rule.line, facts, times=max(factor, 1))
    shrinks = factor < 0
    match rule:
        case SumLine(loop=loop):
            begins = range(total if loop else 1)
            return [SumLineSteps(total=total, begin=begin, has_zero=True) for begin in begins]
        case XSum(line=line):
            return [XSumSteps(total=total, shrinks=shrinks, longest=len(line))]
        case Sandwich(high=high):
            crusts = (facts.first_value, high or 0)
            return [SandwichSteps(total=total, shrinks=shrinks, crusts=crusts)]


@number_cache(maxsize=256)
def _marked(n: int, first: int, factor: int, marked: tuple[bool, ...], steps: SumSteps) -> Machine:
    """Return the machine of a line in which a mark comes before each cell that has one.

    Its state is the number of cells read, if that matters, how often the next one counts, and the
    state of the machine that reads digits.
    """
    counts_cells = not all(marked) or steps.shrinks

    def step(
        state: tuple[int, int | None, State], value: int
    ) -> tuple[int, int | None, State] | None:
        index, times, inner = state
        if counts_cells and index == len(marked):
            return None
        if times is None and (not counts_cells or marked[index]):
            by = {PLAIN: 1, MULTIPLIED: factor}.get(value)
            return None if by is None else (index, by, inner)
        digit = value + first - 1
        after = steps.step(inner, digit, digit * (1 if times is None else times))
        return None if after is None else (index + counts_cells, None, after)

    return machine_of_steps(
        n,
        (0, None, steps.start),
        step,
        lambda state: (
            state[1] is None
            and (not counts_cells or state[0] == len(marked))
            and steps.accepts(state[2])
        ),
    )


def _own_definition(
    rule: Rule, digits: Mapping[int, int], counted: Mapping[int, int], first: int
) -> bool:
    """Return whether a rule is broken by its own definition if cells hold what they count."""
    base = min(counted.values())
    values = [counted.get(cell, base) - base + 1 for cell in range(max(counted) + 1)]
    return any(True for _ in rule.broken(values, base))


def _cage(rule: Killer, digits: Mapping[int, int], counted: Mapping[int, int], first: int) -> bool:
    return sum(counted[cell] for cell in rule.cage) != rule.total


def _sandwich(
    rule: Sandwich, digits: Mapping[int, int], counted: Mapping[int, int], first: int
) -> bool:
    """Return whether the crusts, which are digits, are not two or have another sum between them."""
    crusts = [index for index, cell in enumerate(rule.line) if digits[cell] in (first, rule.high)]
    if len(crusts) != 2:
        return True
    return sum(counted[cell] for cell in rule.line[crusts[0] + 1 : crusts[1]]) != rule.total


def _x_sum(rule: XSum, digits: Mapping[int, int], counted: Mapping[int, int], first: int) -> bool:
    """Return whether as many cells as the first digit says have another sum of values."""
    size = digits[rule.line[0]]
    inside = 1 <= size <= len(rule.line)
    return not inside or sum(counted[cell] for cell in rule.line[:size]) != rule.total


def _battlefield(
    rule: Battlefield, digits: Mapping[int, int], counted: Mapping[int, int], first: int
) -> bool:
    """Return whether what its two ends, which are digits, share or leave has another sum."""
    length = len(rule.line)
    begin, end = sorted((digits[rule.line[0]], length - digits[rule.line[-1]]))
    inside = begin >= 0 and end <= length
    return not inside or sum(counted[cell] for cell in rule.line[begin:end]) != rule.total


_BROKEN: Mapping[type[Rule], Callable[[Any, Mapping[int, int], Mapping[int, int], int], bool]] = {
    **dict.fromkeys((*_LINEAR, PairSum, SumLine), _own_definition),
    Killer: _cage,
    Sandwich: _sandwich,
    XSum: _x_sum,
    Battlefield: _battlefield,
}
"""The kinds that count values, and whether they are broken by digits and values of their cells."""
