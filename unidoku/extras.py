"""What to type to install an extra, for an installation from an index or from a checkout."""

from __future__ import annotations

import re
import sys

from unidoku.errors import NotInstalledError

__all__ = ["NO_WHEEL", "advice", "command", "has_wheel", "not_installed"]

NO_WHEEL = "no wheel for this system"
"""What is said of an extra that would install nothing."""


def command(extra: str) -> str:
    """Return the command that installs an extra.

    >>> command("figures")
    "pip install 'unidoku[figures]'"
    """
    return f"pip install 'unidoku[{extra}]'"


def has_wheel(install: str) -> bool:
    """Return whether a command installs something here; an extra may be left out on a system.

    The metadata of the installed distribution decide, as they did for pip.

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
    here = {
        "extra": extra[1],
        "platform_machine": platform.machine(),
        "platform_version": platform.version(),
        "python_version": f"{sys.version_info.major}.{sys.version_info.minor}",
        "sys_platform": sys.platform,
    }
    of_extra = re.compile(rf"extra == .{re.escape(extra[1])}['\"]")
    markers = [text.partition(";")[2] for text in required if of_extra.search(text)]
    return not markers or any(_holds(marker, here) for marker in markers)


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
    here = install.replace("'unidoku[", "'.[")
    return f"type: {install}" + ("" if here == install else f", or in a checkout: {here}")


def not_installed(needs: str, install: str) -> NotInstalledError:
    """Return the error that says what needs which library, and what to type.

    >>> str(not_installed("a data frame needs pandas", "pip install pandas"))
    'a data frame needs pandas, which is not installed; type: pip install pandas'
    >>> str(not_installed("pictures need svglib and reportlab", "")).partition(";")[0]
    'pictures need svglib and reportlab, which are not installed'
    """
    are = "are" if " and " in needs.partition(" need")[2] else "is"
    return NotInstalledError(f"{needs}, which {are} not installed; {advice(install)}")
