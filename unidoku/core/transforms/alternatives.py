"""Simplify alternatives: take out what all branches share, and merge equal branches.

Branches about the same cells only become one shape of these cells: one cage with all sets of
values, one machine that accepts what any of several machines accepts, or one table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

from unidoku.core.bits import all_values, bits_of
from unidoku.core.caching import layout_cache
from unidoku.core.constraints.automaton import united
from unidoku.core.constraints.pruners import pruned, pruner
from unidoku.core.constraints.shapes import Automaton, Or, Relation, Rows, Sets, Shape, tabulated
from unidoku.core.constraints.shaping import cells_of, merged, moved

Branch: TypeAlias = frozenset[Shape]
"""The shapes of a branch, with relations split into pairs."""

MOST_ROWS = 5000
"""Alternatives of two or three cells become a table of up to this many rows: 17 values of three
cells."""

LONGEST = 16
"""Automata of alternatives of up to this many cells are merged. Along a line the merged one is made
deterministic: ten ways to begin a loop of 53 cells became more than 200,000 steps."""


def alternatives(n: int, branches: Iterable[Sequence[Shape]]) -> Iterator[Shape]:
    """Yield the simplest shapes that state that at least one of some branches holds.

    Shapes other than alternatives in the result may be simplified further.

    Args:
        n: the number of values.
        branches: simplified branches, none of them a contradiction.
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
    one = Or(tuple(map(merged, rests)))
    cells = sorted(set(cells_of(one)))
    yield _tabulated(n, one, cells) if n ** len(cells) <= MOST_ROWS and len(cells) < 4 else one


def _flat(branches: Iterable[Sequence[Shape]]) -> Iterator[Sequence[Shape]]:
    """Yield the branches; a branch that is only alternatives is replaced by their branches."""
    for branch in branches:
        match branch:
            case (Or(inside),):
                yield from _flat(inside)
            case _:
                yield branch


def _apart(branch: Sequence[Shape]) -> Branch:
    """Return the shapes of a branch, relations split into pairs so that common ones match."""
    parts: set[Shape] = set()
    for shape in merged(branch):
        match shape:
            case Relation(table, pairs):
                parts.update(Relation(table, (pair,)) for pair in pairs)
            case _:
                parts.add(shape)
    return frozenset(parts)


def _weakest(branches: Iterable[Branch]) -> list[Branch]:
    """Return the branches that no weaker branch makes redundant."""
    remaining = [*branches]
    return [one for one in remaining if not any(other < one for other in remaining)]


def _united(branches: Iterable[Branch]) -> Iterator[Branch]:
    """Yield the branches; those with one shape each, of the same class and cells, are merged."""
    same: defaultdict[tuple[type[Shape], tuple[int, ...]], list[Shape]] = defaultdict(list)
    for branch in branches:
        match [*branch]:
            case [Automaton(cells)] if len(cells) > LONGEST:
                yield branch
            case [Sets(cells) | Automaton(cells) | Rows(cells) as shape]:
                same[type(shape), cells].append(shape)
            case _:
                yield branch
    for shapes in same.values():
        yield frozenset([_union(shapes)])


def _union(shapes: Sequence[Shape]) -> Shape:
    """Return the shape that states that any of some shapes of the same class and cells holds."""
    first = shapes[0]
    match first:
        case Sets(cells):
            masks = {mask for shape in shapes if isinstance(shape, Sets) for mask in shape.masks}
            return Sets(cells, tuple(sorted(masks)))
        case Automaton(cells):
            machines = tuple([one.machine for one in shapes if isinstance(one, Automaton)])
            return first if len(shapes) == 1 else Automaton(cells, united(machines))
        case Rows(cells):
            rows = {row for one in shapes if isinstance(one, Rows) for row in one.rows}
            return Rows(cells, tuple(sorted(rows)))
        case _:
            return first


def _tabulated(n: int, shape: Or, cells: Sequence[int]) -> Shape:
    """Return a shape of a few cells as a table."""
    places = [0] * (cells[-1] + 1)
    for place, cell in enumerate(cells):
        places[cell] = place
    branches = [tuple([moved(part, places) for part in branch]) for branch in shape.branches]
    rows = _rows(n, len(cells), tuple(branches))
    if len(cells) == 2:
        table = tabulated(n, lambda v, w: (v, w) in rows)
        return Relation(table, ((cells[0], cells[1]),))
    return Rows(tuple(cells), tuple(sorted(rows)))


@layout_cache(maxsize=256)
def _rows(n: int, size: int, branches: tuple[tuple[Shape, ...], ...]) -> frozenset[tuple[int, ...]]:
    """Return the rows of values of the cells from 0 on that satisfy any of some branches."""
    rows: set[tuple[int, ...]] = set()
    for branch in branches:
        run = [pruner(part, n) for part in branch]
        left = pruned(run, [all_values(n)] * size)
        for row in product(*map(_singles, left)) if left is not None else ():
            if all(prune(row) == [] for prune in run):
                rows.add(tuple([one.bit_length() for one in row]))
    return frozenset(rows)


def _singles(mask: int) -> list[int]:
    """Return the sets of one value of a set."""
    return [1 << place for place in bits_of(mask)]
