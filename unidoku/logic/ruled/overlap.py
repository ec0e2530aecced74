"""Overlaps of a rule and a unit: a value that one of them needs lies in both.

If a cage must hold 9, cells that see all places of 9 in the cage lose 9. If all places of 4 in a
row lie in a cage, the cage holds 4 and loses the values that do not go with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.bits import bit, set_of, values_of
from unidoku.core.layout import Unit
from unidoku.logic.geometry import cells_of, each_of, union
from unidoku.logic.links import forbidden
from unidoku.logic.ruled.narrowing import Reason, narrowing
from unidoku.logic.saying import Saying, sayings_of
from unidoku.logic.state import State
from unidoku.logic.step import Step

_MOST_CELLS = 12
"""The largest number of cells of a rule that is considered."""


def rule_pointing(state: State) -> Iterator[Step]:
    """Find values that a rule or a unit needs in some cells, and what all these places exclude.

    That is the value in cells that see all of them, and values that relations forbid with each.
    """
    if not state.layout.rules:
        return
    for saying, value, places in needed(state):
        words = f"{state.layout.shown[value]} is in {state.named(places)} ({saying.words})"
        yield from _excluding(state, value, places, words, saying=(saying,))
    for base in state.geometry.full if forbidden(state.layout) else ():
        for value, anywhere in enumerate(state.places):
            if (places := anywhere & base.cells) & (places - 1):
                held = state.layout.shown[value]
                words = f"{held} of {base.unit} is in {state.named(places)}"
                yield from _excluding(state, value, places, words, units=(base.unit,))


def needed(state: State) -> Iterator[tuple[Saying, int, int]]:
    """Yield rules that need a value with several places, and these places."""
    for saying in _small(state):
        held = saying.scene.held(state.candidates)
        placed = union(state.candidates[c] for c in saying.cells if state.placed >> c & 1)
        inside = set_of(saying.cells)
        for value in values_of(union(held) & ~placed):
            places = state.places[value] & inside
            without = tuple([mask & ~bit(value) for mask in held])
            if places & (places - 1) and 0 not in without and saying.scene.simple(without) is None:
                yield saying, value, places


def _excluding(
    state: State,
    value: int,
    places: int,
    words: str,
    *,
    saying: tuple[Saying, ...] = (),
    units: tuple[Unit, ...] = (),
) -> Iterator[Step]:
    """Yield the step that removes what each place of a value excludes."""
    size, layout = len(state.layout), state.layout
    beside = forbidden(layout)
    gone = -1
    for cell in cells_of(places):
        weak = state.geometry.sees[cell] << value * size
        weak |= beside.get(value * size + cell, 0)
        for other in values_of(state.candidates[cell] & ~bit(value)):
            weak |= 1 << other * size + cell
        gone &= weak
        if not gone:
            return
    gone &= union(cells << number * size for number, cells in enumerate(state.places))
    if gone:
        removed = [(node % size, node // size) for node in each_of(gone)]
        yield Step(
            layout=layout,
            reason=words,
            eliminations=tuple(removed),
            units=units,
            pattern=state.among(value, places),
            rules=tuple(one.basis for one in saying),
        )


def unit_in_rule(state: State) -> Iterator[Step]:
    """Find values whose places in a full unit all lie in a rule, and what that excludes."""
    for saying in _small(state):
        inside = set_of(saying.cells)
        held = saying.scene.held(state.candidates)
        for place in state.geometry.full:
            if not place.cells & inside:
                continue
            for value, anywhere in enumerate(state.places):
                cells = anywhere & place.cells
                if cells & (cells - 1) and not cells & ~inside:
                    left = saying.scene.among(held, value, cells)
                    words = f"{state.layout.shown[value]} of {place.unit} is in its cells"
                    reason = Reason((saying,), words, units=(place.unit,))
                    yield from narrowing(state, saying.cells, left, reason)


def _small(state: State) -> Iterator[Saying]:
    for saying in sayings_of(state.layout):
        if 1 < len(saying.cells) <= _MOST_CELLS:
            state.tick()
            yield saying
