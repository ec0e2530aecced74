"""docs/study.md: the study in words and tables, from its published journals alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import inf, isinf, isnan, nan
from statistics import median_high
from typing import Any

from measuring.page import table

from studying.figures import Estimate, Standing, missed, standings, together
from studying.growth import axis_of, cross_overs, growth
from studying.method import STAGES, method
from studying.picture import caption
from studying.plan import Setting
from studying.read import Published, all_times, family_times, settings_of
from studying.tables import MOST_CROSSED
from unidoku.comparison.report.words import sentence
from unidoku.comparison.statistics.pairs import PairedTimes, pair
from unidoku.comparison.statistics.summary import virtual_best
from unidoku.comparison.statistics.times import Times
from unidoku.support.text import listed, percent, plural, ratio, seconds

_RESULTS = "../benchmarks/results/study"
"""The folder of the results, seen from the page."""

_COMPARED = 3
"""Number of backends of a family in the first table."""

_CROSSED = 5
"""Number of backends of a family that are examined for cross-overs."""

_GROWING = 4
"""Number of backends of a family whose growth is shown."""

_EXPONENT = 1.55
"""The power of the order that goes with the number of holes of the hardest Latin squares."""

_LEAST_PAIRS = 3
"""Least number of boards of a family that both ways solved, for its ratio to be shown."""

_VAGUE = 10
"""Ratio of the ends of an interval from which a growth factor is too uncertain."""


def document(study: Published) -> str:
    """Return the page as Markdown."""
    parts = (
        _head(study),
        _overview(study),
        _solvers(study),
        _cross_overs(study),
        _growth(study),
        _transition(study),
        _options(study),
        _agreement(study),
        method(study),
    )
    lines = [line for part in parts for line in part]
    return "\n".join(lines).rstrip() + "\n"


def estimate(figure: Estimate, write: Callable[[float], str] = ratio) -> str:
    """Return a figure with its interval in brackets."""
    if isnan(figure.low):
        return write(figure.value)
    return f"{write(figure.value)} [{write(figure.low)}–{write(figure.high)}]"


def number(value: float) -> str:
    """Return a size, with a decimal if it has one."""
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"


def _head(study: Published) -> Iterator[str]:
    facts, environment = study.facts, study.environment
    results = study.first.results
    yield f"# {facts['title']}"
    yield ""
    yield (
        f"{plural(len(results.backends), 'backend')} on {plural(len(results.cases), 'board')} of "
        f"{len(study.families)} families: which backend "
        "solves which puzzles, how fast, and how certain is that? Everything on this page is "
        "computed from journals that are part of the project, so you can read, filter and "
        "[dispute](#dispute-it) each run: all backends on [a page with every board](study.html), "
        "and the best of each family, with more time, on [another](study-second.html)."
    )
    yield ""
    yield "![The times of all backends, family by family](images/study.svg)"
    yield ""
    yield caption(study)
    yield ""
    memory = (environment.get("memory_bytes") or 0) / 2**30
    together = plural(facts["workers"], "run")
    shared = ", which share its caches and its memory" if facts["workers"] > 1 else ""
    yield (
        f"Measured on {_day(environment)} on one machine, {together} at a time{shared}: "
        f"{environment.get('cpu')}, {environment.get('cores')} cores, {memory:.0f} GiB, "
        f"{environment.get('system')}, {environment.get('python')}, "
        f"unidoku {environment.get('unidoku')}. Other machines and versions give other figures."
    )
    yield ""


def _day(environment: Mapping[str, Any]) -> str:
    """Return the day on which the first stage began."""
    return datetime.fromtimestamp(environment["moment"]["time"], UTC).strftime("%Y-%m-%d")


def _overview(study: Published) -> Iterator[str]:
    yield from ("## The best three of each family", "")
    yield (
        "For each family, the table shows the three backends that solved the most boards; ties go "
        "to the faster one, by the geometric mean of the times, in which an unsolved board counts "
        "as twice the limit. The second and the third have the ratio of their times to those of "
        "the first on the boards that both solved, with a 95 % interval: if it contains 1, the "
        "difference may be chance. *All* is the same mean for the best backend on each board. "
        "If each board has its own layout (*), times include building the model; the others are of "
        "searches with a model of the layout, on boards that the solver has not seen."
    )
    yield ""
    rows = []
    for family in study.families:
        times = family.decisive
        ranking = standings(times)
        none = int((~times.solved.any(axis=0)).sum())
        first, *others = ranking[:_COMPARED]
        followers = [f"`{standing.backend}` {_beside(standing)}" for standing in others]
        followers += [""] * (_COMPARED - 1 - len(others))
        rows.append(
            [
                f"{family.title}{' *' if family.has_own_layouts else ''}",
                str(len(times.cases)),
                " ".join(
                    filter(
                        None,
                        (f"`{first.backend}`", _solved(first), seconds(first.typical.value)),
                    )
                ),
                *followers,
                seconds(together(times)),
                str(none) if none else "",
            ]
        )
    yield from _plain(
        ["family", "boards", "best", "second", "third", "all", "solved by none"], rows
    )
    limits = {family.title: family.decisive.time_limit or 0 for family in study.families}
    usual = max(limits.values(), default=0)
    short = [title for title, limit in limits.items() if limit < usual]
    yield f"The time limit is {seconds(usual)} for each search" + (
        f", but {seconds(study.first.results.time_limit or 0)} for {listed(short)}, which the "
        "second stage did not reach."
        if short
        else "."
    )
    yield ""


def _solved(standing: Standing) -> str:
    return "" if standing.solved == standing.cases else f"({standing.solved} of {standing.cases})"


def _beside(standing: Standing) -> str:
    if standing.ratio is None or isnan(standing.ratio.ratio):
        return _solved(standing)
    return f"× {_ratio_words(standing.ratio)} {_solved(standing)}".strip()


def _solvers(study: Published) -> Iterator[str]:
    times = study.times
    yield from ("## What each solver adds", "")
    limit = seconds(times.time_limit or 0)
    best = virtual_best(times)
    yield (
        f"All backends searched all boards, with a limit of {limit} for each search. The virtual "
        f"best backend uses the fastest backend on each board: it solves {best.solved} of "
        f"{best.cases}, with PAR2 {seconds(best.par2)}. PAR2 is the mean time, in which an "
        "unsolved board costs twice the limit. *Missed* is the percentage by which its PAR2 rises "
        "without the backend, with a 95 % interval; *only* counts boards that no other backend "
        "solved. A backend that another one can replace is not missed, however good it is. The "
        "figures depend on the number of boards in each family."
    )
    yield ""
    known = {standing.backend: standing for standing in standings(times)}
    adds = {standing.backend: standing for standing in missed(times)}
    versions = study.environment.get("backends", {})
    rows = [
        [
            f"`{label}`",
            str(versions.get(label, "")),
            f"{standing.solved} of {standing.cases}",
            estimate(standing.par2, seconds),
            str(standing.fastest or ""),
            estimate(adds[label].percent, percent) if adds[label].percent.value > 0 else "",
            str(adds[label].unique or ""),
        ]
        for label, standing in sorted(known.items(), key=lambda item: item[1].par2.value)
    ]
    yield from _plain(
        ["backend", "version", "solved", "PAR2", "fastest on", "missed", "only"], rows
    )


def _cross_overs(study: Published) -> Iterator[str]:
    yield from ("## Where one overtakes another", "")
    yield (
        f"This table is about the {_CROSSED} best backends of a family. It shows the size below "
        "which the first is faster, and above which the second, with a 95 % interval. The size is "
        "the zero of a straight line through the log ratios; it is left out if it is uncertain or "
        f"outside the sizes measured. [cross-overs.csv]({_RESULTS}/cross-overs.csv) has those of "
        f"the {MOST_CROSSED} best backends, of both stages."
    )
    yield ""
    rows = []
    for family in study.families:
        times = family.decisive
        if (axis := axis_of(times)) is None:
            continue
        labels = [row.backend for row in standings(times)[:_CROSSED]]
        for row in cross_overs(times, axis, labels):
            at = estimate(row.at, lambda value: f"{value:.1f}")
            rows.append([family.title, axis.name, f"`{row.below}`", at, f"`{row.above}`"])
    if rows:
        yield from _plain(["family", "by", "below", "at", "above"], rows)
    else:
        yield from ("No size is certain on these boards.", "")


def _growth(study: Published) -> Iterator[str]:
    yield from ("## How times grow", "")
    yield (
        "The factor by which the time of a backend grows, from a straight line through the "
        "logarithms of its times over the size, with a 95 % interval. Only sizes count for which "
        "it solved every board, so that no time is cut off by the limit: the factor of a backend "
        "that failed early is only about small boards, where constant costs of each search make "
        "the growth look smaller."
    )
    yield ""
    rows = []
    for family in study.families:
        if (axis := axis_of(family.first)) is None:
            continue
        best = [row.backend for row in standings(family.first)[:_GROWING]]
        for row in growth(family.first, axis):
            if row.backend in best and row.rate.high < _VAGUE * row.rate.low:
                unit = f"{axis.unit:.0f} {axis.name}" if axis.unit != 1 else axis.name
                span = f"{number(row.low)}–{number(row.high)}"
                factor = f"× {estimate(row.rate)}"
                rows.append([family.title, f"`{row.backend}`", factor, unit, span])
    yield from _plain(["family", "backend", "factor", "for each", "fitted to"], rows)
    yield (
        f"The table has those of the {_GROWING} best backends of each family whose interval is "
        f"narrow enough; [growth.csv]({_RESULTS}/growth.csv) has all."
    )
    yield ""


def _transition(study: Published) -> Iterator[str]:
    """Yield the fastest time for each order and share of holes, and the hardest share of each."""
    family = next((family for family in study.families if family.name == "latin"), None)
    if family is None:
        return
    times = family.first
    fastest = _fastest_by_setting(times)
    shares = sorted({setting.share for setting in fastest})
    orders = sorted({setting.size for setting in fastest})
    hardest = {order: _hardest_share(fastest, order) for order in orders}
    scaled = {order: share * order**2 / order**_EXPONENT for order, share in hardest.items()}
    yield from ("## Latin squares through the phase transition", "")
    yield (
        "For each order and share of holes "
        f"({plural(len(times.cases) // len(fastest), 'board')} each), the table shows the median "
        "of the fastest time of any backend that looks for two completions. A dash means that no "
        f"backend solved it within {seconds(times.time_limit or 0)}. The hardest share of an order "
        f"is between {percent(100 * min(hardest.values()))} and "
        f"{percent(100 * max(hardest.values()))} of the cells, depending on the order. Achlioptas, "
        "Gomes, Kautz and Selman (2000) divide the number of holes by n^1.55 to compare orders: on "
        f"this scale the hardest squares are between {min(scaled.values()):.2f} and "
        f"{max(scaled.values()):.2f}. [Another experiment](phase-transition.md) has more boards."
    )
    yield ""
    rows = []
    for order in orders:
        cells = [fastest.get(Setting(order, f"{100 * share:.0f}%"), nan) for share in shares]
        words = ["" if isnan(value) else "-" if isinf(value) else seconds(value) for value in cells]
        hardest_words = f"{percent(100 * hardest[order])}, {scaled[order]:.2f}"
        rows.append([str(order), *words, hardest_words])
    head = ["order", *(percent(100 * share) for share in shares), "hardest share, holes / n^1.55"]
    yield from table(head, rows)


def _fastest_by_setting(times: Times) -> dict[Setting, float]:
    """Return the median over boards of the fastest time; infinity if the median is not solved."""
    fastest: dict[Setting, list[float]] = {}
    for index, setting in enumerate(settings_of(times)):
        solved = times.solved[:, index]
        best = min(times.seconds[solved, index], default=inf)
        fastest.setdefault(setting, []).append(float(best))
    return {setting: median_high(values) for setting, values in fastest.items()}


def _hardest_share(fastest: Mapping[Setting, float], order: int) -> float:
    """Return the share of holes with the longest time; the smallest of several."""
    shares = [setting for setting in fastest if setting.size == order]
    return max(shares, key=lambda setting: (fastest[setting], -setting.share)).share


def _options(study: Published) -> Iterator[str]:
    rows = [*_option_rows(study)]
    if not rows:
        return
    limit = seconds(study.comparisons["options"].results.time_limit or 0)
    yield from ("## Other options of the same solver", "")
    yield (
        "This table compares a solver with the same solver under other options or encodings. The "
        "ratios are times over those of the default on the boards that both solved, for one board "
        f"of each setting, with a limit of {limit} for each search. Below 1 the other way is "
        "faster. A program is started for each board, which it reads from a file; a library does "
        "not have these costs. The last columns are the families with the smallest and the "
        "largest ratio."
    )
    yield ""
    yield from _plain(
        ["default", "the other way", "solved", "× default", "smallest", "largest"], rows
    )


def _option_rows(study: Published) -> Iterator[list[str]]:
    """Yield a row for each set of options except the defaults."""
    if "options" not in study.comparisons:
        return
    results = study.comparisons["options"].results
    times = all_times(results)
    families = [
        (family.title, part)
        for family in study.families
        if (part := family_times(results, family.name)) is not None
    ]
    groups = [stage["backends"] for stage in study.facts["stages"] if stage["journal"] == "options"]
    for first, *others in groups:
        for other in others:
            if {first, other} <= {*times.backends}:
                yield _option_row(times, families, first, other)


def _option_row(
    times: Times, families: list[tuple[str, Times]], first: str, other: str
) -> list[str]:
    paired = pair(times, first, other)
    solved = f"{paired.both + paired.only_second} to {paired.both + paired.only_first}"
    by_family = [
        (its_pair.ratio, title)
        for title, its_times in families
        if {first, other} <= {*its_times.backends}
        and (its_pair := pair(its_times, first, other)).both >= _LEAST_PAIRS
    ]
    ends = [min(by_family), max(by_family)] if by_family else []
    return [
        f"`{first}`",
        f"`{other}`",
        solved,
        _ratio_words(paired),
        *(f"{title} × {ratio(value)}" for value, title in ends),
        *[""] * (2 - len(ends)),
    ]


def _ratio_words(paired: PairedTimes) -> str:
    """Return a ratio, and its interval if it is known."""
    if isnan(paired.ratio) or isinf(paired.high):
        return ratio(paired.ratio)
    return f"{ratio(paired.ratio)} [{ratio(paired.low)}–{ratio(paired.high)}]"


def _agreement(study: Published) -> Iterator[str]:
    yield from ("## Agreement", "")
    for name, comparison in study.comparisons.items():
        verdict = comparison.verdict()
        yield f"- {STAGES[name]}: {sentence(verdict)}"
        for disagreement in verdict.disagreements[:10]:
            yield f"  - {disagreement.case.name}: {disagreement.evidence}"
    yield ""


def _plain(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table of words, with all columns aligned to the left."""
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]
