"""The memory that a search works in, and its conversation with the engine.

The engine returns now and then; what it cannot do itself, look at the clock, grow its stacks and
hand out grids, is done here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from unidoku.backends.native.lanes.branch import ROWS
from unidoku.backends.native.lanes.clock import Clock
from unidoku.backends.native.lanes.compile import Kernel
from unidoku.backends.native.lanes.engine import advance
from unidoku.backends.native.lanes.exchange import slot_size
from unidoku.backends.native.lanes.kernel import FUNCTIONS
from unidoku.backends.native.lanes.question import (
    TIME_LIMIT,
    UNLIMITED,
    Answers,
    Array,
    Question,
    address,
)
from unidoku.backends.native.lanes.registers import LANE_ROWS, Pause, R

__all__ = ["Workspace", "aligned", "taken"]

T = TypeVar("T")

FIRST_DEPTH = 32
"""States that each lane has room to save, to begin with."""


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
        self._state = aligned(plan.cells * shape.lanes, self.type)
        self._choice = aligned(ROWS * shape.lanes, self.type)
        self._flags = np.zeros(3, np.uint64)
        self._lanes = np.zeros((LANE_ROWS, shape.lanes), np.int64)
        self._depth = 0
        self._stack: Array = np.zeros((shape.lanes, 0, 0), self.type)
        answers = [cells for choice in plan.choices for cells in choice.excluded]
        slot = slot_size(plan, shape.bits)
        self._excluded = np.zeros((len(answers), plan.most_excluded), np.int64)
        self._masks = np.zeros((len(answers), slot), self.type)
        for answer, cells in enumerate(answers):
            self._excluded[answer] = cells[0] * shape.lanes
            self._excluded[answer, : len(cells)] = [cell * shape.lanes for cell in cells]
            self._masks[answer, list(cells)] = np.iinfo(self.type).max
        self.registers = np.zeros(len(R), np.int64)
        self._at = address(self.registers)
        for name in FUNCTIONS:
            self.registers[R[name.upper()]] = kernel.addresses[name]
        self._place("STATE", self._state)
        self._place("CHOICE", self._choice)
        self._place("FLAGS", self._flags)
        self._place("LANES", self._lanes)
        self._place("EXCLUDED", self._excluded)
        self._place("MASKS", self._masks)
        self._set(CELLS=plan.cells, WIDTH=shape.lanes, SLOT=slot)
        most = max((len(choice.excluded) for choice in plan.choices), default=1)
        self._set(MOST_EXCLUDED=plan.most_excluded, MOST_ANSWERS=max(most, 2))
        self._grow()
        advance()(self._at, self.one)  # about no boards: compiles it before a clock is started

    def search(
        self,
        question: Question,
        answers: Answers,
        interrupted: Callable[[], bool] = lambda: False,
        hand_out: Callable[[Array], None] | None = None,
        watch: Callable[[Workspace], None] | None = None,
    ) -> None:
        """Search all boards of a question.

        Args:
            question: what is asked.
            answers: what is found is written there.
            interrupted: asked from time to time whether to leave the rest.
            hand_out: of a question about one board, takes the grids whenever there are as many as
                there is room for, and they are forgotten; all that are left come last.
            watch: called before each round, to show what goes on.
        """
        self._begin(question, answers, hand_out is not None)
        engine, registers = advance(), self.registers
        # As many boards as there are lanes begin at once.
        clock = Clock(question.time_limit, self.kernel.shape.lanes, self.kernel.plan.cells)
        registers[R.UNTIL] = clock.rounds if watch is None else 0
        while True:
            pause = engine(self._at, self.one)
            if watch is not None:
                watch(self)
            if pause == Pause.FINISHED or interrupted():
                break
            if pause == Pause.STACK:
                self._grow()
            elif pause == Pause.GRIDS and hand_out is not None:
                hand_out(answers.grids[0])
                answers.kept[0] = 0
            else:
                for board in clock.late({b for b in self.boards_in_lanes if b is not None}):
                    answers.stops[board] = TIME_LIMIT
                    self._cancel(board)
                registers[R.UNTIL] = registers[R.ROUNDS] + (clock.rounds if watch is None else 1)
        if hand_out is not None:
            hand_out(answers.grids[0, : answers.kept[0]])
        answers.rounds = int(registers[R.ROUNDS])

    def _begin(self, question: Question, answers: Answers, hands_out: bool) -> None:
        """Write a question and where its answers go into the registers."""
        boards = question.boards
        # The engine writes where it is told to: another size would be another one's memory.
        assert len(boards) == len(answers.counts), (len(boards), len(answers.counts))
        node_limit = UNLIMITED if question.node_limit is None else question.node_limit
        self._state.fill(1)
        self._lanes.fill(0)
        # In the order of the registers from here on; what follows them is 0.
        numbers = (
            question.address,
            *answers.addresses,
            len(boards),
            boards.strides[0],
            answers.ranks.shape[1],
            boards.dtype != np.uint8,
            UNLIMITED if question.limit is None else question.limit,
            node_limit,
            # The order of grids handed out, and of nodes, is that of a lone lane.
            not hands_out and node_limit == UNLIMITED,
            hands_out,
        )
        self.registers[R.BOARDS : R.UNTIL] = numbers
        self.registers[R.UNTIL :] = 0

    @property
    def boards_in_lanes(self) -> list[int | None]:
        """The board in each lane, None in an idle one."""
        active = int(self.registers[R.ACTIVE])
        held = self._lanes[0].tolist()
        return [board if active >> lane & 1 else None for lane, board in enumerate(held)]

    def _cancel(self, board: int) -> None:
        """Have the lanes of a board give up what they hold and have saved."""
        for lane, held in enumerate(self.boards_in_lanes):
            if held == board:
                self._lanes[2, lane] = self._lanes[1, lane]
                self.registers[R.CANCELLED] |= np.uint64(1 << lane).astype(np.int64)

    def _grow(self) -> None:
        """Double the room for saved states."""
        lanes, slot = self.kernel.shape.lanes, int(self.registers[R.SLOT])
        depth = 2 * self._depth or FIRST_DEPTH + int(self.registers[R.MOST_ANSWERS])
        stack = aligned(lanes * depth * slot, self.type).reshape(lanes, depth, slot)
        stack[:, : self._depth, : self._stack.shape[2]] = self._stack
        self._stack, self._depth = stack, depth
        self._place("STACK", stack)
        self._set(DEPTH=depth, FULL=0)

    def _place(self, register: str, array: Array) -> None:
        self.registers[R[register]] = address(array)

    def _set(self, **numbers: int) -> None:
        for name, number in numbers.items():
            self.registers[R[name]] = number


def taken(idle: list[T], kernel: Kernel, make: Callable[[Kernel], T]) -> T:
    """Return what no search is using, and no other finds until it is given back; or make it."""
    try:
        return idle.pop()
    except IndexError:
        return make(kernel)


def aligned(size: int, kind: np.dtype[Any]) -> Array:
    """Return zeros that begin at a multiple of 64 bytes, as vectors must."""
    memory = np.zeros(size + 4096, kind)
    first = -address(memory) % 4096 // kind.itemsize
    return memory[first : first + size]
