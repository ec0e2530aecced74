"""Questions to an exact backend: how many solutions, of many boards at once."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Stop
from unidoku.backends.batch import STOPS, BatchResult
from unidoku.backends.solver import Solver
from unidoku.core.layout import Layout
from unidoku.errors import TimeLimitError

__all__ = ["Answers", "Cells", "Flags", "Judge"]

Cells = NDArray[np.uint8]
"""Boards of one layout, of shape (boards, cells), 0 for an empty cell."""

Flags = NDArray[np.bool_]
"""A truth a board."""

_NODES = 20_000
"""Nodes after which a question is left undecided, unless said otherwise."""

_SECONDS = 1.0
"""The same, of a backend that knows no node limit but a time limit."""

_PART = 16_384
"""Boards that are asked about in one call, between two looks at the clock."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What is known of each board.

    Args:
        possible: whether a solution was found.
        unique: whether there is exactly one solution, proved.
        several: whether there are several.
        grids: a solution of each board, zeros where there is none or none was to be kept.
    """

    possible: Flags
    unique: Flags
    several: Flags
    grids: Cells

    @classmethod
    def of(cls, results: list[BatchResult]) -> Answers:
        """Return the answers of several calls as one."""
        counts = np.concatenate([result.counts for result in results])
        return cls(
            counts > 0,
            np.concatenate([result.unique for result in results]),
            counts > 1,
            np.concatenate([result.grids for result in results]),
        )


@dataclass(frozen=True, slots=True)
class Judge:
    """Decides about boards of one layout.

    Args:
        solver: who is asked.
        layout: of all boards.
        deadline: of `time.perf_counter`, None for none.
        threads: how many the solver may use; the answers do not depend on it.
    """

    solver: Solver
    layout: Layout
    deadline: float | None = None
    threads: int = 1

    @property
    def left(self) -> float | None:
        """The seconds until the deadline, None if there is none.

        Raises:
            TimeLimitError: it is over.
        """
        if self.deadline is None:
            return None
        seconds = self.deadline - time.perf_counter()
        if seconds <= 0:
            raise TimeLimitError("generate: the time is over")
        return seconds

    def ask(self, cells: Cells, *, keep: bool = False, nodes: int = _NODES) -> Answers:
        """Look for two solutions of each board.

        Args:
            cells: the boards.
            keep: whether a solution of each is returned.
            nodes: after as many a board is left undecided.

        Raises:
            TimeLimitError: the deadline came first.
        """
        limits = self._limits(nodes)
        results = []
        for start in range(0, max(len(cells), 1), _PART):
            _ = self.left
            part = cells[start : start + _PART]
            results.append(
                self.solver.solve_many(
                    part, layout=self.layout, solutions=2, keep=int(keep), **limits
                )
            )
        return Answers.of(results)

    def has_grid(self, nodes: int = 50 * _NODES) -> bool | None:
        """Tell whether the layout can be filled; None if that is not known in as many nodes."""
        empty = np.zeros((1, len(self.layout)), np.uint8)
        limits = self._limits(nodes)
        result = self.solver.solve_many(empty, layout=self.layout, solutions=1, **limits)
        if result.counts[0]:
            return True
        return False if result.stops[0] == STOPS.index(Stop.EXHAUSTED) else None

    def _limits(self, nodes: int) -> dict[str, Any]:
        """Return the limits of a question as far as the solver honours them.

        Not those of the clock where it can be helped: the answers shall not depend on it.
        """
        honours = self.solver.spec.capabilities.honours
        limits: dict[str, Any] = {}
        if "node_limit" in honours:
            limits["node_limit"] = nodes
        elif "time_limit" in honours:
            limits["time_limit"] = _SECONDS
        if "threads" in honours:
            limits["threads"] = self.threads
        return limits
