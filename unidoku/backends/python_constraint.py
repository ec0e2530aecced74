"""python-constraint: AllDifferent over the units, its own backtracking solvers.

Adapts the maintained distribution, python-constraint2, and the old python-constraint 1.4.0,
which has the same import name.

The library has no limits of its own. A `_Watch` stands among the constraints of every
variable, so that the solver itself calls it at each assignment; it counts the node, looks at
the clock, and leaves the search by an exception. It also lets Ctrl-C through: between its
calls the compiled solver runs no Python code in which a signal could be handled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import constraint

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import checked
from unidoku.backends.tools import Budget, Tally, collect
from unidoku.core.bits import value_of, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.core.propagate import propagate
from unidoku.core.rules import NonConsecutive
from unidoku.errors import OptionError

__all__ = ["PythonConstraint"]

_SOLVERS = {
    "backtracking": "BacktrackingSolver",
    "recursive": "RecursiveBacktrackingSolver",
    "optimized": "OptimizedBacktrackingSolver",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonConstraint:
    """The solver classes of python-constraint, as it is taught and at its better.

    Statistics: ``nodes`` (assignments tried), ``init_time`` and ``solve_time`` (seconds).

    Args:
        solver: ``backtracking``; ``recursive``; or ``optimized``, the default of version 2,
            whose variable order is fixed at the start and which some boards keep busy for
            minutes.
        encoding: how the candidates are said. ``domains``: as the variables' domains.
            ``constraints``: as InSet constraints on full domains, the tutorial's way.
            ``reduced``: as domains after propagation, cells that it solves left out.
        forwardcheck: whether the solver lets constraints prune the domains ahead.

    Raises:
        OptionError: an unknown solver or encoding, or a solver that this version has not.
    """

    solver: Literal["backtracking", "recursive", "optimized"] = "backtracking"
    encoding: Literal["domains", "constraints", "reduced"] = "domains"
    forwardcheck: bool = True

    def __post_init__(self) -> None:
        """Check the options."""
        checked("python-constraint", self)
        if not hasattr(constraint, _SOLVERS[self.solver]):
            raise OptionError(
                f"python-constraint: solver={self.solver!r} needs python-constraint2; "
                "pip uninstall python-constraint, then pip install 'unidoku[python-constraint]'"
            )

    def search(self, board: Board, request: Request) -> Result:
        """Enumerate the solutions of one Problem, made for this call only.

        A Problem is not re-entrant: two iterators over one lose solutions without an error.
        """
        budget = Budget(request)
        tally = Tally(request)
        problem = self._problem(board, budget)
        init_time = budget.elapsed
        stop = Stop.EXHAUSTED
        if problem is not None:
            stop = collect(_grids(problem, board, one=request.solutions == 1), tally)
        statistics = {
            "init_time": init_time,
            "solve_time": budget.elapsed - init_time,
            "nodes": budget.nodes,
        }
        return tally.result(stop, statistics)

    def _problem(self, board: Board, budget: Budget) -> _Problem | None:
        """Build the problem; None if the board contradicts before any search."""
        if self.encoding == "reduced":
            reduced = propagate(board)
            if reduced is None:
                return None
            board = reduced
        if 0 in board.candidates:
            # The library refuses an empty domain with a ValueError.
            return None
        solved = _solved(board) if self.encoding == "reduced" else {}
        problem = constraint.Problem(self._new_solver())
        variables = [cell for cell in board.layout.cells if cell not in solved]
        if variables:
            self._add_variables(problem, board, variables)
            problem.addConstraint(_Watch(budget), variables)
            _add_units(problem, board, set(variables))
        return _Problem(problem, variables, solved)

    def _new_solver(self) -> Any:
        solver = getattr(constraint, _SOLVERS[self.solver])
        return solver(forwardcheck=self.forwardcheck)

    def _add_variables(self, problem: Any, board: Board, variables: list[int]) -> None:
        if self.encoding == "constraints":
            problem.addVariables(variables, list(range(1, board.layout.n + 1)))
        for cell in variables:
            values = list(values_of(board.candidates[cell]))
            if self.encoding != "constraints":
                problem.addVariable(cell, values)
            elif len(values) < board.layout.n:
                problem.addConstraint(constraint.InSetConstraint(values), [cell])


@dataclass(frozen=True, slots=True)
class _Problem:
    """A constraint.Problem, its variables, and the cells that needed none."""

    problem: Any
    variables: list[int]
    solved: dict[int, int]


def _solved(board: Board) -> dict[int, int]:
    values = enumerate(map(value_of, board.candidates))
    return {cell: value for cell, value in values if value}


def _add_units(problem: Any, board: Board, variables: set[int]) -> None:
    for unit in board.layout.maximal_units:
        cells = [cell for cell in unit.cells if cell in variables]
        if len(cells) > 1:
            problem.addConstraint(constraint.AllDifferentConstraint(), cells)
    for rule in board.layout.rules:
        assert isinstance(rule, NonConsecutive), "the catalogue row names the rules served"
        for a, b in rule.pairs:
            if a in variables and b in variables:
                problem.addConstraint(lambda x, y: abs(x - y) != 1, [a, b])


def _grids(built: _Problem, board: Board, *, one: bool) -> Iterator[Grid]:
    if not built.variables:
        yield tuple(built.solved[cell] for cell in board.layout.cells)
        return
    for assignment in _solutions(built.problem, one=one):
        filled = built.solved | assignment
        yield tuple(filled[cell] for cell in board.layout.cells)


def _solutions(problem: Any, *, one: bool) -> Iterator[dict[int, int]]:
    """Yield the solutions one by one where the solver can.

    In version 1.4.0 the recursive solver has no iterator: it finds one, or all at once.
    """
    try:
        yield from problem.getSolutionIter()
    except NotImplementedError:
        yield from filter(None, [problem.getSolution()]) if one else problem.getSolutions()


class _Watch(constraint.Constraint):  # type: ignore[misc]  # untyped library
    """A constraint that is always satisfied, and notices each assignment that is tried."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def preProcess(self, *_: object) -> None:  # noqa: N802 - the library's name
        """Leave the domains as they are."""

    def __call__(
        self,
        variables: Sequence[int],
        domains: object,
        assignments: object,
        forwardcheck: object = False,
    ) -> bool:
        self._budget.node()
        return True
