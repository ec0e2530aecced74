"""A process that meets ever-new layouts with rules, and says how its memory grows: a program.

    python -m tests.helpers.growing SECONDS [ACTIVITY ...] [--every SECONDS] [--seed NUMBER]
    [--caches]

A line each so many seconds, the last one after as many: seconds, layouts met, resident memory now,
what of it the C allocator has given out and what it holds free (MiB), layouts alive, objects that
the garbage collector knows, entries of caches. With ``--caches`` also the caches with most entries.
It is a program because memory is that of a process.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import NamedTuple

import unidoku
from unidoku import Board, Layout, UnidokuError
from unidoku.fuzzing.boards import trial

LIMIT = 0.3
"""Seconds of a search: most boards take a hundredth of it."""

SIZES = range(4, 10)

MOST_MANY = 40
"""Boards of a batch: enough for the lanes of native."""


def searches(label: str) -> Callable[[Board], object]:
    """Return a search by a backend."""
    solver = unidoku.load(label)
    return lambda board: solver.solve(board, solutions=3, time_limit=LIMIT)


def batch(board: Board) -> object:
    """Search a batch of boards of one layout."""
    return unidoku.solve_many([board] * MOST_MANY, solutions=2, time_limit=LIMIT)


def check(board: Board) -> object:
    """Prove a board proper."""
    return unidoku.check(board, time_limit=LIMIT)


ACTIVITIES: dict[str, Callable[[], Callable[[Board], object]]] = {
    **{
        label: lambda label=label: searches(label)  # type: ignore[misc]
        for label in (
            *("auto", "native[engine=single]", "native[engine=lanes]", "native[engine=python]"),
            *("sat", "clingo", "cp-sat", "exact-cover", "norvig", "z3", "highs", "pumpkin"),
            *("python-constraint", "choco", "cpmpy", "minisat", "clingo-asp", "toulbar2"),
        )
    },
    "solve_many": lambda: batch,
    "check": lambda: check,
    "candidates": lambda: lambda board: unidoku.true_candidates(board, time_limit=LIMIT),
    "explain": lambda: lambda board: unidoku.explain(board, time_limit=LIMIT),
    "hint": lambda: lambda board: unidoku.hint(board, time_limit=LIMIT),
    "rate": lambda: lambda board: unidoku.rate(board, time_limit=LIMIT),
    "draw": lambda: unidoku.svg,
    "export": lambda: lambda board: unidoku.export(board, "dimacs"),
}
"""What is done with each layout, by its name."""

USUAL = [
    *("auto", "native[engine=single]", "native[engine=lanes]", "sat", "clingo", "cp-sat"),
    *("minisat", "solve_many", "check", "explain", "hint", "rate", "draw"),
]
"""The activities of a run that names none."""


class _Info(ctypes.Structure):
    """What mallinfo2(3) returns."""

    _fields_ = [*((f"other_{number}", ctypes.c_size_t) for number in range(4))]
    _fields_ += [("mapped", ctypes.c_size_t), ("usmblks", ctypes.c_size_t)]
    _fields_ += [(name, ctypes.c_size_t) for name in ("fsmblks", "used", "free", "top")]


class Memory(NamedTuple):
    """Memory of this process in MiB: resident, given out by the C allocator, and free in it."""

    resident: float
    given: float
    free: float

    @classmethod
    def now(cls) -> Memory:
        """Return the memory of this process."""
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        read = ctypes.CDLL(None).mallinfo2
        read.restype = _Info
        info = read()
        return cls(pages / 256, (info.mapped + info.used) / 2**20, info.free / 2**20)


def caches() -> dict[str, int]:
    """Return the number of entries of each cache of a function of Unidoku."""
    sizes: dict[str, int] = {}
    for candidate in gc.get_objects():
        if isinstance(candidate, _lru_cache_wrapper) and candidate.__module__.startswith("unidoku"):
            sizes[f"{candidate.__module__}.{candidate.__qualname__}"] = (
                candidate.cache_info().currsize
            )
    return sizes


def boards(seed: int) -> Iterator[Board]:
    """Yield boards without end, each on a layout with rules of its own."""
    number = 1
    while True:
        yield trial(seed, number, SIZES).boards[0]
        number += 2  # each second trial has rules


def layouts_alive() -> int:
    """Return how many layouts there are."""
    return sum(isinstance(candidate, Layout) for candidate in gc.get_objects())


def report(began: float, met: int, *, most: bool) -> None:
    """Print a line of figures."""
    gc.collect()
    memory, sizes = Memory.now(), caches()
    lines = [
        f"{time.monotonic() - began:6.0f} s {met:7} layouts {memory.resident:7.1f} resident "
        f"{memory.given:7.1f} given {memory.free:6.1f} free {layouts_alive():5} alive "
        f"{len(gc.get_objects()):8} objects {sum(sizes.values()):7} cached"
    ]
    by_size = sorted(sizes.items(), key=lambda entry: -entry[1])
    lines += [f"    {size:7} {name}" for name, size in by_size[: 15 if most else 0]]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def grow(seconds: float, names: list[str], every: float, seed: int, *, most: bool) -> None:
    """Meet layouts for so many seconds."""
    acts = {name: ACTIVITIES[name]() for name in names}
    rng = random.Random(seed)
    began = reported = time.monotonic()
    report(began, 0, most=most)
    for met, board in enumerate(boards(seed), 1):
        with contextlib.suppress(UnidokuError):
            acts[rng.choice(names)](board)
        now = time.monotonic()
        if now - reported > every or now - began > seconds:
            reported = now
            report(began, met, most=most)
        if now - began > seconds:
            return


def main(arguments: list[str]) -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(prog="python -m tests.helpers.growing")
    parser.add_argument("seconds", type=float)
    parser.add_argument("activities", nargs="*", default=USUAL)
    parser.add_argument("--every", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--caches", action="store_true")
    given = parser.parse_args(arguments)
    names = given.activities or USUAL
    grow(given.seconds, names, given.every, given.seed, most=given.caches)


if __name__ == "__main__":
    main(sys.argv[1:])
