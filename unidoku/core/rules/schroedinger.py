"""Schrödinger cells: cells that hold two digits, one in each row, column and box.

A cell with S-cells holds one of the *contents*: a digit, or a set of two. The values 1 to n of such
a layout are the contents, the digits first, so that solvers, grids and counts know of nothing else.
Rules about numbers are about the value of a cell, the sum of its digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, product
from math import comb
from operator import ne
from typing import Any, ClassVar, Self, TypeAlias

from unidoku.core.bits import bit, bits_of
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, machine_of, machine_of_steps
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Masks,
    Or,
    Pair,
    Relation,
    Sets,
    Sum,
    tabulated,
)
from unidoku.core.rules.base import Facts, Rule, RuleInside, cell_names
from unidoku.core.rules.cages import Arrow, Killer, SameSum, SumOfCells, WeightedSum
from unidoku.core.rules.classes import Parity
from unidoku.core.rules.disjunction import AnyOf
from unidoku.core.rules.equal_sums import DoubleArrow, RegionSum, Zipper
from unidoku.core.rules.fields import Cells, PairsOfCells
from unidoku.core.rules.lines import Renban, SlowThermo, SumLine, Thermo, Whispers
from unidoku.core.rules.marks import Even, Maximum, Minimum, Odd
from unidoku.core.rules.order import Between
from unidoku.core.rules.pairs import DiffersBy, Greater, NonConsecutive, PairSum, Ratio
from unidoku.errors import LayoutError
from unidoku.support.language import message

Content: TypeAlias = tuple[int, ...]
"""The digits of a cell, ascending: one, or two."""

_SUM, _DIGITS = COMPARED = ("sum", "digits")
"""What is compared with another cell: the sum of the digits, or each digit of its own."""

_MOST_DIGITS = 10
"""The most digits: each is written as one symbol."""


@number_cache(maxsize=64)
def contents(digits: int) -> tuple[Content, ...]:
    """Return what a cell may hold: each digit, then each set of two.

    >>> contents(3)
    ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
    """
    return (*((digit,) for digit in range(digits)), *combinations(range(digits), 2))


def values_with(digits: int) -> int:
    """Return how many contents there are of that many digits."""
    return digits + comb(digits, 2)


@dataclass(frozen=True)
class Schroedinger(Rule):
    """Each row, column and box holds each digit once, and has one cell with two digits.

    It belongs to a layout whose values are the contents of cells; the variant ``schroedinger`` is
    one. The rule is about the units of its layout, whichever they are: those of one cell less than
    there are digits hold each digit once, and others repeat none.

    Args:
        digits: the number of digits.
        compared: what rules that compare cells are about: the ``sum`` of the digits, or each of the
            ``digits``.
        groups: the cells of each unit that holds each digit; the layout gives them.
        others: pairs of cells of other units.
    """

    kind: ClassVar[str] = "schroedinger"
    of_variant: ClassVar[bool] = True
    optional: ClassVar[frozenset[str]] = frozenset({"groups", "others"})
    digits: int
    compared: str = _SUM
    groups: Cells = ()
    others: PairsOfCells = ()

    def __post_init__(self) -> None:
        """Refuse digits that have no symbol, and an unknown way to compare."""
        super().__post_init__()
        if not 2 <= self.digits <= _MOST_DIGITS:
            expected = f"2 to {_MOST_DIGITS} digits, each with one symbol"
            raise LayoutError(f"{self.kind}: expected {expected}, got {self.digits}")
        if self.compared not in COMPARED:
            expected = " or ".join(COMPARED)
            raise LayoutError(f"{self.kind}: compared: expected {expected}, got {self.compared!r}")

    def bind(self, facts: Facts) -> Schroedinger:
        """Return the rule with the units of its layout.

        Raises:
            LayoutError: the layout has other values than the contents of these digits.
        """
        if facts.n != values_with(self.digits):
            raise LayoutError(
                f"{self.kind}: expected the variant {self.kind!r}, got a layout of another one"
            )
        if facts.first_value != 0:
            raise LayoutError(
                f"{self.kind}: expected digits from 0 on, got a first value of {facts.first_value}"
            )
        units = [unit.cells for unit in facts.units]
        full = [cells for cells in units if len(cells) == self.digits - 1]
        covered = {pair for cells in full for pair in combinations(cells, 2)}
        pairs = {pair for cells in units for pair in combinations(cells, 2)}
        others = tuple(sorted(pairs - covered))
        return replace(self, groups=tuple(chain(*full)), others=others)

    @property
    def lines(self) -> list[tuple[int, ...]]:
        """The units that hold each digit."""
        each = self.digits - 1
        return [self.groups[index : index + each] for index in range(0, len(self.groups), each)]

    @property
    def separate(self) -> tuple[Pair, ...]:
        """The pairs of cells that have no digit in common."""
        pairs = chain(*(combinations(line, 2) for line in self.lines), self.others)
        return tuple(dict.fromkeys(pairs))

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield cells with a digit in common, and full units that lack a digit."""
        possible = contents(self.digits)
        digits = [set(possible[value - 1]) if value else set() for value in values]
        for a, b in self.separate:
            if digits[a] & digits[b]:
                yield a, b
        for line in self.lines:
            pairs = tuple(cell for cell in line if len(digits[cell]) > 1)
            if len(pairs) > 1:
                yield pairs
            elif all(digits[cell] for cell in line) and not pairs:
                yield line

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield that contents have no digit in common, and machines that count S-cells."""
        if pairs := self.separate:
            yield Relation(_disjoint(self.digits), pairs)
        for line in self.lines:
            yield Automaton(line, _one_of(facts.n, tuple(range(self.digits + 1, facts.n + 1))))
            for digit in range(self.digits):
                codes = [
                    k for k, content in enumerate(contents(self.digits), 1) if digit in content
                ]
                yield Automaton(line, _one_of(facts.n, tuple(codes)))

    def smaller(self) -> Iterator[Self]:
        """Yield nothing: the values of a layout follow from the rule."""
        return iter(())

    def restricted_to(self, cells: Mapping[int, int]) -> Self:
        """Return the rule restricted to these cells; a layout gives it its units again."""
        full = [
            line for line in self.lines if len({cells[c] for c in line if c in cells}) == len(line)
        ]
        covered = {pair for line in full for pair in combinations(line, 2)}
        others = [
            (cells[a], cells[b])
            for a, b in self.separate
            if a in cells and b in cells and cells[a] != cells[b] and (a, b) not in covered
        ]
        groups = tuple(cells[cell] for cell in chain(*full))
        return replace(self, groups=groups, others=tuple(others))

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words, about one unit or some cells if it is about no others."""
        if len(self.lines) == 1 and not self.others:
            return message(
                "{cells} hold the digits 0 to {last}, two of them in one cell",
                cells=cell_names(self.groups, names),
                last=self.digits - 1,
            )
        cells = sorted({*chain(*self.others)})
        if self.others and not self.groups and len(self.others) == comb(len(cells), 2):
            return message("{cells} have no digit in common", cells=cell_names(cells, names))
        return message(
            "each row, column and region holds the digits 0 to {last}, two of them in one cell",
            last=self.digits - 1,
        )

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """The symbol of each content: its digits."""
        return tuple("".join(map(str, content)) for content in contents(self.digits))


