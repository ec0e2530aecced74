"""Pairs of backends: how many times as long, how sure that is, and what a run can resolve."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.made_runs import results_of, run, simulated
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.statistics.pairs import (
    NoiseFloor,
    PairedTimes,
    noise_floor,
    pair,
    pairs_with,
    resolves,
)
from unidoku.comparison.statistics.times import times_of
from unidoku.support.t_distribution import student_quantile

SECONDS = st.integers(1, 10**10).map(lambda wall: wall / 1e9)


def pair_of(records: Sequence[Record], first: str = "a", second: str = "b") -> PairedTimes:
    return pair(times_of(results_of(records)), first, second)


def runs(firsts: Sequence[float], seconds: Sequence[float]) -> list[Record]:
    return [
        run(label, case, wall)
        for label, walls in (("a", firsts), ("b", seconds))
        for case, wall in enumerate(walls)
    ]


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95, 0.99])
def test_quantiles_are_those_of_students_distribution(confidence: float, stats: Any) -> None:
    for freedom in (*range(1, 70), 100, 1000, 10**6):
        expected = stats.t.ppf((1 + confidence) / 2, freedom)
        assert student_quantile(confidence, freedom) == pytest.approx(expected, rel=1e-6)


def test_a_ratio_is_the_geometric_mean_of_paired_cases(stats: Any) -> None:
    records = [*runs([1, 2, 1, 3], [4, 2, 9, 1]), run("a", 4, 1)]
    records.append(run("b", 4, 9, Outcome.UNKNOWN))
    paired = pair_of(records)
    assert paired.ratio == pytest.approx(stats.gmean([4, 1, 9, 1 / 3]))
    assert (paired.both, paired.only_first, paired.only_second) == (4, 1, 0)


def test_cases_that_one_alone_solved_count_only_if_both_ran_them() -> None:
    failed = (Outcome.TIMEOUT, Outcome.WRONG, Outcome.CRASHED, Outcome.UNSUPPORTED)
    records = [run("a", k, 5) for k in range(4)]
    records += [run("b", k, 1, outcome) for k, outcome in enumerate(failed)]
    records += [run("a", 4, 1, Outcome.UNKNOWN), run("b", 4, 2)]
    records += [run(label, 5, 9, Outcome.UNKNOWN) for label in "ab"]
    records += [run("a", 6, 1), run("b", 6, 2), run("a", 7, 1), run("b", 7, 1), run("a", 8, 1)]
    paired = pair_of(records)
    # Of case 8 there is no run of b.
    assert (paired.both, paired.only_first, paired.only_second) == (2, 4, 1)


@given(st.lists(st.tuples(SECONDS, SECONDS), min_size=1, max_size=20))
def test_swapping_a_pair_inverts_its_ratio_and_interval(walls: list[tuple[float, float]]) -> None:
    times = times_of(results_of(runs(*zip(*walls, strict=True))))
    forth, back = pair(times, "a", "b", draws=100), pair(times, "b", "a", draws=100)
    assert back.ratio == pytest.approx(1 / forth.ratio)
    low, high = (1 / forth.low, 1 / forth.high) if forth.low else (math.inf, 0.0)
    assert (back.high, back.low) == pytest.approx((low, high))
    assert forth.low <= forth.ratio * (1 + 1e-9)
    assert forth.ratio <= forth.high * (1 + 1e-9)


@given(
    st.lists(SECONDS.filter(lambda wall: wall > 1e-6), min_size=1, max_size=20),
    st.integers(1, 50),
)
def test_slowing_a_backend_down_scales_its_ratio_and_interval(
    walls: list[float], factor: int
) -> None:
    plain = pair_of(runs([1.0] * len(walls), walls))
    slowed = pair_of(runs([1.0] * len(walls), [wall * factor for wall in walls]))
    figures = (slowed.ratio, slowed.low, slowed.high)
    assert figures == pytest.approx([factor * x for x in (plain.ratio, plain.low, plain.high)])


@given(st.integers(), st.integers(1, 3))
def test_the_order_of_the_runs_does_not_matter(seed: int, rounds: int) -> None:
    records = simulated(np.random.default_rng(1), cases=12, rounds=rounds)
    expected = pair_of(records)
    random.Random(seed).shuffle(records)
    assert pair_of(records) == expected


def test_the_draws_hang_on_the_seed_alone() -> None:
    times = times_of(results_of(runs([1] * 9, [1, 1, 1.1, 1.2, 1.4, 1.8, 3, 8, 30])))
    assert pair(times, "a", "b", seed=4) == pair(times, "a", "b", seed=4)
    assert pair(times, "a", "b", seed=4) != pair(times, "a", "b", seed=5)


@pytest.mark.parametrize("cases", [1, 2])
def test_fewer_than_three_cases_show_nothing(cases: int) -> None:
    paired = pair_of(runs([1] * cases, [50] * cases))
    assert (paired.ratio, paired.low, paired.high) == pytest.approx((50, 0, math.inf))
    assert not paired.different
    nothing = pair_of([run("a", 0, 1), run("b", 0, 1, Outcome.UNKNOWN)])
    assert math.isnan(nothing.ratio)
    assert not nothing.different


def test_backends_that_take_exactly_as_long_are_not_different() -> None:
    paired = pair_of(runs([1, 2, 3, 4], [1, 2, 3, 4]))
    assert (paired.ratio, paired.low, paired.high, paired.different) == (1, 1, 1, False)


@pytest.mark.parametrize("cases", [20, 60, 120])
def test_the_interval_is_scarcely_wider_than_those_of_scipy(cases: int, stats: Any) -> None:
    records = simulated(np.random.default_rng(cases), cases=cases, rounds=3, ratio=2, spread=0.4)
    times = times_of(results_of(records))
    logs = np.log(times.seconds[1] / times.seconds[0])
    paired = pair(times, "a", "b", draws=4000)
    student = stats.ttest_1samp(logs, 0).confidence_interval(0.95)
    drawn = stats.bootstrap(
        (logs,), np.mean, n_resamples=4000, method="percentile", rng=np.random.default_rng(2)
    ).confidence_interval
    low, high = math.log(paired.low), math.log(paired.high)
    assert low == pytest.approx(student.low, abs=0.1 * (high - low))
    assert high == pytest.approx(student.high, abs=0.1 * (high - low))
    assert low <= min(student.low, drawn.low) + 1e-9
    assert high >= max(student.high, drawn.high) - 1e-9


def test_a_wider_confidence_has_a_wider_interval() -> None:
    times = times_of(results_of(simulated(np.random.default_rng(3), cases=20, rounds=3)))
    widths = [
        math.log(paired.high / paired.low)
        for paired in (pair(times, "a", "b", confidence=level) for level in (0.5, 0.8, 0.95, 0.99))
    ]
    assert widths == sorted(widths)
    assert widths[0] < widths[-1] / 3


@pytest.mark.parametrize(("cases", "rounds"), [(5, 3), (20, 1), (50, 3), (100, 5)])
def test_a_backend_is_seldom_called_different_from_itself(cases: int, rounds: int) -> None:
    random = np.random.default_rng(100 * cases + rounds)
    trials = [pair_of(simulated(random, cases=cases, rounds=rounds)) for _ in range(40)]
    assert sum(paired.different for paired in trials) <= 3


def test_the_interval_covers_the_true_ratio_where_the_ratios_of_cases_spread() -> None:
    random = np.random.default_rng(8)
    covered = 0
    for _ in range(100):
        paired = pair_of(simulated(random, cases=12, rounds=3, ratio=1.3, spread=0.3))
        covered += paired.low <= 1.3 <= paired.high
    assert covered >= 90


def test_a_true_difference_is_found() -> None:
    random = np.random.default_rng(9)
    trials = [
        pair_of(simulated(random, cases=40, rounds=3, ratio=1.3, spread=0.3)) for _ in range(40)
    ]
    assert sum(paired.different and paired.ratio > 1 for paired in trials) >= 38


def test_pairs_with_a_backend_are_those_with_each_other_one() -> None:
    records = [*runs([1, 2, 3], [2, 4, 7]), *(run("c", case, 1) for case in range(3))]
    times = times_of(results_of(records))
    assert pairs_with(times, "a") == {
        label: pair(times, "a", label, comparisons=2) for label in "bc"
    }


def test_the_resolution_is_the_far_end_of_the_twins_interval() -> None:
    records = simulated(np.random.default_rng(4), cases=30, rounds=3)
    plan = {"twin": ["a", "b"]}
    times = times_of(results_of(records, self_test_twin=("a", "b")))
    floor = noise_floor(times, plan)
    twins = pair(times, "a", "b")
    assert floor is not None
    assert (floor.label, floor.self_test_twin, floor.low, floor.high) == (
        "a",
        "b",
        twins.low,
        twins.high,
    )
    assert floor.percent == pytest.approx(100 * max(twins.high - 1, 1 - twins.low))
    assert 0 < floor.percent < 20
    assert noise_floor(times, {}) is None
    assert noise_floor(times, {"twin": ["a", "gone"]}) is None


def test_a_run_of_two_cases_resolves_nothing() -> None:
    floor = noise_floor(times_of(results_of(runs([1, 2], [1, 2]))), {"twin": ["a", "b"]})
    assert floor is not None
    assert floor.percent == math.inf


def test_only_what_is_above_chance_two_percent_and_the_resolution_is_resolved() -> None:
    clear = pair_of(runs([1, 2, 3], [1.1, 2.2, 3.3]))
    slight = pair_of(runs([1, 2, 3], [1.01, 2.02, 3.03]))
    faster = pair_of(runs([1.1, 2.2, 3.3], [1, 2, 3]))
    coarse = NoiseFloor(label="a", self_test_twin="t", ratio=1, low=0.8, high=1.1, percent=20)
    fine = replace(coarse, low=0.99, high=1.01, percent=1)
    assert clear.different
    assert slight.different
    assert [resolves(paired, None) for paired in (clear, slight, faster)] == [True, False, True]
    assert [resolves(paired, fine) for paired in (clear, slight, faster)] == [True, False, True]
    assert [resolves(paired, coarse) for paired in (clear, slight, faster)] == [False] * 3
    assert not resolves(replace(clear, different=False), None)
