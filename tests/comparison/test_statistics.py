"""The figures of backends: times, summaries, curves, phases and symmetry spread."""

from __future__ import annotations

import math
import random
import statistics as stdlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.made_runs import CASES, results_of, run, timed
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.results import OUTCOMES
from unidoku.comparison.statistics.distributions import SymmetrySpread, symmetry_spread
from unidoku.comparison.statistics.summary import (
    SHIFT,
    Phases,
    Summary,
    phases,
    ranking,
    summarise,
    virtual_best,
)
from unidoku.comparison.statistics.times import Times, cdf, times_of

WORST_FIRST = (
    *("wrong", "refuted", "failed", "crashed", "unsupported"),
    *("memory", "timeout", "unknown", "late"),
)
TIMED = {Outcome.SOLVED, Outcome.LATE, Outcome.UNKNOWN, Outcome.TIMEOUT, Outcome.MEMORY}


@st.composite
def comparisons(draw: st.DrawFn) -> list[Record]:
    """Return runs of up to four backends, each on all of up to six cases, in up to three rounds."""
    backends = draw(st.integers(1, 4))
    cases = draw(st.integers(1, 6))
    rounds = draw(st.integers(1, 3))
    size = backends * cases * rounds
    # Most runs are solved, as in life; or else no case would have all of its rounds solved.
    outcome = st.sampled_from([*Outcome, *[Outcome.SOLVED] * 20])
    outcomes = iter(draw(st.lists(outcome, min_size=size, max_size=size)))
    nanoseconds = st.integers(1, 9_000_000_000)
    times = iter(draw(st.lists(nanoseconds, min_size=size, max_size=size)))
    return [
        run("abcd"[row], case, next(times) / 1e9, next(outcomes), number)
        for number in range(1, rounds + 1)
        for case in range(cases)
        for row in range(backends)
    ]


def figures(summary: Summary) -> list[float]:
    return [
        getattr(summary, field.name)
        for field in fields(summary)
        if field.name not in ("backend", "outcomes")
    ]


def close(expected: Sequence[float]) -> object:
    return pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


def times_and_summaries(records: Sequence[Record]) -> tuple[Times, dict[str, Summary]]:
    times = times_of(results_of(records))
    return times, {summary.backend: summary for summary in summarise(times)}


@given(comparisons())
def test_a_cases_time_is_the_median_of_its_rounds_and_its_outcome_the_worst(
    stats: Any, records: list[Record]
) -> None:
    times, summaries = times_and_summaries(records)
    runs: defaultdict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in records:
        runs[record.backend, record.case].append(record)
    counted: defaultdict[str, list[float]] = defaultdict(list)
    outcomes: defaultdict[str, Counter[Outcome]] = defaultdict(Counter)
    identities = [case.id for case in times.cases]
    for (backend, case), rounds in runs.items():
        cell = times.backends.index(backend), identities.index(case)
        names = [record.outcome.value for record in rounds]
        worst = Outcome(next((name for name in WORST_FIRST if name in names), "solved"))
        assert OUTCOMES[times.outcome[cell]] is worst
        assert times.solved[cell] == (worst is Outcome.SOLVED)
        outcomes[backend][worst] += 1
        if worst in TIMED:
            counted[backend].append(stdlib.median(record.timing.wall_ns for record in rounds) / 1e9)
            assert times.seconds[cell] == pytest.approx(counted[backend][-1])
        else:
            assert np.isnan(times.seconds[cell])
    for backend, summary in summaries.items():
        seconds = counted[backend]
        assert summary.outcomes == outcomes[backend]
        assert summary.total == pytest.approx(math.fsum(seconds))
        if seconds:
            figures = (summary.median, summary.mean, summary.maximum)
            expected = (stdlib.median(seconds), stdlib.fmean(seconds), max(seconds))
            assert figures == pytest.approx(expected)
            shifted = stats.gmean(np.array(seconds) + SHIFT) - SHIFT
            assert summary.shifted_mean == pytest.approx(shifted)


@given(comparisons())
def test_each_case_has_one_outcome_and_unsolved_ones_cost_twice_the_limit(
    records: list[Record],
) -> None:
    times, summaries = times_and_summaries(records)
    for label, summary in summaries.items():
        assert sum(summary.outcomes.values()) == summary.cases == len(times.cases)
        assert summary.solved == summary.outcomes.get(Outcome.SOLVED, 0)
        row = times.backends.index(label)
        costs = np.where(times.solved[row], times.seconds[row], 20.0)
        assert summary.par2 == pytest.approx(costs.mean())


@given(comparisons(), st.integers())
def test_the_order_of_the_runs_does_not_matter(records: list[Record], seed: int) -> None:
    plain = summarise(times_of(results_of(records)))
    random.Random(seed).shuffle(records)
    mixed = summarise(times_of(results_of(records)))
    assert [summary.backend for summary in mixed] == [summary.backend for summary in plain]
    for first, second in zip(plain, mixed, strict=True):
        assert first.outcomes == second.outcomes
        assert figures(first) == close(figures(second))


