"""A comparison in words: the verdict, the failures, the size of the run, what times include."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np

from unidoku.comparison.environment import crowded, lacking
from unidoku.comparison.record import Measure, Outcome
from unidoku.comparison.results import MEASURES, OUTCOMES, Results
from unidoku.comparison.statistics.times import Times
from unidoku.comparison.verdict import Disagreement, Verdict
from unidoku.support.text import listed, plural, seconds

_MOST_NAMES = 10
"""The most cases and disagreements that are named; others are counted."""

_LEAST_GROWTH = 1.0
"""Megabytes for each search above which a backend is named."""

_LEAST_SEARCHES = 20
"""Searches below which growth may have other reasons."""

_BROKEN = (Outcome.CRASHED, Outcome.FAILED, Outcome.MEMORY)

_TROUBLES = (*_BROKEN, Outcome.TIMEOUT, Outcome.UNSUPPORTED)
"""Outcomes that are reported with their evidence."""


def tone(verdict: Verdict) -> str:
    """Return ``bad`` if there are disagreements, ``open`` if undecided cases, else ``good``."""
    if verdict.disagreements:
        return "bad"
    return "open" if verdict.undecided or not verdict.shared else "good"


def sentence(verdict: Verdict) -> str:
    """Return the verdict as one plain sentence."""
    cases = plural(verdict.cases, "case")
    if clashes := verdict.disagreements:
        on = len({disagreement.case.id for disagreement in clashes})
        names = sorted({disagreement.backends[0] for disagreement in clashes})
        refuted = listed(names) if len(names) < 4 else plural(len(names), "backend")
        return f"{plural(len(clashes), 'disagreement')} on {on:,} of {cases}, against {refuted}."
    if not verdict.shared:
        return f"Nothing to compare: no two answers to any of {cases}."
    if open_cases := len(verdict.undecided):
        verb = "is" if open_cases == 1 else "are"
        return f"No disagreement, but {open_cases:,} of {cases} {verb} undecided."
    if verdict.shared < verdict.cases:
        return f"All answers agree, on the {verdict.shared:,} of {cases} with two or more."
    if verdict.cases == 1:
        return "All answers agree on the one case."
    return f"All answers agree, on all {cases}."


def broken(results: Results) -> str:
    """Return which backends failed and how often, as a sentence; empty if none did."""
    runs: Counter[str] = Counter()
    for outcome in _BROKEN:
        runs.update({label: len(rows) for label, rows in _runs(results, outcome).items()})
    if not runs:
        return ""
    parts = [f"{label} broke in {plural(count, 'run')}" for label, count in runs.most_common(3)]
    if len(runs) > 3:
        parts.append(f"{plural(len(runs) - 3, 'other')} too")
    return f"{listed(parts)}."


def facts(results: Results) -> str:
    """Return the size of the run in one line."""
    plan = results.plan
    parts = [
        plural(len(results.cases), "case"),
        plural(len(results.backends), "backend"),
        plural(len(results), "run"),
    ]
    if isinstance(rounds := plan.get("repeats"), int):
        parts.append(plural(rounds, "round"))
    if results.time_limit is not None:
        parts.append(f"time limit {seconds(results.time_limit)}")
    return " · ".join(parts)


def remarks(results: Results, verdict: Verdict) -> Iterator[str]:
    """Yield what the tables do not show: problems, undecided cases, the verdict."""
    names = [results.cases[case].name for case in results.column("case").tolist()]
    for outcome in _TROUBLES:
        for label, rows in _runs(results, outcome).items():
            yield f"{outcome}: {label} on {first_names([*dict.fromkeys(names[k] for k in rows)])}"
            yield f"  {_first_line(results.evidence.get(rows[0], ('',))[0])}"
    for label, name in results.plan.get("names", {}).items():
        yield f"{name} is {label}"
    yield from lacking(results.environment)
    yield from crowded(results.environment)
    yield from growing(results)
    if unknown := _runs(results, Outcome.UNKNOWN):
        yield "Not decided within the limit:"
    for label, rows in unknown.items():
        yield f"  {label}: {first_names(sorted({names[k] for k in rows}))}"
    if verdict.undecided:
        yield f"Undecided by all: {first_names([case.name for case in verdict.undecided])}"
    if verdict.disagreements:
        yield f"{plural(len(verdict.disagreements), 'disagreement')}:"
        for clash in verdict.disagreements[:_MOST_NAMES]:
            yield from _shown(clash)
        if len(verdict.disagreements) > _MOST_NAMES:
            hidden = len(verdict.disagreements) - _MOST_NAMES
            yield f"  and {hidden} more; the page of --report shows them all"
    elif verdict.shared:
        yield (
            f"No disagreement: {verdict.shared} of {verdict.cases} cases were decided by several "
            "backends, all alike."
        )
    else:
        yield f"Nothing to compare: none of {verdict.cases} cases was decided by several backends."


def growing(results: Results) -> Iterator[str]:
    """Yield the backends that grew by more than 1 MB a search over 20 searches, and how much."""
    backends, loops = results.column("backend"), results.column("loops")
    for index, label in enumerate(results.backends):
        is_own = backends == index
        grown = float(results.column("grown_bytes")[is_own].sum()) / 1e6
        searches = int(loops[is_own].sum())
        if searches >= _LEAST_SEARCHES and grown > searches * _LEAST_GROWTH:
            yield (
                f"{label} grew by {grown / searches:.1f} MB a search, {grown:,.0f} MB in "
                f"{searches:,} searches"
            )


def _runs(results: Results, outcome: Outcome) -> dict[str, list[int]]:
    """Return the indices of the runs with this outcome, by backend."""
    rows: defaultdict[str, list[int]] = defaultdict(list)
    backends = results.column("backend")
    for row in (results.column("outcome") == OUTCOMES.index(outcome)).nonzero()[0].tolist():
        rows[results.backends[backends[row]]].append(row)
    return rows


def _shown(clash: Disagreement) -> Iterator[str]:
    board = clash.case.board
    marks = board.has_pencil_marks
    yield f"  {clash.case.name} ({clash.case.id}, {clash.case.source})"
    yield f"    {clash.evidence}"
    yield f"    {board.layout!r}: {board.text('candidates' if marks else 'line')}"


def first_names(names: list[str]) -> str:
    """Return the first names, and how many more there are."""
    ending = f"; and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return "; ".join(names[:_MOST_NAMES]) + ending


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0][:200]


_MOST_PROGRAMS = 4
"""The most backends that are named; others are counted."""


def measured_as(times: Times) -> Iterator[str]:
    """Yield a sentence for each group of cases that are measured alike, and for programs."""
    codes = {measure: MEASURES.index(measure) for measure in Measure}
    has = {measure: (times.measure == code).any(axis=0) for measure, code in codes.items()}
    warm = has[Measure.WARM] | (has[Measure.WHOLE] & ~has[Measure.FIRST])
    if count := int(warm.sum()):
        layouts = len({times.cases[index].board.layout for index in np.flatnonzero(warm)})
        yield (
            f"Warm: {plural(count, 'case')} on {plural(layouts, 'layout')}, whose cost is beside "
            "the time of a search (--phases)."
        )
    if count := int(has[Measure.FIRST].sum()):
        yield f"First: {plural(count, 'case')}, where the time includes what the layout costs."
    programs = np.flatnonzero((times.measure == codes[Measure.WHOLE]).any(axis=1)).tolist()
    if programs:
        names = [times.backends[row] for row in programs]
        if len(names) > _MOST_PROGRAMS:
            names = [*names[: _MOST_PROGRAMS - 1], f"{len(names) - _MOST_PROGRAMS + 1} more"]
        verb = "starts" if len(programs) == 1 else "start"
        yield f"{listed(names)} {verb} a program for each search, whose time has all of it."
