"""Innies and outies: the rule of 45, with the units and cages that it uses.

A full unit holds each value once, so its sum is known, as is the sum of several disjoint units.
Cells of the units in no cage (innies) sum to the units' sum minus that of the cages; cells of the
cages in no unit (outies) sum to the excess of the cages. Placed cells count with their values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unidoku.core.bits import set_of
from unidoku.core.constraints.shapes import Sum
from unidoku.core.layout import Layout
from unidoku.core.transforms.innies_outies import Remainder, remainders
from unidoku.logic.by_layout import by_layout
from unidoku.logic.geometry import cells_of
from unidoku.logic.ruled.narrowing import Reason, narrowing, openly
from unidoku.logic.saying import Saying, sayings_of
from unidoku.logic.scene import Scene
from unidoku.logic.state import State
from unidoku.logic.step import Step

_MOST_OPEN = 4
"""The largest number of open cells whose sum a person considers."""

_BASE, _EACH_UNIT, _EACH_CELL = 2.7, 0.2, 0.3
"""The rating for one unit and one open cell, and the additions for each further one."""


@dataclass(frozen=True, slots=True, eq=False)
class ImpliedSum:
    """A deduced sum: its origin, its shape, its cells, and the cages that it uses."""

    of: Remainder
    shape: Sum
    scene: Scene
    cages: tuple[Saying, ...]


def innies_and_outies(state: State) -> Iterator[Step]:
    """Find innies and outies of full units and cages, few units and cells first."""
    for size in range(1, _MOST_OPEN + 1):
        for one in implied_sums(state.layout):
            if openly(state, one.scene) != size:
                continue
            state.tick()
            held = one.scene.held(state.candidates)
            left = one.scene.thorough(held)
            if left != held:
                more = _EACH_UNIT * (len(one.of.units) - 1) + _EACH_CELL * (size - 1)
                units = one.of.units
                words = f"{_equation(state, one.of)} by {', '.join(map(str, units))}"
                reason = Reason(one.cages, words, units=units, rating=round(_BASE + more, 1))
                yield from narrowing(state, one.scene.cells, left, reason)


@by_layout()
def implied_sums(layout: Layout) -> tuple[ImpliedSum, ...]:
    """Return the deduced sums of a layout, each once, those of few units first."""
    known = {set_of(saying.cells): saying for saying in sayings_of(layout)}
    found: dict[tuple[int, int], ImpliedSum] = {}
    for one in sorted(remainders(layout), key=lambda one: len(one.units)):
        if (one.left, one.over) in found or not one.left | one.over:
            continue
        terms = [(cell, 1) for cell in cells_of(one.left)]
        terms += [(cell, -1) for cell in cells_of(one.over)]
        shape = Sum.of(terms, one.total, one.total)
        cages = tuple(known[cage] for cage in one.cages if cage in known)
        found[one.left, one.over] = ImpliedSum(
            one, shape, Scene(layout, shape.cells, [shape]), cages
        )
    return tuple(found.values())


def _equation(state: State, one: Remainder) -> str:
    """Return the sum of the open cells in words: ``A1 + A2 - B3 = 5``."""
    layout, grid = state.layout, state.grid
    total = one.total
    open_cells: list[tuple[int, int]] = []
    for sign, cells in ((1, one.left), (-1, one.over)):
        for cell in cells_of(cells):
            if state.placed >> cell & 1:
                total -= sign * grid[cell]
            else:
                open_cells.append((sign, cell))
    if all(sign < 0 for sign, _ in open_cells):
        total, open_cells = -total, [(1, cell) for _, cell in open_cells]
    total += (layout.first_value - 1) * sum(sign for sign, _ in open_cells)
    terms = "".join(
        f"{' + ' if sign > 0 else ' - '}{layout.names[cell]}" for sign, cell in open_cells
    )
    return f"{terms.removeprefix(' + ')} = {total}"
