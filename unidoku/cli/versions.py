"""The versions that a report of a bug needs: ``unidoku --version --verbose``."""

from __future__ import annotations

import platform

from unidoku.cli.printing import say
from unidoku.version import __version__

LIBRARIES = ("click", "llvmlite", "numpy", "rich")
"""The libraries of the default installation, except for the solvers."""


def print_versions() -> None:
    """Print the versions of Unidoku, of Python, of the libraries and of the installed solvers."""
    from importlib import metadata

    from unidoku.backends import catalogue
    from unidoku.cli.common import print_table

    python = f"{platform.python_implementation()} {platform.python_version()}"
    rows = [["unidoku", __version__], ["python", python], ["system", platform.platform()]]
    rows += [[name, metadata.version(name)] for name in LIBRARIES]
    for spec in catalogue().values():
        if not spec.missing:
            version = spec.version or "version unknown"
            rows.append([f"backend {spec.name}", version])
    print_table(["what", "version"], rows)
    say("To report a bug, add the output of `unidoku config`.")
