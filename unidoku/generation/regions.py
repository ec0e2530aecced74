"""Region maps for jigsaws: regions of n cells that hang together, at random."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from unidoku.core.layout import Layout
from unidoku.core.text.symbols import DIGITS_FIRST
from unidoku.core.units import default_box
from unidoku.errors import InputError, LayoutError

__all__ = ["map_of", "random_map"]

_SYMBOLS = "0" + DIGITS_FIRST
"""Of the regions, in the order in which they are met; one of them a cell."""

_EXCHANGES = 6
"""Tries to exchange two cells, for each cell of the board: by then a region has little left of
the box that it was."""


def random_map(n: int, order: random.Random) -> str:
    """Return a map of n by n cells in n regions, a symbol a cell.

    A walk: again and again two cells at the border between two regions change sides, if both
    regions still hang together. It begins with the boxes, or the rows where n has no boxes. All
    maps that such exchanges reach can come; how likely each is, is not known.

    Args:
        n: cells of a row, of a column and of a region.
        order: where the chance comes from.

    Raises:
        InputError: n is too large for a symbol a region.
    """
    if not 1 <= n < len(_SYMBOLS):
        raise InputError(f"jigsaw: expected a size from 1 to {len(_SYMBOLS) - 1}, got {n}")
    region = _boxes(n)
    near = [tuple(_neighbours(cell, n)) for cell in range(n * n)]
    for _ in range(_EXCHANGES * n * n):
        _exchange(region, near, order)
    return _written(region)


def map_of(layout: Layout) -> str:
    """Return the region map of a jigsaw's layout, a symbol a cell.

    Of units with the same cells a layout keeps one: a region that is a row or a column is found
    by that.
    """
    region = [-1] * len(layout)
    regions = [unit for unit in layout.units if unit.kind == "region"]
    lines = [unit for unit in layout.units if unit.kind in ("row", "column")]
    for number, unit in enumerate([*regions, *lines]):
        if all(region[cell] < 0 for cell in unit.cells):
            for cell in unit.cells:
                region[cell] = number
    return _written(region)


def _written(region: Sequence[int]) -> str:
    number = {held: place for place, held in enumerate(dict.fromkeys(region))}
    return "".join(_SYMBOLS[number[held]] for held in region)


def _boxes(n: int) -> list[int]:
    try:
        height, width = default_box(n)
    except LayoutError:
        height, width = 1, n
    return [cell // n // height * (n // width) + cell % n // width for cell in range(n * n)]


def _neighbours(cell: int, n: int) -> Iterator[int]:
    if cell >= n:
        yield cell - n
    if cell % n:
        yield cell - 1
    if cell % n < n - 1:
        yield cell + 1
    if cell < n * n - n:
        yield cell + n


def _exchange(region: list[int], near: Sequence[tuple[int, ...]], order: random.Random) -> None:
    """Let a random cell change sides with one of a neighbouring region, if any can."""
    out = order.randrange(len(region))
    others = [cell for cell in near[out] if region[cell] != region[out]]
    if not others:
        return
    here, there = region[out], region[order.choice(others)]
    region[out] = there
    back = [
        cell
        for cell, held in enumerate(region)
        if held == there and cell != out and any(region[other] == here for other in near[cell])
    ]
    order.shuffle(back)
    for cell in back:
        region[cell] = here
        if _hangs_together(region, near, cell) and _hangs_together(region, near, out):
            return
        region[cell] = there
    region[out] = here


def _hangs_together(region: Sequence[int], near: Sequence[tuple[int, ...]], start: int) -> bool:
    """Tell whether all cells of the region of a cell can be reached from it."""
    held = region[start]
    reached = {start}
    open_ends = [start]
    while open_ends:
        for cell in near[open_ends.pop()]:
            if region[cell] == held and cell not in reached:
                reached.add(cell)
                open_ends.append(cell)
    return len(reached) == sum(1 for other in region if other == held)
