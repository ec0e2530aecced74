"""The check of the conformance suite about threads, in a process that has imported nothing yet."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from unidoku.backends.solving.solver import Solver
from unidoku.core.board import Board
from unidoku.core.variants import layout
from unidoku.testing.truth import search_all

COUNTS = (("classic", 288), ("x", 48), ("disjoint", 168), ("latin", 576))
"""Variants of 4x4, and the number of full grids of each."""

THREADS = 8

SEARCHES = 32
"""Largest number of searches; after `SECONDS` only the first search of each thread begins."""

SECONDS = 0.2

IMPORT_DELAY = 0.001
"""Seconds added to each import, so that other threads meet partly imported modules."""

_PROGRAM = f"from {__name__} import main; main()"


def answers_from_several_threads(solver: Solver) -> None:
    """Calls from several threads do not disturb each other, not even the first of a process."""
    search_all(solver, Board.empty(layout("latin", 1)))  # raises if the backend refuses
    carried = pickle.dumps(solver)
    if b"__main__" in carried:  # another process could not import it
        count_at_once(carried)
        return
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {_PROGRAM}"],
        input=carried,
        capture_output=True,
        check=False,
    )
    *_, last = ["", *done.stderr.decode(errors="replace").strip().splitlines()]
    assert done.returncode == 0, f"{THREADS} threads of a new process: {last}"


def main() -> None:
    """Read a pickled solver from the standard input, and search with it in several threads."""
    carried = sys.stdin.buffer.read()
    sys.setswitchinterval(1e-5)
    sys.meta_path.insert(0, _Delay())
    count_at_once(carried)


class _Delay:
    """A module finder that takes time and finds nothing."""

    def find_spec(self, *_: object) -> None:
        time.sleep(IMPORT_DELAY)


def count_at_once(carried: bytes) -> None:
    """Load a solver in several threads, and count the grids of small boards with it."""
    with ThreadPoolExecutor(THREADS) as threads:
        solver, *_ = threads.map(pickle.loads, [carried] * THREADS)
        end = time.monotonic() + SECONDS

        def count(number: int) -> None:
            variant, known = COUNTS[number % len(COUNTS)]
            if number < THREADS or time.monotonic() < end:
                counted = search_all(solver, Board.empty(layout(variant, 4))).count
                assert counted == known, f"{variant} 4: expected {known}, got {counted}"

        list(threads.map(count, range(SEARCHES)))
