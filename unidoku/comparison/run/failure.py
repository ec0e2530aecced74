"""Records of runs whose process ended, or was killed, before it could send an answer."""

from __future__ import annotations

import re
import time

from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record, Timing, record_of
from unidoku.parallel.processes import ending

_OUT_OF_MEMORY = re.compile(
    r"bad_alloc|MemoryError|out of memory|OutOfMemory|cannot allocate memory|"
    r"memory allocation of \d+ bytes failed",
    re.IGNORECASE,
)
"""Messages of libraries that cannot get the memory that they need."""


def timeout_record(
    run: Run,
    worker: str,
    wall_ns: int,
    limit: float | None,
    printed: str,
    *,
    loading: bool = False,
    cpu: float | None = None,
) -> Record:
    """Return the record of a run whose process was killed at its deadline.

    Args:
        run: the run.
        worker: name of the worker.
        wall_ns: nanoseconds since its last search, or the loading of its backend, began.
        limit: time limit of the run in seconds; None for none.
        printed: the end of its output.
        loading: whether the backend was still being loaded.
        cpu: seconds of processor time used, if it was killed for those; otherwise None.
    """
    if cpu is not None:
        evidence = f"was ended after {cpu:.2f} s of processor time, more than its limit"
        return unanswered(run, Outcome.TIMEOUT, evidence, worker, wall_ns, printed)
    what = "could not be loaded"
    if not loading and limit is not None:
        what = f"did not stop at its limit of {limit:g} s"
    evidence = f"{what} and was ended after {wall_ns / 1e9:.2f} s"
    return unanswered(run, Outcome.TIMEOUT, evidence, worker, wall_ns, printed)


def ended_record(
    run: Run,
    worker: str,
    wall_ns: int,
    code: int,
    stderr: str,
    printed: str,
    *,
    large: bool = False,
) -> Record:
    """Return the record of a run whose process ended by itself, or was ended by the system.

    Args:
        run: the run.
        worker: name of the worker.
        wall_ns: nanoseconds since its last search, or the loading of its backend, began.
        code: the exit code, or minus the signal's number.
        stderr: the end of its standard error.
        printed: the end of all its output.
        large: whether the system ended it for its memory.
    """
    too_large = large or _OUT_OF_MEMORY.search(stderr)
    outcome = Outcome.MEMORY if too_large else Outcome.CRASHED
    evidence = f"its process {ending(code)}"
    if large:
        evidence += ", for the memory that it and what it started used"
    if stderr:
        evidence += f": {stderr.splitlines()[-1]}"
    return unanswered(run, outcome, evidence, worker, wall_ns, printed)


def unanswered(
    run: Run,
    outcome: Outcome,
    evidence: str,
    worker: str = "",
    wall_ns: int = 0,
    printed: str = "",
) -> Record:
    """Return the record of a run without an answer; the evidence states why."""
    return record_of(
        run,
        outcome,
        timing=Timing(wall_ns=wall_ns, solve_ns=wall_ns),
        evidence=(evidence,),
        printed=printed,
        worker=worker,
        started=time.time() - wall_ns / 1e9,
    )
