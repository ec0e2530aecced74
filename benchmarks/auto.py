"""When should `auto` hand a board over, to which backend, and what is the gain?

`native`, each backend that learns, and `auto` search boards of many kinds, in random order. Short
searches are repeated under other names of the values, and the least time counts. Every second board
of a kind is used to make the table by which `auto` then searches. The other boards are held out and
show what the table is worth: the ratio to the virtual best, which takes the least time of all
backends on each board.

`native` is timed with several budgets, so that the cost and the gain of each are measured, not
computed. Of the budgets whose ratios differ by less than 2 %, the one nearest to `USUAL` is taken.

Usage: python benchmarks/auto.py [--data FOLDER] [--boards N] [--time-limit SECONDS]
       [--rules FILE]... [--backend NAME]... [--write [--force]]
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from measuring.boards import folder
from measuring.machine import processor, say, solver_versions
from measuring.mixed import Kind, mixed
from measuring.page import FaultError, figure, page_parser, publish, table

import unidoku
from unidoku import Board, Request, Result, Solver, Stop
from unidoku.backends import auto
from unidoku.support.toml import toml_lines

RESULTS = Path(__file__).parent / "results" / "auto.md"
TABLE = Path(auto.__file__).with_name("auto_table.toml")

LEARNERS = ("sat", "clingo", "cp-sat", "pumpkin")
"""The backends that learn from their failures, if none is named."""

BUDGETS = (500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
"""Failures in a row that are tried."""

USUAL = {"plain": 2000, "large": 2000, "rules": 20_000}

NEAR = 1.02
"""Ratios that differ by less than this factor count as equal."""

EVERY = 25
"""Number of boards between two lines of progress."""

QUICK = 0.2
"""Seconds; a search that takes less is repeated `TIMES` times."""

TIMES = 3

FEW = 3
"""If `native` gives up fewer boards, the order is that of the boards that take it longest."""


@dataclass(slots=True)
class Run:
    """The times of all backends on a board.

    Args:
        name: name of the board's kind.
        kind: its row in the table.
        is_held_out: whether it does not make the table.
        seconds: time of each backend; the limit if it did not decide.
        decided: backends that decided it.
        within: time of `native` with each budget, and whether it decided.
        after: backend that answered for `auto`.
    """

    name: str
    kind: str
    is_held_out: bool
    seconds: dict[str, float] = field(default_factory=dict)
    decided: set[str] = field(default_factory=set)
    within: dict[int, tuple[float, bool]] = field(default_factory=dict)
    after: str = ""

    def best(self) -> float:
        """Return the least seconds of any backend but `auto`."""
        return min(taken for name, taken in self.seconds.items() if name != "auto")

    def penalised(self, name: str) -> float:
        """Return the seconds of a backend, twice the limit for what it did not decide."""
        return self.seconds[name] * (1 if name in self.decided else 2)

    def handed_over(self, budget: int, then: str) -> float:
        """Return the seconds of `native` with a budget, and of another backend after it."""
        taken, decided = self.within[budget]
        return taken if decided else taken + self.penalised(then)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked; return the exit code."""
    return publish(_measured_all, _options(arguments), RESULTS)


def _measured_all(options: argparse.Namespace) -> Iterator[str]:
    """Measure; yield the lines of the report, and the table if it is not written."""
    boards = list(_boards(mixed(options.data, options.rules, options.boards)))
    say(f"{len(boards)} boards")
    for name in ("native", "native[engine=single]", *options.backend, "auto"):
        unidoku.load(name).solve("." * 16)  # whose library is then loaded
    runs = []
    for count, question in enumerate(boards, start=1):
        runs.append(_measured(options, *question))
        if count % EVERY == 0:
            say(f"{count} boards")
    table_text = _table(options, runs)
    with tempfile.TemporaryDirectory() as folder:
        auto.TABLE = Path(folder, "table.toml")
        auto.TABLE.write_text(table_text, encoding="utf-8")
        auto.table.cache_clear()
        say("auto")
        for run, (_, board, solutions, _) in zip(runs, boards, strict=True):
            _search_by_auto(run, board, solutions, options)
        yield from report(options, runs, auto.table())
    if options.write:
        TABLE.write_text(table_text, encoding="utf-8")
    else:
        yield table_text


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    installed = [name for name, spec in unidoku.catalogue().items() if not spec.missing]
    parser = page_parser(__doc__, RESULTS, TABLE)
    parser.add_argument("--data", type=folder, metavar="FOLDER")
    parser.add_argument(
        "--rules", type=Path, action="append", default=[], metavar="FILE", help="in neutral form"
    )
    parser.add_argument("--boards", type=int, default=8, help="of each kind")
    parser.add_argument("--time-limit", type=float, default=5.0, metavar="SECONDS")
    parser.add_argument("--backend", action="append", choices=installed)
    options = parser.parse_args(arguments)
    options.backend = options.backend or [name for name in LEARNERS if name in installed]
    return options


