"""Unidoku's own constraint and solver for the interfaces of python-constraint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import constraint as csp

from unidoku.core.bits import mask_of, values_of
from unidoku.core.constraints.pruners import Pruner


class HiddenSingle(csp.AllDifferentConstraint):  # type: ignore[misc]  # untyped library
    """AllDifferent that also places a value that only one variable can have.

    Args:
        full: whether the unit has as many cells as there are values, so that each appears.
    """

    def __init__(self, *, full: bool) -> None:
        self._full = full

    def __call__(
        self,
        variables: Sequence[int],
        domains: Any,
        assignments: Any,
        forwardcheck: Any = False,
    ) -> bool:
        """Check; with forward checking, prune the domains of unassigned variables."""
        if not super().__call__(variables, domains, assignments, forwardcheck):
            return False
        if not (forwardcheck and self._full):
            return True
        free = [variable for variable in variables if variable not in assignments]
        places: dict[int, int] = {}
        for variable in free:
            for value in domains[variable]:
                places[value] = -1 if value in places else variable
        if len(places) < len(free):
            return False  # a value has no place left
        for value, variable in places.items():
            if variable >= 0:
                domain = domains[variable]
                if value not in domain:
                    return False  # the variable is the only place of another value as well
                for other in [other for other in domain if other != value]:
                    domain.hideValue(other)
        return True


class Pruning(csp.Constraint):  # type: ignore[misc]  # untyped library
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
        candidates = self._candidates
        for cell in variables:
            candidates[cell] = mask_of(
                [assignments[cell]] if cell in assignments else domains[cell]
            )
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


class MrvSolver(csp.Solver):  # type: ignore[misc]  # untyped library
    """Backtracking on the variable with the fewest values left (minimum remaining values).

    Args:
        forwardcheck: whether the constraints may prune the domains ahead.
    """

    def __init__(self, forwardcheck: bool = True) -> None:
        self._forwardcheck = forwardcheck

    def getSolutionIter(  # noqa: N802 - the library's name
        self, domains: Any, constraints: Any, vconstraints: Any
    ) -> Iterator[dict[int, int]]:
        """Yield the solutions, depth first."""
        assignments: dict[int, int] = {}
        # For each variable: its values still to be tried, and the domains saved for it.
        stack: list[tuple[int, list[int], list[Any]]] = []
        while True:
            free = [variable for variable in domains if variable not in assignments]
            if free:
                variable = min(free, key=lambda variable: len(domains[variable]))
                ahead = [domains[other] for other in free if other != variable]
                stack.append((variable, domains[variable][:], ahead if self._forwardcheck else []))
            else:
                yield assignments.copy()
            while stack:
                variable, values, saved = stack[-1]
                if variable in assignments:
                    del assignments[variable]
                    for domain in saved:
                        domain.popState()
                if not values:
                    stack.pop()
                    continue
                assignments[variable] = values.pop()
                for domain in saved:
                    domain.pushState()
                if all(
                    constraint(variables, domains, assignments, saved)
                    for constraint, variables in vconstraints[variable]
                ):
                    break
            else:
                return

    def getSolution(  # noqa: N802 - the library's name
        self, domains: Any, constraints: Any, vconstraints: Any
    ) -> dict[int, int] | None:
        """Return the first solution, None if there is none."""
        return next(self.getSolutionIter(domains, constraints, vconstraints), None)

    def getSolutions(  # noqa: N802 - the library's name
        self, domains: Any, constraints: Any, vconstraints: Any
    ) -> list[dict[int, int]]:
        """Return all solutions."""
        return list(self.getSolutionIter(domains, constraints, vconstraints))
