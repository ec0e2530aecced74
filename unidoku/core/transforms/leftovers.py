"""The law of leftovers: cells that cannot hold one value, and layouts that no grid fits.

Take some full units of one kind and as many of another, such as three rows and three regions of a
jigsaw. What only the rows have holds the same values as what only the regions have, each as often.
So these cells pair up, each with one that holds its value, which it cannot see. If some cells have
only as many others to pair up with, no further cell pairs up with those; with fewer, no grid fits.
Two cells that must pair up are one for all that they see, from which more follows.

Of 44 random jigsaws of 9×9 cells without a grid this refutes 43, and search takes millions of
nodes for most of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import TypeAlias

from unidoku.core.bits import bits_of, set_of
from unidoku.core.caching import layout_cache
from unidoku.core.layout import Layout
from unidoku.support.deadline import check_time_limit

MOST_UNITS = 4
"""The largest number of units of each kind."""

MOST_CHOICES = 1000
"""The largest number of choices of so many units of one kind: boards of 25 values take pairs."""

MOST_LEFT = 8
"""The largest number of cells that only the units of one kind have; few cells say most."""

Leftovers: TypeAlias = tuple[list[int], list[int]]
"""Cells that hold the same values as other cells, each as often."""


class NoGridError(Exception):
    """No grid fits the units of a layout."""


@layout_cache(maxsize=64)
def no_grid_fits(layout: Layout) -> bool:
    """Return whether the law of leftovers shows that no grid fits the units of a layout.

    Cost: 1 to 5 ms on jigsaws of 9 to 13 values.
    """
    try:
        cells_apart(layout)
    except NoGridError:
        return True
    return False


def cells_apart(layout: Layout) -> list[int]:
    """Return for each cell those that cannot hold its value, its peers among them, as a set.

    Raises:
        NoGridError: a cell is left that cannot have a value.
    """
    apart = [set_of(peers) for peers in layout.peers]
    pairs = sorted(leftovers(layout), key=lambda pair: len(pair[0]))
    changes = True
    while changes:
        changes = False
        for cells, others in pairs:
            check_time_limit()
            changes |= _paired(cells, others, apart) | _paired(others, cells, apart)
    return apart


def leftovers(layout: Layout) -> Iterator[Leftovers]:
    """Yield what some full units of one kind and as many of another do not share.

    Units of one kind share no cell. Kinds whose units cross in one cell, such as rows and columns,
    are left out: too much is left.
    """
    for lines, others in combinations(_kinds(layout), 2):
        if all((line & other).bit_count() <= 1 for line in lines for other in others):
            continue
        for count in range(1, min(MOST_UNITS, len(lines), len(others)) + 1):
            if comb(len(lines), count) > MOST_CHOICES:
                break
            for chosen in combinations(lines, count):
                check_time_limit()
                cells = sum(chosen)
                lacking = sorted(((other & ~cells).bit_count(), other) for other in others)
                for union in _unions(lacking, count, MOST_LEFT):
                    if union != cells:
                        yield bits_of(cells & ~union), bits_of(union & ~cells)


def _kinds(layout: Layout) -> list[list[int]]:
    """Return the full units of each kind as sets of cells, if they share no cell."""
    kinds: defaultdict[str, list[int]] = defaultdict(list)
    for unit in layout.full_units:
        kinds[unit.kind].append(set_of(unit.cells))
    return [units for units in kinds.values() if sum(units).bit_count() == len(units) * layout.n]


def _unions(lacking: Sequence[tuple[int, int]], count: int, most: int) -> Iterator[int]:
    """Yield unions of so many units that lack few cells in all.

    Args:
        lacking: how many cells each unit lacks, ascending, and its cells.
        count: how many units are united.
        most: how many cells they lack at most.
    """
    if count == 0:
        yield 0
        return
    for index, (lack, cells) in enumerate(lacking):
        if lack * count > most:
            return
        for union in _unions(lacking[index + 1 :], count - 1, most - lack):
            yield cells | union


def _paired(cells: Sequence[int], others: Sequence[int], apart: list[int]) -> bool:
    """Note which cells cannot pair up although they do not see each other; return whether any.

    Only few cells on one side need a look: if many have as few others as they are, those that are
    left have so few on the other side.
    """
    everyone = set_of(others)
    partners = {cell: everyone & ~apart[cell] for cell in cells}
    half = (len(cells) + 1) // 2
    few = [cell for cell in cells if partners[cell].bit_count() <= half]
    changes = False
    for size in range(1, min(half, len(few)) + 1):
        for chosen in combinations(few, size):
            wanted = 0
            for cell in chosen:
                wanted |= partners[cell]
            if wanted.bit_count() < size:
                raise NoGridError
            if wanted.bit_count() == size:
                for cell in partners.keys() - {*chosen}:
                    if partners[cell] & wanted:
                        _keep_apart(apart, cell, partners[cell] & wanted)
                        partners[cell] &= ~wanted
                        changes = True
                if size == 1:
                    changes |= _unite(apart, chosen[0], wanted.bit_length() - 1)
    return changes


def _keep_apart(apart: list[int], cell: int, others: int) -> None:
    """Note that a cell holds none of the values of others."""
    apart[cell] |= others
    for other in bits_of(others):
        apart[other] |= 1 << cell


def _unite(apart: list[int], cell: int, other: int) -> bool:
    """Note that two cells hold one value; return whether that is new."""
    both = apart[cell] | apart[other]
    if both >> cell & 1:
        raise NoGridError
    new_of_cell, new_of_other = both & ~apart[cell], both & ~apart[other]
    _keep_apart(apart, cell, new_of_cell)
    _keep_apart(apart, other, new_of_other)
    return new_of_cell | new_of_other != 0
