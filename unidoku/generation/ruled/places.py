"""Places for rules: connected groups of cells, paths, and lines of sight."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence

from unidoku.core.cells import Near
from unidoku.core.layout import Layout
from unidoku.core.regions import hangs_together


def grouped(
    rng: random.Random,
    cells: Collection[int],
    near: Near,
    sizes: Sequence[int],
    fits: Callable[[Sequence[int], int], bool],
) -> list[tuple[int, ...]]:
    """Return connected groups of cells; each cell is in exactly one.

    A group begins at a cell with the fewest free neighbours, so that few cells are left alone. A
    cell that is left alone joins an adjacent group if it fits there.

    Args:
        rng: source of random numbers.
        cells: the cells to group.
        near: the neighbours of all cells.
        sizes: sizes of groups, from which each group draws one.
        fits: returns whether a cell may join a group.
    """
    free = set(cells)
    groups: list[list[int]] = []
    while free:
        open_sides = {cell: sum(other in free for other in near[cell]) for cell in sorted(free)}
        fewest = min(open_sides.values())
        group = [rng.choice([cell for cell, sides in open_sides.items() if sides == fewest])]
        free.discard(group[0])
        size = rng.choice(sizes)
        while len(group) < size and (joining := _joining(group, near, free, fits)):
            group.append(rng.choice(joining))
            free.discard(group[-1])
        groups.append(group)
    for alone in [group for group in groups if len(group) == 1]:
        hosts = [
            group
            for group in groups
            if 1 < len(group) <= max(sizes)
            and not set(near[alone[0]]).isdisjoint(group)
            and fits(group, alone[0])
        ]
        if hosts:
            rng.choice(hosts).append(alone[0])
            groups.remove(alone)
    return [tuple(sorted(group)) for group in groups]


def _joining(
    group: Sequence[int],
    near: Near,
    free: Collection[int],
    fits: Callable[[Sequence[int], int], bool],
) -> list[int]:
    """Return the free cells beside a group that fit it."""
    around = sorted({other for cell in group for other in near[cell] if other in free})
    return [cell for cell in around if fits(group, cell)]


def cut(
    rng: random.Random, group: Sequence[int], near: Near
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield ways to cut a group into two connected parts, in random order."""
    for size in rng.sample(range(1, len(group)), len(group) - 1):
        for first in rng.sample(list(group), len(group)):
            part = [first]
            rest = set(group) - {first}
            while len(part) < size and (joining := _joining(part, near, rest, lambda *_: True)):
                part.append(rng.choice(joining))
                rest.discard(part[-1])
            if len(part) == size and hangs_together(rest, near):
                yield tuple(sorted(part)), tuple(sorted(rest))


def lines(layout: Layout) -> list[tuple[int, ...]]:
    """Return the rows from top to bottom, and then the columns from left to right."""
    by_line: dict[tuple[str, int], list[int]] = {}
    for axis, which in enumerate(("row", "column")):
        for cell, position in enumerate(layout.positions):
            by_line.setdefault((which, position[axis]), []).append(cell)
    return [tuple(line) for line in by_line.values()]


def sights(layout: Layout) -> list[tuple[int, ...]]:
    """Return the lines that clues look along: rows from both sides, columns from both ends."""
    rows = len({row for row, _ in layout.positions})
    across, down = lines(layout)[:rows], lines(layout)[rows:]
    backwards = [[line[::-1] for line in lines_of_axis] for lines_of_axis in (across, down)]
    return [*across, *backwards[0], *down, *backwards[1]]


def diagonals(layout: Layout) -> list[tuple[int, ...]]:
    """Return the diagonals of two cells or more, from their ends above or on the left."""
    by_line: dict[tuple[int, int], list[int]] = {}
    for cell, (row, column) in enumerate(layout.positions):
        by_line.setdefault((1, row - column), []).append(cell)
        by_line.setdefault((-1, row + column), []).append(cell)
    return [tuple(line) for line in by_line.values() if len(line) > 1]
