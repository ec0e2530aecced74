"""What a backend tells of its search, node by node: the values that its method ``trace`` yields.

The method is optional. It has the arguments of `unidoku.backends.base.Backend.search`, searches in
the same order, and yields a `Visit` for each node when the node has been propagated; it may raise
`unidoku.backends.toolkit.budget.LimitReached`. `unidoku.analysis.trace` makes the tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from unidoku.backends.toolkit.budget import LimitReached
from unidoku.core.bits import all_values, is_single, values_of
from unidoku.core.layout import Layout
from unidoku.support.text import Word


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """An assumption: a cell has a value, or, if not ``holds``, has another one."""

    cell: int
    value: int
    holds: bool = True


class NodeEnd(Word):
    """How a node ended that was not branched on."""

    SOLUTION = "solution"
    CONTRADICTION = "contradiction"
    LIMIT = "limit"
    """The trace ends here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A node of a search, in the order in which the search comes to it.

    Args:
        depth: 0 for the root, one more for each guess above it. A second root means that the search
            began again.
        guess: the guess that leads to it, in words if it is not about a value of a cell; None for
            a root, and for a step.
        step: what was done instead of a guess, in words, for a backend that goes step by step: a
            step is a child without children, and what follows it starts from its candidates.
        candidates: the candidates of each cell after propagation, or when it failed; None if the
            backend does not know them.
        end: how it ended, if the backend knows it now; the node may have children otherwise.
        where: the part of the board that contradicts itself, in words; if it is empty, it is looked
            for in the candidates (`clash`).
    """

    depth: int
    guess: Guess | str | None = None
    step: str = ""
    candidates: Sequence[int] | None = None
    end: NodeEnd | None = None
    where: str = ""


def reported(solutions: Iterable[object], visits: list[Visit]) -> Iterator[Visit]:
    """Yield the visits that a search appends to a list before each of its solutions, and after all.

    The last one before a solution is marked as such. What the search raises follows its visits.
    """
    try:
        for _ in solutions:
            visits[-1] = replace(visits[-1], end=NodeEnd.SOLUTION)
            yield from visits
            visits.clear()
    except LimitReached:
        yield from visits
        raise
    yield from visits


def clash(layout: Layout, candidates: Sequence[int]) -> str:
    """Return a contradiction that candidates show in a cell or a unit, in words; empty if none.

    >>> from unidoku import layout
    >>> clash(layout("classic", 4), (1, 0, *[15] * 14))
    'no value is left for A2'
    """
    names, shown = layout.names, layout.shown
    for cell, mask in enumerate(candidates):
        if not mask:
            return f"no value is left for {names[cell]}"
    for unit in layout.units:
        masks = [candidates[cell] for cell in unit.cells]
        for value in values_of(_occurring(filter(is_single, masks))[1]):
            return f"two cells of {unit} are {shown[value]}"
        absent = all_values(layout.n) & ~_occurring(masks)[0]
        if absent and len(masks) == layout.n:
            return f"no cell of {unit} can be {shown[values_of(absent)[0]]}"
    for unit in layout.full_units:
        once, twice = _occurring([candidates[cell] for cell in unit.cells])
        for cell in unit.cells:
            only = values_of(candidates[cell] & once & ~twice)
            if len(only) > 1:
                both = f"{shown[only[0]]} and {shown[only[1]]}"
                return f"{both} have no cell of {unit} but {names[cell]}"
    return ""


def _occurring(masks: Iterable[int]) -> tuple[int, int]:
    """Return the values in one mask or more, and those in two or more."""
    once = twice = 0
    for mask in masks:
        twice |= once & mask
        once |= mask
    return once, twice
