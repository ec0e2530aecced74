"""The search by CPMpy, in this process or in another that is ended at the limit."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from typing import Literal, get_args, get_type_hints

from cpmpy.solvers.solver_interface import ExitStatus
from cpmpy.solvers.utils import SolverLookup

from unidoku.backends.adapters.cpmpy.model import Child, grid_of, posted
from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import Value, checked, options_of
from unidoku.backends.sum_range import larger_sums
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.stopping import stopped_from_outside
from unidoku.core.board import Board
from unidoku.core.transforms.lower import narrowed
from unidoku.errors import OptionError, UnsupportedError

_CHOCO = "0.3"
"""The first version of pychoco with which CPMpy loses solutions."""

_ORTOOLS: dict[str, Value] = {
    "num_workers": 1,
    "catch_sigint_signal": False,
    "keep_all_feasible_solutions_in_presolve": True,
    "presolve_inclusion_work_limit": 0,
}
"""The parameters of OR-Tools when CPMpy enumerates with it."""

_OF_LITERAL, _OF_CANDIDATE = 0.5e-6, 3.5e-6
"""Seconds for each literal of the rules, and each candidate, by which OR-Tools may end late.

Its presolve looks at the clock between steps over the whole model.
"""

_IN_FLOATS = ("cplex", "gurobi")
"""The solvers that take a number for whole if a hundred-thousandth is missing."""

_MOST_IN_FLOATS = 10_000
"""What a weighted sum may reach with them."""

_CHILDREN: Models[Child] = Models()


@dataclass(frozen=True, slots=True, kw_only=True)
class CPMpy:
    """Solvers through CPMpy.

    Statistics: ``init_time`` and ``solve_time`` (seconds).

    Args:
        solver: CPMpy's name of the solver, which must be installed. ``pysat`` needs ``pip install
            pypblib``, ``choco`` needs a pychoco below 0.3. ``gurobi`` and ``cplex`` need their
            licences (``pip install gurobipy``, ``pip install cplex docplex``) and compute in
            floats: sums above 10,000 are refused. ``exact`` (``pip install exact``) is AGPL-3.0.
    """

    solver: Literal["ortools", "choco", "cplex", "exact", "gurobi", "pumpkin", "pysat", "z3"] = (
        "ortools"
    )

    def __post_init__(self) -> None:
        checked("cpmpy", self)
        solvers = dict(SolverLookup.base_solvers())
        if self.solver not in solvers or not solvers[self.solver].supported():
            known = get_args(get_type_hints(type(self))["solver"])
            installed = [name for name in known if name in solvers and solvers[name].supported()]
            raise OptionError(
                f"cpmpy: CPMpy finds no solver {self.solver!r}; use one of {', '.join(installed)}"
            )
        if self.solver == "pysat" and find_spec("pypblib") is None:
            raise OptionError("cpmpy: solver 'pysat' needs pypblib; pip install pypblib")
        if self.solver == "choco" and (version := metadata.version("pychoco")) >= _CHOCO:
            raise OptionError(
                f"cpmpy: solver 'choco' needs pychoco below {_CHOCO}, got {version}, with which "
                "CPMpy loses solutions; use backend 'choco'"
            )

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the solver and its parameters other than the time limit."""
        return options_of(self) | (_ORTOOLS if self.solver == "ortools" else {})

    def search(self, board: Board, request: Request) -> Result:
        """Enumerate with OR-Tools; find one solution after the other with any other solver."""
        if self.solver in _IN_FLOATS and (larger := larger_sums(_MOST_IN_FLOATS, board.layout)):
            raise UnsupportedError(f"cpmpy[solver={self.solver}] {larger}", (larger,))
        search = _Search(board, request)
        if 0 in search.board.candidates:
            return search.collector.result(Stop.EXHAUSTED, {})
        try:
            stop = search.all() if self.solver == "ortools" else search.one_by_one(self.solver)
        except LimitReached as limit:
            stop = limit.stop
        begun = search.init_time
        times = {} if begun is None else search.budget.times(begun)
        return search.collector.result(stop, times)


class _Search:
    """A search of a board; its time begins when it is made."""

    def __init__(self, board: Board, request: Request) -> None:
        self.budget, self.collector = Budget(request), SolutionCollector(request)
        self.board, self.request = narrowed(board), request
        self.init_time: float | None = None  # once the model is built

    def one_by_one(self, solver: str) -> Stop:
        """Find solutions in another process, each by a search of its own."""
        board, budget = self.board, self.budget
        with _CHILDREN.lend(board.layout, solver, Child) as child:
            for grid in child.solutions(solver, board, self.request.solutions, budget):
                if grid is None:
                    self.init_time = budget.elapsed
                else:
                    self.collector.add(grid)
                    budget.check_time()
        return Stop.SOLUTIONS if self.collector.enough else Stop.EXHAUSTED

    def all(self) -> Stop:
        """Enumerate with OR-Tools and one worker."""
        layout, collector = self.board.layout, self.collector
        cells, native, size = posted("ortools", self.board)
        self.init_time = self.budget.elapsed
        late = size.literals * _OF_LITERAL + len(layout) * layout.n * _OF_CANDIDATE
        remaining = self.budget.left_to_search(late)
        stop = native.ort_solver.stop_search

        def collect() -> None:
            keeps = collector.keeps_next
            if not collector.enough and collector.add(grid_of(cells) if keeps else None):
                stop()

        with stopped_from_outside(stop):
            native.solveAll(display=collect, time_limit=remaining, **_ORTOOLS)
        if native.status().exitstatus in (ExitStatus.OPTIMAL, ExitStatus.UNSATISFIABLE):
            return Stop.EXHAUSTED
        return Stop.SOLUTIONS if collector.enough else Stop.TIME
