"""The law of leftovers: steps that follow from hidden units and equal sets.

Sources: the law of leftovers is known from jigsaws, and the five hidden boxes of windoku are
folklore too. See `unidoku.logic.hidden_units` for both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from unidoku.core.bits import set_of, value_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout, Unit
from unidoku.logic.by_layout import by_layout
from unidoku.logic.geometry import cells_of
from unidoku.logic.hidden_units import HIDDEN, EqualSets, equal_sets, hidden_units
from unidoku.logic.intersections import claiming, pointing
from unidoku.logic.singles import hidden_single
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.logic.subsets import hidden, naked

_EASY = (
    ("hidden single", hidden_single),
    ("pointing", pointing),
    ("claiming", claiming),
    ("naked pair", partial(naked, size=2)),
    ("hidden pair", partial(hidden, size=2)),
)
"""The techniques used in hidden units, with their names."""


def law_of_leftovers(state: State) -> Iterator[Step]:
    """Find steps that follow from hidden units and from equal sets.

    As long as a value placed in a hidden unit is still a candidate in the rest of it, other
    steps in this unit are not looked for.
    """
    if units := hidden_units(state.layout):
        found = False
        for step in _placed(state, units):
            found = True
            yield step
        if not found:
            yield from _in_hidden_units(state)
    if equals := equal_sets(state.layout):
        held = _held(state)
        for equal in equals:
            state.tick()
            yield from _equal(state, held, equal)


def _placed(state: State, units: tuple[Unit, ...]) -> Iterator[Step]:
    """Find candidates whose value is placed elsewhere in the same hidden unit."""
    for unit in units:
        cells = set_of(unit.cells)
        for cell in cells_of(cells & state.placed):
            value = value_of(state.candidates[cell])
            if gone := state.among(value, cells):
                held = state.layout.shown[value]
                yield Step(
                    layout=state.layout,
                    reason=f"{held} of {unit} is in {state.layout.names[cell]}",
                    eliminations=gone,
                    units=(unit,),
                    pattern=((cell, value),),
                )


def _in_hidden_units(state: State) -> Iterator[Step]:
    """Find easy steps on the layout that has the hidden units as units."""
    board = Board.of(_with_hidden(state.layout), state.board.candidates)
    wide = replace(state, board=board)
    for name, find in _EASY:
        for step in find(wide):
            if any(unit.kind == HIDDEN for unit in (*step.units, *step.covers)):
                reason = f"by {name} {step.reason}"
                yield replace(step, layout=state.layout, reason=reason, rating=0.0)


def _equal(state: State, held: list[int], equal: EqualSets) -> Iterator[Step]:
    """Find steps in each of two equal sets that follow from the other."""
    for one, other in ((equal.over, equal.owing), (equal.owing, equal.over)):
        for value in range(1, state.layout.n + 1):
            places, taken = state.places[value], held[value]
            rest = places & other
            if not rest and not places & one:
                continue
            possible = one & (places | taken)
            if possible.bit_count() == (other & taken).bit_count():
                # All of these places are needed, and there are no more.
                placed = one & places
                gone = rest
            else:
                placed = 0
                gone = rest & state.geometry.seen_by_all(possible)
            if gone or placed:
                told = state.layout.shown[value]
                here, there = state.named(one), state.named(other)
                known = (*cells_of(possible), *cells_of(other & taken))
                yield Step(
                    layout=state.layout,
                    reason=f"{told} is in {here} as often as in {there}, by {equal}",
                    placements=state.among(value, placed),
                    eliminations=state.among(value, gone),
                    units=tuple(unit for unit, _ in equal.terms),
                    pattern=tuple((cell, value) for cell in known),
                )


def _held(state: State) -> list[int]:
    """Return the cells in which each value is placed, as a set for each value."""
    held = [0] * (state.layout.n + 1)
    for cell in cells_of(state.placed):
        held[value_of(state.candidates[cell])] |= 1 << cell
    return held


@by_layout()
def _with_hidden(layout: Layout) -> Layout:
    """Return the layout with its hidden units added."""
    return replace(layout, units=(*layout.units, *hidden_units(layout)))
