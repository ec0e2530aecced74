"""Constraints as rows of numbers, see `unidoku.backends.native.single.search.kinds.Propagator`."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from struct import pack
from typing import Any, TypeAlias

from unidoku.backends.native.compiler.intrinsics import CELLS_AT_ONCE, SETS_AT_ONCE
from unidoku.backends.native.single.build.differing import Differing
from unidoku.backends.native.single.build.machines import (
    Counter,
    Effect,
    effect_of,
    required,
)
from unidoku.backends.native.single.build.memory import (
    LINE,
    Numbers,
    behind_cells,
    supports_of,
    words_of,
)
from unidoku.backends.native.single.build.steps import form_of_line
from unidoku.backends.native.single.build.tables import (
    RelationForm,
    filled_up,
    relation_form,
    terms_of,
)
from unidoku.backends.native.single.search.kinds import (
    UNGROUPED,
    Propagator,
)
from unidoku.core.bits import all_values, set_of
from unidoku.core.constraints.automaton import Machine
from unidoku.core.constraints.connected import listed_neighbours
from unidoku.core.constraints.operations import cells_of
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Region,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
    digit_sets,
)
from unidoku.core.layout import Layout
from unidoku.support.deadline import time_check

Cells: TypeAlias = tuple[int, ...]

FEWEST_ALIKE = 100
"""From this number of pairs on, whose cells have no value in common of some, cells have rows."""


MOST_SETS = 130
"""Above this number of sets of values a cage becomes a sum of cells that differ, because the sets
are checked in turn, eight at a time."""

_SETS, _SUM, _TIMES, _HITS, _REQUIRED, _TABLE, _AUTOMATON, _REPEATING = (
    *(Propagator.SETS, Propagator.SUM, Propagator.TIMES, Propagator.HITS, Propagator.REQUIRED),
    *(Propagator.TABLE, Propagator.AUTOMATON, Propagator.REPEATING),
)
"""Kinds of which a layout may have many: to find a member of an enum takes 0.1 µs."""


class Constraints:
    """Rows of constraints and the tables that they refer to, each stored once.

    Attributes:
        of_kind: where the rows of each kind begin, as in `prepare`.
        pairs: cells that differ by relations, one pair after the other.
        work: size of the working memory of the propagators of one constraint.
        more_work: size of the working memory of alternatives.
        memo: size of the memory of what propagators found before.
        notes: number of alternatives, each of which notes in a state which branches are impossible.
        labels: where the row of interchangeable regions begins, or None.
    """

    def __init__(
        self,
        layout: Layout,
        first: Numbers,
        rows: Mapping[Propagator, Sequence[int]],
        units: Sequence[int],
    ) -> None:
        """Begin with the units of a layout.

        Args:
            layout: the layout.
            first: the numbers of units, in whole lines, which come before the tables.
            rows: where the rows of each kind begin in them.
            units: the units as sets of cells.
        """
        self.n = layout.n
        self.pairs: list[int] = []
        self.work = self.more_work = self.memo = self.notes = 0
        self.labels: int | None = None
        self.of_kind: defaultdict[Propagator, list[int]] = defaultdict(list)
        for kind, places in rows.items():
            if places:
                self.of_kind[kind] = [*places]
        self._parts: list[bytes | Numbers] = [first]
        self._written = len(first)
        self._rows: list[int] = []
        self._nested: list[int] = []  # where among these it says where other rows begin
        self._alike: list[tuple[Relation, RelationForm]] = []
        self._layout, self._differing = layout, Differing(units)
        self._full: list[Cells] = []
        self._in_branch = False
        self._check = time_check()
        self._tables: dict[Hashable, int] = {}
        self._images: dict[int, int] = {}  # of relations by their identity
        self._terms: dict[Cells, tuple[int, Cells, int]] = {}  # of sums by their weights
        self._sets: dict[int, tuple[int, int]] = {}  # by the identity of the sets
        self._of_machines: dict[tuple[int, int, bool], int] = {}

    def data(self) -> tuple[bytes, int]:
        """Return all the numbers, 64 bits each, and where the rows of the rules begin."""
        rows = self._rows
        for at in self._nested:
            rows[at] += self._written
        self._nested.clear()
        return b"".join([*self._parts, pack(f"{len(rows)}q", *rows)]), self._written

    def put_in_order(self, places: list[int]) -> None:
        """Put rows of the rules in order, small ones first, by where they begin."""
        places.sort(key=self._rows.__getitem__)

    def add(self, kind: Propagator, cells: Sequence[int], numbers: Iterable[int] = ()) -> None:
        """Add a constraint."""
        rows = self._rows
        self.of_kind[kind].append(len(rows))
        rows.append(len(cells))
        rows += cells
        rows += numbers

    def table(
        self, key: Hashable, make: Callable[..., Numbers | Sequence[int]], *arguments: Any
    ) -> int:
        """Return where a table is in the data; it is written once for each key."""
        offset = self._tables.get(key)
        if offset is None:
            offset = self._tables[key] = self.write(make(*arguments))
        return offset

    def write(self, table: Numbers | Sequence[int]) -> int:
        """Write a table from the start of a line on; return where it is in the data."""
        if self._check:
            self._check()
        offset, size = self._written, len(table)
        self._parts.append(table if type(table) is array else pack(f"{size}q", *table))
        if size % LINE:
            self._parts.append(_PADDING[size % LINE])
            size += -size % LINE
        self._written = offset + size
        return offset

    def extend(self, constraints: Iterable[Constraint]) -> None:
        """Add the rows of constraints."""
        for constraint in constraints:
            _ADD[type(constraint)](self, constraint)

    def same_values(self, constraint: SameValues) -> None:
        """Add that two lists of cells have the same values."""
        kind = Propagator.SAME if len(constraint.cells) == self.n else Propagator.MATCHING
        if not constraint.differ:
            kind = Propagator.COUNTED
        self.add(kind, (*constraint.cells, *constraint.others), (len(constraint.cells),))

    def alternatives(self, constraint: Or) -> None:
        """Add alternatives: the constraints of their branches are rows, but not in the queue."""
        of_kind, differing = self.of_kind, self._differing
        branches = []
        self._in_branch = True
        for branch in _flat_branches(constraint):
            self.of_kind, self._differing = defaultdict(list), Differing(differing.sets())
            self.extend(branch)
            parts = [(kind, at) for kind in sorted(self.of_kind) for at in self.of_kind[kind]]
            branches.append(parts)
        self.of_kind, self._differing, self._in_branch = of_kind, differing, False
        cells = sorted(set(cells_of(constraint)))
        self.add(
            Propagator.OR, cells, (behind_cells(len(self._layout)) + self.notes, len(branches))
        )
        self.notes += 1
        rows = self._rows
        for parts in branches:
            rows.append(len(parts))
            for part in parts:
                rows += part
                self._nested.append(len(rows) - 1)
        self.more_work = max(self.more_work, 2 * len(cells))

    def relation(self, constraint: Relation) -> None:
        """Add a relation; that cells differ makes them peers."""
        form = relation_form(constraint.table)
        if self._in_branch or not (form.tells_apart or form.alike):
            self._both_ways(constraint, form)
        elif form.tells_apart:
            self.pairs.extend(chain.from_iterable(constraint.pairs))
        else:
            self._alike.append((constraint, form))

    def add_value_peers(self) -> None:
        """Add the relations by which two cells have no value in common, of those excluded alike.

        Many of them are rows of cells, with what each of their values excludes.
        """
        relations, self._alike = self._alike, []
        if sum([len(constraint.pairs) for constraint, _ in relations]) < FEWEST_ALIKE:
            for constraint, form in relations:
                self._both_ways(constraint, form)
            return
        excluded: defaultdict[int, list[int]] = defaultdict(lambda: [0] * self.n)
        for constraint, form in relations:
            for a, b in constraint.pairs:
                for value in form.alike:
                    excluded[a][value - 1] |= 1 << b
                    excluded[b][value - 1] |= 1 << a
        size = -(-len(self._layout) // CELLS_AT_ONCE) * CELLS_AT_ONCE // 8
        for cell, cell_sets in excluded.items():
            blocks = b"".join([cell_set.to_bytes(size, "little") for cell_set in cell_sets])
            self.add(Propagator.VALUE_PEERS, (cell,), array("I", blocks))

    def _both_ways(self, constraint: Relation, form: RelationForm) -> None:
        """Add a relation of some form, both ways for each of its pairs."""
        images = form.images
        images_at = self._images.get(id(images))
        if images_at is None:
            images_at = self._images[id(images)] = self.write(images)
        backwards_at = images_at + len(images) // 2
        rows = self._rows
        first = len(rows)
        for a, b in constraint.pairs:
            rows += (2, a, b, images_at, 2, b, a, backwards_at)
        self.of_kind[form.kind] += range(first, len(rows), 8)
        self.of_kind[form.kind_backwards] += range(first + 4, len(rows), 8)

    def sets(self, constraint: Sets) -> None:
        """Add sets of values: as a unit if they are all, as a sum if there are many with one sum.

        Cells of such a sum become peers because they differ; cells of a branch do not.
        """
        masks, cells, in_branch = constraint.masks, constraint.cells, self._in_branch
        size = len(cells)
        self._differing.add(cells)
        if size == self.n:
            self._full.append(cells)
            if masks:
                self.add(Propagator.UNIT, cells)
                return
        if len(masks) > MOST_SETS and not in_branch:
            low, high = constraint.totals
            if len(masks) == len(digit_sets(self.n, size, low, high)):
                self.sum(Sum(cells, (1,) * size, low, high), differ=True)
                return
        table = self._sets.get(id(masks))
        if table is None:
            filled = filled_up(masks)
            table = self._sets[id(masks)] = len(filled) // SETS_AT_ONCE, self.write(filled)
        rests = () if in_branch else self._rests(cells)
        rows = self._rows
        self.of_kind[_SETS].append(len(rows))
        rows += (size, *cells, *table, not in_branch, len(rests))
        for rest in rests:
            rows += rest
        if self.work < 2 * size:
            self.work = 2 * size

    def _rests(self, cells: Cells) -> list[list[int]]:
        """Return the other cells of each full unit that has these."""
        n = self.n
        rests = [
            sorted(unit.difference(cells))
            for unit in self._layout.unit_sets_of[cells[0]]
            if len(unit) == n and unit.issuperset(cells)
        ]
        for whole in self._full:
            if {*whole}.issuperset(cells):
                rests.append([cell for cell in whole if cell not in cells])
        return rests

    def sum(self, constraint: Sum, *, differ: bool = False) -> None:
        """Add a weighted sum, optionally of cells that all differ: see `single.sums`.

        Values start from 0 in the compiled code, so that bounds are less by the weights.
        """
        cells = constraint.cells
        size = len(cells)
        weights = constraint.weights
        terms = self._terms.get(weights)
        if terms is None:
            total, order, table = terms_of(weights, self.n)
            terms = self._terms[weights] = total, order, self.write(table)
        total, order, at = terms
        if order:
            cells = tuple([cells[index] for index in order])
        rows = self._rows
        self.of_kind[_SUM].append(len(rows))
        rows += (size, *cells, constraint.low - total, constraint.high - total, at)
        if self._in_branch or differ:
            heavy = [weights[index] for index in order] or weights
            pairs = zip(heavy, cells, strict=True)
            groups = [(1, [*cells])] if differ else self._differing.groups(pairs)
            rows.append(len(groups))
            for weight, members in groups:
                rows += (weight, len(members), *members)
        else:  # grouping is done in compiled code; four numbers for each term are enough room
            rows.append(UNGROUPED)
            rows += _NO_GROUPS * size
        if self.work < 6 * size:
            self.work = 6 * size

    def times(self, cells: Sequence[int], counter: Counter) -> None:
        """Add that a value occurs a number of times in cells, once for each way to group the cells.

        Disjoint units are such a way: in the cells of one unit a value occurs at most once.
        """
        flag = cells[:1] if counter.is_flagged else ()
        counted = set_of(cells[len(flag) :])
        numbers = (1 << counter.value, counter.least, counter.most, counter.is_flagged)
        for groups in self._differing.ways(counted):
            sizes = (len(groups), *map(len, groups))
            self.add(_TIMES, (*chain.from_iterable(groups), *flag), (*numbers, *sizes))

    def rows(self, constraint: Table) -> None:
        """Add a table: for each cell and value, the set of rows that have it there."""
        words = words_of(len(constraint.rows))
        offset = self.table((Table, id(constraint.rows)), supports_of, constraint.rows, self.n)
        self.add(_TABLE, constraint.cells, (words, offset))
        self.work = max(self.work, 2 * words)

    def region(self, constraint: Region) -> None:
        """Add a connected region with the neighbours of its cells: see `single.regions`."""
        cells, others = constraint.cells, constraint.others
        offset = self.table(
            (Region, cells, constraint.pairs), listed_neighbours, cells, constraint.pairs
        )
        every = all_values(self.n) if others and constraint.low == self.n else 0
        bounds = max(constraint.low, 0), min(constraint.high, len(cells))
        bounds_of_region = (len(cells), constraint.mask, *bounds, offset, every)
        self.add(Propagator.REGION, (*cells, *others), bounds_of_region)
        self.work = max(self.work, 4 * len(cells))

    def lines_apart(self, cells: Cells) -> None:
        """Add that two lines, cells of both in turn, are not the same."""
        listed: Sequence[int] = cells
        if len({*cells}) < len(cells):
            pairs = zip(cells[::2], cells[1::2], strict=True)
            listed = [cell for a, b in pairs if a != b for cell in (a, b)]
        self.add(Propagator.APART, listed)

    def automaton(self, constraint: Automaton) -> None:
        """Add a line that a machine reads."""
        machine, cells = constraint.machine, constraint.cells
        size = len(cells)
        once = len({*cells}) == size  # a cell that occurs again counts again
        effect = effect_of(machine, size)
        if effect is not None and self._effect(effect, cells, once=once):
            return
        units = self._differing.sets()
        is_unit = differ = False
        if once and units:
            is_unit = differ = size == self.n and self._is_unit(cells)
            if not is_unit:
                cell_set = set_of(cells)
                is_unit = cell_set in units
                differ = is_unit or cell_set in map(cell_set.__and__, units)
        key = id(machine), size, differ
        at = self._of_machines.get(key)
        if at is None:
            at = self._of_machines[key] = self._machine(machine, size, differ=differ)
        rows = self._rows
        self.of_kind[_AUTOMATON if once else _REPEATING].append(len(rows))
        rows += (size, *cells, at)
        is_useful = units and not (is_unit or self._in_branch)
        if is_useful and (wanted := required(machine, size)):
            self.add(_REQUIRED, cells, (wanted,))

    def _effect(self, effect: Effect, cells: Cells, *, once: bool) -> bool:
        """Add a line that a machine reads by what the machine does; return whether that is all.

        Args:
            effect: what it does.
            cells: the cells of the line.
            once: whether each of them occurs once.
        """
        if effect.tells_apart:
            self.lines_apart(cells)
        elif once and effect.counter is not None and not self._in_branch:
            self.times(cells, effect.counter)
        elif once and (classes := effect.classes) is not None:
            numbers = not self._in_branch, len(classes), *chain.from_iterable(classes)
            self.add(_HITS, cells, numbers)
            self.work = max(self.work, len(cells))
        else:
            return False
        return True

    def _is_unit(self, cells: Cells) -> bool:
        """Return whether cells, as many as there are values, are a unit."""
        return True in [unit.issuperset(cells) for unit in self._layout.unit_sets_of[cells[0]]]

    def _machine(self, machine: Machine, length: int, *, differ: bool) -> int:
        """Return where the table is of a machine that reads lines of some length."""
        words, table = form_of_line(machine, length, differ)
        work = length + (length + 1) * words
        if self.work < work:
            self.work = work
        return self.write(table)


_ADD: dict[type[Constraint], Callable[[Constraints, Any], None]] = {
    Relation: Constraints.relation,
    Sum: Constraints.sum,
    Sets: Constraints.sets,
    SameValues: Constraints.same_values,
    Automaton: Constraints.automaton,
    Table: Constraints.rows,
    Region: Constraints.region,
    Or: Constraints.alternatives,
}
"""How the rows of each class of constraints are added."""

_PADDING = [bytes(8 * (-size % LINE)) for size in range(LINE)]
"""The zeros after that many numbers of a line."""

_NO_GROUPS = (0,) * 4
"""Room for the groups of a sum, for each of its terms."""


def _flat_branches(constraint: Or) -> Iterator[tuple[Constraint, ...]]:
    """Yield branches without alternatives of their own: one for each choice among those."""
    for branch in constraint.branches:
        if Or not in map(type, branch):
            yield branch
            continue
        choices = [
            tuple(_flat_branches(part)) if isinstance(part, Or) else ((part,),) for part in branch
        ]
        for chosen in product(*choices):
            yield tuple(chain.from_iterable(chosen))
