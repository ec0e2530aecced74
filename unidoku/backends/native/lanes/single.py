"""One board through the lanes, which then work different states of its search."""

from __future__ import annotations

import time
from struct import Struct

import numpy as np

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.native.lanes.compile import Kernel
from unidoku.backends.native.lanes.exchange import slot_size
from unidoku.backends.native.lanes.question import (
    EXHAUSTED,
    NODE_LIMIT,
    TIME_LIMIT,
    Answers,
    Array,
    Question,
)
from unidoku.backends.native.lanes.workspace import Workspace, taken
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
    desk = taken(kernel.desks, kernel, _Desk)
    ready = time.perf_counter()
    left = None if request.time_limit is None else request.time_limit - (ready - begun)
    if left is not None and left <= 0:
        kernel.desks.append(desk)
        figures = {"init_time": ready - begun, "nodes": 0}
        return Result(count=0, solutions=(), stop=Stop.TIME, statistics=figures)
    most = _least(request.solutions, request.keep)
    hands_out = most is None or most > MOST_SHARED
    grids: list[Grid] = []

    def take(found: Array) -> None:
        for grid in found if most is None else found[: most - len(grids)]:
            grids.append(tuple(grid.tobytes()))

    question = desk.question(board)
    question.limit = request.solutions
    question.node_limit = request.node_limit
    question.time_limit = left
    answers = desk.answers(ROOM if most is None or hands_out else most)
    desk.workspace.search(question, answers, hand_out=take if hands_out else None)
    if not hands_out:
        take(answers.grids[0, : answers.kept[0]])
    count = int(answers.counts[0])
    result = Result(
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
    kernel.desks.append(desk)
    return result


def _least(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)


class _Desk:
    """What single boards need again and again, for one search at a time.

    To make the arrays anew takes longer than to solve an easy board.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.workspace = Workspace(kernel)
        slot = slot_size(kernel.plan, kernel.shape.bits)
        state = np.zeros((1, slot), self.workspace.type)
        self._question = Question(state)
        self._memory = state.data.cast("B")
        letter = {16: "H", 32: "I", 64: "Q"}[kernel.shape.bits]
        self._packer = Struct(f"={kernel.plan.cells}{letter}")
        self._answers: dict[int, Answers] = {}

    def question(self, board: Board) -> Question:
        """Return the question about a batch of this board, as a saved state."""
        self._packer.pack_into(self._memory, 0, *board.candidates)
        return self._question

    def answers(self, room: int) -> Answers:
        """Return answers about one board, of which nothing is found yet."""
        found = self._answers.get(room)
        if found is None:
            self._answers[room] = found = Answers.empty(1, room, self.workspace.kernel.plan.cells)
        found.forget()
        return found
