"""Constraints as rows of numbers, see `unidoku.backends.native.single.kinds.Propagator`."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, assert_never

from unidoku.backends.native.single.kinds import (
    CHUNK,
    NARROW,
    NARROW_SETS_AT_ONCE,
    SETS_AT_ONCE,
    UNGROUPED,
    VALUES_AT_ONCE,
    Propagator,
    StepForm,
)
from unidoku.backends.native.single.machines import (
    STATES_OF_A_NUMBER,
    Counter,
    classes_of,
    counter_of,
    live,
    live_if_apart,
    parts,
    required,
    tells_lines_apart,
)
from unidoku.backends.native.single.memory import LINE, Numbers, numbers_of, supports_of, zeros
from unidoku.backends.native.single.steps import steps_of, transitions
from unidoku.core.bits import all_values, bits_of, set_of
from unidoku.core.connected import listed_neighbours
from unidoku.core.machine import Machine
from unidoku.core.shapes import (
    Automaton,
    Masks,
    Or,
    Region,
    Relation,
    Rows,
    SameValues,
    Sets,
    Shape,
    Sum,
    apart,
    backwards,
    digit_sets,
)
from unidoku.core.shaping import cells_of

MOST_SETS = 130
"""Above this number of sets of values a cage becomes a sum of cells that differ, because the sets
are checked in turn, eight at a time."""


class Constraints:
    """Rows of constraints and the tables that they refer to, each stored once.

    Attributes:
        data: all the numbers.
        of_kind: where the rows of each kind begin.
        pairs: cells that differ by relations, one pair after the other.
        work: size of the working memory of the propagators of one constraint.
        more_work: size of the working memory of alternatives.
        told: size of the memory of what propagators found before.
        labels: place of the row of interchangeable regions, or 0.
    """

    def __init__(self, n: int, first: Numbers, units: Sequence[int]) -> None:
        """Begin with the numbers of the units of a layout, which are sets of cells."""
        self.n = n
        self.data = first[:]
        self.pairs: list[int] = []
        self.work = self.more_work = self.told = self.labels = 0
        self.of_kind = _no_rows()
        self._units = list(units)
        self._in_branch = False
        self._tables: dict[Hashable, int] = {}
        self._of_weights: dict[tuple[int, ...], Numbers] = {}
        self._of_machines: dict[tuple[int, int, bool], tuple[int, ...]] = {}

    def add(self, kind: Propagator, cells: Sequence[int], numbers: Iterable[int] = ()) -> None:
        """Add a constraint."""
        self.of_kind[kind].append(len(self.data))
        self.data.extend((len(cells), *cells, *numbers))

    def table(self, key: Hashable, make: Callable[..., Iterable[int]], *told: Any) -> int:
        """Return the place of a table, which is made once for each key."""
        place = self._tables.get(key)
        if place is None:
            numbers = make(*told)
            self.data.extend((0,) * (-len(self.data) % LINE))
            place = self._tables[key] = len(self.data)
            self.data.extend(numbers)
        return place

    def shape(self, shape: Shape) -> None:
        """Add the constraints of a shape."""
        match shape:
            case Relation():
                self.relation(shape)
            case Sum():
                self.sum(shape)
            case Sets():
                self.sets(shape)
            case SameValues(cells, others, differ):
                kind = Propagator.SAME if differ else Propagator.COUNTED
                self.add(kind, (*cells, *others), (len(cells),))
            case Automaton():
                self.automaton(shape)
            case Rows():
                self.rows(shape)
            case Region():
                self.region(shape)
            case Or():
                self.alternatives(shape)
            case _:
                assert_never(shape)

    def alternatives(self, shape: Or) -> None:
        """Add alternatives: the constraints of their branches are rows, but not in the queue."""
        of_kind, units = self.of_kind, self._units
        branches = []
        self._in_branch = True
        for branch in shape.branches:
            self.of_kind, self._units = _no_rows(), units.copy()
            for part in branch:
                self.shape(part)
            parts = [(kind, at) for kind, rows in self.of_kind.items() for at in rows]
            branches.append([len(parts), *chain.from_iterable(parts)])
        self.of_kind, self._units, self._in_branch = of_kind, units, False
        cells = sorted(set(cells_of(shape)))
        self.add(Propagator.OR, cells, (len(branches), *chain.from_iterable(branches)))
        self.more_work = max(self.more_work, 2 * len(cells))

    def relation(self, shape: Relation) -> None:
        """Add a relation, both ways for each of its pairs; that cells differ makes them peers."""
        if shape.table == apart(self.n) and not self._in_branch:
            self.pairs.extend(chain.from_iterable(shape.pairs))
            return
        other = backwards(shape.table)
        there = self.table((Relation, shape.table), _images, shape.table)
        back = self.table((Relation, other), _images, other)
        first = len(self.data)
        for a, b in shape.pairs:
            self.data.extend((2, a, b, there, 2, b, a, back))
        end = len(self.data)
        self.of_kind[_kind_of(shape.table)].extend(range(first, end, 8))
        self.of_kind[_kind_of(other)].extend(range(first + 4, end, 8))

    def sets(self, shape: Sets) -> None:
        """Add sets of values: as a unit if they are all, as a sum if there are many with one sum.

        Cells of such a sum become peers because they differ; cells of a branch do not.
        """
        masks, cells = shape.masks, shape.cells
        self._units.append(set_of(cells))
        if masks and len(cells) == self.n:
            self.add(Propagator.UNIT, cells)
            return
        if len(masks) > MOST_SETS and not self._in_branch:
            low, high = shape.totals
            if len(masks) == len(digit_sets(self.n, len(cells), low, high)):
                self.sum(Sum(cells, (1,) * len(cells), low, high), differ=True)
                return
        at_once = NARROW_SETS_AT_ONCE if self.n <= NARROW else SETS_AT_ONCE
        vectors = -(-len(masks) // at_once)
        place = self.table((Sets, masks), _filled_up, masks, vectors * at_once, self.n)
        rests = () if self._in_branch else self._rests(set_of(cells))
        numbers = (vectors, place, not self._in_branch, len(rests), *chain.from_iterable(rests))
        self.add(Propagator.SETS, cells, numbers)
        self.work = max(self.work, 2 * len(cells))

    def _rests(self, cells: int) -> list[list[int]]:
        """Return the other cells of each full unit that has these."""
        full = (unit for unit in self._units if unit & cells == cells)
        return [bits_of(unit & ~cells) for unit in full if unit.bit_count() == self.n]

    def sum(self, shape: Sum, *, differ: bool = False) -> None:
        """Add a weighted sum, optionally of cells that all differ: see `single.sums`."""
        weights, cells = shape.weights, shape.cells
        if len({*map(abs, weights)}) > 1:
            terms = sorted(zip(weights, cells, strict=True), key=_heavy)
            weights, cells = (tuple(part) for part in zip(*terms, strict=True))
        of_weights = self._of_weights.get(weights)
        if of_weights is None:
            of_weights = self._of_weights[weights] = self._places_of_steps(weights)
        data, more = self.data, sum(weights)  # values start from 0 in the compiled code
        self.of_kind[Propagator.SUM].append(len(data))
        data.append(len(cells))
        data.extend(cells)
        data.extend((shape.low - more, shape.high - more))
        data.extend(of_weights)
        if self._in_branch or differ:
            groups = [(1, [*cells])] if differ else self._groups(zip(weights, cells, strict=True))
            data.append(len(groups))
            for weight, held in groups:
                data.extend((weight, len(held), *held))
        else:  # grouping is done in compiled code; four numbers for each term are enough room
            data.append(UNGROUPED)
            data.extend(zeros(4 * len(cells)))
        self.work = max(self.work, 6 * len(cells))

    def _places_of_steps(self, weights: tuple[int, ...]) -> Numbers:
        """Return the places of the steps of weights, and the weights."""
        place_of = {
            size: self.table((Sum, size), _steps, size, self.n)
            for size in dict.fromkeys(map(abs, weights))
        }
        return array("q", (*[place_of[abs(weight)] for weight in weights], *weights))

    def _groups(self, terms: Iterable[tuple[int, int]]) -> list[tuple[int, list[int]]]:
        """Divide terms into groups of equal weight whose cells differ; empty if no two do.

        A group is the largest number of remaining terms in one unit.
        """
        of_weight: defaultdict[int, int] = defaultdict(int)
        for weight, cell in terms:
            of_weight[weight] |= 1 << cell
        every = sum(of_weight.values())
        near = [held for unit in self._units if (held := unit & every) & (held - 1)]
        groups, differ = [], False
        for weight, left in of_weight.items():
            while left:
                held = left & -left
                if held != left:  # several terms are left
                    shared = [in_unit for unit in near if (in_unit := unit & left)]
                    held = max(shared, key=int.bit_count, default=held)
                groups.append((weight, bits_of(held)))
                differ = differ or held & held - 1 != 0
                left &= ~held
        return groups if differ else []

    def times(self, cells: Sequence[int], counter: Counter) -> None:
        """Add that a value occurs a number of times in cells, once for each way to group the cells.

        Disjoint units are such a way: in the cells of one unit a value occurs at most once.
        """
        flag = cells[:1] if counter.is_flagged else ()
        counted = set_of(cells[len(flag) :])
        numbers = (1 << counter.value, counter.least, counter.most, counter.is_flagged)
        ways = {
            tuple(sorted(filter(None, (counted & unit for unit in apart))))
            for apart in self._apart(counted)
        }
        for way in sorted(ways):
            alone = counted & ~sum(way)
            groups = [*map(bits_of, way), *[[cell] for cell in bits_of(alone)]]
            sizes = (len(groups), *map(len, groups))
            self.add(Propagator.TIMES, (*chain.from_iterable(groups), *flag), (*numbers, *sizes))

    def _apart(self, cells: int) -> list[list[int]]:
        """Divide the units that have several of some cells into lists of disjoint units."""
        lists: list[list[int]] = []
        for unit in self._units:
            if (unit & cells).bit_count() > 1:
                fits = (one for one in lists if not any(unit & other & cells for other in one))
                found = next(fits, None)
                if found is None:
                    lists.append([unit])
                else:
                    found.append(unit)
        return lists or [[]]

    def rows(self, shape: Rows) -> None:
        """Add a table: for each cell and value, the set of rows that have it there."""
        words = -(-len(shape.rows) // 64)
        place = self.table((Rows, id(shape.rows)), supports_of, shape.rows, self.n)
        self.add(Propagator.TABLE, shape.cells, (words, place))
        self.work = max(self.work, words)

    def region(self, shape: Region) -> None:
        """Add a connected region with the neighbours of its cells: see `single.regions`."""
        cells, others = shape.cells, shape.others
        place = self.table((Region, cells, shape.pairs), listed_neighbours, cells, shape.pairs)
        every = all_values(self.n) if others and shape.low == self.n else 0
        bounds = max(shape.low, 0), min(shape.high, len(cells))
        told = (len(cells), shape.mask, *bounds, place, every)
        self.add(Propagator.REGION, (*cells, *others), told)
        self.work = max(self.work, 4 * len(cells))

    def automaton(self, shape: Automaton) -> None:
        """Add a line that a machine reads."""
        machine, cells = shape.machine, shape.cells
        once = len(set(cells)) == len(cells)  # a cell that occurs again counts again
        if once and not self._in_branch:
            counter = counter_of(machine, len(cells))
            if counter is not None:
                self.times(cells, counter)
                return
        if once and tells_lines_apart(machine, len(cells)):
            self.add(Propagator.APART, cells)
            return
        if once and (classes := classes_of(machine)) is not None:
            numbers = not self._in_branch, len(classes), *chain.from_iterable(classes)
            self.add(Propagator.HITS, cells, numbers)
            self.work = max(self.work, len(cells))
            return
        held = set_of(cells)
        differ = once and any(not held & ~unit for unit in self._units)
        key = id(machine), len(cells), differ
        known = self._of_machines.get(key)
        if known is None:
            known = self._of_machines[key] = self._machine(machine, len(cells), differ=differ)
        self.add(Propagator.AUTOMATON if once else Propagator.REPEATING, cells, known)
        told = not self._in_branch and self._units and held not in self._units
        if told and (wanted := required(machine, len(cells))):
            self.add(Propagator.REQUIRED, cells, (wanted,))

    def _machine(self, machine: Machine, length: int, *, differ: bool) -> tuple[int, ...]:
        """Return what the rows of lines have that a machine reads."""
        words = -(-len(machine.steps) // STATES_OF_A_NUMBER)
        told = []
        for part in parts(machine):
            sets = (live_if_apart if differ else live)(part, length)
            if sets[0]:
                told.append(self._part(part, sets))
        self.work = max(self.work, length + (length + 1) * words)
        return (words, len(told), *chain.from_iterable(told))

    def _part(self, part: Machine, sets: tuple[int, ...]) -> tuple[int, int, int, int]:
        """Add the tables of a part of a machine; return what its rows say of it."""
        words = -(-len(part.steps) // STATES_OF_A_NUMBER)
        place = self.table((Automaton, sets, words), numbers_of, sets, words)
        way, count, steps = steps_of(part)
        at = self.table((Automaton, "steps", id(part)), lambda: steps)
        if way != StepForm.ONE_BY_ONE:
            return way, count, place, at
        begins = transitions(part)[0]
        return way, words, place, self.table((Automaton, "states", id(part)), _moved, begins, at)


def _no_rows() -> dict[Propagator, list[int]]:
    return {kind: [] for kind in Propagator}


def _heavy(term: tuple[int, int]) -> int:
    return -abs(term[0])


def _filled_up(masks: Masks, size: int, n: int) -> Numbers:
    """Return so many sets, the last of them empty; narrow ones on boards of few values."""
    sets = masks + (0,) * (size - len(masks))
    return array("q", array("H", sets).tobytes() if n <= NARROW else sets)


def _moved(places: Iterable[int], by: int) -> Numbers:
    return array("q", [place + by for place in places])


@lru_cache(maxsize=512)
def _steps(weight: int, n: int) -> Numbers:
    """Return how much values add to a sum that are 1 to 8, 9 to 16, … from another.

    Each eight ascending, for what rises, and then descending.
    """
    made = array("q")
    for first in range(1, max(n, 2), VALUES_AT_ONCE):
        steps = [weight * step for step in range(first, first + VALUES_AT_ONCE)]
        made.extend(array("q", steps + steps[::-1]))
    return made


@lru_cache(maxsize=512)
def _images(table: Masks) -> Numbers:
    """Return the images of all sets of the values 1 to 6, of 7 to 12, …: 64 numbers each."""
    made = array("q")
    for first in range(0, len(table), CHUNK):
        images = [0]
        for value in range(first, first + CHUNK):
            own = table[value] if value < len(table) else 0
            images += [image | own for image in images]
        made.extend(images)
    return made


@lru_cache(maxsize=512)
def _kind_of(table: Masks) -> Propagator:
    """Return the kind of a relation: if no two values exclude anything, only a decided cell can."""
    excluded = several = 0
    for allowed in table:
        gone = all_values(len(table)) & ~allowed
        several |= excluded & gone
        excluded |= gone
    return Propagator.RELATION if several else Propagator.EXCLUSION
