"""Search one board or a batch with the compiled search.

The search returns every few milliseconds so that this module can do what it cannot: check the
clock, make room and hand out grids.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from struct import Struct
from typing import TYPE_CHECKING

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.batch import BatchResult, joined, search_each
from unidoku.backends.native.compiler.intrinsics import CELLS_AT_ONCE
from unidoku.backends.native.driver import (
    UNLIMITED,
    as_number,
    borrow,
    in_threads,
    steps_until_look,
)
from unidoku.backends.native.single.build.layout_tables import Tables, room_of, tables_of
from unidoku.backends.native.single.build.memory import address, zeros
from unidoku.backends.native.single.function import Function, arguments_of
from unidoku.backends.native.single.search.kinds import Returned
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.toolkit.checked import begin_checks
from unidoku.backends.turns import Turns, at_once
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.core.transforms.leftovers import no_grid_fits
from unidoku.support.cancel import in_force, raise_if_cancelled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FIRST_DEPTH = 16
"""Number of saved states for which there is room at first."""

ROOM = 64
"""Number of grids for which there is room."""

FIRST_RUN = 200
"""Number of failures until a search without rules restarts; it grows by half each time."""

FIRST_RUN_WITH_RULES = 300
"""The same with rules, where it grows to the fourfold each time."""

ASK = 60_000
"""Number of propagations after which a search without a solution asks whether any grid fits an
irregular layout (`unidoku.core.transforms.leftovers`): 2 ms, about as long as the answer takes."""

OF_UNITS = 2
"""Number of propagations that are as much work as others on boards without rules of so many values
that units are looked at one by one: 0.05 µs each."""

QUICK = 1000
"""Number of propagations in which a search finds a solution that finds many quickly: 0.1 ms."""

STOPS: dict[int, Stop] = {
    Returned.EXHAUSTED: Stop.EXHAUSTED,
    Returned.NODES: Stop.NODES,
    Returned.ENOUGH: Stop.SOLUTIONS,
    Returned.FAILURES: Stop.INCOMPLETE,
}

_PAUSE, _RULED, _STACK_AT, _COUNT, _GRID_COUNT, _LIMIT, _TICKS = map(
    int,
    (
        *(Register.PAUSE, Register.RULED, Register.STACK_AT, Register.COUNT),
        *(Register.GRID_COUNT, Register.LIMIT, Register.TICKS),
    ),
)
"""Numbers, because to find a member of an enum takes as long as to read a register."""

FIGURES = {
    "nodes": int(Register.NODES),
    "failures": int(Register.FAILURES),
    "propagations": int(Register.PROPAGATIONS),
    "restarts": int(Register.RESTARTS),
}
"""Statistics with the registers that count them."""

_ASKED = Struct(f"7q{8 * (len(Register) - Register.LIMIT - 7)}x")
"""The registers from `LIMIT` on when a search begins: the first seven are given, the rest are 0."""


def search_board(
    board: Board,
    request: Request,
    begun: float,
    failures: int | None = None,
    *,
    function: Function,
) -> Result:
    """Search a board.

    Args:
        board: the board.
        request: request with the limits.
        begun: when the call began, by `time.perf_counter`.
        failures: number of contradictions in a row without a solution after which to give up with
            `Stop.INCOMPLETE`; unlike a time limit, it does not depend on the machine.
        function: the search in one of its forms.
    """
    return at_once(search_in_turns(board, request, begun, failures, UNLIMITED, function))


def search_in_turns(
    board: Board,
    request: Request,
    begun: float,
    failures: int | None,
    turn: int,
    function: Function | None,
) -> Turns:
    """Search a board as `search_board` does, in turns of about so much work.

    A turn in which solutions come quickly is followed by another one without a pause. If there is
    no function, because it was not ready in time, the time limit has been reached.
    """
    if function is None:
        return _no_time(begun)
    tables = tables_of(board.layout, function)
    if tables.labels and len({board.candidates[cell] for cell in tables.labels}) > 1:
        tables = tables_of(board.layout, function, in_order=True)
    memory = borrow(tables.idle, partial(Memory, tables))
    try:
        one_by_one = tables.registers[Register.UNITS_AT] == 0 and not board.layout.rules
        per_work = OF_UNITS if one_by_one else 1
        propagations = max(1, turn * per_work // function.work)
        asks_at = max(1, ASK // function.work) if tables.is_irregular else UNLIMITED
        memory.begin(board.candidates, request, failures, min(propagations, asks_at))
        ready = time.perf_counter()
        end = None if request.time_limit is None else begun + request.time_limit
        while (stop := memory.search(end)) is None:
            if memory.registers[_TICKS] >= asks_at:
                asks_at = UNLIMITED
                if memory.registers[_COUNT] == 0 and no_grid_fits(board.layout):
                    stop = Stop.EXHAUSTED
                    break
            if done := memory.begin_turn(propagations):
                yield done * function.work // per_work
        return Result(
            count=memory.registers[_COUNT],
            solutions=tuple(memory.solutions),
            stop=stop,
            statistics={
                "init_time": ready - begun,
                "solve_time": time.perf_counter() - ready - memory.checking,
                **memory.figures(),
            },
            puzzle=board,
        )
    finally:
        tables.idle.append(memory)


def _no_time(begun: float) -> Result:
    seconds = {"init_time": time.perf_counter() - begun, "solve_time": 0.0}
    statistics = seconds | dict.fromkeys(FIGURES, 0)
    return Result(count=0, solutions=(), stop=Stop.TIME, statistics=statistics)


def search_batch(
    layout: Layout,
    cells: NDArray[np.uint8],
    request: Request,
    failures: int | None = None,
    *,
    function: Function,
) -> BatchResult:
    """Search many boards of a layout one by one, in as many threads as asked for."""
    tables_of(layout, function)

    def search(part: slice, is_stopped: Callable[[], bool]) -> BatchResult:
        def search_one(_: int, board: Board) -> Result:
            if is_stopped():
                raise _Stopped
            return search_board(board, request, time.perf_counter(), failures, function=function)

        return search_each(search_one, layout, cells[part])

    size = -(-len(cells) // request.threads) or 1
    parts = [slice(at, at + size) for at in range(0, len(cells), size)]
    if len(parts) < 2:
        return search(slice(None), lambda: False)
    return joined(cells, zip(parts, in_threads(search, parts, len(parts)), strict=True))


class _Stopped(Exception):  # noqa: N818 - a batch was given up in another thread
    """Ends the other threads of a batch; its own error is the one that is raised."""


def _in_order(grid: Grid, cells: range) -> Grid:
    """Return a grid with some cells' values numbered by where they first occur."""
    labels = grid[cells.start : cells.stop]
    number = {value: index for index, value in enumerate(dict.fromkeys(labels), 1)}
    return grid[: cells.start] + tuple([number[value] for value in labels]) + grid[cells.stop :]


