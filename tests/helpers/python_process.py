"""Runs Python in another process, as the user of a program would."""

from __future__ import annotations

import subprocess
import sys
from typing import Any


def run_python(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python with some arguments, and return its end with all that it printed.

    Args:
        arguments: the arguments, such as ``-m`` and a module.
        options: further options of `subprocess.run`; it is no error to fail unless one says so.
    """
    command = [sys.executable, *map(str, arguments)]
    check = options.pop("check", False)
    return subprocess.run(command, capture_output=True, text=True, check=check, **options)
