"""OR-Tools CP-SAT: AllDifferent over the units, the solver's own enumeration.

Two habits of CP-SAT are kept from our users:

- With more than one worker its enumeration loses solutions and still says OPTIMAL (168 of the
  288 grids of the empty 4x4 board). Whenever more than one solution is asked, one worker it is.
- It takes Ctrl-C for itself: the first is swallowed during a solve, one after a solve ends the
  process without cleaning up. Its handler is switched off, and the solve runs in a thread of
  its own, so that the main thread can hear Ctrl-C and stop the search.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ortools.sat.python import cp_model

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import option_type_error, unknown_option_error
from unidoku.backends.tools import Budget, Tally
from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.rules import NonConsecutive
from unidoku.errors import BackendError, OptionError, UnsupportedError

__all__ = ["CpSat"]

_OURS: Mapping[str, str] = {
    "max_time_in_seconds": "use time_limit",
    "max_deterministic_time": "use time_limit, the only limit that can be told apart",
    "max_number_of_conflicts": "use time_limit, the only limit that can be told apart",
    "random_seed": "use seed",
    "enumerate_all_solutions": "use solutions",
    "stop_after_first_solution": "use solutions",
    "keep_all_feasible_solutions_in_presolve": "without it enumeration loses solutions",
    "catch_sigint_signal": "Unidoku handles Ctrl-C",
    "num_search_workers": "use num_workers, its newer name",
}
"""Parameters that say what the request says, or that would make answers wrong."""


@dataclass(frozen=True, slots=True, init=False)
class CpSat:
    """CP-SAT, its own parameters of one value as options, such as ``linearization_level=0``.

    Without ``num_workers`` it uses as many workers as the request has threads.

    Statistics: ``init_time`` and ``solve_time`` (seconds), ``workers``, ``nodes`` (branches),
    ``failures`` (conflicts), ``propagations`` (of Booleans).

    Raises:
        OptionError: an unknown parameter, a value of the wrong type, or a parameter that the
            request already says.
    """

    parameters: Mapping[str, Any]

    def __init__(self, **parameters: Any) -> None:
        """Check the parameters by name and type."""
        checked = {name: _checked(name, value) for name, value in sorted(parameters.items())}
        object.__setattr__(self, "parameters", checked)

    def search(self, board: Board, request: Request) -> Result:
        """Solve once, or enumerate where more than one solution is asked."""
        budget = Budget(request)
        tally = Tally(request)
        workers = self.parameters.get("num_workers", request.threads)
        if request.threads not in (1, workers):
            raise UnsupportedError(
                f"cp-sat cannot honour threads={request.threads} with num_workers={workers}; "
                "give one of them"
            )
        if 0 in board.candidates:
            # CP-SAT calls a variable with an empty domain an invalid model.
            return tally.result(Stop.EXHAUSTED, {})
        model, cells = _model(board)
        solver = cp_model.CpSolver()
        self._set_parameters(solver, request)
        init_time = budget.elapsed
        remaining = budget.remaining
        if remaining is not None and remaining <= 0:
            return tally.result(Stop.TIME, {"init_time": init_time})
        if remaining is not None:
            solver.parameters.max_time_in_seconds = remaining
        status = _solve(solver, model, _Callback(cells, tally))
        statistics = {
            "init_time": init_time,
            "solve_time": budget.elapsed - init_time,
            "workers": solver.parameters.num_workers,
            "nodes": solver.num_branches,
            "failures": solver.num_conflicts,
            "propagations": solver.num_binary_propagations,
        }
        return tally.result(self._stop(status, tally, budget, model), statistics)

    def _set_parameters(self, solver: cp_model.CpSolver, request: Request) -> None:
        parameters = solver.parameters
        parameters.num_workers = request.threads
        for name, value in self.parameters.items():
            setattr(parameters, name, value)
        parameters.catch_sigint_signal = False
        if request.solutions != 1:
            parameters.enumerate_all_solutions = True
            parameters.keep_all_feasible_solutions_in_presolve = True
            parameters.num_workers = 1
        if request.seed is not None:
            parameters.random_seed = request.seed % 2**31

    def _stop(self, status: Any, tally: Tally, budget: Budget, model: cp_model.CpModel) -> Stop:
        """Translate a status into why the search ended."""
        if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            return Stop.EXHAUSTED
        if tally.enough:
            return Stop.SOLUTIONS
        if status == cp_model.MODEL_INVALID:
            reason = model.validate() or f"parameters {self.parameters}"
            raise BackendError(f"cp-sat: the solver refuses the model: {reason}")
        # CP-SAT stops ahead of its limit where it expects its next step to overrun: of a limit of
        # 2 s on a board of 25 values it has been seen to leave 0.6 s. Half of it is something else.
        if budget.remaining is None or budget.remaining > budget.elapsed:
            raise BackendError(
                f"cp-sat: the search ended undecided before any limit of the request; "
                f"a parameter among {self.parameters} limits it"
            )
        return Stop.TIME


def _checked(name: str, value: object) -> object:
    """Return a parameter's value if CP-SAT has such a parameter and it takes such a value."""
    defaults = cp_model.CpSolver().parameters
    known = [word.removeprefix("clear_") for word in dir(defaults) if word.startswith("clear_")]
    if name in _OURS:
        raise OptionError(f"cp-sat: {name} is not an option: {_OURS[name]}")
    if name not in known:
        raise unknown_option_error("cp-sat", name, known)
    default = getattr(defaults, name)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if hasattr(type(default), "__members__"):
        members = type(default).__members__
        if value not in members:
            raise option_type_error("cp-sat", name, " | ".join(members), value)
        return members[value]
    if type(value) is not type(default):
        raise option_type_error("cp-sat", name, type(default).__name__, value)
    return value


