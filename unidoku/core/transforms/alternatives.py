"""Simplify alternatives: take out what all branches share, and merge equal branches.

Branches about the same cells only become one constraint of these cells: one cage with all sets of
values, one machine that accepts what any of several machines accepts, or one table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

from unidoku.core.bits import all_values, single_bits
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import united
from unidoku.core.constraints.operations import cells_of, merged, moved
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Relation,
    Sets,
    Table,
    tabulated,
)
from unidoku.core.constraints.pruners import pruned, pruner

Branch: TypeAlias = frozenset[Constraint]
"""The constraints of a branch, with relations split into pairs."""

MOST_ROWS = 5000
"""Alternatives of two or three cells become a table of up to this many rows: 17 values of three
cells."""

LONGEST = 16
"""Automata of alternatives of up to this many cells are merged. Along a line the merged one is made
deterministic: ten ways to begin a loop of 53 cells became more than 200,000 steps."""


def alternatives(n: int, branches: Iterable[Sequence[Constraint]]) -> Iterator[Constraint]:
    """Yield the simplest constraints that state that at least one of some branches holds.

    Those that are not an `Or` may be simplified further, by `simplify`.

    Args:
        n: the number of values.
        branches: the constraints of each branch, simplified; no branch is a contradiction. With no
            branches, a constraint is yielded that nothing satisfies.
    """
    separate = [*dict.fromkeys(map(_apart, _flat(branches)))]
    if not separate:
        yield Sets((0,), ())
        return
    common = frozenset.intersection(*separate)
    yield from common
    rests = _weakest([branch - common for branch in separate])
    if frozenset() in rests:
        return
    rests = _weakest(_united(rests))
    if len(rests) == 1:
        yield from rests[0]
        return
    combined = Or(tuple(map(merged, rests)))
    cells = sorted(set(cells_of(combined)))
    yield (
        _tabulated(n, combined, cells)
        if n ** len(cells) <= MOST_ROWS and len(cells) < 4
        else combined
    )


def _flat(branches: Iterable[Sequence[Constraint]]) -> Iterator[Sequence[Constraint]]:
    """Yield the branches; a branch that is only alternatives is replaced by their branches."""
    for branch in branches:
        match branch:
            case (Or(inside),):
                yield from _flat(inside)
            case _:
                yield branch


def _apart(branch: Sequence[Constraint]) -> Branch:
    """Return the constraints of a branch, relations split into pairs so that common ones match."""
    parts: set[Constraint] = set()
    for constraint in merged(branch):
        match constraint:
            case Relation(table, pairs):
                parts.update(Relation(table, (pair,)) for pair in pairs)
            case _:
                parts.add(constraint)
    return frozenset(parts)


def _weakest(branches: Iterable[Branch]) -> list[Branch]:
    """Return the branches that no weaker branch makes redundant."""
    remaining = [*branches]
    return [branch for branch in remaining if not any(other < branch for other in remaining)]


def _united(branches: Iterable[Branch]) -> Iterator[Branch]:
    """Yield the branches; those with one constraint of one class and the same cells are merged."""
    of_cells: defaultdict[tuple[type[Constraint], tuple[int, ...]], list[Constraint]] = defaultdict(
        list
    )
    for branch in branches:
        match [*branch]:
            case [Automaton(cells)] if len(cells) > LONGEST:
                yield branch
            case [Sets(cells) | Automaton(cells) | Table(cells) as constraint]:
                of_cells[type(constraint), cells].append(constraint)
            case _:
                yield branch
    for constraints in of_cells.values():
        yield frozenset([_union(constraints)])


def _union(constraints: Sequence[Constraint]) -> Constraint:
    """Return a constraint that is true if any of some of one class and the same cells is."""
    first = constraints[0]
    match first:
        case Sets(cells):
            masks = {
                mask
                for constraint in constraints
                if isinstance(constraint, Sets)
                for mask in constraint.masks
            }
            return Sets(cells, tuple(sorted(masks)))
        case Automaton(cells):
            machines = tuple([part.machine for part in constraints if isinstance(part, Automaton)])
            return first if len(constraints) == 1 else Automaton(cells, united(machines))
        case Table(cells):
            rows = {row for part in constraints if isinstance(part, Table) for row in part.rows}
            return Table(cells, tuple(sorted(rows)))
        case _:
            return first


def _tabulated(n: int, constraint: Or, cells: Sequence[int]) -> Constraint:
    """Return a constraint of a few cells as a table."""
    places = [0] * (cells[-1] + 1)
    for index, cell in enumerate(cells):
        places[cell] = index
    branches = [tuple([moved(part, places) for part in branch]) for branch in constraint.branches]
    rows = _rows(n, len(cells), tuple(branches))
    if len(cells) == 2:
        table = tabulated(n, lambda v, w: (v, w) in rows)
        return Relation(table, ((cells[0], cells[1]),))
    return Table(tuple(cells), tuple(sorted(rows)))


@number_cache(maxsize=1024)
def _rows(
    n: int, size: int, branches: tuple[tuple[Constraint, ...], ...]
) -> frozenset[tuple[int, ...]]:
    """Return the rows of values of the cells from 0 on that satisfy any of some branches."""
    rows: set[tuple[int, ...]] = set()
    for branch in branches:
        run = [pruner(part, n) for part in branch]
        candidates = pruned(run, [all_values(n)] * size)
        for row in product(*map(single_bits, candidates)) if candidates is not None else ():
            if all(prune(row) == [] for prune in run):
                rows.add(tuple([mask.bit_length() for mask in row]))
    return frozenset(rows)
