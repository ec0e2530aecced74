"""Boards through the lanes: the memory that a search works in, its limits, its threads.

The engine returns now and then; what it cannot do itself, look at the clock, grow its stacks and
hand out grids, is done here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.native.lanes.branch import ROWS
from unidoku.backends.native.lanes.compile import Kernel
from unidoku.backends.native.lanes.engine import LANE_ROWS, Pause, R, advance
from unidoku.backends.native.lanes.exchange import slot_size
from unidoku.backends.native.lanes.kernel import FUNCTIONS

__all__ = ["EXHAUSTED", "NODE_LIMIT", "TIME_LIMIT", "Answers", "Question", "Workspace", "search"]

Array: TypeAlias = NDArray[Any]

UNLIMITED = 2**62
"""What stands for no limit."""

EXHAUSTED, NODE_LIMIT, TIME_LIMIT = range(3)
"""Why the search of a board ended, if not for having found enough."""

FIRST_DEPTH = 32
"""States that each lane has room to save, to begin with."""

FIRST_ROUNDS = 256
"""Rounds until the clock is first looked at: a fraction of a millisecond on most layouts."""

SECONDS_BETWEEN_LOOKS = 0.005

BOARDS_A_TASK = 16_384
"""How many boards a thread takes at once: enough that lanes idle at their end do not count."""


class Question:
    """What is asked of each board of a batch.

    Args:
        boards: of shape (boards, cells), uint8 with 0 for empty cells; or, of the kernel's own
            type and of shape (boards, slot), sets of values.
        limit: solutions after which to stop; None for all.
        room: grids to keep of each board.
        node_limit: of each board.
        time_limit: of each board, in seconds; looked at every few milliseconds.
    """

    __slots__ = ("boards", "limit", "node_limit", "room", "time_limit")

    def __init__(
        self,
        boards: Array,
        *,
        limit: int | None = None,
        room: int = 0,
        node_limit: int | None = None,
        time_limit: float | None = None,
    ) -> None:
        """Take it down."""
        self.boards = boards
        self.limit = UNLIMITED if limit is None else limit
        self.room = min(room, self.limit)
        self.node_limit = UNLIMITED if node_limit is None else node_limit
        self.time_limit = time_limit


class Answers:
    """What is found, one entry a board.

    Args:
        boards: how many.
        room: grids to keep of each.
        cells: of the layout.

    Attributes:
        counts: solutions found, at most as many as asked for.
        nodes: states propagated.
        stops: `EXHAUSTED` or the limit that was reached; of no meaning if enough were found.
        kept: how many grids are kept.
        grids: uint8 of shape (boards, room, cells).
        rounds: worked for all boards together.
    """

    __slots__ = ("counts", "grids", "kept", "nodes", "ranks", "rounds", "stops")

    def __init__(self, boards: int, room: int, cells: int) -> None:
        """Begin with nothing found."""
        self.counts = np.zeros(boards, np.int64)
        self.nodes = np.zeros(boards, np.int64)
        self.stops = np.zeros(boards, np.uint8)
        self.kept = np.zeros(boards, np.int64)
        self.ranks = np.zeros((boards, room), np.int64)
        self.grids = np.zeros((boards, room, cells), np.uint8)
        self.rounds = 0

    def part(self, boards: slice) -> Answers:
        """Return the entries of some of the boards; what is written there is written here."""
        part = object.__new__(Answers)
        for name in ("counts", "nodes", "stops", "kept", "ranks", "grids"):
            setattr(part, name, getattr(self, name)[boards])
        part.rounds = 0
        return part


class Workspace:
    """The memory of one search at a time through a kernel; kept from search to search.

    Args:
        kernel: of the layout.
    """

    def __init__(self, kernel: Kernel) -> None:
        """Take the memory."""
        plan, shape = kernel.plan, kernel.shape
        self.kernel = kernel
        self.type = np.dtype(f"u{shape.bits // 8}")
        self.one = self.type.type(1)
        self._state = _aligned(plan.cells * shape.lanes, self.type)
        self._choice = _aligned(ROWS * shape.lanes, self.type)
        self._flags = np.zeros(3, np.uint64)
        self._lanes = np.zeros((LANE_ROWS, shape.lanes), np.int64)
        self._depth = 0
        self._stack: Array = np.zeros((shape.lanes, 0, 0), self.type)
        answers = [cells for choice in plan.choices for cells in choice.excluded]
        width = plan.most_excluded
        self._excluded = np.array(
            [cells + (cells[0],) * (width - len(cells)) for cells in answers] or [()], np.int32
        )
        self.registers = np.zeros(len(R), np.int64)
        self._at = _address(self.registers)
        for name in FUNCTIONS:
            self.registers[R[name.upper()]] = kernel.addresses[name]
        self._place("STATE", self._state)
        self._place("CHOICE", self._choice)
        self._place("FLAGS", self._flags)
        self._place("LANES", self._lanes)
        self._place("EXCLUDED", self._excluded)
        self._set(CELLS=plan.cells, WIDTH=shape.lanes, SLOT=slot_size(plan, shape.bits))
        most = max((len(choice.excluded) for choice in plan.choices), default=1)
        self._set(MOST_EXCLUDED=width, MOST_ANSWERS=max(most, 2))
        self._grow()

    def search(
        self,
        question: Question,
        answers: Answers,
        interrupted: Callable[[], bool] = lambda: False,
        hand_out: Callable[[Array], None] | None = None,
    ) -> None:
        """Search all boards of a question.

        Args:
            question: what is asked.
            answers: what is found is written there.
            interrupted: asked from time to time whether to leave the rest.
            hand_out: of a question about one board, takes the grids whenever there are as many as
                there is room for, and they are forgotten; all that are left come last.
        """
        self._begin(question, answers, hand_out is not None)
        engine, registers = advance(), self.registers
        clock = _Clock(question.time_limit)
        while True:
            registers[R.UNTIL] = registers[R.ROUNDS] + clock.rounds
            pause = engine(self._at, self.one)
            if pause == Pause.FINISHED or interrupted():
                break
            if pause == Pause.STACK:
                self._grow()
            elif pause == Pause.GRIDS and hand_out is not None:
                hand_out(answers.grids[0])
                answers.kept[0] = 0
            else:
                for board in clock.late(self._boards):
                    answers.stops[board] = TIME_LIMIT
                    self._cancel(board)
        if hand_out is not None:
            hand_out(answers.grids[0, : answers.kept[0]])
        answers.rounds = int(registers[R.ROUNDS])

    def _begin(self, question: Question, answers: Answers, hands_out: bool) -> None:
        """Write a question and where its answers go into the registers."""
        boards = question.boards
        self._state[:] = 1
        self._lanes[:] = 0
        self._place("BOARDS", boards)
        self._place("COUNTS", answers.counts)
        self._place("NODES_OF", answers.nodes)
        self._place("STOPS", answers.stops)
        self._place("KEPT", answers.kept)
        self._place("RANKS", answers.ranks)
        self._place("GRIDS", answers.grids)
        self._set(
            SIZE=len(boards),
            STRIDE=boards.strides[0],
            ROOM=answers.ranks.shape[1],
            FROM_STATES=boards.dtype != np.uint8,
            LIMIT=question.limit,
            NODE_LIMIT=question.node_limit,
            # The order of grids handed out, and of nodes, is that of a lone lane.
            SHARE=not hands_out and question.node_limit == UNLIMITED,
            HAND_OUT=hands_out,
            ACTIVE=0,
            CANCELLED=0,
            NEXT=0,
            SHARED=0,
            FULL=0,
            ROUNDS=0,
            NODES=0,
        )

    @property
    def _boards(self) -> set[int]:
        """The boards that are being searched."""
        active = int(self.registers[R.ACTIVE])
        return {int(board) for lane, board in enumerate(self._lanes[0]) if active >> lane & 1}

    def _cancel(self, board: int) -> None:
        """Have the lanes of a board give up what they hold and have saved."""
        active = int(self.registers[R.ACTIVE])
        for lane, held in enumerate(self._lanes[0]):
            if held == board and active >> lane & 1:
                self._lanes[2, lane] = self._lanes[1, lane]
                self.registers[R.CANCELLED] |= np.uint64(1 << lane).astype(np.int64)

    def _grow(self) -> None:
        """Double the room for saved states."""
        lanes, slot = self.kernel.shape.lanes, int(self.registers[R.SLOT])
        depth = 2 * self._depth or FIRST_DEPTH + int(self.registers[R.MOST_ANSWERS])
        stack = _aligned(lanes * depth * slot, self.type).reshape(lanes, depth, slot)
        stack[:, : self._depth, : self._stack.shape[2]] = self._stack
        self._stack, self._depth = stack, depth
        self._place("STACK", stack)
        self._set(DEPTH=depth, FULL=0)

    def _place(self, register: str, array: Array) -> None:
        self.registers[R[register]] = _address(array)

    def _set(self, **numbers: int) -> None:
        for name, number in numbers.items():
            self.registers[R[name]] = number


class _Clock:
    """Says for how many rounds to go on, and which boards are out of time."""

    def __init__(self, time_limit: float | None) -> None:
        self.rounds = FIRST_ROUNDS
        self._limit = time_limit
        self._looked = time.perf_counter()
        self._begun: dict[int, float] = {}

    def late(self, boards: set[int]) -> list[int]:
        """Look at the clock; of the boards being searched, return those out of time."""
        now, before = time.perf_counter(), self._looked
        pace = SECONDS_BETWEEN_LOOKS / max(now - before, 1e-6)
        self.rounds = max(1, min(int(self.rounds * min(pace, 4)), 10**9))
        self._looked = now
        if self._limit is None:
            return []
        # A board not seen before began after the last look.
        self._begun = {board: self._begun.get(board, before) for board in boards}
        return [board for board, begun in self._begun.items() if now - begun >= self._limit]


def _workspace(kernel: Kernel) -> Workspace:
    """Return a workspace that no search is using, and that is not found again until given back."""
    try:
        workspace: Workspace = kernel.idle.pop()
    except IndexError:
        return Workspace(kernel)
    return workspace


def search(
    kernel: Kernel,
    question: Question,
    *,
    threads: int = 1,
    hand_out: Callable[[Array], None] | None = None,
) -> Answers:
    """Search all boards of a question, by as many threads.

    Args:
        kernel: of the layout.
        question: what is asked.
        threads: how many may work at once; a single board is searched by one.
        hand_out: as `Workspace.search` takes it.
    """
    size = len(question.boards)
    answers = Answers(size, question.room, kernel.plan.cells)
    tasks = [slice(first, first + BOARDS_A_TASK) for first in range(0, size, BOARDS_A_TASK)]
    if threads == 1 or len(tasks) < 2:
        workspace = _workspace(kernel)
        workspace.search(question, answers, hand_out=hand_out)
        kernel.idle.append(workspace)
        return answers
    stop = threading.Event()

    def work(boards: slice) -> int:
        if stop.is_set():
            return 0
        part = answers.part(boards)
        asked = object.__new__(Question)
        for name in Question.__slots__:
            setattr(asked, name, getattr(question, name))
        asked.boards = question.boards[boards]
        workspace = _workspace(kernel)
        workspace.search(asked, part, stop.is_set)
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


def _aligned(size: int, kind: np.dtype[Any]) -> Array:
    """Return zeros that begin at a multiple of 64 bytes, as vectors must."""
    memory = np.zeros(size + 64, kind)
    first = -_address(memory) % 64 // kind.itemsize
    return memory[first : first + size]


def _address(array: Array) -> int:
    address: int = array.ctypes.data
    return address
