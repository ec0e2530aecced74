"""Rules about how often values occur, and about the number of different values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from unidoku.core.bits import bit
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, machine_of_steps
from unidoku.core.constraints.primitives import Automaton, Constraint, Sets, Sum
from unidoku.core.names import HiddenCell
from unidoku.core.rules.base import Facts, Rule, cell_names
from unidoku.core.rules.fields import Cells
from unidoku.support.language import Message, message


@dataclass(frozen=True)
class CountingCircles(Rule):
    """A value in a circle is in exactly that many circles.

    Args:
        circles: the cells with a circle.
    """

    kind: ClassVar[str] = "counting-circles"
    sentence: ClassVar[str] = "each value v in {cells} occurs there v times"
    circles: Cells

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the circles of a value of which there are too many, or can no longer be enough."""
        empty = sum(not values[cell] for cell in self.circles)
        for value in sorted({values[cell] for cell in self.circles if values[cell]}):
            cells = tuple(cell for cell in self.circles if values[cell] == value)
            if not len(cells) <= value + first_value - 1 <= len(cells) + empty:
                yield cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield for each value an automaton that counts it."""
        for value in range(1, facts.n + 1):
            times = value + facts.first_value - 1
            most = times if times <= len(self.circles) else 0
            yield Automaton(self.circles, _so_often(facts.n, value, most))

    def auxiliary_domains(self, facts: Facts) -> tuple[int, ...]:
        """Return a cell for each possible value, which states whether the value occurs."""
        return (_ABSENT | _THERE,) * len(self._values(facts)) if facts.n > 1 else ()

    def with_auxiliary(self, facts: Facts, cells: tuple[int, ...]) -> Rule:
        """Return the rule with these cells."""
        return _Counted(self.circles, cells)

    def _values(self, facts: Facts) -> range:
        """Return the values that this number of circles may hold."""
        shift = facts.first_value - 1
        return range(max(1, 1 - shift), min(facts.n, len(self.circles) - shift) + 1)


_ABSENT, _THERE = 1, 2
"""The values of a hidden cell: whether a value is in a circle."""

_IN_CIRCLES = Message("in no circle"), Message("in a circle")
"""The same in words."""


@dataclass(frozen=True)
class _Counted(CountingCircles):
    """The rule with hidden cells that state which values occur in the circles.

    The values that occur sum to the number of circles, a constraint that needs these cells.

    Args:
        flags: a hidden cell for each possible value.
    """

    flags: Cells

    def auxiliary_domains(self, facts: Facts) -> tuple[int, ...]:
        """Return no further cells: the rule has them."""
        return ()

    def hidden_cells(self, facts: Facts, names: Sequence[str]) -> Mapping[int, HiddenCell]:
        """Return that the cells hold whether a value is in a circle."""
        circles = cell_names(self.circles, names)
        return {
            flag: HiddenCell(
                message("whether {value} is in one of {cells}", value=value, cells=circles),
                str(value),
                tuple(map(str, _IN_CIRCLES)),
            )
            for value, flag in enumerate(self.flags, start=max(facts.first_value, 1))
        }

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield circles that break the rule, and the flag and circles where these disagree."""
        yield from super().broken(values, first_value)
        circled = {values[cell] for cell in self.circles}
        for value, flag in enumerate(self.flags, start=max(1, 2 - first_value)):
            flagged = values[flag]
            absent = value not in circled and 0 not in circled
            lies = (flagged == _ABSENT and value in circled) or (flagged == _THERE and absent)
            if lies or flagged not in (0, _ABSENT, _THERE):
                yield (flag, *dict.fromkeys(self.circles))

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton for each value, and the sum."""
        shift, values = facts.first_value - 1, self._values(facts)
        for flag, value in zip(self.flags, values, strict=True):
            machine = _so_often(facts.n, value, value + shift, is_flagged=True)
            yield Automaton((flag, *self.circles), machine)
        fits = tuple(bit(value) for value in values)
        yield from (Sets((cell,), fits) for cell in self.circles)
        terms = [(flag, value + shift) for flag, value in zip(self.flags, values, strict=True)]
        total = len(self.circles) + sum(times for _, times in terms)
        yield Sum.of(terms, total, total)


@number_cache(maxsize=256)
def _so_often(n: int, wanted: int, times: int, *, is_flagged: bool = False) -> Machine:
    """Return a machine that accepts lines with a value ``times`` times, or never.

    Args:
        n: the number of values.
        wanted: the value.
        times: the number of times.
        is_flagged: whether the line begins with a cell that states which of the two is so:
            `_THERE` or `_ABSENT`.
    """
    before = -1

    def step(remaining: int, value: int) -> int | None:
        if remaining == before:
            return {_ABSENT: 0, _THERE: times}.get(value)
        if value != wanted:
            return remaining
        return remaining - 1 if remaining else None

    if is_flagged:
        return machine_of_steps(n, before, step, lambda remaining: remaining == 0)

    def count(count_so_far: int, value: int) -> int | None:
        count_so_far += value == wanted
        return count_so_far if count_so_far <= times else None

    return machine_of_steps(n, 0, count, lambda count: count in (0, times))


@dataclass(frozen=True)
class CountDistinct(Rule):
    """A cell holds the number of different values in other cells.

    Args:
        number: the cell that holds the number.
        counted: the other cells.
    """

    kind: ClassVar[str] = "count-distinct"
    sentence: ClassVar[str] = "{cells} is the number of different values in {others}"
    single: ClassVar[frozenset[str]] = frozenset(["number"])
    number: Cells
    counted: Cells

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield all cells if there are too many values, or can no longer be enough."""
        (number,) = self.number
        cell_values = [values[cell] for cell in self.counted]
        distinct = len({value for value in cell_values if value})
        most = distinct + cell_values.count(0)
        if values[number] and not distinct <= values[number] + first_value - 1 <= most:
            yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton that reads the number, then collects the values."""
        machine = _distinct(facts.n, facts.first_value, min(len(self.counted), facts.n))
        yield Automaton((*self.number, *self.counted), machine)


@number_cache(maxsize=64)
def _distinct(n: int, first_value: int, most: int) -> Machine:
    start = -1, 0

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        remaining, seen = state
        if state == start:
            number = value + first_value - 1
            return (number, 0) if 0 <= number <= most else None
        if seen >> value & 1:
            return state
        return (remaining - 1, seen | 1 << value) if remaining else None

    return machine_of_steps(n, start, step, lambda state: state[0] == 0)
