"""A row of the catalogue: what is known about a backend without importing it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter, signature
from operator import attrgetter
from typing import Any

from unidoku.backends.base import Backend, Capabilities
from unidoku.backends.failure import summarize_exception
from unidoku.backends.options import (
    DeclaredOption,
    declared_options,
    format_label,
    option_type_error,
    unknown_option_error,
)
from unidoku.backends.program_version import ASKING, printed_version
from unidoku.core.transforms.implied import MAX_TERMS
from unidoku.errors import BackendError, BackendNotInstalledError, OptionError, UnidokuError
from unidoku.support.extras import advice, has_wheel, is_installed

DEDUCTIONS = "deductions"
"""The option whether a backend also gets sums deduced from cages
(`unidoku.core.transforms.implied`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendSpec:
    """A row of the catalogue of backends: what is known about one before it is imported.

    Args:
        name: name of the backend.
        target: ``module:Class`` of the adapter; called with the options.
        summary: description in a few words.
        capabilities: what the backend supports.
        paradigm: method of solving, such as ``SAT``.
        requires: modules that must be importable.
        programs: programs that must be on the path.
        distributions: distributions that provide the modules, any one is enough; the version is
            that of the first installed one.
        install: command that installs the backend; empty if it is always installed.
        homepage: homepage of the underlying solver, if it has one.
        licence: licence of the underlying solver, as an SPDX expression.
        threads_option: option that sets the number of threads, as the limit ``threads`` does;
            0 stands for all cores. Empty if there is none.
        guarded: options whose values name a file or a command, which text from elsewhere must not
            choose; see `unidoku.backends.reach`.
        nests: options whose values are labels of other backends.
        forkable: whether a process that has imported the backend may be forked and then search in
            the copy.
        whole: whether each search starts a program that reads the whole board, so that no search
            profits from a model that an earlier one built.
        keeps_program: whether its searches share a program that `Solver.prepare` starts.
        deductions: whether the backend by default also gets sums deduced from cages (the option of
            the same name overrides it); see `unidoku.core.transforms.implied`.
        terms: largest number of cells in such a sum.
    """

    name: str
    target: str
    summary: str
    capabilities: Capabilities
    paradigm: str = ""
    requires: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    distributions: tuple[str, ...] = ()
    install: str = ""
    homepage: str = ""
    licence: str = ""
    threads_option: str = ""
    guarded: tuple[str, ...] = ()
    nests: tuple[str, ...] = ()
    forkable: bool = True
    whole: bool = False
    keeps_program: bool = False
    deductions: bool = True
    terms: int = MAX_TERMS

    @property
    def missing(self) -> tuple[str, ...]:
        """The required modules and programs that are not installed; checked without importing."""
        modules = (name for name in self.requires if not is_installed(name.partition(".")[0]))
        programs = (name for name in self.programs if shutil.which(name) is None)
        return (*modules, *programs)

    @property
    def problem(self) -> str | None:
        """Why the backend is installed and cannot be used, or not all of it; None for no problem.

        The adapter and its library are imported, which can take a second.
        """
        if self.missing:
            return None
        try:
            problem: Callable[[], str | None] = getattr(self._importable(), "problem", lambda: None)
        except UnidokuError as error:
            return str(error)
        return problem()

    @property
    def version(self) -> str | None:
        """The version of the underlying solver, as ``distribution version``; None if unknown.

        If no distribution is installed, the versions that the programs print, joined by commas;
        each program is run for it.
        """
        from importlib import metadata  # takes 30 ms, which most searches save

        for name in self.distributions:
            try:
                return f"{name} {metadata.version(name)}"
            except metadata.PackageNotFoundError:
                continue
        printed = (printed_version(program, ASKING) for program in self.programs)
        return ", ".join(filter(None, printed)) or None

    def factory(self) -> Callable[..., Backend]:
        """Import the adapter and return the function that makes a backend from its options."""
        module, _, name = self.target.partition(":")
        function: Callable[..., Backend] = attrgetter(name)(import_module(module))
        return function

    def create(self, options: Mapping[str, object]) -> Backend:
        """Import the adapter and make a backend with these options.

        Raises:
            BackendNotInstalledError: a required module or program is missing; the message says what
                to type.
            BackendError: the adapter cannot be imported or made for another reason.
            OptionError: an option is unknown, of the wrong type, or has a value that the underlying
                solver refuses.
        """
        factory = self._importable()
        arguments = self._own(options)
        _check_names(self.name, factory, arguments)
        try:
            backend = factory(**arguments)
        except UnidokuError:
            raise
        except Exception as error:
            if arguments and isinstance(error, ValueError | OverflowError):
                label = format_label(self.name, options)
                raise OptionError(f"{label}: the solver refuses the options: {error}") from error
            raise BackendError(
                f"backend {self.name!r} cannot be made: {summarize_exception(error)}"
            ) from error
        return backend

    def options(self) -> tuple[DeclaredOption, ...]:
        """Import the adapter; return the options that it declares, and `DEDUCTIONS`.

        Raises:
            BackendNotInstalledError, BackendError: as for `create`.
        """
        return declared_options(self._importable()) + self.shared_options

    @property
    def shared_options(self) -> tuple[DeclaredOption, ...]:
        """Unidoku's own options, for every backend that supports constraints."""
        if not self.capabilities.constraints:
            return ()
        return (DeclaredOption(name=DEDUCTIONS, type="bool", choices=(), default=self.deductions),)

    def _own(self, options: Mapping[str, object]) -> dict[str, object]:
        """Return the options of the backend itself; check Unidoku's own options."""
        arguments = dict(options)
        for option in self.shared_options:
            given = arguments.pop(option.name, option.default)
            if type(given) is not bool:
                raise option_type_error(self.name, option.name, option.type, given)
        return arguments

    def record(self) -> dict[str, Any]:
        """Return the row as a table for JSON; the options are None if it cannot be imported."""
        can = self.capabilities
        try:
            options = [option.record() for option in self.options()]
        except UnidokuError:
            options = None
        return {
            "name": self.name,
            "summary": self.summary,
            "paradigm": self.paradigm,
            "licence": self.licence,
            "homepage": self.homepage or None,
            "installed": not self.missing,
            "problem": self.problem,
            "version": None if self.missing else self.version,
            "install": (self.install if has_wheel(self.install) else "") or None,
            "complete": can.complete,
            "limits": sorted(can.honours),
            "constraints": sorted(constraint.name for constraint in can.constraints),
            "shapes": sorted(constraint.name for constraint in can.constraints),  # former name
            "max_values": can.max_values,
            "max_sum": can.max_sum,
            "options": options,
            "other_options": None if options is None else _takes_any(self._importable()),
        }

    def _importable(self) -> Callable[..., Backend]:
        """Return the function that makes a backend; for its errors see `create`."""
        if self.missing:
            raise BackendNotInstalledError(
                f"backend {self.name!r} needs {', '.join(self.missing)}, which is not installed; "
                f"{advice(self.install)}"
            )
        try:
            return self.factory()
        except (Exception, SystemExit) as error:  # a library may exit
            is_of_program = self.target.startswith("__main__:")
            hint = "; other processes can import it from a module" if is_of_program else ""
            raise BackendError(
                f"backend {self.name!r} cannot be imported: {summarize_exception(error)}{hint}"
            ) from error


def _check_names(
    backend: str, factory: Callable[..., object], options: Mapping[str, object]
) -> None:
    """Refuse options that the factory has no parameter for, unless it takes any and checks them."""
    parameters = signature(factory).parameters
    if _takes_any(factory):
        return
    for option in options:
        if option not in parameters:
            raise unknown_option_error(backend, option, parameters)


def _takes_any(factory: Callable[..., object]) -> bool:
    """Return whether a factory takes options of any name, such as the solver's own parameters."""
    parameters = signature(factory).parameters.values()
    return any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters)
