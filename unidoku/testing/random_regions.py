"""Random rules of connected cells and of regions to be found."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from unidoku.core.rules import ChaosConstruction, Connected, RegionCount, RegionRun, Rule

__all__ = ["chaos", "connected", "of_a_region"]


def connected(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return that the cells of some values are connected; with luck those are side by side."""
    some = tuple(rng.sample(values, rng.randint(1, 2)))
    order = sorted(range(len(cells)), key=lambda place: values[place] not in some)
    held = tuple(cells[place] for place in (order if rng.random() < 0.7 else range(len(cells))))
    count = sum(value in some for value in values) if rng.random() < 0.4 else None
    return Connected(held, some, rng.randint(1, len(cells)), count)


def chaos(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
    """Return regions of as many cells as tell their numbers; with luck each is one cell."""
    half = len(cells) // 2
    held, regions = tuple(cells[:half]), tuple(cells[half : 2 * half])
    told = sorted(zip(values, cells, strict=False))
    one_each = [cell for at, (value, cell) in enumerate(dict(told).items(), 1) if value == at]
    others = [cell for cell in cells if cell not in one_each][: len(one_each)]
    if rng.random() < 0.5 and 0 < len(one_each) == len(others):
        held, regions = tuple(others), tuple(one_each)
    counts = [count for count in range(1, len(held) + 1) if len(held) % count == 0]
    columns = rng.randint(1, len(held))
    return ChaosConstruction(held, regions, columns, rng.choice(counts))


def of_a_region(kind: type[RegionCount | RegionRun]) -> Callable[..., Rule]:
    """Return what makes a count of cells of a region, or of a run of them, on one arm or two."""

    def make(rng: random.Random, cells: Sequence[int], values: Sequence[int], n: int) -> Rule:
        number, *regions = cells
        if kind is RegionRun and len(regions) > 2 and rng.random() < 0.5:
            regions.insert(2, regions[0])
        return kind((number,), tuple(regions), rng.random() < 0.3)

    return make
