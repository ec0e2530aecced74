"""Innies and outies of cages and neighbouring full units: the rule of 45."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import NamedTuple, assert_never

from unidoku.core.bits import all_values, set_of, values_of
from unidoku.core.caching import layout_cache, number_cache
from unidoku.core.constraints.primitives import (
    Automaton,
    Masks,
    Or,
    Region,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
)
from unidoku.core.layout import Layout, Unit
from unidoku.core.transforms.simplify import simplified

UNITS = 5
"""Largest number of units combined: on killers two units, and a few more, give most deductions."""


@dataclass(frozen=True, slots=True)
class Remainder:
    """The remainder of full units and cages: cells of units in no cage, and of cages in no unit.

    Args:
        units: the full units, which are disjoint.
        cages: disjoint sets of cells whose sum is known.
        left: the innies, as a set; the outies if cages cover the units.
        over: the outies, as a set.
        total: the sum of the innies less that of the outies.
    """

    units: tuple[Unit, ...]
    cages: tuple[int, ...]
    left: int
    over: int
    total: int


def remainders(layout: Layout, *, units: int = UNITS) -> Iterator[Remainder]:
    """Yield the remainders of up to that many full units and the cages that touch them."""
    for together, chosen, left, over, total in _left_over(layout, units):
        yield Remainder(together, tuple(chosen), left, over, total)


def _left_over(
    layout: Layout, units: int
) -> Iterator[tuple[tuple[Unit, ...], list[int], int, int, int]]:
    """Yield the same as tuples, because a killer has hundreds of them."""
    cages = cages_of(layout)
    in_order = sorted(cages, key=int.bit_count, reverse=True)
    unit_sum = layout.n * (layout.n + 1) // 2
    for run in runs(layout.base, units) if cages else ():
        region = 0
        for end, (_, cells) in enumerate(run, start=1):
            region |= cells
            together = tuple([unit for unit, _ in run[:end]])
            touching = [cage for cage in in_order if cage & region]
            for chosen in filter(None, _choices(region, touching)):
                covered = sum(chosen)
                left, over = region & ~covered, covered & ~region
                total = end * unit_sum - sum([cages[cage] for cage in chosen])
                if not left:
                    left, over, total = over, left, -total
                yield together, chosen, left, over, total


def few_left_over(layout: Layout, units: int, terms: int) -> Iterator[tuple[int, int, int]]:
    """Yield the innies, the outies and the total of the remainders of a few cells."""
    cages = cages_of(layout)
    if sum(map(int.bit_count, cages)) > reduce(or_, cages).bit_count():  # some share a cell
        for _, _, left, over, total in _left_over(layout, units):
            if (left | over).bit_count() <= terms:
                yield left, over, total
        return
    sized = [(cage, cage.bit_count(), total) for cage, total in cages.items()]
    touching = {cells: _touching(cells, sized) for cells in unit_sets(layout.base)}
    unit_sum = layout.n * (layout.n + 1) // 2
    for run in runs(layout.base, units):
        yield from _along([touching[cells] for _, cells in run], unit_sum, terms)


class _Touching(NamedTuple):
    """The disjoint cages that touch a unit.

    Args:
        unit: the unit's cells.
        within: the cells of the cages inside the unit, and their sum.
        others: the other cages, each with its size, its sum, and its number of cells in the unit.
    """

    unit: int
    within: tuple[int, int]
    others: list[tuple[int, int, int, int]]


def _touching(unit: int, sized: Iterable[tuple[int, int, int]]) -> _Touching:
    """Return the cages that touch a unit, given all cages with their sizes and sums."""
    within = of_within = 0
    others = []
    for cage, size, total in sized:
        if held := cage & unit:
            if held == cage:
                within |= cage
                of_within += total
            else:
                others.append((cage, size, total, held.bit_count()))
    return _Touching(unit, (within, of_within), others)


def _along(run: Iterable[_Touching], unit_sum: int, terms: int) -> Iterator[tuple[int, int, int]]:
    """Yield the remainders of a growing number of units and chosen cages, if they have few cells.

    The cages must be disjoint, as in most killers, so that there is no choice among them, and only
    the cages of each added unit have to be checked: whether they touch the units, have their larger
    part in them, or are inside. The result is the same as with `_choices`.

    Args:
        run: disjoint units with the cages that touch them.
        unit_sum: sum of a unit.
        terms: largest number of cells of a remainder.
    """
    region = touched = larger = inside = 0
    of_touched = of_larger = of_inside = 0  # the sum of the units less that of the cages
    held: dict[int, int] = {}
    for unit, (within, of_within), others in run:
        region |= unit
        touched |= within
        larger |= within
        inside |= within
        of_touched += unit_sum - of_within
        of_larger += unit_sum - of_within
        of_inside += unit_sum - of_within
        for cage, size, total, more in others:
            before = held.get(cage, 0)
            held[cage] = now = before + more
            if not before:
                touched |= cage
                of_touched -= total
            if 2 * before <= size < 2 * now:
                larger |= cage
                of_larger -= total
            if now == size:
                inside |= cage
                of_inside -= total
        if inside and (region ^ inside).bit_count() <= terms:
            yield _over(region, inside, of_inside)
        if larger and (region ^ larger).bit_count() <= terms:
            yield _over(region, larger, of_larger)
        if touched and not region & ~touched and (region ^ touched).bit_count() <= terms:
            yield _over(region, touched, of_touched)


def _over(region: int, covered: int, total: int) -> tuple[int, int, int]:
    """Return the innies, the outies and the total; the outies only if the region is covered."""
    left, over = region & ~covered, covered & ~region
    return (left, over, total) if left else (over, 0, -total)


@layout_cache(maxsize=64)
def runs(base: Layout, units: int) -> tuple[tuple[tuple[Unit, int], ...], ...]:
    """Return runs of up to that many disjoint units of the same kind, from each full unit on.

    Each unit comes with its cells as a set; prefixes of a run are used too. Pairs of arbitrary
    units were tried once: they took four times as long and gave no more deductions.
    """
    by_kind: defaultdict[str, list[tuple[Unit, int]]] = defaultdict(list)
    for unit in base.full_units:
        by_kind[unit.kind].append((unit, set_of(unit.cells)))
    found = []
    for same in by_kind.values():
        for start in range(len(same)):
            union, end = 0, start
            while end < min(start + units, len(same)) and not union & same[end][1]:
                union |= same[end][1]
                end += 1
            found.append(tuple(same[start:end]))
    return tuple(found)


@layout_cache(maxsize=64)
def unit_sets(base: Layout, *, full: bool = True) -> tuple[int, ...]:
    """Return the full units of a layout as sets of cells, or its maximal units."""
    return tuple([set_of(unit.cells) for unit in (base.full_units if full else base.maximal_units)])


def _choices(region: int, touching: list[int]) -> Iterator[list[int]]:
    """Yield choices of disjoint cages of those that touch a region, preferring earlier ones.

    The cages inside it; those with the larger part inside; and those that cover it, if any do.
    """
    yield _apart([cage for cage in touching if not cage & ~region])
    by_excess = sorted(
        [(cage.bit_count() - 2 * (cage & region).bit_count(), cage) for cage in touching]
    )
    yield (larger := _apart([cage for excess, cage in by_excess if excess < 0]))
    covering = _apart([*larger, *[cage for excess, cage in by_excess if excess >= 0]])
    if not region & ~sum(covering):
        yield covering


def _apart(cages: Iterable[int]) -> list[int]:
    """Return the cages that share no cell with an earlier one."""
    chosen = []
    covered = 0
    for cage in cages:
        if not cage & covered:
            chosen.append(cage)
            covered |= cage
    return chosen


@layout_cache(maxsize=8)
def cages_of(layout: Layout) -> dict[int, int]:
    """Return sets of cells with their known sums; the caller must not change it."""
    cages: dict[int, int] = {}
    for constraint in layout.constraints:
        match constraint:
            case Automaton() | Table() | SameValues() | Region() | Or():
                pass
            case Sets(cells):
                low, high = constraint.totals
                if low == high:
                    cages[set_of(cells)] = low
            case Sum(cells, weights, low, high):
                if low == high and set(weights) == {1}:
                    cages[set_of(cells)] = low
            case Relation(table, pairs):
                if (total := _only_total(table)) is not None:
                    cages |= {1 << a | 1 << b: total for a, b in pairs}
            case _:
                assert_never(constraint)
    everything, left = all_values(layout.n), simplified(layout).candidates
    for cell, mask in enumerate(left) if left.count(everything) < len(left) else ():
        if mask != everything and mask.bit_count() == 1:
            cages[1 << cell] = mask.bit_length()
    return cages


@number_cache(maxsize=256)
def _only_total(table: Masks) -> int | None:
    """Return the sum of two related values if there is only one."""
    totals = {v + w for v, mask in enumerate(table, start=1) for w in values_of(mask)}
    return totals.pop() if len(totals) == 1 else None
