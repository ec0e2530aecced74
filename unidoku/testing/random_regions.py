"""Random rules of connected cells and of regions to be found."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Sequence

from unidoku.core.rules import ChaosConstruction, Connected, RegionCount, RegionRun, Rule


def connected(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return a rule that the cells of some values are connected; often they are neighbours."""
    some = tuple(rng.sample(values, rng.randint(1, 2)))
    order = sorted(range(len(cells)), key=lambda index: values[index] not in some)
    chosen = tuple(cells[index] for index in (order if rng.random() < 0.7 else range(len(cells))))
    count = sum(value in some for value in values) if rng.random() < 0.4 else None
    return Connected(chosen, some, rng.randint(1, len(cells)), count)


def chaos(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return regions to be found, as many cells as cells of numbers; often each is a row."""
    if rng.random() < 0.7 and (rows := _rows(cells, values)):
        in_rows, regions, count = rows
        return ChaosConstruction(tuple(in_rows), tuple(regions), count, count)
    half = len(cells) // 2
    counts = [count for count in range(1, half + 1) if half % count == 0]
    columns = rng.randint(1, half)
    numbers = tuple(cells[half : 2 * half])
    return ChaosConstruction(tuple(cells[:half]), numbers, columns, rng.choice(counts))


def _rows(cells: Sequence[int], values: Sequence[int]) -> tuple[list[int], list[int], int] | None:
    """Return cells in rows without a repeated value, cells with the row numbers, and the length."""
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for cell, value in zip(cells, values, strict=True):
        holders[value].append(cell)
    value_of = dict(zip(cells, values, strict=True))
    for count in range(len(cells) // 2, 0, -1):
        in_rows: list[int] = []
        regions: list[int] = []
        others = [cell for cell in cells if not 0 < value_of[cell] <= len(cells) // (2 * count)]
        for number in range(1, len(cells) // (2 * count) + 1):
            different = {value_of[cell]: cell for cell in others if cell not in in_rows}
            row = list(different.values())[:count]
            if min(len(row), len(holders[number])) < count:
                break
            in_rows += row
            regions += holders[number][:count]
        if regions:
            return in_rows, regions, count
    return None


def of_a_region(kind: type[RegionCount | RegionRun]) -> Callable[..., Rule]:
    """Return a maker of counts of cells in a region, or in a run of it, on one or two arms."""

    def make(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
        number, *regions = cells
        if kind is RegionRun and len(regions) > 2 and rng.random() < 0.5:
            regions.insert(2, regions[0])
        return kind((number,), tuple(regions), rng.random() < 0.3)

    return make
