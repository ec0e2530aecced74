"""The columns of a summary: what each is called, shows, exports, and says of itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from unidoku.comparison.record import Outcome
from unidoku.comparison.results import COUNTERS
from unidoku.comparison.statistics.pairs import LEAST_PERCENT, resolves, resolves_jointly
from unidoku.comparison.statistics.summary import SHIFT
from unidoku.errors import InputError
from unidoku.support import text
from unidoku.support.table import Column

if TYPE_CHECKING:
    from unidoku.comparison.statistics.pairs import NoiseFloor, PairedTimes
    from unidoku.comparison.statistics.summary import Summary

NOT_RESOLVED = "~"
"""The mark after a ratio that this run cannot distinguish from 1."""

NOT_JOINTLY = "(~)"
"""The mark after a ratio that differs from 1 by itself, but not if all comparisons count."""

ACROSS = "†"
"""The mark after a ratio of times from different machines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The figures of one backend.

    Args:
        summary: its summary.
        pair: the comparison with the backend that ratios refer to; None for that backend itself,
            and if there is none.
        counters: medians of `COUNTERS` over the cases that it solved, by their names.
        time_limit: seconds for each run; None if there was no limit.
        competes: whether it competes with the others, as the twin does not.
        is_base: whether ratios refer to it.
    """

    summary: Summary
    pair: PairedTimes | None = None
    counters: Mapping[str, float] = field(default_factory=dict)
    time_limit: float | None = None
    competes: bool = True
    is_base: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryColumn:
    """A column of a summary.

    Args:
        name: its name as an option has it.
        heading: its heading in a table.
        text: how a value is written.
        value: the value of a row.
        exported: the columns of an export, by their headings.
        note: what the figure is, in a sentence; empty if the heading says it.
    """

    name: str
    heading: str
    text: Callable[[Any], str]
    value: Callable[[Row], Any]
    exported: Mapping[str, Callable[[Row], Any]]
    note: str = ""

    @property
    def column(self) -> Column:
        """The column of a table."""
        return Column(self.heading, self.text)


def _column(
    name: str,
    write: Callable[[Any], str],
    value: Callable[[Row], Any],
    export: str,
    *,
    heading: str = "",
    note: str = "",
) -> SummaryColumn:
    """Return a column whose value is exported as it is, under a heading of its own."""
    return SummaryColumn(
        name=name,
        heading=heading or name,
        text=write,
        value=value,
        exported={export: value},
        note=note,
    )


def _duration(name: str, attribute: str, *, heading: str = "", note: str = "") -> SummaryColumn:
    def value(row: Row) -> float:
        return float(getattr(row.summary, attribute))

    return _column(name, text.seconds, value, f"{attribute}_s", heading=heading, note=note)


def _outcome(outcome: Outcome) -> SummaryColumn:
    name = outcome.value
    return _column(name, str, lambda row: row.summary.outcomes.get(outcome, 0), f"{name}_cases")


def _counter(name: str) -> SummaryColumn:
    note = f"{name.capitalize()}: as the backend counts them, median over the cases it solved."
    median = f"{name}_median"
    return _column(
        name, text.count, lambda row: row.counters.get(name, math.nan), median, note=note
    )


def _of_pair(name: str) -> Callable[[Row], Any]:
    return lambda row: None if row.pair is None else getattr(row.pair, name)


def _across(row: Row) -> int | None:
    return None if row.pair is None else int(row.pair.across)


_RATIO = SummaryColumn(
    name="ratio",
    heading="× first",
    text=str,  # see ratio_column, which knows what a run can resolve
    value=lambda row: row.summary.backend if row.is_base else row.pair,
    exported={
        "ratio_to": _of_pair("first"),
        "ratio": _of_pair("ratio"),
        "ratio_low": _of_pair("low"),
        "ratio_high": _of_pair("high"),
        "ratio_joint_low": _of_pair("joint_low"),
        "ratio_joint_high": _of_pair("joint_high"),
        "ratio_across_machines": _across,
    },
)

COLUMNS: Mapping[str, SummaryColumn] = {
    column.name: column
    for column in (
        _column("cases", str, lambda row: row.summary.cases, "cases"),
        _column("solved", str, lambda row: row.summary.solved, "solved_cases"),
        *(_outcome(outcome) for outcome in Outcome if outcome is not Outcome.SOLVED),
        _duration("median", "median"),
        _duration("mean", "mean"),
        _duration("max", "maximum"),
        _duration("total", "total", note="Total: sum of the times."),
        _duration("par2", "par2", heading="PAR2"),
        _duration(
            "shifted-mean",
            "shifted_mean",
            heading="shifted mean",
            note=f"Shifted mean: geometric, of the time plus {text.seconds(SHIFT)}.",
        ),
        _column(
            "time-limit",
            lambda limit: text.NOTHING if limit is None else text.seconds(limit),
            lambda row: None if row.time_limit is None else float(row.time_limit),
            "time_limit_s",
            heading="time limit",
        ),
        SummaryColumn(
            name="unique",
            heading="unique",
            text=str,
            value=lambda row: row.summary.unique if row.competes else text.NOTHING,
            exported={"unique_cases": lambda row: row.summary.unique},
            note="Unique: cases that no other backend solved.",
        ),
        _column(
            "contribution",
            text.percent,
            lambda row: row.summary.contribution,
            "contribution_percent",
            note="Contribution: by how much the PAR2 of the best on each case rises without it.",
        ),
        _RATIO,
        *map(_counter, COUNTERS),
    )
}
"""All columns of a summary besides the backend, by the names that ``--show`` takes."""


SEARCH = "search"
"""The name that asks for the table of searches."""

SHOWN = (*COLUMNS, SEARCH)
"""All names that ``--show`` takes."""


def read_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of `SHOWN`, each once, however they are written: ``PAR2``, ``shifted mean``.

    Raises:
        InputError: there is no such name, or none is named.
    """
    labels: dict[str, None] = {}
    for name in names:
        plain = "-".join(name.lower().split())
        if plain not in SHOWN:
            raise InputError(f"--show: expected columns of {', '.join(SHOWN)}; got {name!r}")
        labels[plain] = None
    if not labels:
        raise InputError(f"--show: expected columns of {', '.join(SHOWN)}; got none")
    return tuple(labels)


