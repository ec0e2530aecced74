"""Where the layouts of puzzles come from: one for all, or random regions for every few."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count

import numpy as np

from unidoku.backends.solver import Solver, load
from unidoku.core.layout import Layout
from unidoku.core.regions import random_map
from unidoku.core.variants import Variant
from unidoku.errors import InputError, UnsupportedError
from unidoku.generation.judge import Judge

__all__ = ["FILLER", "jigsaws", "only", "quickest"]

_FEW = 12
"""Puzzles for which compiling a layout is not worth its time."""

_LANES = "native[engine=lanes]"
_USUAL = "native"

FILLER = "native[engine=python]"
"""Fills jigsaws: its order of search meets a grid in some dozens of nodes, where the lanes may
not in a million."""

_FILLING = 25
"""Nodes for each cell after which random regions are passed over: one in twenty on 81 cells, and
where to fill them once takes long, to dig does so too."""


def only(judge_of: Callable[[Layout], Judge], layout: Layout) -> Judge:
    """Return the judge of the one layout.

    Raises:
        InputError: the layout cannot be filled.
    """
    judge = judge_of(layout)
    if judge.has_grid() is False:
        raise InputError(f"{layout.name}: expected a layout that can be filled; it has no grid")
    return judge


def jigsaws(
    judge_of: Callable[[Layout], Judge],
    variant: Variant,
    n: int,
    seed: int,
    backend: str | None,
) -> Iterator[Judge | None]:
    """Yield judges of layouts with random regions, None for regions that are not filled soon.

    Args:
        judge_of: makes the judge of a layout.
        variant: a jigsaw without a map.
        n: values are 1 to n.
        seed: of the regions.
        backend: who fills them; the usual one if not given.
    """
    filler = load(backend or FILLER)
    for number in count():
        text = random_map(n, random.Random(f"{seed}:regions:{number}"))
        layout = variant.with_regions(text).layout(n)
        filled = Judge(filler, layout).has_grid(nodes=_FILLING * len(layout))
        yield judge_of(layout) if filled else None


def quickest(layout: Layout, puzzles: float) -> Solver:
    """Return the backend that is quickest for so many puzzles of a layout, loading included.

    Args:
        layout: of the puzzles.
        puzzles: how many, infinity for no end.
    """
    if puzzles <= _FEW:
        return load(_USUAL)
    solver = load(_LANES)
    try:
        empty = np.zeros((1, len(layout)), np.uint8)
        solver.solve_many(empty, layout=layout, node_limit=1)
    except UnsupportedError:
        return load(_USUAL)
    return solver
