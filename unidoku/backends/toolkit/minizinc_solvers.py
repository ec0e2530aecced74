"""The solvers that MiniZinc lists, installed or not, and those that it finds, with their flags."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from unidoku.errors import BackendError, OptionError, UnsupportedError


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


@dataclass(frozen=True, slots=True)
class SolverProgram:
    """A program that reads FlatZinc.

    Args:
        id: MiniZinc's name for it, such as ``org.gecode.gecode``.
        executable: file of the program.
        flags: the standard flags that it supports.
        version: its name and version, as MiniZinc lists them.
    """

    id: str
    executable: str
    flags: frozenset[str]
    version: str = ""

    @property
    def is_ortools(self) -> bool:
        """Whether it is OR-Tools, which has the same faults as the backend `cp-sat`."""
        return "ortools" in self.id.replace("-", "")

    def flag(self, flag: str, purpose: str) -> str:
        """Return the flag; refuse its purpose if the solver lacks it."""
        if flag not in self.flags:
            raise UnsupportedError(
                f"minizinc cannot honour {purpose}: {self.id} has no flag {flag}"
            )
        return flag


def find_solver(name: str) -> SolverProgram:
    """Return the solver with that id or last part of an id; refuse anything else."""
    usable, others = _listed()
    if name in usable:
        return usable[name]
    short = [word for word in usable if "." not in word]
    reason = "is listed by MiniZinc, but is not a program that reads FlatZinc"
    raise OptionError(
        f"minizinc: option 'solver': expected an installed one ({', '.join(short) or 'none'}); "
        f"{name!r} {reason if name in others else 'is not known to MiniZinc'}"
    )


@lru_cache(maxsize=1)
def _listed() -> tuple[Mapping[str, SolverProgram], frozenset[str]]:
    """Return the usable solvers by name, and the names of the others."""
    usable: dict[str, SolverProgram] = {}
    others: set[str] = set()
    for row in listed_solvers():
        names = (row["id"].rpartition(".")[2], row["id"])
        program = row.get("executable", "")
        if (
            row.get("supportsFzn")
            and row.get("inputType", "FZN") == "FZN"
            and not row.get("isGUIApplication")
            and not row.get("requiredFlags")
            and os.access(program, os.X_OK)
        ):
            flags = frozenset(row.get("stdFlags", ()))
            solver = SolverProgram(row["id"], program, flags, name_and_version(row))
            usable |= {name: solver for name in names if name not in usable}
        else:
            others.update(names)
    return usable, frozenset(others)
