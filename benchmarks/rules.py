"""What do our forms of rules spare, beside those that a library's manual has?

On boards of seven families, which our generator makes, up to four ways to each solver count up to
two solutions, each in a process of its own and all in turn, in random order: the library called
directly, as its manual has it (`benchmarks/textbook`); our adapter, which gets cages as sums; as
sets of values; and with what follows from them as well, which is its default. A model is built for
each board.

Usage: python benchmarks/rules.py [--boards N] [--seed N] [--seconds S]
       [--backend NAME]... [--family NAME]... [--write [--force]]
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path

from measuring.families import FAMILIES, family
from measuring.machine import processor, say, solver_versions
from measuring.page import UnfitError, figure, page_parser, publish, table
from measuring.sides import LIMIT, Player

import unidoku
from unidoku import Board, Layout
from unidoku.core.rules import cages
from unidoku.core.transforms import simplify

RESULTS = Path(__file__).parent / "results" / "rules.md"

BACKENDS = (
    *("native", "norvig", "cp-sat", "sat", "exact-cover", "choco", "clingo", "z3"),
    *("pumpkin", "highs", "minizinc", "cpmpy"),
)
"""Those that are measured if none is named; python-constraint decides few of these boards."""

CAGED = ("killer", "KenKen")
"""The families with cages, of which there are two more sides."""

SIDES = ("textbook", "sums", "sets", "ours")

Counted = tuple[int | None, float]
"""Solutions, up to two, None if that is undecided; and the seconds of the search alone."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds that a board took: to build the model, and to search."""

    build: float
    search: float

    @property
    def total(self) -> float:
        """Both."""
        return self.build + self.search


Times = dict[tuple[str, str], dict[int, Taken | None]]
"""What a backend's side took for boards, by index; None where it was ended at the limit."""


def counter(backend: str, side: str, layout: Layout) -> Callable[[Board], Counted]:
    """Return what counts solutions by one of `SIDES`; runs in a process of its own."""
    if side == "textbook":
        solve: Callable[[Board], Counted] = import_module(_module(backend)).solve
        return solve
    if side == "sums":
        cages._MOST_SETS = simplify.MOST_SETS = 0  # of values that a cage may have
    deductions = side == "ours" and unidoku.load(backend).parameters()["deductions"]
    solver = unidoku.load(backend, deductions=deductions)

    def count(board: Board) -> Counted:
        began = time.perf_counter()
        result = solver.solve(board, solutions=2, time_limit=LIMIT)
        taken = time.perf_counter() - began
        decided_count = result.count if result.stop.answered else None
        return decided_count, result.statistics.get("solve_time", taken)

    return count


def _module(backend: str) -> str:
    return f"textbook.{backend.replace('-', '_')}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked; return the exit code."""
    return publish(_measured, _options(arguments), RESULTS)


def _measured(options: argparse.Namespace) -> Iterable[str]:
    """Measure; return the lines of the report."""
    measured: dict[str, Times] = {}
    wrong: list[str] = []
    try:
        for name in options.family:
            boards = list(family(name, options.boards + 1, options.seed))
            say(f"{name}: {options.boards} boards")
            measured[name] = _measure(name, options.backend, boards, options.seconds, wrong)
    except KeyboardInterrupt:
        why = "stopped; these are the families measured before"
        raise UnfitError(130, why, _report(measured, options)) from None
    if wrong:
        raise UnfitError(1, "\n".join(["wrong counts:", *wrong]), _report(measured, options))
    return _report(measured, options)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    catalogue = unidoku.catalogue()
    installed = [name for name in BACKENDS if not catalogue[name].missing]
    others = [name for name, spec in catalogue.items() if not spec.missing]
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("--boards", type=int, default=10, help="of each family")
    parser.add_argument("--seed", type=int, default=1, help="seed of the boards")
    parser.add_argument("--seconds", type=float, default=40, help="for each side on a family")
    parser.add_argument("--backend", action="append", choices=others)
    parser.add_argument("--family", action="append", choices=list(FAMILIES))
    options = parser.parse_args(arguments)
    options.backend = options.backend or installed
    options.family = options.family or list(FAMILIES)
    return options


def _sides(name: str, backend: str) -> Iterator[str]:
    """Yield the sides of a backend on a family."""
    if importlib.util.find_spec(_module(backend)) is not None:
        yield "textbook"
    if name in CAGED:
        yield from ("sums", "sets")
    yield "ours"


