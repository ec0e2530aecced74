"""Rules about the cells along a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import ClassVar

from unidoku.core.bits import mask_of
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, machine_of_steps
from unidoku.core.constraints.primitives import Automaton, Constraint, Or, Pair, Sets
from unidoku.core.rules.base import Facts, Rule, cell_names
from unidoku.core.rules.cages import within_reach
from unidoku.core.rules.fields import Cells, CellsInLine, CellsInOrder
from unidoku.core.rules.related import RelatedCells
from unidoku.core.rules.sum_machines import SumLineSteps, machine_of_digits
from unidoku.support.language import message


@dataclass(frozen=True)
class _RelatedNeighbours(RelatedCells):
    """A rule about each two neighbours on a line."""

    reach: ClassVar[int] = 1
    line: CellsInLine

    def related_pairs(self) -> Iterable[Pair]:
        """Return the neighbours."""
        return pairwise(self.line)


@dataclass(frozen=True)
class _Rising(_RelatedNeighbours):
    """Values that rise along a line."""

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield filled cells whose later value is too small."""
        for a, b in pairwise([cell for cell in self.line if values[cell]]):
            if not self.holds(values[a], values[b]):
                yield a, b


@dataclass(frozen=True)
class Thermo(_Rising):
    """Along a thermometer the values rise from the bulb.

    Args:
        line: the cells, the bulb first.
        slow: whether a value may equal that of the cell before; this makes it a `slow-thermo`.
    """

    kind: ClassVar[str] = "thermo"
    slow: bool = False

    def bind(self, facts: Facts) -> Rule:
        """Return the rule; a slow one has a class of its own."""
        return SlowThermo(self.line) if self.slow else self

    def holds(self, a: int, b: int) -> bool:
        """Return whether the values rise."""
        return a < b or (self.slow and a == b)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        text = SlowThermo.sentence if self.slow else "the values rise along {cells}"
        return message(text, cells=cell_names(self.line, names))


@dataclass(frozen=True)
class SlowThermo(_Rising):
    """Along a slow thermometer the values rise or stay the same from the bulb.

    Args:
        line: the cells, the bulb first.
    """

    kind: ClassVar[str] = "slow-thermo"
    sentence: ClassVar[str] = "the values do not fall along {cells}"

    def holds(self, a: int, b: int) -> bool:
        """Return whether the values do not fall."""
        return a <= b


@dataclass(frozen=True)
class Whispers(_RelatedNeighbours):
    """Neighbours along a line differ by at least a number (German whispers: by 5).

    Args:
        line: the cells in order.
        least: the smallest difference.
    """

    kind: ClassVar[str] = "whisper"
    least: int = 5

    def holds(self, a: int, b: int) -> bool:
        """Return whether the values differ enough."""
        return abs(a - b) >= self.least

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        if len(self.line) == 2:
            first, second = (names[cell] for cell in self.line)
            text = "{cell} and {other} differ by at least {least}"
            return message(text, cell=first, other=second, least=self.least)
        line = cell_names(self.line, names)
        text = "neighbours along {cells} differ by at least {least}"
        return message(text, cells=line, least=self.least)


