"""The pen of who solves: lines from cell to cell, or along the sides of cells.

A line joins neighbours of a lattice, counted in halves of a cell: the middle of the cell in row r
and column c, both from 0, is at (2r + 2, 2c + 2), and its corners are at odd numbers around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from unidoku.core.layout import Layout
from unidoku.errors import InputError
from unidoku.serve.document import State

_STEP = 2
"""Halves of a cell between neighbours."""


def pen(state: State, message: Mapping[str, Any]) -> State:
    """Draw lines, or remove them where all of them are there; all lines if none are named."""
    lines = lines_of(state.content.layout, message["lines"])
    before = {*state.marks.pen}
    after = set() if not lines else before - lines if lines <= before else before | lines
    return replace(state, marks=replace(state.marks, pen=tuple(sorted(after))))


def lines_of(
    layout: Layout, lines: Iterable[Sequence[int]]
) -> frozenset[tuple[int, int, int, int]]:
    """Return lines with their ends in order.

    Raises:
        InputError: one does not join neighbours of the board.
    """
    middles = {(2 * row + 2, 2 * column + 2) for row, column in layout.positions}
    corners = {(r + down, c + right) for r, c in middles for down in (-1, 1) for right in (-1, 1)}
    edges: set[tuple[int, int, int, int]] = set()
    for line in lines:
        row, column, to_row, to_column = line
        first, second = sorted(((row, column), (to_row, to_column)))
        far = sorted((abs(to_row - row), abs(to_column - column)))
        is_through = {first, second} <= middles and far[1] == _STEP
        is_along = {first, second} <= corners and far == [0, _STEP]
        if not (is_through or is_along):
            raise InputError(
                "lines: expected each to join the middles of two cells that touch, or the ends of "
                f"a side, in halves of a cell, got {[*line]}"
            )
        edges.add((*first, *second))
    return frozenset(edges)
