"""One board through the lanes, which then work different states of its search."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.native.lanes.compile import Kernel
from unidoku.backends.native.lanes.exchange import slot_size
from unidoku.backends.native.lanes.run import EXHAUSTED, NODE_LIMIT, TIME_LIMIT, Question
from unidoku.backends.native.lanes.run import search as search_all
from unidoku.core.board import Board
from unidoku.core.layout import Grid

__all__ = ["STOP_OF", "search"]

STOP_OF = {EXHAUSTED: Stop.EXHAUSTED, NODE_LIMIT: Stop.NODES, TIME_LIMIT: Stop.TIME}

MOST_SHARED = 64
"""Up to this many grids are kept in their order although several lanes search for them; where
more are wanted a single lane searches, and hands them out as they come."""

ROOM = 1024
"""Grids that are handed out at once."""


def search(kernel: Kernel, board: Board, request: Request, begun: float) -> Result:
    """Search a board.

    Args:
        kernel: of its layout.
        board: the puzzle.
        request: what is asked.
        begun: when, on the clock of `time.perf_counter`.
    """
    ready = time.perf_counter()
    left = None if request.time_limit is None else request.time_limit - (ready - begun)
    if left is not None and left <= 0:
        return Result(
            count=0, solutions=(), stop=Stop.TIME, statistics={"init_time": ready - begun}
        )
    most = _least(request.solutions, request.keep)
    hands_out = most is None or most > MOST_SHARED
    question = Question(
        _state(kernel, board),
        limit=request.solutions,
        room=ROOM if most is None or hands_out else most,
        node_limit=request.node_limit,
        time_limit=left,
    )
    grids: list[Grid] = []

    def take(found: NDArray[Any]) -> None:
        grids.extend(map(tuple, found[: None if most is None else most - len(grids)].tolist()))

    answers = search_all(kernel, question, hand_out=take if hands_out else None)
    if not hands_out:
        take(answers.grids[0, : answers.kept[0]])
    count = int(answers.counts[0])
    return Result(
        count=count,
        solutions=tuple(grids),
        stop=Stop.SOLUTIONS if count == request.solutions else STOP_OF[int(answers.stops[0])],
        statistics={
            "init_time": ready - begun,
            "solve_time": time.perf_counter() - ready,
            "nodes": int(answers.nodes[0]),
            "rounds": answers.rounds,
            "lanes": kernel.shape.lanes,
        },
    )


def _least(*numbers: int | None) -> int | None:
    return min((number for number in numbers if number is not None), default=None)


def _state(kernel: Kernel, board: Board) -> NDArray[Any]:
    """Return a board as the one saved state of a batch."""
    bits = kernel.shape.bits
    state = np.zeros((1, slot_size(kernel.plan, bits)), f"u{bits // 8}")
    state[0, : kernel.plan.cells] = board.candidates
    return state
