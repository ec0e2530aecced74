"""The rows of lines that are read as numbers, all of the same lines at once.

Other backends get a machine for each two lines, and the number of smaller lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from unidoku.backends.native.single.build.memory import Numbers, in_whole_lines
from unidoku.backends.native.single.build.rows import Cells, Constraints
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.backends.native.single.search.ranks import NOT_SMALLER, SMALLER
from unidoku.core.bits import bit
from unidoku.core.caching import layout_cache
from unidoku.core.constraints.primitives import Constraint
from unidoku.core.layout import Layout
from unidoku.core.rules.ranks import FullRank, divided, times_of_each


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


def add_ranks(
    constraints: Constraints, layout: Layout, others: Iterable[Constraint]
) -> list[Constraint]:
    """Add the ranks of lines; return the constraints, none of which is about ranks.

    Args:
        constraints: the constraints.
        layout: the layout.
        others: the constraints of its other rules.
    """
    groups: dict[int, tuple[Lines, list[FullRank]]] = {}  # by the identity of the lines
    for rule in layout.rules:
        if type(rule) is FullRank:
            lines = lines_with(layout.base, rule.line, rule.others)
            groups.setdefault(id(lines), (lines, []))[1].append(rule)
    for lines, rules in groups.values():
        _add_group(constraints, layout.n, lines, rules)
    return [*others]


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
