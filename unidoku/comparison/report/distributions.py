"""The table of run-time distributions: quantiles of the times of a board over its images."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from unidoku.comparison.statistics import Distribution
from unidoku.support import text
from unidoku.support.table import Column, Table

_SHARES = (0.1, 0.5, 0.9, 0.99, 1.0)
"""The quantiles of the table."""

_MOST_BOARDS = 20
"""The most boards of the table: those with the largest spread."""


def distributions_table(found: Sequence[Distribution], time_limit: float | None) -> Table:
    """Return the table of quantiles, with a row for each board and backend."""
    spreads: dict[str, float] = {}
    for distribution in found:
        spreads[distribution.case.id] = max(
            spreads.get(distribution.case.id, 0.0), _finite(distribution.spread)
        )
    widest = sorted(spreads, key=lambda case: -spreads[case])[:_MOST_BOARDS]
    quantile = _quantile(time_limit)
    columns = (
        *(Column("board"), Column("backend", kind="name"), Column("images"), Column("solved")),
        *(Column(f"{share:.0%}".replace("%", " %"), quantile) for share in _SHARES),
    )
    rows = tuple(
        (
            *(
                distribution.case.name,
                distribution.backend,
                distribution.images,
                len(distribution.seconds),
            ),
            *(distribution.quantile(share) for share in _SHARES),
        )
        for distribution in found
        if distribution.case.id in widest
    )
    note = (
        "Quantiles of the times over the symmetric images of a board, itself included: the time "
        "within which that share of them is solved."
    )
    if left_out := len(spreads) - len(widest):
        note += f" {text.plural(left_out, 'board')} with smaller spreads left out."
    if not found:
        note = "No board was run on symmetric images; unidoku compare --symmetries runs some."
    return Table(title="Run-time distributions", columns=columns, rows=rows, note=note)


def _finite(spread: float) -> float:
    return 0.0 if math.isnan(spread) else spread


def _quantile(time_limit: float | None) -> Callable[[float], str]:
    beyond = "not solved" if time_limit is None else f"> {text.seconds(time_limit)}"
    return lambda value: beyond if math.isinf(value) else text.seconds(value)
