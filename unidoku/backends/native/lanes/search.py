"""Search one board or a batch with the lanes.

For one board, the lanes handle different states of its search; for a batch, different boards.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.batch import STOPS, BatchResult
from unidoku.backends.native.driver import borrow, in_threads
from unidoku.backends.native.lanes.compile import Kernel, kernel
from unidoku.backends.native.lanes.shape import slot_size
from unidoku.backends.native.lanes.workspace import (
    EXHAUSTED,
    FAILURE_LIMIT,
    NODE_LIMIT,
    TIME_LIMIT,
    Answers,
    Array,
    Question,
    Workspace,
    aligned,
)
from unidoku.backends.toolkit.checked import begin_checks
from unidoku.core.board import Board
from unidoku.core.layout import Grid

__all__ = ["kernel", "search_batch", "search_board"]

STOP_OF = {
    EXHAUSTED: Stop.EXHAUSTED,
    NODE_LIMIT: Stop.NODES,
    TIME_LIMIT: Stop.TIME,
    FAILURE_LIMIT: Stop.INCOMPLETE,
}

MOST_SHARED = 64
"""Up to this many grids are kept in order while several lanes search for them; if more are
requested, a single lane searches and hands them out as it finds them."""

ROOM = 64
"""Number of grids that are handed out together."""


def search_board(
    kernel: Kernel, board: Board, request: Request, begun: float, failures: int | None = None
) -> Result:
    """Search a board; ``begun`` is when the call began by `time.perf_counter`.

    The search gives up after ``failures`` failures in a row without a solution.
    """
    workspace = borrow(kernel.idle, partial(Workspace, kernel))
    ready = time.perf_counter()
    left = None if request.time_limit is None else request.time_limit - (ready - begun)
    if left is not None and left <= 0:
        kernel.idle.append(workspace)
        figures = {"init_time": ready - begun, "nodes": 0}
        return Result(count=0, solutions=(), stop=Stop.TIME, statistics=figures)
    most = _least(request.solutions, request.keep)
    hands_out = most is None or most > MOST_SHARED
    question = Question(
        _state_of(board, workspace),
        limit=request.solutions,
        room=ROOM if most is None or hands_out else most,
        node_limit=request.node_limit,
        time_limit=left,
        failures=failures,
    )
    answers = Answers.empty(1, question.room, kernel.plan.cells)
    grids: list[Grid] = []
    take = _taker(grids, most)
    workspace.search(question, answers, hand_out=take if hands_out else None)
    if not hands_out:
        grids = [tuple(grid.tobytes()) for grid in answers.grids[0, : answers.grids_kept[0]]]
    kernel.idle.append(workspace)
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
        puzzle=board,
    )


def _state_of(board: Board, workspace: Workspace) -> Array:
    """Return a board as a batch of one saved state."""
    plan, shape = workspace.kernel.plan, workspace.kernel.shape
    state = aligned(slot_size(plan, shape), workspace.type).reshape(1, -1)
    state[0, : plan.cells] = board.candidates
    return state


def _taker(grids: list[Grid], most: int | None) -> Callable[[Array], None]:
    """Return a function that adds found grids to a list, of up to ``most``."""
    check = begin_checks()

    def take(block: Array) -> None:
        added = block if most is None else block[: most - len(grids)]
        tuples = [tuple(grid.tobytes()) for grid in added]
        if check is not None:
            check(tuples)
        grids.extend(tuples)

    return take


def _least(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


def search_batch(
    kernel: Kernel, cells: NDArray[np.uint8], request: Request, failures: int | None = None
) -> BatchResult:
    """Search as many boards at once as there are lanes, in as many threads as asked for.

    A board is given up after ``failures`` failures in a row without a solution.
    """
    begun = time.perf_counter()
    question = Question(
        np.ascontiguousarray(cells),
        limit=request.solutions,
        room=1 if request.keep is None else request.keep,
        node_limit=request.node_limit,
        time_limit=request.time_limit,
        failures=failures,
    )
    answers = answers_to(kernel, question, threads=request.threads)
    codes = np.array([STOPS.index(STOP_OF[stop]) for stop in sorted(STOP_OF)], np.uint8)
    stops = codes[answers.stops]
    if request.solutions is not None:
        stops[answers.counts == request.solutions] = STOPS.index(Stop.SOLUTIONS)
    return BatchResult(
        counts=answers.counts,
        grids=answers.grids[:, 0] if question.room else np.zeros_like(cells),
        stops=stops,
        statistics={
            "solve_time": time.perf_counter() - begun,
            "nodes": int(answers.nodes.sum()),
            "rounds": answers.rounds,
            "lanes": kernel.shape.lanes,
        },
    )


BOARDS_A_TASK = 8_192
"""How many boards a thread takes at once: enough that idle lanes at the end do not matter."""


def answers_to(kernel: Kernel, question: Question, *, threads: int = 1) -> Answers:
    """Search all boards of a question with that many threads; a single board with one."""
    size = len(question.boards)
    answers = Answers.empty(size, question.room, kernel.plan.cells)
    tasks = [slice(first, first + BOARDS_A_TASK) for first in range(0, size, BOARDS_A_TASK)]
    if threads == 1 or len(tasks) < 2:
        workspace = borrow(kernel.idle, partial(Workspace, kernel))
        workspace.search(question, answers)
        kernel.idle.append(workspace)
        return answers

    def work(boards: slice, is_stopped: Callable[[], bool]) -> int:
        if is_stopped():
            return 0
        part = answers.part(boards)
        workspace = borrow(kernel.idle, partial(Workspace, kernel))
        workspace.search(question.part(boards), part, is_stopped)
        kernel.idle.append(workspace)
        return part.rounds

    answers.rounds = sum(in_threads(work, tasks, threads))
    return answers
