"""The checker: is this grid a solution of this board?

It reads the board's own definition, cell by cell and unit by unit, and uses no table and no
code that a backend uses, so that a mistake there cannot excuse itself here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import and_, itemgetter
from typing import Any

from unidoku.core.board import Board
from unidoku.core.layout import MAX_VALUES, Layout


def verify(board: Board, grid: Sequence[int]) -> list[str]:
    """Return what is wrong with a grid as a solution of the board; nothing, if it is one.

    Of hidden cells a grid has no values: then nothing is what is wrong whatever they hold. All is
    told of the expanded board, whose grids have them (`unidoku.core.hidden`).

    >>> verify(Board.parse("1...", "latin"), (1, 2, 2, 2))
    ['row B: 2 appears 2 times', 'column 2: 2 appears 2 times']
    """
    return list(_faults(board, grid))


def is_solution(board: Board, grid: Sequence[int]) -> bool:
    """Tell whether the grid is a solution of the board: at the first fault it is none."""
    return next(_faults(board, grid), None) is None


def _faults(board: Board, grid: Sequence[int]) -> Iterator[str]:
    """Yield what is wrong: values that their cells do not take, or what units and rules say."""
    layout = board.layout
    if not layout.rules and not layout.hidden and _is_right(board, grid):
        return
    if len(grid) != len(layout.positions):
        yield f"expected {len(layout.positions)} values, one a cell, got {len(grid)}"
        return
    fits = True
    for cell, value in enumerate(grid):
        if type(value) is not int or not 1 <= value <= layout.n:
            yield f"{layout.names[cell]}: {value!r} is not a value from 1 to {layout.n}"
            fits = False
        elif not board.candidates[cell] >> (value - 1) & 1:
            yield f"{layout.names[cell]}: {layout.shown[value]} is not among its candidates"
            fits = False
    if not fits:
        return
    known = len(layout.positions)
    for unit in layout.units:
        held = sorted(grid[cell] for cell in unit.cells if cell < known)
        for value in sorted(set(held)):
            if held.count(value) > 1:
                yield f"{unit}: {layout.shown[value]} appears {held.count(value)} times"
    for rule, cells in layout.broken(grid):
        yield layout.fault(rule, cells, grid)


def _is_right(board: Board, grid: Sequence[int]) -> bool:
    """Tell quickly that nothing is wrong with a grid; False says that it must be looked at.

    Each value is a bit. The bits of k cells add up to a number with k ones if and only if they
    all differ: any two alike make a carry, and each carry costs a one.
    """
    if len(grid) != len(board.candidates) or set(map(type, grid)) != {int}:
        return False
    try:
        bits = tuple(map(and_, map(_BITS.__getitem__, grid), board.candidates))
    except KeyError:
        return False
    for size, gather in _gatherers(board.layout):
        sums = map(sum, zip(*[iter(gather(bits))] * size, strict=True))
        if set(map(int.bit_count, sums)) != {size}:
            return False
    return 0 not in bits


_BITS = {value: 1 << (value - 1) for value in range(1, MAX_VALUES + 1)}


@lru_cache(maxsize=64)
def _gatherers(layout: Layout) -> list[tuple[int, itemgetter[Any]]]:
    """Return for each size of units above 1 what gathers the cells of all of that size."""
    by_size: defaultdict[int, list[int]] = defaultdict(list)
    for unit in layout.units:
        by_size[len(unit.cells)] += unit.cells
    return [(size, itemgetter(*cells)) for size, cells in by_size.items() if size > 1]
