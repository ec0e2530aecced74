"""By how much do searches exceed their time limit, and how late do they end when cancelled?

Asks backends for all solutions of boards that they cannot decide in time: empty ones of many sizes,
and the puzzles of a file. Each board is searched twice in its own process, forked from one that has
loaded the backend: the first search also prepares the rules of the board, the second finds them
prepared. A search that ends more than 10 ms late is measured again, at most twice, and the least
excess counts, because another program may have used the core. Searches that are cancelled are
measured alike, without a time limit.

Usage: python benchmarks/limits.py [FILE] [--backends 'A;B;…'] [--limits S,S,…]
       [--write [--force]]
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import TypeAlias

from measuring.machine import machine, say
from measuring.page import page_parser, publish
from measuring.table import table

import unidoku
from unidoku import Board, Cancel, Cancelled, Request, Solver, UnsupportedError, layout
from unidoku.core.regions import random_map
from unidoku.files.puzzles import puzzles_in
from unidoku.files.source import Source

RESULTS = Path(__file__).parent / "results" / "limits.md"

BACKENDS = (
    "auto;native;native[engine=single];native[engine=lanes];native[engine=python];"
    "norvig;sat;cp-sat;clingo"
)

LIMITS = "0.05,0.1,0.5,1"

EMPTY = (("classic", 9), ("classic", 16), ("classic", 25), ("classic", 36), ("latin", 25))

JIGSAWS = (9, 16, 25)

TEXT = """\
Milliseconds after its time limit that a search ends, all solutions of each of {boards} boards asked
(`python benchmarks/limits.py`): the median and the most, with the name of that board, of the first
search of a board in a process, and of the same again. A backend is not asked with a longer limit
about boards that it decides or refuses; *boards* is how many it has not decided in time."""

CANCELLED = """\
Milliseconds from `Cancel.cancel()` in another thread to the end of the search, 0.2 s after it
began, in the same way."""

WAIT = 0.2
"""Seconds after which a search is cancelled."""

LATE = 0.010
"""Seconds by which a search may be late before it is measured again."""

ATTEMPTS = 3


Late: TypeAlias = list[float | None]
"""By how many seconds the first and the second search of a board were late; None if in time."""

Search: TypeAlias = Callable[[], float | None]
"""A search that returns by how many seconds it was late."""

Row: TypeAlias = Sequence[str]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked; return the exit code."""
    return publish(_measured, _options(arguments), RESULTS)


def _measured(options: argparse.Namespace) -> Iterator[str]:
    """Measure, and yield the lines of the report."""
    boards = list(_boards(options.file))
    limits = sorted(map(float, options.limits.split(",")))
    rows, cancelled = list[Row](), list[Row]()
    for label in options.backends.split(";"):
        solver = unidoku.load(label)
        solver.prepare(layout("classic", 9))
        solver.solve(Board.empty(layout("classic", 9)), time_limit=2.0)
        left = boards
        say(f"{label}, cancelled: {len(left)} boards")
        late = {name: _late(partial(_cancelled, solver, board)) for board, name in left}
        cancelled.append([f"`{label}`", *_figures(late)])
        for limit in limits:
            say(f"{label}, {limit:g} s: {len(left)} boards")
            late = {name: _late(partial(_over, solver, board, limit)) for board, name in left}
            left = [(board, name) for board, name in left if any(late[name])]
            if left:
                rows.append([f"`{label}`", f"{limit:g}", *_figures(late)])
    yield from _report(len(boards), rows, cancelled)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("file", nargs="?", metavar="FILE", help="puzzles, in any format")
    parser.add_argument("--backends", default=BACKENDS, metavar="A;B;…", help=BACKENDS)
    parser.add_argument("--limits", default=LIMITS, metavar="S,S,…", help=f"default: {LIMITS}")
    return parser.parse_args(arguments)


def _boards(file: str | None) -> Iterator[tuple[Board, str]]:
    """Yield boards with their names."""
    for name, n in EMPTY:
        yield Board.empty(layout(name, n)), f"empty {name} {n}x{n}"
    for n in JIGSAWS:
        regions = random_map(n, random.Random(n))
        yield Board.empty(layout(f"jigsaw:{regions}", n)), f"empty jigsaw {n}x{n}"
    for puzzle in puzzles_in(Source(file), lambda *_: None) if file else ():
        yield puzzle.board, puzzle.name


def _late(search: Search) -> Late:
    """Search a board twice in a new process; if it is late, do so again; return the least."""
    found = _in_a_process(search)
    for _ in range(ATTEMPTS - 1):
        if all((late or 0.0) <= LATE for late in found):
            break
        again = _in_a_process(search)
        found = [one and other and min(one, other) for one, other in zip(found, again, strict=True)]
    return found


def _in_a_process(search: Search) -> Late:
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_search_twice, args=(search, there))
    process.start()
    there.close()
    try:
        late: Late = here.recv()
    except EOFError:
        raise RuntimeError("the process ended without an answer") from None
    finally:
        process.join()
    return late


def _search_twice(search: Search, answer: Connection) -> None:
    answer.send([search() for _ in range(2)])


def _over(solver: Solver, board: Board, limit: float) -> float | None:
    """Search with a time limit; return by how much it is exceeded."""
    begun = time.perf_counter()
    attempt = solver.attempt(board, Request(solutions=None, keep=0, time_limit=limit))
    late = time.perf_counter() - begun - limit
    return None if late < 0 or attempt.error else late


def _cancelled(solver: Solver, board: Board) -> float | None:
    """Cancel a search; return how much later it ends, None if it has ended before."""
    cancel, at = Cancel(), list[float]()

    def end() -> None:
        at.append(time.perf_counter())
        cancel.cancel()

    timer = threading.Timer(WAIT, end)
    timer.start()
    try:
        solver.solve(board, solutions=None, keep=0, cancel=cancel)
    except Cancelled:
        return time.perf_counter() - at[0]
    except UnsupportedError:
        pass
    finally:
        timer.cancel()
    return None


def _figures(late: Mapping[str, Late]) -> Iterator[str]:
    """Yield the cells of a row: of the first searches, then of the second."""
    yield str(sum(any(both) for both in late.values()))
    for place in range(2):
        over = [(each[place] or 0.0, name) for name, each in late.items() if each[place]]
        if over:
            most, name = max(over)
            yield from (f"{median(one for one, _ in over) * 1e3:.1f}", f"{most * 1e3:.1f}", name)
        else:
            yield from ("", "", "")


def _report(boards: int, rows: Iterable[Row], cancelled: Iterable[Row]) -> Iterator[str]:
    yield from ("# How late searches end", "", machine(), "")
    yield from (*TEXT.format(boards=boards).splitlines(), "")
    heads = [
        f"{what}, {which}" for which in ("first", "again") for what in ("median", "most", "of")
    ]
    yield from table(["backend", "limit, s", "boards", *heads], rows)
    yield from ("", *CANCELLED.splitlines(), "")
    yield from table(["backend", "boards", *heads], cancelled)


if __name__ == "__main__":
    sys.exit(main())
