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
from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout, Unit
from unidoku.logic.geometry import cells_of
from unidoku.logic.hidden_units import HIDDEN, EqualSets, equal_sets, hidden_units
from unidoku.logic.intersections import claiming, pointing
from unidoku.logic.singles import hidden_single
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.logic.subsets import hidden, naked
from unidoku.support.language import Message, message

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
        has_steps = False
        for step in _placed(state, units):
            has_steps = True
            yield step
        if not has_steps:
            yield from _in_hidden_units(state)
    if equals := equal_sets(state.layout):
        placed = _placed_cells(state)
        for equal in equals:
            state.tick()
            yield from _equal(state, placed, equal)


def _placed(state: State, units: tuple[Unit, ...]) -> Iterator[Step]:
    """Find candidates whose value is placed elsewhere in the same hidden unit."""
    for unit in units:
        cells = set_of(unit.cells)
        for cell in cells_of(cells & state.placed):
            value = value_of(state.candidates[cell])
            if gone := state.among(value, cells):
                yield Step(
                    layout=state.layout,
                    reason=message(
                        "{value} of {unit} is in {cells}",
                        value=state.layout.shown[value],
                        unit=unit.words,
                        cells=state.layout.names[cell],
                    ),
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
                reason = message(
                    "by {technique} {reason}", technique=Message(name), reason=step.reason
                )
                yield replace(step, layout=state.layout, reason=reason, rating=0.0)


def _equal(state: State, placed: list[int], equal: EqualSets) -> Iterator[Step]:
    """Find steps in each of two equal sets that follow from the other."""
    for first, second in ((equal.over, equal.owing), (equal.owing, equal.over)):
        for value in range(1, state.layout.n + 1):
            places, filled = state.places[value], placed[value]
            rest = places & second
            if not rest and not places & first:
                continue
            possible = first & (places | filled)
            if possible.bit_count() == (second & filled).bit_count():
                # All of these places are needed, and there are no more.
                placed_now = first & places
                gone = rest
            else:
                placed_now = 0
                gone = state.geometry.seen_by_all(possible, rest)
            if gone or placed_now:
                known = (*cells_of(possible), *cells_of(second & filled))
                yield Step(
                    layout=state.layout,
                    reason=message(
                        "{value} is in {cells} as often as in {others}, by {units}",
                        value=state.layout.shown[value],
                        cells=state.named(first),
                        others=state.named(second),
                        units=equal,
                    ),
                    placements=state.among(value, placed_now),
                    eliminations=state.among(value, gone),
                    units=tuple(unit for unit, _ in equal.terms),
                    pattern=tuple((cell, value) for cell in known),
                )


def _placed_cells(state: State) -> list[int]:
    """Return the cells in which each value is placed, as a set for each value."""
    placed = [0] * (state.layout.n + 1)
    for cell in cells_of(state.placed):
        placed[value_of(state.candidates[cell])] |= 1 << cell
    return placed


@by_layout()
def _with_hidden(layout: Layout) -> Layout:
    """Return the layout with its hidden units added."""
    return replace(layout, units=(*layout.units, *hidden_units(layout)))