@given(comparisons(), st.integers(2, 9))
def test_scaling_all_times_and_the_limit_scales_the_summaries(
    records: list[Record], factor: int
) -> None:
    scaled = [timed(record, wall_ns=record.timing.wall_ns * factor) for record in records]
    plain = summarise(times_of(results_of(records)))
    larger = summarise(times_of(results_of(scaled, time_limit=10.0 * factor)))
    for summary, other in zip(plain, larger, strict=True):
        assert (summary.backend, summary.outcomes, summary.unique) == (
            *(other.backend, other.outcomes),
            other.unique,
        )
        durations = ("median", "mean", "maximum", "total", "par2")
        assert [getattr(other, name) for name in durations] == close(
            [getattr(summary, name) * factor for name in durations]
        )
        assert other.contribution == pytest.approx(summary.contribution, rel=1e-6, abs=1e-6)


@given(comparisons(), st.integers(1, 9_000_000_000))
def test_a_twin_changes_nothing_for_the_others(records: list[Record], offset: int) -> None:
    twins = [
        replace(timed(record, wall_ns=record.timing.wall_ns // 2 + offset), backend="twin")
        for record in records
        if record.backend == "a"
    ]
    alone = times_of(results_of(records))
    with_twin = times_of(results_of([*records, *twins], self_test_twin=("a", "twin")))
    summaries = summarise(with_twin)
    labels = [summary.backend for summary in summaries]
    assert labels.index("twin") == labels.index("a") + 1
    self_test_twin = summaries.pop(labels.index("twin"))
    assert (self_test_twin.unique, math.isnan(self_test_twin.contribution)) == (0, True)
    for first, second in zip(summarise(alone), summaries, strict=True):
        assert (first.backend, figures(first)) == (second.backend, close(figures(second)))
    assert figures(virtual_best(alone)) == close(figures(virtual_best(with_twin)))


@given(comparisons())
def test_the_virtual_best_is_never_worse_than_any(records: list[Record]) -> None:
    times, summaries = times_and_summaries(records)
    best = virtual_best(times)
    assert sum(best.outcomes.values()) == best.cases == len(times.cases)
    assert best.solved == times.solved.any(axis=0).sum()
    for summary in summaries.values():
        assert best.solved >= summary.solved
        assert best.par2 <= summary.par2 * (1 + 1e-12)
        assert summary.unique <= summary.solved
        assert summary.contribution >= -1e-9
        rest = [record for record in records if record.backend != summary.backend]
        if rest:
            without = virtual_best(times_of(results_of(rest))).par2
            risen = 100 * (without / best.par2 - 1)
            assert summary.contribution == pytest.approx(risen, rel=1e-6, abs=1e-6)


@given(comparisons())
def test_backends_are_ranked_by_cases_solved_and_then_by_par2(records: list[Record]) -> None:
    ranked = summarise(times_of(results_of(records)))
    keys = [(summary.is_refuted, -summary.solved, summary.par2) for summary in ranked]
    for (refuted, solved, par2), (next_refuted, next_solved, next_par2) in pairwise(keys):
        assert (refuted, solved) <= (next_refuted, next_solved)
        same = (refuted, solved) == (next_refuted, next_solved)
        assert not same or par2 <= next_par2 * (1 + 1e-12)


def test_unique_cases_and_the_contribution_are_those_that_the_others_lack() -> None:
    records = [run("a", 0, 1), run("a", 1, 4), run("a", 2, 1)]
    records += [run("b", 0, 3), run("b", 1, 2), run("b", 2, 9, Outcome.TIMEOUT)]
    _, summaries = times_and_summaries(records)
    # Together 1 + 2 + 1; without a 3 + 2 + 20, without b 1 + 4 + 1.
    assert (summaries["a"].unique, summaries["b"].unique) == (1, 0)
    assert summaries["a"].contribution == pytest.approx(525)
    assert summaries["b"].contribution == pytest.approx(50)
    assert summaries["b"].par2 == pytest.approx(25 / 3)


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.CRASHED, Outcome.WRONG])
def test_what_gave_no_answer_has_no_time(outcome: Outcome) -> None:
    _, summaries = times_and_summaries([run("a", 0, 3, outcome)])
    summary = summaries["a"]
    assert (summary.total, summary.par2) == (0, 20)
    assert all(map(math.isnan, (summary.median, summary.mean, summary.shifted_mean)))


def test_without_a_time_limit_there_are_no_penalties() -> None:
    times = times_of(results_of([run("a", 0, 2), run("b", 0, 1)], time_limit=None))
    for summary in (*summarise(times), virtual_best(times)):
        assert math.isnan(summary.par2)
        assert math.isnan(summary.contribution)
    assert [summary.backend for summary in summarise(times)] == ["b", "a"]


