"""What the supervisor, the zygote and the workers say to each other."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from unidoku.backends import BackendSpec
from unidoku.backends.solver import Solver
from unidoku.comparison.run.bench import Measuring

__all__ = ["Configuration", "Heard", "Loaded", "Setup", "adopt_orphans", "die_with_parent"]


@dataclass(frozen=True, slots=True)
class Configuration:
    """What makes a solver in another process.

    Args:
        spec: the backend's row of the catalogue.
        options: of the backend.
    """

    spec: BackendSpec
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, solver: Solver | Configuration) -> Configuration:
        """Return the configuration of a solver, or of one that is elsewhere."""
        return cls(solver.spec, dict(solver.options))

    def create(self) -> Solver:
        """Import the backend and return the solver.

        Raises:
            UnidokuError: as `BackendSpec.create`.
        """
        return Solver(self.spec, self.spec.create(self.options), self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a zygote must know.

    Args:
        path: where Python looks for modules.
        configurations: by label.
        measuring: how to measure.
        host: how records call this machine.
        folder: for files; removed by the zygote if the supervisor could not.
        preload: import the backends before the first worker is forked.
    """

    path: tuple[str, ...]
    configurations: Mapping[str, Configuration]
    measuring: Measuring
    host: str
    folder: str
    preload: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What a zygote says once it is ready.

    Args:
        nanoseconds: by backend, how long its modules took to import, those that another had
            imported before left out.
    """

    nanoseconds: Mapping[str, int]


class Heard(Enum):
    """What a worker says between its records, which are pickled: neither of these is a pickle."""

    LOADING = b"l"
    """It makes a solver: a library may have to be imported."""
    SEARCHING = b"s"
    """A search begins."""


_SET_PDEATHSIG = 1
_SET_CHILD_SUBREAPER = 36
_SIGKILL = 9  # signal.SIGKILL, which not every system's Python has


def die_with_parent(*, wanted: bool = True) -> None:
    """Have the system kill this process when the thread that started it ends, or no longer.

    Does nothing where the system is not Linux (prctl(2), PR_SET_PDEATHSIG).
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PDEATHSIG, _SIGKILL if wanted else 0)


def adopt_orphans() -> None:
    """Become the parent of all descendants whose own parent ends.

    Does nothing where the system is not Linux (prctl(2), PR_SET_CHILD_SUBREAPER).
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1)
