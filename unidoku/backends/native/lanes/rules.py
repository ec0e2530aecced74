"""Rules as a program of numbers, run by `unidoku.backends.native.lanes.interpreter`.

A program is a list of operations. Each is a number of `Op`, the number of its operands, and the
operands. Cells are byte offsets, and a set of values is repeated as often as fits into a word, so
that the interpreter has nothing left to compute. Relations that hold wherever cells touch are not
part of it: they are compiled with the units, see `unidoku.backends.native.lanes.plan`.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from unidoku.backends.native.lanes.lines import line_numbers
from unidoku.backends.native.lanes.plan import compiled_relations, lane_bits
from unidoku.backends.sum_range import larger_sums
from unidoku.backends.toolkit.layers import lines_of
from unidoku.core.bits import all_values
from unidoku.core.caching import layout_cache, number_cache
from unidoku.core.constraints.automaton import Machine
from unidoku.core.constraints.operations import cells_of
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Masks,
    SameValues,
    Sets,
    Sum,
    Table,
    backwards,
    tabulated,
)
from unidoku.core.layout import Layout
from unidoku.core.transforms.lower import Lowered, lower

CHUNK = 3
"""Rows of a table that are looked up together."""

LARGEST_CAGE = 16
"""The largest number of cells in a cage: there is separate code for each size."""

MOST_STEPS = 100_000
"""The largest number of sets of values and steps of lines supported: some megabytes."""

RULE_WEIGHT = 9
"""How much an open cell counts that shares a rule with the cell to choose. Measured in nodes on
minimal boards: compared with questions about bands, a twentieth with whispers and a thirtieth with
sandwiches; compared with a weight of 1, half to a seventh."""

TERMS = ((1, False), (-1, False), (1, True), (-1, True))
"""The kinds of terms of a sum, in their order: the sign, and whether there is a weight."""


class Op(IntEnum):
    """The operations. A relation works in one direction: a target keeps what its source allows."""

    END = 0
    KEEP = 1
    """Cells keep some values: pairs of a cell and a set."""
    UP = 2
    """The target is larger than the source by at least a distance."""
    DOWN = 3
    """The target is smaller than the source by at least a distance."""
    APART = 4
    """The two differ by at least a distance."""
    STEP = 5
    """The two differ by exactly a distance."""
    TABLE = 6
    """The target holds a value that a table allows with the source."""
    SAME = 7
    """Two lists of the same length hold the same sets of values."""
    SUM = 8
    """A weighted sum is within bounds."""
    LINE = 9
    """There is a path through layers of states."""
    SETS = 16
    """Cells hold one of some sets of values; the number of cells is added to the operation's
    number, so that each size has its own code."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleProgram:
    """The rules of a layout.

    Args:
        numbers: the program.
        choices: program for the choice of a cell to branch on.
        scratch: bytes that the interpreters need to work with.
    """

    numbers: array[int]
    choices: array[int]
    scratch: int


Way: TypeAlias = tuple[Op, int | Masks]
"""A relation in one direction: an operation with a distance or with a table."""


def program_lack(layout: Layout) -> str | None:
    """Return why there is no program for the rules of a layout, None if there is one."""
    lowered = lower(layout)
    if lowered.alternatives:
        return "does not support alternatives"
    if lowered.regions:
        return "does not support connected regions"
    if any(len(cage.cells) > LARGEST_CAGE for cage in lowered.sets):
        return f"supports cages of up to {LARGEST_CAGE} cells"
    if larger := larger_sums(_largest_sum(layout.n), layout):
        return larger
    if sum(_size(constraint, layout.n) for constraint in lowered.beyond_pairs) > MOST_STEPS:
        return f"supports rules of up to {MOST_STEPS:,} sets and steps in all"
    return None


def _largest_sum(n: int) -> int:
    """Return what a sum may reach so that its distance to a bound fits in a signed lane."""
    return ((1 << lane_bits(n) - 1) - 1) // 4


def _size(constraint: Constraint, n: int) -> int:
    """Return an upper bound of the number of sets of values or steps of a constraint."""
    match constraint:
        case Sets(_, masks):
            return len(masks)
        case Automaton(cells, machine):
            return len(cells) * _steps_of(machine)
        case Table(cells, rows):
            return len(cells) * len(rows)
        case SameValues(cells, _, False):
            return 8 * n * len(cells) ** 2
        case _:
            return 0


