"""Techniques that hold only if a board is known to have exactly one solution.

A deadly pattern is a set of cells whose values can be exchanged without breaking any unit: a
solution with the pattern has a twin. On boards with units beyond rows, columns and boxes most
rectangles are not deadly, so deadly ones are derived from all units of the layout.

Sources: sudopedia.org (unique rectangle types 1 to 5, BUG+1); the ratings are those of Sudoku
Explainer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from unidoku.core.bits import bit, is_single, set_of, value_of, values_of
from unidoku.core.caching import layout_cache
from unidoku.core.layout import Layout
from unidoku.logic.geometry import UnitCells, cells_of, geometry, union
from unidoku.logic.state import State
from unidoku.logic.step import Candidate, Step
from unidoku.support.deadline import check_time_limit
from unidoku.support.language import message

_RECTANGLE, _NAKED_CELL = 4.5, 0.1
"""The rating of a rectangle, and the addition for each cell of a naked set beside it."""

_MOST_NAKED = 3
"""The largest number of cells of a naked set beside a rectangle: Sudoku Explainer's bound."""

_MOST_RECTANGLES = 100_000
"""The largest number of rectangles of a layout: Latin squares of 25 values have 90,000."""


@layout_cache(maxsize=32)
def deadly_rectangles(layout: Layout) -> tuple[tuple[int, int, int, int], ...]:
    """Return the rectangles A, B, C, D in which two values can be exchanged.

    A and D hold one value, B and C the other. Each unit must have as many cells of A and D as of
    B and C, so that its values stay the same. Each of A and D sees both B and C, so that the two
    values can only be placed like this or exchanged.
    """
    around = geometry(layout)
    pairs: defaultdict[tuple[int, ...], list[tuple[int, int]]] = defaultdict(list)
    index_of = {unit_cells.cells: index for index, unit_cells in enumerate(around.units)}
    units = [
        tuple(index_of[unit_cells.cells] for unit_cells in units_of_cell)
        for units_of_cell in around.units_of
    ]
    for first in layout.cells:
        check_time_limit()
        for second in layout.cells[first + 1 :]:
            if not around.sees[first] >> second & 1:
                pairs[tuple(sorted(units[first] + units[second]))].append((first, second))
    rectangles = []
    for alike in pairs.values():
        check_time_limit()
        for (a, d), (b, c) in combinations(alike, 2):
            both = 1 << b | 1 << c
            if around.sees[a] & around.sees[d] & both == both:
                rectangles.append((a, b, c, d))
    return tuple(sorted(rectangles)[:_MOST_RECTANGLES])


@dataclass(frozen=True, slots=True)
class _Rectangle:
    """A deadly rectangle whose cells may all hold two values.

    Args:
        cells: its cells, as a set.
        pair: the two values, as a set; at least one cell has no other candidates.
        roof: the cells with other candidates.
        extra: these other candidates, as a set of values.
    """

    cells: int
    pair: int
    roof: int
    extra: int


def unique_rectangle(state: State) -> Iterator[Step]:
    """Find rectangles of types 1 to 5 that would be deadly without their other candidates.

    A single cell with other candidates cannot hold the two values (type 1). If all other
    candidates have one value, it is in one of their cells (2 and 5); if they complete a naked
    set, one of them is true (3). If one of the two values is confined to two cells of a unit,
    these cells lose the other (4).
    """
    rectangles = list(_rectangles(state))
    for find in (_one_roof_cell, _shared_extra, _confined_value, _beside_naked_set):
        for rectangle in rectangles:
            yield from find(state, rectangle)


def bug(state: State) -> Iterator[Step]:
    """Find the value that saves a board from a bivalue universal grave.

    All cells have two candidates except one, which has three. Without one of these three, each
    value would have two places or none in *every* unit, and each solution would have a twin with
    the other candidate in every cell. This holds for partial units too: k cells have k values
    with two places each, so they hold all of them in both solutions.
    """
    sizes = [(state.candidates[cell].bit_count(), cell) for cell in cells_of(state.empty)]
    if [size for size, _ in sorted(sizes)[-2:]] != [2, 3]:
        return
    cell = max(sizes)[1]
    units = state.geometry.units
    odd = {
        (unit_cells.cells, value, count)
        for unit_cells in units
        for value, places in enumerate(state.places)
        if (count := (places & unit_cells.cells).bit_count()) not in (0, 2)
    }
    for value in values_of(state.candidates[cell]):
        if odd and odd == {
            (unit_cells.cells, value, 3) for unit_cells in state.geometry.units_of[cell]
        }:
            yield Step(
                layout=state.layout,
                reason=message("+1 in {cells}", cells=state.layout.names[cell]),
                placements=((cell, value),),
                pattern=state.all_in(cells_of(state.empty)),
            )


def no_rectangle(layout: Layout) -> str:
    """Return why no rectangle is deadly on a layout, empty if some are."""
    if reason := no_bug(layout):
        return reason
    if not deadly_rectangles(layout):
        return "its units distinguish the two solutions of every rectangle"
    return ""