@lru_cache(maxsize=64)
def _forms_of(cells: int) -> tuple[Struct, Struct]:
    """Return the binary forms of candidates, 8 bytes a cell, and of a grid, a byte a cell."""
    return Struct(f"{cells}q"), Struct(f"{cells}B")


class Memory:
    """Working memory for searches of one layout: used by one search, then again by later ones."""

    def __init__(self, tables: Tables) -> None:
        # It does not refer to the tables, whose list will contain it: a reference cycle would wait
        # for the garbage collector, some 10 KB for each layout.
        self._arrays = tables.arrays
        self.checking = 0.0  # seconds that checks of the grids of a search took
        self._cells = tables.cells
        self._labels = tables.labels
        self._function = tables.function
        self.registers = registers = tables.registers[:]
        self._arguments = arguments_of(registers)
        cells = tables.cells
        self._candidates, self._grid = _forms_of(cells)
        try:
            self._numbers = tables.rooms.pop()  # its places are among the registers
        except IndexError:
            self._numbers = room_of(registers, tables.work)
        size = registers[Register.STATE]
        self._stack = zeros(FIRST_DEPTH * size + CELLS_AT_ONCE)  # states are read in blocks
        self._guesses = zeros(FIRST_DEPTH * 2)
        self._grids = array("B", bytes(ROOM * cells))
        self._ticks = self._turn_end = 0
        places = address(self._stack), address(self._guesses), address(self._grids)
        registers[_STACK_AT:_LIMIT] = array("q", (*places, FIRST_DEPTH, ROOM))

    def search(self, end: float | None) -> Stop | None:
        """Run the requested search; return why it stops, None at the end of a turn.

        Args:
            end: time on the clock at which to stop; None for never.
        """
        registers = self.registers
        looked = time.perf_counter()
        while end is None or looked < end:
            raise_if_cancelled(self._tokens)
            pause = self.go_on()
            if (stop := STOPS.get(pause)) is not None:
                self._take_grids()
                return stop
            if pause == Returned.STACK:
                self._grow()
            elif pause == Returned.GRIDS:
                self._take_grids()
            before, looked = looked, time.perf_counter()
            if pause == Returned.CLOCK:
                if registers[_TICKS] >= self._turn_end:
                    return None
                left = None if end is None else end - looked
                self._ticks = steps_until_look(self._ticks, looked - before, left)
                self._set_until()
        self._take_grids()
        return Stop.TIME

    def go_on(self) -> int:
        """Search until the next pause; return its reason, one of `Returned`."""
        self._function.call(*self._arguments)
        return self.registers[_PAUSE]

    def is_waiting(self, constraint: int) -> bool:
        """Return whether a constraint is in the queue."""
        queue = (self.registers[Register.QUEUE_AT] - self.registers[Register.CANDIDATES_AT]) // 8
        return bool(self._numbers[queue + (constraint >> 6)] >> (constraint & 63) & 1)

    def figures(self) -> dict[str, float]:
        """Return the statistics of the last search."""
        registers = self.registers
        return {name: registers[register] for name, register in FIGURES.items()}

    def begin(
        self,
        candidates: Sequence[int],
        request: Request,
        failures: int | None,
        turn: int = UNLIMITED,
    ) -> None:
        """Write the candidates of a board and the limits of a request into memory.

        Args:
            candidates: a set of values for each cell.
            request: the request.
            failures: number of failures after which the search gives up; None for no limit.
            turn: number of propagations of the first turn.
        """
        self._candidates.pack_into(self._numbers, 0, *candidates)
        _ASKED.pack_into(
            self.registers,
            8 * _LIMIT,
            as_number(request.solutions),
            as_number(request.node_limit),
            as_number(failures),
            as_number(request.keep),
            FIRST_RUN_WITH_RULES if self.registers[_RULED] else FIRST_RUN,
            -1,
            min(self._function.first_ticks, turn),
        )
        self.solutions: list[Grid] = []
        self._tokens, self._check, self.checking = in_force(), begin_checks(), 0.0
        self._ticks, self._turn_end, self._counted = self._function.first_ticks, turn, (0, 0)

    def begin_turn(self, turn: int) -> int:
        """Begin a turn of so many propagations; return how many there were in the one before.

        That is 0 if it found solutions so quickly that no other backend would find them earlier.
        """
        before, count_before = self._counted
        ticks, count = self._counted = self.registers[_TICKS], self.registers[_COUNT]
        self._turn_end = ticks + turn
        self._set_until()
        return 0 if (count - count_before) * QUICK >= ticks - before else ticks - before

    def _set_until(self) -> None:
        """Have the search return at the end of the turn, or earlier to check the clock."""
        registers = self.registers
        registers[Register.UNTIL] = min(registers[_TICKS] + self._ticks, self._turn_end)

    def _take_grids(self) -> None:
        """Take the grids that were found since the last call."""
        cells, count = self._cells, self.registers[_GRID_COUNT]
        if not count:
            return
        self.registers[_GRID_COUNT] = 0
        grids = [self._grid.unpack_from(self._grids, at) for at in range(0, count * cells, cells)]
        if self._labels:
            grids = [_in_order(grid, self._labels) for grid in grids]
        if self._check is not None:
            begun = time.perf_counter()
            self._check(grids)
            self.checking += time.perf_counter() - begun
        self.solutions += grids

    def _grow(self) -> None:
        """Double the room for saved states."""
        depth = self.registers[Register.DEPTH]
        self._stack.extend(zeros(depth * self.registers[Register.STATE]))
        self._guesses.extend(zeros(depth * 2))
        self.registers[Register.DEPTH] = 2 * depth
        self.registers[Register.STACK_AT] = address(self._stack)
        self.registers[Register.GUESSES_AT] = address(self._guesses)
