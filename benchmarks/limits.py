"""How late do searches end after their time limit, on the largest rule of each kind?

Asks backends for all solutions of empty boards whose rules are as large as they can be. Each board
is searched twice in its own process, forked from one that has loaded the backend: the first search
also builds the model, the second finds what is built, if that was finished. A search that ends late
is measured again, at most twice, and the least excess counts, because another program may have used
the core: `chrt -r 1 python benchmarks/limits.py` keeps most of them away. Late is what exceeds the
limit by more than 5 %, and by more than 50 ms.

With a journal the measurement can be stopped and resumed: what is in it is not measured again.

Usage: python benchmarks/limits.py [--backends 'A;B;…'] [--boards 'A;B;…'] [--limits S,S,…]
       [--journal FILE] [--write [--force]]
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import TypeAlias

from measuring.journal import Journal
from measuring.machine import machine, say
from measuring.page import bullets, page_parser, publish, table

import unidoku
from unidoku import Board, Request, Solver
from unidoku.backends import every_row
from unidoku.testing.largest_rules import LARGEST, largest_board

RESULTS = Path(__file__).parent / "results" / "limits.md"

LIMITS = "0.5,2"

PART, LEAST = 0.05, 0.05
"""A search is late if it exceeds its limit by more than that part of it and that many seconds."""

ATTEMPTS = 3
"""Number of times that a late search is measured."""

PATIENCE = 120.0
"""Seconds after the limits after which a process is ended."""

TEXT = """\
Milliseconds after its time limit that a search ends, all solutions of empty boards with the largest
rules asked (`chrt -r 1 python benchmarks/limits.py`): the median and the most, with the name of
that board, of the first search of a board in a process, which builds the model, and of the same
again, where it ends after the limit at all. *After it* is how many boards that are; *late* how many
of the searches ended more than 5 %, and more than 50 ms, after the limit in three attempts of
three."""

OTHERS = "## Cancelled"
"""The heading of what another program has measured."""

Late: TypeAlias = list[float | None]
"""By how many seconds the first and the second search of a board were late; None if in time."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked; return the exit code."""
    return publish(_measured, _options(arguments), RESULTS)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("--backends", metavar="A;B;…", help="default: all that are installed")
    parser.add_argument("--boards", metavar="A;B;…", help="their names; default: all")
    parser.add_argument("--limits", default=LIMITS, metavar="S,S,…", help=f"default: {LIMITS}")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="to resume from")
    return parser.parse_args(arguments)


def _measured(options: argparse.Namespace) -> Iterator[str]:
    """Measure, and yield the lines of the report."""
    names = options.boards.split(";") if options.boards else [*LARGEST]
    if unknown := {*names} - {*LARGEST}:
        known = ", ".join(LARGEST)
        raise ValueError(f"--boards: expected names among {known}, got {unknown.pop()!r}")
    limits = sorted(map(float, options.limits.split(",")))
    journal = Journal(options.journal)
    for label in options.backends.split(";") if options.backends else _installed():
        solver = unidoku.load(label)
        solver.solve("1... ..2. .3.. ...4")  # what is loaded for any search
        for limit in limits:
            say(f"{label}, {limit:g} s")
            for name in names:
                key = label, name, limit
                if key not in journal.entries:
                    journal.add(key, _late(solver, largest_board(name), limit))
    yield from _report(journal)


def _installed() -> list[str]:
    """Return the backends that are installed and honour a time limit."""
    return [
        spec.name
        for spec in every_row()
        if not spec.missing and "time_limit" in spec.capabilities.honours
    ]


def _late(solver: Solver, board: Board, limit: float) -> Late:
    """Search a board twice in a new process; if it is late, do so again; return the least."""
    least = _in_a_process(solver, board, limit)
    for _ in range(ATTEMPTS - 1):
        if not any(is_late(late, limit) for late in least):
            break
        again = _in_a_process(solver, board, limit)
        least = [
            late and other and min(late, other) for late, other in zip(least, again, strict=True)
        ]
    return least


def is_late(late: float | None, limit: float) -> bool:
    """Return whether a search exceeded its limit by too much."""
    return late is not None and late > max(LEAST, PART * limit)


def _in_a_process(solver: Solver, board: Board, limit: float) -> Late:
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_search_twice, args=(solver, board, limit, sender))
    process.start()
    sender.close()
    try:
        if receiver.poll(2 * limit + PATIENCE):
            late: Late = receiver.recv()
            return late
        process.kill()
        return [PATIENCE, PATIENCE]
    except EOFError:
        raise RuntimeError(f"{solver.label}: the process ended without an answer") from None
    finally:
        process.join()


def _search_twice(solver: Solver, board: Board, limit: float, answer: Connection) -> None:
    answer.send([_over(solver, board, limit) for _ in range(2)])
    answer.close()
    os._exit(0)  # a library may take long to free what it has


def _over(solver: Solver, board: Board, limit: float) -> float | None:
    """Search with a time limit; return by how much it is exceeded."""
    begun = time.perf_counter()
    solver.attempt(board, Request(solutions=None, keep=0, time_limit=limit))
    late = time.perf_counter() - begun - limit
    return None if late < 0 else late


def _report(journal: Journal) -> Iterator[str]:
    """Yield the page: what is in the journal, and of the page that exists what others measured."""
    today = datetime.now(UTC)
    yield from ("# How late searches end", "", f"Measured on {today:%-d %B %Y}.", "", machine(), "")
    yield from (*TEXT.splitlines(), "")
    of_search: defaultdict[tuple[str, float], dict[str, Late]] = defaultdict(dict)
    for (label, name, limit), late in journal.entries.items():
        of_search[label, limit][name] = late
    rows, exceptions = [], []
    for (label, limit), of_board in sorted(of_search.items(), key=lambda item: item[0][1]):
        rows.append([f"`{label}`", f"{limit:g}", *_figures(of_board, limit)])
        exceptions += [
            f"`{label}` at {limit:g} s, {name}: {_milliseconds(both)} ms"
            for name, both in of_board.items()
            if any(is_late(each, limit) for each in both)
        ]
    heads = [
        f"{figure}, {which}" for which in ("first", "again") for figure in ("median", "most", "of")
    ]
    yield from table(["backend", "limit, s", "boards", "after it", "late", *heads], rows)
    yield from bullets("## Late, by name", exceptions)
    if RESULTS.exists():
        yield OTHERS + RESULTS.read_text("utf-8").partition(OTHERS)[2]


def _figures(late: dict[str, Late], limit: float) -> Iterator[str]:
    """Yield the cells of a row: of the first searches, then of the second."""
    yield str(len(late))
    yield str(sum(any(both) for both in late.values()))
    yield str(sum(is_late(each, limit) for both in late.values() for each in both))
    for index in range(2):
        over = [(each, name) for name, both in late.items() if (each := both[index])]
        if over:
            most, name = max(over)
            yield from (f"{median(each for each, _ in over) * 1e3:.0f}", f"{most * 1e3:.0f}", name)
        else:
            yield from ("", "", "")


def _milliseconds(both: Late) -> str:
    first, again = ("in time" if each is None else f"{each * 1e3:.0f}" for each in both)
    return f"{first} and again {again}"


if __name__ == "__main__":
    sys.exit(main())
