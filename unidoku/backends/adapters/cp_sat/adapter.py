"""The search by CP-SAT, with CP-SAT's own parameters as options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ortools.sat.python import cp_model

from unidoku.backends.adapters.cp_sat.models import BooleanModel, IntegerModel, Model, NaiveModel
from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import Value, option_type_error, unknown_option_error
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.stopping import stopped_from_outside
from unidoku.core.board import Board
from unidoku.core.transforms.lower import narrowed
from unidoku.errors import BackendError, OptionError, UnsupportedError

Encoding: TypeAlias = Literal["boolean", "integer", "naive"]

_MODELS: Models[Model] = Models()

_OURS: Mapping[str, str] = {
    "max_time_in_seconds": "use time_limit",
    "max_deterministic_time": "use time_limit, the only limit that can be distinguished",
    "max_number_of_conflicts": "use time_limit, the only limit that can be distinguished",
    "random_seed": "use seed",
    "enumerate_all_solutions": "use solutions",
    "stop_after_first_solution": "use solutions",
    "keep_all_feasible_solutions_in_presolve": "without it enumeration loses solutions",
    "catch_sigint_signal": "Unidoku handles Ctrl-C",
    "num_search_workers": "use num_workers, its newer name",
    "presolve_inclusion_work_limit": "if set, presolve calls boards with rules infeasible",
}
"""Parameters that duplicate the request or that would make answers wrong."""


_TUNED: Mapping[str, Mapping[str, Any]] = {
    "boolean": {"cp_model_presolve": False, "symmetry_level": 0, "linearization_level": 0},
    "integer": {"symmetry_level": 0, "linearization_level": 0},
    "naive": {},
}
"""Parameters that measured best for each encoding; the user's parameters override them."""

_NEEDED: Mapping[str, int] = {"presolve_inclusion_work_limit": 0}
"""Without this, presolve calls some satisfiable models with tables infeasible."""


