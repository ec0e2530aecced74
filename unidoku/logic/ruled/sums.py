"""Sums of cells: arrows, little killers and other sums.

The smallest and the largest sum of the other cells bound each cell. Cells that see each other
differ, so that three of them sum to at least 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unidoku.core.bits import mask_of, set_of, values_of
from unidoku.core.constraints.shapes import Sum
from unidoku.core.layout import Layout
from unidoku.logic.by_layout import by_layout
from unidoku.logic.geometry import geometry, union
from unidoku.logic.ruled.narrowing import Reason, arranged, narrowing, openly, telling
from unidoku.logic.saying import sayings_of
from unidoku.logic.scene import Left
from unidoku.logic.state import State
from unidoku.logic.step import Step


def sum_bounds(state: State) -> Iterator[Step]:
    """Find sums, and values that are too small or too large given the bounds of the other cells."""
    for saying in sayings_of(state.layout):
        shape = saying.shape
        if isinstance(shape, Sum) and openly(state, saying.scene) > 1:
            left = _bounded(_groups(state.layout, shape), shape, state.candidates)
            yield from narrowing(state, shape.cells, left, Reason((saying,)))


def sum_arrangements(state: State) -> Iterator[Step]:
    """Find sums, and values with which the other cells cannot reach the total."""
    for saying, left in telling(state, Sum):
        reason = Reason((saying,), arranged(saying, state.layout, left))
        yield from narrowing(state, saying.cells, left, reason)


@by_layout(1 << 6)
def _groups(layout: Layout, shape: Sum) -> tuple[tuple[int, ...], ...]:
    """Return the places in a sum, grouped into cells of one weight that all see each other."""
    sees = geometry(layout).sees
    groups: list[list[int]] = []
    for place, cell in enumerate(shape.cells):
        for group in groups:
            alike = shape.weights[group[0]] == shape.weights[place]
            if alike and not set_of(shape.cells[other] for other in group) & ~sees[cell]:
                group.append(place)
                break
        else:
            groups.append([place])
    return tuple(map(tuple, groups))


def _bounded(groups: Sequence[tuple[int, ...]], shape: Sum, candidates: Sequence[int]) -> Left:
    """Return the candidates that the bounds of the other cells leave to each cell of a sum."""
    held = [candidates[cell] for cell in shape.cells]
    if not all(held):
        return None
    ends = [_ends([held[place] for place in group], shape.weights[group[0]]) for group in groups]
    least, most = (sum(end) for end in zip(*ends, strict=True))
    left = list(held)
    for group, (low, high) in zip(groups, ends, strict=True):
        weight = shape.weights[group[0]]
        for place in group:
            low_beside, high_beside = _ends([held[one] for one in group if one != place], weight)
            smallest = shape.low - (most - high + high_beside)
            largest = shape.high - (least - low + low_beside)
            left[place] = mask_of(
                v for v in values_of(held[place]) if smallest <= weight * v <= largest
            )
    return tuple(left) if all(left) else None


def _ends(masks: Sequence[int], weight: int) -> tuple[int, int]:
    """Return bounds of the sum of different values, one from each set, times a weight."""
    every, size = values_of(union(masks)), len(masks)
    if len(every) < size:
        every = (*every, *every[-1:] * size)  # no values at all: the result does not matter
    low = max(sum(every[:size]), sum((mask & -mask).bit_length() for mask in masks))
    high = min(sum(every[-size:]) if size else 0, sum(mask.bit_length() for mask in masks))
    return (weight * low, weight * high) if weight > 0 else (weight * high, weight * low)
