"""The choice among the three engines, for one board and for many."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.batch import BatchResult, collected, joined, search_each
from unidoku.backends.native import python, relief
from unidoku.backends.native.choice import (
    LONGEST_START,
    PATIENCE,
    expect,
    lanes_lack,
    of_python,
    prefers_lanes,
    single_lack,
    suits_lanes,
)
from unidoku.backends.native.engines import EngineError, import_engine, problem
from unidoku.backends.options import Value, checked, options_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.errors import OptionError, UnsupportedError
from unidoku.support.deadline import Deadline
from unidoku.support.logs import logger
from unidoku.support.user_dirs import cache_folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_LOG = logger(__name__)

_TAKES_OVER = "%s takes over from Python after %.2f s: %d of %d boards are left"


@dataclass(frozen=True, slots=True)
class Native:
    """Unidoku's own solver, for any layout.

    Args:
        engine: ``python``, ``single`` (one compiled search for all layouts and rules) or ``lanes``
            (many boards at once, compiled for each layout); ``auto`` chooses by the rule in
            `unidoku.backends.native.choice`.
        lanes: boards searched at once, a power of two from 8 to 64; by default as many as fill this
            machine's vectors. Needs ``engine=lanes``.
        bands: whether rows or columns of boxes have logic of their own; if false, all deductions
            come from single units and their crossings. ``false`` needs ``engine=lanes``.

    Statistics: ``nodes`` (states propagated), ``init_time`` (seconds to load or compile what the
    layout needs) and ``solve_time`` (seconds); ``python`` and ``single`` add ``failures``
    (contradictions), ``single`` adds ``propagations`` and ``restarts``, ``lanes`` adds ``rounds``
    (rounds of propagation, summed over all lanes) and ``lanes``.
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
        return self.search_within(board, request, None)

    def search_within(self, board: Board, request: Request, failures: int | None) -> Result:
        """Search one board; give up after that many failures in a row without a solution.

        The stop is then `Stop.INCOMPLETE`. A failure in Python counts as several (`OF_PYTHON`). A
        board that another engine gives up is searched again by `single`, with the same limit of
        failures, if `single` may be used.
        """
        begun = time.perf_counter()
        if request.threads > 1:
            raise UnsupportedError(
                f"native cannot honour threads={request.threads} for one board or for boards with "
                "pencil marks: threads share the other boards of a batch; use threads=1, or search "
                "many boards at once"
            )
        try:
            return self._search(board, request, begun, failures)
        except EngineError:
            if self.engine != "auto":
                raise
            # From now on it is not chosen.
            left = Deadline(request.time_limit, begun).limit
            return self._search(board, replace(request, time_limit=left), begun, failures)

    def _search(self, board: Board, request: Request, begun: float, failures: int | None) -> Result:
        """Search one board with the engines that are chosen for it."""
        match self._begins(board.layout, request):
            case "lanes":
                result = self._search_in_lanes(board, request, begun, failures)
            case "single":
                return _search_in_single(board, request, begun, failures)
            case _ if self.engine == "python":
                return python.search(board, request, None, of_python(failures))
            case _:
                return self._search_by_turns(board, request, begun, failures)
        return self._or_single(result, board, request, begun, failures)

    def _begins(self, layout: Layout, request: Request) -> str:
        """Return the engine that begins with a board; refuse one that does not support it."""
        if self.engine == "single" and (reason := single_lack(layout)):
            raise UnsupportedError(f"native[engine=single] {reason}; use engine=python")
        if self.engine in ("single", "python"):
            return self.engine
        if self._takes_lanes(layout, 1, request.time_limit) and (
            self.engine == "lanes" or suits_lanes(layout) or single_lack(layout)
        ):
            return "lanes"
        return (
            "single" if not single_lack(layout) and relief.is_due(request.time_limit) else "python"
        )

    def _search_by_turns(
        self, board: Board, request: Request, begun: float, failures: int | None
    ) -> Result:
        """Search in Python until another engine is loaded and may be faster."""
        limit = request.time_limit
        lanes = self._hands_over(board.layout, limit) and not _is_for_single(board.layout)
        budget = relief.Awaited(
            replace(request, time_limit=PATIENCE) if lanes else request,
            single=not single_lack(board.layout),
        )
        try:
            result = python.search(board, request, budget, of_python(failures))
        except relief.Relieved:
            _LOG.info(_TAKES_OVER, "single", budget.elapsed, 1, 1)
            return _search_in_single(board, request, begun, failures)
        finally:
            budget.close()
        if lanes and result.stop is Stop.TIME:
            _LOG.info(_TAKES_OVER, "lanes", budget.elapsed, 1, 1)
            result = self._search_in_lanes(board, request, begun, failures)
        return self._or_single(result, board, request, begun, failures)

    def _or_single(
        self, result: Result, board: Board, request: Request, begun: float, failures: int | None
    ) -> Result:
        """Return the result, or the result of `single` for a board that another engine gave up."""
        if result.stop is not Stop.INCOMPLETE or self.engine != "auto":
            return result
        limit = request.time_limit
        left = None if limit is None else limit - (time.perf_counter() - begun)
        if single_lack(board.layout) or not relief.is_there(left):
            return result
        return _search_in_single(board, request, begun, failures)

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
            try:
                relief.load_or_compile()
                _single()
            except EngineError:
                if self.engine == "single":
                    raise

    def search_many(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request
    ) -> BatchResult:
        """Search many boards; the limits of the request apply to each board separately."""
        return self.search_many_within(layout, cells, request, None)

    def search_many_within(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request, failures: int | None
    ) -> BatchResult:
        """Search many boards; give up a board after that many failures without a solution."""
        try:
            return self._search_many(layout, cells, request, failures)
        except EngineError:
            if self.engine != "auto":
                raise
            return self._search_many(layout, cells, request, failures)  # it is not chosen any more

    def _search_many(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request, failures: int | None
    ) -> BatchResult:
        """Search many boards with the engines that are chosen for them."""
        match self._begins_with_many(layout, len(cells), request):
            case "lanes":
                return self._batch_in_lanes(layout, cells, request, failures)
            case "single":
                return _batch_in_single(layout, cells, request, failures)
            case _ if self.engine == "python":
                most = of_python(failures)
                return search_each(
                    lambda _, board: python.search(board, request, None, most), layout, cells
                )
            case _:
                return self._search_many_by_turns(layout, cells, request, failures)

    def _begins_with_many(self, layout: Layout, boards: int, request: Request) -> str:
        """Return the engine that begins with a batch; refuse what it does not support."""
        if self.engine == "single" and (reason := single_lack(layout)):
            raise UnsupportedError(f"native[engine=single] {reason}; use engine=python")
        lack = lanes_lack(layout) and single_lack(layout)
        if request.threads > 1 and (self.engine == "python" or (self.engine == "auto" and lack)):
            raise UnsupportedError(
                f"native cannot honour threads={request.threads} in Python; "
                f"{'ask for threads=1' if lack else 'use engine=lanes'}"
            )
        if self.engine in ("single", "python"):
            return self.engine
        if self._takes_lanes(layout, boards, None):
            return "lanes"
        single = self._single_takes_over(layout, request.time_limit)
        if single and (request.threads > 1 or relief.is_due(request.time_limit)):
            return "single"
        return "python"

    def _search_many_by_turns(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request, failures: int | None
    ) -> BatchResult:
        """Search in Python until another engine is loaded, then search the rest with it."""
        lanes = self._hands_over(layout, request.time_limit)
        single = self._single_takes_over(layout, request.time_limit)
        patience = Deadline(PATIENCE if lanes else None)
        done: list[Result] = []
        relieved = False
        for row in cells.tolist():
            left = patience.left
            relieved = single and relief.is_due(request.time_limit)
            if relieved or (left is not None and left <= 0):
                break
            asked = request if left is None else replace(request, time_limit=left)
            budget = relief.Awaited(asked, single=single)
            try:
                board = Board.from_values(layout, row)
                result = python.search(board, asked, budget, of_python(failures))
            except relief.Relieved:
                relieved = True
                break
            finally:
                budget.close()
            if lanes and result.stop is Stop.TIME:
                break
            done.append(result)
        first, rest = slice(len(done)), slice(len(done), None)
        found = collected(done, cells[first])
        if len(done) == len(cells):
            return found
        search = _batch_in_single if relieved else self._batch_in_lanes
        name, left_over = "single" if relieved else "lanes", len(cells) - len(done)
        _LOG.info(_TAKES_OVER, name, patience.elapsed, left_over, len(cells))
        return joined(
            cells, [(first, found), (rest, search(layout, cells[rest], request, failures))]
        )

    def _takes_lanes(self, layout: Layout, boards: int, limit: float | None) -> bool:
        """Return whether the lanes search the boards from the start."""
        if self.engine == "lanes" and (reason := lanes_lack(layout)):
            raise UnsupportedError(f"native[engine=lanes] {reason}; use engine=python")
        if self.engine == "auto":
            return prefers_lanes(layout, boards, limit, self.lanes, bands=self.bands)
        return self.engine == "lanes"

    def _hands_over(self, layout: Layout, limit: float | None) -> bool:
        """Return whether the lanes take over the boards that Python does not solve soon."""
        in_time = limit is None or limit >= PATIENCE + LONGEST_START
        return in_time and not lanes_lack(layout)

    def _single_takes_over(self, layout: Layout, limit: float | None) -> bool:
        """Return whether the compiled search, and not the lanes, takes over a batch."""
        lanes = self._hands_over(layout, limit) and suits_lanes(layout)
        return not (lanes or single_lack(layout))

    def _search_in_lanes(
        self, board: Board, request: Request, begun: float, failures: int | None
    ) -> Result:
        lanes = _lanes()
        kernel = lanes.kernel(board.layout, self.lanes, bands=self.bands)
        result: Result = lanes.search_board(kernel, board, request, begun, failures)
        return result

    def _batch_in_lanes(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request, failures: int | None
    ) -> BatchResult:
        lanes = _lanes()
        kernel = lanes.kernel(layout, self.lanes, bands=self.bands)
        result: BatchResult = lanes.search_batch(kernel, cells, request, failures)
        return result


def _is_for_single(layout: Layout) -> bool:
    """Return whether Python is better than the lanes for a board until `single` is loaded."""
    return not (suits_lanes(layout) or single_lack(layout) or cache_folder() is None)


def _batch_in_single(
    layout: Layout, cells: NDArray[np.uint8], request: Request, failures: int | None
) -> BatchResult:
    result: BatchResult = _single().search_batch(layout, cells, request, failures)
    return result


def _search_in_single(board: Board, request: Request, begun: float, failures: int | None) -> Result:
    result: Result = _single().search_board(board, request, begun, failures)
    return result


@cache
def _lanes() -> ModuleType:
    """Import the lanes together with LLVM and numpy, which takes 0.2 s."""
    return import_engine("lanes.search", "llvmlite", "numpy")


@cache
def _single() -> ModuleType:
    """Import the compiled search together with LLVM, which takes 0.1 s."""
    return import_engine("single.search", "llvmlite")
