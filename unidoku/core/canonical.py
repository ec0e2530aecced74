"""Canonical form: boards that differ only in the names of values and cells have the same one.

Cells are renamed within the symmetries of the layout (see `unidoku.core.symmetry`). On a custom
layout in a single row, where places have no meaning, any permutation of the cells is allowed, and
the units are renamed with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations

from unidoku.core.bits import all_values
from unidoku.core.board import Board
from unidoku.core.layout import Layout, Unit
from unidoku.core.symmetry import cell_symmetries, is_reversible, moved

MOST = 5040
"""The largest number of symmetries that are all tried: as many as seven cells have."""

_Key = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
"""The key that is minimized: the units' cells, and the candidates."""


def canonical(board: Board) -> Board:
    """Return the least of the boards that differ from this one only in names.

    The result is exact if there are at most `MOST` symmetries of the cells: then all equivalent
    boards have the same canonical form, which is its own canonical form. With more symmetries, a
    descent finds a local minimum: it is also its own form, but equivalent boards may have two
    forms. Values of a layout with rules are renamed only by reversing their order, if the rules
    allow it. A board with hidden cells is its own form.
    """
    if board.layout.hidden:
        return board
    # Only the units distinguish the cells.
    in_a_row = board.layout.positions == tuple((0, cell) for cell in board.layout.cells)
    if in_a_row and not board.layout.rules:
        return _canonical_in_a_row(board)
    layout = board.layout
    group = _group(layout)
    if group is not None:
        return Board(layout, min(_renamed(moved(board.candidates, move), layout) for move in group))
    moves, best = cell_symmetries(layout), _renamed(board.candidates, layout)
    while (new := min(_renamed(moved(best, move), layout) for move in moves)) < best:
        best = new
    return Board(layout, best)


def canonical_digest(boards: Iterable[Board]) -> str:
    """Return one digest of the canonical forms of several boards."""
    digests = [canonical(board).digest for board in boards]
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()[:16]


def _canonical_in_a_row(board: Board) -> Board:
    """Return the least board over all orders of the cells."""
    cells = list(board.layout.cells)
    if len(cells) <= 7:
        units, masks = min(_key(board, order) for order in permutations(cells))
    else:
        best = _key(board, cells), cells
        while (new := min((_key(board, order), order) for order in _swaps(best[1])))[0] < best[0]:
            best = new
        units, masks = best[0]
    sorted_units = [Unit(cells) for cells in units]
    n, first = board.layout.n, board.layout.first_value
    layout = Layout.from_units(n, sorted_units, shape=(1, len(masks)), first_value=first)
    return Board(layout, masks)


def _swaps(order: Sequence[int]) -> Iterator[list[int]]:
    for a, b in combinations(range(len(order)), 2):
        swapped = list(order)
        swapped[a], swapped[b] = swapped[b], swapped[a]
        yield swapped


def _key(board: Board, move: Sequence[int]) -> _Key:
    units = sorted(tuple(sorted(move[cell] for cell in unit.cells)) for unit in board.layout.units)
    return tuple(units), _renamed(moved(board.candidates, move), board.layout)


@lru_cache(maxsize=16)
def _group(layout: Layout) -> frozenset[tuple[int, ...]] | None:
    """Return all products of the layout's moves, or None if there are too many."""
    moves = cell_symmetries(layout)
    identity = tuple(layout.cells)
    group, new = {identity}, {identity}
    while new:
        new = {tuple(move[cell] for cell in product) for product in new for move in moves} - group
        group |= new
        if len(group) > MOST:
            return None
    return frozenset(group)


def _renamed(masks: tuple[int, ...], layout: Layout) -> tuple[int, ...]:
    """Return the candidates with the values renamed in a canonical order.

    A value is identified by the cells that allow it. Sorted by those cells, starting with the first
    cell's values, the values get the same names whatever their names were before.
    """
    n = layout.n
    if layout.rules:
        if not is_reversible(layout):
            return masks
        return min(masks, tuple(int(f"{mask:0{n}b}"[::-1], 2) for mask in masks))
    full = all_values(n)
    telling = [mask for mask in masks if mask not in (0, full)]
    allowed = [0] * n
    for mask in telling:
        allowed = [2 * cells + (mask >> value & 1) for value, cells in enumerate(allowed)]
    names = sorted(range(n), key=lambda value: -allowed[value])
    new = {value: index for index, value in enumerate(names)}
    return tuple(
        mask if mask in (0, full) else sum(1 << new[v] for v in range(n) if mask >> v & 1)
        for mask in masks
    )
