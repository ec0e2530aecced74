"""Rules about the values that cells hold: given values, or the values of other cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, Transition, machine_of
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Pair,
    Relation,
    SameValues,
    apart,
)
from unidoku.core.rules.base import Facts, Rule, cell_names, numbers_in
from unidoku.core.rules.cages import within_reach
from unidoku.core.rules.fields import Cells, CellsInOrder, Values
from unidoku.core.rules.marks import EachCell, Even, Odd
from unidoku.core.rules.related import RelatedCells, equal_pairs
from unidoku.support.language import listing, message


@dataclass(frozen=True)
class Holds(EachCell):
    """Each of some cells holds one of some values.

    Args:
        held: the cells.
        values: the values that each of them may hold; all odd ones make it an `odd`, all even ones
            an `even`.
    """

    kind: ClassVar[str] = "holds"
    values: Values

    def bind(self, facts: Facts) -> Rule:
        """Return the rule; if the values are all odd ones or all even ones, by that name."""
        first, n = facts.first_value, facts.n
        numbers = range(first, first + n)
        for kind in (Odd, Even) if n > 2 else ():
            if set(self.values) & {*numbers} == {v for v in numbers if v % 2 == kind.remainder}:
                return kind(self.held)
        return self

    def allows(self, value: int) -> bool:
        """Return whether a value is one of them."""
        return value in self.values

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        is_single = len(set(self.held)) == 1
        values = listing(sorted(set(self.values)), "or")
        return message(
            "{cells} holds {values}" if is_single else "{cells} hold {values}",
            cells=cell_names(self.held, names),
            values=values or message("nothing"),
        )


@dataclass(frozen=True)
class SameMultiset(Rule):
    """Two groups of cells hold the same values, each equally often.

    Args:
        held: the cells of the first group, each once.
        other: the cells of the second group, of the same number.
    """

    kind: ClassVar[str] = "same-values"
    sentence: ClassVar[str] = "{cells} hold the same values as {others}"
    each_once: ClassVar[bool] = True
    same_size: ClassVar[bool] = True
    held: Cells
    other: Cells

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield all cells if one group has more of a value than the other can match."""
        groups = (self.held, self.other)
        first, second = (Counter(values[c] for c in group if values[c]) for group in groups)
        for counts, others, cells in ((first, second, self.other), (second, first, self.held)):
            if (counts - others).total() > sum(not values[cell] for cell in cells):
                yield self.cells
                return

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield that both groups hold the same values."""
        yield SameValues(self.held, self.other)


@dataclass(frozen=True)
class Clone(RelatedCells):
    """Two groups of cells hold the same values cell by cell.

    Args:
        held: the cells of the first group, in order.
        other: the cells of the second group, in the same order.
    """

    kind: ClassVar[str] = "clone"
    sentence: ClassVar[str] = "{cells} are the same as {others}, cell by cell"
    same_size: ClassVar[bool] = True
    held: CellsInOrder
    other: CellsInOrder

    def related_pairs(self) -> Iterator[Pair]:
        """Yield the cells that are equal."""
        return ((a, b) for a, b in zip(self.held, self.other, strict=True) if a != b)

    def holds(self, a: int, b: int) -> bool:
        """Return whether the values are equal."""
        return a == b


@dataclass(frozen=True)
class Lunchbox(Rule):
    """Cells differ, and the cells between the smallest and the largest of them sum to a total.

    Args:
        line: the cells in order.
        total: the sum of the cells between these two, 0 if there are none.
    """

    kind: ClassVar[str] = "lunchbox"
    sentence: ClassVar[str] = (
        "{cells} differ, and between the smallest and the largest of them they sum to {total}"
    )
    fewest: ClassVar[int] = 2
    each_once: ClassVar[bool] = True
    line: CellsInOrder
    total: int

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield cells that are equal, and all cells if they are filled and the sum is wrong."""
        yield from equal_pairs(values, self.line)
        if numbers := numbers_in(self.line, values, first_value):
            first, last = sorted(map(numbers.index, (min(numbers), max(numbers))))
            if sum(numbers[first + 1 : last]) != self.total:
                yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield that the cells differ, and an automaton that guesses the two values."""
        yield Relation(apart(facts.n), tuple(combinations(self.line, 2)))
        total = within_reach(self.total, self.line, facts)
        machine = _lunchbox(facts.n, len(self.line), total, facts.first_value)
        yield Automaton(self.line, machine)


@number_cache(maxsize=256)
def _lunchbox(n: int, size: int, total: int, first_value: int) -> Machine:
    """Return a machine that accepts lines whose values between the extremes sum to a total.

    The ends are the smallest and the largest value, in either order. The machine guesses them
    first; pairs of ends with fewer values between them than the line has other cells are left out.

    Args:
        n: the number of values.
        size: number of cells of the line.
        total: sum of the displayed values between the ends.
        first_value: the displayed value of the internal value 1.
    """
    names: dict[tuple[int, ...], int] = {}
    starts: list[int] = []
    ends: list[int] = []
    steps: list[Transition] = []

    def state(*key: int) -> int:
        return names.setdefault(key, len(names))

    before, after = -1, -2
    for low, high in combinations(range(1, n + 1), 2):
        between = [(value, value + first_value - 1) for value in range(low + 1, high)]
        if high - low < size - 1 or total > (size - 2) * (high + first_value - 2):
            continue
        sums = _sums_within(total, [number for _, number in between])
        if total not in sums:
            continue
        starts.append(state(low, high, before))
        ends.append(state(low, high, after))
        for value in range(low + 1, high):
            for phase in (before, after):
                steps.append((state(low, high, phase), value, state(low, high, phase)))
        for first, last in ((low, high), (high, low)):
            # The state between the ends contains the end that was read and the sum so far.
            steps.append((state(low, high, before), first, state(low, high, first, 0)))
            steps.append((state(low, high, first, total), last, state(low, high, after)))
            for subtotal in sums:
                for value, number in between:
                    if subtotal + number in sums:
                        inside = (
                            state(low, high, first, subtotal),
                            state(low, high, first, subtotal + number),
                        )
                        steps.append((inside[0], value, inside[1]))
    return machine_of(n, starts, ends, steps)


def _sums_within(total: int, values: Sequence[int]) -> set[int]:
    """Return the sums of values, some of them several times, that others make up to a total."""
    sums = {0} if total >= 0 else set()
    todo = [*sums]
    while todo:
        further = {todo[-1] + value for value in values if todo[-1] + value <= total}
        todo = [*todo[:-1], *(further - sums)]
        sums |= further
    return {subtotal for subtotal in sums if total - subtotal in sums}
