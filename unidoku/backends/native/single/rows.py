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
    MOVES_AT_ONCE,
    PRODUCTS_AT_ONCE,
    SETS_AT_ONCE,
    UNGROUPED,
    Propagator,
)
from unidoku.backends.native.single.machines import (
    Counter,
    classes_of,
    counter_of,
    live,
    live_if_apart,
    moves_of,
    required,
)
from unidoku.backends.native.single.memory import LINE, Numbers, numbers_of, supports_of, zeros
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

MANY_TRANSITIONS = 3
"""From this average number of transitions of a state on, all moves of a machine are processed at
once."""

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
    """

    def __init__(self, n: int, first: Numbers, units: Sequence[int]) -> None:
        """Begin with the numbers of the units of a layout, which are sets of cells."""
        self.n = n
        self.data = first[:]
        self.pairs: list[int] = []
        self.work = self.more_work = 0
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
        vectors = -(-len(masks) // SETS_AT_ONCE)
        place = self.table((Sets, masks), _in_vectors, masks)
        self.add(Propagator.SETS, cells, (vectors, place, not self._in_branch))
        self.work = max(self.work, 2 * len(cells))

    def sum(self, shape: Sum, *, differ: bool = False) -> None:
        """Add a weighted sum, optionally of cells that all differ: see `single.sums`."""
        weights, cells = shape.weights, shape.cells
        if len({*map(abs, weights)}) > 1:
            terms = sorted(zip(weights, cells, strict=True), key=_heavy)
            weights, cells = (tuple(part) for part in zip(*terms, strict=True))
        of_weights = self._of_weights.get(weights)
        if of_weights is None:
            of_weights = self._of_weights[weights] = self._places_of_products(weights)
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

    def _places_of_products(self, weights: tuple[int, ...]) -> Numbers:
        """Return the places of the products of weights, and the weights."""
        width = -(-self.n // PRODUCTS_AT_ONCE) * PRODUCTS_AT_ONCE
        place_of = {
            weight: self.table((Sum, weight), _products, weight, width)
            for weight in dict.fromkeys(weights)
        }
        return array("q", (*map(place_of.__getitem__, weights), *weights))

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
        """Add a connected region, and who is beside whom: see `single.regions`."""
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
        """Return the numbers that a machine adds to the rows of lines."""
        words = -(-len(machine.steps) // 64)
        sets = (live_if_apart if differ else live)(machine, length)
        place_of_sets = self.table((Automaton, sets), numbers_of, sets, words)
        begins, steps = _transitions(machine)
        if len(begins) <= 64 and len(steps) > 2 * MANY_TRANSITIONS * len(begins):
            vectors = len(_moves(machine)) // (3 * MOVES_AT_ONCE)
            states = self.table((Automaton, "moves", id(machine)), _moves, machine)
        else:
            place = self.table((Automaton, "steps", id(machine)), lambda: steps)
            vectors, states = (
                0,
                self.table((Automaton, "states", id(machine)), _moved, begins, place),
            )
        self.work = max(self.work, (length + 1) * words)
        return words, vectors, place_of_sets, states


def _no_rows() -> dict[Propagator, list[int]]:
    return {kind: [] for kind in Propagator}


def _heavy(term: tuple[int, int]) -> int:
    return -abs(term[0])


def _in_vectors(masks: tuple[int, ...]) -> Numbers:
    """Return sets of values, and empty ones that fill the last vector."""
    return array("q", masks + (0,) * (-len(masks) % SETS_AT_ONCE))


def _moved(places: Iterable[int], by: int) -> Numbers:
    return array("q", [place + by for place in places])


@lru_cache(maxsize=512)
def _products(weight: int, width: int) -> Numbers:
    """Return the values from 0 times a weight."""
    return array("q", range(0, weight * width, weight))


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


@lru_cache(maxsize=256)
def _moves(machine: Machine) -> Numbers:
    """Return the moves of a machine, as vectors: by some values from some states to one state."""
    before: defaultdict[tuple[int, int], int] = defaultdict(int)
    for state, row in enumerate(machine.steps):
        for value, targets in enumerate(row):
            for target in bits_of(targets):
                before[target, value] |= 1 << state
    values: defaultdict[tuple[int, int], int] = defaultdict(int)
    for (target, value), states in before.items():
        values[target, states] |= 1 << value
    moves = [(own, states, 1 << target) for (target, states), own in values.items()]
    moves += [(0, 0, 0)] * (-len(moves) % MOVES_AT_ONCE)
    made = array("q")
    for first in range(0, len(moves), MOVES_AT_ONCE):
        for part in zip(*moves[first : first + MOVES_AT_ONCE], strict=True):
            made.extend(part)
    return made


@lru_cache(maxsize=256)
def _transitions(machine: Machine) -> tuple[list[int], Numbers]:
    """Return where the transitions of each state begin and end, and all transitions."""
    begins, steps = [], array("q")
    for moves in moves_of(machine):
        begins.append(len(steps))
        for target, values in moves:
            steps.extend((values, target))
    return [*begins, len(steps)], steps
