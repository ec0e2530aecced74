"""XY-wings, XYZ-wings, and larger wings: a bivalue cell and an almost locked set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unidoku.core.bits import bits_of
from unidoku.logic.explainer.finding import Finding, Findings
from unidoku.logic.explainer.grid import CELLS, SEES, VALUES, Grid, common_peers, merged
from unidoku.logic.geometry import union
from unidoku.support.deadline import check_time_limit

_LETTERS = "TUVWXYZ"


def xy_wings(grid: Grid, *, xyz: bool) -> Findings:
    """Yield XY-wings, or XYZ-wings, which have a pivot of three candidates."""
    bivalue = [cell for cell in CELLS if grid.candidates[cell].bit_count() == 2]
    for pivot in CELLS:
        middle = grid.candidates[pivot]
        if middle.bit_count() != (3 if xyz else 2):
            continue
        around = [cell for cell in bivalue if SEES[pivot] >> cell & 1]
        for first in around:
            low = grid.candidates[first]
            if (middle & ~low).bit_count() != 1:
                continue
            for second in around:
                high = grid.candidates[second]
                shared = (middle & low & high).bit_count()
                if (middle | low | high).bit_count() != 3 or shared != (1 if xyz else 0):
                    continue
                ends = 1 << first | 1 << second | (1 << pivot if xyz else 0)
                seen = common_peers(ends) & ~(1 << pivot)
                if gone := grid.among(seen, low & high):
                    yield Finding(
                        technique="XYZ-wing" if xyz else "XY-wing",
                        rating=4.4 if xyz else 4.2,
                        eliminations=gone,
                    )


@dataclass(frozen=True, slots=True)
class _Almost:
    """An almost locked set: cells that see each other, with one value more than cells.

    Args:
        cells: the cells, as a set.
        values: the union of their candidates.
        most: the largest number of candidates of a cell.
        total: the sum of these numbers.
        near: the cells that see one of them.
        seeing: for each of the values the cells that see all of its holders.
    """

    cells: int
    values: int
    most: int
    total: int
    near: int
    seeing: dict[int, int]


def _almost_locked(grid: Grid, size: int) -> Iterator[_Almost]:
    """Yield the almost locked sets of some size, in ascending order of their cells."""
    counts = [values.bit_count() for values in grid.candidates]
    fit = sum(1 << cell for cell in CELLS if 2 <= counts[cell] <= size + 1)

    def grow(cells: tuple[int, ...], values: int, around: int) -> Iterator[_Almost]:
        if len(cells) == size:
            if values.bit_count() == size + 1:
                yield almost(cells, values)
            return
        for cell in bits_of(around):
            both = values | grid.candidates[cell]
            if both.bit_count() <= size + 1:
                yield from grow((*cells, cell), both, around & SEES[cell] & -(1 << cell))

    def almost(cells: tuple[int, ...], values: int) -> _Almost:
        members = sum(1 << cell for cell in cells)
        near = union(SEES[cell] for cell in cells)
        return _Almost(
            members,
            values,
            max(counts[cell] for cell in cells),
            sum(counts[cell] for cell in cells),
            near & ~members,
            {
                value: common_peers(holders)
                for value in VALUES
                if (holders := grid.cells[value] & members)
            },
        )

    yield from grow((), 0, fit)


def _wing_rating(size: int, most: int) -> float:
    """Return the number of a wing by the size of its almost locked set and of its largest cell.

    Cells of a middling size make small wings harder.
    """
    middle = (size + 3) // 2
    match size:
        case 3:
            return 5.5 + (4 - middle - abs(middle - most)) * 0.1
        case 4:
            return 6.2 + (5 - middle - abs(middle - most)) * 0.1
        case 5:
            return 6.6
        case _:
            return 7.5


def large_wings(grid: Grid, size: int) -> Findings:
    """Yield the easiest wing of a bivalue cell and an almost locked set of some size.

    Among those of one number it is the one with the most eliminations, then that whose digits
    (double link, largest cell, sum of candidates) are last in the order of texts. Where the two
    sets share two values that see each other, the other values of the set are locked as well.
    """
    bivalue = {
        cell: ((values & -values).bit_length(), values.bit_length())
        for cell, values in enumerate(grid.candidates)
        if values.bit_count() == 2
    }
    of_two = sum(1 << cell for cell in bivalue)
    best: tuple[tuple[float, int, tuple[int, ...]], dict[int, int]] | None = None
    for almost in _almost_locked(grid, size):
        check_time_limit()
        for cell in bits_of(almost.near & of_two):
            if grid.candidates[cell] & ~almost.values:
                continue
            gone, doubly = _eliminated(grid, almost, cell, bivalue[cell])
            if not gone:
                continue
            count = sum(values.bit_count() for values in gone.values())
            rating = _wing_rating(size, almost.most)
            digits = f"{1 + doubly}{almost.most}{almost.total}"
            key = (rating, -count, (*(-ord(digit) for digit in digits), 0))
            if best is None or key < best[0]:
                best = key, gone
    if best is not None:
        name = f"{_LETTERS[-size - 1 :]}-wing"
        yield Finding(technique=name, rating=best[0][0], eliminations=best[1])


def _eliminated(
    grid: Grid, almost: _Almost, cell: int, values: tuple[int, int]
) -> tuple[dict[int, int], bool]:
    """Return what a wing removes, and whether it counts as doubly linked."""
    links = [value for value in values if almost.seeing[value] >> cell & 1]
    outside = ~almost.cells

    def removed(value: int, seen: int) -> dict[int, int]:
        cells = grid.cells[value] & seen & outside & ~(1 << cell)
        return dict.fromkeys(bits_of(cells), 1 << value - 1) if cells else {}

    if not links:
        return {}, False
    if len(links) == 1:
        end = values[0] if links[0] == values[1] else values[1]
        return removed(end, almost.seeing[end] & SEES[cell]), False
    weak = merged(
        *(removed(value, seen) for value, seen in almost.seeing.items() if value not in values)
    )
    low, high = (removed(value, almost.seeing[value] & SEES[cell]) for value in values)
    return merged(weak, low, high), bool(weak or (low and high))
