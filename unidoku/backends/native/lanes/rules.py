"""Rules as a program of numbers, which `unidoku.backends.native.lanes.interpreter` reads.

Operations follow one another, each a number of `Op`, how many things it is done to, and what they
are. Cells are offsets in bytes, sets of values stand in a word as often as there is room, so that
the interpreter has nothing left to compute. Relations that hold wherever cells touch are not among
them: those are compiled with the units, see `unidoku.backends.native.lanes.plan`.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import TypeAlias

from unidoku.backends.lower import Lowered, lower
from unidoku.backends.native.lanes.lines import line_numbers
from unidoku.backends.native.lanes.plan import compiled_relations, lane_bits
from unidoku.backends.toolkit.layers import Layers, layers_of, lines_of
from unidoku.core.bits import all_values
from unidoku.core.layout import Layout
from unidoku.core.shapes import Masks, SameValues, Sets, Sum, backwards, tabulated
from unidoku.errors import UnsupportedError

__all__ = ["CHUNK", "LARGEST_CAGE", "TERMS", "Op", "RuleProgram", "program_lack", "program_of"]

CHUNK = 3
"""Rows of a table that are looked up together."""

LARGEST_CAGE = 16
"""The most cells of a cage: there is code for each number of them."""

MOST_WORDS = 500_000
"""The longest program, 4 MB: more would leave the processor's caches."""

VECTOR = 64
"""Bytes of a vector, of which a program depends on nothing else than its offsets."""

TERMS = ((1, False), (-1, False), (1, True), (-1, True))
"""The kinds of terms of a sum, in their order: the sign, and whether there is a weight."""


class Op(IntEnum):
    """The operations. A relation is worked one way: a target keeps what goes with a source."""

    END = 0
    KEEP = 1
    """Cells keep some values: pairs of a cell and a set."""
    UP = 2
    """The target is larger than the source, by a distance at least."""
    DOWN = 3
    """The target is smaller, by a distance at least."""
    APART = 4
    """The two are so far apart at least."""
    STEP = 5
    """The two are just so far apart."""
    TABLE = 6
    """The target holds what a table has beside the source."""
    SAME = 7
    """Two lists of as many cells hold the same sets of values."""
    SUM = 8
    """A weighted sum is within bounds."""
    LINE = 9
    """There is a way through layers of states."""
    SETS = 16
    """Cells hold one of some sets of values; the number of cells is added to that of the operation,
    so that each size has code of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleProgram:
    """The rules of a layout.

    Args:
        numbers: the program.
        scratch: numbers of 64 bits that the interpreter needs to work with.
    """

    numbers: array[int]
    scratch: int


Way: TypeAlias = tuple[Op, int | Masks]
"""What a relation comes to one way: an operation with a distance, or with a table."""


def program_lack(layout: Layout) -> str | None:
    """Return why there is no program for the rules of a layout, None if there is one."""
    try:
        program_of(layout, VECTOR)
    except UnsupportedError as error:
        return error.reasons[0]
    return None


@lru_cache(maxsize=64)
def program_of(layout: Layout, vector: int) -> RuleProgram | None:
    """Return the program of a layout's rules, None if there is nothing for it to do.

    Args:
        layout: may have rules.
        vector: the bytes of a vector.

    Raises:
        UnsupportedError: there is none; says why.
    """
    lowered = lower(layout)
    if lowered.alternatives:
        raise _unsupported("does not serve alternatives")
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
    for line in (*lowered.automata, *lowered.tables):
        writer.line(layers_of(line, layout.n))
    return writer.written()


def _unsupported(reason: str) -> UnsupportedError:
    return UnsupportedError(reason, (reason,))


def _ways(layout: Layout, lowered: Lowered) -> dict[Way, list[tuple[int, int]]]:
    """Return the pairs of cells of each way that relations are worked.

    Where they follow each other, as along a thermometer, so do the pairs, there and back.
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


