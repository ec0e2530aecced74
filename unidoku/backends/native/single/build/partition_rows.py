"""Rows of divisions: all regions that have to be found, and the clues about them.

Other solvers get a constraint for each region, one for the order of the regions, and machines for
the clues. These are dropped here for rows that look at all regions of a division at once, and at
the whole of a clue.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter

from unidoku.backends.native.single.build.rows import Constraints
from unidoku.backends.native.single.search.kinds import MAX_VALUES, Labels, Propagator
from unidoku.core.bits import bit
from unidoku.core.constraints.connected import pairs_in_rows
from unidoku.core.constraints.operations import cells_of
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Region,
    Relation,
    alike,
    apart,
)
from unidoku.core.layout import Layout
from unidoku.core.rules.regions import RegionCount, RegionRun, numbered
from unidoku.core.transforms.simplify import Simplified


@dataclass(frozen=True, slots=True)
class Arm:
    """A run of cells in one region.

    Args:
        cell: the cell with its length.
        surplus: how much larger the length is than the value of that cell.
        line: the cells along which it leads.
    """

    cell: int
    surplus: int
    line: tuple[int, ...]


def add_divisions(
    constraints: Constraints,
    layout: Layout,
    simple: Simplified,
    listed: list[Constraint],
    *,
    in_order: bool,
) -> list[Constraint]:
    """Add the constraints of divisions and of clues about regions; return those of other kinds.

    Args:
        constraints: the constraints.
        layout: the layout.
        simple: its constraints.
        listed: the same in one list.
        in_order: whether regions have numbers in order; otherwise only if they must.
    """
    if not (wholes := _wholes(simple.of_kind[Region])):
        return listed
    in_wholes = {id(region) for regions, _ in wholes for region in regions}
    dropped: set[Constraint] = set()
    runs: list[Arm] = []
    numbers: list[int] = []  # cells of which clues use the value
    compared = [unit.cells for unit in layout.units]  # cells of which only equality matters
    neighbours = _neighbours(wholes)
    for rule in layout.rules:
        if isinstance(rule, RegionRun) and _is_plain(rule):
            runs += _add_run(constraints, layout, rule, neighbours)
            compared.append(_cells_of_run(rule))
        elif isinstance(rule, RegionCount) and _is_plain(rule):
            first, *others = rule.regions
            least = _least(neighbours, first, others)
            surplus = layout.first_value - 1 + rule.without_first
            constraints.add(Propagator.ALIKE, rule.number + rule.regions, (surplus, least))
            constraints.work = max(constraints.work, len(rule.regions))
            compared.append(rule.regions)
        else:
            continue
        numbers += rule.number
        dropped.update(rule.constraints(layout))
    orders: list[Constraint] = [_order(layout.n, regions) for regions, _ in wholes]
    kinds = {*map(type, dropped)}  # hashing the pairs of relations and regions takes long
    left = [part for part in listed if type(part) not in kinds or part not in dropped]
    left = [part for part in left if id(part) not in in_wholes]
    for (regions, columns), order in zip(wholes, orders, strict=True):
        rest = [part for part in left if type(part) is not Automaton or part != order]
        kind = Labels.ANY if len(rest) == len(left) else Labels.IN_ORDER
        fits = kind and not in_order and len(wholes) == 1
        if fits and _are_interchangeable(layout.n, regions, rest, simple.candidates):
            group = {*regions[0].cells}
            if group.isdisjoint(numbers) and all(_all_or_none(group, cells) for cells in compared):
                kind = Labels.INTERCHANGEABLE
        _add_division(constraints, regions, columns, rest, runs, kind)
    return [part for part in left if type(part) is not Automaton or part not in orders]


def _is_plain(rule: RegionRun | RegionCount) -> bool:
    """Return whether each cell occurs once, and there are others than the first."""
    regions = rule.regions if isinstance(rule, RegionCount) else _cells_of_run(rule)
    cells = (*rule.number, *regions)
    return 2 < len(cells) == len({*cells})


def _cells_of_run(rule: RegionRun) -> tuple[int, ...]:
    """Return the first cell of a run and the others, arm by arm."""
    return (rule.arms[0], *chain.from_iterable(line[1:] for line in rule.lines))


def _neighbours(wholes: Iterable[tuple[list[Region], int]]) -> dict[int, set[int]]:
    """Return the neighbours of each cell of regions."""
    neighbours: defaultdict[int, set[int]] = defaultdict(set)
    for (region, *_), _ in wholes:
        for a, b in region.pairs if region.low > 1 else ():
            neighbours[a].add(b)
            neighbours[b].add(a)
    return neighbours


def _least(neighbours: Mapping[int, set[int]], first: int, near: Iterable[int]) -> int:
    """Return the least count of cells: 2 if it includes all neighbours of the first one."""
    return 2 if first in neighbours and neighbours[first] <= {*near} else 1


def _order(n: int, regions: Sequence[Region]) -> Automaton:
    """Return the constraint of the order of regions by their first cells."""
    return Automaton(regions[0].cells, numbered(n, len(regions)))


def _are_interchangeable(
    n: int,
    regions: Sequence[Region],
    constraints: Iterable[Constraint],
    candidates: Sequence[int],
) -> bool:
    """Return whether the order alone tells regions apart, and their cells are in a row."""
    cells = regions[0].cells
    region = {*cells}
    if [*cells] != [*range(cells[0], cells[0] + len(cells))]:
        return False
    if len({candidates[cell] for cell in cells}) > 1:
        return False
    same = alike(n), apart(n)
    return all(
        region.isdisjoint(cells_of(constraint))
        or (
            isinstance(constraint, Relation)
            and constraint.table in same
            and all(_all_or_none(region, pair) for pair in constraint.pairs)
        )
        for constraint in constraints
    )


def _all_or_none(region: AbstractSet[int], cells: Iterable[int]) -> bool:
    """Return whether all cells are of the own ones, or none."""
    return len({cell in region for cell in cells}) < 2


def _wholes(regions: Iterable[Region]) -> list[tuple[list[Region], int]]:
    """Return the regions of each division, which make up all of their cells, in rows of a grid.

    With the number of cells of a row.
    """
    alike: defaultdict[tuple[object, ...], list[Region]] = defaultdict(list)
    for region in regions:
        if region.low == region.high and region.others:
            alike[region.cells, region.pairs, region.low, region.others].append(region)
    return [
        (sorted(group, key=attrgetter("mask")), columns)
        for group in alike.values()
        if len(group) * group[0].low == len(group[0].cells)
        and {region.mask for region in group} == {bit(index + 1) for index in range(len(group))}
        and (columns := _columns(group[0]))
    ]


def _columns(region: Region) -> int:
    """Return the number of cells in a row, 0 if the cells are not in rows."""
    index_of = {cell: index for index, cell in enumerate(region.cells)}
    columns = max((index_of[b] - index_of[a] for a, b in region.pairs), default=0)
    if not 0 < columns <= MAX_VALUES:
        return 0
    return columns if pairs_in_rows(region.cells, columns) == region.pairs else 0


def _add_run(
    constraints: Constraints, layout: Layout, rule: RegionRun, neighbours: Mapping[int, set[int]]
) -> list[Arm]:
    """Add the constraint of a run; return the runs along its arms."""
    lines, surplus = rule.lines, layout.first_value - 1 + rule.without_first
    (number,), first, lengths = rule.number, lines[0][0], rule.lengths
    arms = [line[1:] for line in lines]
    least = _least(neighbours, first, [arm[0] for arm in arms if arm])
    constraints.add(
        Propagator.RUN,
        (number, *_cells_of_run(rule), *lengths),
        (surplus, least, len(arms), *map(len, arms)),
    )
    constraints.work = max(constraints.work, 2 * sum(map(len, lines)) + 2 * len(lines) + 2)
    if len(lines) == 1:
        return [Arm(number, surplus, lines[0])]
    return [Arm(length, 0, line) for length, line in zip(lengths, lines, strict=True)]


def _add_division(
    target: Constraints,
    regions: Sequence[Region],
    columns: int,
    constraints: Iterable[Constraint],
    runs: Iterable[Arm],
    kind: Labels,
) -> None:
    """Add the row of a division."""
    region = regions[0]
    index_of = {cell: index for index, cell in enumerate(region.cells)}
    size = len(region.cells)
    rows = -(-size // columns)
    inside = [run for run in runs if index_of.keys() >= {*run.line}]
    run_rows = []
    for run in inside:
        line = [index_of[cell] for cell in run.line]
        run_rows += [run.cell, run.surplus, len(line), target.table((Arm, *line), tuple, line)]
    roots = _roots(index_of, constraints, target.n)
    numbers = (
        *(size, columns, rows, len(regions), region.low, kind),
        target.table((Region, *roots), tuple, roots),
        *(len(inside), target.table((Arm, Region, *run_rows), tuple, run_rows), target.memo),
    )
    cells = (*region.cells, *region.others, *[run.cell for run in inside])
    target.add(Propagator.DIVISION, cells, numbers)
    if kind == Labels.INTERCHANGEABLE:
        target.labels = target.of_kind[Propagator.DIVISION][-1]
    target.work = max(target.work, _room(size, rows, len(regions)))
    target.memo += (2 * rows + 1) * len(regions)


def _roots(index_of: dict[int, int], constraints: Iterable[Constraint], n: int) -> list[int]:
    """Return for each cell, by its index, the first one that relations make equal to it."""
    roots = [*range(len(index_of))]
    members = {root: [root] for root in roots}
    same = alike(n)
    for constraint in constraints:
        if isinstance(constraint, Relation) and constraint.table == same:
            for a, b in constraint.pairs:
                if a in index_of and b in index_of:
                    lower, higher = sorted((roots[index_of[a]], roots[index_of[b]]))
                    if lower != higher:
                        for index in (joined := members.pop(higher)):
                            roots[index] = lower
                        members[lower] += joined
    return roots


def _room(size: int, rows: int, regions: int) -> int:
    """Return the size of the work array that a division needs."""
    return 6 * size + (3 + 2 * rows) * regions + 6 * rows + (size // 2 + 1) * (rows + 2)
