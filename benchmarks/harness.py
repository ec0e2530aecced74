"""How much time does a comparison itself take, and how small a difference can it detect?

Measures the pool as `unidoku compare` uses it, and writes a report with these sections:

- overhead: the share of wall time that is not the backend's, for backends that take a given time;
- engines: microseconds a run, if a run is one search that takes almost no time;
- faults: how late after its limit a hanging backend is killed, and how long a new worker takes;
- aa: trials of one backend against itself, and how many are called different at 95 %;
- memory: resident memory of the supervisor over many runs into a journal.

Usage: python benchmarks/harness.py [--section NAME]... [--runs N] [--trials N] [--write [--force]]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import ClassVar

from measuring.machine import machine, say
from measuring.page import page_parser, publish
from measuring.table import table

from unidoku import Board, Capabilities, Request, Result, Stop, layout, load
from unidoku.comparison import Case, PuzzleSource, Results, read_cases, schedule
from unidoku.comparison.comparison import Comparison
from unidoku.comparison.config import MEASURED
from unidoku.comparison.journal import Header, Journal
from unidoku.comparison.run import Measuring, open_runner
from unidoku.comparison.statistics import pair, resolves, times_of

RESULTS = Path(__file__).parent / "results" / "harness.md"


@dataclass(frozen=True)
class Paced:
    """A backend that takes some microseconds, for full boards only."""

    capabilities: ClassVar[Capabilities] = Capabilities(honours=frozenset({"time_limit"}))
    microseconds: float = 0.0

    def search(self, board: Board, request: Request) -> Result:
        """Wait, then return the givens."""
        end = time.perf_counter() + self.microseconds / 1e6
        found = Result(count=1, solutions=(board.givens,), stop=Stop.EXHAUSTED)
        while time.perf_counter() < end:
            pass
        return found


@dataclass(frozen=True)
class Hanging:
    """A backend that never returns."""

    capabilities: ClassVar[Capabilities] = Capabilities()

    def search(self, board: Board, request: Request) -> Result:
        """Never return."""
        while True:
            pass


@dataclass(frozen=True)
class Settings:
    """How much to measure."""

    runs: int
    trials: int


def full_boards(count: int) -> list[Case]:
    """Return cases of different full boards."""
    grids = load("sat").solve(Board.empty(layout("classic", 9)), solutions=count).solutions
    classic = layout("classic", 9)
    boards = [Board.from_values(classic, grid) for grid in grids]
    return [Case(board=b, name=str(k), source="made", solutions=1) for k, b in enumerate(boards)]


def overhead(settings: Settings) -> Iterator[str]:
    """Yield the section on the harness's own share."""
    yield "## The harness's own share of wall time\n"
    rows = []
    for micros in (5, 1000):
        for count in (1, 2, 8):
            labels = [f"harness:Paced[microseconds={micros + k / 1000}]" for k in range(count)]
            solvers = {label: load(label) for label in labels}
            shares = []
            for seed in range(5):
                cases = full_boards(100 // count)
                with open_runner(solvers, measuring()) as engine:
                    list(engine.run(schedule(cases[:1], labels, 1, 0)))  # starts the worker
                    began = time.perf_counter()
                    records = list(engine.run(schedule(cases, labels, 1, seed)))
                    wall = time.perf_counter() - began
                # Each run has one search ahead of its sample.
                theirs = (
                    sum(record.timing.wall_ns * (record.timing.loops + 1) for record in records)
                    / 1e9
                )
                shares.append(1 - theirs / wall)
            rows.append([f"{micros} µs", str(count), f"{100 * median(shares):.2f} %"])
    yield from table(["a search takes", "backends", "share"], rows)


def engines(settings: Settings) -> Iterator[str]:
    """Yield the section on the price of a run."""
    yield "## A run of one search\n"
    label = "harness:Paced"
    solvers = {label: load(label)}
    cases = full_boards(min(500, settings.runs))
    rows = []
    for kind in ("inline", "pool", "spawn"):
        with open_runner(solvers, measuring(sample_ns=0), kind=kind) as engine:
            list(engine.run(schedule(cases[:1], [label], 1, 0)))
            began = time.perf_counter()
            runs = len(list(engine.run(schedule(cases, [label], 4, 1))))
            rows.append([kind, f"{(time.perf_counter() - began) / runs * 1e6:.0f} µs"])
    yield from table(["engine", "wall time a run"], rows)


def faults(settings: Settings) -> Iterator[str]:
    """Yield the section on ending what hangs."""
    yield "## A backend that hangs, at a limit of 0.2 s\n"
    labels = ["harness:Hanging", "harness:Paced"]
    solvers = {label: load(label) for label in labels}
    request = Request(solutions=2, time_limit=0.2)
    late, again = [], []
    with open_runner(solvers, Measuring(request=request, untimed=True)) as engine:
        before = None
        for record in engine.run(schedule(full_boards(min(20, 3 * settings.trials)), labels, 1, 1)):
            now = time.perf_counter()
            if record.backend == labels[0]:
                late.append(record.timing.wall_ns / 1e6 - 200)
                before = now
            elif before is not None:
                again.append((now - before) * 1e3)
                before = None
    rows = [
        ["ended after the limit", f"{median(late):.1f} ms", f"{max(late):.1f} ms"],
        ["first answer of the next worker", f"{median(again):.1f} ms", f"{max(again):.1f} ms"],
    ]
    yield from table(["", "median", "most"], rows)


def aa(settings: Settings) -> Iterator[str]:
    """Yield the section on one backend against itself."""
    yield "## One backend entered twice\n"
    names = ("three-spellings", "practice", "dashed", "hardest")
    cases = read_cases([PuzzleSource(examples=names)], Path())
    rows = []
    for label in ("sat", "native"):
        solvers = {label: load(label), "again": load(label)}
        called, shown = 0, 0
        spreads = []
        for trial in range(settings.trials):
            results = Results(list(solvers), {"time_limit": 10.0})
            for case in cases:
                results.add_case(case)
            runs = list(schedule(cases, list(solvers), 3, trial))
            with open_runner(solvers, measuring(seed=trial)) as engine:
                for _, of_round in groupby(runs, lambda run: run.round):
                    for record in engine.run(of_round):
                        results.add(record)
                    engine.refresh()
            found = pair(times_of(results), label, "again", seed=trial)
            called += found.different
            shown += resolves(found, None)
            spreads.append(100 * abs(found.ratio - 1))
        rows.append(
            [
                label,
                str(settings.trials),
                str(called),
                str(shown),
                f"{median(spreads):.2f} %",
                f"{max(spreads):.2f} %",
            ]
        )
    headings = [
        "backend",
        "trials",
        "different at 95 %",
        "and by 2 %",
        "median deviation",
        "largest",
    ]
    yield from table(headings, rows)


def memory(settings: Settings) -> Iterator[str]:
    """Yield the section on memory."""
    yield f"## {settings.runs:,} runs into a journal\n"
    label = "harness:Paced"
    solvers = {label: load(label)}
    cases = full_boards(1000)
    rounds = -(-settings.runs // len(cases))
    header = Header(plan={"backends": [label], "repeats": rounds} | dict.fromkeys(MEASURED, 1))
    session = Comparison(header)
    by_id: dict[str, Case] = {}
    for case in cases:
        session.add_case(case)
        by_id[case.id] = case
    rows = []
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with (
            Journal(path, header) as journal,
            open_runner(solvers, measuring(sample_ns=0, relabel=False)) as engine,
        ):
            for record in engine.run(schedule(cases, [label], rounds, 1)):
                journal.add(by_id[record.case], record)
                session.add(record)
                if session.done in (10_000, settings.runs // 4, settings.runs):
                    rows.append(_memory_row(session, path, began))
    verdict = session.verdict()
    times = times_of(session.results)
    rows.append(["and the figures made", f"{_resident() / 2**20:.0f} MB", "", ""])
    yield from table(["runs", "resident memory", "journal", "wall time"], rows)
    micros = 1e6 * times.seconds[0][0]
    yield f"Disagreements: {len(verdict.disagreements)}; a search took {micros:.1f} µs."


def _memory_row(session: Comparison, path: Path, began: float) -> list[str]:
    size = path.stat().st_size / 2**20
    seconds = time.perf_counter() - began
    return [
        f"{session.done:,}",
        f"{_resident() / 2**20:.0f} MB",
        f"{size:.0f} MB",
        f"{seconds:.0f} s",
    ]


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def measuring(**changes: object) -> Measuring:
    """Return how the sections measure."""
    request = Request(solutions=2, time_limit=10.0)
    return Measuring(request=request, **changes)  # type: ignore[arg-type]  # keywords of one call


SECTIONS: dict[str, Callable[[Settings], Iterator[str]]] = {
    "overhead": overhead,
    "engines": engines,
    "faults": faults,
    "aa": aa,
    "memory": memory,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked; return the exit code."""
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("--section", action="append", choices=SECTIONS, help="only this one")
    parser.add_argument("--runs", type=int, default=1_000_000, help="of the section on memory")
    parser.add_argument("--trials", type=int, default=40, help="of the section aa")
    return publish(_report, parser.parse_args(arguments), RESULTS)


def _report(options: argparse.Namespace) -> Iterator[str]:
    settings = Settings(runs=options.runs, trials=options.trials)
    yield from ("# What the comparison costs, and what it can resolve", "", machine(), "")
    for name in options.section or SECTIONS:
        say(f"{name} …")
        yield from (*SECTIONS[name](settings), "")


if __name__ == "__main__":
    sys.exit(main())