def test_no_runs_give_no_figures() -> None:
    times = times_of(results_of([]))
    assert times.seconds.shape == (0, 0)
    assert summarise(times) == []
    assert not phases(times)
    assert not ranking(times, 1)
    assert not symmetry_spread(results_of([]))
    assert virtual_best(times).cases == 0


def test_images_do_not_count_among_the_cases() -> None:
    records = [run("a", 0, 1), run("a", 0, 99, Outcome.WRONG, image=1)]
    _, summaries = times_and_summaries(records)
    assert (summaries["a"].solved, summaries["a"].total) == (1, 1)


def test_a_case_that_a_backend_has_no_run_of_is_none_of_its_cases() -> None:
    times, summaries = times_and_summaries([run("a", 0, 1), run("a", 1, 3), run("b", 0, 1)])
    assert (summaries["a"].cases, summaries["b"].cases) == (2, 1)
    assert summaries["b"].par2 == 1
    assert times.outcome[1, 1] == -1


@given(comparisons())
def test_the_curve_rises_to_the_fraction_solved(stats: Any, records: list[Record]) -> None:
    times, summaries = times_and_summaries(records)
    for label, summary in summaries.items():
        seconds, fraction = cdf(times, label)
        assert len(seconds) == len(fraction) == summary.solved
        assert (np.diff(seconds) >= 0).all()
        assert (np.diff(fraction) > 0).all()
        if summary.solved:
            assert fraction[-1] == pytest.approx(summary.solved / summary.cases)
            expected = stats.ecdf(seconds).cdf.evaluate(seconds) * fraction[-1]
            last = np.searchsorted(seconds, seconds, side="right") - 1
            assert fraction[last] == pytest.approx(expected)


def phased(backend: str, case: int, init: int, solve: int, first: int | None = None) -> Record:
    return timed(
        run(backend, case, init + solve + 1),
        init_ns=init * 10**9,
        solve_ns=solve * 10**9,
        decode_ns=10**9,
        first_ns=None if first is None else first * 10**9,
    )


def test_phases_are_medians_over_the_cases_solved() -> None:
    records = [phased("a", 0, 1, 5, first=60), phased("a", 1, 2, 7), phased("a", 2, 9, 9)]
    records.append(replace(phased("a", 3, 99, 99, first=9), outcome=Outcome.TIMEOUT))
    records[0] = timed(records[0], load_ns=5 * 10**8)
    (medians,) = phases(times_of(results_of(records)))
    assert medians == Phases(backend="a", load=0.5, first=60, init=2, solve=7, decode=1)


def test_a_slow_start_is_worth_its_while_on_many_boards() -> None:
    records = [phased("late", 0, 0, 1, first=102), phased("late", 1, 0, 1)]
    records += [phased("early", 0, 4, 4, first=10), phased("early", 1, 4, 4)]
    # Only one of them solved this one, so it is no part of what a board costs.
    records += [phased("late", 2, 400, 400), run("early", 2, 9, Outcome.UNKNOWN)]
    times = times_of(results_of([*records, run("idle", 0, 9, Outcome.FAILED)]))
    assert ranking(times, 1) == [("early", 10), ("late", 102)]
    assert ranking(times, 100) == [("late", 3), ("early", 9.01)]


def test_luck_is_the_spread_over_the_images_of_a_board() -> None:
    records = [
        run("a", case, seconds, image=image)
        for case, image, seconds in [(0, 0, 2), (0, 1, 1), (0, 2, 8), (1, 0, 1), (1, 1, 1)]
    ]
    records += [run("a", 2, 1), run("b", 0, 1), run("b", 1, 5, Outcome.TIMEOUT, image=1)]
    (spread,) = symmetry_spread(results_of(records))
    assert (spread.backend, spread.cases) == ("a", 2)
    assert (spread.low, spread.high) == pytest.approx((0.5**0.5, 4**0.5))


@given(st.lists(st.integers(1, 10**9), min_size=2, max_size=30), st.integers(1, 9))
def test_luck_brackets_one_and_does_not_depend_on_the_unit(walls: list[int], factor: int) -> None:
    def of(scale: int) -> SymmetrySpread:
        records = [
            run("a", k % 3, wall * scale / 1e9, image=k // 3) for k, wall in enumerate(walls * 3)
        ]
        (spread,) = symmetry_spread(results_of(records))
        return spread

    plain, scaled = of(1), of(factor)
    assert plain.low <= 1 + 1e-12
    assert plain.high >= 1 - 1e-12
    assert (scaled.low, scaled.high) == pytest.approx((plain.low, plain.high))
    assert plain.cases == 3


def test_the_boards_of_these_tests_are_all_different() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