@lru_cache(maxsize=4096)
def _way(table: Masks) -> Way:
    """Return the operation for a table: one without it, if there is one.

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
        vector: the bytes of a vector.
    """

    def __init__(self, n: int, vector: int) -> None:
        self._n = n
        self._vector = vector
        self._bits = lane_bits(n)
        self._copies = sum(1 << at for at in range(0, 64, self._bits))
        self._numbers = array("q")
        self._scratch = 0

    def written(self) -> RuleProgram | None:
        """Return the program; None if nothing was written."""
        if not self._numbers:
            return None
        return RuleProgram(array("q", [*self._numbers, Op.END]), self._scratch)

    def _write(self, *numbers: int) -> None:
        if len(self._numbers) > MOST_WORDS:
            raise _unsupported("does not serve rules of so many sets or steps")
        self._numbers.extend(numbers)

    def _mask(self, mask: int) -> int:
        word = mask * self._copies
        return word - (1 << 64) if word >> 63 else word

    def _cells(self, cells: Iterable[int]) -> list[int]:
        return [cell * self._vector for cell in cells]

    def keep(self, kept: Sequence[tuple[int, int]]) -> None:
        """Write what cells keep."""
        self._write(Op.KEEP, len(kept))
        for cell, mask in kept:
            self._write(cell * self._vector, self._mask(mask))

    def relation(self, op: Op, how: int | Masks, pairs: Sequence[tuple[int, int]]) -> None:
        """Write a relation, one way."""
        self._write(op)
        if isinstance(how, int):
            self._write(how)
        else:
            rows: defaultdict[int, int] = defaultdict(int)
            for place, image in enumerate(how):
                rows[image] |= 1 << place
            rows.pop(0, None)
            chunks = -(-len(rows) // CHUNK)
            told = [(own, image) for image, own in rows.items()]
            self._write(chunks)
            for own, image in told + [(0, 0)] * (chunks * CHUNK - len(told)):
                self._write(self._mask(own), self._mask(image))
        self._write(len(pairs))
        for pair in pairs:
            self._write(*self._cells(pair))

    def cages(self, cages: Iterable[Sets]) -> None:
        """Write cages, those of a size together."""
        by_size: defaultdict[int, list[Sets]] = defaultdict(list)
        for cage in cages:
            by_size[len(cage.cells)].append(cage)
        for size, some in sorted(by_size.items()):
            if size > LARGEST_CAGE:
                raise _unsupported(f"serves cages of up to {LARGEST_CAGE} cells")
            self._write(Op.SETS + size, len(some))
            for cage in some:
                self._write(*self._cells(cage.cells), len(cage.masks))
                self._write(*map(self._mask, cage.masks))

    def same_values(self, shape: SameValues) -> None:
        """Write lists of the same values; where they may come again, a line for each value."""
        if not shape.differ:
            for line in lines_of(shape, self._n):
                self.line(layers_of(line, self._n))
            return
        self._write(Op.SAME, len(shape.cells))
        self._write(*self._cells(shape.cells), *self._cells(shape.others))

    def sum(self, shape: Sum) -> None:
        """Write a sum; the interpreter counts values from 0."""
        steps = self._n - 1
        least = sum(min(weight * steps, 0) for weight in shape.weights)
        most = sum(max(weight * steps, 0) for weight in shape.weights)
        if 4 * (most - least) >= 1 << self._bits - 1:
            raise _unsupported("does not serve sums so large")
        more = sum(shape.weights)
        low, high = max(shape.low - more, least - 1), min(shape.high - more, most + 1)
        terms = list(zip(shape.cells, shape.weights, strict=True))
        kinds = [
            [(c, abs(w)) for c, w in terms if (w > 0) == (sign > 0) and (abs(w) > 1) == is_heavy]
            for sign, is_heavy in TERMS
        ]
        self._write(Op.SUM, low, high, steps, *map(len, kinds))
        for (_, is_heavy), some in zip(TERMS, kinds, strict=True):
            for cell, weight in some:
                self._write(cell * self._vector, *([weight] if is_heavy else []))

    def line(self, layers: Layers) -> None:
        """Write layers of states."""
        if layers.is_empty:
            self.keep([(layers.cells[0], 0)])
            return
        numbers, places = line_numbers(layers, lambda cell: cell * self._vector, self._mask)
        self._write(Op.LINE, *numbers)
        self._scratch = max(self._scratch, places)
