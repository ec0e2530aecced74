"""The table of all backends, for readers and as an export."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from unidoku.comparison.report.columns import (
    ACROSS,
    COLUMNS,
    Row,
    outcomes_of,
    ratio_column,
    ratio_note,
)
from unidoku.comparison.results import COUNTERS
from unidoku.comparison.statistics.summary import base_of
from unidoku.comparison.statistics.times import counted, median
from unidoku.support import text
from unidoku.support.table import Column, Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from unidoku.comparison.results import Results
    from unidoku.comparison.statistics.pairs import NoiseFloor, PairedTimes
    from unidoku.comparison.statistics.summary import Summary
    from unidoku.comparison.statistics.times import Times

_USUAL = ("median", "mean", "max", "par2", "shifted-mean", "unique", "contribution", "ratio")
"""Columns of a summary besides the solved cases and the other outcomes."""

_TOO_WIDE = ("shifted-mean", "contribution")
"""Columns that are too wide for a terminal; Markdown, CSV and the page have them."""

_FEW = ("median", "par2", "ratio")
"""Columns of a summary that fit on a page of a paper."""

_DISPENSABLE = ("unique", "mean", "max", "median")
"""Columns that a narrow terminal leaves out before it leaves out outcomes."""

_TIMED = ("median", "mean", "max", "total", "par2", "shifted-mean", "ratio")
"""Columns of times."""

Width: TypeAlias = Literal["wide", "terminal", "paper"]
"""How much room a table has."""

_BY_WIDTH: Mapping[Width, tuple[str, ...]] = {
    "wide": _USUAL,
    "terminal": tuple(name for name in _USUAL if name not in _TOO_WIDE),
    "paper": _FEW,
}


def summary_table(
    summaries: Sequence[Summary],
    pairs: Mapping[str, PairedTimes],
    *,
    title: str = "Backends",
    time_limit: float | None = None,
    noise_floor: NoiseFloor | None = None,
    machines: Sequence[str] = (),
    counters: Mapping[str, Mapping[str, float]] | None = None,
    reference: str | None = None,
    show: Sequence[str] = (),
    width: Width = "wide",
) -> Table:
    """Return the table of all backends, one row for each, in the order of the summaries.

    Args:
        summaries: the summaries.
        pairs: the reference with each other backend, by the label of the other.
        title: the title.
        time_limit: seconds for each run.
        noise_floor: what the run can resolve.
        machines: names of the machines, which the note says if there are several.
        counters: medians of what backends count, by label and name.
        reference: the reference, if the reader chose it; otherwise it is the first row.
        show: names of the columns; empty for those that fit the width.
        width: ``wide`` for all of the usual columns, ``terminal`` for fewer, ``paper`` for few.
    """
    names = show or (*("solved", *outcomes_of(summaries)), *_BY_WIDTH[width])
    columns = table_columns(names, noise_floor, reference)
    self_test_twin = noise_floor.self_test_twin if noise_floor else None
    base = reference or base_of(summaries)
    rows = tuple(
        (row.summary.backend, *(COLUMNS[name].value(row) for name in names))
        for row in rows_of(summaries, pairs, counters, time_limit, self_test_twin, base)
    )
    sentences = [
        *notes_of(summaries, names, time_limit),
        *(ratio_note(pairs.values(), noise_floor, reference) if "ratio" in names else ()),
    ]
    if noise_floor:
        sentences.append(
            f"This run cannot resolve less than {text.percent(noise_floor.percent)}: "
            f"{noise_floor.label} against itself, entered as {noise_floor.self_test_twin}."
        )
    sentences += machines_note(machines, pairs.values())
    return Table(
        title=title,
        columns=(Column("backend", kind="name"), *columns),
        rows=rows,
        note=" ".join(sentences),
        dispensable=() if show else dispensable(names),
    )


def table_columns(
    names: Iterable[str], noise_floor: NoiseFloor | None, reference: str | None = None
) -> list[Column]:
    """Return the columns of these names."""
    return [
        ratio_column(noise_floor, reference) if name == "ratio" else COLUMNS[name].column
        for name in names
    ]


def counters_of(
    results: Results,
    times: Times,
    names: Iterable[str],
    figures: Mapping[str, NDArray[np.float64]] | None = None,
) -> dict[str, dict[str, float]]:
    """Return for each backend the median of each counter, over the cases that it solved.

    Args:
        results: the results.
        times: the times, which may be those of some cases only.
        names: names of columns, those of counters and perhaps others, which are left out.
        figures: the result of `figures_of`, if it is used several times.
    """
    if figures is None:
        figures = figures_of(results, names)
    if not figures:
        return {}
    places = {case.id: index for index, case in enumerate(results.cases)}
    columns = [places[case.id] for case in times.cases]
    return {
        label: {
            name: median(figure[row, columns][times.solved[row]])
            for name, figure in figures.items()
        }
        for row, label in enumerate(times.backends)
    }


def figures_of(results: Results, names: Iterable[str]) -> dict[str, NDArray[np.float64]]:
    """Return each counter of these names, of every backend on every case."""
    return {name: counted(results, name) for name in names if name in COUNTERS}


def rows_of(
    summaries: Sequence[Summary],
    pairs: Mapping[str, PairedTimes] | None = None,
    counters: Mapping[str, Mapping[str, float]] | None = None,
    time_limit: float | None = None,
    self_test_twin: str | None = None,
    base: str | None = None,
) -> list[Row]:
    """Return the rows of a table; pairs and counters are found by the labels of backends."""
    return [
        Row(
            summary=summary,
            pair=(pairs or {}).get(summary.backend),
            counters=(counters or {}).get(summary.backend, {}),
            time_limit=time_limit,
            competes=summary.backend != self_test_twin,
            is_base=summary.backend == base,
        )
        for summary in summaries
    ]


def dispensable(names: Sequence[str]) -> tuple[str, ...]:
    """Return the headings of columns in the order in which a narrow terminal leaves them out."""
    outcomes = [name for name in names if name not in (*_USUAL, "cases", "solved")]
    order = (*_TOO_WIDE, *_DISPENSABLE, *outcomes, "par2")
    return tuple(COLUMNS[name].heading for name in order if name in names)


def notes_of(
    summaries: Sequence[Summary], names: Sequence[str], time_limit: float | None
) -> Iterator[str]:
    """Yield what the columns of these names mean, in sentences."""
    if any(name in _TIMED for name in names):
        yield (
            "Each time is the median of a case's rounds; cases that met a limit count with the "
            "time they took, those that failed, crashed, were wrong, refuted or not supported have "
            "none."
        )
    if "par2" in names:
        cases = sorted({summary.cases for summary in summaries})
        sample_size = f"N = {cases[0]}" if len(cases) == 1 else "N = those it was run on"
        yield (
            "PAR2 needs a time limit."
            if time_limit is None
            else f"PAR2: mean over all cases, {sample_size}, each not solved as 2 T, "
            f"T = {time_limit:g} s."
        )
    yield from (note for name in names if (note := COLUMNS[name].note))


def machines_note(machines: Sequence[str], pairs: Iterable[PairedTimes]) -> list[str]:
    """Return sentences about runs of several machines; none if there is only one."""
    if len(machines) < 2:
        return []
    named = text.listed(name or "one without a name" for name in machines)
    sentences = [
        f"The runs are those of {len(machines)} machines, {named}; "
        "a case's time is the median of its rounds on all of them."
    ]
    if any(pair.across for pair in pairs):
        sentences.append(
            f"{ACROSS}: the ratio is of times from different machines, so it does not show which "
            "backend is faster."
        )
    return sentences


def export_table(
    summaries: Sequence[Summary],
    pairs: Mapping[str, PairedTimes] | None = None,
    *,
    time_limit: float | None = None,
    counters: Mapping[str, Mapping[str, float]] | None = None,
    show: Sequence[str] = (),
) -> Table:
    """Return the table of all figures for CSV: the same columns for every comparison.

    A figure that does not exist is None or nan. An interval without an upper end ends at inf.
    ``show`` names the columns instead.
    """
    names = show or [name for name in COLUMNS if name not in COUNTERS]
    exported = {
        heading: value for name in names for heading, value in COLUMNS[name].exported.items()
    }
    rows = tuple(
        (row.summary.backend, *(value(row) for value in exported.values()))
        for row in rows_of(summaries, pairs, counters, time_limit)
    )
    columns = (Column("backend"), *map(Column, exported))
    return Table(title="Backends", columns=columns, rows=rows)
