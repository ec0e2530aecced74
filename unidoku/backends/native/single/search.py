"""One board or a batch through the compiled search, as the waist asks for it.

The search returns every few milliseconds; what it cannot do itself, look at the clock, make room
and hand out grids, is done here.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from struct import Struct
from typing import TYPE_CHECKING

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.batch import BatchResult, joined, search_each
from unidoku.backends.native.single import registers as reg
from unidoku.backends.native.single.build import Tables, room_of, tables_of
from unidoku.backends.native.single.compiling import SEARCH, places_of
from unidoku.backends.native.single.kinds import Returned
from unidoku.backends.native.single.memory import address, zeros
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["search_batch", "search_board"]

UNLIMITED = 2**62
"""What stands for no limit."""

FIRST_DEPTH = 64
"""Saved states for which there is room to begin with."""

ROOM = 64
"""Grids for which there is room."""

FIRST_RUN = 200
"""Failures until a search without rules restarts; half as many more the next time."""

FIRST_TICKS = 512
"""Propagations until the clock is first looked at; a long one counts as several."""

SECONDS_BETWEEN_LOOKS = 0.004
LEAST_BETWEEN_LOOKS = 0.0002
"""How long to search between two looks at the clock: until the time limit, if that is sooner."""

STOPS: dict[int, Stop] = {
    Returned.EXHAUSTED: Stop.EXHAUSTED,
    Returned.NODES: Stop.NODES,
    Returned.ENOUGH: Stop.SOLUTIONS,
    Returned.FAILURES: Stop.INCOMPLETE,
}

FIGURES = {
    "nodes": reg.NODES,
    "failures": reg.FAILURES,
    "propagations": reg.PROPAGATIONS,
    "restarts": reg.RESTARTS,
}
"""Statistics, and the registers that count them."""

_NOTHING = dict.fromkeys(FIGURES, 0)
"""The statistics of a search that could not begin."""


def search_board(
    board: Board, request: Request, begun: float, failures: int | None = None
) -> Result:
    """Search a board.

    Args:
        board: the board.
        request: what is asked.
        begun: when the call began, on the clock of `time.perf_counter`.
        failures: contradictions in a row without a solution after which to give up, as
            `Stop.INCOMPLETE`; unlike a time, the same on every machine.
    """
    limit = request.time_limit
    if limit is not None and not SEARCH.is_loaded and not SEARCH.load_within(limit):
        seconds = {"init_time": time.perf_counter() - begun, "solve_time": 0.0}
        return Result(count=0, solutions=(), stop=Stop.TIME, statistics=seconds | dict(_NOTHING))
    tables = tables_of(board.layout)
    memory = taken(tables)
    memory.begin(board.candidates, request, failures)
    ready = time.perf_counter()
    end = None if request.time_limit is None else begun + request.time_limit
    stop, grids = memory.search(end, ready)
    result = Result(
        count=memory.registers[reg.COUNT],
        solutions=tuple(grids),
        stop=stop,
        statistics={
            "init_time": ready - begun,
            "solve_time": time.perf_counter() - ready,
            **memory.figures(),
        },
    )
    tables.idle.append(memory)
    return result


def search_batch(
    layout: Layout, cells: NDArray[np.uint8], request: Request, failures: int | None = None
) -> BatchResult:
    """Search many boards of a layout one by one, in as many threads as asked for."""
    tables_of(layout)
    SEARCH.loaded()  # so that no board waits for it
    stop = threading.Event()

    def search(_: int, board: Board) -> Result:
        if stop.is_set():
            raise _Stopped
        return search_board(board, request, time.perf_counter(), failures)

    size = -(-len(cells) // request.threads) or 1
    parts = [slice(at, at + size) for at in range(0, len(cells), size)]
    if len(parts) < 2:
        return search_each(search, layout, cells)
    with ThreadPoolExecutor(len(parts)) as executor:
        futures = [executor.submit(search_each, search, layout, cells[part]) for part in parts]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
            results = [future.result() for future in futures]
        finally:
            stop.set()
    return joined(cells, zip(parts, results, strict=True))


class _Stopped(Exception):  # noqa: N818 - of a batch that is given up in another thread
    """Ends the other threads of a batch; its own error is the one that is raised."""


def taken(tables: Tables) -> Memory:
    """Return what no search is using, and no other finds until it is given back; or make it."""
    try:
        memory: Memory = tables.idle.pop()
    except IndexError:
        return Memory(tables)
    return memory


class Memory:
    """The memory of one search at a time; kept from search to search."""

    def __init__(self, tables: Tables) -> None:
        # Not the tables, in whose list this memory will be: a circle of arrays would wait for the
        # garbage collector, some 10 KB a layout.
        self._arrays = tables.arrays
        self._cells, self._restarts = tables.cells, tables.restarts
        self._loaded = SEARCH.loaded()
        self.registers = registers = tables.registers[:]
        self._places = places_of(registers)
        cells = tables.cells
        self._candidates, self._grid = Struct(f"{cells}q"), Struct(f"{cells}B")
        self._numbers = room_of(registers, tables.work)
        self._stack, self._guesses = zeros(0), zeros(0)
        self._grids = array("B", bytes(ROOM * cells))
        registers[reg.GRIDS_AT], registers[reg.ROOM] = address(self._grids), ROOM
        self._grow()

    def search(self, end: float | None, looked: float) -> tuple[Stop, list[Grid]]:
        """Search for what was asked; return why it stops, and the grids.

        Args:
            end: when to stop on the clock; None for never.
            looked: the clock as the search begins.
        """
        registers, grids, ticks = self.registers, list[Grid](), FIRST_TICKS
        while end is None or looked < end:
            pause = self.go_on()
            if (stop := STOPS.get(pause)) is not None:
                return stop, grids + self._handed_out()
            if pause == Returned.STACK:
                self._grow()
            elif pause == Returned.GRIDS:
                grids += self._handed_out()
            before, looked = looked, time.perf_counter()
            if pause == Returned.CLOCK:
                aim = SECONDS_BETWEEN_LOOKS
                if end is not None:
                    aim = min(aim, max(end - looked, LEAST_BETWEEN_LOOKS))
                pace = aim / max(looked - before, 1e-6)
                ticks = max(1, min(int(ticks * min(pace, 4)), 10**9))
                registers[reg.UNTIL] = registers[reg.TICKS] + ticks
        return Stop.TIME, grids + self._handed_out()

    def go_on(self) -> int:
        """Search until the next pause, and return which of `Returned` it is."""
        self._loaded.call(*self._places)
        return self.registers[reg.PAUSE]

    def is_waiting(self, constraint: int) -> bool:
        """Return whether a constraint is in the queue."""
        queue = (self.registers[reg.QUEUE_AT] - self.registers[reg.CANDIDATES_AT]) // 8
        return bool(self._numbers[queue + (constraint >> 6)] >> (constraint & 63) & 1)

    def figures(self) -> dict[str, float]:
        """Return the statistics of the last search."""
        return {name: self.registers[place] for name, place in FIGURES.items()}

    def begin(self, candidates: Sequence[int], request: Request, failures: int | None) -> None:
        """Write what is asked into memory."""
        self._candidates.pack_into(self._numbers, 0, *candidates)
        wanted = request.solutions
        keep = UNLIMITED if request.keep is None else request.keep
        # In the order of the registers from here on; what follows them is 0.
        asked = (
            UNLIMITED if wanted is None else wanted,
            UNLIMITED if request.node_limit is None else request.node_limit,
            UNLIMITED if failures is None else failures,
            keep,
            FIRST_RUN if self._restarts else 0,
            -1,
            FIRST_TICKS,
        )
        rest = reg.REGISTERS - reg.LIMIT - len(asked)
        self.registers[reg.LIMIT :] = array("q", asked + (0,) * rest)

    def _handed_out(self) -> list[Grid]:
        """Take the grids that were found since the last time."""
        cells, found = self._cells, self.registers[reg.KEPT]
        self.registers[reg.KEPT] = 0
        return [self._grid.unpack_from(self._grids, at) for at in range(0, found * cells, cells)]

    def _grow(self) -> None:
        """Double the room for saved states."""
        depth = self.registers[reg.DEPTH]
        more = max(depth, FIRST_DEPTH)
        self._stack.extend(zeros(more * self._cells))
        self._guesses.extend(zeros(more * 2))
        self.registers[reg.DEPTH] = depth + more
        self.registers[reg.STACK_AT] = address(self._stack)
        self.registers[reg.GUESSES_AT] = address(self._guesses)
