"""The packages that the compiled engines need: imported when needed, or known to be broken."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from unidoku.backends.native.library import level
from unidoku.errors import BackendError
from unidoku.support.extras import in_one_line, is_installed
from unidoku.support.logs import tell_once


class EngineError(BackendError):
    """A compiled engine cannot be loaded on this machine; the message states why."""


_broken: dict[str, str] = {}
"""Packages of the compiled engines that could not be loaded in this process, and why."""


def broken(package: str, why: str) -> None:
    """Remember and tell that a package cannot be loaded.

    The engines that need the package are not chosen any more.
    """
    _broken[package] = _not_loaded(package, why)
    tell_once(__name__, f"native searches without its compiled engines: it {_broken[package]}")


def is_broken(package: str) -> bool:
    """Return whether a package is known to be broken, which has been told."""
    return package in _broken


def require(*packages: str) -> None:
    """Import packages; raise EngineError if one of them cannot be imported."""
    for package in packages:
        if package not in _broken and (why := _import_error(package)):
            broken(package, why)
        if package in _broken:
            raise EngineError(f"native {_broken[package]}; use engine=python")


def lacks(*packages: str) -> str | None:
    """Return which package is not installed or cannot be loaded, None if none is known."""
    for package in packages:
        if why := _broken.get(package):
            return why
        if not _is_installed(package):
            return f"needs {package}, which is not installed"
    return None


_is_installed = cache(is_installed)


def compiler() -> tuple[str, ...]:
    """Return the packages that machine code needs: none if the library has it."""
    return () if level() else ("llvmlite",)


def code_lack() -> str | None:
    """Return why there is no machine code here, None if the library or llvmlite makes it."""
    return lacks(*compiler())


def problem() -> str | None:
    """Import what the compiled engines need; return what keeps them from work, None if nothing."""
    for package in ("numpy", *compiler()):
        if lack := lacks(package):
            return lack
        if why := _import_error(package):
            return _not_loaded(package, why)
    return None


def _not_loaded(package: str, why: str) -> str:
    return f"needs {package}, which cannot be loaded: {why}"


def _import_error(package: str) -> str | None:
    """Import a package; return in words what it raised, None if it is imported."""
    try:
        import_module(package)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a library may raise anything
        return in_one_line(error)
    return None
