"""The search by Pumpkin, in slices, with a clause against each solution found."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from pumpkin_solver import Comparator, Model, Predicate, SatisfactionResult
from pumpkin_solver import constraints as post

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import checked
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector
from unidoku.backends.toolkit.clauses import Clauses
from unidoku.backends.toolkit.relations import clauses, differences_of
from unidoku.core.bits import is_single, mask_of, values_of
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import Relation, Sum
from unidoku.core.layout import Grid, Layout
from unidoku.core.transforms.lower import lower, narrowed

_SLICE = 0.25
"""Seconds that the solver searches before Python runs again."""

_FREEING = 0.5
"""Seconds that it takes to free a model that was searched, for each second of building it."""

_LEAST_WORK = 0.002
"""Seconds of processor time in a slice that show that the search has left the root.

The solver checks the clock before it does anything: on a busy machine time may be up even then.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pumpkin:
    """Pumpkin, which learns a clause from each conflict.

    Statistics: ``init_time`` and ``solve_time`` (seconds); the package reports no others.

    The memory of a model is freed within the time limit, which takes half as long as to build it.

    Args:
        encoding: ``all_different``: an AllDifferent for each unit, which Pumpkin splits into
            differences of two cells. ``places``: also a clause for each value of each full unit,
            with the places that are left for it once the givens are propagated. It is slower if the
            differences suffice, and up to a hundred times as fast if they do not.
    """

    encoding: Literal["places", "all_different"] = "places"

    def __post_init__(self) -> None:
        checked("pumpkin", self)

    def search(self, board: Board, request: Request) -> Result:
        """Solve, forbid the solution, and solve again, in a model made for this call only."""
        budget, collector = Budget(request), SolutionCollector(request)
        board = narrowed(board)
        run = _Run(board, self.encoding == "places", budget)
        try:
            stop = run.search(collector)
        except _ContradictionError:
            stop = Stop.EXHAUSTED
        except LimitReached as limit:
            stop = limit.stop
        finally:
            # An exception keeps its frames alive and may be freed in another thread.
            run.model = None
        return collector.result(stop, budget.times(run.init_time or budget.elapsed))


class _ContradictionError(Exception):
    """The root of the model is contradictory; never leaves the adapter."""