def outcomes_of(summaries: Sequence[Summary]) -> list[str]:
    """Return the names of the columns of outcomes that occur, besides that of solved cases."""
    occur = {outcome for summary in summaries for outcome in summary.outcomes}
    return [
        outcome.value
        for outcome in Outcome
        if outcome in occur and outcome.value in COLUMNS and outcome is not Outcome.SOLVED
    ]


def ratio_column(noise_floor: NoiseFloor | None, reference: str | None = None) -> Column:
    """Return the column of the ratios to one backend, whose own entry is its label.

    Its heading names the reference, if the reader chose one.
    """

    def marks(pair: PairedTimes) -> str:
        mark = ""
        if not resolves(pair, noise_floor):
            mark = f" {NOT_RESOLVED}"
        elif not resolves_jointly(pair, noise_floor):
            mark = f" {NOT_JOINTLY}"
        return f"{mark} {ACROSS}" if pair.across else mark

    def as_text(pair: PairedTimes | str | None) -> str:
        if isinstance(pair, str):
            return "1"
        if pair is None or not pair.both:
            return text.NOTHING
        interval = f"[{text.ratio(pair.low)}, {text.ratio(pair.high)}]"
        return f"{text.ratio(pair.ratio)} {interval}{marks(pair)}"

    def as_html(pair: PairedTimes | str | None) -> str:
        if isinstance(pair, str):
            return "1×"
        if pair is None or not pair.both:
            return text.NOTHING
        interval = ""
        if math.isfinite(pair.high):
            ends = f"{text.ratio(pair.low)} – {text.ratio(pair.high)}"
            interval = f'<span class="of"> {ends}</span>'
        resolved = resolves(pair, noise_floor)
        mark = marks(pair).replace(f" {NOT_RESOLVED}", "")  # it is pale instead
        kind = "" if resolved else ' class="below"'
        return f"<span{kind}>{times_sign(pair.ratio)}{interval}{mark}</span>"

    return Column(f"× {reference or 'first'}", as_text, as_html)


def times_sign(value: float) -> str:
    """Return a ratio for HTML: ``1.20×``."""
    return escape(f"{text.ratio(value)}×" if math.isfinite(value) else text.NOTHING)


def ratio_note(
    pairs: Iterable[PairedTimes], noise_floor: NoiseFloor | None, reference: str | None = None
) -> list[str]:
    """Return what the column of ratios and its marks mean, in sentences."""
    least = f"differs from 1 by less than {LEAST_PERCENT:g} %"
    of = "the first row" if reference is None else reference
    sentences = [
        f"× {reference or 'first'}: time over that of {of}, geometric mean over the cases that "
        "both solved, and its 95 % interval.",
        f"{NOT_RESOLVED}: no difference is shown: the interval has 1 in it, or the ratio {least}"
        + (" or the resolution." if noise_floor else "."),
    ]
    self_test_twin = noise_floor.self_test_twin if noise_floor else None
    if len({pair.second for pair in pairs} - {self_test_twin}) > 1:
        sentences.append(
            f"{NOT_JOINTLY}: this pair alone differs, but no difference is shown if all ratios of "
            "the column are to be right together (Bonferroni)."
        )
    return sentences
