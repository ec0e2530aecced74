"""docs/study.html: the interactive page of the study, one file that makes no request.

Python writes the overview as plain HTML and computes all intervals. The script draws the family
that the reader chooses, for the backends and boards that the reader selects.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from studying.figures import Estimate, missed, standings, together
from studying.growth import axes_of, cross_overs, growth
from studying.picture import caption
from studying.read import Published, settings_of
from unidoku.comparison.report.words import sentence
from unidoku.comparison.statistics import Times
from unidoku.support.page import page
from unidoku.support.text import seconds
from unidoku.version import __version__

__all__ = ["interactive"]

_PARTS = Path(__file__).parent

_CROSSED = 8
"""Number of backends of a family that are examined for cross-overs."""


def interactive(study: Published) -> str:
    """Return the page as text."""
    environment = study.environment
    body = Template(_part("study.html")).substitute(
        title=escape(study.facts["title"]),
        caption=escape(caption(study)),
        overview="".join(_overview(study)),
        machine=escape(
            f"{environment.get('cpu')}, {environment.get('system')}, "
            f"{environment.get('python')}, {study.facts['workers']} runs at a time"
        ),
        verdict=escape(sentence(study.first.verdict())),
    )
    return page(
        title=study.facts["title"],
        body=body,
        data=_data(study),
        style=_part("study.css"),
        script=_part("study.js"),
        generator=f"unidoku {__version__}",
    )


def _part(name: str) -> str:
    return (_PARTS / name).read_text(encoding="utf-8")


def _overview(study: Published) -> Iterator[str]:
    """Yield a table of times, one row for each backend and one column for each family."""
    labels = [one.backend for one in standings(study.times)]
    yield "<table><thead><tr><th>backend</th>"
    for family in study.families:
        name, title = escape(family.name), escape(family.title)
        yield f'<th><button data-family="{name}">{title}</button></th>'
    yield "</tr></thead><tbody>"
    known = {
        family.name: {one.backend: one for one in standings(family.first)}
        for family in study.families
    }
    for label in labels:
        yield f"<tr><th>{escape(label)}</th>"
        for family in study.families:
            one = known[family.name].get(label)
            yield "<td></td>" if one is None else _cell(one.typical.value, one, known[family.name])
        yield "</tr>"
    yield "</tbody></table>"


def _cell(value: float, one: Any, others: dict[str, Any]) -> str:
    best = min(other.typical.value for other in others.values())
    worst = max(other.typical.value for other in others.values())
    depth = math.log(value / best) / math.log(worst / best) if worst > best else 0.0
    solved = f"{one.solved} of {one.cases} solved"
    first = ' class="best"' if value == best else ""
    return (
        f'<td{first} style="--d:{100 * (1 - depth):.0f}%" title="{escape(solved)}">'
        f"{seconds(value)}</td>"
    )


def _data(study: Published) -> dict[str, Any]:
    return {
        "families": [
            {
                "name": family.name,
                "title": family.title,
                "models": family.has_own_layouts,
                "stages": {
                    name: _stage(times) for name, times in family.times.items() if name != "options"
                },
            }
            for family in study.families
        ],
    }


def _stage(times: Times) -> dict[str, Any]:
    settings = settings_of(times)
    axes = axes_of(times)
    ranked = standings(times)
    adds = {one.backend: one for one in missed(times)}
    order = [times.backends.index(one.backend) for one in ranked]
    found: dict[str, Any] = {
        "limit": times.time_limit,
        "backends": [one.backend for one in ranked],
        "boards": [
            [case.name, case.id, one.size, one.level]
            for case, one in zip(times.cases, settings, strict=True)
        ],
        # Negative where the board was not solved; null where there was no run.
        "seconds": [_row(times, row) for row in order],
        "typical": [_estimate(one.typical) for one in ranked],
        "par2": [_estimate(one.par2) for one in ranked],
        "solved": [[one.solved, one.cases] for one in ranked],
        "fastest": [one.fastest for one in ranked],
        "ratio": [
            None if (pair := one.ratio) is None else _finite([pair.ratio, pair.low, pair.high])
            for one in ranked
        ],
        "together": _number(together(times)),
        "missed": [_estimate(adds[one.backend].percent) for one in ranked],
        "axes": [
            {"name": axis.name, "unit": axis.unit, "values": _finite(axis.values)} for axis in axes
        ],
    }
    for axis in axes[:1]:
        labels = [one.backend for one in ranked[:_CROSSED]]
        found["growth"] = [
            [one.backend, _estimate(one.rate), one.low, one.high, _finite(one.line)]
            for one in growth(times, axis)
        ]
        found["crossings"] = [
            [one.below, one.above, _estimate(one.at)] for one in cross_overs(times, axis, labels)
        ]
    return found


def _row(times: Times, row: int) -> list[float | None]:
    limit = 2 * (times.time_limit or 0.0)
    signed = np.where(times.solved[row], times.seconds[row], -limit)
    return [
        None if outcome < 0 else _number(value)
        for value, outcome in zip(signed.tolist(), times.outcome[row].tolist(), strict=True)
    ]


def _estimate(one: Estimate) -> list[float | None]:
    return _finite([one.value, one.low, one.high])


def _finite(values: Iterable[float]) -> list[float | None]:
    return [_number(value) for value in values]


def _number(value: float) -> float | None:
    return float(f"{value:.5g}") if math.isfinite(value) else None
