"""The rule of 45, and what it is for relations: shapes that follow from others.

A full unit holds each value once, so that its sum is known (45 for nine values). What cages inside
it leave over (innies) and what cages that cover it stick out by (outies) have a known sum too.
Told of these, solvers find most killers without givens at once, whatever their paradigm. Cells any
two of which are in one relation hold one of a few sets of values.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import comb
from operator import or_
from typing import NamedTuple, assert_never

from unidoku.core.bits import all_values, bit, bits_of, set_of, values_of
from unidoku.core.layout import Layout, Unit
from unidoku.core.shapes import (
    Automaton,
    Masks,
    Or,
    Relation,
    Rows,
    SameValues,
    Sets,
    Shape,
    Sum,
    backwards,
)
from unidoku.core.simplify import Strengthened, simplified, simplify

__all__ = ["TERMS", "Remainder", "deduce", "few_left_over", "remainders", "strengthened"]

UNITS = 5
"""Units whose sums are told together: on killers as many as two, and some more, tell most."""

TERMS = 4
"""Cells of a sum that is told: more took most solvers longer to be told than they spared.

`native` is told sums of up to twice as many, which halves what it searches of killers."""

MOST_SETS = 130
"""Sets of values that are worth telling of cells in one relation."""


_MAY_FOLLOW: frozenset[type[Shape]] = frozenset({Relation, Sets, Sum})
"""What may come of shapes that follow, once they are in their simplest form."""


@lru_cache(maxsize=64)
def strengthened(
    layout: Layout, serves: frozenset[type[Shape]] | None = None, terms: int = TERMS
) -> Layout:
    """Return the layout with what follows from its shapes; itself if nothing does.

    It is for solvers: the rules, by which grids are checked and boards named, are the same.

    Args:
        layout: whose shapes these are.
        serves: the shapes of which more may be said; any if not given.
        terms: the most cells of a sum that is told.
    """
    more = tuple(deduce(layout, terms=terms))
    if not (serves is None or serves >= _MAY_FOLLOW):
        more = tuple(
            one for one in more if serves.issuperset(map(type, simplify(layout, [one]).shapes))
        )
    return Strengthened.of(layout, more) if more else layout


def deduce(layout: Layout, *, units: int = UNITS, terms: int = TERMS) -> Iterator[Sum | Sets]:
    """Yield sums of a few cells, and sets of values, that follow from the shapes of a layout.

    Args:
        layout: whose shapes these are.
        units: up to how many full units are looked at together.
        terms: the most cells of a sum in one unit; of others, which say less, one less.
    """
    if not layout.rules or isinstance(layout, Strengthened):
        return
    yield from _cliques(layout)
    if not (cages := _cages(layout)):
        return
    found = {(left, over): total for left, over, total in few_left_over(layout, units, terms)}
    if layout.n <= terms:
        cages = cages | dict.fromkeys(_sets(layout.base), layout.n * (layout.n + 1) // 2)
    every = _sets(layout.base, full=False)
    known = _Known((cage, total) for cage, total in cages.items() if cage.bit_count() <= terms)
    for left, over in sorted(found, key=lambda one: (one[0] | one[1]).bit_count()):
        left, over, total = known.taken_from(left, over, found[left, over])
        size = (left | over).bit_count()
        if left | over and known.add(left, over, total):
            if size == terms and (over or not any(not left & ~unit for unit in every)):
                continue
            yield Sum.of_sets(left, over, total)


class _Known:
    """Sums that are known: of a set of cells less another, in the order in which they were found.

    Args:
        cages: sets of cells with their sums.
    """

    def __init__(self, cages: Iterable[tuple[int, int]]) -> None:
        self._pairs: set[tuple[int, int]] = set()
        self._count = self._firsts = 0
        self._from: defaultdict[int, list[tuple[int, int, int, int, int]]] = defaultdict(list)
        for cage, total in cages:
            self.add(cage, 0, total)

    def add(self, plus: int, minus: int, total: int) -> bool:
        """Add a sum; tell whether it is new."""
        if (plus, minus) in self._pairs:
            return False
        self._pairs.add((plus, minus))
        cells = plus | minus
        self._firsts |= cells & -cells
        self._from[cells & -cells].append((self._count, cells, plus, minus, total))
        self._count += 1
        return True

    def taken_from(self, left: int, over: int, total: int) -> tuple[int, int, int]:
        """Return what is left of a sum without those that are known inside it."""
        outside = ~(left | over)
        cells = self._firsts & ~outside
        inside = []
        while cells:
            first = cells & -cells
            cells ^= first
            for one in self._from[first]:
                if not one[1] & outside:
                    inside.append(one)
        inside.sort()
        for _, _, plus, minus, part in inside:
            if plus & ~left | minus & ~over == 0 and (plus, minus) != (left, over):
                left, over, total = left & ~plus, over & ~minus, total - part
            elif minus & ~left | plus & ~over == 0 and (minus, plus) != (left, over):
                left, over, total = left & ~minus, over & ~plus, total + part
        return left, over, total


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
    cages = _cages(layout)
    in_order = sorted(cages, key=int.bit_count, reverse=True)
    unit_sum = layout.n * (layout.n + 1) // 2
    for run in _runs(layout.base, units) if cages else ():
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
    cages = _cages(layout)
    if sum(map(int.bit_count, cages)) > reduce(or_, cages).bit_count():  # some share a cell
        for _, _, left, over, total in _left_over(layout, units):
            if (left | over).bit_count() <= terms:
                yield left, over, total
        return
    sized = [(cage, cage.bit_count(), total) for cage, total in cages.items()]
    touching = {cells: _touching(cells, sized) for cells in _sets(layout.base)}
    unit_sum = layout.n * (layout.n + 1) // 2
    for run in _runs(layout.base, units):
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
def _runs(base: Layout, units: int) -> tuple[tuple[tuple[Unit, int], ...], ...]:
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
def _sets(base: Layout, *, full: bool = True) -> tuple[int, ...]:
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
def _cages(layout: Layout) -> dict[int, int]:
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


def _cliques(layout: Layout) -> Iterator[Sets]:
    """Yield the sets of values of cells that differ, and any two of which are in one relation."""
    for shape in simplified(layout).shapes:
        if not isinstance(shape, Relation) or shape.table != backwards(shape.table):
            continue
        beside: defaultdict[int, int] = defaultdict(int)
        differ = not any(mask >> value & 1 for value, mask in enumerate(shape.table))
        for a, b in shape.pairs:
            if differ or b in layout.peers[a]:
                beside[a] |= 1 << b
                beside[b] |= 1 << a
        left = dict(beside)  # of each cell, those beside which it is in no clique yet
        sizes = {cell: others.bit_count() for cell, others in left.items()}
        while left:
            first = max(left, key=sizes.__getitem__)
            clique, common = 1 << first, left.pop(first)
            while common:
                cell = common.bit_length() - 1
                clique |= 1 << cell
                common &= beside[cell]
            size = clique.bit_count()
            for cell in (left.keys() & set(bits_of(clique))) if size > 2 else ():
                left[cell] &= ~clique
                sizes[cell] = left[cell].bit_count()
            if size > 2 and (masks := _together(shape.table, size)) is not None:
                yield Sets(tuple(bits_of(clique)), masks)


@lru_cache(maxsize=256)
def _together(table: Masks, size: int) -> Masks | None:
    """Return the sets of so many values any two of which a symmetric relation allows.

    None if they are all sets of fewer than all values, or too many to be worth telling.
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
    masks = tuple(values for values, _ in grown)
    return masks if len(masks) < comb(len(table), size) or size == len(table) else None
