"""Batches through the lanes, by one thread or several."""

from __future__ import annotations

import threading
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from unidoku.backends.native.lanes.compile import Kernel
from unidoku.backends.native.lanes.question import Answers, Question
from unidoku.backends.native.lanes.workspace import Workspace, taken

__all__ = ["search"]

BOARDS_A_TASK = 8_192
"""How many boards a thread takes at once: enough that lanes idle at their end do not count."""


def search(kernel: Kernel, question: Question, *, threads: int = 1) -> Answers:
    """Search all boards of a question, by as many threads.

    Args:
        kernel: of the layout.
        question: what is asked.
        threads: how many may work at once; a single board is searched by one.
    """
    size = len(question.boards)
    answers = Answers.empty(size, question.room, kernel.plan.cells)
    tasks = [slice(first, first + BOARDS_A_TASK) for first in range(0, size, BOARDS_A_TASK)]
    if threads == 1 or len(tasks) < 2:
        workspace = taken(kernel.idle, kernel, Workspace)
        workspace.search(question, answers)
        kernel.idle.append(workspace)
        return answers
    stop = threading.Event()

    def work(boards: slice) -> int:
        if stop.is_set():
            return 0
        part = answers.part(boards)
        workspace = taken(kernel.idle, kernel, Workspace)
        workspace.search(question.part(boards), part, stop.is_set)
        kernel.idle.append(workspace)
        return part.rounds

    with ThreadPoolExecutor(min(threads, len(tasks))) as executor:
        futures = [executor.submit(work, task) for task in tasks]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
            answers.rounds = sum(future.result() for future in futures)
        finally:
            stop.set()
    return answers
