"""Singles, locked candidates, hidden and naked sets, and fish."""

from __future__ import annotations

from itertools import product

from unidoku.core.bits import bits_of
from unidoku.logic.explainer.finding import Finding, Findings
from unidoku.logic.explainer.grid import (
    BOXES,
    CELLS,
    COLUMNS,
    COMMON,
    CROSSING,
    ROWS,
    UNIT_SETS,
    UNITS,
    VALUES,
    Grid,
    N,
    by_mask,
)
from unidoku.logic.geometry import union

_SIZES = {2: "pair", 3: "triple", 4: "quad"}
_HIDDEN = {2: 3.4, 3: 4.0, 4: 5.4}
_DIRECT = {2: 2.0, 3: 2.5}
_NAKED = {2: 3.0, 3: 3.6, 4: 5.0}
_FISH = {2: ("X-wing", 3.2), 3: ("swordfish", 3.8), 4: ("jellyfish", 5.2)}


def hidden_singles(grid: Grid) -> Findings:
    """Yield values with one place in a unit: first those that are the last cell of their unit."""
    for last in (True, False):
        for unit in (*BOXES, *COLUMNS, *ROWS):
            if (grid.empty[unit] == 1) is not last:
                continue
            for value in VALUES:
                places = grid.places[value][unit]
                if places.bit_count() == 1:
                    cell = UNITS[unit][places.bit_length() - 1]
                    rating = 1.0 if last else 1.2 if unit in BOXES else 1.5
                    name = "last cell" if last else "hidden single"
                    yield Finding(technique=name, rating=rating, placement=(cell, value))


def naked_singles(grid: Grid) -> Findings:
    """Yield cells with one candidate."""
    for cell in CELLS:
        values = grid.candidates[cell]
        if values.bit_count() == 1:
            placement = (cell, values.bit_length())
            yield Finding(technique="naked single", rating=2.3, placement=placement)


def _locked(grid: Grid) -> list[tuple[int, int, int]]:
    """Return (value, unit, other): all places of the value in the unit lie in the other one.

    There are at least two places.
    """
    confined = []
    for kind, others in ((BOXES, COLUMNS), (BOXES, ROWS), (COLUMNS, BOXES), (ROWS, BOXES)):
        for value in VALUES:
            of_unit = grid.places[value]
            for unit in kind:
                places = of_unit[unit]
                if not places & (places - 1):
                    continue
                confined += [
                    (value, unit, other)
                    for other in CROSSING[unit]
                    if other in others and not places & ~COMMON[unit, other]
                ]
    return confined


def direct_locking(grid: Grid) -> Findings:
    """Yield hidden singles that appear once locked candidates are removed."""
    for value, unit, other in _locked(grid):
        kind = next(kind for kind in (BOXES, ROWS, COLUMNS) if unit in kind)
        for third in CROSSING[other]:
            if third not in kind or third == unit:
                continue
            places = grid.places[value][third]
            rest = places & ~COMMON[third, other]
            if places.bit_count() > 1 and rest.bit_count() == 1:
                yield Finding(
                    technique="direct pointing" if kind is BOXES else "direct claiming",
                    rating=1.7 if kind is BOXES else 1.9,
                    placement=(UNITS[third][rest.bit_length() - 1], value),
                )


def locking(grid: Grid) -> Findings:
    """Yield candidates that are removed because a value is locked where two units cross."""
    for value, unit, other in _locked(grid):
        cells = UNIT_SETS[other] & ~UNIT_SETS[unit] & grid.cells[value]
        if cells:
            pointing = unit in BOXES
            yield Finding(
                technique="pointing" if pointing else "claiming",
                rating=2.6 if pointing else 2.8,
                eliminations=dict.fromkeys(bits_of(cells), 1 << value - 1),
                absent=(UNIT_SETS[unit] & ~UNIT_SETS[other], 1 << value - 1),
            )


