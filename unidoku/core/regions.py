"""Random regions of jigsaws, n connected regions of n cells, and their maps."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import permutations

from unidoku.core.cells import Near, adjacent
from unidoku.core.layout import Grid, Layout, Unit
from unidoku.core.text.symbols import DIGITS_FIRST
from unidoku.core.units import Square, default_box
from unidoku.errors import InputError, LayoutError

_SYMBOLS = "0" + DIGITS_FIRST
"""Symbols of the regions, in order of first appearance; each cell has one."""

_EXCHANGES = 6
"""Number of tries to exchange two cells, for each cell of the board: after these a region keeps
little of the box that it was."""


def random_map(n: int, order: random.Random) -> str:
    """Return a map of n by n cells in n regions, a symbol for each cell; see `random_regions`.

    Raises:
        InputError: n is larger than the number of symbols.
    """
    if not 1 <= n < len(_SYMBOLS):
        raise InputError(f"jigsaw: expected a size from 1 to {len(_SYMBOLS) - 1}, got {n}")
    return _written(random_regions(n, order))


def random_regions(
    n: int, order: random.Random, *, grid: Grid | None = None, exchanges: int = _EXCHANGES
) -> list[int]:
    """Return the region of each of n by n cells; all regions are connected and have n cells.

    The regions come from a random walk: repeatedly two cells at the border between two regions
    change sides if both regions stay connected. It begins with the boxes, or with the rows if n has
    no boxes. All regions that such exchanges reach are possible; their probabilities are not known.

    A given grid, a Latin square, stays a solution: only cells with the same value are exchanged,
    and the walk begins with the rows. ``exchanges`` is the number of tries for each cell of the
    board.
    """
    walk = _Walk(n, _boxes(n) if grid is None else [cell // n for cell in range(n * n)], grid)
    for _ in range(exchanges * n * n):
        walk.exchange(order)
    return walk.region


def map_of(layout: Layout) -> str:
    """Return the region map of a jigsaw's layout, with a symbol for each cell.

    A layout keeps one of several units with the same cells, so a region that equals a row or a
    column is found as that.
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
    number = {name: index for index, name in enumerate(dict.fromkeys(region))}
    return "".join(_SYMBOLS[number[name]] for name in region)


def _boxes(n: int) -> list[int]:
    try:
        height, width = default_box(n)
    except LayoutError:
        height, width = 1, n
    return [cell // n // height * (n // width) + cell % n // width for cell in range(n * n)]


@lru_cache(maxsize=32)
def _neighbours(n: int) -> list[list[int]]:
    near: list[list[int]] = [[] for _ in range(n * n)]
    for pair in Square(n).pairs("side by side", [(0, 1), (1, 0)]):
        for cell, other in permutations(pair.cells):
            near[cell].append(other)
    return near


class _Walk:
    """The current regions of a walk: the region of each cell, and the cells of each region."""

    def __init__(self, n: int, region: list[int], grid: Grid | None) -> None:
        self.region = region
        self._grid = grid
        self._near = _neighbours(n)
        self._members: list[set[int]] = [set() for _ in range(n)]
        for cell, index in enumerate(region):
            self._members[index].add(cell)

    def exchange(self, order: random.Random) -> None:
        """Exchange a random cell with a cell of a neighbouring region, if possible."""
        region, grid = self.region, self._grid
        out = order.randrange(len(region))
        old = region[out]
        others = [cell for cell in self._near[out] if region[cell] != old]
        if not others:
            return
        new = region[order.choice(others)]
        self._move(out, new)
        back = [
            cell
            for cell in sorted(self._members[new])
            if cell != out
            and (grid is None or grid[cell] == grid[out])
            and any(region[other] == old for other in self._near[cell])
        ]
        order.shuffle(back)
        for cell in back:
            self._move(cell, old)
            if self._hang_together(old) and self._hang_together(new):
                return
            self._move(cell, new)
        self._move(out, old)

    def _hang_together(self, which: int) -> bool:
        return hangs_together(self._members[which], self._near)

    def _move(self, cell: int, to: int) -> None:
        self._members[self.region[cell]].discard(cell)
        self._members[to].add(cell)
        self.region[cell] = to


def hangs_together(cells: Collection[int], near: Near) -> bool:
    """Return whether some cells are connected: neighbours lead from one cell to all others.

    Args:
        cells: the cells.
        near: the neighbours of each cell of the board.
    """
    remaining = set(cells)
    if remaining:
        _connected_part(remaining, near)
    return not remaining


def connected_parts(cells: Iterable[int], near: Near) -> list[list[int]]:
    """Return the connected parts of some cells, each ascending, in the order of their first cells.

    The arguments are those of `hangs_together`.
    """
    remaining, parts = set(cells), []
    while remaining:
        parts.append(sorted(_connected_part(remaining, near)))
    return sorted(parts)


def _connected_part(remaining: set[int], near: Near) -> list[int]:
    """Take a cell out of a set, and all cells of the set to which neighbours lead from it."""
    part = [remaining.pop()]
    for cell in part:  # which grows
        reached = remaining.intersection(near[cell])
        remaining -= reached
        part += reached
    return part


def in_pieces(layout: Layout) -> tuple[Unit, list[int]] | None:
    """Return a region in pieces, and the cells apart from the largest of these; None for none.

    One or two such regions among others in one piece are mostly a mistake in a map. If there are
    more, regions are meant so.
    """
    regions = [unit for unit in layout.units if unit.kind == "region"]
    if not regions:
        return None
    near = adjacent(layout)
    pieces = [
        (unit, [cell for part in others for cell in part])
        for unit in regions
        for _, *others in [sorted(connected_parts(unit.cells, near), key=len, reverse=True)]
        if others
    ]
    return pieces[0] if 0 < len(pieces) <= _FEW < len(regions) - len(pieces) + 1 else None


_FEW = 2
"""The most regions in pieces that a mistake in a map causes: two cells that are exchanged."""
