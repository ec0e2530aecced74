"""Naked and hidden sets: k cells and k values that belong to each other.

Sources: sudopedia.org; the "general permutation rule" of sudokudragon.com. Sets of all sizes are
found at once (see `unidoku.logic.matching`). Sets with a smaller set inside are left out, as the
smaller ones imply the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.bits import set_of, values_of
from unidoku.core.caching import layout_cache
from unidoku.core.layout import Layout
from unidoku.logic.geometry import UnitCells, cells_of, geometry, lowest, union
from unidoku.logic.links import two_valued
from unidoku.logic.matching import tight
from unidoku.logic.state import State
from unidoku.logic.step import Candidate, Step
from unidoku.support.language import message

_LARGER_NAKED = 6.5
_LARGER_HIDDEN = 6.9
"""Ratings of the sets without a name of their own, except the smallest of them."""

_PAIR = 2
"""The size of the sets that are looked for most often, before others."""

_MOST_NODES = 10_000
"""The largest number of nodes of the search for cliques; variants on 81 cells take up to 2,000."""


def naked(state: State, size: int, *, larger: bool = False) -> Iterator[Step]:
    """Find k cells that all see each other and have k candidate values together.

    Each of the values is in one of the cells, so cells that see all its places among them lose
    it. The cells need not lie in one unit, and no unit need be full.
    """
    if size == _PAIR and not larger and not _has_pairs(state):
        return
    largest = state.layout.n if larger else size
    for cells, values in _naked_sets(state.layout, state.candidates, state.empty, largest):
        if cells.bit_count() != size and not (larger and cells.bit_count() > size):
            continue
        eliminations: list[Candidate] = []
        for value in values:
            holders = state.places[value] & cells
            eliminations += state.among(value, state.geometry.seen_by_all(holders))
        if eliminations:
            around = state.geometry.units_of[lowest(cells)]
            yield Step(
                layout=state.layout,
                reason=message(
                    "{values} in {cells}",
                    values=state.layout.name_values(values),
                    cells=state.named(cells),
                ),
                eliminations=tuple(sorted(eliminations)),
                units=tuple(
                    unit_cells.unit for unit_cells in around if not cells & ~unit_cells.cells
                ),
                pattern=tuple(pair for value in values for pair in state.among(value, cells)),
                rating=_LARGER_NAKED if cells.bit_count() > size else 0.0,
            )


def _has_pairs(state: State) -> bool:
    """Return whether two cells that see each other have the same two values, and remove one.

    Most states have no naked pair, and this takes a tenth of the time of `_naked_sets`.
    """
    sees = state.geometry.sees
    for mask, cells in two_valued(state).items():
        places = union(state.places[value] for value in values_of(mask))
        for first in cells_of(cells):
            for second in cells_of(cells & sees[first] & -(1 << first)):
                if places & sees[first] & sees[second]:
                    return True
    return False


def hidden(state: State, size: int, *, larger: bool = False) -> Iterator[Step]:
    """Find k values that have k places left together in a full unit.

    These cells hold the values, so they lose all other values.
    """
    largest = state.layout.n if larger else size
    for values, cells, unit_cells in _hidden_sets(state.layout, state.places, largest):
        if len(values) != size and not (larger and len(values) > size):
            continue
        others = set(range(1, state.layout.n + 1)).difference(values)
        eliminations = [pair for value in others for pair in state.among(value, cells)]
        if eliminations:
            yield Step(
                layout=state.layout,
                reason=message(
                    "{values} of {unit} in {cells}",
                    values=state.layout.name_values(values),
                    unit=unit_cells.unit.words,
                    cells=state.named(cells),
                ),
                eliminations=tuple(sorted(eliminations)),
                units=(unit_cells.unit,),
                pattern=tuple(pair for value in values for pair in state.among(value, cells)),
                rating=_LARGER_HIDDEN if len(values) > size else 0.0,
            )


@layout_cache(maxsize=16)
def _naked_sets(
    layout: Layout, candidates: tuple[int, ...], empty: int, largest: int
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the cells and the values of each naked set, smaller sets first.

    Cells with more than `largest` values are left out: no set of up to so many cells has one.
    """
    sets: dict[int, tuple[int, ...]] = {}
    few = set_of(cell for cell in cells_of(empty) if candidates[cell].bit_count() <= largest)
    for clique in _cliques(layout):
        cells = cells_of(clique & few)
        for group in tight(tuple([candidates[cell] for cell in cells])):
            values = union(candidates[cells[index]] for index in group)
            sets.setdefault(set_of(cells[index] for index in group), values_of(values))
    return tuple(sorted(sets.items(), key=lambda item: len(item[1])))


@layout_cache(maxsize=16)
def _hidden_sets(
    layout: Layout, places: tuple[int, ...], largest: int
) -> tuple[tuple[tuple[int, ...], int, UnitCells], ...]:
    """Return the values, cells and unit of each hidden set, smaller sets first.

    A set that is hidden in two units is returned once. Values with more than `largest` places are
    left out: no set of up to so many values has one.
    """
    unit_of: dict[tuple[tuple[int, ...], int], UnitCells] = {}
    for unit_cells in geometry(layout).full:
        inside = [(value, cells & unit_cells.cells) for value, cells in enumerate(places)]
        inside = [(value, cells) for value, cells in inside if 0 < cells.bit_count() <= largest]
        for group in tight(tuple([cells for _, cells in inside])):
            cells = union(inside[index][1] for index in group)
            unit_of.setdefault((tuple(inside[index][0] for index in group), cells), unit_cells)
    sets = ((values, cells, unit_cells) for (values, cells), unit_cells in unit_of.items())
    return tuple(sorted(sets, key=lambda item: len(item[0])))


@layout_cache(maxsize=64)
def _cliques(layout: Layout) -> tuple[int, ...]:
    """Return the units, and the other maximal sets of cells that all see each other.

    Such sets arise from units that cross more than once, such as diagonals and anti-knight pairs.
    Source: Bron and Kerbosch (1973), with the pivot of Tomita. Some are missing if the search
    ends after `_MOST_NODES`.
    """
    around = geometry(layout)
    cliques: list[int] = []
    nodes = 0

    def extend(clique: int, candidates: int, done: int) -> None:
        nonlocal nodes
        nodes += 1
        if not candidates and not done:
            cliques.append(clique)
        if not candidates or nodes > _MOST_NODES:
            return
        pivot, most = 0, -1
        for cell in cells_of(candidates | done):
            if (count := (candidates & around.sees[cell]).bit_count()) > most:
                pivot, most = cell, count
        for cell in cells_of(candidates & ~around.sees[pivot]):
            seen = around.sees[cell]
            extend(clique | 1 << cell, candidates & seen, done & seen)
            candidates &= ~(1 << cell)
            done |= 1 << cell

    extend(0, set_of(layout.cells), 0)
    maximal = set(layout.maximal_units)
    units = [unit_cells.cells for unit_cells in around.units if unit_cells.unit in maximal]
    return (*units, *sorted(set(cliques).difference(units)))