def _boards(kinds: Iterator[Kind]) -> Iterator[tuple[str, Board, int, bool]]:
    for kind in kinds:
        say(kind.name)
        for number, board in enumerate(kind.boards):
            yield kind.name, board, kind.solutions, bool(number % 2)


@dataclass(frozen=True, slots=True)
class _Within:
    """`native` with a budget."""

    failures: int

    def search(self, board: Board, request: Request) -> Result:
        found: Result = _NATIVE.search_within(board, request, self.failures)
        return found


_NATIVE: Any = unidoku.load("native").backend


def _measured(
    options: argparse.Namespace, name: str, board: Board, solutions: int, is_held_out: bool
) -> Run:
    """Return the times of `native` and of the backends that learn on a board."""
    run = Run(name, auto.kind_of(board.layout), is_held_out)
    request = Request(solutions=solutions, time_limit=options.time_limit)
    counts: dict[str, int] = {}
    names = ["native", *options.backend]
    for label in random.Random(board.digest).sample(names, len(names)):
        solver = unidoku.load(label)
        taken, result = _timed(solver, board, request)
        run.seconds[label] = taken if result.stop.answered else options.time_limit
        if result.stop.answered:
            run.decided.add(label)
            counts[label] = result.count
    if len(set(counts.values())) > 1:
        raise FaultError(f"{name}: {counts} solutions of {board!r}")
    row = unidoku.catalogue()["native"]
    for budget in BUDGETS:
        within = Solver(row, _Within(budget))
        taken, result = _timed(within, board, request)
        run.within[budget] = taken, result.stop is not Stop.INCOMPLETE
        if result.stop.answered:
            later = [more for more in BUDGETS if more > budget]
            run.within |= dict.fromkeys(later, run.within[budget])
            break
    return run


def _search_by_auto(run: Run, board: Board, solutions: int, options: argparse.Namespace) -> None:
    request = Request(solutions=solutions, time_limit=options.time_limit)
    taken, result = _timed(unidoku.load("auto"), board, request)
    native, _ = _timed(unidoku.load("native"), board, request)
    run.seconds["auto"] = taken if result.stop.answered else options.time_limit
    run.seconds["native"] = min(run.seconds["native"], native)
    run.after = result.answered_by
    if result.stop.answered:
        run.decided.add("auto")


def _timed(solver: Solver, board: Board, request: Request) -> tuple[float, Result]:
    """Return the least seconds of a search of a board, under several names of its values."""
    least = math.inf
    for image in _images(board):
        search = solver.searching(image.layout)
        begun = time.perf_counter()
        result = search(image, request)
        least = min(least, time.perf_counter() - begun)
        if least > QUICK:
            break
    return least, result


def _images(board: Board) -> Iterator[Board]:
    """Yield images of a board; whoever learns would know the board itself by the second time.

    A board with rules, or without givens, has no images that differ in names alone. It is searched
    once, on a layout that is new to all backends.
    """
    layout = board.layout
    if layout.rules or not any(board.givens):
        shift = next(_shifts)
        places = tuple((row + shift, column) for row, column in layout.positions)
        yield Board(replace(layout, positions=places, name="custom"), board.candidates)
        return
    for seed in range(TIMES):
        names = [0, *random.Random(seed).sample(range(1, layout.n + 1), layout.n)]
        yield Board.from_values(layout, [names[value] for value in board.givens])


_shifts = itertools.count(1)


def _table(options: argparse.Namespace, runs: Sequence[Run]) -> str:
    """Return the table that follows from the boards that are not held out."""
    failures: dict[str, int] = {}
    order: dict[str, list[str]] = {}
    for kind in auto.KINDS:
        known = [run for run in runs if run.kind == kind and not run.is_held_out]
        hard = [run for run in known if not run.within[BUDGETS[0]][1]]
        if len(hard) < FEW:
            hard = sorted(known, key=lambda run: run.seconds["native"])[-FEW:]
        costs = {name: sum(run.penalised(name) for run in hard) for name in options.backend}
        order[kind] = sorted(costs, key=costs.__getitem__)
        failures[kind] = _budget(known, order[kind][0], USUAL[kind])
    lines = [
        "# Made by make bench-auto: when boards are handed over, and to whom. See docs/auto.md.",
        *toml_lines({"machine": f"{processor()}; {solver_versions(('native', *options.backend))}"}),
        *("", "# failures in a row without a solution"),
        *("[failures]", *toml_lines(failures)),
        *("", "# the backends that learn, the best first"),
        *("[order]", *toml_lines(order)),
        *("", "# seconds that a search must have left for one of them to be loaded"),
        *("[load]", *toml_lines({name: _load_time(name) for name in options.backend})),
    ]
    return "\n".join(lines) + "\n"