def rule_of_s_cells(rules: Sequence[Rule]) -> Schroedinger | None:
    """Return the rule of S-cells among others; None without one."""
    return next((rule for rule in rules if isinstance(rule, Schroedinger)), None)


@dataclass(frozen=True)
class _Values:
    """The facts about a layout whose values are the sums of contents."""

    facts: Facts
    digits: int

    @property
    def n(self) -> int:
        """The number of values: up to the sum of the two largest digits."""
        return 2 * self.digits - 2

    def __getattr__(self, name: str) -> Any:
        """Return a fact that does not depend on values."""
        return getattr(self.facts, name)


@dataclass(frozen=True)
class OfContents(RuleInside):
    """A rule about the values of cells that may hold two digits.

    Args:
        rule: the rule as the puzzle states it.
        digits: the number of digits.
        compared: what is compared of two cells.
    """

    digits: int
    compared: str

    def bind(self, facts: Facts) -> Self:
        """Return the rule with its rule in the form that a layout of values stores."""
        if type(self.rule) not in _KINDS:
            kinds = ", ".join(sorted(kind.kind for kind in _KINDS))
            raise LayoutError(
                f"{self.kind}: has no meaning on a layout with S-cells; expected one of {kinds}"
            )
        return replace(self, rule=self.rule.bind(_Values(facts, self.digits)))

    @property
    def _by_digits(self) -> bool:
        """Whether each digit of a cell has to satisfy the rule, instead of their sum."""
        return self.compared == _DIGITS and isinstance(self.rule, _COMPARING)

    def restricted_to(self, cells: Mapping[int, int]) -> Self | None:
        """Return the rule restricted to these cells; None if nothing is left."""
        rule = self.rule.restricted_to(cells)
        return None if rule is None else replace(self, rule=rule)

    def smaller(self) -> Iterator[Self]:
        """Yield rules whose rule is weaker."""
        return (replace(self, rule=rule) for rule in self.rule.smaller())

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the violations of the rule by the sums of digits, or by each choice of digits."""
        possible = contents(self.digits)
        digits = {cell: possible[values[cell] - 1] for cell in self.cells if values[cell]}
        if isinstance(self.rule, Killer):
            for a, b in combinations(digits, 2):
                if {*digits[a]} & {*digits[b]}:
                    yield a, b
            if self.rule.total is None:
                return
            rule: Rule = SumOfCells(self.rule.cage, self.rule.total)
        else:
            rule = self.rule
        ways = product(*digits.values()) if self._by_digits else [tuple(map(sum, digits.values()))]
        wrong: dict[tuple[int, ...], None] = {}
        for way in ways:
            way_values = [0] * len(values)
            for cell, number in zip(digits, way, strict=True):
                way_values[cell] = number + 1
            wrong |= dict.fromkeys(rule.broken(way_values, first_value))
        yield from wrong

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield the constraints of the rule, read from contents."""
        reading = _Reading(self.digits, self._by_digits)
        rule = self.rule
        if isinstance(rule, Killer):
            cells = tuple(dict.fromkeys(rule.cage))
            if len(cells) > 1:
                yield Relation(_disjoint(self.digits), tuple(combinations(cells, 2)))
            if rule.total is None:
                return
            rule = SumOfCells(rule.cage, rule.total)
        for constraint in rule.constraints(_Values(facts, self.digits)):
            yield reading.read(constraint)


