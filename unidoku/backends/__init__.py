"""The catalogue of backends, one row for each. Reading it imports no solver.

Each built-in backend has a module, or a package, with its row, ``SPEC``. The module of the row's
target imports the library, so that it is loaded only when a solver is made.

Other distributions add rows by an entry point in the group ``unidoku.backends`` that names a
`BackendSpec`. A row that cannot be loaded causes a warning with the name of its distribution. A
class without a row is named as ``module:Class``, a function as ``function:module:name``.
"""

from __future__ import annotations

import sys
import sysconfig
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType

from unidoku.backends.base import Capabilities
from unidoku.backends.failure import summarize_exception
from unidoku.backends.function import FunctionSpec
from unidoku.backends.options import PREFIX
from unidoku.backends.spec import BackendSpec
from unidoku.errors import BackendError, UnknownBackendError, nearest
from unidoku.support.naming import in_force

__all__ = ["BUILT_IN", "BackendSpec", "catalogue", "every_row", "find", "program_rows"]

ENTRY_POINTS = "unidoku.backends"

_ADAPTERS = (
    *("norvig", "logic", "python-constraint", "cp-sat", "sat", "exact-cover", "choco", "clingo"),
    *("z3", "pumpkin", "highs", "scip", "minizinc", "cpmpy"),
)

BUILT_IN = {
    "auto": "unidoku.backends.auto",
    "native": "unidoku.backends.native",
    **{name: f"unidoku.backends.adapters.{name.replace('-', '_')}" for name in _ADAPTERS},
}
"""The modules with the rows of the backends that come with Unidoku, in the order of the list."""


def _built_in(name: str) -> BackendSpec:
    spec: BackendSpec = import_module(BUILT_IN[name]).SPEC
    return spec


@cache
def catalogue() -> Mapping[str, BackendSpec]:
    """Return all rows by name: those built in, then those of installed distributions."""
    from importlib import metadata  # slow to import, and not always needed

    rows = {name: _built_in(name) for name in BUILT_IN}
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
    """Return the row of that name, or one for a class or a function of a module.

    Besides the catalogue these are the names in force, see `unidoku.support.naming`.

    Raises:
        UnknownBackendError: no backend has that name.
        SettingsError: the name is one of a file that cannot be used.
        BackendError: the module cannot be imported.
    """
    if name in BUILT_IN:
        return _built_in(name)
    if ":" in name:
        return _unlisted(name)
    rows = {**program_rows(name), **catalogue()}
    if name not in rows:
        raise UnknownBackendError(f"expected a backend, got {name!r}; {nearest(name, rows)}")
    return rows[name]


def every_row() -> Iterator[BackendSpec]:
    """Yield the rows of the catalogue, and then those of programs.

    Raises:
        SettingsError: as for `program_rows`.
    """
    rows = catalogue()
    yield from rows.values()
    yield from (row for name, row in program_rows().items() if name not in rows)


def program_rows(name: str = "") -> Mapping[str, BackendSpec]:
    """Return the rows of programs that read a standard language: known ones and those in force.

    Args:
        name: the name that is looked up, if it is one.

    Raises:
        SettingsError: a settings file cannot be read, or its table of programs is not valid.
    """
    from unidoku.backends.programs.rows import known_programs  # only if one is asked for

    return {**known_programs(), **in_force().programs(name)}


def _unlisted(target: str) -> BackendSpec:
    """Return a row for a class or a function that no catalogue lists.

    The row's ``capabilities`` are those of the class.
    """
    is_function = target.startswith(PREFIX)
    target = target.removeprefix(PREFIX)
    value = _imported(target)
    if is_function:
        if not callable(value):
            raise UnknownBackendError(f"expected a function, got {target!r}: {value!r}")
        return FunctionSpec.of(target, value)
    if isinstance(value, BackendSpec):
        return value
    capabilities = getattr(value, "capabilities", Capabilities())
    if not (isinstance(value, type) and isinstance(capabilities, Capabilities)):
        wrong = f"expected a class with Capabilities as its capabilities, got {target!r}: {value!r}"
        if callable(value) and not isinstance(value, type):
            wrong = f"expected a class, got the function {target!r}: type {PREFIX}{target}"
        raise UnknownBackendError(f"{wrong}; see docs/own-backend.md")
    if not callable(getattr(value, "search", None)):
        wrong = f"expected a class with a method search, got {target!r}: {value!r}"
        raise UnknownBackendError(f"{wrong}; see docs/own-backend.md")
    summary = (value.__doc__ or target).strip().partition("\n")[0]
    return BackendSpec(name=target, target=target, summary=summary, capabilities=capabilities)


def _imported(target: str) -> object:
    """Return the object ``module:name``; the folder in force comes after the standard library.

    Raises:
        UnknownBackendError: there is no such module, or nothing of that name in it.
        BackendError: the module cannot be imported.
    """
    name, _, attribute = target.partition(":")
    _find_in_folder(name.partition(".")[0])
    try:
        module = import_module(name)
    except (Exception, SystemExit) as error:  # a program that is not a module may exit
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if not name or (missing and f"{name}.".startswith(f"{missing}.")):
            raise UnknownBackendError(
                f"expected module:Class with a backend, got {target!r}: {error}"
            ) from error
        raise BackendError(f"{name!r} cannot be imported: {summarize_exception(error)}") from error
    try:
        return attrgetter(attribute)(module)
    except AttributeError:
        names = [word for word, value in vars(module).items() if _is_of(value, name)]
        message = f"expected module:Class or function:module:name, got {target!r}"
        raise UnknownBackendError(
            f"{message}, which is not in {getattr(module, '__file__', None) or name!r}; "
            f"{nearest(attribute, names)}"
        ) from None


def _find_in_folder(name: str) -> None:
    """Let Python find modules of the folder in force if it has one of this name.

    They come before those of installed packages, and after those of the standard library.

    Raises:
        UnknownBackendError: the standard library has a module of that name, too.
    """
    folder = str(in_force().folder or Path.cwd())
    if not name or PathFinder.find_spec(name, [folder]) is None:
        return
    if name in sys.stdlib_module_names:
        raise UnknownBackendError(
            f"expected a module with a name of its own, got {name!r}, which is one of Python's "
            f"standard library; rename it in {folder}"
        )
    add_folder(folder)


def add_folder(folder: str) -> None:
    """Let Python find modules of a folder: after the standard library, before installed ones."""
    library = sysconfig.get_path("stdlib")
    installed = ("site-packages", "dist-packages")
    folders = [
        k
        for k, entry in enumerate(sys.path)
        if entry.startswith(library) and Path(entry).name not in installed
    ]
    index = folders[-1] + 1 if folders else 0
    if folder not in sys.path[: index + 1]:
        sys.path.insert(index, folder)


def _is_of(value: object, module: str) -> bool:
    """Return whether a class or a function is defined in a module, not imported there."""
    return callable(value) and getattr(value, "__module__", None) == module
