"""The 0-1 program of a layout, kept in SCIP, and the search for all solutions in one tree."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal

import pyscipopt

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import Value, checked, options_of
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector
from unidoku.backends.toolkit.cover import grid_of
from unidoku.backends.toolkit.linear import LinearProgram
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.stopping import stopped_from_outside
from unidoku.core.bits import bit
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.transforms.lower import lower, narrowed
from unidoku.errors import BackendError

_scip: Any = pyscipopt  # claims to be typed, but its stubs lack half of it
_Handler: Any = pyscipopt.Conshdlr

_ONE_TREE: dict[str, Value] = {
    "misc/catchctrlc": False,
    "misc/allowstrongdualreds": False,
    "misc/allowweakdualreds": False,
    "misc/usesymmetry": 0,
    "presolving/maxrounds": 0,
    "presolving/maxrestarts": 0,
    "estimation/restarts/restartpolicy": "n",
}
"""Parameters with which a tree has all solutions, each once."""

_FOREVER = 1e20
"""What SCIP takes for no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scip:
    """SCIP, the solver of integer and constraint programs.

    In one run, the proof that an easy and three hard 9×9 boards have one solution took 0.01, 0.02,
    0.04 and 0.08 seconds of processor time, and all 288 grids of 4×4 took 0.04; by the manual, in
    SCIP's own settings with a cut for each solution, 0.01, 0.02, 0.16, 0.18 and 5.0.

    Statistics: ``init_time`` and ``solve_time`` (seconds), ``nodes`` (nodes of its tree).

    Args:
        emphasis: the settings of SCIP by its own names: ``cpsolver`` propagates and branches
            without linear relaxations; ``counter`` is what SCIP counts with.
    """

    emphasis: Literal["cpsolver", "counter"] = "cpsolver"

    def __post_init__(self) -> None:
        checked("scip", self)

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the options and the parameters of SCIP other than the time limit."""
        return options_of(self) | _ONE_TREE | _random(request)

    def search(self, board: Board, request: Request) -> Result:
        """Run the program of the layout, with the board's candidates as bounds."""
        budget, collector = Budget(request), SolutionCollector(request)
        board = narrowed(board)
        layout = board.layout
        try:
            with _PROGRAMS.lend(layout, self, lambda: _Program(layout, self, budget)) as program:
                program.start(board, request, collector)
                init_time = budget.elapsed
                with stopped_from_outside(program.interrupt):
                    stop = program.run(budget)
                nodes = program.nodes
        except LimitReached as limit:  # raised while the rows were written
            return collector.result(limit.stop, {"init_time": budget.elapsed})
        return collector.result(stop, budget.times(init_time) | {"nodes": nodes})


def _random(request: Request) -> dict[str, Value]:
    """Return the parameters of a seed: it permutes the variables, and without one nothing is."""
    seed = (request.seed or 0) % 2**31
    return {
        "randomization/randomseedshift": seed,
        "randomization/permutationseed": seed,
        "randomization/permutevars": request.seed is not None,
    }


class _SolutionHandler(_Handler):  # type: ignore[misc]  # its base has no types
    """The constraint that no solution keeps, which takes the solutions."""

    def __init__(self, variables: Sequence[Any], layout: Layout) -> None:
        self.variables = variables
        self.layout = layout
        self.size = len(layout) * layout.n
        # Only the columns of alternatives may be 0 or 1 in the same grid.
        self.repeats = bool(lower(layout).alternatives)
        self.start(SolutionCollector(Request()))

    def start(self, collector: SolutionCollector) -> None:
        """Forget the last search."""
        self.collector = collector
        self.taken: set[tuple[int, ...]] = set()

    def consinitsol(self, constraints: Any) -> None:
        self.transformed = [self.model.getTransformedVar(x) for x in self.variables]

    def _at_node(self, *_: Any) -> dict[str, Any]:
        """Take the solution of a node in which all variables are fixed; branch at others."""
        lows = [variable.getLbLocal() for variable in self.transformed]
        size, collector = self.size, self.collector
        ones = tuple([column for column, low in enumerate(lows[:size]) if low > 0.5])
        if len(ones) < len(self.layout):
            return {"result": _scip.SCIP_RESULT.INFEASIBLE}
        if ones not in self.taken:
            for variable, low in zip(self.transformed[size:], lows[size:], strict=True):
                if low < 0.5 < variable.getUbLocal():
                    return {"result": _scip.SCIP_RESULT.INFEASIBLE}
            if self.repeats:
                self.taken.add(ones)
            if not collector.enough:
                collector.add(grid_of(self.layout, ones) if collector.keeps_next else None)
            if collector.enough:
                self.model.interruptSolve()
        return {"result": _scip.SCIP_RESULT.CUTOFF}

    consenfolp = consenfops = _at_node

    def conscheck(self, *_: Any) -> dict[str, Any]:
        """Refuse what is not the solution of a node."""
        return {"result": _scip.SCIP_RESULT.INFEASIBLE}

    def conslock(self, constraint: Any, locktype: int, above: int, below: int) -> None:
        """Forbid to fix variables only because no row objects."""
        for variable in self.variables:
            self.model.addVarLocksType(variable, locktype, above + below, above + below)


