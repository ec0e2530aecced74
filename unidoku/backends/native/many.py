"""Many boards: through the lanes, or in Python, or in Python until that takes too long."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.batch import STOPS, BatchResult, add_figures, collected, search_each
from unidoku.backends.native import python
from unidoku.backends.native.choice import PATIENCE
from unidoku.core.board import Board
from unidoku.core.layout import Layout

if TYPE_CHECKING:
    from unidoku.backends.native.lanes.compile import Kernel

__all__ = ["search_by_turns", "search_in_lanes", "search_in_python"]


def search_in_python(layout: Layout, cells: NDArray[np.uint8], request: Request) -> BatchResult:
    """Search one board after the other."""
    return search_each(lambda _, board: python.search(board, request), layout, cells)


def search_in_lanes(kernel: Kernel, cells: NDArray[np.uint8], request: Request) -> BatchResult:
    """Search as many boards at once as there are lanes, in as many threads as asked for."""
    from unidoku.backends.native.lanes.question import Question
    from unidoku.backends.native.lanes.run import search
    from unidoku.backends.native.lanes.single import STOP_OF

    begun = time.perf_counter()
    question = Question(
        np.ascontiguousarray(cells),
        limit=request.solutions,
        room=1 if request.keep is None else request.keep,
        node_limit=request.node_limit,
        time_limit=request.time_limit,
    )
    answers = search(kernel, question, threads=request.threads)
    codes = np.array([STOPS.index(STOP_OF[stop]) for stop in sorted(STOP_OF)], np.uint8)
    stops = codes[answers.stops]
    if request.solutions is not None:
        stops[answers.counts == request.solutions] = STOPS.index(Stop.SOLUTIONS)
    grids = answers.grids[:, 0] if question.room else np.zeros_like(cells)
    return BatchResult(
        counts=answers.counts,
        grids=grids,
        stops=stops,
        statistics={
            "solve_time": time.perf_counter() - begun,
            "nodes": int(answers.nodes.sum()),
            "rounds": answers.rounds,
            "lanes": kernel.shape.lanes,
        },
    )


def search_by_turns(
    layout: Layout, cells: NDArray[np.uint8], request: Request, kernel: Callable[[], Kernel]
) -> BatchResult:
    """Search in Python until `PATIENCE` seconds are over, and the rest in lanes.

    Args:
        layout: of all boards.
        cells: the boards.
        request: what is asked.
        kernel: returns the layout's kernel.
    """
    begun = time.perf_counter()
    done: list[Result] = []
    for row in cells.tolist():
        left = PATIENCE - (time.perf_counter() - begun)
        if left <= 0:
            break
        board = Board.from_values(layout, row)
        result = python.search(board, replace(request, time_limit=left))
        if result.stop is Stop.TIME:
            break
        done.append(result)
    first = collected(done, cells[: len(done)])
    if len(done) == len(cells):
        return first
    rest = search_in_lanes(kernel(), cells[len(done) :], request)
    statistics = dict(first.statistics)
    add_figures(statistics, rest.statistics)
    return BatchResult(
        counts=np.concatenate([first.counts, rest.counts]),
        grids=np.concatenate([first.grids, rest.grids]),
        stops=np.concatenate([first.stops, rest.stops]),
        statistics=statistics,
    )
