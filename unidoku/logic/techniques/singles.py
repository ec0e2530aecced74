"""Singles: full house, hidden single and naked single.

Sources: sudopedia.org; Sudoku Explainer, whose ratings distinguish boxes and lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.bits import is_single, value_of
from unidoku.core.layout import Unit
from unidoku.logic.geometry import cells_of, is_area, lowest
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.support.language import message

_IN_AREA = 1.2
"""The rating of a hidden single in a box, which is easier to see than one in a line."""


def full_house(state: State) -> Iterator[Step]:
    """Find full units with one empty cell, which takes the missing value."""
    for unit_cells in state.geometry.full:
        cells = unit_cells.cells & state.empty
        if cells.bit_count() == 1 and (value := value_of(state.candidates[lowest(cells)])):
            yield _single(
                state,
                lowest(cells),
                value,
                message("in {unit}", unit=unit_cells.unit.words),
                (unit_cells.unit,),
            )


def hidden_single(state: State) -> Iterator[Step]:
    """Find values with one place left in a full unit."""
    for unit_cells in state.geometry.full:
        for value, cells in enumerate(state.places):
            only = cells & unit_cells.cells
            if only and not only & (only - 1):
                rating = _IN_AREA if is_area(unit_cells.unit) else 0.0
                reason = message(
                    "{value} in {unit}",
                    value=state.layout.shown[value],
                    unit=unit_cells.unit.words,
                )
                yield _single(state, lowest(only), value, reason, (unit_cells.unit,), rating)


def naked_single(state: State) -> Iterator[Step]:
    """Find cells with one candidate left."""
    for cell in cells_of(state.empty):
        if is_single(mask := state.candidates[cell]):
            is_hidden = cell in state.layout.hidden_cells
            where = "" if is_hidden else message("in {cells}", cells=state.layout.names[cell])
            yield _single(state, cell, value_of(mask), where)


def _single(
    state: State,
    cell: int,
    value: int,
    reason: str,
    units: tuple[Unit, ...] = (),
    rating: float = 0.0,
) -> Step:
    single = ((cell, value),)
    return Step(
        layout=state.layout,
        reason=reason,
        placements=single,
        units=units,
        pattern=single,
        rating=rating,
    )