_ENDING = 0.5
"""Seconds that a search takes to end once its time is up, for each second of building its program.

SCIP looks at the clock between nodes and rounds of presolving, and then frees what it derived.
"""


class _Program:
    """The program of a layout, and the handler that takes its solutions."""

    def __init__(self, layout: Layout, options: Scip, budget: Budget) -> None:
        begun = budget.elapsed
        self.model = model = _scip.Model("board")
        model.hideOutput()
        model.setEmphasis(getattr(_scip.SCIP_PARAMEMPHASIS, options.emphasis.upper()), True)
        model.setHeuristics(_scip.SCIP_PARAMSETTING.OFF)
        for name, value in _ONE_TREE.items():
            model.setParam(name, value)
        self.variables: list[Any] = []
        for low, high, columns, weights in LinearProgram(layout, budget).rows():
            budget.check_time()
            for _ in range(len(self.variables), 1 + max(columns, default=0)):
                self.variables.append(model.addVar(vtype="B"))
            total = self._total(columns, weights)
            if low == high:
                model.addCons(total == low)
                continue
            if low > -math.inf:
                model.addCons(total >= low)
            if high < math.inf:
                model.addCons(total <= high)
        self.handler = _SolutionHandler(self.variables, layout)
        model.includeConshdlr(
            self.handler,
            "solutions",
            "takes solutions",
            enfopriority=-1_000_000,
            chckpriority=-1_000_000,
            needscons=False,
        )
        self.bounds = [True] * self.handler.size
        self.to_end = _ENDING * (budget.elapsed - begun)

    def _total(self, columns: Iterable[int], weights: Iterable[int]) -> Any:
        terms = zip(columns, weights, strict=True)
        return _scip.quicksum(weight * self.variables[column] for column, weight in terms)

    def start(self, board: Board, request: Request, collector: SolutionCollector) -> None:
        """Set the candidates of a board."""
        self.handler.start(collector)
        self.nodes = 0
        for name, value in _random(request).items():
            self.model.setParam(name, value)
        values = range(1, board.layout.n + 1)
        bounds = [bool(mask & bit(value)) for mask in board.candidates for value in values]
        for at, bound in enumerate(bounds):
            if bound != self.bounds[at]:
                self.model.chgVarUb(self.variables[at], float(bound))
        self.bounds = bounds

    def interrupt(self) -> None:
        """End the search soon; while it begins SCIP raises instead, and is asked again."""
        if self.model.getStage() != _scip.SCIP_STAGE.INITSOLVE:
            with suppress(Exception):
                self.model.interruptSolve()

    def run(self, budget: Budget) -> Stop:
        """Search the tree, unless that would end too late; return why the search ended."""
        model = self.model
        try:
            remaining = budget.left_to_search(self.to_end)
        except LimitReached as limit:
            return limit.stop
        model.setParam("limits/time", _FOREVER if remaining is None else remaining)
        with _interrupts_afterwards():
            model.optimizeNogil()
        self.nodes, status = int(model.getNNodes()), model.getStatus()
        model.freeTransform()
        if status == "infeasible":
            return Stop.EXHAUSTED
        if self.handler.collector.enough:
            return Stop.SOLUTIONS
        if status == "userinterrupt":
            budget.check_time()
        elif status != "timelimit":
            raise BackendError(f"scip: expected no more solutions, or a limit; got {status!r}")
        return Stop.TIME


@contextmanager
def _interrupts_afterwards() -> Iterator[None]:
    """Have Ctrl-C raise KeyboardInterrupt when the body has ended, because a callback loses it.

    `stopped_from_outside` notices it meanwhile, and ends the body.
    """
    handler = None
    if threading.current_thread() is threading.main_thread():  # others cannot have handlers
        handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):  # it is ignored, or the business of another library
        yield
        return
    interrupts: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if interrupts:
            signal.raise_signal(signal.SIGINT)


_PROGRAMS: Models[_Program] = Models()
