"""Symmetries of the pattern of givens: which cells are given together.

They are symmetries of the positions only. Units and values need not keep them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from unidoku.core.layout import Layout, Position
from unidoku.errors import InputError, nearest

__all__ = ["SYMMETRIES", "clue_counts", "orbits"]

_Move: TypeAlias = Callable[[int, int, int, int], Position]
"""From (row, column, last row, last column) to the position of the mate."""

_MOVES: Mapping[str, _Move] = MappingProxyType(
    {
        "rotational": lambda row, column, bottom, right: (bottom - row, right - column),
        "quarter": lambda row, column, bottom, _: (column, bottom - row),
        "horizontal": lambda row, column, bottom, _: (bottom - row, column),
        "vertical": lambda row, column, _, right: (row, right - column),
        "diagonal": lambda row, column, _, __: (column, row),
        "antidiagonal": lambda row, column, bottom, right: (right - column, bottom - row),
    }
)

SYMMETRIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "none": (),
        "rotational": ("rotational",),
        "quarter": ("quarter",),
        "horizontal": ("horizontal",),
        "vertical": ("vertical",),
        "diagonal": ("diagonal",),
        "antidiagonal": ("antidiagonal",),
        "full": ("quarter", "vertical"),
    }
)
"""What generates each: half a turn, a quarter turn, a mirror (which line stays says the name:
the horizontal, the vertical, the falling or the rising diagonal), and all of these."""


def orbits(layout: Layout, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """Return the cells in groups that the symmetry moves onto each other.

    >>> from unidoku.core.variants import layout
    >>> sorted(map(len, orbits(layout("classic", 4), "quarter")))
    [4, 4, 4, 4]

    Args:
        layout: whose cells they are.
        symmetry: one of `SYMMETRIES`.

    Raises:
        InputError: there is no such symmetry, or the positions of the cells do not have it.
    """
    if symmetry not in SYMMETRIES:
        known = nearest(symmetry, SYMMETRIES)
        raise InputError(f"symmetry: expected one of those known, got {symmetry!r}; {known}")
    moves = [_MOVES[name] for name in SYMMETRIES[symmetry]]
    bottom, right = layout.rows - 1, layout.columns - 1
    mates: list[list[int]] = []
    for row, column in layout.positions:
        places = [move(row, column, bottom, right) for move in moves]
        missing = [place for place in places if place not in layout.cell_at]
        if missing:
            raise InputError(
                f"symmetry {symmetry!r}: {layout.names[layout.cell_at[row, column]]} has no mate "
                f"on {layout.name} boards of this size; choose another symmetry"
            )
        mates.append([layout.cell_at[place] for place in places])
    found: dict[int, tuple[int, ...]] = {}
    for cell in layout.cells:
        if cell not in found:
            orbit = _reached(cell, mates)
            found |= dict.fromkeys(orbit, orbit)
    return tuple(dict.fromkeys(found.values()))


def clue_counts(sizes: Iterable[int]) -> tuple[int, ...]:
    """Return how many givens a pattern can have whose orbits have these sizes, ascending.

    >>> clue_counts([2, 2, 1])
    (0, 1, 2, 3, 4, 5)
    """
    sums = 1
    for size in sizes:
        sums |= sums << size
    return tuple(count for count in range(sums.bit_length()) if sums >> count & 1)


def _reached(start: int, mates: list[list[int]]) -> tuple[int, ...]:
    reached = {start}
    open_ends = [start]
    while open_ends:
        new = set(mates[open_ends.pop()]) - reached
        reached |= new
        open_ends += new
    return tuple(sorted(reached))
