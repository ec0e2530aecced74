"""What does `auto` gain by searching in turns, and what does it lose to the better of the two?

`native`, a backend that learns, and `auto`, which has both, search boards of many kinds, in random
order. Short searches are repeated under other names of the values, and the least time counts. Times
are processor time, so that a busy machine changes little. The ratio of a board is the time of
`auto` to the time of the better of the two others.

Usage: python benchmarks/auto.py [--data FOLDER] [--rules FILE]... [--boards N]
       [--time-limit SECONDS] [--then NAME] [--write [--force]]
"""

from __future__ import annotations

import argparse
import gc
import itertools
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from measuring.boards import folder
from measuring.machine import processor, say, solver_versions
from measuring.mixed import mixed
from measuring.page import FaultError, figure, page_parser, publish, table

import unidoku
from unidoku import Board, Request, Result, Solver
from unidoku.backends.auto import BUDGET, THEN

RESULTS = Path(__file__).parent / "results" / "auto.md"

QUICK = 0.2
"""Seconds; a search that takes less is repeated `TIMES` times."""

TIMES = 3

SHORT = 0.001
"""Seconds; boards that the better of the two decides earlier have no ratio: `native` alone does."""

LARGEST = 10
"""Number of boards with the largest ratios that are shown one by one."""


@dataclass(slots=True)
class Run:
    """What each backend took for a board.

    Args:
        kind: name of the board's kind.
        number: its number in the kind.
        seconds: processor time of each backend; the limit if it did not decide.
        decided: backends that decided it.
        result: result of `auto`.
    """

    kind: str
    number: int
    seconds: dict[str, float] = field(default_factory=dict)
    decided: set[str] = field(default_factory=set)
    result: Result | None = None

    def better(self) -> float:
        """Return the seconds of the better backend other than `auto`."""
        return min(taken for name, taken in self.seconds.items() if name != "auto")

    def ratio(self) -> float:
        """Return the ratio of `auto` to the better of the others."""
        return self.seconds["auto"] / self.better()


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked; return the exit code."""
    return publish(_measured, _options(arguments), RESULTS)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    installed = [name for name, spec in unidoku.catalogue().items() if not spec.missing]
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("--data", type=folder, metavar="FOLDER")
    parser.add_argument(
        "--rules", type=Path, action="append", default=[], metavar="FILE", help="in neutral form"
    )
    parser.add_argument("--boards", type=int, default=8, help="of each kind; of a file, each of it")
    parser.add_argument("--time-limit", type=float, default=5.0, metavar="SECONDS")
    parser.add_argument("--then", choices=installed, default=THEN)
    return parser.parse_args(arguments)


def _measured(options: argparse.Namespace) -> Iterator[str]:
    """Measure; yield the lines of the report."""
    solvers = {name: unidoku.load(name) for name in ("native", options.then)}
    solvers["auto"] = unidoku.load("auto", then=options.then)
    for solver in solvers.values():
        solver.solve("." * 16)  # whose library is then loaded
    runs = []
    for kind in mixed(options.data, options.rules, options.boards):
        say(f"{kind.name}: {len(kind.boards)} boards")
        request = Request(solutions=kind.solutions, time_limit=options.time_limit)
        for number, board in enumerate(kind.boards, start=1):
            runs.append(_run(solvers, Run(kind.name, number), board, request))
    yield from _report(options, list(solvers), runs)


def _run(solvers: dict[str, Solver], run: Run, board: Board, request: Request) -> Run:
    """Return what each backend takes for a board."""
    counts = {}
    gc.collect()
    gc.freeze()  # what all boards need takes 40 ms to collect, which would fall into some search
    _meet_machines(solvers["native"], board)
    for name in random.Random(board.digest).sample(list(solvers), len(solvers)):
        taken, result = _timed(solvers[name], board, request)
        run.seconds[name] = taken if result.stop.answered else request.time_limit or taken
        if result.stop.answered:
            run.decided.add(name)
            counts[name] = result.count
        if name == "auto":
            run.result = result
    if len(set(counts.values())) > 1:
        raise FaultError(f"{run.kind}: {counts} solutions of {board!r}")
    return run


def _meet_machines(native: Solver, board: Board) -> None:
    """Make the machines of a board's rules, which are kept, so that no search has to."""
    if board.layout.rules:
        image = next(_images(board))
        native.searching(image.layout)(image, Request(node_limit=1, keep=0))


