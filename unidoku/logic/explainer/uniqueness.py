"""Unique rectangles and loops, and bivalue universal graves: boards with one solution only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unidoku.core.bits import bits_of, set_of
from unidoku.logic.explainer.finding import Finding, Findings
from unidoku.logic.explainer.grid import (
    CELLS,
    UNIT_SETS,
    UNITS,
    UNITS_OF,
    VALUES,
    Grid,
    N,
    by_mask,
    common_peers,
)
from unidoku.logic.geometry import union
from unidoku.support.deadline import check_time_limit

_LOOP = 4.5
_LONGER = {4: 0.0, 6: 0.1, 8: 0.2}
"""Additions by the number of cells of a loop; 0.5 for longer ones."""

_SPARE_CELLS = 2
"""The number of cells of a loop that may have candidates of their own."""

_BUG = 5.6


@dataclass(frozen=True, slots=True)
class _Loop:
    """Cells in a circle that share two values, as a deadly pattern would."""

    cells: tuple[int, ...]
    pair: int

    @property
    def rating(self) -> float:
        return _LOOP + _LONGER.get(len(self.cells), 0.5)

    @property
    def name(self) -> str:
        return "unique rectangle" if len(self.cells) == 4 else "unique loop"


def unique_loops(grid: Grid) -> Findings:
    """Yield unique rectangles and loops, the easiest first, and the lower types before others.

    Type 1 has one cell with other candidates, type 2 several with the same one, type 3 a naked or
    hidden set beside two of them, type 4 a value of the pair that only these two can hold.
    """
    findings = [(finding, kind) for loop in _loops(grid) for finding, kind in _of_loop(grid, loop)]
    for finding, _ in sorted(findings, key=lambda each: (each[0].rating, each[1])):
        yield finding


def _loops(grid: Grid) -> Iterator[_Loop]:
    """Yield the valid loops from each cell of two candidates."""
    for cell in CELLS:
        pair = grid.candidates[cell]
        if pair.bit_count() == 2:
            check_time_limit()
            for cells in _closed(grid, pair, [cell], _SPARE_CELLS, 0, -1):
                if _is_deadly(cells):
                    yield _Loop(cells, pair)


def _closed(
    grid: Grid, pair: int, path: list[int], spare: int, extra: int, last: int
) -> Iterator[tuple[int, ...]]:
    """Yield the circles that continue a path, each step along a unit of another kind."""
    for kind, unit in enumerate(UNITS_OF[path[-1]]):
        if kind == last:
            continue
        for cell in UNITS[unit]:
            if cell == path[0] and len(path) >= 4:
                yield tuple(path)
            elif cell not in path and not pair & ~grid.candidates[cell]:
                others = grid.candidates[cell] & ~pair
                all_extra = extra | others
                if not others or all_extra.bit_count() == 1 or spare > 0:
                    path.append(cell)
                    yield from _closed(grid, pair, path, spare - bool(others), all_extra, kind)
                    path.pop()


def _is_deadly(cells: Sequence[int]) -> bool:
    """Return whether both values of a loop can be exchanged: each unit has none or one of each."""
    halves = []
    for start in (0, 1):
        units = [unit for cell in cells[start::2] for unit in UNITS_OF[cell]]
        if len(units) != len(set(units)):
            return False
        halves.append(set(units))
    return halves[0] == halves[1]


def _of_loop(grid: Grid, loop: _Loop) -> Iterator[tuple[Finding, int]]:
    """Yield what follows from a loop, each with its type."""
    open_cells = [cell for cell in loop.cells if grid.candidates[cell] & ~loop.pair]
    if not open_cells:
        return
    extra = union(grid.candidates[cell] for cell in open_cells) & ~loop.pair
    if len(open_cells) == 1:
        yield _step(loop, {open_cells[0]: loop.pair}), 1
    elif len(open_cells) > 2 or extra.bit_count() == 1:
        value = grid.candidates[open_cells[0]] & ~loop.pair
        if gone := grid.among(common_peers(set_of(open_cells)), value):
            yield _step(loop, gone), 2
    else:
        yield from ((finding, 3) for finding in _beside(grid, loop, open_cells, extra))
    if len(open_cells) == 2 and (gone := _locked(grid, loop, open_cells)):
        yield _step(loop, gone), 4


def _step(loop: _Loop, gone: dict[int, int], added: float = 0.0) -> Finding:
    return Finding(technique=loop.name, rating=loop.rating + added, eliminations=gone)


def _common_units(cells: Sequence[int]) -> list[int]:
    """Return the units that contain all of some cells."""
    wanted = set_of(cells)
    return [unit for unit in UNITS_OF[cells[0]] if not wanted & ~UNIT_SETS[unit]]


def _locked(grid: Grid, loop: _Loop, two: Sequence[int]) -> dict[int, int]:
    """Return what is removed as only two cells of a unit can hold one value of the pair."""
    units = _common_units(two)
    for value in bits_of(loop.pair):
        for unit in units:
            if not grid.cells[value + 1] & UNIT_SETS[unit] & ~set_of(two):
                return dict.fromkeys(two, loop.pair & ~(1 << value))
    return {}


def _beside(grid: Grid, loop: _Loop, two: Sequence[int], extra: int) -> Findings:
    """Yield naked and hidden sets that one of two cells of a loop completes, either of them."""
    first, second = two
    for size in range(2, N - 1):
        for unit in _common_units(two):
            others = [cell for cell in UNITS[unit] if cell not in two and grid.candidates[cell]]
            if 2 * size <= grid.empty[unit] and size >= extra.bit_count():
                yield from _naked(grid, loop, (unit, size, extra), others)
            if 2 * size < grid.empty[unit]:
                yield from _hidden(grid, loop, (unit, size, extra), (first, second))


def _naked(
    grid: Grid, loop: _Loop, search: tuple[int, int, int], others: Sequence[int]
) -> Findings:
    """Yield naked sets of a unit with the extra values of two cells as one more cell."""
    unit, size, extra = search
    open_cells = [cell for cell in loop.cells if grid.candidates[cell] & ~loop.pair]
    both = extra & grid.candidates[open_cells[0]] & grid.candidates[open_cells[1]]
    for cells in by_mask(others, size - 1):
        values = both | union(grid.candidates[cell] for cell in cells)
        singles = any(grid.candidates[cell].bit_count() == 1 for cell in cells)
        if singles or values.bit_count() != size or (values | extra).bit_count() != size:
            continue
        outside = UNIT_SETS[unit] & ~set_of((*cells, *open_cells))
        if gone := grid.among(outside, values):
            yield _step(loop, gone, (size - 1) * 0.1)


def _hidden(
    grid: Grid, loop: _Loop, search: tuple[int, int, int], two: tuple[int, int]
) -> Findings:
    """Yield hidden sets of a unit with the pair of a loop among their values."""
    unit, size, extra = search
    rest = [value for value in VALUES if not (loop.pair | extra) >> value - 1 & 1]
    pair = [value + 1 for value in bits_of(loop.pair)]
    without_second = UNIT_SETS[unit] & ~(1 << two[1])
    if size - 2 > len(rest):
        return
    for others in by_mask(rest, size - 2):
        cells, values = 0, 0
        for value in (*others, *pair):
            holders = grid.cells[value] & without_second
            if not holders:
                break
            cells, values = cells | holders, values | 1 << value - 1
        else:
            cells &= ~(1 << two[0])
            if cells.bit_count() == size - 1 and (gone := grid.among(cells, ~values)):
                yield _step(loop, gone, (size - 2) * 0.1)


def bivalue_graves(grid: Grid) -> Findings:
    """Yield what follows as one of the candidates beyond a bivalue universal grave is true.

    Type 1 has one cell with such candidates, type 2 one value, type 3 a naked set beside the cells,
    and type 4 a value that two cells share besides.
    """
    if (extra := _beyond_grave(grid)) is None:
        return
    cells, values = tuple(extra), union(extra.values())
    common = common_peers(set_of(cells))
    if len(cells) == 1:
        gone = {cells[0]: grid.candidates[cells[0]] & ~values}
        yield Finding(technique="BUG", rating=_BUG, eliminations=gone)
        return
    if values.bit_count() == 1:
        if gone := grid.among(common, values):
            yield Finding(technique="BUG", rating=_BUG + 0.1, eliminations=gone)
    elif not common:
        return
    if len(cells) == 2:
        yield from _grave_of_two(grid, extra)
    if values.bit_count() > 1:
        yield from _beside_grave(grid, cells, values, common)


def _beyond_grave(grid: Grid) -> dict[int, int] | None:
    """Return the candidates of a board beyond a bivalue universal grave; None without one.

    Without them, as a set of values by cell, each unit has each value twice.
    """
    extra: dict[int, int] = {}
    uneven: set[int] = set()
    unions = 0
    for unit, cells in enumerate(UNITS):
        for value in VALUES:
            places = grid.places[value][unit]
            if places.bit_count() in (0, 2):
                continue
            large = [
                cells[index]
                for index in bits_of(places)
                if grid.candidates[cells[index]].bit_count() >= 3
            ]
            if not large:
                return None
            uneven.add(value)
            unions |= set_of(large)
            if len(large) == 1:
                extra[large[0]] = extra.get(large[0], 0) | 1 << value - 1
    if len(uneven) == 1:
        value = uneven.pop()
        for cell in bits_of(unions):
            extra.setdefault(cell, 1 << value - 1)
    if not extra:
        return None
    rest = [values & ~extra.get(cell, 0) for cell, values in enumerate(grid.candidates)]
    if any(not grid.values[cell] and values.bit_count() != 2 for cell, values in enumerate(rest)):
        return None
    for cells in UNITS:
        for value in range(N):
            if sum(rest[cell] >> value & 1 for cell in cells) not in (0, 2):
                return None
    return extra


def _grave_of_two(grid: Grid, extra: dict[int, int]) -> Findings:
    """Yield type 4: two cells of a unit share one value besides, which one of them holds."""
    first, second = extra
    shared = grid.candidates[first] & grid.candidates[second] & ~(extra[first] | extra[second])
    if shared.bit_count() == 1 and _common_units((first, second)):
        gone = {cell: grid.candidates[cell] & ~extra[cell] & ~shared for cell in extra}
        yield Finding(technique="BUG", rating=_BUG + 0.1, eliminations=gone)


def _beside_grave(grid: Grid, grave: Sequence[int], extra: int, common: int) -> Findings:
    """Yield type 3: naked sets, one cell of which is one of the cells of the grave."""
    for size in range(2, N - 2):
        for unit in _common_units(grave):
            others = [cell for cell in UNITS[unit] if common >> cell & 1]
            if len(others) < size:
                continue
            for cells in by_mask(others, size - 1):
                sets = [grid.candidates[cell] for cell in cells]
                values = union(sets)
                if values.bit_count() != size or any(mask.bit_count() < 2 for mask in sets):
                    continue
                if extra & ~values:
                    continue
                outside = UNIT_SETS[unit] & common & ~set_of(cells)
                if gone := grid.among(outside, values):
                    added = 0.1 + (size - 1) * 0.1
                    yield Finding(technique="BUG", rating=_BUG + added, eliminations=gone)
