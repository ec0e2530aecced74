"""Rules for clues outside the grid, each about a line of cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, product, takewhile
from math import comb
from typing import Annotated, ClassVar, TypeAlias

from unidoku.core.bits import bit
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, machine_of_steps
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Sets,
    Sum,
    digit_sets,
)
from unidoku.core.rules.base import Facts, Rule, all_differ, cell_names
from unidoku.core.rules.cages import MOST_SETS, cannot_sum, within_reach
from unidoku.core.rules.fields import CellsInOrder, Contents
from unidoku.core.rules.indexing import NamesPlaces, places_on
from unidoku.core.rules.sum_machines import SandwichSteps, XSumSteps, machine_of_digits
from unidoku.support.language import listing, message


@dataclass(frozen=True)
class Sandwich(Rule):
    """Two cells of a line hold the least or largest value; those between them sum to a total.

    Args:
        line: the cells in order, of which exactly two hold the layout's first value or the largest.
        total: the sum of the cells between the two values.
        high: the largest value; by default that of the layout.
    """

    kind: ClassVar[str] = "sandwich"
    line: CellsInOrder
    total: int
    high: int | None = None
    _low = 1  # the first value of its layout, for words

    def bind(self, facts: Facts) -> Sandwich:
        """Return the rule with the first and the largest value of its layout."""
        if self.high is not None and self._low == facts.first_value:
            return self
        last = facts.n + facts.first_value - 1
        bound = replace(self, high=last if self.high is None else self.high)
        object.__setattr__(bound, "_low", facts.first_value)
        return bound

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the line if the sum cannot be right, or there are too few or too many crusts."""
        last = (self.high or 0) - first_value + 1
        # A largest value below the first value matches no cell, not even an empty one.
        crust = {1, last} - {0}
        crusts = [index for index, cell in enumerate(self.line) if values[cell] in crust]
        if len(crusts) == 2:
            between = self.line[crusts[0] + 1 : crusts[1]]
            if cannot_sum(values, between, self.total, first_value):
                yield self.cells
        elif len(crusts) > 2 or all(values[cell] for cell in self.line):
            yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton whose state is the sum since the first crust."""
        total, first = within_reach(self.total, self.line, facts), facts.first_value
        steps = SandwichSteps(total=total, crusts=(first, self.high or 0))
        yield Automaton(self.line, machine_of_digits(facts.n, first, steps))

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        return message(
            "between {low} and {high} along {cells} the values sum to {total}",
            low=self._low,
            high=self.high,
            cells=cell_names(self.line, names),
            total=self.total,
        )


@dataclass(frozen=True)
class XSum(Rule):
    """The first X cells of a line sum to a total, where X is the value of the first cell.

    Args:
        line: the cells in order; X is at least 1 and at most their number.
        total: the sum, including the first cell.
    """

    kind: ClassVar[str] = "x-sum"
    sentence: ClassVar[str] = "the first X cells along {cells} sum to {total}, where X is {first}"
    line: CellsInOrder
    total: int

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the summed cells if their sum cannot be right."""
        size = values[self.line[0]] + first_value - 1
        if not values[self.line[0]]:
            return
        if not 1 <= size <= len(self.line):
            yield self.line[:1]
        elif cannot_sum(values, self.line[:size], self.total, first_value):
            yield self.line[:size]

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton of the cells still to come and the sum."""
        longest = min(len(self.line), facts.n + facts.first_value - 1)
        total = within_reach(self.total, self.line, facts)
        steps = XSumSteps(total=total, longest=longest)
        yield Automaton(self.line, machine_of_digits(facts.n, facts.first_value, steps))

    def as_alternatives(self, facts: Facts) -> Or:
        """Return, for each value of the first cell, the sum of that many cells."""
        first_value, branches = facts.first_value, []
        for size in places_on(len(self.line), facts):
            summed = Sum.of_cells(self.line[:size], self.total, first_value)
            branches.append((Sets(self.line[:1], (bit(size - first_value + 1),)), summed))
        return Or(tuple(branches))


@dataclass(frozen=True)
class Battlefield(Rule):
    """The first X and the last Y cells of a line share cells that sum to a total, or leave a gap.

    X is the value of the first cell, Y that of the last. The total is that of the cells in both
    groups; if no cell is in both, that of the cells in neither, between them.

    Args:
        line: the cells in order; X and Y are at most their number.
        total: the sum; 0 if the two groups meet.
    """

    kind: ClassVar[str] = "battlefield"
    sentence: ClassVar[str] = (
        "the first {first} and the last {last} cells along {cells} have a sum of {total} in "
        "common or between them"
    )
    fewest: ClassVar[int] = 2
    line: CellsInOrder
    total: int

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the ends and the summed cells if their sum cannot be right."""
        ends = (self.line[0], self.line[-1])
        if not all(values[cell] for cell in ends):
            return
        first, last = (values[cell] + first_value - 1 for cell in ends)
        if max(first, last) > len(self.line):
            yield tuple(dict.fromkeys(ends))
            return
        begin, end = sorted((first, len(self.line) - last))
        if cannot_sum(values, self.line[begin:end], self.total, first_value):
            yield tuple(dict.fromkeys((*ends, *self.line[begin:end])))

    def fields(self, facts: Facts) -> Iterator[tuple[tuple[Sets, Sets], tuple[int, ...]]]:
        """Yield X and Y, for each two that are possible, with the cells that sum to the total."""
        least, length = facts.first_value, len(self.line)
        sizes = range(least, min(length, least + facts.n - 1) + 1)
        ends = (self.line[:1], self.line[-1:])
        for first, last in product(sizes, repeat=2):
            begin, end = sorted((first, length - last))
            masks = (bit(first - least + 1), bit(last - least + 1))
            yield (Sets(ends[0], masks[:1]), Sets(ends[1], masks[1:])), self.line[begin:end]

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield alternatives: two numbers of cells, and the sum of the cells that they leave."""
        differ = all_differ(self.line, facts)
        branches: list[tuple[Constraint, ...]] = []
        for ends, cells in self.fields(facts):
            if not cells:
                branches += [ends] if self.total == 0 else []
            elif differ and comb(facts.n, len(cells)) <= MOST_SETS:
                masks = self._sets(ends, cells, facts)
                branches += [(*ends, Sets(cells, masks))] if masks else []
            else:
                branches.append((*ends, Sum.of_cells(cells, self.total, facts.first_value)))
        yield Or(tuple(branches)) if branches else Sets(self.line[:1], ())

    def _sets(
        self, ends: tuple[Sets, Sets], cells: tuple[int, ...], facts: Facts
    ) -> tuple[int, ...]:
        """Return the sets of values of some cells of a line whose ends are known and differ."""
        total = self.total - len(cells) * (facts.first_value - 1)
        required = [(end.cells[0] in cells, end.masks[0]) for end in ends]
        if required[0][1] == required[1][1]:
            return ()
        return tuple(
            mask
            for mask in digit_sets(facts.n, len(cells), total, total)
            if all(bool(mask & value) == inside for inside, value in required)
        )


@dataclass(frozen=True)
class Skyscraper(Rule):
    """A number of towers is visible from the start of a line: those higher than all before them.

    Args:
        line: the cells, nearest first; a cell that holds 0 has no tower.
        seen: the number of visible towers.
    """

    kind: ClassVar[str] = "skyscraper"
    line: CellsInOrder
    seen: int

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the line if too many towers are visible before a gap, or too few in all."""
        start = takewhile(bool, (values[cell] for cell in self.line))
        towers = [value + first_value - 1 for value in start]
        seen = sum(tower > max(towers[:index], default=0) for index, tower in enumerate(towers))
        if seen > self.seen or (seen < self.seen and len(towers) == len(self.line)):
            yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton of the highest tower so far and the number of visible ones."""
        yield Automaton(self.line, _skyscraper(facts.n, self.seen, facts.first_value))

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        text = "along {cells}, {count} is visible"
        if self.seen != 1:
            text = "along {cells}, {count} are visible"
        return message(text, cells=cell_names(self.line, names), count=self.seen)


@number_cache(maxsize=256)
def _skyscraper(n: int, visible: int, first_value: int) -> Machine:
    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        highest, count = state
        if value <= highest:
            return state
        return (value, count + 1) if count < visible else None

    return machine_of_steps(n, (0, 0), step, lambda state: state[1] == visible, first_value)


@dataclass(frozen=True)
class HiddenSkyscraper(Rule):
    """The first hidden tower, seen from the start of a line, has a given height.

    Args:
        line: the cells, nearest first; a 0 is a tower too, and is hidden unless it is the first.
        height: height of the first tower that is not higher than all before it; there is one.
    """

    kind: ClassVar[str] = "hidden-skyscraper"
    sentence: ClassVar[str] = "along {cells} the first hidden tower is {height}"
    line: CellsInOrder
    height: int

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the line up to its first hidden tower if that has another height or is missing."""
        start = list(takewhile(bool, (values[cell] for cell in self.line)))
        for index, tower in enumerate(start):
            if index and tower <= max(start[:index]):
                if tower + first_value - 1 != self.height:
                    yield self.line[: index + 1]
                return
        if len(start) == len(self.line):
            yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton whose state is the highest tower so far."""
        height = self.height - facts.first_value + 1
        differ = all_differ(self.line, facts)
        yield Automaton(self.line, _hidden_skyscraper(facts.n, height, differ=differ))


@number_cache(maxsize=64)
def _hidden_skyscraper(n: int, height: int, *, differ: bool) -> Machine:
    """Return the machine; where the cells differ, no visible tower has the height."""
    hidden = -1

    def step(highest: int, value: int) -> int | None:
        if highest == hidden:
            return hidden
        if value > highest:
            return None if differ and value == height else value
        return hidden if value == height else None

    return machine_of_steps(n, 0, step, lambda highest: highest == hidden)


@dataclass(frozen=True)
class NumberedRoom(NamesPlaces):
    """The first cell of a line holds the place of a value on it.

    Args:
        line: the cells in order.
        value: the value of the cell at that place; places count from 1.
    """

    kind: ClassVar[str] = "numbered-room"
    sentence: ClassVar[str] = "{first} is the place of {value} along {cells}"
    line: CellsInOrder
    value: int

    @property
    def each(self) -> list[tuple[int, tuple[int, ...], int]]:
        """The first cell with the line and the value."""
        return [(self.line[0], self.line, self.value)]


Blocks: TypeAlias = Annotated[tuple[int, ...], Contents("lengths, such as (3, 1)")]
"""Lengths of runs of filled cells."""


@dataclass(frozen=True)
class NonogramLine(Rule):
    """The runs of filled cells on a line have these lengths, in this order.

    Args:
        line: the cells in order.
        blocks: the lengths; none if no cell is filled.
        filled: the value of a filled cell; by default the largest of the layout.
    """

    kind: ClassVar[str] = "nonogram"
    line: CellsInOrder
    blocks: Blocks
    filled: int | None = None

    def bind(self, facts: Facts) -> NonogramLine:
        """Return the rule with the value of its filled cells."""
        last = facts.n + facts.first_value - 1
        return replace(self, filled=last) if self.filled is None else self

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the line if the runs, or those up to the first empty cell, do not match."""
        filled = (self.filled or 0) - first_value + 1
        start = list(takewhile(bool, (values[cell] for cell in self.line)))
        runs = [len(list(run)) for full, run in groupby(v == filled for v in start) if full]
        if len(start) == len(self.line):
            fits = runs == list(self.blocks)
        else:
            is_open = bool(start) and start[-1] == filled
            done = runs[:-1] if is_open else runs
            fits = done == list(self.blocks[: len(done)])
            if is_open and fits:
                fits = len(runs) <= len(self.blocks) and runs[-1] <= self.blocks[len(runs) - 1]
        if not fits:
            yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton whose state is the complete blocks and the length of the next one."""
        yield Automaton(
            self.line, _nonogram(facts.n, self.blocks, (self.filled or 0) - facts.first_value + 1)
        )

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        line = cell_names(self.line, names)
        text = "{cells} has one run of {blocks}" if self.blocks else "{cells} has no runs"
        if len(self.blocks) > 1:
            text = "{cells} has runs of {blocks}"
        return message(text, cells=line, blocks=listing(self.blocks))


@number_cache(maxsize=1024)
def _nonogram(n: int, blocks: Blocks, filled: int) -> Machine:
    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        done, length = state
        if value == filled:
            return (done, length + 1) if done < len(blocks) and length < blocks[done] else None
        if length:
            return (done + 1, 0) if length == blocks[done] else None
        return state

    def accept(state: tuple[int, int]) -> bool:
        done, length = state
        return done + (length > 0) == len(blocks) and (not length or length == blocks[done])

    return machine_of_steps(n, (0, 0), step, accept)
