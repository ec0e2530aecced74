"""The rule of 45: sums that follow from cages and full units.

A full unit holds each value once, so that its sum is known (45 for nine values). What cages inside
it leave over (innies) and what cages that cover it stick out by (outies) have a known sum too.
Told of these, solvers find most killers without givens at once, whatever their paradigm.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from operator import and_
from typing import assert_never

from unidoku.core.bits import all_values
from unidoku.core.layout import Layout
from unidoku.core.shapes import Automaton, Or, Relation, Rows, SameValues, Sets, Sum
from unidoku.core.shaping import merged
from unidoku.core.simplify import Simplified, simplified, simplify

__all__ = ["deduced"]

MOST_CELLS = 4
"""Cells of a sum that is worth telling: on killers 4 were better than 3, and 5 no better."""

MOST_UNITS = 64
"""Full units up to which pairs of them are looked at too: ten milliseconds on 9x9."""


@lru_cache(maxsize=64)
def deduced(layout: Layout) -> Simplified:
    """Return the shapes of a layout in their simplest form, and sums that follow from them."""
    simple = simplified(layout)
    more = tuple(_sums(layout)) if layout.rules else ()
    if not more:
        return simple
    told = simplify(layout, more)
    return Simplified(
        merged([*simple.shapes, *told.shapes]),
        tuple(map(and_, simple.candidates, told.candidates)),
    )


def _sums(layout: Layout) -> Iterator[Sum]:
    """Yield sums of a few cells that follow, each once."""
    cages = _cages(layout)
    if not cages:
        return
    of_cell: defaultdict[int, list[int]] = defaultdict(list)
    for cage in cages:
        for cell in _cells(cage):
            of_cell[cell].append(cage)
    touching_of = {
        unit: dict.fromkeys(cage for cell in _cells(unit) for cage in of_cell[cell])
        for unit in (_set(unit.cells) for unit in layout.full_units)
    }
    regions = [(unit, 1, list(touching)) for unit, touching in touching_of.items()]
    if len(touching_of) <= MOST_UNITS:
        regions += [
            (one | other, 2, list(touching | more))
            for (one, touching), (other, more) in combinations(touching_of.items(), 2)
            if not one & other
        ]
    unit_sum = layout.n * (layout.n + 1) // 2
    known = set(cages)
    for region, units, touching in regions:
        for cells, total in (
            _innies(region, units * unit_sum, touching, cages),
            _outies(region, units * unit_sum, touching, cages),
        ):
            if 0 < cells.bit_count() <= MOST_CELLS and cells not in known:
                known.add(cells)
                yield Sum.of([(cell, 1) for cell in _cells(cells)], total, total)


def _innies(region: int, total: int, touching: list[int], cages: dict[int, int]) -> tuple[int, int]:
    """Return the cells of a region that cages inside it leave over, and their sum."""
    left = region
    inside = [cage for cage in touching if not cage & ~region]
    for cage in sorted(inside, key=int.bit_count, reverse=True):
        if not cage & ~left:
            left ^= cage
            total -= cages[cage]
    return left, total


def _outies(region: int, total: int, touching: list[int], cages: dict[int, int]) -> tuple[int, int]:
    """Return the cells by which cages that cover a region stick out of it; none if none cover.

    None as well if they are too many to be worth telling.
    """
    rest, out, held = region, 0, 0
    outside = ~region
    for cage in sorted(touching, key=lambda cage: (cage & outside).bit_count()):
        if not cage & region & ~rest and not cage & out:
            rest &= ~cage
            out |= cage & outside
            held += cages[cage]
            if not rest:
                return out, held - total
            if out.bit_count() > MOST_CELLS:
                break
    return 0, 0


def _cages(layout: Layout) -> dict[int, int]:
    """Return sets of cells whose sum is known, with the sum."""
    cages: dict[int, int] = {}
    for shape in layout.shapes:
        match shape:
            case Sets(cells):
                low, high = shape.totals
                if low == high:
                    cages[_set(cells)] = low
            case Sum(cells, weights, low, high):
                if low == high and set(weights) == {1}:
                    cages[_set(cells)] = low
            case Relation() | SameValues() | Automaton() | Rows() | Or():
                pass
            case _:
                assert_never(shape)
    everything = all_values(layout.n)
    for cell, mask in enumerate(simplified(layout).candidates):
        if mask != everything and mask.bit_count() == 1:
            cages[1 << cell] = mask.bit_length()
    return cages


def _set(cells: tuple[int, ...]) -> int:
    return sum(1 << cell for cell in cells)


def _cells(cells: int) -> Iterator[int]:
    while cells:
        yield cells.bit_length() - 1
        cells ^= 1 << cells.bit_length() - 1
