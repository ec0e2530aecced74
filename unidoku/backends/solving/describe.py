"""A backend as plain data: its row, its options and its parameters."""

from __future__ import annotations

from typing import Any

from unidoku.backends.base import Request
from unidoku.backends.options import Value
from unidoku.backends.solving.solver import Solver


def solver_to_dict(solver: Solver, request: Request | None = None) -> dict[str, Any]:
    """Return the row of a solver, its options, and its parameters in a request, ready for JSON.

    >>> from unidoku import load
    >>> found = solver_to_dict(load("exact-cover[heuristic=first]"))
    >>> found["label"], found["parameters"]
    ('exact-cover[heuristic=first]', {'heuristic': 'first', 'deductions': True})

    Raises:
        UnsupportedError: as for `Solver.parameters`.
    """
    parameters = solver.parameters(request)
    return solver.spec.record() | {"label": solver.label, "parameters": parameters}


def native_parameters(solver: Solver, request: Request | None = None) -> dict[str, Value]:
    """Return the parameters of the underlying solver that are not options."""
    options = {option.name for option in solver.spec.options()}
    parameters = solver.parameters(request)
    return {name: value for name, value in parameters.items() if name not in options}