def _model(board: Board) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """Return the model of a board and its variables, one a cell."""
    model = cp_model.CpModel()
    cells = [
        model.new_int_var_from_domain(cp_model.Domain.from_values(values_of(mask)), name)
        for mask, name in zip(board.candidates, board.layout.names, strict=True)
    ]
    for unit in board.layout.maximal_units:
        model.add_all_different(cells[cell] for cell in unit.cells)
    values = range(1, board.layout.n)
    consecutive = [(v, v + 1) for v in values] + [(v + 1, v) for v in values]
    for rule in board.layout.rules:
        assert isinstance(rule, NonConsecutive), "the catalogue row names the rules served"
        for a, b in rule.pairs:
            model.add_forbidden_assignments([cells[a], cells[b]], consecutive)
    return model, cells


class _Callback(cp_model.CpSolverSolutionCallback):
    """Counts each solution, keeps it if wanted, and stops the search when there are enough."""

    def __init__(self, cells: list[cp_model.IntVar], tally: Tally) -> None:
        super().__init__()
        self._cells = cells
        self._tally = tally

    def on_solution_callback(self) -> None:
        if self._tally.enough:
            return
        grid = tuple(map(self.value, self._cells)) if self._tally.keeps_next else None
        if self._tally.add(grid):
            self.stop_search()


def _solve(solver: cp_model.CpSolver, model: cp_model.CpModel, callback: _Callback) -> Any:
    """Solve, and return CP-SAT's status; Ctrl-C stops the search before it goes on its way."""
    if threading.current_thread() is not threading.main_thread():
        return solver.solve(model, callback)
    statuses: list[Any] = []
    errors: list[BaseException] = []
    # Not Thread.join: in Python 3.11 a join that Ctrl-C interrupts marks a running thread as ended.
    ended = threading.Event()

    def run() -> None:
        try:
            statuses.append(solver.solve(model, callback))
        except BaseException as error:  # noqa: BLE001 - raised again in the main thread
            errors.append(error)
        finally:
            ended.set()

    thread = threading.Thread(target=run, name="cp-sat", daemon=True)
    thread.start()
    try:
        while not ended.wait(0.1):
            pass
    except BaseException:
        # A search that is still being set up cannot hear it: say it until it ends.
        while not ended.wait(0.02):
            solver.stop_search()
        thread.join()
        raise
    thread.join()
    if errors:
        raise errors[0]
    return statuses[0]
