"""Groups of lines and the areas that cross them: how many of the areas' stars the lines take.

Two rows with two stars each hold four. From each area come at least as many as it has no room for
elsewhere, and at most as many as the rows have room for. If these numbers sum to four, each of them
is met, which settles cells in the rows and outside them. Which areas lie in the rows, or cover
them, need not be known beforehand, so one group serves every state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from unidoku.core.bits import set_of
from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.geometry import cells_of, union
from unidoku.logic.local_problem import LocalProblem, Remaining
from unidoku.logic.ruled.compared import KnownSum, kinds_of_sums

_MOST_LINES = 4
"""The largest number of lines of a group."""


class Group(LocalProblem):
    """Lines side by side on a board of two values, and the areas of one kind that cross them.

    Args:
        layout: the layout.
        lines: the lines, each with its number of cells that hold the larger value.
        areas: the areas, which share no cell.
    """

    def __init__(
        self, layout: Layout, lines: Sequence[KnownSum], areas: Sequence[KnownSum]
    ) -> None:
        """Prepare the cells of both."""
        self.lines, self.areas = tuple(lines), tuple(areas)
        self.inside = union(line.cells for line in lines)
        covered = union(area.cells for area in areas)
        super().__init__(layout, cells_of(self.inside | covered), ())
        self._count = sum(line.count for line in lines)
        self._alone = self.inside & ~covered

    def _prune(self, candidates: Sequence[int], *, by_units: bool = False) -> Remaining:
        """Return the candidates that counting leaves; None if the numbers contradict."""
        cells = [*zip(self.cells, candidates, strict=True)]
        places = set_of(cell for cell, mask in cells if mask & 2)
        stars = set_of(cell for cell, mask in cells if mask == 2)
        least, most = (stars & self._alone).bit_count(), (places & self._alone).bit_count()
        shares = []
        for area in self.areas:
            here, there = area.cells & self.inside, area.cells & ~self.inside
            low = max(area.count - (places & there).bit_count(), (stars & here).bit_count())
            high = min(area.count - (stars & there).bit_count(), (places & here).bit_count())
            if low > high:
                return None
            least, most = least + low, most + high
            shares.append((here, there, area.count, low, high))
        if not least <= self._count <= most:
            return None
        if least < self._count < most:
            return tuple(candidates)
        gone, filled = (self._alone, 0) if least == self._count else (0, self._alone)
        for here, there, count, low, high in shares:
            share = low if least == self._count else high
            for some, number in ((here, share), (there, count - share)):
                gone |= some if number == (stars & some).bit_count() else 0
                filled |= some if number == (places & some).bit_count() else 0
        gone, filled = gone & places & ~stars, filled & places & ~stars
        return tuple(
            1 if gone >> cell & 1 else 2 if filled >> cell & 1 else mask for cell, mask in cells
        )


@by_layout()
def groups_of(layout: Layout) -> tuple[Group, ...]:
    """Return the groups of a layout of two values and with areas, those of few lines first."""
    kinds = kinds_of_sums(layout) if layout.n == 2 else ()
    lines = [kind for kind in kinds if all(_is_line(known) for known in kind)]
    areas = [kind for kind in kinds if kind not in lines]
    return tuple(
        group
        for size in range(2, _MOST_LINES + 1)
        for kind in lines
        for other in areas
        for group in _side_by_side(layout, kind, other, size)
    )


def _side_by_side(
    layout: Layout, kind: Sequence[KnownSum], other: Sequence[KnownSum], size: int
) -> Iterator[Group]:
    for start in range(len(kind) - size + 1):
        lines = kind[start : start + size]
        inside = union(line.cells for line in lines)
        if areas := [area for area in other if area.cells & inside]:
            yield Group(layout, lines, areas)


def _is_line(known: KnownSum) -> bool:
    """Return whether the cells are spaced evenly, as those of a row or a column are."""
    cells = known.statement.cells
    return len({after - before for before, after in pairwise(cells)}) == 1
