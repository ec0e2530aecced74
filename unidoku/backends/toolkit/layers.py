"""Sums as layers of states: for solvers that know no sums.

The states of a layer are the sums so far, as far as they can still come out right; states with
the same ways on are one (a reduced multi-valued decision diagram).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from unidoku.core.shapes import Sum

__all__ = ["Arc", "Layers", "layers_of_sum"]

Arc: TypeAlias = tuple[int, int, int]
"""A state, the value of the layer's cell, and the state of the next layer."""


@dataclass(frozen=True, slots=True)
class Layers:
    """The ways through layers of states, from state 0 to state 0.

    Args:
        cells: the cell of each layer.
        arcs: the arcs of each layer.
    """

    cells: tuple[int, ...]
    arcs: tuple[tuple[Arc, ...], ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is no way."""
        return not all(self.arcs)


@lru_cache(maxsize=1024)
def layers_of_sum(shape: Sum, n: int) -> Layers:
    """Return the layers of a sum: the heaviest weights first, which keeps them few."""
    terms = sorted(
        zip(shape.weights, shape.cells, strict=True), key=lambda term: (-abs(term[0]), term[1])
    )
    least, most = [0], [0]  # of the terms that are still to come, from the last
    for weight, _ in reversed(terms):
        least.append(least[-1] + min(weight, weight * n))
        most.append(most[-1] + max(weight, weight * n))
    states: list[list[int]] = [[0]]
    steps: list[list[Arc]] = []
    for place, (weight, _) in enumerate(terms):
        low = shape.low - most[len(terms) - 1 - place]
        high = shape.high - least[len(terms) - 1 - place]
        found = [
            (state, value, state + weight * value)
            for state in states[-1]
            for value in range(1, n + 1)
            if low <= state + weight * value <= high
        ]
        steps.append(found)
        states.append(sorted({target for _, _, target in found}))
    return Layers(tuple([cell for _, cell in terms]), _merged(steps))


def _merged(steps: list[list[Arc]]) -> tuple[tuple[Arc, ...], ...]:
    """Return the arcs that lead on, with states numbered from 0, equal ones merged from the end."""
    name_of = {target: 0 for _, _, target in steps[-1]}
    layers: list[tuple[Arc, ...]] = []
    for arcs in reversed(steps):
        ways: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for state, value, target in arcs:
            if target in name_of:
                ways[state].append((value, name_of[target]))
        names: dict[tuple[tuple[int, int], ...], int] = {}
        name_of = {
            state: names.setdefault(tuple(its), len(names)) for state, its in sorted(ways.items())
        }
        layers.append(tuple((name, value, to) for its, name in names.items() for value, to in its))
    return tuple(reversed(layers))
