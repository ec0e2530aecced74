"""The search by a FlatZinc solver on the compiled layout."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.languages.flatzinc import Flat
from unidoku.backends.options import Value, checked, options_of
from unidoku.backends.program_version import ASKING, printed_version
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector
from unidoku.backends.toolkit.minizinc_solvers import SolverProgram, find_solver
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.process import FILE, running
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.core.transforms.lower import lower, narrowed
from unidoku.errors import OptionError, UnsupportedError

_PROPAGATION = {
    "domain": "domain_propagation",
    "bounds": "bounds_propagation",
    "value": "value_propagation",
    "solver": "empty_annotation",
}
_GECODE = "org.gecode.gecode"

_FLAT: Models[Flat] = Models()


@dataclass(frozen=True, slots=True, kw_only=True)
class MiniZinc:
    """The solvers that MiniZinc finds.

    Statistics: ``init_time`` and ``solve_time`` (seconds), and the figures that the solver prints
        if it ends by itself: for Gecode ``nodes``, ``failures``, ``propagations``, ``peak_depth``
        and others.

    Args:
        solver: id of the solver, or the last part of the id: ``gecode``, ``chuffed``, …
        propagation: consistency that the model requests for each unit: ``domain`` removes every
            impossible candidate, ``bounds`` and ``value`` remove fewer, ``solver`` leaves it to the
            solver. A solver may ignore it.
        branch_on: the cell that the model requests to branch on: a cell with the fewest candidates,
            or the fewest in relation to its weight; ``solver`` leaves it to the solver.
        free_search: whether the solver may ignore the model's search order; refused for Gecode,
            which accepts the flag and ignores it.
    """

    solver: str = "gecode"
    propagation: Literal["domain", "bounds", "value", "solver"] = "domain"
    branch_on: Literal["first_fail", "dom_w_deg", "solver"] = "solver"
    free_search: bool = False

    def __post_init__(self) -> None:
        checked("minizinc", self)
        solver = find_solver(self.solver)
        if self.free_search and "-f" not in solver.flags:
            raise OptionError(f"minizinc: option 'free_search': {self.solver} has no such flag")
        if self.free_search and solver.id == _GECODE:
            raise OptionError(
                "minizinc: option 'free_search': Gecode accepts the flag and ignores it; "
                "leave it out, or choose another solver"
            )

    @property
    def version(self) -> str:
        """The versions of MiniZinc and of the FlatZinc solver."""
        return f"{printed_version('minizinc', ASKING)}, {find_solver(self.solver).version}"

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the options, the model's annotations and the solver's flags."""
        solver = find_solver(self.solver)
        flags = " ".join(self._flags(solver, request))
        annotations = self._annotations(solver)
        return options_of(self) | {"solver": solver.id, "flags": flags, "model": annotations}

    def search(self, board: Board, request: Request) -> Result:
        """Run the solver on the layout's FlatZinc with the board's candidates written in."""
        budget, collector = Budget(request), SolutionCollector(request)
        board = narrowed(board)
        solver = find_solver(self.solver)
        flags = self._flags(solver, request)
        if solver.is_ortools and request.solutions != 1 and lower(board.layout).automata:
            reason = f"{self.solver} repeats solutions with automata; request one, or use cp-sat"
            raise UnsupportedError(f"minizinc: {reason}", (reason,))
        if 0 in board.candidates:
            # In FlatZinc a variable cannot have an empty domain.
            return collector.result(Stop.EXHAUSTED, {"init_time": budget.elapsed})
        layout = board.layout
        statistics: dict[str, float] = {}
        init_time = budget.elapsed
        try:
            with _FLAT.lend(
                layout, self, lambda: Flat(layout, solver.id, self._annotations(solver), budget)
            ) as flat:
                text = flat.of(board)
            if text is None:
                return collector.result(Stop.EXHAUSTED, {"init_time": budget.elapsed})
            init_time = budget.elapsed
            stop = _solve([solver.executable, *flags], text, budget, collector, statistics)
        except LimitReached as limit:
            stop = limit.stop
        return collector.result(stop, budget.times(init_time) | statistics)

    def _flags(self, solver: SolverProgram, request: Request) -> list[str]:
        """Return the solver's flags for a request, which are MiniZinc's standard flags."""
        flags = ["-s"] if "-s" in solver.flags else []
        if solver.is_ortools:  # its presolve calls some models with tables infeasible
            flags.append("--params=presolve_inclusion_work_limit:0")
        if self.free_search:
            flags.append("-f")
        if request.threads > 1:
            flags += [solver.flag("-p", f"threads={request.threads}"), str(request.threads)]
        if request.solutions is not None and "-n" in solver.flags:
            flags += ["-n", str(request.solutions)]
        elif request.solutions != 1:
            flags.append(solver.flag("-a", f"solutions={request.solutions}"))
        return flags

    def _annotations(self, solver: SolverProgram) -> str:
        choice = "empty_annotation" if self.branch_on == "solver" else self.branch_on
        propagation = _PROPAGATION[self.propagation]
        if self.propagation == "value" and solver.id == _GECODE:
            propagation = "val"  # Debian's Gecode does not know MiniZinc's name
        return f"propagation = {propagation}; choice = {choice};"


_STATISTIC = re.compile(rb"%%%mzn-stat: (\w+)=([-+.\deE]+)$")
_NOT_OURS = frozenset({"init_time", "solve_time", "solutions"})
"""Figures that are measured here instead, to include the start of the process."""


def _solve(
    command: list[str],
    text: str,
    budget: Budget,
    collector: SolutionCollector,
    statistics: dict[str, float],
) -> Stop:
    """Run a solver; collect its solutions as they come, and the statistics that it prints.

    Raises:
        LimitReached: time is up.
    """
    complete = False
    solution = b""
    with running([*command, FILE], text, ".fzn", who="minizinc") as process:
        for line in process.lines(budget):
            if line.startswith(b"x = "):
                solution = line
            elif line == b"----------":
                enough = collector.add(_grid(solution) if collector.keeps_next else None)
                if enough and "-a" in command:  # otherwise it ends and prints statistics
                    break
            elif line in (b"==========", b"=====UNSATISFIABLE====="):
                complete = True
            elif match := _STATISTIC.match(line):
                name, number = re.sub("([A-Z])", r"_\1", match[1].decode()).lower(), match[2]
                if name not in _NOT_OURS:
                    statistics[name] = int(number) if number.isdigit() else float(number)
        if not complete and not collector.enough:
            raise process.error()
    return Stop.EXHAUSTED


def _grid(line: bytes) -> Grid:
    """Read ``x = array1d(1..4, [1, 2, 2, 1]);``."""
    return tuple(map(int, line[line.index(b"[") + 1 : line.index(b"]")].split(b",")))
