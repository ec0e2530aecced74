"""Innies and outies: the rule of 45, with the units and cages that it uses.

A full unit holds each value once, so its sum is known, as is the sum of several disjoint units.
Cells of the units in no cage (innies) sum to the units' sum minus that of the cages; cells of the
cages in no unit (outies) sum to the excess of the cages. Placed cells count with their values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

from unidoku.core.bits import set_of
from unidoku.core.caching import by_layout
from unidoku.core.constraints.primitives import Sum
from unidoku.core.layout import Layout, Unit
from unidoku.core.transforms.innies_outies import Remainder, remainders
from unidoku.logic.geometry import cells_of
from unidoku.logic.ruled.eliminations import Reason, elimination_steps
from unidoku.logic.ruled.statement import Derived, Statement, statements_of
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.support.language import listing, message

_MOST_OPEN = 4
"""The largest number of open cells whose sum a person considers."""

_BASE, _EACH_UNIT, _EACH_CELL = 2.7, 0.2, 0.3
"""The rating for one unit and one open cell, and the additions for each further one."""


@dataclass(frozen=True, eq=False)
class ImpliedSum(Derived):
    """A sum that full units and cages imply, the rule of 45.

    Args:
        remainder: the cells that are left of the units and the cages, and their sum.
        cages: the cages.
    """

    remainder: Remainder
    cages: tuple[Statement, ...]

    @property
    def units(self) -> tuple[Unit, ...]:
        """The full units that it follows from."""
        return self.remainder.units

    @property
    def words(self) -> str:
        """The sum with its units in words: ``A1 + A2 - B3 = 5 by row A and the cages``."""
        return message(
            "{equation} by {units} and the cages",
            equation=_equation(self.layout, self.remainder),
            units=listing(str(unit.words) for unit in self.units),
        )


def innies_and_outies(state: State) -> Iterator[Step]:
    """Find innies and outies of full units and cages, few units and cells first."""
    sums = implied_sums(state.layout)
    sizes = [(each.mask & state.empty).bit_count() for each in sums]
    for size in range(1, _MOST_OPEN + 1):
        for implied in compress(sums, map(size.__eq__, sizes)):
            state.tick()
            candidates = implied.problem.candidates_of(state.candidates)
            remaining = implied.problem.supported_values(candidates)
            if remaining != candidates:
                units = implied.units
                addition = _EACH_UNIT * (len(units) - 1) + _EACH_CELL * (size - 1)
                placed = [
                    value if state.placed >> cell & 1 else 0
                    for cell, value in enumerate(state.grid)
                ]
                words = message(
                    "{equation} by {units}",
                    equation=_equation(state.layout, implied.remainder, placed),
                    units=", ".join(str(unit.words) for unit in units),
                )
                reason = Reason(
                    implied.cages, words, units=units, rating=round(_BASE + addition, 1)
                )
                yield from elimination_steps(state, implied.cells, remaining, reason)


@by_layout()
def implied_sums(layout: Layout) -> tuple[ImpliedSum, ...]:
    """Return the deduced sums of a layout, each once, those of few units first."""
    by_cells = {set_of(statement.cells): statement for statement in statements_of(layout)}
    sums: dict[tuple[int, int], ImpliedSum] = {}
    for remainder in sorted(remainders(layout), key=lambda remainder: len(remainder.units)):
        both = remainder.left, remainder.over
        if both in sums or not any(both):
            continue
        terms = [(cell, 1) for cell in cells_of(remainder.left)]
        terms += [(cell, -1) for cell in cells_of(remainder.over)]
        constraint = Sum.of(terms, remainder.total, remainder.total)
        cages = tuple(by_cells[cage] for cage in remainder.cages if cage in by_cells)
        cells = cells_of(remainder.left | remainder.over)
        sums[both] = ImpliedSum(layout, None, cells, (constraint,), remainder, cages)
    return tuple(sums.values())


def _equation(layout: Layout, remainder: Remainder, placed: Sequence[int] = ()) -> str:
    """Return a sum in words, ``A1 + A2 - B3 = 5`` or ``A1 = B3``, without placed cells."""
    total = remainder.total
    open_cells: list[tuple[int, int]] = []
    for sign, cells in ((1, remainder.left), (-1, remainder.over)):
        for cell in cells_of(cells):
            if placed and placed[cell]:
                total -= sign * placed[cell]
            else:
                open_cells.append((sign, cell))
    if all(sign < 0 for sign, _ in open_cells):
        total, open_cells = -total, [(1, cell) for _, cell in open_cells]
    total += (layout.first_value - 1) * sum(sign for sign, _ in open_cells)
    if total == 0 and any(sign < 0 for sign, _ in open_cells):
        left, right = (
            " + ".join(layout.names[cell] for sign, cell in open_cells if sign == side)
            for side in (1, -1)
        )
        return f"{left} = {right}"
    terms = "".join(
        f"{' + ' if sign > 0 else ' - '}{layout.names[cell]}" for sign, cell in open_cells
    )
    return f"{terms.removeprefix(' + ')} = {total}"
