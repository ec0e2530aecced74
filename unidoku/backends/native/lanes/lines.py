"""Layers of states encoded as numbers, for the interpreter of rules.

Each state and each set of values has a place in the interpreter's memory, where it holds a bit for
each lane: whether the state can be reached, or whether the layer's cell has one of the values.
States reached from the end have places of their own. So has the answer, for each set of values,
whether a path leads through it: at a fixed distance from the place of the set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import count
from typing import assert_never

from unidoku.backends.toolkit.layers import Arc, layers_of, merged
from unidoku.core.bits import bit, bits_of, mask_of
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine
from unidoku.core.constraints.primitives import Automaton, Table


def line_numbers(
    constraint: Automaton | Table, offset: Callable[[int], int], word: Callable[[int], int]
) -> tuple[list[int], int]:
    """Return the numbers of a line, and for how many places it needs memory.

    Args:
        constraint: constraint of the line.
        offset: function from a cell to its number in the program.
        word: function from a set of values to its number in the program.
    """
    places = count()
    forward = _States(places)
    layers = _layers_of(constraint)
    steps = [_steps(arcs) for arcs in layers]
    held = [dict.fromkeys(sorted(set(masks.values()))) for masks in steps]
    starts = sorted({state for state, _ in steps[0]})
    numbers = [len(steps), len(starts), *(forward[0, state] for state in starts)]
    sets = [{mask: next(places) for mask in some} for some in held]
    more = sum(map(len, sets))
    for _ in range(more):  # the places after those of the sets
        next(places)
    head = [
        [offset(cell), more, len(its), *[x for mask, at in its.items() for x in (at, word(mask))]]
        for cell, its in zip(constraint.cells, sets, strict=True)
    ]
    for number, masks in enumerate(steps):
        numbers += head[number]
        into: defaultdict[int, list[int]] = defaultdict(list)
        for (state, target), mask in masks.items():
            into[target].append(_pair(forward[number, state], sets[number][mask]))
        numbers.append(len(into))
        for target, came in into.items():
            numbers += [_pair(forward[number + 1, target], len(came)), *came]
    backward = _States(places)
    backward[len(steps), 0] = forward[len(steps), 0]
    for number, masks in reversed(list(enumerate(steps))):
        numbers += head[number]
        out: defaultdict[int, list[int]] = defaultdict(list)
        for (state, target), mask in masks.items():
            out[state].append(_pair(backward[number + 1, target], sets[number][mask]))
        numbers.append(len(out))
        for state, goes in out.items():
            here = _pair(forward[number, state], backward[number, state])
            numbers += [here, len(goes), *goes]
    return numbers, next(places)


@number_cache(maxsize=256)
def _unrolled(machine: Machine, size: int) -> tuple[tuple[Arc, ...], ...]:
    """Return the arcs of a machine that reads that many cells.

    It may be in several states at once, because each state of a line has its own bit.
    """
    leading = [machine.accepting]  # states that lead to the end when that many cells follow
    for _ in range(size):
        rows = enumerate(machine.steps)
        leading.append(mask_of(s + 1 for s, row in rows if any(to & leading[-1] for to in row)))
    states, steps = machine.starts & leading[size], []
    for useful in reversed(leading[:size]):
        found = [
            (state, value, target)
            for state in bits_of(states)
            for value, targets in enumerate(machine.steps[state], start=1)
            for target in bits_of(targets & useful)
        ]
        steps.append(found)
        states = mask_of(target + 1 for _, _, target in found)
    return merged(steps)


def _layers_of(constraint: Automaton | Table) -> tuple[tuple[Arc, ...], ...]:
    match constraint:
        case Automaton(cells, machine):
            return _unrolled(machine, len(cells))
        case Table():
            return layers_of(constraint, 0).arcs
        case _:
            assert_never(constraint)


class _States(dict[tuple[int, int], int]):
    """The places of states, by layer; a state gets the next free place when first looked up."""

    def __init__(self, places: Iterator[int]) -> None:
        super().__init__()
        self._places = places

    def __missing__(self, state: tuple[int, int]) -> int:
        """Return the next place."""
        self[state] = next(self._places)
        return self[state]


def _steps(arcs: tuple[tuple[int, int, int], ...]) -> dict[tuple[int, int], int]:
    """Return the sets of values by which one state leads to another."""
    steps: defaultdict[tuple[int, int], int] = defaultdict(int)
    for state, value, target in arcs:
        steps[state, target] |= bit(value)
    return steps


def _pair(one: int, other: int) -> int:
    """Pack two numbers into one word."""
    return one | other << 32