@number_cache(maxsize=4096)
def _steps_of(machine: Machine) -> int:
    return sum(to.bit_count() for row in machine.steps for to in row)


def has_program(layout: Layout) -> bool:
    """Return whether a layout that is supported has rules beyond those that are compiled."""
    lowered = lower(layout)
    beyond = lowered.beyond_pairs or lowered.candidates
    return bool(beyond) or len(lowered.relations) > len(compiled_relations(layout))


@layout_cache(maxsize=64)
def program_of(layout: Layout, vector: int) -> RuleProgram | None:
    """Return the program of a layout's rules, None if no rule needs one.

    Args:
        layout: layout whose rules, if any, `program_lack` accepts.
        vector: size of a vector in bytes.
    """
    if not has_program(layout):
        return None
    lowered = lower(layout)
    writer = _Writer(layout.n, vector)
    left = [(cell, mask) for cell, mask in enumerate(lowered.candidates)]
    if kept := [(cell, mask) for cell, mask in left if mask != all_values(layout.n)]:
        writer.keep(kept)
    for (op, how), pairs in _ways(layout, lowered).items():
        writer.relation(op, how, pairs)
    writer.cages(lowered.sets)
    for same in lowered.same_values:
        writer.same_values(same)
    for one in lowered.sums:
        writer.sum(one)
    lines: tuple[Automaton | Table, ...] = (*lowered.automata, *lowered.tables)
    for line in lines:
        writer.line(line)
    return writer.written(*_choices(layout, lowered, vector))


def _choices(layout: Layout, lowered: Lowered, vector: int) -> tuple[array[int], int]:
    """Return the program for choosing cells: groups of cells, then the groups of each cell.

    Groups are units and the cells of a rule; for relations, all cells related to a cell. The second
    result is the number of bytes needed to weigh the groups.
    """
    related: defaultdict[int, set[int]] = defaultdict(set)
    for relation in lowered.relations:
        for a, b in relation.pairs:
            related[a].add(b)
            related[b].add(a)
    units = [unit.cells for unit in layout.maximal_units]
    rules = [tuple(dict.fromkeys(cells_of(constraint))) for constraint in lowered.beyond_pairs]
    of_cell: list[list[int]] = [[] for _ in layout.cells]
    for number, group in enumerate((*units, *rules)):
        for cell in group:
            of_cell[cell].append(number)
    for cell, others in sorted(related.items()):
        of_cell[cell].append(len(units) + len(rules))
        rules.append(tuple(sorted(others)))
    numbers = [len(layout)]
    for weight, groups in ((1, units), (RULE_WEIGHT, rules)):
        numbers += [weight, len(groups)]
        for group in groups:
            numbers += [len(group), *(cell * vector for cell in group)]
    for its in of_cell:
        numbers += [len(its), *((len(layout) + number) * vector for number in its)]
    return array("q", numbers), (len(layout) + len(units) + len(rules)) * vector


def _ways(layout: Layout, lowered: Lowered) -> dict[Way, list[tuple[int, int]]]:
    """Return the pairs of cells for each operation that relations use.

    Pairs that follow each other, as along a thermometer, stay in that order, forward and back.
    """
    compiled = set(compiled_relations(layout))
    there: defaultdict[Way, list[tuple[int, int]]] = defaultdict(list)
    back: defaultdict[Way, list[tuple[int, int]]] = defaultdict(list)
    for relation in lowered.relations:
        if relation not in compiled:
            there[_way(relation.table)] += relation.pairs
            back[_way(backwards(relation.table))] += [(b, a) for a, b in relation.pairs]
    for way, pairs in back.items():
        there[way] += reversed(pairs)
    return there


@number_cache(maxsize=4096)
def _way(table: Masks) -> Way:
    """Return the operation for a table, if possible one that needs no table.

    >>> _way(tabulated(9, lambda v, w: abs(v - w) >= 5)) == (Op.APART, 5)
    True
    """
    n = len(table)
    for distance in range(n):
        if table == tabulated(n, lambda v, w: w - v >= distance):  # noqa: B023 - used at once
            return Op.UP, distance
        if table == tabulated(n, lambda v, w: v - w >= distance):  # noqa: B023
            return Op.DOWN, distance
        if table == tabulated(n, lambda v, w: abs(v - w) >= distance):  # noqa: B023
            return Op.APART, distance
        if distance and table == tabulated(n, lambda v, w: abs(v - w) == distance):  # noqa: B023
            return Op.STEP, distance
    return Op.TABLE, table


