"""What cages leave over of neighbouring full units, and stick out by: the rule of 45."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple, assert_never

from unidoku.core.bits import all_values, set_of
from unidoku.core.layout import Layout, Unit
from unidoku.core.shapes import (
    Automaton,
    Or,
    Relation,
    Rows,
    SameValues,
    Sets,
    Sum,
)
from unidoku.core.simplify import simplified

__all__ = ["UNITS", "Remainder", "cages_of", "few_left_over", "remainders", "runs", "unit_sets"]

UNITS = 5
"""Units whose sums are told together: on killers as many as two, and some more, tell most."""


@dataclass(frozen=True, slots=True)
class Remainder:
    """What full units and cages leave over: the cells of units in no cage, of cages in no unit.

    Args:
        units: the full units, which share no cell.
        cages: sets of cells whose sum is known, which share no cell.
        left: the innies, as a set; of units that cages cover, the outies.
        over: the outies.
        total: the sum of the innies less that of the outies.
    """

    units: tuple[Unit, ...]
    cages: tuple[int, ...]
    left: int
    over: int
    total: int


def remainders(layout: Layout, *, units: int = UNITS) -> Iterator[Remainder]:
    """Yield what up to so many full units, and cages that touch them, leave over."""
    for together, chosen, left, over, total in _left_over(layout, units):
        yield Remainder(together, tuple(chosen), left, over, total)


def _left_over(
    layout: Layout, units: int
) -> Iterator[tuple[tuple[Unit, ...], list[int], int, int, int]]:
    """Yield the same as tuples, of which there are hundreds to a killer."""
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
    """The cages that touch a unit, no two of which share a cell.

    Args:
        unit: its cells.
        within: the cells of those that lie in it, and their sum.
        others: those that do not, each with its size, its sum, and how many of its cells do.
    """

    unit: int
    within: tuple[int, int]
    others: list[tuple[int, int, int, int]]


def _touching(unit: int, sized: Iterable[tuple[int, int, int]]) -> _Touching:
    """Return the cages that touch a unit, of those with their sizes and sums."""
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
    """Yield what more and more units and cages chosen leave over, if it is a few cells.

    No two cages share a cell, as in most killers, so that there are none to choose from, and those
    of one unit more are what is looked at: each is touched, lies in the units by its larger part,
    and is inside. What comes out is the same as of `_choices`.

    Args:
        run: units that share no cell, with the cages that touch them.
        unit_sum: sum of a unit.
        terms: how many cells are a few.
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
    """Return the innies, the outies and the total; of a region that is covered, the outies."""
    left, over = region & ~covered, covered & ~region
    return (left, over, total) if left else (over, 0, -total)


@lru_cache(maxsize=64)
def runs(base: Layout, units: int) -> tuple[tuple[tuple[Unit, int], ...], ...]:
    """Return, from each full unit, up to so many neighbours of its kind that share no cell.

    Each with its cells as a set; what a run begins with is looked at too. Pairs of any two units
    were looked at once: they took four times as long, and told no more.
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


@lru_cache(maxsize=64)
def unit_sets(base: Layout, *, full: bool = True) -> tuple[int, ...]:
    """Return the full units of a layout as sets of cells, or those that no other contains."""
    return tuple([set_of(unit.cells) for unit in (base.full_units if full else base.maximal_units)])


def _choices(region: int, touching: list[int]) -> Iterator[list[int]]:
    """Yield cages that share no cell, of those that touch a region; the first come first.

    Those inside it; those of which it has the larger part; and more that cover it, if some do.
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
    """Return those cages that share no cell with one before them."""
    chosen = []
    covered = 0
    for cage in cages:
        if not cage & covered:
            chosen.append(cage)
            covered |= cage
    return chosen


@lru_cache(maxsize=8)
def cages_of(layout: Layout) -> dict[int, int]:
    """Return sets of cells whose sum is known, with the sum; not to be changed."""
    cages: dict[int, int] = {}
    for shape in layout.shapes:
        match shape:
            case Sets(cells):
                low, high = shape.totals
                if low == high:
                    cages[set_of(cells)] = low
            case Sum(cells, weights, low, high):
                if low == high and set(weights) == {1}:
                    cages[set_of(cells)] = low
            case Relation(_, pairs):
                totals = {v + w for v, w in shape.rows}
                if len(totals) == 1:
                    cages |= {1 << a | 1 << b: min(totals) for a, b in pairs}
            case SameValues() | Automaton() | Rows() | Or():
                pass
            case _:
                assert_never(shape)
    everything = all_values(layout.n)
    for cell, mask in enumerate(simplified(layout).candidates):
        if mask != everything and mask.bit_count() == 1:
            cages[1 << cell] = mask.bit_length()
    return cages
