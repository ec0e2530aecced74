"""The choice between the two engines, for one board and for many."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.batch import BatchResult, collected, joined, search_each
from unidoku.backends.native import python
from unidoku.backends.native.choice import (
    LONGEST_START,
    PATIENCE,
    expect,
    lanes_lack,
    prefers_lanes,
)
from unidoku.backends.options import Value, checked, options_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.deadline import Deadline
from unidoku.errors import OptionError, UnsupportedError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from unidoku.backends.native.lanes.compile import Kernel


@dataclass(frozen=True, slots=True)
class Native:
    """Unidoku's own solver, for any layout.

    Args:
        engine: ``python`` or ``lanes``; ``auto`` chooses by the rule in
            `unidoku.backends.native.choice`.
        lanes: boards worked at once, a power of two from 8 to 64; as many as fill this
            machine's vectors if not given. Needs ``engine=lanes``.
        bands: whether rows or columns of boxes have logic of their own; without, all comes from
            single units and their crossings. ``false`` needs ``engine=lanes``.

    Statistics: ``nodes`` (states propagated), ``init_time`` (seconds, to load or compile what the
    layout needs) and ``solve_time`` (seconds); in Python ``failures`` (contradictions) too, in
    lanes ``rounds`` (of propagation, of all lanes together) and ``lanes``.
    """

    engine: Literal["auto", "python", "lanes"] = "auto"
    lanes: Literal[8, 16, 32, 64] | None = None
    bands: bool = True

    def __post_init__(self) -> None:
        checked("native", self)
        if self.engine != "lanes" and (self.lanes is not None or not self.bands):
            raise OptionError(
                f"native: options 'lanes' and 'bands' need engine=lanes, got {self.engine}"
            )

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the options, and the threads that share a batch."""
        return options_of(self) | {"threads": request.threads}

    def search(self, board: Board, request: Request) -> Result:
        """Search one board; without the lanes that the option demands, UnsupportedError."""
        if request.threads > 1:
            raise UnsupportedError(
                f"native cannot honour threads={request.threads} for one board, nor for those with "
                "pencil marks: threads share the others of a batch; ask for threads=1, or for "
                "many boards at once"
            )
        if self._takes_lanes(board.layout, 1, request.time_limit):
            return self._search_in_lanes(board, request)
        limit = request.time_limit
        if not self._hands_over(board.layout, limit):
            return python.search(board, request)
        begun = time.perf_counter()
        result = python.search(board, replace(request, time_limit=PATIENCE))
        if result.stop is not Stop.TIME:
            return result
        left = None if limit is None else limit - (time.perf_counter() - begun)
        return self._search_in_lanes(board, replace(request, time_limit=left))

    def expect(self, layout: Layout, boards: int) -> None:
        """Take the lanes from the first board on, where many are to come."""
        expect(layout, boards)

    def search_many(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request
    ) -> BatchResult:
        """Search many boards; the limits of the request hold for each by itself."""
        lack = lanes_lack(layout)
        if request.threads > 1 and (self.engine == "python" or (self.engine == "auto" and lack)):
            raise UnsupportedError(
                f"native cannot honour threads={request.threads} in Python; "
                f"{'ask for threads=1' if lack else 'use engine=lanes'}"
            )
        if self._takes_lanes(layout, len(cells), None):
            result: BatchResult = _lanes().search_batch(self._kernel(layout), cells, request)
            return result
        if self._hands_over(layout, request.time_limit):
            return self._search_by_turns(layout, cells, request)
        return search_each(lambda _, board: python.search(board, request), layout, cells)

    def _search_by_turns(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request
    ) -> BatchResult:
        """Search in Python until `PATIENCE` seconds are over, and the rest in lanes."""
        patience = Deadline(PATIENCE)
        done: list[Result] = []
        for row in cells.tolist():
            left = patience.left or 0
            if left <= 0:
                break
            result = python.search(
                Board.from_values(layout, row), replace(request, time_limit=left)
            )
            if result.stop is Stop.TIME:
                break
            done.append(result)
        first, rest = slice(len(done)), slice(len(done), None)
        found = collected(done, cells[first])
        if len(done) == len(cells):
            return found
        in_lanes = _lanes().search_batch(self._kernel(layout), cells[rest], request)
        return joined(cells, [(first, found), (rest, in_lanes)])

    def _takes_lanes(self, layout: Layout, boards: int, limit: float | None) -> bool:
        """Tell whether the lanes take boards at once."""
        if self.engine == "lanes" and (reason := lanes_lack(layout)):
            raise UnsupportedError(f"native[engine=lanes] {reason}; use engine=python")
        if self.engine == "auto":
            return prefers_lanes(layout, boards, limit, self.lanes, bands=self.bands)
        return self.engine == "lanes"

    def _hands_over(self, layout: Layout, limit: float | None) -> bool:
        """Tell whether the lanes take over what Python does not decide soon."""
        in_time = limit is None or limit >= PATIENCE + LONGEST_START
        return self.engine == "auto" and in_time and not lanes_lack(layout)

    def _kernel(self, layout: Layout) -> Kernel:
        kernel: Kernel = _lanes().kernel(layout, self.lanes, bands=self.bands)
        return kernel

    def _search_in_lanes(self, board: Board, request: Request) -> Result:
        begun = time.perf_counter()
        kernel = self._kernel(board.layout)
        result: Result = _lanes().search_board(kernel, board, request, begun)
        return result


@cache
def _lanes() -> ModuleType:
    """Import the lanes, and with them Numba, which takes half a second."""
    from unidoku.backends.native.lanes import search

    return search
