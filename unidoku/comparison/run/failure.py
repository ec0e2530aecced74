"""Records of runs whose process ended, or was ended, before it could tell what they gave."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record, Timing, record_of

__all__ = ["ended_record", "tail", "timeout_record", "unanswered"]

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

    The nanoseconds are those since its last search, or the loading of its backend, began.
    """
    what = "could not be loaded"
    if not loading and limit is not None:
        what = f"did not stop at its limit of {limit:g} s"
    said = f"{what} and was ended after {wall_ns / 1e9:.2f} s"
    return unanswered(run, Outcome.TIMEOUT, said, worker, wall_ns)


def ended_record(
    run: Run, worker: str, wall_ns: int, code: int, said: str, *, large: bool = False
) -> Record:
    """Return the record of a run whose process ended by itself.

    The code is the exit code or minus the signal's number; ``said`` is the end of what the process
    wrote to standard error. If ``large``, the system ended the process for its memory.
    """
    too_large = large or _OUT_OF_MEMORY.search(said)
    outcome = Outcome.MEMORY if too_large else Outcome.CRASHED
    how = f"its process exited with code {code}"
    if code < 0:
        how = f"its process was ended by {_name(-code)}"
    if large:
        how += ", for the memory that it and what it started used"
    return unanswered(run, outcome, f"{how}: {said}" if said else how, worker, wall_ns)


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


def unanswered(
    run: Run, outcome: Outcome, evidence: str, worker: str = "", wall_ns: int = 0
) -> Record:
    """Return the record of a run without an answer; the evidence says why there is none."""
    return record_of(
        run,
        outcome,
        timing=Timing(wall_ns=wall_ns, solve_ns=wall_ns),
        evidence=(evidence,),
        worker=worker,
        started=time.time() - wall_ns / 1e9,
    )
