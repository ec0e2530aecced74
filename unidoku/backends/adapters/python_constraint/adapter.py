"""The search by python-constraint, watched by one of its constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import constraint as csp

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import checked
from unidoku.backends.toolkit.budget import Budget, SolutionCollector, collect
from unidoku.backends.visit import Guess, Visit, reported
from unidoku.core.bits import mask_of, value_of, values_of
from unidoku.core.board import Board
from unidoku.core.constraints.operations import cells_of
from unidoku.core.constraints.primitives import Masks
from unidoku.core.constraints.pruners import Pruner, pruner
from unidoku.core.layout import Grid
from unidoku.core.propagation.propagate import propagate
from unidoku.core.transforms.lower import lower, narrowed
from unidoku.errors import OptionError
from unidoku.support.deadline import check_time_limit

_SOLVERS = {
    "backtracking": "BacktrackingSolver",
    "recursive": "RecursiveBacktrackingSolver",
    "optimized": "OptimizedBacktrackingSolver",
}

_STEPS_BETWEEN_CHECKS = 4096
"""Number of domains that the solver visits, one for each node and cell, between clock checks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonConstraint:
    """The solver classes of python-constraint, from the tutorial's model to the fastest.

    Statistics: ``nodes`` (assignments tried), ``init_time`` and ``solve_time`` (seconds).

    Args:
        solver: ``backtracking``; ``recursive``; or ``optimized``, the default of version 2, which
            fixes the order of variables at the start and takes minutes on some boards.
        encoding: how candidates are encoded. ``domains``: as the variables' domains.
            ``constraints``: as InSet constraints on full domains, as in the tutorial. ``reduced``:
            as domains after Unidoku's propagation, without the cells that it solves.
        forwardcheck: whether the solver lets constraints prune the domains ahead.
    """

    solver: Literal["backtracking", "recursive", "optimized"] = "backtracking"
    encoding: Literal["domains", "constraints", "reduced"] = "domains"
    forwardcheck: bool = True

    def __post_init__(self) -> None:
        checked("python-constraint", self)
        if not hasattr(csp, _SOLVERS[self.solver]):
            raise OptionError(
                f"python-constraint: solver={self.solver!r} needs python-constraint2; "
                "pip uninstall python-constraint, then pip install 'unidoku[python-constraint]'"
            )

    def search(self, board: Board, request: Request) -> Result:
        """Enumerate the solutions of one Problem that is made for this call only."""
        budget, collector = Budget(request), SolutionCollector(request)
        board = narrowed(board)
        watch = _Watch(budget, max(1, _STEPS_BETWEEN_CHECKS // len(board.layout)))
        problem = self._problem(board, watch)
        init_time = budget.elapsed
        stop = Stop.EXHAUSTED
        if problem is not None:
            stop = collect(_grids(problem, board, only_first=request.solutions == 1), collector)
        return collector.result(
            stop, budget.times(init_time) | {"nodes": budget.nodes - watch.left}
        )

    def trace(self, board: Board, request: Request) -> Iterator[Visit]:
        """Yield the assignments that the same search tries, in its order."""
        board = narrowed(board)
        recorder = _Recorder(Budget(request), 1, board, forwardcheck=self.forwardcheck)
        yield Visit(depth=0, candidates=board.candidates)
        problem = self._problem(board, recorder)
        if problem is not None:
            grids = _grids(problem, board, only_first=request.solutions == 1)
            yield from reported(grids, recorder.visits)

    def _problem(self, board: Board, watch: _Watch) -> _Problem | None:
        """Build the problem; None if the board contradicts itself before any search."""
        if self.encoding == "reduced":
            reduced = propagate(board, deductions=False)  # deduced already, if at all
            if reduced is None:
                return None
            board = reduced
        if 0 in board.candidates:
            # The library refuses an empty domain with a ValueError.
            return None
        values = enumerate(map(value_of, board.candidates)) if self.encoding == "reduced" else ()
        solved = {cell: value for cell, value in values if value}
        problem = csp.Problem(self._new_solver())
        variables = [cell for cell in board.layout.cells if cell not in solved]
        if variables:
            self._add_variables(problem, board, variables)
            problem.addConstraint(watch, variables)
            self._add_units(problem, board, set(variables))
        return _Problem(problem, variables, solved)

    def _new_solver(self) -> Any:
        return getattr(csp, _SOLVERS[self.solver])(forwardcheck=self.forwardcheck)

    def _add_variables(self, problem: Any, board: Board, variables: list[int]) -> None:
        if self.encoding == "constraints":
            problem.addVariables(variables, list(range(1, board.layout.n + 1)))
        for cell in variables:
            values = list(values_of(board.candidates[cell]))
            if self.encoding != "constraints":
                problem.addVariable(cell, values)
            elif len(values) < board.layout.n:
                problem.addConstraint(csp.InSetConstraint(values), [cell])

    def _add_units(self, problem: Any, board: Board, variables: set[int]) -> None:
        n = board.layout.n
        for unit in board.layout.maximal_units:
            cells = [cell for cell in unit.cells if cell in variables]
            if len(cells) > 1:
                problem.addConstraint(csp.AllDifferentConstraint(), cells)
        for relation in lower(board.layout).relations:
            holds = _test(relation.table)
            for a, b in relation.pairs:
                if a in variables and b in variables:
                    problem.addConstraint(holds, [a, b])
        masks = dict(enumerate(board.candidates))
        for constraint in lower(board.layout).beyond_pairs:
            if inside := [c for c in dict.fromkeys(cells_of(constraint)) if c in variables]:
                prune = pruner(constraint, n)
                problem.addConstraint(_Pruning(prune, len(board.layout), masks), inside)


def _test(table: Masks) -> Callable[[int, int], int]:
    holds = [[mask >> value & 1 for value in range(len(table))] for mask in table]
    return lambda x, y: holds[x - 1][y - 1]


@dataclass(frozen=True, slots=True)
class _Problem:
    """A constraint.Problem, its variables, and the cells that needed none."""

    problem: Any
    variables: list[int]
    solved: dict[int, int]


def _grids(built: _Problem, board: Board, *, only_first: bool) -> Iterator[Grid]:
    if not built.variables:
        yield tuple(built.solved[cell] for cell in board.layout.cells)
        return
    for assignment in _solutions(built.problem, only_first=only_first):
        filled = built.solved | assignment
        yield tuple(filled[cell] for cell in board.layout.cells)


def _solutions(problem: Any, *, only_first: bool) -> Iterator[dict[int, int]]:
    """Yield the solutions one by one if the solver can do so.

    In version 1.4.0 the recursive solver has no iterator: it finds one, or all at once.
    """
    try:
        yield from problem.getSolutionIter()
    except NotImplementedError:
        yield from filter(None, [problem.getSolution()]) if only_first else problem.getSolutions()


class _Watch(csp.Constraint):  # type: ignore[misc]  # untyped library
    """A constraint that is always satisfied and observes each assignment tried."""

    def __init__(self, budget: Budget, steps: int) -> None:
        self._budget = budget
        self._steps = steps
        self.left = 0  # nodes that are counted already but not yet tried

    def preProcess(self, *_: object) -> None:  # noqa: N802 - the library's name
        """Leave the domains as they are."""

    def __call__(
        self,
        variables: Sequence[int],
        domains: object,
        assignments: object,
        forwardcheck: object = False,
    ) -> bool:
        if not self.left:
            self.left = self._budget.take(self._steps)
        self.left -= 1
        return True


class _Recorder(_Watch):
    """The same constraint, which notes each assignment with the candidates that it leaves."""

    def __init__(self, budget: Budget, steps: int, board: Board, *, forwardcheck: bool) -> None:
        super().__init__(budget, steps)
        self.visits: list[Visit] = []
        self._board = board
        self._looks_ahead = forwardcheck

    def __call__(
        self,
        variables: Sequence[int],
        domains: Any,
        assignments: Any,
        forwardcheck: object = False,
    ) -> bool:
        """Note the last assignment, and what the units then remove from cells not assigned."""
        super().__call__(variables, domains, assignments, forwardcheck)
        left = list(self._board.candidates)
        _read_left(left, variables, domains, assignments)
        cell = next(reversed(assignments))
        if self._looks_ahead:
            for peer in self._board.layout.peers[cell]:
                if peer not in assignments:
                    left[peer] &= ~left[cell]
        guess = Guess(cell=cell, value=assignments[cell])
        self.visits.append(Visit(depth=len(assignments), guess=guess, candidates=tuple(left)))
        return True


def _read_left(left: list[int], variables: Sequence[int], domains: Any, assignments: Any) -> None:
    """Set the candidates of variables to what is assigned to them, or left in their domains."""
    for cell in variables:
        left[cell] = mask_of([assignments[cell]] if cell in assignments else domains[cell])


class _Pruning(csp.Constraint):  # type: ignore[misc]  # untyped library
    """The constraint of a rule, which prunes the domains of its cells.

    Args:
        prune: function that removes candidates by the constraint.
        cells: the number of cells of the layout.
        known: the candidates of cells that are not variables.
    """

    def __init__(self, prune: Pruner, cells: int, known: Mapping[int, int]) -> None:
        self._prune = prune
        self._candidates = [known.get(cell, 0) for cell in range(cells)]

    def __call__(
        self,
        variables: Sequence[int],
        domains: Any,
        assignments: Any,
        forwardcheck: Any = False,
    ) -> bool:
        """Check; with forward checking, prune the domains of unassigned variables."""
        check_time_limit()  # a rule of many cells may take milliseconds
        candidates = self._candidates
        _read_left(candidates, variables, domains, assignments)
        removals = self._prune(candidates)
        if removals is None or not forwardcheck:
            return removals is not None
        for cell, gone in removals:
            if cell in assignments:
                return False
            # A line that meets itself may remove a value twice, and in two passes all values.
            for value in values_of(gone & candidates[cell]):
                domains[cell].hideValue(value)
            candidates[cell] &= ~gone
            if not candidates[cell]:
                return False  # the library assumes that no domain is empty
        return True
