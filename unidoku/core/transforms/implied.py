"""Deduced constraints: the rule of 45, and its counterpart for relations.

A full unit holds each value once, so its sum is known (45 for nine values). The cells that cages
inside it leave over (innies), and the cells by which cages that cover it stick out (outies), have a
known sum too. With these sums, solvers of any kind solve most killers without givens at once. Cells
that are all related to each other by one relation hold one of a few sets of values. Cells of one
region that is to be found differ, whichever region it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from math import comb
from typing import TypeAlias

from unidoku.core.bits import all_values, bit, bits_of, values_of
from unidoku.core.caching import layout_cache, number_cache
from unidoku.core.constraints.primitives import (
    Constraint,
    Masks,
    Region,
    Relation,
    Sets,
    Sum,
    alike,
    apart,
    backwards,
    digit_sets,
)
from unidoku.core.layout import Layout
from unidoku.core.transforms.innies_outies import MAX_UNITS, cages_of, remainders, runs, unit_sets
from unidoku.core.transforms.simplify import Simplified, WithImplied, simplified, simplify

MAX_TERMS = 4
"""The largest number of cells of a sum that is passed on: larger sums cost most solvers more time
than they saved.

`native` gets sums of up to twice as many, which halves its search on killers."""

MOST_SETS = 130
"""The largest number of sets of values that is passed on for cells in one relation."""


SumFinder: TypeAlias = Callable[[Layout, int, int], Iterable[Sum]]
"""A function such as `implied_sums`."""

_MAY_FOLLOW: frozenset[type[Constraint]] = frozenset({Relation, Sets, Sum})
"""The classes of deduced constraints in their simplest form."""


@layout_cache(maxsize=64)
def with_implied(
    layout: Layout,
    supports: frozenset[type[Constraint]] | None = None,
    terms: int = MAX_TERMS,
    find_sums: SumFinder | None = None,
) -> Layout:
    """Return the layout with the constraints that follow from its own; itself if none follow.

    The result is for solvers: its rules, which check grids and name boards, are unchanged.

    Args:
        layout: layout of the constraints.
        supports: the classes of constraints that may be added; by default any.
        terms: largest number of cells of an added sum.
        find_sums: finds the same sums as `implied_sums`, but sooner.
    """
    implied = tuple(implied_constraints(layout, terms=terms, find_sums=find_sums))
    if not (supports is None or supports >= _MAY_FOLLOW):
        implied = tuple(
            constraint
            for constraint in implied
            if supports.issuperset(map(type, simplify(layout, [constraint]).constraints))
        )
    return WithImplied.of(layout, implied) if implied else layout


def implied_constraints(
    layout: Layout,
    *,
    units: int = MAX_UNITS,
    terms: int = MAX_TERMS,
    find_sums: SumFinder | None = None,
) -> Iterator[Sum | Sets]:
    """Yield sums of a few cells, and sets of values, that follow from the constraints of a layout.

    Args:
        layout: layout of the constraints.
        units: largest number of full units that are combined.
        terms: largest number of cells of a sum in one unit; for other sums, which are weaker, one
            less.
        find_sums: finds the sums; by default `implied_sums`.
    """
    if not layout.rules or isinstance(layout, WithImplied):
        return
    simple = simplified(layout)
    if Relation in simple.of_kind:
        yield from _cliques(layout, simple)
    if Region in simple.of_kind:
        yield from _within_regions(layout, simple)
    yield from (find_sums or implied_sums)(layout, units, terms)


def implied_sums(layout: Layout, units: int, terms: int) -> Iterator[Sum]:
    """Yield sums of few cells that follow from cages and full units; see `implied_constraints`."""
    sums = {
        (remainder.left, remainder.over): remainder.total
        for remainder in remainders(layout, units=units, most_cells=terms)
    }
    if not sums:
        return
    every = unit_sets(layout.base, full=False)
    totals = {cage: total for cage, total in cages_of(layout).items() if cage.bit_count() <= terms}
    if layout.n <= terms:
        in_order = [cells for ((_, _, cells),) in runs(layout.base, 1)]
        totals |= dict.fromkeys(in_order, layout.n * (layout.n + 1) // 2)
    known = _KnownSums(totals)
    for left, over in sorted(sums, key=lambda cells: (cells[0] | cells[1]).bit_count()):
        left, over, total = known.subtracted_from(left, over, sums[left, over])
        size = (left | over).bit_count()
        if left | over and known.add(left, over, total):
            if size == terms and (over or not any(not left & ~unit for unit in every)):
                continue
            yield Sum.of_sets(left, over, total)


class _KnownSums:
    """Known sums, each of a set of cells minus another, in the order in which they were found.

    Args:
        cages: sets of cells with their sums.
    """

    def __init__(self, cages: Mapping[int, int]) -> None:
        self._pairs: set[tuple[int, int]] = set()
        self._count = self._firsts = 0
        self._from: defaultdict[int, list[tuple[int, int, int, int, int]]] = defaultdict(list)
        for cage, total in cages.items():
            self.add(cage, 0, total)

    def add(self, plus: int, minus: int, total: int) -> bool:
        """Add a sum; return whether it is new."""
        if (plus, minus) in self._pairs:
            return False
        self._pairs.add((plus, minus))
        cells = plus | minus
        self._firsts |= cells & -cells
        self._from[cells & -cells].append((self._count, cells, plus, minus, total))
        self._count += 1
        return True

    def subtracted_from(self, left: int, over: int, total: int) -> tuple[int, int, int]:
        """Return the rest of a sum after subtracting the known sums inside it."""
        outside = ~(left | over)
        cells = self._firsts & ~outside
        inside = []
        while cells:
            first = cells & -cells
            cells ^= first
            for entry in self._from[first]:
                if not entry[1] & outside:
                    inside.append(entry)
        inside.sort()
        for _, _, plus, minus, part in inside:
            if plus & ~left | minus & ~over == 0 and (plus, minus) != (left, over):
                left, over, total = left & ~plus, over & ~minus, total - part
            elif minus & ~left | plus & ~over == 0 and (minus, plus) != (left, over):
                left, over, total = left & ~minus, over & ~plus, total + part
        return left, over, total


def _within_regions(layout: Layout, simple: Simplified) -> Iterator[Sets]:
    """Yield the sets of values of cells that differ, as they lie in one region, whichever it is."""
    of_kind, candidates = simple
    masks: defaultdict[tuple[tuple[int, ...], tuple[int, ...]], int] = defaultdict(int)
    for region in of_kind[Region]:
        masks[region.cells, region.others] |= region.mask
    same = alike(layout.n)
    equal = [relation.pairs for relation in of_kind.get(Relation, ()) if relation.table == same]
    for (cells, others), mask in masks.items() if equal else ():
        other_of = dict(zip(cells, others, strict=False))
        group = {cell: frozenset((cell,)) for cell in other_of if not candidates[cell] & ~mask}
        for a, b in chain.from_iterable(equal):
            if a in group and b in group and b not in group[a]:
                joined = group[a] | group[b]
                group.update(dict.fromkeys(joined, joined))
        for joined_cells in dict.fromkeys(group.values()):
            differing = sorted({other_of[cell] for cell in joined_cells})
            if (
                1 < len(differing) == len(joined_cells) <= layout.n
                and comb(layout.n, len(differing)) <= MOST_SETS
            ):
                yield Sets(tuple(differing), digit_sets(layout.n, len(differing), 0, layout.n**2))


def _cliques(layout: Layout, simple: Simplified) -> Iterator[Sets]:
    """Yield the sets of values of cells that differ and are pairwise in one relation."""
    for constraint in simple.of_kind[Relation]:
        if len(constraint.pairs) < 3 or constraint.table != backwards(constraint.table):
            continue
        neighbours: defaultdict[int, int] = defaultdict(int)
        differ = not any(mask >> value & 1 for value, mask in enumerate(constraint.table))
        peers = () if differ else layout.peers
        for a, b in constraint.pairs:
            if differ or b in peers[a]:
                neighbours[a] |= 1 << b
                neighbours[b] |= 1 << a
        if constraint.table == apart(layout.n) and layout.n > 1 + max(
            map(int.bit_count, neighbours.values())
        ):
            continue  # fewer cells may hold any values
        if not any(neighbours[a] & neighbours[b] for a, b in constraint.pairs):
            continue  # no three cells are related
        # For each cell, related cells with which it is in no clique yet.
        uncovered = dict(neighbours)
        sizes = {cell: others.bit_count() for cell, others in uncovered.items()}
        todo = sorted(uncovered, key=sizes.__getitem__, reverse=True)
        while todo and sizes[first := todo.pop(0)] > 1:
            clique, common = 1 << first, uncovered.pop(first)
            while common:
                cell = common.bit_length() - 1
                clique |= 1 << cell
                common &= neighbours[cell]
            size = clique.bit_count()
            if size > 2:
                for cell in uncovered.keys() & set(bits_of(clique)):
                    uncovered[cell] &= ~clique
                    sizes[cell] = uncovered[cell].bit_count()
                todo = sorted(uncovered, key=sizes.__getitem__, reverse=True)
            if size > 2 and (masks := _together(constraint.table, size)) is not None:
                yield Sets(tuple(bits_of(clique)), masks)


@number_cache(maxsize=256)
def _together(table: Masks, size: int) -> Masks | None:
    """Return the sets of that many values that a symmetric relation allows pairwise.

    None if all sets are allowed, or if there are too many to be worth passing on.
    """
    grown = [(0, all_values(len(table)))]
    for _ in range(size):
        grown = [
            (values | bit(value), common & table[value - 1] & -2 * bit(value))
            for values, common in grown
            for value in values_of(common)
        ]
        if len(grown) > MOST_SETS:
            return None
    masks = tuple(sorted([values for values, _ in grown]))
    return masks if len(masks) < comb(len(table), size) or size == len(table) else None
