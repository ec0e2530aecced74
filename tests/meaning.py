"""What shapes mean, written down apart from all that solvers are told of them."""

from __future__ import annotations

from typing import assert_never

from unidoku.core.machine import bits_of
from unidoku.core.shapes import Automaton, Or, Relation, Rows, SameValues, Sets, Shape, Sum

__all__ = ["holds"]


def holds(shape: Shape, grid: tuple[int, ...]) -> bool:
    """Tell whether values keep a shape, by its definition."""
    match shape:
        case Relation(table, pairs):
            return all(table[grid[a] - 1] >> grid[b] - 1 & 1 for a, b in pairs)
        case Sum(cells, weights, low, high):
            return low <= sum(w * grid[c] for c, w in zip(cells, weights, strict=True)) <= high
        case Sets(cells, masks):
            return sum({1 << grid[c] - 1 for c in cells}) in masks
        case Automaton(cells, machine):
            ways = {(state,) for state in bits_of(machine.starts)}
            for cell in cells:
                steps = machine.transitions
                ways = {(b,) for (a,) in ways for s, v, b in steps if (s, v) == (a, grid[cell])}
            return any(machine.accepting >> state & 1 for (state,) in ways)
        case Rows(cells, rows):
            return tuple(grid[c] for c in cells) in rows
        case SameValues(cells, others):
            return sorted(grid[c] for c in cells) == sorted(grid[c] for c in others)
        case Or(branches):
            return any(all(holds(part, grid) for part in branch) for branch in branches)
        case _:
            assert_never(shape)
