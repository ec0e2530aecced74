"""Pruning: which of the remaining candidates the constraints of a layout remove.

Relations are stored for each cell and checked whenever the cell loses candidates; all other
constraints are checked as a whole when nothing simpler is left to do. The algorithms are in
`unidoku.core.constraints.pruners`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from unidoku.core.bits import all_values
from unidoku.core.caching import layout_cache
from unidoku.core.constraints.operations import cells_of
from unidoku.core.constraints.primitives import Images, Relation, backwards, images
from unidoku.core.constraints.pruners import Pruner, pruner
from unidoku.core.layout import Layout
from unidoku.core.transforms.simplify import simplified
from unidoku.support.deadline import check_time_limit

Partners: TypeAlias = tuple[tuple[tuple[int, Images], ...], ...]
"""For each cell, the cells that relations pair it with, each with its possible values for a set of
values of the cell. Empty if the layout has no relations."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The constraints of a layout other than relations.

    Args:
        by_cell: for each cell, the numbers of its constraints.
        run: the constraints' pruners, by number.
    """

    by_cell: tuple[tuple[int, ...], ...]
    run: tuple[Pruner, ...]


@layout_cache(maxsize=64)
def partners_of(layout: Layout) -> Partners:
    """Return the partners of each cell of a layout by its relations."""
    partners: list[list[tuple[int, Images]]] = [[] for _ in layout.cells]
    for constraint in simplified(layout).constraints if layout.rules else ():
        if isinstance(constraint, Relation):
            forth, back = images(constraint.table), images(backwards(constraint.table))
            for a, b in constraint.pairs:
                partners[a].append((b, forth))
                partners[b].append((a, back))
    return tuple(map(tuple, partners)) if any(partners) else ()


@layout_cache(maxsize=64)
def watched_of(layout: Layout) -> Watched | None:
    """Return the constraints of a layout other than relations, None if there are none."""
    constraints = simplified(layout).constraints if layout.rules else ()
    others = [constraint for constraint in constraints if not isinstance(constraint, Relation)]
    if not others:
        return None
    by_cell: list[list[int]] = [[] for _ in layout.cells]
    for number, constraint in enumerate(others):
        for cell in cells_of(constraint):
            by_cell[cell].append(number)
    return Watched(
        tuple(map(tuple, by_cell)), tuple([pruner(constraint, layout.n) for constraint in others])
    )


@layout_cache(maxsize=64)
def removed_at_once(layout: Layout) -> tuple[tuple[int, int], ...]:
    """Return what the constraints remove from the empty board: pairs of a cell and candidates."""
    if not layout.rules:
        return ()
    everything = all_values(layout.n)
    simple = simplified(layout)
    masks = list(simple.candidates)
    run = [pruner(constraint, layout.n) for constraint in simple.constraints]
    before: list[int] = []
    while masks != before and 0 not in masks:
        before = masks.copy()
        for prune_cells in run:
            check_time_limit()
            removals = prune_cells(masks)
            if removals is None:
                masks[0] = 0
                break
            for cell, gone in removals:
                masks[cell] &= ~gone
    return tuple(
        (cell, everything & ~mask) for cell, mask in enumerate(masks) if mask != everything
    )
