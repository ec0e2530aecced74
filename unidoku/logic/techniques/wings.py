"""Wings: XY-wing, XYZ-wing, W-wing. One of two or three cells with few candidates holds a value.

Source: sudopedia.org. They use peers only, so they hold for any units.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

from unidoku.core.bits import bit, set_of, value_of, values_of
from unidoku.logic.geometry import cells_of
from unidoku.logic.links import chain_step, conjugate_pairs, two_valued
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.support.language import message


def xy_wing(state: State) -> Iterator[Step]:
    """Find a pivot x,y that sees pincers x,z and y,z: one of the pincers holds z."""
    cells_with = two_valued(state)
    sees = state.geometry.sees
    pivots = sum(cells_with.values())
    for pivot in cells_of(pivots):
        x, y = values_of(state.candidates[pivot])
        near = pivots & sees[pivot]
        for a in cells_of(near & state.places[x] & ~state.places[y]):
            z = value_of(state.candidates[a] & ~bit(x))
            for b in cells_of(near & cells_with.get(bit(y) | bit(z), 0)):
                if gone := state.among(z, sees[a] & sees[b]):
                    ends = [(z, a), (x, a), (x, pivot), (y, pivot), (y, b), (z, b)]
                    step = chain_step(state, [(value, 1 << cell) for value, cell in ends], gone)
                    yield replace(step, reason=_words(state, (pivot, a, b)))


def xyz_wing(state: State) -> Iterator[Step]:
    """Find a pivot x,y,z that sees pincers x,z and y,z: one of the three holds z."""
    cells_with = two_valued(state)
    for pivot in cells_of(state.empty):
        values = values_of(state.candidates[pivot])
        if len(values) != 3:
            continue
        near = state.geometry.sees[pivot]
        for z in values:
            x, y = (value for value in values if value != z)
            pincers = [near & cells_with.get(bit(value) | bit(z), 0) for value in (x, y)]
            for a, b in product(*map(cells_of, pincers)):
                cells = (pivot, a, b)
                if gone := state.among(z, state.geometry.seen_by_all(set_of(cells))):
                    yield Step(
                        layout=state.layout,
                        reason=_words(state, cells),
                        eliminations=gone,
                        pattern=state.all_in(cells),
                    )


def w_wing(state: State) -> Iterator[Step]:
    """Find two cells x,y apart, each of which sees one of the two places of x in a full unit.

    At most one of the two cells holds x, so the other holds y.
    """
    sees = state.geometry.sees
    for mask, cells in two_valued(state).items():
        for a, b in combinations(cells_of(cells), 2):
            if not sees[a] >> b & 1:
                x, y = values_of(mask)
                yield from _w_wings(state, (a, b), x, y)
                yield from _w_wings(state, (a, b), y, x)


def _w_wings(state: State, cells: tuple[int, int], x: int, y: int) -> Iterator[Step]:
    a, b = cells
    sees = state.geometry.sees
    if not (gone := state.among(y, sees[a] & sees[b])):
        return
    for pair in conjugate_pairs(state.layout, state.places[x]):
        for c, d in pair.ends:
            if sees[a] >> c & sees[b] >> d & 1:
                ends = [(y, a), (x, a), (x, c), (x, d), (x, b), (y, b)]
                nodes = [(value, 1 << cell) for value, cell in ends]
                yield chain_step(state, nodes, gone, units=pair.units[:1])
                break


def _words(state: State, cells: Sequence[int]) -> str:
    """Return a pivot and its pincers in words: ``1,2 in A1 with 1,3 in A5 and 2,3 in B2``."""
    layout = state.layout
    pivot, first, second = (
        message(
            "{values} in {cells}",
            values=layout.name_values(values_of(state.candidates[cell])),
            cells=layout.names[cell],
        )
        for cell in cells
    )
    return message("{pivot} with {first} and {second}", pivot=pivot, first=first, second=second)
