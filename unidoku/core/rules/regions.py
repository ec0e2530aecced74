"""Rules about regions that have to be found, and about connected cells.

Machines read the numbers of regions that have to be found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import ClassVar

from unidoku.core.bits import bit, set_of
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, machine_of_steps
from unidoku.core.constraints.connected import neighbours_by_index, pairs_in_rows, reached
from unidoku.core.constraints.primitives import Automaton, Constraint, Region, Sets, Sum
from unidoku.core.names import HiddenCell, region_of
from unidoku.core.rules.base import Facts, Rule, cell_names
from unidoku.core.rules.fields import Cells, CellsInOrder, Values
from unidoku.errors import LayoutError
from unidoku.support.language import listing, message, quantity
from unidoku.support.text import plural


def _bare(names: Sequence[str]) -> list[str]:
    """Return the names, but ``A1`` in the place of ``the region of A1``."""
    prefix = region_of()
    return [name.removeprefix(prefix) for name in names]


@dataclass(frozen=True)
class Connected(Rule):
    """The cells that hold some values are connected by their sides; there is at least one.

    Args:
        held: the cells in reading order, each once.
        values: the values of the connected cells.
        columns: number of cells in a row; the last row may be shorter.
        count: number of connected cells; by default any number from 1 on.
    """

    kind: ClassVar[str] = "connected"
    each_once: ClassVar[bool] = True
    lowest: ClassVar[Mapping[str, int]] = {"columns": 1, "count": 1}
    held: Cells
    values: Values
    columns: int
    count: int | None = None

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield all cells if too many or too few hold the values, or they are not connected."""
        shown_values = [values[cell] + first_value - 1 for cell in self.held if values[cell]]
        empty, inside = (
            len(self.held) - len(shown_values),
            sum(value in self.values for value in shown_values),
        )
        if inside + empty < (self.count or 1) or (self.count and inside > self.count):
            yield self.held
        elif not empty:
            cells = [c for c in self.held if values[c] + first_value - 1 in self.values]
            if not _connected(self.held, self.columns, cells):
                yield self.held

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield a connected region."""
        numbers = range(facts.first_value, facts.first_value + facts.n)
        mask = sum(bit(index) for index, value in enumerate(numbers, 1) if value in self.values)
        low, high = self.count or 1, self.count or len(self.held)
        yield Region(self.held, mask, pairs_in_rows(self.held, self.columns), low, high)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        text = "of {cells}, those that hold {values} are connected"
        if self.count is not None:
            text = "of {cells}, those that hold {values}, {size}, are connected"
        return message(
            text,
            cells=cell_names(self.held, names),
            values=listing(sorted(set(self.values)), "or") or message("nothing"),
            size=quantity(self.count or 0, "cell"),
        )


@dataclass(frozen=True)
class ChaosConstruction(Rule):
    """Cells split into connected regions of one size that have to be found and repeat no value.

    Args:
        held: the cells in reading order, each once.
        regions: for each cell another cell with the number of its region: the first cell is in
            region 1, the first cell of another region is in region 2, and so on; region 1 has the
            layout's first value.
        columns: number of cells in a row; the last row may be shorter.
        count: the number of cells of each region; by default the number of values.
    """

    kind: ClassVar[str] = "chaos-construction"
    each_once: ClassVar[bool] = True
    same_size: ClassVar[bool] = True
    lowest: ClassVar[Mapping[str, int]] = {"columns": 1, "count": 1}
    held: CellsInOrder
    regions: CellsInOrder
    columns: int
    count: int | None = None

    def __post_init__(self) -> None:
        """Refuse cells that do not split into regions of one size."""
        super().__post_init__()
        if self.count and len(self.held) % self.count:
            expected = f"a multiple of {self.count} cells, got {len(self.held)}"
            raise LayoutError(f"{self.kind}: held: expected {expected}")

    def bind(self, facts: Facts) -> Rule:
        """Return the rule with the size of its regions; there are at most as many as values."""
        if self.count is None:
            return replace(self, count=facts.n).bind(facts)
        if len(self.held) > facts.n * self.count:
            most = f"at most {plural(facts.n, 'region')}, numbered by the values"
            raise LayoutError(f"{self.kind}: expected {most}, got {len(self.held) // self.count}")
        return self

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield regions that cannot be connected or of that size, repeated values, bad numbers."""
        size = self.count or len(self.held)
        inside: defaultdict[int, list[int]] = defaultdict(list)
        for index, region in enumerate(self.regions):
            if values[region]:
                inside[values[region]].append(index)
        empty = set_of(index for index, cell in enumerate(self.regions) if not values[cell])
        neighbours = neighbours_by_index(self.regions, pairs_in_rows(self.regions, self.columns))
        for number, places in sorted(inside.items()):
            members = set_of(places)
            room = reached(members & -members, members | empty, neighbours)
            if number * size > len(self.held) or len(places) > size or members & ~room:
                yield tuple(self.regions[index] for index in places)
            elif room.bit_count() < size:
                yield self.regions
            twice: dict[int, int] = {}
            for index in places:
                other = twice.setdefault(values[self.held[index]], index)
                if other != index and values[self.held[index]]:
                    both = (other, index)
                    yield tuple(
                        dict.fromkeys(c[k] for c in (self.held, self.regions) for k in both)
                    )
        highest = 0
        for index, region in enumerate(self.regions):
            if not values[region] or values[region] > highest + 1:
                if values[region]:
                    yield self.regions[: index + 1]
                return
            highest = max(highest, values[region])

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield each region and the order of the regions' numbers."""
        size = self.count or facts.n
        most = len(self.held) // size
        numbers = tuple(bit(number) for number in range(1, most + 1))
        yield from (Sets((region,), numbers) for region in self.regions)
        yield Automaton(self.regions, numbered(facts.n, most))
        pairs = pairs_in_rows(self.regions, self.columns)
        for number in numbers:
            yield Region(self.regions, number, pairs, size, size, self.held)

    def hidden_cells(self, facts: Facts, names: Sequence[str]) -> Mapping[int, HiddenCell]:
        """Return that the cells of regions hold the region of another cell."""
        numbers = range(1, facts.n + 1)
        values = tuple(message("in region {number}", number=number) for number in numbers)
        return {
            region: HiddenCell(f"{region_of()}{names[cell]}", names[cell], values, cell)
            for cell, region in zip(self.held, self.regions, strict=True)
        }

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        is_named = names[self.regions[0]].startswith(region_of())
        ends = {"first": names[self.held[0]], "last": names[self.held[-1]]}
        cells = message("{first} to {last}", **ends) if is_named else cell_names(self.held, names)
        text = "{cells} fall into connected regions of one size without a value twice"
        if self.count:
            text = "{cells} fall into connected regions of {size} without a value twice"
        fact = message(text, cells=cells, size=quantity(self.count or 0, "cell"))
        if is_named:
            return fact
        return message(
            "{fact}, numbered in {cells}", fact=fact, cells=cell_names(self.regions, names)
        )


