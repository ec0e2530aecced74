"""The solvers that MiniZinc lists, installed or not."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from unidoku.errors import BackendError


@lru_cache(maxsize=1)
def listed_solvers() -> tuple[Mapping[str, Any], ...]:
    """Return the rows of ``minizinc --solvers-json``.

    Raises:
        BackendError: MiniZinc does not list them.
    """
    command = ["minizinc", "--solvers-json"]
    try:
        output = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=10
        ).stdout
        return tuple(json.loads(output))
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise BackendError(f"minizinc: cannot list the solvers: {error}") from error


def name_and_version(row: Mapping[str, Any]) -> str:
    """Return the name and the version of a listed solver, such as ``Gecode 6.2.0``."""
    return f"{row.get('name', row['id'])} {row.get('version', 'unknown')}"
