"""Pruning: which candidates the shapes of a layout remove, given those that are left."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias, assert_never

from unidoku.core.bits import all_values
from unidoku.core.layout import Layout
from unidoku.core.shapes import Images, Relation, backwards, images

__all__ = ["Partners", "partners_of", "removed_at_once"]

Partners: TypeAlias = tuple[tuple[tuple[int, Images], ...], ...]
"""For each cell, the cells that relations pair it with; each with what it may hold there beside
a set of values of the cell. Empty if the layout has no relations."""


@lru_cache(maxsize=64)
def partners_of(layout: Layout) -> Partners:
    """Return the partners of each cell of a layout by its relations."""
    partners: list[list[tuple[int, Images]]] = [[] for _ in layout.cells]
    for shape in layout.shapes:
        match shape:
            case Relation(table, pairs):
                there, back = images(table), images(backwards(table))
                for a, b in pairs:
                    partners[a].append((b, there))
                    partners[b].append((a, back))
            case _:
                assert_never(shape)
    return tuple(map(tuple, partners)) if layout.shapes else ()


@lru_cache(maxsize=64)
def removed_at_once(layout: Layout) -> tuple[tuple[int, int], ...]:
    """Return what leaves cells of the empty board already: pairs of a cell and candidates."""
    everything = all_values(layout.n)
    return tuple(
        (other, gone)
        for others in partners_of(layout)
        for other, beside in others
        if (gone := everything & ~beside[everything])
    )