class _Writer:
    """Writes the numbers of a program.

    Args:
        n: the number of values.
        vector: size of a vector in bytes.
    """

    def __init__(self, n: int, vector: int) -> None:
        self._n = n
        self._vector = vector
        self._bits = lane_bits(n)
        self._copies = sum(1 << at for at in range(0, 64, self._bits))
        self._numbers = array("q")
        self._scratch = 0

    def written(self, choices: array[int], room: int) -> RuleProgram:
        """Return the program; choosing a cell takes that many bytes."""
        scratch = max(8 * self._scratch, room)
        return RuleProgram(array("q", [*self._numbers, Op.END]), choices, scratch)

    def _write(self, *numbers: int) -> None:
        self._numbers.extend(numbers)

    def _mask(self, mask: int) -> int:
        word = mask * self._copies
        return word - (1 << 64) if word >> 63 else word

    def _cells(self, cells: Iterable[int]) -> list[int]:
        return [cell * self._vector for cell in cells]

    def keep(self, kept: Sequence[tuple[int, int]]) -> None:
        """Write the values that cells keep."""
        self._write(Op.KEEP, len(kept))
        for cell, mask in kept:
            self._write(cell * self._vector, self._mask(mask))

    def relation(self, op: Op, how: int | Masks, pairs: Sequence[tuple[int, int]]) -> None:
        """Write a relation in one direction."""
        self._write(op)
        if isinstance(how, int):
            self._write(how)
        else:
            rows: defaultdict[int, int] = defaultdict(int)
            for place, image in enumerate(how):
                rows[image] |= 1 << place
            rows.pop(0, None)
            chunks = -(-len(rows) // CHUNK)
            images = [(own, image) for image, own in rows.items()]
            self._write(chunks)
            for own, image in images + [(0, 0)] * (chunks * CHUNK - len(images)):
                self._write(self._mask(own), self._mask(image))
        self._write(len(pairs))
        for pair in pairs:
            self._write(*self._cells(pair))

    def cages(self, cages: Iterable[Sets]) -> None:
        """Write cages, grouped by size."""
        by_size: defaultdict[int, list[Sets]] = defaultdict(list)
        for cage in cages:
            by_size[len(cage.cells)].append(cage)
        for size, some in sorted(by_size.items()):
            self._write(Op.SETS + size, len(some))
            for cage in some:
                self._write(*self._cells(cage.cells), len(cage.masks))
                self._write(*map(self._mask, cage.masks))

    def same_values(self, constraint: SameValues) -> None:
        """Write lists of the same values; if values may repeat, a line for each value."""
        if not constraint.differ:
            for line in lines_of(constraint, self._n):
                self.line(line)
            return
        self._write(Op.SAME, len(constraint.cells))
        self._write(*self._cells(constraint.cells), *self._cells(constraint.others))

    def sum(self, constraint: Sum) -> None:
        """Write a sum; the interpreter counts values from 0."""
        steps, more = self._n - 1, sum(constraint.weights)
        low, high = constraint.low - more, constraint.high - more
        terms = list(zip(constraint.cells, constraint.weights, strict=True))
        kinds = [
            [(c, abs(w)) for c, w in terms if (w > 0) == (sign > 0) and (abs(w) > 1) == is_heavy]
            for sign, is_heavy in TERMS
        ]
        self._write(Op.SUM, low, high, steps, *map(len, kinds))
        for (_, is_heavy), some in zip(TERMS, kinds, strict=True):
            for cell, weight in some:
                self._write(cell * self._vector, *([weight] if is_heavy else []))

    def line(self, constraint: Automaton | Table) -> None:
        """Write an automaton or a table."""
        numbers, places = line_numbers(constraint, lambda cell: cell * self._vector, self._mask)
        self._write(Op.LINE, *numbers)
        self._scratch = max(self._scratch, places)
