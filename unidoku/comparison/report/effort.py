"""The table of searches: nodes, failures and the time of a node, side by side for each board."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from unidoku.comparison.report.columns import times_sign
from unidoku.comparison.report.findings import Findings
from unidoku.comparison.results import COUNTERS
from unidoku.comparison.statistics.effort import (
    RELATED,
    Effort,
    MeanEffort,
    efforts,
    mean_efforts,
    reported,
)
from unidoku.support import text
from unidoku.support.table import Column, Table

_MOST_BOARDS = 20
"""The most boards of the table; an export has all."""


def _if_known(form: Callable[[float], str]) -> Callable[[float], str]:
    """Return the form of a figure, whose cell stays empty if the figure is not known."""
    return lambda value: "" if math.isnan(value) else form(value)


_FIGURE, _TIME, _RATIO = map(_if_known, (text.count, text.seconds, text.ratio))


def effort_table(findings: Findings) -> Table:
    """Return the table: means over all boards first, then the boards, the most different first."""
    labels, reference = findings.labels, findings.reference
    by_case = efforts(findings.results, findings.times, labels, reference)
    cases = sorted(by_case, key=lambda case: -_spread(by_case[case]))[:_MOST_BOARDS]
    reported_by = reported(by_case.values())
    counters = [name for name in COUNTERS if any(name in names for names in reported_by.values())]
    rows: list[tuple[Any, ...]] = []
    empty = (math.nan,) * (2 + len(counters))
    title = "all boards"
    means = mean_efforts(by_case.values(), labels)
    for mean in means:
        rows.append((title, mean.backend, *empty, *(mean.ratios[name] for name in RELATED)))
        title = ""
    for case in cases:
        title = case.name
        for effort in by_case[case]:
            rows.append((title, effort.backend, *_row(effort, counters)))
            title = ""
    left_out = []
    if hidden := len(by_case) - len(cases):
        left_out = [
            f"{text.plural(hidden, 'board')} with smaller differences left out; --csv has all."
        ]
    return Table(
        title="Searches",
        columns=(
            *(Column("board", kind="name"), Column("backend", kind="name")),
            *(Column("search", _TIME), *(Column(name, _FIGURE) for name in counters)),
            Column("a node", _TIME),
            *(
                Column(f"× {name}", _RATIO, _if_known(times_sign))
                for name in ("search", "nodes", "a node")
            ),
        ),
        rows=tuple(rows),
        note=" ".join([*_notes(means, reference), *_silences(reported_by, counters), *left_out]),
        dispensable=("guesses", "restarts", "propagations"),
    )


def _row(effort: Effort, counters: Sequence[str]) -> tuple[float, ...]:
    counts = (effort.counters[name] for name in counters)
    return (effort.search, *counts, effort.node, *(effort.ratios[name] for name in RELATED))


def _spread(of_case: Sequence[Effort]) -> float:
    """Return by which factor the times of the searches of a board differ."""
    seconds = [effort.search for effort in of_case if effort.search > 0]
    return max(seconds) / min(seconds) if seconds else 0.0


def _notes(means: Sequence[MeanEffort], reference: str | None) -> Iterator[str]:
    yield (
        "Search: the time of the search without the model and conversion, as far as the backend "
        "tells it apart. Nodes and the others: as each backend counts them. A node: the time of "
        "the search over its nodes."
    )
    if reference is not None:
        others = [mean for mean in means if mean.backend != reference]
        counts = ", ".join(f"{mean.backend} {mean.boards}" for mean in others)
        yield (
            f"×: over {reference} on the same board, if both solved it; × search is × nodes times "
            f"× a node. All boards: geometric means, boards: {counts}."
        )


def _silences(reported_by: Mapping[str, Collection[str]], counters: Sequence[str]) -> Iterator[str]:
    """Yield which of the counters each backend does not report."""
    for label, names in reported_by.items():
        if missing := [name for name in counters if name not in names]:
            yield f"{label} does not tell {text.listed(missing)}."


def effort_export(findings: Findings) -> Table:
    """Return the searches of all boards for CSV: one row for each board and backend."""
    labels, reference = findings.labels, findings.reference
    by_case = efforts(findings.results, findings.times, labels, reference)
    headings = (
        *("board", "case", "backend", "search_s", *COUNTERS, "node_s", "ratio_to"),
        *(f"ratio_{name}" for name in RELATED),
    )
    rows = []
    for case, of_board in by_case.items():
        for effort in of_board:
            figures = _row(effort, COUNTERS)
            ratios = figures[-len(RELATED) :]
            plain = figures[: -len(RELATED)]
            rows.append((case.name, case.id, effort.backend, *plain, reference, *ratios))
    return Table(title="Searches", columns=tuple(map(Column, headings)), rows=tuple(rows))