class _Run:
    """A model, the state of its root, and the solutions that it must not find again."""

    def __init__(self, board: Board, places: bool, budget: Budget) -> None:
        self.model: Any = None
        self.init_time = 0.0
        self._layout: Layout = board.layout
        self._candidates = list(board.candidates)
        self._places = places
        self._budget = budget
        self._solutions: list[Grid] = []
        self._tag: Any = None
        self._variables: list[Any] = []
        self._open: list[int] = []
        self._building = 0.0  # seconds
        self._holds: dict[tuple[int, int], Any] = {}  # Booleans by cell and value

    def search(self, collector: SolutionCollector) -> Stop:
        """Find solutions until there are enough or no more; raise if a limit is reached."""
        self._build()
        self.init_time = self._budget.elapsed
        while (solution := self._solution()) is not None:
            if collector.add(solution):
                return Stop.SOLUTIONS
            self._solutions.append(solution)
            self._forbid(solution)
        return Stop.EXHAUSTED

    def _solution(self) -> Grid | None:
        """Search slice by slice for a solution; None if there is none left."""
        while True:
            pause = min(self._budget.pause(_SLICE), self._left())
            began = time.thread_time()
            result = self.model.satisfy(pause)
            if isinstance(result, SatisfactionResult.Satisfiable):
                return tuple(map(result._0.int_value, self._variables))
            if isinstance(result, SatisfactionResult.Unsatisfiable):
                return None
            self._left()
            left_the_root = time.thread_time() - began > _LEAST_WORK
            if not (self._is_propagated() and left_the_root):
                self._read_root()
                self._build()

    def _build(self) -> None:
        """Make a model of the remaining candidates that excludes the solutions found."""
        if 0 in self._candidates:
            raise _ContradictionError
        self.model, begun = Model(), self._budget.elapsed
        self._tag = self.model.new_constraint_tag()
        self._holds.clear()
        self._variables = [
            self.model.new_integer_variable((mask & -mask).bit_length(), mask.bit_length())
            for mask in self._candidates
        ]
        self._add_all(self._constraints())
        self.model.propagate_to_fixpoint()
        if self.model.is_inconsistent():
            raise _ContradictionError
        self._read_root()
        self._open = [c for c, mask in enumerate(self._candidates) if not is_single(mask)]
        if self._places:
            self._add_all(self._clauses())
        for solution in self._solutions:
            self._forbid(solution)
        self._building = self._budget.elapsed - begun

    def _add_all(self, constraints: Iterator[Any]) -> None:
        for constraint in constraints:
            self.model.add_constraint(constraint)
            self._budget.check_time()

    def _left(self) -> float:
        """Return the seconds to search until the model has to be freed.

        Raises:
            LimitReached: no time is left to search.
        """
        if (left := self._budget.left) is None:
            return math.inf
        left -= _FREEING * self._building
        if left <= 0:
            raise LimitReached(Stop.TIME)
        return left

    def _constraints(self) -> Iterator[Any]:
        """Yield the gaps in the candidates, the units, and the rules."""
        variables, tag = self._variables, self._tag
        for variable, mask in zip(variables, self._candidates, strict=True):
            everything_between = (1 << mask.bit_length()) - (mask & -mask)
            for value in values_of(everything_between & ~mask):
                yield post.NotEquals([variable], value, tag)
        for unit in self._layout.maximal_units:
            yield post.AllDifferent([variables[cell] for cell in unit.cells], tag)
        for relation in lower(self._layout).relations:
            differences = differences_of(relation.table)
            if differences is None:
                yield from self._clauses_of(relation)
                continue
            for a, b in relation.pairs:
                for difference in differences:
                    yield post.BinaryNotEquals(variables[a].offset(difference), variables[b], tag)
        for sum_ in lower(self._layout).sums:
            yield from self._bounds(sum_)
        yield from self._sets()

    def _bounds(self, constraint: Sum) -> Iterator[Any]:
        """Yield the constraints that a sum is not too large and not too small."""
        terms = list(zip(constraint.cells, constraint.weights, strict=True))
        for sign, bound in ((1, constraint.high), (-1, -constraint.low)):
            scaled = [self._variables[cell].scaled(sign * weight) for cell, weight in terms]
            yield post.LessThanOrEquals(scaled, bound, self._tag)

    def _sets(self) -> Iterator[Any]:
        """Yield clauses that choose sets of values, branches and states.

        The literal of a sum in a branch implies the sum, but not the reverse: solutions are
        distinguished by their cells alone.
        """
        lowered = lower(self._layout)
        fresh: defaultdict[int, Any] = defaultdict(self.model.new_boolean_variable)
        sums: dict[int, Sum] = {}
        others = replace(lowered, relations=(), sums=())
        for clause in Clauses(others, forward=True, reified_sums=sums):
            if not clause:
                raise _ContradictionError
            literals = []
            for literal in clause:
                variable = abs(literal)
                cell, value = divmod(variable - 1, lowered.n)
                is_fresh = variable > lowered.size
                predicate = fresh[variable] if is_fresh else self._hold(cell, value + 1)
                literals.append(predicate if literal > 0 else predicate.negate())
            yield post.Clause(literals, self._tag)
        for variable, constraint in sums.items():
            for bound in self._bounds(constraint):
                self.model.add_implication(bound, fresh[variable])

    def _clauses_of(self, relation: Relation) -> Iterator[Any]:
        n, candidates = self._layout.n, self._candidates
        for ones, others in clauses(relation):
            if all(candidates[candidate // n] >> candidate % n & 1 for candidate in ones):
                literals = [
                    self._hold(candidate // n, candidate % n + 1).negate() for candidate in ones
                ]
                literals += [
                    self._hold(other // n, other % n + 1)
                    for other in others
                    if candidates[other // n] >> other % n & 1
                ]
                yield post.Clause(literals, self._tag)

    def _clauses(self) -> Iterator[Any]:
        """Yield a clause for each value of each full unit that no cell holds yet."""
        candidates = self._candidates
        for unit in self._layout.full_units:
            decided = 0
            for cell in unit.cells:
                if is_single(candidates[cell]):
                    decided |= candidates[cell]
            for value in range(1, self._layout.n + 1):
                bit = 1 << (value - 1)
                if not decided & bit:
                    places = [cell for cell in unit.cells if candidates[cell] & bit]
                    yield post.Clause([self._hold(cell, value) for cell in places], self._tag)

    def _hold(self, cell: int, value: int) -> Any:
        """Return the Boolean that says whether the cell holds the value."""
        holds = self._holds.get((cell, value))
        if holds is None:
            predicate = Predicate(self._variables[cell], Comparator.Equal, value)
            try:
                holds = self.model.predicate_as_boolean(predicate, self._tag)
            except ValueError:
                # The constraints so far contradict each other, which was no error when they were
                # added.
                if not self.model.is_inconsistent():
                    raise
                raise _ContradictionError from None
            self._holds[cell, value] = holds
        return holds

    def _forbid(self, solution: Grid) -> None:
        if not self._open:
            raise _ContradictionError
        variables = [self._variables[cell] for cell in self._open]
        values = [solution[cell] for cell in self._open]
        self.model.add_constraint(post.NegativeTable(variables, [values], self._tag))

    def _read_root(self) -> None:
        """Record which candidates are left at the root."""
        contains = self.model.contains
        for cell, mask in enumerate(self._candidates):
            if not is_single(mask):
                variable = self._variables[cell]
                left = [value for value in values_of(mask) if contains(variable, value)]
                self._candidates[cell] = mask_of(left)

    def _is_propagated(self) -> bool:
        """Return whether the variables at the root agree with their Booleans.

        They do not if the search was stopped there: it returns to the root when it learns that a
        variable, or a Boolean, cannot have a value, and the other one is not updated yet. A
        candidate without a Boolean cannot be checked, so none of these may have been removed.
        """
        contains, lower, upper = self.model.contains, self.model.lower_bound, self.model.upper_bound
        for cell in self._open:
            variable = self._variables[cell]
            remaining = 0
            surely = False
            for value in values_of(self._candidates[cell]):
                is_left = contains(variable, value)
                remaining += is_left
                boolean = self._holds.get((cell, value))
                if boolean is None:
                    if not is_left:
                        return False
                    continue
                number = boolean.as_integer()
                if is_left != upper(number):
                    return False
                surely = surely or lower(number) == 1
            if surely and remaining > 1:
                return False
        return True