@dataclass(frozen=True)
class RegionCount(Rule):
    """A cell holds the number of cells, of some, that are in the region of the first of them.

    Args:
        number: the cell that holds the number.
        regions: the cells that hold the regions' numbers; the first one comes first and is counted
            too.
        without_first: whether the first cell is not counted.
    """

    kind: ClassVar[str] = "region-count"
    single: ClassVar[frozenset[str]] = frozenset(["number"])
    number: Cells
    regions: CellsInOrder
    without_first: bool = False

    def __post_init__(self) -> None:
        """Sort the cells after the first: their order does not matter."""
        super().__post_init__()
        object.__setattr__(self, "regions", (*self.regions[:1], *sorted(self.regions[1:])))

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield all cells if there are too many in the region, or can no longer be enough."""
        (number,) = self.number
        first, *others = (values[cell] for cell in self.regions)
        if values[number] and first:
            inside = others.count(first) + (not self.without_first)
            if not inside <= values[number] + first_value - 1 <= inside + others.count(0):
                yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton that reads the number, then the regions."""
        excess = facts.first_value - 1 + self.without_first
        machine = counted(facts.n, excess, len(self.regions), in_a_row=False)
        yield Automaton((*self.number, *self.regions), machine)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        first, *others = self.regions
        if names[first].startswith(region_of()):
            among = cell_names(others if self.without_first else self.regions, _bare(names))
            return message(
                "{cell} is how many of {cells} are in the region of {other}",
                cell=names[self.number[0]],
                cells=among,
                other=_bare(names)[first],
            )
        return message(
            "{cell} is how many of {cells} hold the same as {other}",
            cell=names[self.number[0]],
            cells=cell_names(others if self.without_first else self.regions, names),
            other=names[first],
        )


