"""Rules about cells that an automaton reads in order, and about places on a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from unidoku.core.bits import bit
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, machine_of_steps
from unidoku.core.constraints.primitives import Automaton, Constraint, Sets
from unidoku.core.rules.base import Facts, Rule, cell_names
from unidoku.core.rules.contents import table_where
from unidoku.core.rules.fields import Cells, CellsInLine, CellsInOrder, Values
from unidoku.support.language import listing, message


@dataclass(frozen=True)
class Between(Rule):
    """The values along a line are strictly between the values of its ends.

    Args:
        line: the cells in order, with the ends first and last.
    """

    kind: ClassVar[str] = "between"
    fewest: ClassVar[int] = 2
    line: CellsInOrder

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the ends and a cell that is not between them."""
        first, *inside, last = self.line
        for cell in inside:
            if values[first] and values[last] and values[cell]:
                low, high = sorted((values[first], values[last]))
                if not low < values[cell] < high:
                    yield first, cell, last

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton that reads the ends first."""
        first, *inside, last = self.line
        yield Automaton((first, last, *inside), _between(facts.n))

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        first, *inside, last = self.line
        text = "nothing is between {cell} and {other}"
        if len(inside) == 1:
            text = "{cells} is between {cell} and {other}"
        elif inside:
            text = "{cells} are between {cell} and {other}"
        cells = cell_names(inside, names)
        return message(text, cells=cells, cell=names[first], other=names[last])


@number_cache(maxsize=64)
def _between(n: int) -> Machine:
    return _of_ends(n, lambda a, b: True, lambda a, b, v: min(a, b) < v < max(a, b))


@dataclass(frozen=True)
class Lockout(Rule):
    """The ends of a line differ by at least a number; no other value is between or equals them.

    Args:
        line: the cells in order, with the ends first and last.
        least: the smallest difference of the ends.
    """

    kind: ClassVar[str] = "lockout"
    fewest: ClassVar[int] = 2
    line: CellsInOrder
    least: int = 4

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the ends if they are too close, and cells that are between them."""
        first, *inside, last = self.line
        if values[first] and values[last]:
            low, high = sorted((values[first], values[last]))
            if high - low < self.least:
                yield first, last
            for cell in inside:
                if values[cell] and low <= values[cell] <= high:
                    yield first, cell, last

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton that reads the ends first."""
        first, *inside, last = self.line
        yield Automaton((first, last, *inside), _lockout(facts.n, self.least))

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        first, *inside, last = self.line
        text = "{cell} and {other} differ by at least {least}"
        ends = message(text, cell=names[first], other=names[last], least=self.least)
        if not inside:
            return ends
        text = (
            "{ends}, and {cells} is not from one of them to the other"
            if len(inside) == 1
            else "{ends}, and {cells} are not from one of them to the other"
        )
        return message(text, ends=ends, cells=cell_names(inside, names))


@number_cache(maxsize=64)
def _lockout(n: int, least: int) -> Machine:
    return _of_ends(
        n, lambda a, b: abs(a - b) >= least, lambda a, b, v: not min(a, b) <= v <= max(a, b)
    )


def _of_ends(
    n: int, ends: Callable[[int, int], bool], inside: Callable[[int, int, int], bool]
) -> Machine:
    """Return a machine that reads two ends and then other values on the required side of them."""

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        match state:
            case (a, b):
                return state if inside(a, b, value) else None
            case (a,):
                return (a, value) if ends(a, value) else None
            case _:
                return (value,)

    return machine_of_steps(n, (), step, lambda state: len(state) == 2)


@dataclass(frozen=True)
class NoThreeEqual(Rule):
    """No three neighbours along a line hold the same value.

    Args:
        line: the cells in order.
    """

    kind: ClassVar[str] = "no-three-equal"
    sentence: ClassVar[str] = "no three neighbours along {cells} hold the same"
    line: CellsInLine

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield three neighbours with the same value."""
        for three in zip(self.line, self.line[1:], self.line[2:], strict=False):
            a, b, c = (values[cell] for cell in three)
            if a and a == b == c:
                yield three

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton whose state is the last value and how often it repeated."""
        yield Automaton(self.line, _no_three_equal(facts.n))


@number_cache(maxsize=64)
def _no_three_equal(n: int) -> Machine:
    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        last, times = state
        if value != last:
            return value, 1
        return (value, 2) if times < 2 else None

    return machine_of_steps(n, (0, 0), step, lambda state: True)


@dataclass(frozen=True)
class LinesDiffer(Rule):
    """Two lines do not hold the same values in the same order.

    Args:
        line: the cells of the first line.
        other: the cells of the second line, of the same number.
    """

    kind: ClassVar[str] = "lines-differ"
    sentence: ClassVar[str] = "{cells} differ from {others}"
    same_size: ClassVar[bool] = True
    line: CellsInOrder
    other: CellsInOrder

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield all cells if both lines are full and the same."""
        for cell, other in zip(self.line, self.other, strict=True):
            if not values[cell] or values[cell] != values[other]:
                return
        yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton that reads the cells of both lines in turn, unless units say as much.

        They do if two cells in the same place see each other, or if the lines cross in different
        places and are units: the same values would be in one of them twice.
        """
        if not (facts.units and self._units_say_as_much(facts.peers)):
            cells = chain.from_iterable(zip(self.line, self.other, strict=True))
            yield Automaton(tuple(cells), _lines_differ(facts.n))

    def _units_say_as_much(self, peers: Sequence[frozenset[int]]) -> bool:
        line, other = self.line, self.other
        for a, b in zip(line, other, strict=True):
            if a < len(peers) and b in peers[a]:  # hidden cells have none
                return True
        for cell in {*line}.intersection(other):
            if cell < len(peers) and line[other.index(cell)] in peers[cell]:
                return True
        return False


@number_cache(maxsize=64)
def _lines_differ(n: int) -> Machine:
    equal, differ = 0, -1

    def step(state: int, value: int) -> int:
        if state == equal:
            return value
        return equal if value == state else differ

    return machine_of_steps(n, equal, step, lambda state: state == differ)


@dataclass(frozen=True)
class Contains(Rule):
    """Cells hold some values, each at least as often as listed, for example a quadruple.

    Args:
        held: the cells.
        wanted: the values.
        exactly: whether each of these values occurs exactly as often as listed.
    """

    kind: ClassVar[str] = "contains"
    held: Cells
    wanted: Values
    exactly: bool = False

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the cells if missing values outnumber the empty cells, or values are too many."""
        cell_values = [values[cell] + first_value - 1 for cell in self.held if values[cell]]
        wanted = {value: self.wanted.count(value) for value in self.wanted}
        lacking = sum(max(0, times - cell_values.count(value)) for value, times in wanted.items())
        above = any(cell_values.count(value) > times for value, times in wanted.items())
        if lacking > len(self.held) - len(cell_values) or (above and self.exactly):
            yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton that counts how often each value is still required."""
        wanted = tuple(sorted(self.wanted))
        yield Automaton(self.held, _contains(facts.n, wanted, self.exactly, facts.first_value))

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        values = _so_many(self.wanted, self.exactly)
        return message("{cells} hold {values}", cells=cell_names(self.held, names), values=values)


TIMES = {1: "once", 2: "twice", 3: "three times", 4: "four times"}


def _so_many(wanted: Values, exactly: bool) -> str:
    """Return how often cells hold which values: ``1 exactly twice``, ``1, 2, 2 and 3``."""
    times = {wanted.count(value) for value in wanted}
    if not wanted:
        return message("any values")
    if len(times) > 1 or (times == {1} and not exactly):
        text = "exactly {values}" if exactly else "{values}"
        return message(text, values=listing(wanted))
    (often,) = times
    number = message(TIMES.get(often, "{count} times"), count=often)
    text = "{values} exactly {times}" if exactly else "{values} {times}"
    if len(wanted) > often:
        text = "{values} exactly {times} each" if exactly else "{values} {times} each"
    return message(text, values=listing(dict.fromkeys(wanted)), times=number)


@number_cache(maxsize=256)
def _contains(n: int, wanted: Values, exactly: bool, first_value: int) -> Machine:
    def step(state: Values, value: int) -> Values | None:
        if value in state:
            index = state.index(value)
            return state[:index] + state[index + 1 :]
        return None if exactly and value in wanted else state

    return machine_of_steps(n, wanted, step, lambda state: not state, first_value)


@dataclass(frozen=True)
class Indexed(Rule):
    """One cell holds a place on a line, and another cell the value at that place.

    Args:
        place: the cell that holds the place, counted from 1.
        value: the cell that holds the value there.
        line: the cells in order.
    """

    kind: ClassVar[str] = "indexed"
    single: ClassVar[frozenset[str]] = frozenset(["place", "value"])
    place: Cells
    value: Cells
    line: CellsInOrder

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the cells if the value at the place differs."""
        (place,), (value,) = self.place, self.value
        number = values[place] + first_value - 1
        if not values[place]:
            return
        if not 1 <= number <= len(self.line):
            yield self.place
        elif 0 != values[value] != values[cell := self.line[number - 1]] != 0:
            yield tuple(dict.fromkeys((place, value, cell)))

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield a table of place, value and each cell of the line."""
        n, shift = facts.n, facts.first_value - 1
        places = [bit(place) for place in range(1, n + 1) if 1 <= place + shift <= len(self.line)]
        yield Sets(self.place, tuple(places))
        # A place is counted from the first value, as the values of the layout are.
        for place, cell in enumerate(self.line, start=1 - shift):
            yield table_where(n, (*self.place, *self.value, cell), place, equal=True)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        (place,), (value,) = self.place, self.value
        return message(
            "{cell} is the place of the value of {other} along {cells}",
            cell=names[place],
            other=names[value],
            cells=cell_names(self.line, names),
        )