_COMPARING: tuple[type[Rule], ...] = (
    Thermo,
    SlowThermo,
    Whispers,
    Greater,
    DiffersBy,
    Ratio,
    NonConsecutive,
    Minimum,
    Maximum,
    Parity,
    Odd,
    Even,
)
"""The kinds that may be about each digit of a cell instead of the sum."""

_KINDS: frozenset[type[Rule]] = frozenset(
    {
        *_COMPARING,
        Killer,
        SumOfCells,
        Arrow,
        SameSum,
        WeightedSum,
        RegionSum,
        Zipper,
        DoubleArrow,
        SumLine,
        PairSum,
        Renban,
        Between,
    }
)
"""The kinds that have a meaning beside S-cells."""


@dataclass(frozen=True)
class _Reading:
    """Constraints of values as constraints of contents.

    Args:
        digits: the number of digits.
        by_digits: whether each digit has to satisfy a constraint, instead of the sum of a cell.
    """

    digits: int
    by_digits: bool

    @cached_property
    def seen(self) -> tuple[tuple[int, ...], ...]:
        """The values of each content, from 1 on: each digit, or the sum."""
        possible = contents(self.digits)
        numbers = possible if self.by_digits else [(sum(content),) for content in possible]
        return tuple(tuple(number + 1 for number in content) for content in numbers)

    def read(self, constraint: Constraint) -> Constraint:
        """Return a constraint of contents.

        Raises:
            LayoutError: it has no reading; no rule with a meaning beside S-cells has such a one.
        """
        match constraint:
            case Relation(table, pairs):
                return Relation(_relation(self.seen, table), pairs)
            case Sets((cell,), masks):
                return Sets((cell,), tuple(map(bit, self._within(sum(masks)))))
            case Sets(cells, masks):
                differing = Relation(_differing(self.seen), tuple(combinations(cells, 2)))
                return Or(tuple((differing, *self._each_within(cells, mask)) for mask in masks))
            case Sum((cell,), (weight,), low, high):
                fits = [
                    code
                    for code, digits in enumerate(self.seen, start=1)
                    if all(low <= weight * value <= high for value in digits)
                ]
                return Sets((cell,), tuple(map(bit, fits)))
            case Sum(cells, weights, low, high):
                numbers = tuple(digits[0] for digits in self.seen)
                return Automaton(cells, _sum_machine(numbers, weights, low, high))
            case Automaton(cells, machine):
                return Automaton(cells, _machine(tuple(digits[0] for digits in self.seen), machine))
            case Or(branches):
                return Or(tuple(tuple(map(self.read, branch)) for branch in branches))
            case _:
                raise LayoutError(f"S-cells: expected no {constraint.name}")

    def _within(self, mask: int) -> list[int]:
        """Return the contents whose values are all in a set."""
        return [
            code
            for code, digits in enumerate(self.seen, start=1)
            if all(mask >> value - 1 & 1 for value in digits)
        ]

    def _each_within(self, cells: Sequence[int], mask: int) -> Iterator[Constraint]:
        """Yield that each of some cells has a value of a set."""
        singles = tuple(map(bit, self._within(mask)))
        return (Sets((cell,), singles) for cell in cells)


