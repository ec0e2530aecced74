"""The versions that a report of a bug needs: ``unidoku --version --verbose``."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterator

import click

from unidoku.version import __version__

__all__ = ["print_versions"]

LIBRARIES = ("click", "llvmlite", "numba", "numpy", "rich")
"""The libraries of the default installation, except for the solvers."""

_PATIENCE = 10.0
"""Seconds that a program may take to print its version."""


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
            told = spec.version or ", ".join(_told_by(spec.programs)) or "version unknown"
            rows.append([f"backend {spec.name}", told])
    print_table(["what", "version"], rows)
    click.echo("To report a bug, add the output of `unidoku config`.")


def _told_by(programs: tuple[str, ...]) -> Iterator[str]:
    """Yield the first line that each program prints about its version, if it prints one."""
    for program in programs:
        try:
            ran = subprocess.run(
                [program, "--version"],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if line := (ran.stdout or ran.stderr).strip().partition("\n")[0]:
            yield line