def _hidden(grid: Grid, size: int, direct: bool) -> list[tuple[int, int, int]]:
    """Return (unit, values, places) for values with as many places as there are values."""
    sets = []
    for unit in (*BOXES, *COLUMNS, *ROWS):
        if grid.empty[unit] <= (size if direct else 2 * size):
            continue
        few = [value for value in VALUES if 2 <= grid.places[value][unit].bit_count() <= size]
        for values in by_mask(few, size) if len(few) >= size else ():
            places = union(grid.places[value][unit] for value in values)
            if places.bit_count() == size:
                sets.append((unit, sum(1 << value - 1 for value in values), places))
    return sets


def direct_hidden_sets(grid: Grid, size: int) -> Findings:
    """Yield hidden singles that appear in the unit of a hidden set."""
    for unit, values, places in _hidden(grid, size, direct=True):
        for value in VALUES:
            before = grid.places[value][unit]
            rest = before & ~places
            if not values >> value - 1 & 1 and before.bit_count() > 1 and rest.bit_count() == 1:
                yield Finding(
                    technique=f"direct hidden {_SIZES[size]}",
                    rating=_DIRECT[size],
                    placement=(UNITS[unit][rest.bit_length() - 1], value),
                )
                break


def hidden_sets(grid: Grid, size: int) -> Findings:
    """Yield candidates that are removed from the cells of a hidden set."""
    for unit, values, places in _hidden(grid, size, direct=False):
        cells = sum(1 << UNITS[unit][index] for index in bits_of(places))
        if gone := grid.among(cells, ~values):
            yield Finding(
                technique=f"hidden {_SIZES[size]}",
                rating=_HIDDEN[size],
                eliminations=gone,
                absent=(UNIT_SETS[unit] & ~cells, values),
            )


def naked_sets(grid: Grid, size: int) -> Findings:
    """Yield candidates that are removed around a naked set."""
    for unit in (*BOXES, *COLUMNS, *ROWS):
        if grid.empty[unit] < 2 * size:
            continue
        few = [cell for cell in UNITS[unit] if 2 <= grid.candidates[cell].bit_count() <= size]
        for cells in by_mask(few, size) if len(few) >= size else ():
            values = union(grid.candidates[cell] for cell in cells)
            if values.bit_count() != size:
                continue
            members = sum(1 << cell for cell in cells)
            if gone := grid.among(UNIT_SETS[unit] & ~members, values):
                yield Finding(
                    technique=f"naked {_SIZES[size]}",
                    rating=_NAKED[size],
                    eliminations=gone,
                    absent=(members, (1 << N) - 1 & ~values),
                )


def fish(grid: Grid, size: int) -> Findings:
    """Yield candidates that are removed by a fish of rows and columns."""
    name, rating = _FISH[size]
    for bases, covers in ((COLUMNS, ROWS), (ROWS, COLUMNS)):
        few: dict[int, list[int]] = {}
        for value in VALUES:
            fit = [line for line in bases if 2 <= grid.places[value][line].bit_count() <= size]
            if grid.values.count(value) + 2 * size <= N and len(fit) >= size:
                few[value] = fit
        groups = [
            (lines, value) for value, of_value in few.items() for lines in by_mask(of_value, size)
        ]
        for lines, value in sorted(groups, key=lambda each: (each[0][::-1], each[1])):
            places = union(grid.places[value][line] for line in lines)
            if places.bit_count() != size:
                continue
            base = sum(UNIT_SETS[line] for line in lines)
            gone = {
                cell: 1 << value - 1
                for index, cell in product(bits_of(places), CELLS)
                if (UNIT_SETS[covers[index]] & grid.cells[value] & ~base) >> cell & 1
            }
            if gone:
                cover = sum(UNIT_SETS[covers[index]] for index in bits_of(places))
                yield Finding(
                    technique=name,
                    rating=rating,
                    eliminations=gone,
                    absent=(base & ~cover, 1 << value - 1),
                )
