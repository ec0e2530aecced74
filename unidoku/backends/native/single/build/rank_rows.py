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
from unidoku.core.bits import bit
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
    size, count = len(lines[0]), len(lines)
    rank_of = {rule.line: rule.rank for rule in rules}
    both = SMALLER | NOT_SMALLER
    times = rules[0].begun_by_each(layout)  # which is about all lines
    numbers: list[int] = []
    for rule in rules:
        rank = rule.rank
        below, above, value = rank - 1, count - rank, 0
        first = (rank - 1) // times + 1 if times else 0
        if 1 <= first <= layout.n:
            below, above, value = below - times * (first - 1), times * first - rank, bit(first)
        numbers += (lines.index(rule.line), below, above, value, rule.ties)
        numbers += [_sides(rule, rank_of[line]) if line in rank_of else both for line in lines]
    cells = sorted({*chain.from_iterable(lines)})
    unit_sets_of = layout.unit_sets_of
    differ = all(
        True in [unit.issuperset(own) for unit in unit_sets_of[next(iter(own))]]
        for own in {*map(frozenset, lines)}
    )
    lines_at = constraints.write(tuple(chain.from_iterable(lines)))
    ranks_at = constraints.write(tuple(numbers))
    constraints.add(Propagator.RANK, cells, (size, count, lines_at, len(rules), ranks_at, differ))
    constraints.work = max(constraints.work, count)


def _sides(rule: FullRank, rank: int) -> int:
    """Return on which sides of a line another with a rank may be."""
    if rank == rule.rank and not rule.ties:
        return 0
    return SMALLER if rank < rule.rank else NOT_SMALLER
