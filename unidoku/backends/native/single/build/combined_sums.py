"""Sums of several sums: together their cells fill more of each box, which leaves less choice.

Two diagonals with three cells each in a box say little about it, but six cells of a box that differ
sum to 21 at least. Measured on published little killers, searches take a fifth fewer nodes and two
thirds of the time, of some a quarter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations
from operator import add, itemgetter, mul, or_
from typing import NamedTuple

from unidoku.core.bits import bits_of, set_of
from unidoku.core.caching import layout_cache
from unidoku.core.constraints.primitives import Sum
from unidoku.core.layout import Layout
from unidoku.core.transforms.innies_outies import unit_sets
from unidoku.core.transforms.simplify import WithImplied, simplified

FEWEST_CELLS = 4
"""Sums of fewer cells are not combined."""

MOST_SUMS = 30
"""Layouts with more sums are left as they are: to look at all pairs would take too long."""


class _Total(NamedTuple):
    """The total of a set of cells.

    Args:
        cells: the cells, as a set.
        counts: how many of them lie in each of some disjoint units.
        total: their total.
        above: its distance from the least total that is possible.
        below: its distance from the largest one.
        is_given: whether it is one of the sums that are combined.
    """

    cells: int
    counts: tuple[int, ...]
    total: int
    above: int
    below: int
    is_given: bool


def combined_sums(layout: Layout) -> Iterator[Sum]:
    """Yield sums of disjoint sums of a layout's own rules that leave less choice than these alone.

    The choice is that of the cells in each box, or else in each row or column.
    """
    plain = layout.plain if isinstance(layout, WithImplied) else layout
    sums = [each for each in simplified(plain).of_kind.get(Sum, ()) if _may_be_combined(each)]
    kinds = partitions(plain.base) if 1 < len(sums) <= MOST_SUMS else ()
    if kinds:
        sets = [set_of(each.cells) for each in sums]
        counts = max([_counts(sets, units) for units in kinds], key=_concentration)
        totals = [
            _given(mask, each.low, of_units, plain.n)
            for mask, each, of_units in zip(sets, sums, counts, strict=True)
            if of_units
        ]
        for joined in _joined(totals, plain.n):
            cells = tuple(bits_of(joined.cells))
            yield Sum(cells, (1,) * len(cells), joined.total, joined.total)


def _may_be_combined(each: Sum) -> bool:
    return each.low == each.high and len(each.cells) >= FEWEST_CELLS and {*each.weights} == {1}


@layout_cache(maxsize=64)
def partitions(base: Layout) -> list[list[int]]:
    """Return the full units of each kind, such as the rows, that share no cell."""
    of_kind: defaultdict[str, list[int]] = defaultdict(list)
    for unit, cells in zip(base.full_units, unit_sets(base), strict=True):
        of_kind[unit.kind].append(cells)
    return [
        units for units in of_kind.values() if reduce(or_, units).bit_count() == len(units) * base.n
    ]


def _counts(sums: Sequence[int], units: list[int]) -> list[tuple[int, ...]]:
    """Return how many cells of each sum lie in each of some units, none if some lie in no unit."""
    every = sum(units)
    return [
        () if mask & ~every else tuple([(mask & unit).bit_count() for unit in units])
        for mask in sums
    ]


def _concentration(counts: list[tuple[int, ...]]) -> int:
    """Return how many pairs of cells of a sum lie in a unit."""
    return sum([sum(map(mul, row, row)) for row in counts])


def _given(cells: int, total: int, counts: tuple[int, ...], n: int) -> _Total:
    least = sum([size * (size + 1) for size in counts]) // 2
    most = sum([size * (2 * n + 1 - size) for size in counts]) // 2
    return _Total(cells, counts, total, total - least, most - total, is_given=True)


def _joined(totals: list[_Total], n: int) -> list[_Total]:
    """Join the two totals that leave least choice together, again and again; return what comes."""
    left = {each: _strength(each.counts, min(each.above, each.below), n) for each in totals}
    pairs: list[tuple[int, _Total, _Total]] = []  # pairs that leave less choice, with how much less
    new_pairs: Iterable[tuple[_Total, _Total]] = combinations(totals, 2)
    while True:
        for a, b in new_pairs:
            if not a.cells & b.cells:
                strength = _strength_of_both(a, b, n)
                if strength > left[a] and strength > left[b]:
                    pairs.append((strength, a, b))
        if not pairs:
            return [each for each in left if not each.is_given]
        strength, a, b = max(pairs, key=itemgetter(0))
        del left[a], left[b]
        pairs = [pair for pair in pairs if pair[1] in left and pair[2] in left]
        joined = _join(a, b)
        new_pairs = [(joined, other) for other in left]
        left[joined] = strength


def _join(a: _Total, b: _Total) -> _Total:
    """Return the total of two disjoint sets of cells."""
    together = sum(map(mul, a.counts, b.counts))
    return _Total(
        a.cells | b.cells,
        tuple(map(add, a.counts, b.counts)),
        a.total + b.total,
        a.above + b.above - together,
        a.below + b.below - together,
        is_given=False,
    )


def _strength_of_both(a: _Total, b: _Total, n: int) -> int:
    """Return the strength of the total of two sets of cells."""
    together = sum(map(mul, a.counts, b.counts))
    slack = min(a.above + b.above, a.below + b.below) - together
    if not together or slack >= n * n // 4:  # as often
        return 0
    return _strength(map(add, a.counts, b.counts), slack, n)


def _strength(counts: Iterable[int], slack: int, n: int) -> int:
    """Return by how much the sums in all units may vary more than a total lets them."""
    return sum([max(0, size * (n - size) - slack) for size in counts])
