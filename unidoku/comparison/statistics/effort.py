"""Why one backend is faster: how many nodes its search has, and how long a node takes.

The time of a search is its nodes times the time of a node, so the ratio of two times is that of
the nodes times that of the time of a node. Backends count nodes in their own ways; `RELATED` has
the ratios, which tell at least whether a faster search is smaller or has quicker nodes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from unidoku.comparison.cases import Case
from unidoku.comparison.results import COUNTERS, Results
from unidoku.comparison.statistics.times import Times, counted

RELATED = ("search", "nodes", "node")
"""What ratios are of: the time of a search, its nodes, and the time of a node."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """The search of one board by one backend.

    Args:
        backend: its label.
        search: seconds of the search, without the model and without conversion; nan if unknown.
        counters: medians of `COUNTERS` over the rounds, nan where the backend does not tell one.
        ratios: the figures of `RELATED` over those of the reference, nan where one is not known or
            one of both did not solve the board.
    """

    backend: str
    search: float
    counters: Mapping[str, float]
    ratios: Mapping[str, float]

    @property
    def node(self) -> float:
        """Seconds of a node; nan if the backend tells no nodes."""
        return _over(self.search, self.counters["nodes"])


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanEffort:
    """Geometric means of the ratios of one backend, over the boards where all three are known."""

    backend: str
    boards: int
    ratios: Mapping[str, float]


def efforts(
    results: Results, times: Times, labels: Sequence[str], reference: str | None
) -> dict[Case, list[Effort]]:
    """Return for each board the searches of the backends that ran it, in the order of the labels.

    Args:
        results: the results.
        times: their times.
        labels: labels of the backends.
        reference: label of the backend that ratios refer to; None for no ratios.
    """
    figures = {name: counted(results, name) for name in COUNTERS}
    rows = [times.backends.index(label) for label in labels]
    base = None if reference is None else times.backends.index(reference)

    def plain(row: int, column: int) -> dict[str, float]:
        search, nodes = float(times.solve[row, column]), float(figures["nodes"][row, column])
        return {"search": search, "nodes": nodes, "node": _over(search, nodes)}

    def effort(row: int, column: int) -> Effort:
        both = base is not None and times.solved[[base, row], column].all()
        mine = plain(row, column)
        theirs = plain(base, column) if base is not None and both else dict.fromkeys(mine, math.nan)
        return Effort(
            backend=times.backends[row],
            search=mine["search"],
            counters={name: float(figure[row, column]) for name, figure in figures.items()},
            ratios={name: _over(mine[name], theirs[name]) for name in RELATED},
        )

    return {
        case: [effort(row, column) for row in rows if times.outcome[row, column] >= 0]
        for column, case in enumerate(times.cases)
    }


def mean_efforts(by_case: Iterable[Sequence[Effort]], labels: Sequence[str]) -> list[MeanEffort]:
    """Return the means of the ratios over all boards, for each of these labels."""
    logs: dict[str, list[list[float]]] = {label: [] for label in labels}
    for of_board in by_case:
        for effort in of_board:
            ratios = [effort.ratios[name] for name in RELATED]
            if all(ratio > 0 for ratio in ratios):  # nan is not
                logs[effort.backend].append([math.log(ratio) for ratio in ratios])
    return [
        MeanEffort(
            backend=label,
            boards=len(log_ratios),
            ratios=dict(
                zip(RELATED, np.exp(np.mean(log_ratios, axis=0)).tolist(), strict=True)
                if log_ratios
                else dict.fromkeys(RELATED, math.nan)
            ),
        )
        for label, log_ratios in logs.items()
    ]


def reported(by_case: Iterable[Sequence[Effort]]) -> dict[str, set[str]]:
    """Return for each backend the counters that it tells of some board."""
    counters: dict[str, set[str]] = {}
    for of_board in by_case:
        for effort in of_board:
            names = {name for name, count in effort.counters.items() if not math.isnan(count)}
            counters.setdefault(effort.backend, set()).update(names)
    return counters


def _over(value: float, other: float) -> float:
    return value / other if other > 0 else math.nan
