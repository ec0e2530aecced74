"""Locked candidates: the places of a value in one full unit exclude it from another unit.

Also called the sub-group exclusion rule. If all places that a full unit has left for a value
lie in a second unit too, the value is in their intersection, so the rest of the second unit loses
it. This holds for any two units: box and line, window and row, diagonal and region.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.geometry import UnitCells, geometry, is_area
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.support.language import message


def pointing(state: State) -> Iterator[Step]:
    """Find values that an area, such as a box, holds within another unit."""
    return _locked(state, in_area=True)


def claiming(state: State) -> Iterator[Step]:
    """Find values that a line holds within another unit, such as a box."""
    return _locked(state, in_area=False)


def _locked(state: State, *, in_area: bool) -> Iterator[Step]:
    for base in _bases(state.layout):
        if is_area(base.unit.unit) == in_area:
            for value, cells in base.confined(state, base.most_shared):
                for cover in base.covers:
                    gone = state.places[value] & cover.cells & ~base.unit.cells
                    if gone and not cells & ~cover.cells:
                        yield _step(state, base, value, cells, gone, cover)


def common_peers(state: State) -> Iterator[Step]:
    """Find cells that see all places a full unit has left for a value, through any units.

    This is Sudoku Explainer's generalised intersection. On classic boards it finds no more than
    locked candidates; on boards with further units it does.
    """
    for base in _bases(state.layout):
        for value, cells in base.confined(state, base.most_seen):
            outside = state.places[value] & ~base.unit.cells
            if gone := state.geometry.seen_by_all(cells, outside):
                yield _step(state, base, value, cells, gone)


def _step(
    state: State, base: _Base, value: int, cells: int, gone: int, cover: UnitCells | None = None
) -> Step:
    """Return the step by a value of a unit in some cells, which lie in a cover if there is one."""
    text = "{value} of {unit} is in {other}" if cover else "{value} of {unit} is in one of {cells}"
    return Step(
        layout=state.layout,
        reason=message(
            text,
            value=state.layout.shown[value],
            unit=base.unit.unit.words,
            other=cover.unit.words if cover else "",
            cells=state.named(cells),
        ),
        eliminations=state.among(value, gone),
        units=(base.unit.unit,),
        covers=(cover.unit,) if cover else (),
        pattern=state.among(value, cells),
    )


@dataclass(frozen=True, slots=True)
class _Base:
    """A full unit, and what excludes values whose places it confines.

    Args:
        unit: the unit.
        covers: the units that share several cells with it.
        most_shared: the largest number of cells that one of them shares.
        most_seen: the largest number of its cells that a cell outside sees.
    """

    unit: UnitCells
    covers: tuple[UnitCells, ...]
    most_shared: int
    most_seen: int

    def confined(self, state: State, most: int) -> Iterator[tuple[int, int]]:
        """Yield each value that has several places left in the unit, up to a number, with these."""
        inside = self.unit.cells
        for value, anywhere in enumerate(state.places):
            cells = anywhere & inside
            if cells & (cells - 1) and cells.bit_count() <= most:
                yield value, cells


@by_layout()
def _bases(layout: Layout) -> tuple[_Base, ...]:
    """Return the full units of a layout, areas first, each with what crosses it."""
    around = geometry(layout)
    bases = []
    for base in around.full:
        shared = {
            cover: (base.cells & cover.cells).bit_count()
            for cover in around.units
            if cover is not base
        }
        covers = [cover for cover, count in shared.items() if count > 1]
        seen = [
            (base.cells & peers).bit_count()
            for cell, peers in enumerate(around.sees)
            if not base.cells >> cell & 1
        ]
        most_shared, most_seen = max(shared.values(), default=0), max(seen, default=0)
        bases.append(_Base(base, tuple(covers), most_shared, most_seen))
    return tuple(bases)
