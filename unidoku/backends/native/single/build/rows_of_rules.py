"""The rows of rules that other solvers get as large tables, machines or numbers of smaller lines.

What adds the rows of some rules returns the constraints that are left: all but those by which other
solvers get these rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from unidoku.backends.native.single.build.memory import Numbers, in_whole_lines
from unidoku.backends.native.single.build.rows import Cells, Constraints
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.backends.native.single.search.ranks import NOT_SMALLER, SMALLER
from unidoku.core.bits import all_values, bit, mask_of
from unidoku.core.caching import layout_cache, number_cache
from unidoku.core.constraints.primitives import Automaton, Constraint, Table
from unidoku.core.layout import Layout
from unidoku.core.rules import DifferWhere, Indexed, Lunchbox, Sandwich
from unidoku.core.rules.contents import rows_where
from unidoku.core.rules.ranks import FullRank, divided, times_of_each

MOST_SETS = 130
"""Above this number of sets of values a line is read by a machine, as they are checked in turn."""

MOST_VALUES = 12
"""The largest number of values of which all sets are enumerated."""


class Lines(NamedTuple):
    """All lines that are read as numbers, as rules on the same units find them.

    Args:
        in_order: the lines.
        places: the place of each line among them.
        cells: all their cells, ascending.
        flat: the cells of one line after the other, in whole lines of memory.
        times: how many lines begin with each value, 0 if these may be different numbers.
        differ: whether the cells of each line differ.
    """

    in_order: tuple[Cells, ...]
    places: dict[Cells, int]
    cells: list[int]
    flat: Numbers
    times: int
    differ: bool


def _add_ranks(
    constraints: Constraints, layout: Layout, others: list[Constraint]
) -> list[Constraint]:
    """Add the ranks of lines; return the constraints, none of which is about ranks."""
    groups: dict[int, tuple[Lines, list[FullRank]]] = {}  # by the identity of the lines
    for rule in layout.rules:
        if type(rule) is FullRank:
            lines = lines_with(layout.base, rule.line, rule.others)
            groups.setdefault(id(lines), (lines, []))[1].append(rule)
    for lines, rules in groups.values():
        _add_group(constraints, layout.n, lines, rules)
    return others


@layout_cache(maxsize=64)
def lines_with(base: Layout, line: Cells, others: Cells) -> Lines:
    """Return what the units of a layout say about a line and others of its length."""
    return lines_of(base, tuple(sorted((line, *divided(others, len(line))))))


@layout_cache(maxsize=8)
def lines_of(base: Layout, in_order: tuple[Cells, ...]) -> Lines:
    """Return what the units of a layout say about lines."""
    flat = in_whole_lines([*chain.from_iterable(in_order)])
    differ = all(
        len(line) == len(in_order[0])
        and True in [unit.issuperset(line) for unit in base.unit_sets_of[next(iter(line))]]
        for line in {*map(frozenset, in_order)}
    )
    times = times_of_each([line[0] for line in in_order], base)
    places = {line: index for index, line in enumerate(in_order)}
    return Lines(in_order, places, sorted({*chain.from_iterable(in_order)}), flat, times, differ)


def _add_group(constraints: Constraints, n: int, lines: Lines, rules: Sequence[FullRank]) -> None:
    """Add the ranks among some lines."""
    size, count = len(lines.in_order[0]), len(lines.in_order)
    rank_of = {rule.line: rule.rank for rule in rules}
    places, times = lines.places, lines.times
    numbers: list[int] = []
    for rule in rules:
        rank = rule.rank
        below, above, value = rank - 1, count - rank, 0
        first = (rank - 1) // times + 1 if times else 0
        if 1 <= first <= n:
            below, above, value = below - times * (first - 1), times * first - rank, bit(first)
        sides = [SMALLER | NOT_SMALLER] * count
        for line, other_rank in rank_of.items():
            sides[places[line]] = _sides(rule, other_rank)
        numbers += (places[rule.line], below, above, value, rule.ties, *sides)
    lines_at = constraints.write(lines.flat)
    ranks_at = constraints.write(tuple(numbers))
    about_lines = (size, count, lines_at, len(rules), ranks_at, lines.differ)
    constraints.add(Propagator.RANK, lines.cells, about_lines)
    constraints.work = max(constraints.work, count)


def _sides(rule: FullRank, rank: int) -> int:
    """Return on which sides of a line another with a rank may be."""
    if rank == rule.rank and not rule.ties:
        return 0
    return SMALLER if rank < rule.rank else NOT_SMALLER


def _add_sandwiches(
    constraints: Constraints, layout: Layout, others: list[Constraint]
) -> list[Constraint]:
    """Add the lines between whose ends the cells have a sum; return the other constraints."""
    dropped: set[Constraint] = set()
    for rule in layout.rules if layout.n <= MOST_VALUES else ():
        if not isinstance(rule, Lunchbox | Sandwich):
            continue
        least = largest = all_values(layout.n)
        if isinstance(rule, Sandwich):
            if not _has_all_values(layout, rule):
                continue
            least, largest = bit(1), bit(layout.n)
        size = len(rule.line)
        table = sets_between(layout.n, size, rule.total, layout.first_value)
        if size > 2 and len(table) <= size + MOST_SETS:
            offset = constraints.table((Sandwich, size, rule.total), tuple, table)
            constraints.add(Propagator.SANDWICH, rule.line, (least, largest, offset))
            constraints.work = max(constraints.work, 3 * size + 1)
            dropped.update(
                constraint
                for constraint in rule.constraints(layout)
                if isinstance(constraint, Automaton)
            )
    return [constraint for constraint in others if not dropped or constraint not in dropped]


def _has_all_values(layout: Layout, rule: Sandwich) -> bool:
    """Return whether the line is a full unit, so that its ends are the least and the largest."""
    units = layout.unit_sets_of[rule.line[0]]
    return (
        layout.n == len(rule.line)
        and rule.high == layout.n + layout.first_value - 1
        and any(unit.issuperset(rule.line) for unit in units)
    )


@number_cache(maxsize=256)
def sets_between(n: int, size: int, total: int, first_value: int) -> tuple[int, ...]:
    """Return the sets of values with a sum, by size, behind where those of each size begin.

    They have neither the least nor the largest value, and at most all but two cells of a line.
    """
    starts, sets = [size], list[int]()
    for count in range(size - 1):
        sets += [
            mask_of(chosen)
            for chosen in combinations(range(2, n), count)
            if sum(chosen) + count * (first_value - 1) == total
        ]
        starts.append(size + len(sets))
    return (*starts, *sets)


def _add_indexed(
    constraints: Constraints, layout: Layout, others: list[Constraint]
) -> list[Constraint]:
    """Add cells that hold the value at a place; return other constraints.

    Solvers get a table for each cell of a line, which has nearly the cube of the number of values
    as rows.
    """
    tables: set[tuple[tuple[int, ...], int]] = set()
    for rule in layout.rules:
        if isinstance(rule, Indexed):
            for table in rule.constraints(layout):
                if isinstance(table, Table):
                    tables.add((table.cells, id(table.rows)))
            numbers = (*rule.place, *rule.value, *rule.line), (layout.first_value - 1,)
            constraints.add(Propagator.INDEXED, *numbers)
    return [
        constraint
        for constraint in others
        if not (isinstance(constraint, Table) and (constraint.cells, id(constraint.rows)) in tables)
    ]


def _add_differing(
    constraints: Constraints, layout: Layout, others: list[Constraint]
) -> list[Constraint]:
    """Add pairs of cells that differ if another cell holds a value; return other constraints.

    Solvers get a table for each pair, which has the cube of the number of values as rows.
    """
    n, values = layout.n, {rule.value for rule in layout.rules if isinstance(rule, DifferWhere)}
    tables = {
        id(rows): (index, value, rows)  # kept, so that no other table gets its number
        for value in [value - layout.first_value + 1 for value in values]
        for index, rows in enumerate(rows_where(n, value) if 0 < value <= n else ())
    }
    remaining: list[Constraint] = []
    for constraint in others:
        if isinstance(constraint, Table) and (same := tables.get(id(constraint.rows))):
            index, value, _ = same
            cells = [*constraint.cells]
            constraints.add(Propagator.DIFFER_WHERE, (cells.pop(index), *cells), (bit(value),))
        else:
            remaining.append(constraint)
    return remaining


_ADD: dict[frozenset[type], Callable[[Constraints, Layout, list[Constraint]], list[Constraint]]] = {
    frozenset({FullRank}): _add_ranks,
    frozenset({Lunchbox, Sandwich}): _add_sandwiches,
    frozenset({DifferWhere}): _add_differing,
    frozenset({Indexed}): _add_indexed,
}
"""What adds the rows of rules of some classes."""


def add_rules(
    constraints: Constraints, layout: Layout, others: list[Constraint]
) -> list[Constraint]:
    """Add the rows of the rules that have some here; return the constraints that are left.

    Args:
        constraints: the constraints.
        layout: the layout.
        others: the constraints of its rules in their order.
    """
    kinds = {*map(type, layout.rules)}
    for kinds_with_rows, add in _ADD.items():
        if not kinds.isdisjoint(kinds_with_rows):
            others = add(constraints, layout, others)
    return others