@dataclass(frozen=True)
class RegionRun(Rule):
    """A cell holds how many cells along arms are in its region, up to the first in another.

    Args:
        number: the cell that holds the number.
        arms: the cells that hold the regions' numbers, arm by arm; each arm begins with the same
            cell, which is counted once.
        without_first: whether that cell is not counted.
    """

    kind: ClassVar[str] = "region-run"
    single: ClassVar[frozenset[str]] = frozenset(["number"])
    number: Cells
    arms: CellsInOrder
    without_first: bool = False

    def __post_init__(self) -> None:
        """Drop arms of only the first cell, which add nothing to other arms."""
        super().__post_init__()
        object.__setattr__(self, "arms", tuple(chain(*_arms(self.arms))))

    @property
    def lengths(self) -> tuple[int, ...]:
        """The hidden cells with the length of each of several arms, once it has these."""
        return ()

    @cached_property
    def lines(self) -> list[tuple[int, ...]]:
        """The arms of several cells; if there is none, the first cell."""
        return _arms(self.arms)

    def bind(self, facts: Facts) -> Rule:
        """Return the rule; the length of one of several arms is a value."""
        longest = max(map(len, self.lines))
        if len(self.lines) > 1 and longest > facts.n:
            raise LayoutError(
                f"{self.kind}: arms: expected arms of up to {plural(facts.n, 'cell')}, as many as "
                f"there are values, got one of {longest}"
            )
        return self

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield all cells if the runs are too long, or can no longer be long enough."""
        (number,) = self.number
        if values[number] and values[self.arms[0]]:
            runs = [_run(values, line) for line in self.lines]
            least, most = (sum(ends) - len(runs) + 1 for ends in zip(*runs, strict=True))
            if not least <= values[number] + first_value - 1 + self.without_first <= most:
                yield self.cells

    @property
    def needs_auxiliary(self) -> bool:
        """Whether it has constraints only with further cells: one for the length of each arm."""
        return len(self.lines) > 1

    def auxiliary_domains(self, facts: Facts) -> tuple[int, ...]:
        """Return a cell for the length of each of several arms."""
        lines = self.lines if self.needs_auxiliary else []
        return tuple((1 << len(line)) - 1 for line in lines)

    def with_auxiliary(self, facts: Facts, cells: tuple[int, ...]) -> Rule:
        """Return the rule with these cells."""
        return _Runs(self.number, self.arms, self.without_first, cells)

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton that reads the number, then the regions along the arm."""
        (line,) = self.lines
        excess = facts.first_value - 1 + self.without_first
        machine = counted(facts.n, excess, len(line), in_a_row=True)
        yield Automaton((*self.number, *line), machine)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        is_named = names[self.arms[0]].startswith(region_of())
        plain = _bare(names) if is_named else names
        text = "{cell} is how many cells hold the same along {cells}, up to the first that does not"
        if is_named:
            text = (
                "{cell} is how many cells along {cells} are in one region, up to the first that is "
                "not"
            )
        fact = message(
            text,
            cell=names[self.number[0]],
            cells=", ".join(cell_names(line, plain) for line in self.lines),
        )
        if not self.without_first:
            return fact
        return message("{fact}, {cell} not counted", fact=fact, cell=plain[self.arms[0]])


