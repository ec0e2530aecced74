"""Random rules of connected cells and of regions to be found."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Sequence

from unidoku.core.rules import ChaosConstruction, Connected, RegionCount, RegionRun, Rule


def connected(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return that the cells of some values are connected; with luck those are side by side."""
    some = tuple(rng.sample(values, rng.randint(1, 2)))
    order = sorted(range(len(cells)), key=lambda place: values[place] not in some)
    held = tuple(cells[place] for place in (order if rng.random() < 0.7 else range(len(cells))))
    count = sum(value in some for value in values) if rng.random() < 0.4 else None
    return Connected(held, some, rng.randint(1, len(cells)), count)


def chaos(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return regions of as many cells as tell their numbers; with luck each is a row of cells."""
    if rng.random() < 0.7 and (rows := _rows(cells, values)):
        held, regions, count = rows
        return ChaosConstruction(tuple(held), tuple(regions), count, count)
    half = len(cells) // 2
    counts = [count for count in range(1, half + 1) if half % count == 0]
    columns = rng.randint(1, half)
    numbers = tuple(cells[half : 2 * half])
    return ChaosConstruction(tuple(cells[:half]), numbers, columns, rng.choice(counts))


def _rows(cells: Sequence[int], values: Sequence[int]) -> tuple[list[int], list[int], int] | None:
    """Return cells in rows that repeat no value, cells with the rows' numbers, and their length."""
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for cell, value in zip(cells, values, strict=True):
        holders[value].append(cell)
    value_of = dict(zip(cells, values, strict=True))
    for count in range(len(cells) // 2, 0, -1):
        held: list[int] = []
        regions: list[int] = []
        others = [cell for cell in cells if not 0 < value_of[cell] <= len(cells) // (2 * count)]
        for number in range(1, len(cells) // (2 * count) + 1):
            different = {value_of[cell]: cell for cell in others if cell not in held}
            row = list(different.values())[:count]
            if min(len(row), len(holders[number])) < count:
                break
            held += row
            regions += holders[number][:count]
        if regions:
            return held, regions, count
    return None


def of_a_region(kind: type[RegionCount | RegionRun]) -> Callable[..., Rule]:
    """Return what makes a count of cells of a region, or of a run of them, on one arm or two."""

    def make(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
        number, *regions = cells
        if kind is RegionRun and len(regions) > 2 and rng.random() < 0.5:
            regions.insert(2, regions[0])
        return kind((number,), tuple(regions), rng.random() < 0.3)

    return make
