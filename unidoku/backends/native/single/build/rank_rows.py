"""The rows of lines that are read as numbers, all of the same lines at once.

Other backends get a machine for each two lines, and the number of smaller lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from unidoku.backends.native.single.build.rows import Cells, Constraints
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.backends.native.single.search.ranks import NOT_SMALLER, SMALLER
from unidoku.core.bits import bit, set_of
from unidoku.core.constraints.primitives import Constraint
from unidoku.core.layout import Layout
from unidoku.core.rules.ranks import FullRank


def add_ranks(
    constraints: Constraints, layout: Layout, others: Iterable[Constraint]
) -> list[Constraint]:
    """Add the ranks of lines; return the constraints, none of which is about ranks.

    Args:
        constraints: the constraints.
        layout: the layout.
        others: the constraints of its other rules.
    """
    groups: defaultdict[tuple[Cells, ...], list[FullRank]] = defaultdict(list)
    for rule in layout.rules:
        if type(rule) is FullRank:
            groups[tuple(sorted((rule.line, *rule.lines)))].append(rule)
    for lines, rules in groups.items():
        _add_group(constraints, layout, lines, rules)
    return [*others]


def _add_group(
    constraints: Constraints, layout: Layout, lines: Sequence[Cells], rules: Sequence[FullRank]
) -> None:
    """Add the ranks among some lines."""
    rank_of = {rule.line: rule.rank for rule in rules}
    numbers: list[int] = []
    for rule in rules:
        below, above, value = rule.rank - 1, len(lines) - rule.rank, 0
        opening = rule.opening(layout)
        if opening is not None:
            first, times = opening
            below, above, value = below - times * (first - 1), times * first - rule.rank, bit(first)
        numbers += (lines.index(rule.line), below, above, value, rule.ties)
        numbers += [_sides(rule, rank_of.get(line)) for line in lines]
    cells = sorted({*chain.from_iterable(lines)})
    units = constraints.differing_sets()
    sets = {*map(set_of, lines)}.difference(units)
    differ = all(any(own & unit == own for unit in units) for own in sets)
    size, count = len(lines[0]), len(lines)
    lines_at = constraints.write(tuple(chain.from_iterable(lines)))
    ranks_at = constraints.write(tuple(numbers))
    constraints.add(Propagator.RANK, cells, (size, count, lines_at, len(rules), ranks_at, differ))
    constraints.work = max(constraints.work, count)


def _sides(rule: FullRank, rank: int | None) -> int:
    """Return on which sides of a line another may be whose rank may be known."""
    if rank is None:
        return SMALLER | NOT_SMALLER
    if rank == rule.rank and not rule.ties:
        return 0
    return SMALLER if rank < rule.rank else NOT_SMALLER
