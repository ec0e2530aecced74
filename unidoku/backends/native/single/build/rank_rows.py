"""The rows of lines that are read as numbers, all of the same lines at once.

Solvers get a machine for each two lines, and the number of smaller lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from unidoku.backends.native.single.build.rows import Cells, Constraints
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.backends.native.single.search.ranks import NO_FLAG, NOT_SMALLER, SMALLER
from unidoku.core.bits import bit, set_of
from unidoku.core.constraints.operations import cells_of
from unidoku.core.constraints.primitives import Automaton, Constraint, Sum
from unidoku.core.layout import Layout
from unidoku.core.rules.ranks import RankedLine


def add_ranks(
    constraints: Constraints, layout: Layout, others: Iterable[Constraint]
) -> list[Constraint]:
    """Add the ranks of lines; return the other constraints.

    Args:
        constraints: the constraints.
        layout: the layout.
        others: the constraints of its rules, among them those of the ranks.
    """
    groups: defaultdict[tuple[Cells, ...], list[RankedLine]] = defaultdict(list)
    for rule in layout.rules:
        if isinstance(rule, RankedLine) and rule.lines:
            lines = tuple(sorted({rule.line, *rule.lines}))
            if len(lines) == 1 + len(rule.lines):
                groups[lines].append(rule)
    flags: set[int] = set()
    for lines, rules in groups.items():
        _add_group(constraints, layout, lines, rules)
        flags.update(*[rule.flags for rule in rules])
    if not flags:
        return [*others]
    return [constraint for constraint in others if not _is_about(flags, constraint)]


def _is_about(flags: set[int], constraint: Constraint) -> bool:
    """Return whether a constraint is about flags, which lines and sums have first."""
    if isinstance(constraint, Automaton | Sum):
        return constraint.cells[0] in flags
    return not flags.isdisjoint(cells_of(constraint))


def _add_group(
    constraints: Constraints, layout: Layout, lines: Sequence[Cells], rules: Sequence[RankedLine]
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
        flag_of = dict(zip(rule.lines, rule.flags, strict=True))
        for line in lines:
            numbers += (flag_of.get(line, NO_FLAG), _sides(rule, rank_of.get(line)))
    cells = sorted({*chain.from_iterable(lines)})
    flags = [*chain.from_iterable(rule.flags for rule in rules)]
    units = constraints.differing_sets()
    differ = all(any(own & unit == own for unit in units) for own in map(set_of, lines))
    constraints.add(
        Propagator.RANK,
        (*cells, *flags),
        (
            len(cells),
            len(lines[0]),
            len(lines),
            constraints.table((RankedLine, lines), tuple, [*chain.from_iterable(lines)]),
            len(rules),
            constraints.table((RankedLine, *numbers), tuple, numbers),
            differ,
        ),
    )
    constraints.work = max(constraints.work, len(lines))


def _sides(rule: RankedLine, rank: int | None) -> int:
    """Return on which sides of a line another may be whose rank may be known."""
    if rank is None:
        return SMALLER | NOT_SMALLER
    if rank == rule.rank and not rule.ties:
        return 0
    return SMALLER if rank < rule.rank else NOT_SMALLER
