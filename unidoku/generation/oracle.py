"""The oracle: an exact backend that counts the solutions of many boards at once, up to two."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Request, Stop
from unidoku.backends.batch import STOPS
from unidoku.backends.solving.solver import Solver, load
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.regions import random_map
from unidoku.core.variants import Variant
from unidoku.core.variants import layout as named_layout
from unidoku.errors import BackendError, InputError, UnsupportedError
from unidoku.support.deadline import Deadline

Cells = NDArray[np.uint8]
"""Boards of one layout, of shape (boards, cells), 0 for an empty cell."""

Flags = NDArray[np.bool_]
"""One flag for each board."""

_NODES = 20_000
"""Nodes after which a board is left undecided, unless the caller gives another limit."""

_SECONDS = 1.0
"""The limit for a backend that has a time limit and no node limit."""

_PART = 16_384
"""Boards in a call of the backend; the deadline is checked between calls."""

_FILLING_NODES = 25
"""Nodes for each cell after which random regions are rejected: one in twenty on 81 cells.
If it takes long to fill a layout once, it takes long to remove givens too."""

_FEW = 12
"""Numbers of puzzles below which it does not pay to compile a layout."""


@dataclass(frozen=True, slots=True, eq=False)
class SolutionCounts:
    """What is known about the number of solutions of each board.

    Args:
        possible: whether at least one solution was found.
        unique: whether it is proved that there is exactly one solution.
        several: whether at least two solutions were found.
        grids: one solution of each board; zeros if none was found or kept.
    """

    possible: Flags
    unique: Flags
    several: Flags
    grids: Cells


@dataclass(frozen=True, slots=True)
class Oracle:
    """Counts the solutions of boards of one layout, up to two.

    Args:
        solver: the backend that searches.
        layout: the layout of all boards.
        deadline: the moment after which no further call is made.
        threads: number of threads of the solver; the answers do not depend on it.
    """

    solver: Solver
    layout: Layout
    deadline: Deadline = field(default_factory=Deadline)
    threads: int = 1

    def ask(self, cells: Cells, *, keep: bool = False, nodes: int = _NODES) -> SolutionCounts:
        """Look for two solutions of each board.

        Args:
            cells: the boards.
            keep: whether to return one solution of each board.
            nodes: node limit for each board; a board that reaches it is left undecided.

        Raises:
            TimeLimitError: the deadline has passed.
        """
        limits = {"layout": self.layout, "solutions": 2, "keep": int(keep), **self._limits(nodes)}
        results = []
        for start in range(0, max(len(cells), 1), _PART):
            self.deadline.check("generate")
            results.append(self.solver.solve_many(cells[start : start + _PART], **limits))
        counts = np.concatenate([result.counts for result in results])
        unique = np.concatenate([result.unique for result in results])
        grids = np.concatenate([result.grids for result in results])
        return SolutionCounts(counts > 0, unique, counts > 1, grids)

    def can_be_filled(self, nodes: int = 50 * _NODES) -> bool | None:
        """Return whether the layout has a full grid; None if the node limit is reached first."""
        empty = np.zeros((1, len(self.layout)), np.uint8)
        result = self.solver.solve_many(
            empty, layout=self.layout, solutions=1, **self._limits(nodes)
        )
        if result.counts[0]:
            return True
        return False if result.stops[0] == STOPS.index(Stop.EXHAUSTED) else None

    def _limits(self, nodes: int) -> dict[str, Any]:
        """Return the limits for a call, as far as the solver supports them."""
        has_threads = "threads" in self.solver.spec.capabilities.honours
        threads = {"threads": self.threads} if has_threads else {}
        return {**limits_of(self.solver, nodes, _SECONDS), **threads}


def limits_of(solver: Solver, nodes: int, seconds: float) -> dict[str, Any]:
    """Return the limit of a search: nodes, or seconds if the solver does not count nodes.

    With nodes, the answers do not depend on the load of the machine.
    """
    honours = solver.spec.capabilities.honours
    if "node_limit" in honours:
        return {"node_limit": nodes}
    return {"time_limit": seconds} if "time_limit" in honours else {}


def fillable(oracle: Oracle) -> Oracle:
    """Return the oracle itself; raise `InputError` if its layout has no full grid."""
    if oracle.can_be_filled() is False:
        name = oracle.layout.name
        raise InputError(
            f"{name}: expected a layout that can be filled, got one without a solution"
        )
    return oracle


def jigsaw(
    oracle_of: Callable[[Layout], Oracle],
    variant: Variant,
    n: int,
    seed: int,
    backend: str | None,
    number: int,
) -> Oracle | None:
    """Return the oracle of a layout with random regions; None if they take long to fill.

    Args:
        oracle_of: creates the oracle of a layout.
        variant: a jigsaw without a map.
        n: number of values.
        seed: seed of the random regions.
        backend: label of the backend that fills the layouts; None for `deciding`, which finds a
            grid of a jigsaw in some dozens of nodes, where the lanes may take a million.
        number: number of the layout among those with this seed.
    """
    regions = random_map(n, random.Random(f"{seed}:regions:{number}"))
    layout = variant.with_regions(regions).layout(n)
    filler = Oracle(load(backend) if backend else deciding(None), layout)
    return oracle_of(layout) if filler.can_be_filled(nodes=_FILLING_NODES * len(layout)) else None


def quickest(layout: Layout, puzzles: float, time_limit: float | None) -> Solver:
    """Return the backend that makes this many puzzles soonest, compilation included."""
    if puzzles > _FEW:
        lanes = load("native[engine=lanes]")
        empty = np.zeros((1, len(layout)), np.uint8)
        with suppress(UnsupportedError):
            lanes.solve_many(empty, layout=layout, node_limit=1)
            return lanes
    return deciding(time_limit)


def deciding(time_limit: float | None) -> Solver:
    """Return the search of single boards, compiled or else as Python.

    Both find the same grids first, so that puzzles do not depend on which of them is there. It is
    loaded here, or compiled; if that takes longer than the time limit, the deadline of what
    follows has passed.
    """
    compiled = load("native[engine=single]")
    with suppress(UnsupportedError, BackendError):
        request = Request(node_limit=1, time_limit=time_limit)
        compiled.search(Board.empty(named_layout("classic", 4)), request)
        return compiled
    return load("native[engine=python]")