@dataclass(frozen=True, slots=True, init=False)
class CpSat:
    """CP-SAT, with its own scalar parameters as options, such as ``linearization_level=0``.

    Without ``num_workers`` it uses as many workers as the request has threads. More than one worker
    is refused if more than one solution is requested, because CP-SAT would lose some.

    Statistics: ``init_time`` and ``solve_time`` (seconds), ``workers``, ``nodes`` (branches),
    ``failures`` (conflicts), ``propagations`` (Boolean propagations).

    Args:
        encoding: ``boolean``: exactly one candidate for each cell, exactly one cell for each value
            of a unit. ``integer``: a variable for each cell, AllDifferent over the units.
            ``naive``: the integer model as it is usually written, built for each board, with the
            givens as constraints and CP-SAT's default parameters: a baseline for comparisons.
        parameters: CP-SAT's parameters.
    """

    encoding: Encoding
    given: Mapping[str, Any]

    def __init__(self, encoding: Encoding = "boolean", **parameters: Any) -> None:
        if encoding not in _TUNED:
            raise option_type_error("cp-sat", "encoding", " | ".join(_TUNED), encoding)
        given = {name: _checked(name, value) for name, value in sorted(parameters.items())}
        object.__setattr__(self, "encoding", encoding)
        object.__setattr__(self, "given", given)
        _try_out(given)

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the encoding and the parameters of CP-SAT other than the time limit."""
        parameters = self._parameters(request)
        named = {name: getattr(value, "name", value) for name, value in parameters.items()}
        return {"encoding": self.encoding, **named}

    def _parameters(self, request: Request) -> dict[str, Any]:
        """Return the parameters that a search sets."""
        workers = self.given.get("num_workers", request.threads)
        if request.threads not in (1, workers):
            raise UnsupportedError(
                f"cp-sat cannot honour threads={request.threads} with num_workers={workers}; "
                "give only one of them"
            )
        parameters = {"num_workers": workers, **_NEEDED, **_TUNED[self.encoding], **self.given}
        parameters["catch_sigint_signal"] = False
        if request.solutions != 1:
            if workers != 1:
                raise UnsupportedError(
                    f"cp-sat cannot look for more than one solution with {workers or 'all'} "
                    "workers, which lose solutions; request one solution (--solutions 1) or one "
                    "worker"
                )
            parameters["enumerate_all_solutions"] = True
            parameters["keep_all_feasible_solutions_in_presolve"] = True
        if request.seed is not None:
            parameters["random_seed"] = request.seed % 2**31
        return parameters

    def search(self, board: Board, request: Request) -> Result:
        """Solve once, or enumerate if more than one solution is requested."""
        budget, collector = Budget(request), SolutionCollector(request)
        board = narrowed(board)
        parameters = self._parameters(request)
        if 0 in board.candidates:
            # CP-SAT calls a variable with an empty domain an invalid model.
            return collector.result(Stop.EXHAUSTED, {})
        layout = board.layout
        try:
            if self.encoding == "naive":
                return self._search(NaiveModel(board, budget), board, parameters, collector, budget)
            model = BooleanModel if self.encoding == "boolean" else IntegerModel
            with _MODELS.lend(layout, self.encoding, lambda: model(layout, budget)) as lent:
                return self._search(lent, board, parameters, collector, budget)
        except LimitReached as limit:  # raised while the model was built
            return collector.result(limit.stop, {"init_time": budget.elapsed})

    def _search(
        self,
        model: Model,
        board: Board,
        parameters: Mapping[str, Any],
        collector: SolutionCollector,
        budget: Budget,
    ) -> Result:
        solver = _solver(parameters)
        model.write(board)
        init_time = budget.elapsed
        remaining = budget.left
        if remaining is not None:
            # A negative limit would be an invalid model to CP-SAT.
            solver.parameters.max_time_in_seconds = max(remaining - _to_stop(model.native), 0.0)
        with stopped_from_outside(solver.stop_search):
            status = solver.solve(model.native, _Callback(model, collector))
        model.erase()
        statistics = budget.times(init_time) | {
            "workers": solver.parameters.num_workers,
            "nodes": solver.num_branches,
            "failures": solver.num_conflicts,
            "propagations": solver.num_binary_propagations,
        }
        return collector.result(self._stop(status, collector, budget, model.native), statistics)

    def _stop(
        self, status: Any, collector: SolutionCollector, budget: Budget, model: cp_model.CpModel
    ) -> Stop:
        """Translate a status into why the search ended."""
        if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            return Stop.EXHAUSTED
        if collector.enough:
            return Stop.SOLUTIONS
        if status == cp_model.MODEL_INVALID:
            reason = model.validate() or f"parameters {self.given}"
            raise BackendError(f"cp-sat: the solver refuses the model: {reason}")
        # CP-SAT stops before its limit if it expects its next step to overrun: with a limit of 2 s
        # on a board of 25 values it once stopped 0.6 s early. If half of the limit is left,
        # something else stopped it.
        if budget.left is None or budget.left - _to_stop(model) > budget.elapsed:
            raise BackendError(
                f"cp-sat: the search ended without an answer before any limit of the request; "
                f"one of the parameters {self.given} limits it"
            )
        return Stop.TIME


def _to_stop(model: cp_model.CpModel) -> float:
    """Return the seconds that a search may take to end once its time is up.

    CP-SAT looks at the clock between steps over the whole model: with 300,000 variables and
    constraints together it was measured to end up to 0.6 s late, with 90,000 up to 0.2 s.
    """
    size = len(model.proto.constraints) + len(model.proto.variables)
    return max(size - 20_000, 0) * 2.5e-6


def _solver(parameters: Mapping[str, Any]) -> cp_model.CpSolver:
    """Return a solver with these parameters."""
    solver = cp_model.CpSolver()
    for name, value in parameters.items():
        setattr(solver.parameters, name, value)
    return solver


def _try_out(given: Mapping[str, Any]) -> None:
    """Have CP-SAT validate the values, which it does before it solves, with no time to solve."""
    if not given:
        return
    try:
        solver = _solver({**given, **_QUIET})
        status = solver.solve(cp_model.CpModel())
    except (TypeError, OverflowError):  # the types are checked already
        raise OptionError(f"cp-sat refuses {_words(given)}: too large") from None
    if status == cp_model.MODEL_INVALID:
        raise OptionError(f"cp-sat refuses {_words(given)}: {solver.solution_info()}")


_QUIET: Mapping[str, Any] = {
    "log_search_progress": False,
    "catch_sigint_signal": False,
    "max_time_in_seconds": 0.0,
}


def _words(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={getattr(value, 'name', value)}" for name, value in given.items())


def _checked(name: str, value: object) -> object:
    """Return a parameter's value if CP-SAT has the parameter and accepts such a value."""
    defaults = cp_model.CpSolver().parameters
    names = [word.removeprefix("clear_") for word in dir(defaults) if word.startswith("clear_")]
    if name in _OURS:
        raise OptionError(f"cp-sat: {name} is not an option: {_OURS[name]}")
    if name not in names:
        raise unknown_option_error("cp-sat", name, names)
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


class _Callback(cp_model.CpSolverSolutionCallback):
    """Counts each solution, keeps it if wanted, and stops the search when there are enough."""

    def __init__(self, model: Model, collector: SolutionCollector) -> None:
        super().__init__()
        self._grid = model.grid
        self._collector = collector

    def on_solution_callback(self) -> None:
        if self._collector.enough:
            return
        grid = None
        if self._collector.keeps_next:
            response = self.Response()  # type: ignore[no-untyped-call]  # untyped method
            grid = self._grid(str(response.solution))
        if self._collector.add(grid):
            self.stop_search()