def _budget(runs: Sequence[Run], then: str, usual: int) -> int:
    """Return the budget with the best ratio, of those that are nearly as good the usual one."""
    ratios = {
        budget: mean([run.handed_over(budget, then) / run.best() for run in runs])
        for budget in BUDGETS
    }
    good = [budget for budget in BUDGETS if ratios[budget] <= NEAR * min(ratios.values())]
    return min(good, key=lambda budget: abs(math.log(budget / usual)))


def _load_time(name: str) -> float:
    """Return twice the processor time in seconds that a new process takes to load a backend."""
    program = (
        "import time, unidoku; unidoku.load('norvig').solve('.'); begun = time.process_time();"
        f"unidoku.load({name!r}).solve('1...............'); print(time.process_time() - begun)"
    )
    ran = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        for _ in range(TIMES)
    ]
    return math.ceil(20 * min(float(run.stdout) for run in ran)) / 10


def mean(ratios: Sequence[float]) -> float:
    """Return the geometric mean, which is no number where there is nothing."""
    return statistics.geometric_mean(ratios) if ratios else math.nan


def report(
    options: argparse.Namespace, runs: Sequence[Run], table_made: auto.AutoTable
) -> Iterator[str]:
    """Yield the lines of the report.

    Args:
        options: options of the program.
        runs: what was measured.
        table_made: the table that came of it.
    """
    names = ["native", *options.backend, "auto"]
    yield from ("# What `auto` gains by handing boards over", "")
    where = f", and those of {options.data.name}/" if options.data else ""
    yield (
        f"{len(runs)} boards{where}; {processor()}; "
        f"{solver_versions(('native', *options.backend))}; "
        f"limit {options.time_limit:g} s. Made by `make bench-auto`."
    )
    yield from ("", *_NOTES.splitlines(), "", "## The table", "")
    yield from table(
        ["boards", "failures in a row", "then"],
        (
            [words, f"{table_made.failures[kind]:,}", ", ".join(table_made.order[kind])]
            for kind, words in auto.KINDS.items()
        ),
    )
    for title, is_held_out in (("made the table", False), ("were kept apart", True)):
        some = [run for run in runs if run.is_held_out == is_held_out]
        yield from (f"## Boards that {title}", "")
        yield from table(
            ["", "total s", "undecided", "worst ratio", "mean ratio", "up to 16", "more", "rules"],
            _policies(names, some, table_made),
        )
    yield from ("## Milliseconds a board, by kind", "")
    by_name: defaultdict[str, list[Run]] = defaultdict(list)
    for run in runs:
        by_name[run.name].append(run)
    yield from table(
        ["kind (boards)", *names, "handed over"],
        ([f"{kind} ({len(those)})", *_row(names, those)] for kind, those in by_name.items()),
    )


_NOTES = """\
Times are those of one search in a process that has loaded all libraries. Boards without rules that
take less than 0.2 s are searched under three names of their values, and the least counts, so that
models of the layout are there; boards with rules, and empty ones, have a layout that is new to all,
and to build its model counts.

Ratios are to the virtual best, the least time of all backends but `auto` for each board; what is
undecided counts as the limit. Means of ratios are geometric. *native, then* is computed from
`native` with the budget of the table, measured as such, and the other backend; `auto` was run. In
brackets: boards that were not decided. Every second board of a kind made the table; the others were
kept apart."""


def _policies(
    names: Sequence[str], runs: Sequence[Run], table_made: auto.AutoTable
) -> Iterator[list[str]]:
    """Yield a row for each backend alone, and for `native` followed by each."""
    for name in names:
        seconds = [run.seconds[name] for run in runs]
        undecided = sum(name not in run.decided for run in runs)
        yield _policy(name if name == "auto" else f"{name} alone", runs, seconds, undecided)
    for name in names[1:-1]:
        seconds = [run.handed_over(table_made.failures[run.kind], name) for run in runs]
        undecided = sum(
            not run.within[table_made.failures[run.kind]][1] and name not in run.decided
            for run in runs
        )
        yield _policy(f"native, then {name}", runs, seconds, undecided)
    yield _policy("virtual best", runs, [run.best() for run in runs], 0)


def _policy(name: str, runs: Sequence[Run], seconds: Sequence[float], undecided: int) -> list[str]:
    ratios = [taken / run.best() for run, taken in zip(runs, seconds, strict=True)]
    by_kind = [
        mean([ratio for run, ratio in zip(runs, ratios, strict=True) if run.kind == kind])
        for kind in auto.KINDS
    ]
    means = ["–" if math.isnan(mean) else figure(mean) for mean in (mean(ratios), *by_kind)]
    return [name, figure(sum(seconds)), str(undecided), figure(max(ratios)), *means]


def _row(names: Sequence[str], runs: Sequence[Run]) -> Iterator[str]:
    for name in names:
        lost = sum(name not in run.decided for run in runs)
        mean = statistics.fmean(run.seconds[name] for run in runs)
        yield figure(mean * 1e3) + (f" ({lost})" if lost else "")
    yield str(sum(run.after != "native" for run in runs))


if __name__ == "__main__":
    sys.exit(main())
