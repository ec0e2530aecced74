"""What a portfolio of backends gains on boards that each of them has searched, as a report."""

from __future__ import annotations

import argparse
import math
import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from measuring.machine import processor, solver_versions
from measuring.table import figure, table
from unidoku.backends import auto


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
    for title, some in _parts(runs):
        yield from (f"## {title}", "")
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


def _parts(runs: Sequence[Run]) -> Iterator[tuple[str, list[Run]]]:
    yield "Boards that made the table", [run for run in runs if not run.is_held_out]
    yield "Boards that were kept apart", [run for run in runs if run.is_held_out]


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
