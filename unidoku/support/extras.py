"""Libraries that are missing or cannot be loaded, and what to type to install them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from traceback import walk_tb

from unidoku.errors import NotInstalledError, UnidokuError, is_out_of_memory

NO_WHEEL = "no wheel for this system"
"""What is said of an extra that would install nothing."""


def command(extra: str) -> str:
    """Return the command that installs an extra.

    >>> command("figures")
    "pip install 'unidoku[figures]'"
    """
    return f"pip install 'unidoku[{extra}]'"


def has_wheel(install: str) -> bool:
    """Return whether an install command has an effect on this system.

    The packages of an extra may be limited to some systems. Whether this is one of them is read
    from the metadata of the installed distribution, as pip does.

    >>> has_wheel("apt install minizinc")
    True
    """
    import platform
    from importlib import metadata

    if (extra := re.search(r"unidoku\[([\w-]+)\]", install)) is None:
        return True
    try:
        required = metadata.requires("unidoku") or []
    except metadata.PackageNotFoundError:
        return True
    environment = {
        "extra": extra[1],
        "platform_machine": platform.machine(),
        "platform_version": platform.version(),
        "python_version": f"{sys.version_info.major}.{sys.version_info.minor}",
        "sys_platform": sys.platform,
    }
    of_extra = re.compile(rf"extra == .{re.escape(extra[1])}['\"]")
    markers = [text.partition(";")[2] for text in required if of_extra.search(text)]
    return not markers or any(_holds(marker, environment) for marker in markers)


def _holds(marker: str, environment: dict[str, str]) -> bool:
    """Evaluate a marker of our own metadata: it is an expression of Python over texts."""
    return bool(eval(marker.strip(), {"__builtins__": {}}, environment))


def advice(install: str) -> str:
    """Return advice with a command, and its form for a checkout if it installs an extra.

    Without a command the advice is general; on a system without a wheel it says so.

    >>> advice(command("figures"))
    "type: pip install 'unidoku[figures]', or in a checkout: pip install '.[figures]'"
    >>> advice("apt install minizinc")
    'type: apt install minizinc'
    """
    if not install:
        return "install it"
    if not has_wheel(install):
        return f"there is {NO_WHEEL}, see docs/installing.md"
    in_checkout = install.replace("'unidoku[", "'.[")
    return f"type: {install}" + (
        "" if in_checkout == install else f", or in a checkout: {in_checkout}"
    )


def not_installed(needs: str, install: str) -> NotInstalledError:
    """Return the error that says what needs which library, and what to type.

    >>> str(not_installed("a data frame needs pandas", "pip install pandas"))
    'a data frame needs pandas, which is not installed; type: pip install pandas'
    >>> str(not_installed("pictures need svglib and reportlab", "")).partition(";")[0]
    'pictures need svglib and reportlab, which are not installed'
    """
    are = "are" if " and " in needs.partition(" need")[2] else "is"
    return NotInstalledError(f"{needs}, which {are} not installed; {advice(install)}")


def is_installed(module: str) -> bool:
    """Return whether a module is installed, without importing it.

    If the search for it fails, as where a program forbids modules, it counts as installed: its
    import raises the reason.
    """
    try:
        return find_spec(module) is not None
    except Exception:  # noqa: BLE001 - whatever another one's finder raises
        return True


def in_one_line(error: BaseException) -> str:
    r"""Return the kind of an exception and the first line of its message, which may be a page.

    >>> in_one_line(ImportError("\n\nno library\nRead this.\n"))
    'ImportError: no library'
    """
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"


@contextmanager
def needing(feature: str) -> Iterator[None]:
    """Turn the failed import of a library in a ``with`` into an error that says what to type.

    Args:
        feature: what cannot work without the library, as the beginning of the message.

    Raises:
        NotInstalledError: a library is not installed, or raises something when it is imported.
    """
    try:
        yield
    except (Exception, SystemExit) as error:  # a library may exit
        if isinstance(error, UnidokuError) or is_out_of_memory(error):  # no fault of a library
            raise
        why = in_one_line(error)
        match _library_at_fault(error):
            case None:
                raise
            case "":
                raise NotInstalledError(f"{feature} needs a library: {why}") from error
            case library if isinstance(error, ModuleNotFoundError):
                needed = f"{feature} needs {library}"
                raise not_installed(needed, f"pip install {library}") from error
            case library:
                again = f"type: pip install --force-reinstall {library}"
                raise NotInstalledError(
                    f"{feature} needs {library}, which cannot be loaded: {why}; {again}"
                ) from error


def _library_at_fault(error: BaseException) -> str | None:
    """Return the library whose import raised an exception.

    Empty if the import failed and does not name it, as where a program forbids it; None if the
    exception is not about a library.
    """
    named = error.name if isinstance(error, ImportError) else None
    modules = [named] if named else []
    modules += [
        str(frame.f_globals.get("__name__"))
        for frame, _ in walk_tb(error.__traceback__)
        if frame.f_code.co_name == "<module>"
    ]
    libraries = (module.partition(".")[0] for module in modules)
    others = (name for name in libraries if name not in ("unidoku", "__main__"))
    return next(others, "" if isinstance(error, ImportError) and not named else None)
