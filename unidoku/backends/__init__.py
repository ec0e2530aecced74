"""The catalogue of backends: one row each. Reading it imports no solver.

Other distributions add rows: an entry point in the group ``unidoku.backends`` that names a
`BackendSpec`. A row that cannot be loaded is a warning which names its distribution.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from inspect import Parameter, signature
from types import MappingProxyType

from unidoku.backends.base import Backend, Capabilities
from unidoku.backends.options import unknown_option_error
from unidoku.errors import (
    BackendError,
    BackendNotInstalledError,
    UnidokuError,
    UnknownBackendError,
    nearest,
)

__all__ = ["BUILT_IN", "BackendSpec", "catalogue", "find"]

ENTRY_POINTS = "unidoku.backends"


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendSpec:
    """A row of the catalogue.

    Args:
        name: how users call the backend.
        target: ``module:Class`` of the adapter; called with the options.
        summary: what it is, in a few words.
        capabilities: what it serves.
        requires: modules that must be importable.
        distributions: that provide them, any one of them; the first installed tells the version.
        install: what to type to install it; empty for what is always there.
        homepage: of the solver beneath, if there is one.
        licence: of the solver beneath, as an SPDX expression.
    """

    name: str
    target: str
    summary: str
    capabilities: Capabilities
    requires: tuple[str, ...] = ()
    distributions: tuple[str, ...] = ()
    install: str = ""
    homepage: str = ""
    licence: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """The required modules that are not installed; looked up, not imported."""
        return tuple(
            module for module in self.requires if find_spec(module.partition(".")[0]) is None
        )

    @property
    def version(self) -> str | None:
        """The version of the solver beneath, as ``distribution version``; None if unknown."""
        from importlib import metadata  # 30 ms, which a plain solve need not spend

        for name in self.distributions:
            try:
                return f"{name} {metadata.version(name)}"
            except metadata.PackageNotFoundError:
                continue
        return None

    def create(self, options: Mapping[str, object]) -> Backend:
        """Import the adapter and make a backend with these options.

        Raises:
            BackendNotInstalledError: a required module is missing; says what to type.
            BackendError: the adapter cannot be imported or made for another reason.
            OptionError: an option is unknown or of the wrong type.
        """
        if self.missing:
            raise BackendNotInstalledError(
                f"backend {self.name!r} needs {', '.join(self.missing)}, which is not installed; "
                f"{self.install}"
            )
        module, _, name = self.target.partition(":")
        try:
            factory = getattr(import_module(module), name)
        except Exception as error:
            raise BackendError(f"backend {self.name!r} cannot be imported: {error!r}") from error
        _check_names(self.name, factory, options)
        try:
            backend: Backend = factory(**options)
        except UnidokuError:
            raise
        except Exception as error:
            raise BackendError(f"backend {self.name!r} cannot be made: {error!r}") from error
        return backend


def _check_names(backend: str, factory: type, options: Mapping[str, object]) -> None:
    """Refuse options that the factory has no parameter for, unless it takes any and checks them."""
    parameters = signature(factory).parameters
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters.values()):
        return
    for option in options:
        if option not in parameters:
            raise unknown_option_error(backend, option, parameters)


BUILT_IN: tuple[BackendSpec, ...] = (
    BackendSpec(
        name="native",
        target="unidoku.backends.native:Native",
        summary="Unidoku's own: compiled from the units, many boards at once",
        capabilities=Capabilities(
            rules=frozenset({"non-consecutive"}),
            honours=frozenset({"time_limit", "node_limit", "threads"}),
        ),
        distributions=("unidoku",),
        licence="MIT",
    ),
    BackendSpec(
        name="norvig",
        target="unidoku.backends.norvig:Norvig",
        summary="propagation and depth-first search, after Norvig's essay",
        capabilities=Capabilities(
            rules=frozenset({"non-consecutive"}),
            honours=frozenset({"time_limit", "node_limit"}),
        ),
        distributions=("unidoku",),
        homepage="https://norvig.com/sudoku.html",
        licence="MIT",
    ),
    BackendSpec(
        name="python-constraint",
        target="unidoku.backends.python_constraint:PythonConstraint",
        summary="CSP solver in Python: backtracking with forward checking",
        capabilities=Capabilities(
            rules=frozenset({"non-consecutive"}),
            honours=frozenset({"time_limit", "node_limit"}),
        ),
        requires=("constraint",),
        distributions=("python-constraint2", "python-constraint"),
        install="pip install 'unidoku[python-constraint]'",
        homepage="https://github.com/python-constraint/python-constraint",
        licence="BSD-2-Clause",
    ),
    BackendSpec(
        name="cp-sat",
        target="unidoku.backends.cp_sat:CpSat",
        summary="OR-Tools CP-SAT: lazy clause generation",
        capabilities=Capabilities(
            rules=frozenset({"non-consecutive"}),
            honours=frozenset({"time_limit", "threads", "seed"}),
        ),
        requires=("ortools",),
        distributions=("ortools",),
        install="pip install 'unidoku[cp-sat]'",
        homepage="https://developers.google.com/optimization/cp/cp_solver",
        licence="Apache-2.0",
    ),
)


@cache
def catalogue() -> Mapping[str, BackendSpec]:
    """Return all rows by name: those built in, then those of installed distributions."""
    from importlib import metadata  # as above

    rows = {spec.name: spec for spec in BUILT_IN}
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        source = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "unknown"
        try:
            spec = entry.load()
        except Exception as error:  # noqa: BLE001 - whatever a plugin raises must not stop us
            _warn(f"backend {entry.name!r} of {source} cannot be loaded: {error!r}")
            continue
        if not isinstance(spec, BackendSpec):
            _warn(f"backend {entry.name!r} of {source}: expected a BackendSpec, got {spec!r}")
        elif spec.name in rows:
            _warn(f"backend {spec.name!r} of {source} is ignored: the name is taken")
        else:
            rows[spec.name] = spec
    return MappingProxyType(rows)


def _warn(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=3)


def find(name: str) -> BackendSpec:
    """Return the row of that name.

    Raises:
        UnknownBackendError: there is none.
    """
    for spec in BUILT_IN:
        if spec.name == name:
            return spec
    rows = catalogue()
    if name not in rows:
        raise UnknownBackendError(f"expected a backend, got {name!r}; {nearest(name, rows)}")
    return rows[name]