def _measure(
    name: str,
    backends: Sequence[str],
    boards: Sequence[Board],
    seconds: float,
    wrong: list[str],
) -> Times:
    """Return the times of all sides on all boards but the first, which warms them up.

    Args:
        name: name of the family.
        backends: backends to measure.
        boards: boards with one solution each.
        seconds: time for each side; after that it is left out.
        wrong: list to which wrong counts are added.

    Raises:
        FaultError: one failed.
    """
    order = random.Random(1)
    players = [
        Player(backend, side, counter) for backend in backends for side in _sides(name, backend)
    ]
    left = {(player.backend, player.side): seconds for player in players}
    times: Times = {key: {} for key in left}
    try:
        for index, board in enumerate(boards):
            for player in order.sample(players, len(players)):
                key = player.backend, player.side
                if left[key] <= 0:
                    continue
                answer = player.count(board, first=index == 0)
                if answer is None or answer[1][0] is None:
                    left[key] -= LIMIT
                    if index:
                        times[key][index] = None
                    continue
                taken, (found, search) = answer
                if found != 1:
                    wrong.append(f"{name}: {' '.join(key)} counts {found}, not 1, of {board!r}")
                    continue
                left[key] -= taken
                if index:
                    times[key][index] = Taken(max(taken - search, 0.0), search)
    finally:
        for player in players:
            player.end()
    return times


def _report(measured: Mapping[str, Times], options: argparse.Namespace) -> Iterator[str]:
    yield from ("# What our forms of rules spare", "")
    yield (
        f"{options.boards} boards of each family, made with seed {options.seed}, each with one "
        f"solution, two asked; {processor()}; {solver_versions(options.backend)}. "
        "Made by `make bench-rules`."
    )
    yield from ("", *_NOTES.splitlines(), "")
    yield from ("## Our default: milliseconds to build + to search, median", "")
    yield from table(
        ["backend", *measured],
        (
            [name, *(_parts(times.get((name, "ours"), {})) for times in measured.values())]
            for name in options.backend
        ),
    )
    for kind, times in measured.items():
        yield from (f"## {kind}", "")
        sides = SIDES if kind in CAGED else ("textbook", "ours")
        pairs = list(pairwise(sides))
        pairs += [("textbook", "ours")] if len(pairs) > 1 else []
        head = [f"{side}, ms" for side in sides] + [f"{a} / {b}" for a, b in pairs]
        yield from table(
            ["backend", *head],
            (
                [
                    name,
                    *(_parts(times.get((name, side), {})) for side in sides),
                    *(_ratio(times, (name, a), (name, b)) for a, b in pairs),
                ]
                for name in options.backend
            ),
        )


_NOTES = f"""\
Milliseconds to build a model + to search it, medians of the boards, and in brackets how many of the
boards were decided where not all were. Ratios are geometric means over the boards that both sides
tried, of the searches, and of building and searching in brackets; what was ended at {LIMIT:.0f} s
counts with that, and the ratio is then preceded by `>` or `<`. *textbook*: the library as its
manual has it; *sums*: our adapter, which gets cages as sums; *sets*: as sets of values; *ours*:
with what follows as well, where that is the default. Building of `minizinc` is compiling. `–`:
there is no such side.

How fast other programs are on published puzzles, kind by kind: [beside.md](beside.md)."""


def _parts(taken: Mapping[int, Taken | None]) -> str:
    decided = [times_taken for times_taken in taken.values() if times_taken is not None]
    if not taken:
        return "–"
    share = "" if len(decided) == len(taken) else f" ({len(decided)}/{len(taken)})"
    if not decided:
        return f"> {LIMIT * 1e3:,.0f}{share}"
    medians = [
        statistics.median(getattr(times_taken, part) for times_taken in decided) * 1e3
        for part in ("build", "search")
    ]
    return f"{' + '.join(map(figure, medians))}{share}"


_LEAST = 5e-5
"""Seconds below which a search counts as that: the clock and the calls take as long."""


def _ratio(times: Times, mine: tuple[str, str], other: tuple[str, str]) -> str:
    """Return how many times as long one side searched, and searched and built, as another."""
    first, second = times.get(mine, {}), times.get(other, {})
    both = [(first[index], second[index]) for index in first if index in second]
    both = [(a, b) for a, b in both if a is not None or b is not None]
    if not both:
        return "–"
    ratios = []
    for part in ("search", "total"):
        logs = [
            [LIMIT if taken is None else max(getattr(taken, part), _LEAST) for taken in pair]
            for pair in both
        ]
        ratios.append(figure(statistics.geometric_mean(a / b for a, b in logs)))
    more = "> " if any(a is None for a, _ in both) else ""
    more += "< " if any(b is None for _, b in both) else ""
    return f"{more}{ratios[0]} ({ratios[1]})"


if __name__ == "__main__":
    sys.exit(main())