@dataclass(frozen=True)
class Palindrome(RelatedCells):
    """A line reads the same from both ends.

    Args:
        line: the cells in order.
    """

    kind: ClassVar[str] = "palindrome"
    sentence: ClassVar[str] = "{cells} reads the same from both ends"
    line: CellsInOrder

    def related_pairs(self) -> Iterator[Pair]:
        """Yield the cells at the same distance from the ends."""
        pairs = zip(self.line, reversed(self.line[(len(self.line) + 1) // 2 :]), strict=False)
        return ((a, b) for a, b in pairs if a != b)

    def holds(self, a: int, b: int) -> bool:
        """Return whether the values are equal."""
        return a == b


@dataclass(frozen=True)
class Renban(Rule):
    """The cells hold different consecutive values, in any order.

    Args:
        line: the cells, each once.
    """

    kind: ClassVar[str] = "renban"
    sentence: ClassVar[str] = "{cells} hold consecutive values in any order"
    each_once: ClassVar[bool] = True
    line: Cells

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield two filled cells whose values are equal or too far apart."""
        filled = [cell for cell in self.line if values[cell]]
        for a, b in combinations(filled, 2):
            if values[a] == values[b] or abs(values[a] - values[b]) >= len(self.line):
                yield a, b

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield the sets of consecutive values."""
        size = len(self.line)
        runs = [mask_of(range(v, v + size)) for v in range(1, facts.n - size + 2)]
        yield Sets(self.line, tuple(runs))


@dataclass(frozen=True)
class SumLine(Rule):
    """A line splits into parts that each sum to a total, for example a line of tens.

    Args:
        line: the cells in order.
        total: the sum of each part; there is at least one part.
        loop: whether the line is closed, so that a part may continue from its last cell to its
            first.
    """

    kind: ClassVar[str] = "sum-line"
    sentence: ClassVar[str] = "{cells} splits into parts of {total}"
    lowest: ClassVar[Mapping[str, int]] = {"total": 1}
    line: CellsInOrder
    total: int = 10
    loop: bool = False

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the line if it does not split into such parts up to its first empty cell."""
        numbers = [values[cell] + first_value - 1 if values[cell] else None for cell in self.line]
        turns = range(len(numbers)) if self.loop else (0,)
        if None in numbers and self.loop:
            return
        if not any(self._falls(numbers[turn:] + numbers[:turn]) for turn in turns):
            yield self.cells

    def _falls(self, numbers: Sequence[int | None]) -> bool:
        """Return whether the values before the first unknown one make parts of the total."""
        part = 0
        for value in numbers:
            if value is None:
                return True
            part += value
            if part > self.total:
                return False
            part %= self.total
        return part == 0 and any(numbers)

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton of the sum of a part so far; for a loop, one for each start."""
        total, first = within_reach(self.total, self.line, facts), facts.first_value
        machines = [
            machine_of_digits(
                facts.n, first, SumLineSteps(total=total, begin=begin, has_zero=first == 0)
            )
            for begin in range(total if self.loop else 1)
        ]
        ways = tuple(Automaton(self.line, machine) for machine in machines if machine.starts)
        if len(ways) == 1 or not self.loop:
            yield Automaton(self.line, machines[0]) if not ways else ways[0]
        else:
            yield Or(tuple((way,) for way in ways))


@dataclass(frozen=True)
class Flatmates(Rule):
    """In a column a value has a given value above it or another below it (Dutch flatmates).

    Args:
        column: the cells from top to bottom.
        middle: the value.
        above: the value above it.
        below: the value below it otherwise.
    """

    kind: ClassVar[str] = "flatmates"
    sentence: ClassVar[str] = "{middle} has {above} above it or {below} below it in {cells}"
    column: CellsInOrder
    middle: int = 5
    above: int = 1
    below: int = 9

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield a cell with the value and its neighbours if they are filled with other values."""
        shift = first_value - 1
        for index, cell in enumerate(self.column):
            if values[cell] and values[cell] + shift == self.middle:
                upper, lower = self.column[:index][-1:], self.column[index + 1 : index + 2]
                wanted = [(upper, self.above), (lower, self.below)]
                if not any(
                    not values[neighbour] or values[neighbour] + shift == value
                    for cells, value in wanted
                    for neighbour in cells
                ):
                    yield (*upper, cell, *lower)

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton that records the value above and the value needed below."""
        cells = self.middle, self.above, self.below
        yield Automaton(self.column, _flatmates(facts.n, *cells, facts.first_value))


@number_cache(maxsize=64)
def _flatmates(n: int, middle: int, above: int, below: int, first_value: int) -> Machine:
    def step(state: tuple[bool, bool], value: int) -> tuple[bool, bool] | None:
        after_above, wanted = state
        if wanted and value != below:
            return None
        return value == above, value == middle and not after_above

    return machine_of_steps(n, (False, False), step, lambda state: not state[1], first_value)
