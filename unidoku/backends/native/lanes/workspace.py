"""The question, the answer, and the memory that the engine works in.

The engine returns now and then so that this module can do what the engine cannot: check the clock,
grow the stacks and hand out grids.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from struct import Struct
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.native.driver import UNLIMITED, as_number, steps_until_look
from unidoku.backends.native.lanes.compile import ADVANCE, Kernel
from unidoku.backends.native.lanes.registers import LANE_ROWS, Pause, Register
from unidoku.backends.native.lanes.shape import CHOICE_ROWS, FUNCTIONS, slot_size
from unidoku.support.cancel import in_force, raise_if_cancelled

FIRST_DEPTH = 32
"""Number of states that each lane first has room to save."""

Array: TypeAlias = NDArray[Any]

EXHAUSTED, NODE_LIMIT, TIME_LIMIT, FAILURE_LIMIT = range(4)
"""Why the search of a board ended, unless enough solutions were found."""


@dataclass(slots=True, eq=False)
class Question:
    """The question to each board of a batch.

    Args:
        boards: values as uint8 of shape (boards, cells), 0 for empty cells; or sets of values
            of the kernel's integer type, of shape (boards, numbers in a saved state).
        limit: number of solutions after which to stop; None for all.
        room: number of grids to keep for each board; fewer if the limit is lower.
        node_limit: limit of nodes for each board.
        time_limit: limit for each board, in seconds; checked every few milliseconds.
        failures: failures in a row without a solution after which a board is given up.
    """

    boards: Array
    limit: int | None = None
    room: int = 0
    node_limit: int | None = None
    time_limit: float | None = None
    failures: int | None = None

    def __post_init__(self) -> None:
        if self.limit is not None:
            self.room = min(self.room, self.limit)

    def part(self, boards: slice) -> Question:
        """Return the same question about some of the boards."""
        return replace(self, boards=self.boards[boards])


@dataclass(slots=True, eq=False)
class Answers:
    """The answer, one entry for each board.

    Args:
        counts: number of solutions found, at most as many as requested.
        nodes: number of states propagated.
        failures_in_a_row: number of states found contradictory since the last solution.
        stops: `EXHAUSTED` or the limit that was reached; meaningless if enough solutions were
            found.
        grids_kept: number of grids that are kept.
        ranks: the grids' places in the order of the search, of shape (boards, room).
        grids: the grids, uint8 of shape (boards, room, cells).
        rounds: number of rounds for all boards together.
    """

    counts: Array
    nodes: Array
    failures_in_a_row: Array
    stops: Array
    grids_kept: Array
    ranks: Array
    grids: Array
    rounds: int = field(default=0, init=False)

    @classmethod
    def empty(cls, boards: int, room: int, cells: int) -> Answers:
        """Return the record of that many boards, for which nothing is found yet."""
        counts, nodes, failures_in_a_row, grids_kept = np.zeros((4, boards), np.int64)
        stops, ranks = np.zeros(boards, np.uint8), np.zeros((boards, room), np.int64)
        grids = np.zeros((boards, room, cells), np.uint8)
        return cls(counts, nodes, failures_in_a_row, stops, grids_kept, ranks, grids)

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The arrays in the order of their registers."""
        figures = self.counts, self.nodes, self.failures_in_a_row, self.stops, self.grids_kept
        return (*figures, self.ranks, self.grids)

    def part(self, boards: slice) -> Answers:
        """Return a view of the entries of some of the boards."""
        return Answers(*[array[boards] for array in self.arrays])


def address(array: Array) -> int:
    """Return the address where an array begins in memory."""
    where: int = array.ctypes.data
    return where


FIRST_WORK = 20_000
"""Rounds times cells before the clock is first checked: a fraction of a millisecond."""