def no_bug(layout: Layout) -> str:
    """Return why exchanging values does not preserve solutions on a layout; empty if it does."""
    kinds = ", ".join(sorted({rule.kind for rule in layout.rules}))
    return f"two values cannot be exchanged under the rule {kinds}" if kinds else ""


def _rectangles(state: State) -> Iterator[_Rectangle]:
    """Yield the deadly rectangles whose cells may all hold the same two values."""
    for corners in deadly_rectangles(state.layout):
        masks = [state.candidates[cell] for cell in corners]
        pair = min(masks, key=int.bit_count)
        if pair.bit_count() == 2 and all(mask & pair == pair for mask in masks):
            extra = union(masks) & ~pair
            roof = set_of(cell for cell in corners if state.candidates[cell] != pair)
            if roof:
                yield _Rectangle(set_of(corners), pair, roof, extra)


def _one_roof_cell(state: State, rectangle: _Rectangle) -> Iterator[Step]:
    """Type 1: the only cell with other candidates takes one of these."""
    if is_single(rectangle.roof):
        cell = cells_of(rectangle.roof)[0]
        gone = [(cell, value) for value in values_of(rectangle.pair)]
        yield _step(state, rectangle, 1, "", gone)


def _shared_extra(state: State, rectangle: _Rectangle) -> Iterator[Step]:
    """Types 2 and 5: the only other value is in one of the cells that may hold it."""
    if is_single(rectangle.extra) and not is_single(rectangle.roof):
        value = value_of(rectangle.extra)
        seen = state.geometry.seen_by_all(rectangle.roof)
        if gone := state.among(value, seen):
            a, b, *further = cells_of(rectangle.roof)
            side = not further and state.geometry.sees[a] >> b & 1
            words = message(
                "{value} is in {cells}",
                value=state.layout.shown[value],
                cells=state.named(rectangle.roof),
            )
            yield _step(state, rectangle, 2 if side else 5, words, gone)


def _confined_value(state: State, rectangle: _Rectangle) -> Iterator[Step]:
    """Type 4: one of two cells holds one of the values, so neither holds the other."""
    for unit_cells in _common_units(state, rectangle):
        if not unit_cells.full:
            continue
        for value in values_of(rectangle.pair):
            if state.places[value] & unit_cells.cells == rectangle.roof:
                other = value_of(rectangle.pair & ~bit(value))
                words = state.located(value, unit_cells.unit, rectangle.roof)
                yield _step(state, rectangle, 4, words, state.among(other, rectangle.roof))


def _beside_naked_set(state: State, rectangle: _Rectangle) -> Iterator[Step]:
    """Type 3: one of the two cells takes another value, which completes a naked set."""
    done = set()
    for unit_cells in _common_units(state, rectangle):
        around = unit_cells.cells & state.empty & ~rectangle.cells
        few = [c for c in cells_of(around) if state.candidates[c].bit_count() <= _MOST_NAKED + 1]
        for size in range(1, _MOST_NAKED + 1):
            for cells in combinations(few, size):
                values = rectangle.extra | union(state.candidates[cell] for cell in cells)
                if values.bit_count() != size + 1 or cells in done:
                    continue
                done.add(cells)
                if gone := _outside(state, rectangle, set_of(cells), values):
                    names = state.named(rectangle.roof | set_of(cells))
                    symbols = ", ".join(state.layout.shown[value] for value in values_of(values))
                    words = message("{values} are in {cells}", values=symbols, cells=names)
                    rating = _RECTANGLE + _NAKED_CELL * size
                    yield _step(state, rectangle, 3, words, gone, cells, rating)


def _outside(state: State, rectangle: _Rectangle, naked: int, values: int) -> list[Candidate]:
    """Return the candidates that see all places of their value in the naked set and the roof."""
    gone: list[Candidate] = []
    for value in values_of(values):
        inside = naked | rectangle.roof if rectangle.extra & bit(value) else naked
        seen = state.geometry.seen_by_all(state.places[value] & inside)
        gone += state.among(value, seen)
    return gone


def _common_units(state: State, rectangle: _Rectangle) -> list[UnitCells]:
    """Return the units of both cells with other candidates, none if there are three such cells."""
    first = cells_of(rectangle.roof)[0]
    return [
        unit_cells
        for unit_cells in state.geometry.units_of[first]
        if rectangle.roof.bit_count() == 2 and not rectangle.roof & ~unit_cells.cells
    ]


def _step(
    state: State,
    rectangle: _Rectangle,
    kind: int,
    words: str,
    gone: Sequence[Candidate],
    naked_cells: Sequence[int] = (),
    rating: float = _RECTANGLE,
) -> Step:
    cells = (*cells_of(rectangle.cells), *naked_cells)
    reason = message(
        "type {number} of {values} in {cells}",
        number=kind,
        values=state.layout.name_values(values_of(rectangle.pair)),
        cells=state.named(rectangle.cells),
    )
    return Step(
        layout=state.layout,
        reason=f"{reason}, {words}" if words else reason,
        eliminations=tuple(sorted(gone)),
        pattern=state.all_in(cells),
        rating=rating,
    )