def _timed(solver: Solver, board: Board, request: Request) -> tuple[float, Result]:
    """Return the least processor time of a search of a board, under several names of its values."""
    taken = []
    first = 0 if solver.spec.name in ("native", "auto") else TIMES  # both begin with `native`
    for image in _images(board, first):
        search = solver.searching(image.layout)
        begun = time.process_time()
        result = search(image, request)
        taken.append(time.process_time() - begun)
        if taken[-1] > QUICK:
            break
    return min(taken), result


def _images(board: Board, first: int = 0) -> Iterator[Board]:
    """Yield images of a board; whoever learns would know the board itself by the second time.

    The first number leads to others, because what `sat` learns within `auto` is kept. A board with
    rules, or without givens, has no images that differ in names alone. It is searched once, on a
    layout that is new to all backends.
    """
    layout = board.layout
    if layout.rules or not any(board.givens):
        shift = next(_shifts)
        places = tuple((row + shift, column) for row, column in layout.positions)
        yield Board(replace(layout, positions=places, name="custom"), board.candidates)
        return
    for seed in range(first, first + TIMES):
        names = [0, *random.Random(seed).sample(range(1, layout.n + 1), layout.n)]
        yield Board.from_values(layout, [names[value] for value in board.givens])


_shifts = itertools.count(1)


def _report(
    options: argparse.Namespace, names: Sequence[str], runs: Sequence[Run]
) -> Iterator[str]:
    """Yield the lines of the report."""
    yield from ("# What `auto` gains by searching in turns", "")
    where = f", and those of {options.data.name}/" if options.data else ""
    yield (
        f"{len(runs)} boards{where}; {processor()}; {solver_versions(names[:2])}; "
        f"limit {options.time_limit:g} s. Made by `make bench-auto`."
    )
    yield from ("", *_NOTES.splitlines(), "", "## All boards", "")
    rows = [[name, *_summary(name, runs)] for name in names]
    yield from table(["", "total s", "undecided", "worst ratio", "mean ratio"], rows)
    yield from (f"## The {LARGEST} largest ratios of `auto`", "")
    largest = sorted((run for run in runs if run.better() >= SHORT), key=Run.ratio)[-LARGEST:]
    yield from table(
        ["board", *(f"{name} ms" for name in names), "ratio", "answered by"],
        (
            [f"{run.kind}, {run.number}", *_times(names, [run]), figure(run.ratio()), by]
            for run in reversed(largest)
            for by in [run.result.answered_by if run.result else ""]
        ),
    )
    yield from ("## Milliseconds a board, by kind", "")
    by_kind: defaultdict[str, list[Run]] = defaultdict(list)
    for run in runs:
        by_kind[run.kind].append(run)
    yield from table(
        ["kind (boards)", *names, "in turns", f"by {names[1]}"],
        (
            [f"{kind} ({len(those)})", *_times(names, those), *_shared(those)]
            for kind, those in by_kind.items()
        ),
    )


_NOTES = f"""\
Times are processor time of one search in a process that has loaded all libraries. Boards without
rules that take less than {QUICK} s are searched under three names of their values, and the least
counts, so that models of the layout are there; boards with rules, and empty ones, have a layout
that is new to all, and to build its model counts. Machines of rules are made before, because a
process keeps them whoever made them. What is undecided counts as the limit.

Ratios are to the better of the first two; means of ratios are geometric, and boards that the better
one decides within {SHORT * 1000:g} ms are left out. `native` searches alone for {BUDGET:,}
propagations. In brackets: boards that were not decided."""


def _summary(name: str, runs: Sequence[Run]) -> Iterator[str]:
    """Yield the total time of a backend, what it did not decide, its worst and its mean ratio."""
    yield figure(sum(run.seconds[name] for run in runs))
    yield str(sum(name not in run.decided for run in runs))
    ratios = [run.seconds[name] / run.better() for run in runs if run.better() >= SHORT]
    yield figure(max(ratios)) if ratios else "–"
    yield figure(statistics.geometric_mean(ratios)) if ratios else "–"


def _times(names: Sequence[str], runs: Sequence[Run]) -> Iterator[str]:
    """Yield the mean time of each backend in milliseconds."""
    for name in names:
        lost = sum(name not in run.decided for run in runs)
        mean = statistics.fmean(run.seconds[name] for run in runs)
        yield figure(mean * 1e3) + (f" ({lost})" if lost else "")


def _shared(runs: Sequence[Run]) -> Iterator[str]:
    """Yield how many boards were searched in turns, and how many the other backend answered."""
    results = [run.result for run in runs if run.result]
    yield str(sum("turns" in result.statistics for result in results))
    yield str(sum(result.answered_by != "native" for result in results))


if __name__ == "__main__":
    sys.exit(main())
