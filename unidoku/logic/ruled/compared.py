"""Compared sums: sums inside others, or sums that cover others, restrict the remaining cells.

Two rows with one star each hold two stars. If all open cells of two areas with one star each lie in
these rows, no other cell of the rows has a star; if two areas contain all open cells of the rows,
the areas have no star elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unidoku.core.bits import bits_of
from unidoku.core.constraints.shapes import Automaton, Shape, Sum
from unidoku.core.layout import Layout
from unidoku.logic.by_layout import by_layout
from unidoku.logic.geometry import union
from unidoku.logic.ruled.narrowing import Reason, narrowing, openly
from unidoku.logic.saying import Saying, sayings_of
from unidoku.logic.scene import Scene
from unidoku.logic.state import State
from unidoku.logic.step import Step

_MOST = 4
"""The largest number of sums of one kind that a person considers together."""

_BASE, _EACH = 3.7, 0.2
"""The rating of one sum and others, and the addition for each further sum."""


def compared_sums(state: State) -> Iterator[Step]:
    """Find sums inside others, or covering others, on boards of two values.

    With more values, such sums exclude little.
    """
    kinds = _kinds(state.layout) if state.layout.n == 2 else ()
    for size in range(1, _MOST + 1):
        for kind in kinds:
            for start in range(len(kind) - size + 1):
                chosen = kind[start : start + size]
                state.tick()
                for other in kinds:
                    if other is not kind:
                        yield from _steps(state, chosen, other)


def _steps(state: State, chosen: Sequence[_KnownSum], other: Sequence[_KnownSum]) -> Iterator[Step]:
    inside = union(one.cells for one in chosen) & state.empty
    touching = [one for one in other if one.cells & inside]
    within = [one for one in touching if not one.cells & state.empty & ~inside]
    covering = touching if not inside & ~union(one.cells for one in touching) else []
    for beside in (within, covering):
        if not beside:
            continue
        terms = [(cell, 1) for one in chosen for cell in one.saying.cells]
        terms += [(cell, -1) for one in beside for cell in one.saying.cells]
        total = sum(one.total for one in chosen) - sum(one.total for one in beside)
        shape = Sum.of(terms, total, total)
        if not shape.cells:
            continue
        scene = Scene(state.layout, shape.cells, [shape])
        if openly(state, scene):
            rating = round(_BASE + _EACH * (len(chosen) - 1), 1)
            reason = Reason([one.saying for one in (*chosen, *beside)], rating=rating)
            left = scene.simple(scene.held(state.candidates))
            yield from narrowing(state, scene.cells, left, reason)


@dataclass(frozen=True, slots=True, eq=False)
class _KnownSum:
    """A statement that cells, each once, sum to a total, with the cells as a set."""

    saying: Saying
    cells: int
    total: int


@by_layout()
def _kinds(layout: Layout) -> tuple[tuple[_KnownSum, ...], ...]:
    """Return the known sums of a layout in groups that share no cell: rows, columns, areas."""
    kinds: list[list[_KnownSum]] = []
    for saying in sayings_of(layout):
        if (total := _total(saying.shape)) is None:
            continue
        one = _KnownSum(saying, saying.scene.mask, total)
        for kind in kinds:
            if not any(one.cells & other.cells for other in kind):
                kind.append(one)
                break
        else:
            kinds.append([one])
    return tuple(map(tuple, kinds))


def _total(shape: Shape) -> int | None:
    """Return the sum of cells, each once, that a shape fixes; None if it fixes none."""
    match shape:
        case Sum(_, weights, low, high) if low == high and set(weights) == {1}:
            return low
        case Automaton(cells, machine) if len(set(cells)) == len(cells):
            reached = {(state, 0) for state in bits_of(machine.starts)}
            for _ in cells:
                reached = {
                    (target, held + value)
                    for state, held in reached
                    for value, targets in enumerate(machine.steps[state], start=1)
                    for target in bits_of(targets)
                }
            totals = {held for state, held in reached if machine.accepting >> state & 1}
            return totals.pop() if len(totals) == 1 else None
        case _:
            return None
