"""Locked candidates: the places of a value in one full unit exclude it from another unit.

Also called the sub-group exclusion rule. If all places that a full unit has left for a value
lie in a second unit too, the value is in their intersection, so the rest of the second unit loses
it. This holds for any two units: box and line, window and row, diagonal and region.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.geometry import UnitCells, area, geometry, lowest
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.support.language import message


def pointing(state: State) -> Iterator[Step]:
    """Find values that an area, such as a box, holds within another unit."""
    return _locked(
        state, [unit_cells for unit_cells in state.geometry.full if area(unit_cells.unit)]
    )


def claiming(state: State) -> Iterator[Step]:
    """Find values that a line holds within another unit, such as a box."""
    return _locked(
        state, [unit_cells for unit_cells in state.geometry.full if not area(unit_cells.unit)]
    )


def _locked(state: State, bases: list[UnitCells]) -> Iterator[Step]:
    for base, value, cells in _confined(state, bases):
        for cover in state.geometry.units_of[lowest(cells)]:
            gone = state.places[value] & cover.cells & ~base.cells
            if gone and not cells & ~cover.cells:
                yield Step(
                    layout=state.layout,
                    reason=message(
                        "{value} of {unit} is in {other}",
                        value=state.layout.shown[value],
                        unit=base.unit.words,
                        other=cover.unit.words,
                    ),
                    eliminations=state.among(value, gone),
                    units=(base.unit,),
                    covers=(cover.unit,),
                    pattern=state.among(value, cells),
                )


def common_peers(state: State) -> Iterator[Step]:
    """Find cells that see all places a full unit has left for a value, through any units.

    This is Sudoku Explainer's generalised intersection. On classic boards it finds no more than
    locked candidates; on boards with further units it does.
    """
    seen = _most_seen(state.layout)
    for base, value, cells in _confined(state, state.geometry.full):
        if cells.bit_count() > seen[base.cells]:
            continue
        outside = state.places[value] & ~base.cells
        if gone := state.geometry.seen_by_all(cells, outside):
            yield Step(
                layout=state.layout,
                reason=message(
                    "{value} of {unit} is in one of {cells}",
                    value=state.layout.shown[value],
                    unit=base.unit.words,
                    cells=state.named(cells),
                ),
                eliminations=state.among(value, gone),
                units=(base.unit,),
                pattern=state.among(value, cells),
            )


@by_layout()
def _most_seen(layout: Layout) -> dict[int, int]:
    """Return how many cells of each full unit a cell outside sees at most."""
    around = geometry(layout)
    return {
        base.cells: max(
            (
                (around.sees[cell] & base.cells).bit_count()
                for cell in layout.cells
                if not base.cells >> cell & 1
            ),
            default=0,
        )
        for base in around.full
    }


def _confined(state: State, bases: Iterable[UnitCells]) -> Iterator[tuple[UnitCells, int, int]]:
    """Yield each value that has several places left in a unit, with these places."""
    for base in bases:
        for value, anywhere in enumerate(state.places):
            cells = anywhere & base.cells
            if cells & (cells - 1):
                yield base, value, cells
