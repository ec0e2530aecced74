"""How much do a file and a process cost, compared with the same solver called as a library?

Each solver that has both an adapter and a program counts up to two solutions of each board, with
both alternately, each board once, after a first board that is not measured. For a program a file is
written, and it is started and its answer read for each solution, and once more to learn that there
are no others; an adapter keeps the model of the layout. The versions of the two may differ.

Usage: python benchmarks/by_file.py [--boards N] [--time-limit SECONDS] [--kind KIND]...
       [--write [--force]]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import geometric_mean, median

from measuring.kinds import KINDS, kinds
from measuring.machine import processor, say
from measuring.page import page_parser, publish
from measuring.table import figure, table

import unidoku
from unidoku import Board, Solver
from unidoku.backends import find

RESULTS = Path(__file__).parent / "results" / "by_file.md"

PAIRS = {
    "CaDiCaL": ("sat[solver=cadical195]", "cadical"),
    "clingo": ("clingo", "clingo-asp"),
    "Gecode": ("minizinc", "gecode"),
    "Z3": ("z3", "z3-smtlib"),
}
"""The solvers that have both: the adapter, and the program."""


@dataclass(frozen=True, slots=True)
class Times:
    """Times in seconds on a board that both decided.

    Args:
        adapter: time of the adapter.
        program: time of the program.
        writing: part of the program's time in which its files are written.
    """

    adapter: float
    program: float
    writing: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked; return the exit code."""
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("--boards", type=int, default=20, help="of each kind")
    parser.add_argument("--time-limit", type=float, default=10)
    parser.add_argument("--kind", action="append", choices=KINDS)
    return publish(_report, parser.parse_args(arguments), RESULTS)


def _report(options: argparse.Namespace) -> Iterator[str]:
    count, limit, wanted = options.boards, options.time_limit, options.kind or KINDS[:-1]
    yield from ("# What a file and a process cost", "")
    yield f"Boards with one solution, two asked for, {count} of each kind; {processor()}."
    yield from ("Made by `python benchmarks/by_file.py --write`.", "")
    of_kind = {kind: boards for kind, boards in _kinds(count) if kind in wanted}
    rows = []
    for solver, labels in PAIRS.items():
        if missing := [label for label in labels if find(label.partition("[")[0]).missing]:
            say(f"{solver}: {', '.join(missing)} is not installed")
            continue
        library, program = map(unidoku.load, labels)
        versions = " and ".join(s.spec.version or "Debian's" for s in (library, program))
        for kind, boards in of_kind.items():
            first, *others = boards
            _times(library, program, first, limit)
            times = [t for board in others if (t := _times(library, program, board, limit))]
            say(f"{solver}, {kind}: {len(times)} of {len(others)} boards")
            if times:
                rows.append([f"{solver} ({versions})", kind, *_figures(times, len(others))])
    heads = ("solver", "kind", "boards", "adapter, ms", "program, ms", "ratio", "of it writing")
    yield from table(heads, rows)


def _kinds(count: int) -> Iterator[tuple[str, list[Board]]]:
    """Yield the boards of all kinds but the last, the largest boards."""
    yield from islice(kinds(None, count), len(KINDS) - 1)


def _figures(times: Sequence[Times], boards: int) -> Iterator[str]:
    yield f"{len(times)} of {boards}"
    yield figure(1e3 * geometric_mean(t.adapter for t in times))
    yield figure(1e3 * geometric_mean(t.program for t in times))
    yield figure(geometric_mean(t.program / t.adapter for t in times))
    yield f"{median(t.writing / t.program for t in times):.0%}"


def _times(library: Solver, program: Solver, board: Board, limit: float) -> Times | None:
    """Return the times of both; None if one did not decide it in time."""
    taken = []
    for solver in (library, program):
        started = time.perf_counter()
        found = solver.solve(board, solutions=2, keep=0, time_limit=limit)
        taken.append(time.perf_counter() - started)
        if not found.stop.answered:
            return None
    adapter, told = taken
    return Times(adapter, told, found.statistics["init_time"])


if __name__ == "__main__":
    sys.exit(main())
