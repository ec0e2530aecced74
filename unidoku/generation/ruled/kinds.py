"""Adds rules of a kind to a full grid: plausible shapes that the grid obeys and do not overlap."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import TypeAlias

from unidoku.core import rules
from unidoku.core.cells import Near, adjacent, around
from unidoku.core.layout import Grid, Layout
from unidoku.core.rules import Rule
from unidoku.errors import LayoutError
from unidoku.generation.ruled.places import diagonals, grouped, sights

_TRIES = 400
"""Attempts to begin a line of a kind."""

_FEWEST = 3
"""Number of cells of the shortest line."""

_PER_LINE = 9
"""Number of cells of a board for each line of a kind."""


@dataclass(frozen=True)
class FreeArea:
    """A full grid to which rules are added.

    Args:
        layout: layout of the grid.
        grid: the values of its cells, 1 to n.
        rng: source of random numbers.
        taken: the cells that have a line, a cage or an arrow already.
        doublers: the cells that count twice in sums.
    """

    layout: Layout
    grid: Grid
    rng: random.Random
    taken: set[int] = field(default_factory=set)
    doublers: set[int] = field(default_factory=set)

    def number(self, cell: int) -> int:
        """Return the number displayed in a cell, which rules refer to."""
        return self.layout.number(self.grid[cell])

    def value(self, cell: int) -> int:
        """Return what a cell counts in sums."""
        return self.number(cell) * (1 + (cell in self.doublers))

    def free(self) -> list[int]:
        """Return the cells without a line, a cage or an arrow, in random order."""
        free = [cell for cell in self.layout.cells if cell not in self.taken]
        return self.rng.sample(free, len(free))

    def walk(
        self, near: Near, start: Sequence[int], most: int, fits: Callable[[list[int], int], bool]
    ) -> list[int]:
        """Return a path over free cells, each of which fits the cells before it."""
        path = list(start)
        while len(path) < most:
            onward = [
                cell
                for cell in near[path[-1]]
                if cell not in self.taken
                and cell not in path
                and not self._crosses(path, cell)
                and fits(path, cell)
            ]
            if not onward:
                break
            path.append(self.rng.choice(onward))
        return path

    def _crosses(self, path: Sequence[int], cell: int) -> bool:
        """Return whether a step would cross an earlier step of the path."""
        cell_at, places = self.layout.cell_at, self.layout.positions
        (row, column), (to_row, to_column) = places[path[-1]], places[cell]
        corners = {cell_at.get((row, to_column)), cell_at.get((to_row, column))}
        return len(corners) == 2 and any({a, b} == corners for a, b in pairwise(path))


DOUBLER = "doubler"
"""The kind that is placed before all others, because their sums depend on it."""

PlaceRules = Callable[[FreeArea], Iterator[Rule]]
"""Yields rules that the grid obeys."""


def _killer(area: FreeArea) -> Iterator[Rule]:
    """Yield cages that cover all free cells: two to five cells with different values."""
    grid = area.grid

    def differs(group: Sequence[int], cell: int) -> bool:
        return all(grid[cell] != grid[other] for other in group)

    sizes = (2, 2, 3, 3, 3, 4, 4, 5)
    for cage in grouped(area.rng, area.free(), adjacent(area.layout), sizes, differs):
        area.taken.update(cage)
        yield rules.Killer(cage, sum(map(area.value, cage)))


def _paths(
    area: FreeArea,
    most: int,
    fits: Callable[[list[int], int], bool],
    enough: Callable[[list[int]], bool] = lambda path: True,
) -> Iterator[tuple[int, ...]]:
    """Yield paths of three cells or up to so many that do not touch a cell of another line."""
    near = around(area.layout)
    wanted = max(len(area.layout) // _PER_LINE, 1)
    for _ in range(_TRIES):
        free = area.free()
        if not wanted or not free:
            return
        path = area.walk(near, free[:1], area.rng.randint(_FEWEST, most), fits)
        while len(path) >= _FEWEST and not enough(path):
            path.pop()
        if len(path) >= _FEWEST:
            area.taken.update(path)
            wanted -= 1
            yield tuple(path)


_OfNearbyCells: TypeAlias = (
    rules.Thermo
    | rules.SlowThermo
    | rules.Whispers
    | rules.Parity
    | rules.Modular
    | rules.Entropic
    | rules.Nabner
)
"""Lines on which nearby cells are related, whatever the cells further on hold."""


def _of_nearby_cells(make: Callable[[tuple[int, ...]], _OfNearbyCells], most: int) -> PlaceRules:
    """Return a function that yields lines of three cells or more; see `_OfNearbyCells`."""

    def place_lines(area: FreeArea) -> Iterator[Rule]:
        number = area.number
        rule = make((0, 1)).bind(area.layout)
        assert isinstance(rule, _OfNearbyCells)

        def fits(path: list[int], cell: int) -> bool:
            return all(rule.holds(number(a), number(cell)) for a in path[-rule.reach :])

        for path in _paths(area, most, fits):
            yield make(path)

    return place_lines


def _of_whole_lines(make: Callable[[tuple[int, ...]], Rule], most: int) -> PlaceRules:
    """Return a function that yields lines of three cells or more that the grid obeys."""

    def place_lines(area: FreeArea) -> Iterator[Rule]:
        def holds(path: list[int]) -> bool:
            try:
                rule = make(tuple(path)).bind(area.layout)
            except LayoutError:  # it does not leave a region
                return False
            if isinstance(rule, rules.RegionSum | rules.Zipper | rules.DoubleArrow):
                return len({sum(map(area.value, group)) for group in rule.groups()}) == 1
            return not any(True for _ in rule.broken(area.grid, area.layout.first_value))

        for path in _paths(area, most, lambda *_: True, holds):
            yield make(path)

    return place_lines


def _parity(area: FreeArea) -> Iterator[Rule]:
    """Yield marks of a third of the cells as odd or even."""
    cells = sorted(area.rng.sample(area.layout.cells, len(area.layout) // 3))
    for kind in (rules.Odd, rules.Even):
        marked = tuple(cell for cell in cells if area.number(cell) % 2 == kind.remainder)
        if marked:
            yield kind(marked)


def _extremes(area: FreeArea) -> Iterator[Rule]:
    """Yield marks of the cells that are less, or greater, than all neighbours."""
    near, grid = adjacent(area.layout), area.grid
    for kind in (rules.Minimum, rules.Maximum):
        cells = tuple(
            cell
            for cell in area.layout.cells
            if near[cell] and all(kind.sign * (grid[cell] - grid[a]) > 0 for a in near[cell])
        )
        if cells:
            yield kind(cells)


def _whisper(area: FreeArea) -> Iterator[Rule]:
    """Yield lines whose adjacent values differ by more than half of n."""
    least = (area.layout.n + 1) // 2
    return _of_nearby_cells(lambda path: rules.Whispers(path, least), 7)(area)


def _renban(area: FreeArea) -> Iterator[Rule]:
    """Yield lines of three to five consecutive values in any order."""
    grid = area.grid

    def differs(path: list[int], cell: int) -> bool:
        values = {grid[other] for other in path} | {grid[cell]}
        return len(values) == len(path) + 1 and max(values) - min(values) < 5

    def consecutive(path: list[int]) -> bool:
        values = [grid[cell] for cell in path]
        return max(values) - min(values) == len(path) - 1

    for path in _paths(area, 5, differs, consecutive):
        yield rules.Renban(path)


def _palindrome(area: FreeArea) -> Iterator[Rule]:
    """Yield palindromes: each grows from its middle as far as both sides are equal."""
    grid, near = area.grid, around(area.layout)
    wanted = max(len(area.layout) // (2 * _PER_LINE), 1)
    for _ in range(_TRIES):
        free = area.free()
        if not wanted or not free:
            return
        path = free[:1]
        while len(path) < 7:
            ends = [
                (a, b)
                for a in near[path[0]]
                for b in near[path[-1]]
                if a != b and grid[a] == grid[b] and not area.taken & {a, b}
                if a not in path and b not in path
            ]
            if not ends:
                break
            first, last = area.rng.choice(ends)
            path = [first, *path, last]
        if len(path) >= 3:
            area.taken.update(path)
            wanted -= 1
            yield rules.Palindrome(tuple(path))


def _arrow(area: FreeArea) -> Iterator[Rule]:
    """Yield arrows with shafts of two to four cells."""
    grid, value = area.grid, area.value

    def holds(path: list[int]) -> bool:
        return value(path[0]) == sum(map(value, path[1:]))

    def fits(path: list[int], cell: int) -> bool:
        return sum(map(value, (*path[1:], cell))) <= value(path[0])

    for path in _paths(area, 5, fits, holds):
        if grid[path[0]] > 1:
            yield rules.Arrow((path[0],), path[1:])


def _ambiguous_arrow(area: FreeArea) -> Iterator[Rule]:
    """Yield lines of three to five cells of which one holds the sum of the others."""

    def holds(path: list[int]) -> bool:
        values = [*map(area.value, path)]
        return sum(values) in [2 * value for value in values]

    for path in _paths(area, 5, lambda *_: True, holds):
        yield rules.AmbiguousArrow(path)


def _pairs(area: FreeArea) -> Iterator[tuple[int, int]]:
    """Yield the pairs of adjacent cells, in random order."""
    near = adjacent(area.layout)
    pairs = [(cell, other) for cell in area.layout.cells for other in near[cell] if cell < other]
    yield from area.rng.sample(pairs, len(pairs))


def _kropki(area: FreeArea) -> Iterator[Rule]:
    """Yield white and black dots for some pairs; pairs without a dot are not restricted."""
    for a, b in _pairs(area):
        low, high = sorted((area.number(a), area.number(b)))
        if low and high == 2 * low:
            yield rules.Ratio(((a, b),))
        elif high - low == 1:
            yield rules.DiffersBy(((a, b),))


def _xv(area: FreeArea) -> Iterator[Rule]:
    """Yield an X where two neighbours sum to 10, a V where they sum to 5."""
    for a, b in _pairs(area):
        if (total := area.value(a) + area.value(b)) in (5, 10):
            yield rules.PairSum(((a, b),), total)


def _greater(area: FreeArea) -> Iterator[Rule]:
    """Yield a sign for each pair of adjacent cells that differ."""
    for a, b in _pairs(area):
        if area.grid[a] != area.grid[b]:
            yield rules.Greater(((a, b) if area.grid[a] > area.grid[b] else (b, a),))


def _quadruple(area: FreeArea) -> Iterator[Rule]:
    """Yield values that occur in the four cells around a point, for as many points as lines."""
    cell_at = area.layout.cell_at
    points = [
        [cell_at[position] for position in places if position in cell_at]
        for row, column in area.layout.positions
        for places in [[(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]]
    ]
    squares = [point for point in points if len(point) == 4 and not area.taken & set(point)]
    for point in area.rng.sample(squares, min(len(squares), len(area.layout) // _PER_LINE)):
        values = area.rng.sample([area.number(cell) for cell in point], area.rng.randint(2, 3))
        yield rules.Contains(tuple(point), tuple(sorted(values)))


def _outside(make: Callable[[FreeArea, tuple[int, ...]], Rule | None]) -> PlaceRules:
    """Return a function that yields a clue for each line of sight."""

    def place_clues(area: FreeArea) -> Iterator[Rule]:
        for line in sights(area.layout):
            if len(line) > 1 and (rule := make(area, line)) is not None:
                yield rule

    return place_clues


def _skyscraper(area: FreeArea, line: tuple[int, ...]) -> Rule:
    values = [area.grid[cell] for cell in line]
    return rules.Skyscraper(
        line, sum(v > max(values[:index], default=0) for index, v in enumerate(values))
    )


def _sandwich(area: FreeArea, line: tuple[int, ...]) -> Rule | None:
    """Return a clue for one of the two directions of a line: it means the same from both."""
    crusts = [index for index, cell in enumerate(line) if area.grid[cell] in (1, area.layout.n)]
    if line[0] > line[-1] or len(crusts) != 2:
        return None
    return rules.Sandwich(line, sum(area.value(cell) for cell in line[crusts[0] + 1 : crusts[1]]))


def _x_sum(area: FreeArea, line: tuple[int, ...]) -> Rule | None:
    first = area.number(line[0])
    return rules.XSum(line, sum(map(area.value, line[:first]))) if 0 < first <= len(line) else None


def _battlefield(area: FreeArea, line: tuple[int, ...]) -> Rule | None:
    """Return a clue for one of the two directions of a line: it means the same from both."""
    first, last = area.number(line[0]), len(line) - area.number(line[-1])
    if line[0] > line[-1] or first > len(line) or last < 0:
        return None
    begin, end = sorted((first, last))
    return rules.Battlefield(line, sum(map(area.value, line[begin:end])))


def _room(area: FreeArea, line: tuple[int, ...]) -> Rule | None:
    first = area.number(line[0])
    return (
        rules.NumberedRoom(line, area.number(line[first - 1])) if 0 < first <= len(line) else None
    )


def _little_killer(area: FreeArea) -> Iterator[Rule]:
    """Yield the sum of some diagonals."""
    lines = diagonals(area.layout)
    for line in area.rng.sample(lines, min(len(lines), 2 * area.layout.n)):
        yield rules.SumOfCells(line, sum(map(area.value, line)))


def _doubler(area: FreeArea) -> Iterator[Rule]:
    """Yield the rule of doublers, if the grid has cells for it, and note these."""
    rule = rules.Doubler().bind(area.layout)
    same_line = {
        cell: {c for line in rule.lines if cell in line for c in line} for cell in rule.held
    }

    def chosen(lines: Sequence[tuple[int, ...]], cells: tuple[int, ...]) -> tuple[int, ...]:
        """Return cells and one of each line, all of other digits and other groups; or nothing."""
        digits = {area.grid[cell] for cell in cells}
        excluded = {other for cell in cells for other in same_line[cell]}
        for cell in area.rng.sample(lines[0], len(lines[0])) if lines else ():
            fits = cell not in excluded and area.grid[cell] not in digits
            if fits and (further := chosen(lines[1:], (*cells, cell))):
                return further
        return () if lines else cells

    area.doublers.update(chosen(rule.separate, ()))
    if area.doublers:
        yield rules.Doubler()


PLACEABLE_KINDS: Mapping[str, PlaceRules] = MappingProxyType(
    {
        "killer": _killer,
        "thermo": _of_nearby_cells(rules.Thermo, 6),
        "arrow": _arrow,
        "ambiguous-arrow": _ambiguous_arrow,
        "slow-thermo": _of_nearby_cells(rules.SlowThermo, 6),
        "parity": _of_nearby_cells(rules.Parity, 7),
        "modular": _of_nearby_cells(rules.Modular, 7),
        "entropic": _of_nearby_cells(rules.Entropic, 7),
        "nabner": _of_nearby_cells(rules.Nabner, 5),
        "region-sum": _of_whole_lines(rules.RegionSum, 6),
        "zipper": _of_whole_lines(rules.Zipper, 5),
        "double-arrow": _of_whole_lines(rules.DoubleArrow, 6),
        "odd-even": _parity,
        "extremes": _extremes,
        "whisper": _whisper,
        "renban": _renban,
        "palindrome": _palindrome,
        "between": _of_whole_lines(rules.Between, 6),
        "kropki": _kropki,
        "xv": _xv,
        "greater": _greater,
        "quadruple": _quadruple,
        "little-killer": _little_killer,
        "sandwich": _outside(_sandwich),
        "x-sum": _outside(_x_sum),
        "battlefield": _outside(_battlefield),
        "skyscraper": _outside(_skyscraper),
        "numbered-room": _outside(_room),
        DOUBLER: _doubler,
    }
)
"""The kinds that ``--rules`` accepts; lines and cages do not overlap."""
