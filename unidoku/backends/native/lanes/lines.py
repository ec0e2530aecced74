"""Layers of states as numbers, for the interpreter of rules.

Each state and each set of values has a place in the interpreter's memory, where it holds a bit for
each lane: whether the state can be reached, or whether the layer's cell has one of the values. The
first is place 0. What is reached from the end has places of its own, and so has, for each set of
values, whether a way leads through it: so far beyond the place of the set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import count

from unidoku.backends.toolkit.layers import Layers
from unidoku.core.bits import bit

__all__ = ["line_numbers"]


def line_numbers(
    layers: Layers, offset: Callable[[int], int], word: Callable[[int], int]
) -> tuple[list[int], int]:
    """Return the numbers of a line, and for how many places it needs memory.

    Args:
        layers: of states; some way leads through them.
        offset: tells what stands for a cell.
        word: tells what stands for a set of values.
    """
    places = count()
    forward = _States(places)
    steps = [_steps(arcs) for arcs in layers.arcs]
    held = [dict.fromkeys(sorted(set(masks.values()))) for masks in steps]
    first = forward[0, 0]
    assert first == 0
    sets = [{mask: next(places) for mask in some} for some in held]
    more = sum(map(len, sets))
    numbers = [len(layers.cells)]
    for _ in range(more):  # the places beyond those of the sets
        next(places)
    head = [
        [offset(cell), more, len(its), *[x for mask, at in its.items() for x in (at, word(mask))]]
        for cell, its in zip(layers.cells, sets, strict=True)
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
