"""What to type to install an extra, for an installation from an index or from a checkout."""

from __future__ import annotations

from unidoku.errors import NotInstalledError

__all__ = ["advice", "command", "not_installed"]


def command(extra: str) -> str:
    """Return the command that installs an extra.

    >>> command("figures")
    "pip install 'unidoku[figures]'"
    """
    return f"pip install 'unidoku[{extra}]'"


def advice(install: str) -> str:
    """Return advice with a command, and its form for a checkout if it installs an extra.

    Without a command the advice is general.

    >>> advice(command("figures"))
    "type: pip install 'unidoku[figures]', or in a checkout: pip install '.[figures]'"
    >>> advice("apt install minizinc")
    'type: apt install minizinc'
    """
    if not install:
        return "install it"
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
