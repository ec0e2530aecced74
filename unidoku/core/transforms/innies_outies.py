"""Innies and outies of cages and neighbouring full units: the rule of 45."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import chain
from operator import or_
from typing import NamedTuple, TypeAlias

from unidoku.core.bits import all_values, set_of, values_of
from unidoku.core.caching import layout_cache, number_cache
from unidoku.core.constraints.primitives import Masks, Relation, Sets, Sum
from unidoku.core.layout import Layout, Unit
from unidoku.core.transforms.simplify import simplified

Cells: TypeAlias = tuple[int, ...]

MAX_UNITS = 5
"""Largest number of units combined: on killers two units, and a few more, give most deductions."""


class Remainder(NamedTuple):
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


def remainders(
    layout: Layout, *, units: int = MAX_UNITS, most_cells: int | None = None
) -> Iterator[Remainder]:
    """Yield the remainders of up to that many full units and the cages that touch them.

    Args:
        layout: layout of the units and cages.
        units: largest number of units.
        most_cells: largest number of cells of a remainder; by default any number.
    """
    totals = cages_of(layout)
    if not totals:
        return
    most = len(layout) + len(layout.hidden) if most_cells is None else most_cells
    sizes = {cage: cage.bit_count() for cage in sorted(totals, key=int.bit_count, reverse=True)}
    overlap = sum(sizes.values()) > reduce(or_, sizes).bit_count()
    touching = {
        cells: [(cage, (cage & cells).bit_count()) for cage in sizes if cage & cells]
        for cells in unit_sets(layout.base)
    }
    unit_sum = layout.n * (layout.n + 1) // 2
    for run in runs(layout.base, units):
        shared: dict[int, int] = {}  # for each cage, the number of its cells in the region
        for together, region, cells in run:
            for cage, common in touching[cells]:
                shared[cage] = shared.get(cage, 0) + common
            for chosen in _choices(region, shared, sizes, overlap=overlap):
                covered = sum(chosen)
                if chosen and (region ^ covered).bit_count() <= most:
                    left, over = region & ~covered, covered & ~region
                    total = len(together) * unit_sum - sum([totals[cage] for cage in chosen])
                    if not left:
                        left, over, total = over, left, -total
                    yield Remainder(together, tuple(chosen), left, over, total)


def _choices(
    region: int, shared: Mapping[int, int], sizes: Mapping[int, int], *, overlap: bool
) -> Iterator[list[int]]:
    """Yield choices of disjoint cages among those that touch a region.

    The cages inside it; those with the larger part inside; and those that cover it, if any do.
    Among cages that overlap, those with many cells inside and few outside are preferred.

    Args:
        region: the region, as a set of cells.
        shared: for each cage that touches the region, the number of cells that it has there.
        sizes: the size of each cage, of the larger ones first.
        overlap: whether some cages share cells.
    """
    inside = [cage for cage, common in shared.items() if common == sizes[cage]]
    larger = [cage for cage, common in shared.items() if 2 * common > sizes[cage]]
    covering = list(shared)
    if overlap:
        excess = {cage: (sizes[cage] - 2 * common, cage) for cage, common in shared.items()}
        inside = _apart([cage for cage in sizes if cage in inside])
        larger = _apart(sorted(larger, key=excess.__getitem__))
        covering = _apart([*larger, *sorted(covering, key=excess.__getitem__)])
    yield inside
    if larger != inside:
        yield larger
    if covering != larger and not region & ~sum(covering):
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


@layout_cache(maxsize=64)
def runs(base: Layout, units: int) -> tuple[tuple[tuple[tuple[Unit, ...], int, int], ...], ...]:
    """Return runs of up to that many disjoint units of the same kind, from each full unit on.

    Each run contains its units one after another: the units so far, their cells as a set, and the
    cells of the last one. Pairs of arbitrary units were tried once: they took four times as long
    and gave no more deductions.
    """
    by_kind: defaultdict[str, list[tuple[Unit, int]]] = defaultdict(list)
    for unit in base.full_units:
        by_kind[unit.kind].append((unit, set_of(unit.cells)))
    chains = []
    for same in by_kind.values():
        for start in range(len(same)):
            run: list[tuple[tuple[Unit, ...], int, int]] = []
            together: tuple[Unit, ...] = ()
            region = 0
            for unit, cells in same[start : start + units]:
                if region & cells:
                    break
                together, region = (*together, unit), region | cells
                run.append((together, region, cells))
            chains.append(tuple(run))
    return tuple(chains)


@layout_cache(maxsize=64)
def unit_sets(base: Layout, *, full: bool = True) -> tuple[int, ...]:
    """Return the full units of a layout as sets of cells, or its maximal units."""
    if not full and len(base.maximal_units) == len(base.full_units):
        return unit_sets(base)
    masks = base.unit_masks
    return tuple([masks[unit.cells] for unit in (base.full_units if full else base.maximal_units)])


@layout_cache(maxsize=8)
def cages_of(layout: Layout) -> dict[int, int]:
    """Return sets of cells with their known sums; the caller must not change it."""
    return {set_of(cells): total for cells, total in totals_of(layout).items()}


def totals_of(layout: Layout) -> dict[Cells, int]:
    """Return ascending cells with their known sums.

    Without sums of cells in no full unit, such as the hidden cells of a rank.
    """
    of_kind, candidates = simplified(layout)
    totals: dict[Cells, int] = {}
    for relation in of_kind.get(Relation, ()):
        if (total := _only_total(relation.table)) is not None:
            totals.update((tuple(sorted(pair)), total) for pair in relation.pairs)
    for constraint in of_kind.get(Sum, ()):
        cells, low = constraint.cells, constraint.low
        is_plain = low == constraint.high and constraint.weights.count(1) == len(cells)
        if is_plain and not in_full_units(layout.base).isdisjoint(cells):
            totals[cells] = low
    for constraint in of_kind.get(Sets, ()):
        low, high = constraint.totals
        if low == high:
            totals[constraint.cells] = low
    everything = all_values(layout.n)
    for cell, mask in (
        enumerate(candidates) if candidates.count(everything) < len(candidates) else ()
    ):
        if mask != everything and mask.bit_count() == 1:
            totals[(cell,)] = mask.bit_length()
    return totals


@layout_cache(maxsize=64)
def in_full_units(base: Layout) -> frozenset[int]:
    """Return the cells of all full units."""
    return frozenset(chain.from_iterable([unit.cells for unit in base.full_units]))


@number_cache(maxsize=256)
def _only_total(table: Masks) -> int | None:
    """Return the sum of two related values if there is only one."""
    totals = {v + w for v, mask in enumerate(table, start=1) for w in values_of(mask)}
    return totals.pop() if len(totals) == 1 else None
