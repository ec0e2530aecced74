"""Blame: deadlines, and the records of runs whose process was ended or ended itself."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Mapping
from pathlib import Path

from unidoku.backends.solver import Solver
from unidoku.comparison.plan import Run
from unidoku.comparison.record import Outcome, Record, record_of
from unidoku.comparison.run.bench import Measuring
from unidoku.comparison.run.wire import Configuration

__all__ = [
    "LOADING",
    "Deadlines",
    "ended_record",
    "failed_record",
    "lost_record",
    "tail",
    "timeout_record",
]

LOADING = 60.0
"""Seconds in which a backend must be imported and made."""

_OUT_OF_MEMORY = re.compile(
    r"bad_alloc|MemoryError|out of memory|OutOfMemory|cannot allocate memory|"
    r"memory allocation of \d+ bytes failed",
    re.IGNORECASE,
)
"""What libraries write when memory that they cannot do without is refused."""


class Deadlines:
    """How long a search may take before its process is ended."""

    def __init__(
        self,
        solvers: Mapping[str, Solver | Configuration],
        measuring: Measuring,
        grace: float,
    ) -> None:
        """Take what they depend on.

        A backend that keeps its time limit gets the grace on top, for what it does on the way
        out; one that does not is ended at the limit.
        """
        self._request = measuring.request
        self._graces = {
            label: grace if "time_limit" in solver.spec.capabilities.honours else None
            for label, solver in solvers.items()
        }

    def limit(self, run: Run) -> float | None:
        """Return the time limit of a run's searches."""
        return (run.request or self._request).time_limit

    def seconds(self, run: Run, *, loading: bool = False) -> float:
        """Return the seconds that a run's backend has, for a search or to load."""
        if loading:
            return LOADING
        limit, grace = self.limit(run), self._graces[run.backend]
        if limit is None:
            return float("inf")
        return limit if grace is None else limit + grace + 0.1 * limit


def timeout_record(
    run: Run, worker: str, wall_ns: int, limit: float | None, *, loading: bool = False
) -> Record:
    """Return the record of a run whose process was ended at its deadline.

    Args:
        run: the run.
        worker: who ran it.
        wall_ns: nanoseconds since its last search began, or since its backend's loading did.
        limit: of a search, in seconds.
        loading: whether it had not come to the search.
    """
    what = "could not be loaded"
    if not loading and limit is not None:
        what = f"did not stop at its limit of {limit:g} s"
    said = f"{what} and was ended after {wall_ns / 1e9:.2f} s"
    return _record(run, Outcome.TIMEOUT, worker, wall_ns, said)


def failed_record(run: Run, worker: str, what: str) -> Record:
    """Return the record of a run that has no figures, and what there is to say of it."""
    return _record(run, Outcome.FAILED, worker, 0, what)


def lost_record(run: Run, what: str) -> Record:
    """Return the record of a run that was lost with the machine that it was on."""
    return _record(run, Outcome.CRASHED, "", 0, what)


def ended_record(
    run: Run, worker: str, wall_ns: int, code: int, said: str, *, large: bool = False
) -> Record:
    """Return the record of a run whose process ended by itself.

    Args:
        run: the run.
        worker: who ran it.
        wall_ns: nanoseconds since its last search began.
        code: the exit code, or minus the signal's number.
        said: the end of what it wrote to standard error.
        large: whether the system ended it for its memory.
    """
    too_large = large or _OUT_OF_MEMORY.search(said)
    outcome = Outcome.MEMORY if too_large else Outcome.CRASHED
    how = f"its process exited with code {code}"
    if code < 0:
        how = f"its process was ended by {_name(-code)}"
    if large:
        how += ", for the memory that it and what it started used"
    return _record(run, outcome, worker, wall_ns, f"{how}: {said}" if said else how)


def tail(errors: Path) -> str:
    """Return the end of what a worker wrote to standard error, to the file of that name."""
    try:
        with errors.open("rb") as file:
            file.seek(max(0, errors.stat().st_size - 2000))
            return file.read().decode(errors="replace").strip()
    except OSError:
        return ""


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal, say
        return f"signal {number}"


def _record(run: Run, outcome: Outcome, worker: str, wall_ns: int, evidence: str) -> Record:
    return record_of(
        run,
        outcome,
        wall_ns=wall_ns,
        solve_ns=wall_ns,
        evidence=(evidence,),
        worker=worker,
        started=time.time() - wall_ns / 1e9,
    )
