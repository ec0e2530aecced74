"""The choice among the engines, for one board and for many."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.batch import BatchResult
from unidoku.backends.native.choice import expect, lanes_lack, prefers_lanes, single_lack
from unidoku.backends.native.driver import UNLIMITED
from unidoku.backends.native.engines import EngineError, code_lack, problem, require
from unidoku.backends.native.single.boards import search_batch, search_in_turns
from unidoku.backends.native.single.build.cages import sums_of_cages
from unidoku.backends.native.single.function import INTERPRETED, Function, best, compiled
from unidoku.backends.options import Value, checked, options_of
from unidoku.backends.turns import Turns, at_once
from unidoku.backends.visit import Visit
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.errors import OptionError, UnsupportedError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from unidoku.core.transforms.implied import SumFinder


OF_FAILURE = 50
"""Number of propagations that come with a failure, where failures alone are counted."""


@dataclass(frozen=True, slots=True)
class Native:
    """Unidoku's own solver, for layouts of up to 62 values (64 by the lanes) and 4,096 cells.

    Args:
        engine: ``single`` (one compiled search for all layouts and rules), ``python`` (the same
            search as plain Python, about a hundred times slower, with the same results) or
            ``lanes`` (many boards at once, compiled for each layout); ``auto`` chooses by the rule
            in `unidoku.backends.native.choice`.
        lanes: boards searched at once, a power of two from 8 to 64; by default as many as fill this
            machine's vectors. Needs ``engine=lanes``.
        bands: whether rows or columns of boxes have logic of their own; if false, all deductions
            come from single units and their crossings. ``false`` needs ``engine=lanes``.

    Statistics: ``nodes`` (states propagated), ``init_time`` (seconds to load or compile what the
    layout needs) and ``solve_time`` (seconds); ``python`` and ``single`` add ``failures``
    (contradictions), ``propagations`` and ``restarts``, ``lanes`` adds ``rounds`` (rounds of
    propagation, summed over all lanes) and ``lanes``.
    """

    engine: Literal["auto", "python", "single", "lanes"] = "auto"
    lanes: Literal[8, 16, 32, 64] | None = None
    bands: bool = True

    def __post_init__(self) -> None:
        checked("native", self)
        if self.engine != "lanes" and (self.lanes is not None or not self.bands):
            raise OptionError(
                f"native: options 'lanes' and 'bands' need engine=lanes, got {self.engine}"
            )

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the options and the number of threads that share a batch."""
        return options_of(self) | {"threads": request.threads}

    def search(self, board: Board, request: Request) -> Result:
        """Search one board; raise UnsupportedError if the engine does not support it."""
        return at_once(self.search_in_turns(board, request, UNLIMITED))

    def trace(self, board: Board, request: Request) -> Iterator[Visit]:
        """Yield the nodes of the search by ``single``, as Python, in its order."""
        from unidoku.backends.native.single.visits import visits

        if lack := single_lack(board.layout):
            raise UnsupportedError(f"native tells only searches by its engine single: {lack}")
        return visits(board, request)

    def search_in_turns(self, board: Board, request: Request, turn: int) -> Turns:
        """Search one board in turns of about so much work.

        The lanes cannot pause: they begin again, and each turn is twice as long as the one before.
        """
        begun = time.perf_counter()
        if request.threads > 1:
            raise UnsupportedError(
                f"native cannot honour threads={request.threads} for one board or for boards with "
                "pencil marks: threads share the other boards of a batch; use threads=1, or search "
                "many boards at once"
            )
        if self._takes_lanes(board.layout, 1):
            return self._lanes_in_turns(board, request, begun, turn)
        function = self._function(request.time_limit)
        return search_in_turns(board, request, begun, None, turn, function)

    @property
    def find_sums(self) -> SumFinder | None:
        """The function that finds implied sums by machine code; None for that in Python."""
        return None if self.engine == "python" else sums_of_cages

    def expect(self, layout: Layout, boards: int) -> None:
        """Use the lanes from the first board on if many boards will follow."""
        expect(layout, boards)

    @staticmethod
    def problem() -> str | None:
        """Return why the compiled engines cannot be used; None if they can."""
        return (why := problem()) and f"without its compiled engines: it {why}"

    def prepare(self, layout: Layout) -> None:
        """Load the compiled search, which is compiled first if the cache has not got it."""
        if self.engine in ("auto", "single") and not single_lack(layout):
            self._function(None)

    def search_many(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request
    ) -> BatchResult:
        """Search many boards; the limits of the request apply to each board separately."""
        return self.search_many_within(layout, cells, request, None)

    def search_many_within(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request, work: int | None
    ) -> BatchResult:
        """Search many boards; give up a board after about so much work without a solution.

        The engines count failures instead, see `OF_FAILURE`. The stop is then `Stop.INCOMPLETE`.
        """
        if self._takes_lanes(layout, len(cells)):
            try:
                return self._batch_in_lanes(layout, cells, request, _failures(work))
            except EngineError:  # from now on they are not chosen
                if self.engine != "auto" or self._takes_lanes(layout, len(cells)):
                    raise
        function = self._function(None)
        assert function is not None, "without a limit"
        if request.threads > 1 and function is INTERPRETED:
            raise UnsupportedError(
                f"native cannot honour threads={request.threads} in Python; ask for threads=1"
            )
        failures = _failures(work, function.work)
        return search_batch(layout, cells, request, failures, function=function)

    def _takes_lanes(self, layout: Layout, boards: int) -> bool:
        """Return whether the lanes search the boards; refuse what no engine supports."""
        if self.engine == "lanes":
            if lack := lanes_lack(layout):
                raise UnsupportedError(f"native[engine=lanes] {lack}; use engine=single")
            return True
        lack = single_lack(layout)
        if self.engine == "auto" and (lack or boards > 1) and not lanes_lack(layout):
            return lack is not None or prefers_lanes(layout, boards)
        if lack:
            name = "native" if self.engine == "auto" else f"native[engine={self.engine}]"
            raise UnsupportedError(f"{name} {lack}; use another backend")
        return False

    def _function(self, limit: float | None) -> Function | None:
        """Return the search in the form that the engine uses; None if it is not ready in time."""
        if self.engine == "python":
            return INTERPRETED
        if self.engine == "auto":
            return best(limit)
        if lack := code_lack():
            raise UnsupportedError(f"native[engine=single] {lack}; use engine=python")
        return compiled(limit)

    def _lanes_in_turns(self, board: Board, request: Request, begun: float, turn: int) -> Turns:
        require("numpy")
        from unidoku.backends.native.lanes import search as lanes

        code = lanes.kernel(board.layout, self.lanes, bands=self.bands)
        while True:
            result = lanes.search_board(code, board, request, begun, _failures(turn))
            if result.stop is not Stop.INCOMPLETE:
                return result
            yield turn
            turn *= 2

    def _batch_in_lanes(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request, failures: int | None
    ) -> BatchResult:
        require("numpy")
        from unidoku.backends.native.lanes import search as lanes

        code = lanes.kernel(layout, self.lanes, bands=self.bands)
        return lanes.search_batch(code, cells, request, failures)


def _failures(work: int | None, of_propagation: int = 1) -> int | None:
    """Return the number of failures after which that work is done."""
    return None if work is None else max(1, work // (OF_FAILURE * of_propagation))
