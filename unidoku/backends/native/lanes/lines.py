"""Layers of states as numbers, for the interpreter of rules.

Each state and each set of values has a place in the interpreter's memory, where it holds a bit for
each lane: whether the state can be reached, or whether the layer's cell has one of the values.
What is reached from the end has places of its own, and so has, for each set of
values, whether a way leads through it: so far beyond the place of the set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from typing import assert_never

from unidoku.backends.toolkit.layers import Arc, layers_of, merged
from unidoku.core.bits import bit, bits_of, mask_of
from unidoku.core.machine import Machine
from unidoku.core.shapes import Automaton, Rows

__all__ = ["line_numbers"]


def line_numbers(
    shape: Automaton | Rows, offset: Callable[[int], int], word: Callable[[int], int]
) -> tuple[list[int], int]:
    """Return the numbers of a line, and for how many places it needs memory.

    Args:
        shape: what the line says.
        offset: tells what stands for a cell.
        word: tells what stands for a set of values.
    """
    places = count()
    forward = _States(places)
    layers = _layers_of(shape)
    steps = [_steps(arcs) for arcs in layers]
    held = [dict.fromkeys(sorted(set(masks.values()))) for masks in steps]
    starts = sorted({state for state, _ in steps[0]})
    numbers = [len(steps), len(starts), *(forward[0, state] for state in starts)]
    sets = [{mask: next(places) for mask in some} for some in held]
    more = sum(map(len, sets))
    for _ in range(more):  # the places beyond those of the sets
        next(places)
    head = [
        [offset(cell), more, len(its), *[x for mask, at in its.items() for x in (at, word(mask))]]
        for cell, its in zip(shape.cells, sets, strict=True)
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


@lru_cache(maxsize=256)
def _unrolled(machine: Machine, size: int) -> tuple[tuple[Arc, ...], ...]:
    """Return the arcs of a machine that reads so many cells.

    It may be in several states at once, as those of a line are bits of their own.
    """
    leading = [machine.accepting]  # states that lead to the end, with so many cells to come
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


def _layers_of(shape: Automaton | Rows) -> tuple[tuple[Arc, ...], ...]:
    match shape:
        case Automaton(cells, machine):
            return _unrolled(machine, len(cells))
        case Rows():
            return layers_of(shape, 0).arcs
        case _:
            assert_never(shape)


class _States(dict[tuple[int, int], int]):
    """The places of states, by their layer; each gets the next one when it is first asked for."""

    def __init__(self, places: Iterator[int]) -> None:
        super().__init__()
        self._places = places

    def __missing__(self, state: tuple[int, int]) -> int:
        """Return the next place."""
        self[state] = next(self._places)
        return self[state]


def _steps(arcs: tuple[tuple[int, int, int], ...]) -> dict[tuple[int, int], int]:
    """Return the values by which one state leads to another, as sets."""
    steps: defaultdict[tuple[int, int], int] = defaultdict(int)
    for state, value, target in arcs:
        steps[state, target] |= bit(value)
    return steps


def _pair(one: int, other: int) -> int:
    """Return two numbers as one word."""
    return one | other << 32