class Clock:
    """Decides how many rounds to run next, and which boards are out of time."""

    __slots__ = ("_begun", "_boards", "_limit", "_looked", "rounds")

    def __init__(self, time_limit: float | None, boards: int, cells: int) -> None:
        """Start the clock with the limit of each board; the first ``boards`` boards begin now.

        A round takes as long as a board has ``cells``.
        """
        self.rounds = max(1, FIRST_WORK // cells)
        self._limit = time_limit
        self._looked = time.perf_counter()
        self._boards = boards
        self._begun: dict[int, float] = {}  # start times of the boards seen at the last check

    def late(self, boards: set[int]) -> list[int]:
        """Check the clock; return those of the boards being searched that are out of time."""
        now, before = time.perf_counter(), self._looked
        late, nearest = list[int](), None
        if self._limit is not None:
            if self._boards:
                self._begun = dict.fromkeys(range(self._boards), before)
                self._boards = 0
            # A board not seen before may have begun just now.
            self._begun = {board: self._begun.get(board, now) for board in boards}
            for board, begun in self._begun.items():
                left = begun + self._limit - now
                if left <= 0:
                    late.append(board)
                elif nearest is None or left < nearest:
                    nearest = left
        self.rounds = steps_until_look(self.rounds, now - before, nearest)
        self._looked = now
        return late


_ASKED = Struct(f"={Register.ACTIVE - Register.BOARDS}q{8 * (len(Register) - Register.ACTIVE)}x")
_ASKED_AT = Register.BOARDS * 8
"""The question is written in one piece: number by number would take as long as a search."""

_ROUNDS = int(Register.ROUNDS)


class Workspace:
    """The memory in which the code of a kernel searches; reused by one search after the other."""

    def __init__(self, kernel: Kernel) -> None:
        plan, shape = kernel.plan, kernel.shape
        self.kernel = kernel
        self.type = np.dtype(f"u{shape.bits // 8}")
        self._state = aligned(plan.cells * shape.lanes, self.type)
        self._choice = aligned(CHOICE_ROWS * shape.lanes, self.type)
        self._flags = np.zeros(3, np.uint64)
        self._lanes = np.zeros((LANE_ROWS, shape.lanes), np.int64)
        self._depth = 0
        self._stack: Array = np.zeros((shape.lanes, 0, 0), self.type)
        answers = [cells for split in plan.splits for cells in split.excluded]
        slot = slot_size(plan, shape)
        self._slots = aligned(shape.lanes * slot, self.type)
        self._masks = aligned(len(answers) * slot, self.type).reshape(-1, slot)
        for answer, cells in enumerate(answers):
            self._masks[answer, list(cells)] = np.iinfo(self.type).max
        self.registers = np.zeros(len(Register), np.int64)
        self._at = address(self.registers)
        self._memory = self.registers.data.cast("B")
        self._numbers = self._memory.cast("q")  # numpy takes twice as long for one number
        for name in FUNCTIONS:
            self.registers[Register[name.upper()]] = kernel.addresses[name]
        self._place("STATE", self._state)
        self._place("CHOICE", self._choice)
        self._place("FLAGS", self._flags)
        self._place("LANES", self._lanes)
        self._place("SLOTS", self._slots)
        self._place("MASKS", self._masks)
        self._set(CELLS=plan.cells, WIDTH=shape.lanes, SLOT=slot)
        most = max((len(split.excluded) for split in plan.splits), default=1)
        self._set(MOST_ANSWERS=max(most, 2))
        self._grow()
        self._returned = array("q", (0, 0))
        self._returned_at, _ = self._returned.buffer_info()
        self._engine = ADVANCE[shape.bits].loaded()

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
            question: boards and limits of the search.
            answers: record that the results are written to.
            interrupted: called from time to time; the search stops if it returns True.
            hand_out: called with the grids of one board whenever there is no room for more, after
                which they are dropped; called with the rest at the end.
            watch: called before each round, to show the progress.
        """
        numbers, returned, result_at = self._numbers, self._returned, self._returned_at
        # As many boards as there are lanes begin at once.
        lanes, cells = self.kernel.shape.lanes, self.kernel.plan.cells
        clock = Clock(question.time_limit, lanes, cells)
        self._begin(question, answers, hand_out is not None, clock.rounds if watch is None else 0)
        tokens = in_force()
        while True:
            raise_if_cancelled(tokens)
            self._engine.call(result_at, result_at + 8, self._at)
            pause = returned[0]
            if watch is not None:
                watch(self)
            if pause == Pause.FINISHED or interrupted():
                break
            if pause == Pause.STACK:
                self._grow()
            elif pause == Pause.GRIDS and hand_out is not None:
                hand_out(answers.grids[0])
                answers.grids_kept[0] = 0
            else:
                for board in clock.late({b for b in self.boards_in_lanes if b is not None}):
                    answers.stops[board] = TIME_LIMIT
                    self._cancel(board)
                numbers[Register.UNTIL] = numbers[_ROUNDS] + (clock.rounds if watch is None else 1)
        if hand_out is not None:
            hand_out(answers.grids[0, : answers.grids_kept[0]])
        answers.rounds = numbers[_ROUNDS]

    def _begin(self, question: Question, answers: Answers, hands_out: bool, until: int) -> None:
        """Write a question and the addresses of its answers into the registers."""
        boards, size = question.boards, len(question.boards)
        # The engine writes to these addresses: a wrong size would overwrite other memory.
        assert size == len(answers.counts), (size, len(answers.counts))
        node_limit = as_number(question.node_limit)
        self._state.fill(1)
        self._lanes.fill(0)
        # In the order of the registers; all registers after these are 0.
        _ASKED.pack_into(
            self._memory,
            _ASKED_AT,
            address(boards),
            *map(address, answers.arrays),
            size,
            boards.strides[0],
            answers.ranks.shape[1],
            boards.dtype != np.uint8,
            as_number(question.limit),
            node_limit,
            as_number(question.failures),
            # A lone lane fixes the order of the grids handed out and the number of nodes.
            not hands_out and node_limit == UNLIMITED,
            hands_out,
            until,
        )

    @property
    def boards_in_lanes(self) -> list[int | None]:
        """The board in each lane, None in an idle one."""
        active = int(self.registers[Register.ACTIVE])
        boards = self._lanes[0].tolist()
        return [board if active >> lane & 1 else None for lane, board in enumerate(boards)]

    def _cancel(self, board: int) -> None:
        """Drop the current and saved states of a board's lanes."""
        for lane, other in enumerate(self.boards_in_lanes):
            if other == board:
                self._lanes[2, lane] = self._lanes[1, lane]
                self.registers[Register.CANCELLED] |= np.uint64(1 << lane).astype(np.int64)

    def _grow(self) -> None:
        """Double the room for saved states."""
        lanes, slot = self.kernel.shape.lanes, int(self.registers[Register.SLOT])
        depth = 2 * self._depth or FIRST_DEPTH + int(self.registers[Register.MOST_ANSWERS])
        stack = aligned(lanes * depth * slot, self.type).reshape(lanes, depth, slot)
        stack[:, : self._depth, : self._stack.shape[2]] = self._stack
        self._stack, self._depth = stack, depth
        self._place("STACK", stack)
        self._set(DEPTH=depth, FULL=0)

    def _place(self, register: str, array: Array) -> None:
        self.registers[Register[register]] = address(array)

    def _set(self, **numbers: int) -> None:
        for name, number in numbers.items():
            self.registers[Register[name]] = number


def aligned(size: int, kind: np.dtype[Any]) -> Array:
    """Return zeros that begin at a multiple of 64 bytes, as vectors must."""
    memory = np.zeros(size + 4096, kind)
    first = -address(memory) % 4096 // kind.itemsize
    return memory[first : first + size]
