"""Singles: full house, hidden single and naked single.

Sources: sudopedia.org; Sudoku Explainer, whose ratings distinguish boxes and lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.bits import is_single, value_of
from unidoku.logic.geometry import area, cells_of, lowest
from unidoku.logic.state import State
from unidoku.logic.step import Step

__all__ = ["full_house", "hidden_single", "naked_single"]

_IN_AREA = 1.2
"""The rating of a hidden single in a box, which is easier to see than one in a line."""


def full_house(state: State) -> Iterator[Step]:
    """Find full units with one empty cell, which takes the missing value."""
    for place in state.geometry.full:
        cells = place.cells & state.empty
        if cells.bit_count() != 1:
            continue
        cell = lowest(cells)
        if value := value_of(state.candidates[cell]):
            yield Step(
                layout=state.layout,
                reason=f"in {place.unit}",
                placements=((cell, value),),
                units=(place.unit,),
                pattern=((cell, value),),
            )


def hidden_single(state: State) -> Iterator[Step]:
    """Find values with one place left in a full unit."""
    for place in state.geometry.full:
        for value, cells in enumerate(state.places):
            only = cells & place.cells
            if only and not only & (only - 1):
                cell = lowest(only)
                yield Step(
                    layout=state.layout,
                    reason=f"{value} in {place.unit}",
                    placements=((cell, value),),
                    units=(place.unit,),
                    pattern=((cell, value),),
                    rating=_IN_AREA if area(place.unit) else 0.0,
                )


def naked_single(state: State) -> Iterator[Step]:
    """Find cells with one candidate left."""
    for cell in cells_of(state.empty):
        if is_single(mask := state.candidates[cell]):
            value = value_of(mask)
            yield Step(
                layout=state.layout,
                reason=f"in {state.layout.names[cell]}",
                placements=((cell, value),),
                pattern=((cell, value),),
            )
