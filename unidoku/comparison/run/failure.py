"""Records of runs whose process ended, or was ended, before it could tell what they gave."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record, Timing, record_of

__all__ = ["ended_record", "failed_record", "lost_record", "tail", "timeout_record"]

_OUT_OF_MEMORY = re.compile(
    r"bad_alloc|MemoryError|out of memory|OutOfMemory|cannot allocate memory|"
    r"memory allocation of \d+ bytes failed",
    re.IGNORECASE,
)
"""What libraries write when memory that they cannot do without is refused."""


def timeout_record(
    run: Run, worker: str, wall_ns: int, limit: float | None, *, loading: bool = False
) -> Record:
    """Return the record of a run whose process was killed at its deadline.

    Args:
        run: the run.
        worker: the worker that had it.
        wall_ns: nanoseconds since its last search began, or since its backend's loading did.
        limit: seconds that a search may take.
        loading: whether its backend was still being loaded.
    """
    what = "could not be loaded"
    if not loading and limit is not None:
        what = f"did not stop at its limit of {limit:g} s"
    said = f"{what} and was ended after {wall_ns / 1e9:.2f} s"
    return _record(run, Outcome.TIMEOUT, worker, wall_ns, said)


def failed_record(run: Run, worker: str, what: str) -> Record:
    """Return the record of a run that could not be measured; ``what`` says why."""
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
        worker: the worker that had it.
        wall_ns: nanoseconds since its last search began.
        code: the exit code, or minus the signal's number.
        said: the end of what the process wrote to standard error.
        large: whether the system ended the process for its memory.
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
    """Return the end of the file that has what a worker wrote to standard error."""
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
        timing=Timing(wall_ns=wall_ns, solve_ns=wall_ns),
        evidence=(evidence,),
        worker=worker,
        started=time.time() - wall_ns / 1e9,
    )