@number_cache(maxsize=16)
def _disjoint(digits: int) -> Masks:
    """Return the table of contents without a common digit."""
    return _tabulated(contents(digits), lambda content, other: not {*content} & {*other})


@number_cache(maxsize=64)
def _one_of(n: int, codes: tuple[int, ...]) -> Machine:
    """Return the machine of lines on which exactly one cell holds one of some contents."""
    counted = {*codes}

    def step(count: int, code: int) -> int | None:
        count += code in counted
        return count if count < 2 else None

    return machine_of_steps(n, 0, step, lambda count: count == 1)


@number_cache(maxsize=256)
def _relation(numbers: tuple[tuple[int, ...], ...], table: Masks) -> Masks:
    """Return a relation of values as one of contents: it holds between any two values of them."""

    def holds(content: tuple[int, ...], other: tuple[int, ...]) -> bool:
        return all(table[a - 1] >> b - 1 & 1 for a, b in product(content, other))

    return _tabulated(numbers, holds)


@number_cache(maxsize=16)
def _differing(numbers: tuple[tuple[int, ...], ...]) -> Masks:
    """Return the table of contents with different values."""
    return _tabulated(numbers, ne)


def _tabulated(numbers: Sequence[tuple[int, ...]], holds: Callable[..., object]) -> Masks:
    """Return the table of a relation between what contents are read as."""
    return tabulated(len(numbers), lambda a, b: holds(numbers[a - 1], numbers[b - 1]))


@number_cache(maxsize=256)
def _sum_machine(
    numbers: tuple[int, ...], weights: tuple[int, ...], low: int, high: int
) -> Machine:
    """Return the machine of lines whose weighted sum is within bounds.

    A state is the number of cells read, and their sum; it has to be able to become one of these.
    """
    least, most = min(numbers), max(numbers)
    ends = [sorted((weight * least, weight * most)) for weight in weights]
    after = [
        tuple(map(sum, zip((0, 0), *ends[index:], strict=True))) for index in range(len(ends) + 1)
    ]

    def step(state: tuple[int, int], code: int) -> tuple[int, int] | None:
        index, total = state
        if index == len(weights):
            return None
        total += weights[index] * numbers[code - 1]
        smallest, largest = after[index + 1]
        return (index + 1, total) if total + smallest <= high and total + largest >= low else None

    return machine_of_steps(len(numbers), (0, 0), step, lambda state: state[0] == len(weights))


@number_cache(maxsize=256)
def _machine(numbers: tuple[int, ...], machine: Machine) -> Machine:
    """Return a machine of values as one that reads contents."""
    states = range(len(machine.steps))
    transitions = [
        (state, code, target)
        for state in states
        for code, value in enumerate(numbers, start=1)
        for target in bits_of(machine.steps[state][value - 1])
    ]
    return machine_of(
        len(numbers),
        bits_of(machine.starts),
        bits_of(machine.accepting),
        transitions,
    )


def beside_s_cells(rules: Sequence[Rule], rule: Schroedinger) -> list[Rule]:
    """Return rules, before they are bound, in the form that they have beside S-cells.

    Each of several squares has the rule of S-cells, which is about the units of the whole layout;
    it stays once.
    """
    alike = rule.digits, rule.compared
    return [
        _of_contents(other, rule)
        for other in rules
        if other is rule
        or not isinstance(other, Schroedinger)
        or (other.digits, other.compared) != alike
    ]


def _of_contents(rule: Rule, s_cells: Schroedinger) -> Rule:
    if isinstance(rule, AnyOf):
        return rule.with_each(lambda inner: _of_contents(inner, s_cells))
    if isinstance(rule, Schroedinger | RuleInside):
        return rule
    return OfContents(rule, s_cells.digits, s_cells.compared)