@dataclass(frozen=True)
class _Runs(RegionRun):
    """The rule with its hidden cells.

    Args:
        lengths: a hidden cell for each arm.
    """

    needs_auxiliary = False
    lengths: Cells = ()

    def hidden_cells(self, facts: Facts, names: Sequence[str]) -> Mapping[int, HiddenCell]:
        """Return that the cells hold the length of the run along each arm."""
        cells = {}
        plain = _bare(names)
        sizes = [quantity(length, "cell") for length in range(1, facts.n + 1)]
        values = tuple(message("{cells} long", cells=size) for size in sizes)
        text = "the run from {first} to {last}"
        if names[self.arms[0]].startswith(region_of()):
            text = "the part of the region from {first} to {last}"
        for cell, line in zip(self.lengths, self.lines, strict=True):
            name = message(text, first=plain[line[0]], last=plain[line[-1]])
            cells[cell] = HiddenCell(message("the length of {name}", name=name), name, values)
        return cells

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield violations, and lengths that contradict the arms."""
        yield from super().broken(values, first_value)
        for length, line in zip(self.lengths, self.lines, strict=True):
            least, most = _run(values, line)
            if values[length] and not least <= values[length] <= most:
                yield tuple(dict.fromkeys((length, *line)))

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton of each arm, and the sum."""
        for length, line in zip(self.lengths, self.lines, strict=True):
            yield Automaton((length, *line), counted(facts.n, 0, len(line), in_a_row=True))
        total = 2 - facts.first_value - self.without_first - len(self.lengths)
        terms = [(self.number[0], 1), *((length, -1) for length in self.lengths)]
        yield Sum.of(terms, total, total)


def _arms(cells: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the arms of several cells, each of which begins with the same cell, or that cell."""
    starts = [index for index, cell in enumerate(cells) if cell == cells[0]]
    lines = [cells[start:end] for start, end in pairwise((*starts, len(cells)))]
    return [line for line in lines if len(line) > 1] or [cells[:1]]


def _connected(cells: tuple[int, ...], columns: int, inside: Sequence[int]) -> bool:
    """Return whether some of the cells are connected."""
    members = set(inside)
    places = set_of(index for index, cell in enumerate(cells) if cell in members)
    neighbours = neighbours_by_index(cells, pairs_in_rows(cells, columns))
    return reached(places & -places, places, neighbours) == places


def _run(values: Sequence[int], line: Sequence[int]) -> tuple[int, int]:
    """Return the least and the largest length of a run from the first cell of a line."""
    first, *others = (values[cell] for cell in line)
    least = most = 1
    for value in others:
        if value not in (0, first) and first:
            break
        least += value == first and least == most and first > 0
        most += 1
    return least, most


@number_cache(maxsize=64)
def numbered(n: int, most: int) -> Machine:
    """Return a machine of the numbers 1 to ``most``, which all occur, and first in this order."""
    return machine_of_steps(
        n,
        0,
        lambda highest, value: max(highest, value) if value <= min(highest + 1, most) else None,
        lambda highest: highest == most,
    )


@number_cache(maxsize=256)
def counted(n: int, excess: int, most: int, *, in_a_row: bool) -> Machine:
    """Return a machine that reads a number, a value, and then the value that often, or in a row.

    Args:
        n: the number of values.
        excess: how much larger the number is than the count, including the first value.
        most: largest number of counted cells.
        in_a_row: whether only those up to the first other value count.
    """
    number, done = 0, -1  # instead of the counted value, with what is left to count

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        left, counted = state
        if state == start:
            return (value + excess, number) if 1 <= value + excess <= most else None
        if counted == done:
            return state
        if counted == number:
            return left - 1, value
        if value == counted:
            return (left - 1, value) if left else None
        if in_a_row:
            return None if left else (0, done)
        return state

    start = (-1, number)
    return machine_of_steps(n, start, step, lambda state: state[0] == 0)
