"""A backend as plain data: what it serves, its options, and what is in force in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unidoku.backends.base import Request
from unidoku.backends.solver import Solver
from unidoku.backends.spec import BackendSpec

__all__ = ["beneath", "described", "row"]


def row(spec: BackendSpec) -> dict[str, Any]:
    """Return what the catalogue knows of a backend, ready for JSON; nothing is imported."""
    can = spec.capabilities
    return {
        "name": spec.name,
        "summary": spec.summary,
        "paradigm": spec.paradigm,
        "licence": spec.licence,
        "homepage": spec.homepage,
        "limits": sorted(can.honours),
        "rules": sorted(can.rules),
        "max_values": can.max_values,
        "complete": can.complete,
        "missing": list(spec.missing),
        "version": spec.version,
        "install": spec.install,
    }


def described(solver: Solver, request: Request | None = None) -> dict[str, Any]:
    """Return the row of a solver, its options, and its parameters in a request, ready for JSON.

    >>> from unidoku import load
    >>> found = described(load("exact-cover[heuristic=first]"))
    >>> found["options"], found["parameters"]
    ([{'name': 'heuristic', 'values': ['mrv', 'first'], 'default': 'mrv'}], {'heuristic': 'first'})

    Raises:
        UnsupportedError: as `Solver.parameters`.
    """
    options = [
        {"name": option.name, "values": list(option.values), "default": option.default}
        for option in solver.spec.options()
    ]
    return row(solver.spec) | {
        "label": solver.label,
        "options": options,
        "parameters": solver.parameters(request),
    }


def beneath(solver: Solver, request: Request | None = None) -> Mapping[str, Any]:
    """Return the parameters in force that are no options: what the solver beneath is told."""
    options = {option.name for option in solver.spec.options()}
    told = solver.parameters(request)
    return {name: value for name, value in told.items() if name not in options}
