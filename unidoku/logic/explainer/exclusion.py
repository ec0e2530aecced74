"""Aligned exclusion: pairs and triples of cells whose combinations of values are ruled out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from unidoku.core.bits import bits_of
from unidoku.logic.explainer.finding import Finding, Findings
from unidoku.logic.explainer.grid import CELLS, SEES, Grid
from unidoku.support.deadline import check_time_limit


def _excluders(grid: Grid, size: int) -> dict[int, int]:
    """Return, for cells without a naked single in sight, the small cells they see, if any."""
    counts = [values.bit_count() for values in grid.candidates]
    small = sum(1 << cell for cell in CELLS if 2 <= counts[cell] <= size)
    single = sum(1 << cell for cell in CELLS if counts[cell] == 1)
    return {
        cell: SEES[cell] & small
        for cell in CELLS
        if counts[cell] >= 2 and SEES[cell] & small and not SEES[cell] & single
    }


def _pairs(excluders: Mapping[int, int]) -> Iterator[tuple[int, int, int]]:
    """Yield pairs of cells with the small cells that both see, two of them at least."""
    cells = list(excluders)
    for later, second in enumerate(cells):
        check_time_limit()
        for first in cells[:later]:
            common = excluders[first] & excluders[second]
            if common.bit_count() >= 2:
                yield first, second, common


def aligned_pairs(grid: Grid) -> Findings:
    """Yield values that occur in no possible combination of two cells."""
    for first, second, common in _pairs(_excluders(grid, 2)):
        if gone := _excluded(grid, (first, second), common):
            yield Finding(technique="aligned pair exclusion", rating=6.2, eliminations=gone)


def aligned_triples(grid: Grid) -> Findings:
    """Yield values that occur in no possible combination of three cells."""
    excluders = _excluders(grid, 3)
    tried: set[int] = set()
    for first, second, pair in _pairs(excluders):
        near = [*bits_of(excluders[first]), *bits_of(excluders[second] & ~excluders[first])]
        for third in near:
            common = pair & excluders.get(third, 0)
            triple = 1 << first | 1 << second | 1 << third
            if third in (first, second) or common.bit_count() < 2 or triple in tried:
                continue
            tried.add(triple)
            if gone := _excluded(grid, (first, second, third), common):
                name = "aligned triple exclusion"
                yield Finding(technique=name, rating=7.5, eliminations=gone)


def _excluded(grid: Grid, cells: tuple[int, ...], common: int) -> dict[int, int]:
    """Return the values of each cell that occur in no possible combination.

    A combination is impossible if two cells that see each other have one value, or if a common peer
    is left without a candidate.
    """
    sets = [grid.candidates[cell] for cell in bits_of(common)]
    linked = [(i, j) for j in range(len(cells)) for i in range(j) if SEES[cells[i]] >> cells[j] & 1]

    def is_possible(combination: tuple[int, ...]) -> bool:
        if any(combination[i] == combination[j] for i, j in linked):
            return False
        left = ~sum({*combination})
        return all(values & left for values in sets)

    options = [[1 << value for value in bits_of(grid.candidates[cell])] for cell in cells]
    possible = [0] * len(cells)
    for at, values in enumerate(options):
        for value in values:
            if possible[at] & value:
                continue
            for combination in product(*options[:at], [value], *options[at + 1 :]):
                if is_possible(combination):
                    possible = [
                        seen | each for seen, each in zip(possible, combination, strict=True)
                    ]
                    break
    return {
        cell: gone
        for cell, seen in zip(cells, possible, strict=True)
        if (gone := grid.candidates[cell] & ~seen)
    }
