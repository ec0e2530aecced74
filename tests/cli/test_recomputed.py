"""The figures of a report, computed again from its exported runs by other code."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from tests.helpers.command_runner import Runner
from tests.helpers.made_runs import CASES, PLAN
from tests.helpers.made_runs import run as made
from unidoku.comparison.journal import Journal
from unidoku.comparison.lines import Header
from unidoku.comparison.record import Outcome

LIMIT = 2.0
LABELS = ("steady", "quick", "wavering", "poor")

Times: TypeAlias = dict[str, dict[str, tuple[float, bool]]]
"""For each backend and case the time in seconds, nan if it has none, and whether it is solved."""


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Three rounds of four backends on 25 cases, some of them with limits and failures."""
    random = np.random.default_rng(7)
    path = tmp_path / "j.jsonl"
    plan = PLAN | {"backends": list(LABELS), "repeats": 3, "time_limit": LIMIT, "solutions": 2}
    with Journal(path, Header(plan=plan)) as written:
        for case in range(25):
            hardness = 1e-3 * math.exp(random.normal(0, 1.5))
            for index, label in enumerate(LABELS):
                base = hardness * (1, 0.4, 1.1, 9)[index] * math.exp(random.normal(0, index / 4))
                for number in (1, 2, 3):
                    seconds = base * math.exp(random.normal(0, 0.1))
                    outcome = Outcome.SOLVED
                    if label == "poor" and case % 6 == 0:
                        outcome, seconds = Outcome.TIMEOUT, LIMIT + 0.1
                    if label == "wavering" and case == 3 and number == 2:
                        outcome = Outcome.CRASHED
                    record = made(label, case, seconds, outcome, round=number, worker="vm/0")
                    written.add(CASES[case], record)
    return path


def times_of(runs: Path) -> Times:
    """Return the times by the definitions of the documentation, from the exported runs."""
    rounds: dict[tuple[str, str], list[dict[str, str]]] = {}
    with runs.open(newline="") as file:
        for row in csv.DictReader(file):
            assert row["image"] == "0"
            rounds.setdefault((row["backend"], row["case"]), []).append(row)
    times: Times = {}
    for (label, case), rows in rounds.items():
        outcomes = {row["outcome"] for row in rows}
        seconds = float(np.median([int(row["wall_ns"]) for row in rows])) / 1e9
        timed = outcomes <= {"solved", "timeout", "unknown", "memory"}
        times.setdefault(label, {})[case] = (
            seconds if timed else math.nan,
            outcomes == {"solved"},
        )
    return times


def summary_of(times: dict[str, tuple[float, bool]]) -> dict[str, float]:
    seconds = np.array([time for time, _ in times.values() if not math.isnan(time)])
    paid = [time if solved else 2 * LIMIT for time, solved in times.values()]
    return {
        "solved_cases": sum(solved for _, solved in times.values()),
        "median_s": float(np.median(seconds)),
        "mean_s": float(seconds.mean()),
        "maximum_s": float(seconds.max()),
        "total_s": float(seconds.sum()),
        "par2_s": float(np.mean(paid)),
        "shifted_mean_s": float(np.exp(np.log(seconds + 1e-3).mean()) - 1e-3),
    }


def ratio_of(times: Times, first: str, second: str, comparisons: int, stats: Any) -> dict[str, Any]:
    """Return the ratio, the outer ends of both intervals, and the joint interval."""
    both = sorted(case for case in times[first] if times[first][case][1] and times[second][case][1])
    logs = np.log([times[second][case][0] / times[first][case][0] for case in both])
    count, mean = len(logs), logs.mean()
    error = stats.sem(logs)
    student = stats.t.interval(0.95, count - 1, loc=mean, scale=error)
    drawn = np.random.default_rng(1).integers(count, size=(1000, count), dtype=np.int32)
    widened = math.sqrt(count / (count - 1)) * stats.t.ppf(0.975, count - 1) / stats.norm.ppf(0.975)
    ends = mean + widened * (np.percentile(logs[drawn].mean(axis=1), [2.5, 97.5]) - mean)
    low, high = min(student[0], ends[0]), max(student[1], ends[1])
    wider = stats.t.ppf(1 - 0.025 / comparisons, count - 1) / stats.t.ppf(0.975, count - 1)
    return {
        "ratio": stats.gmean(np.exp(logs)),
        "ratio_low": math.exp(low),
        "ratio_high": math.exp(high),
        "ratio_joint_low": math.exp(mean - wider * (mean - low)),
        "ratio_joint_high": math.exp(mean + wider * (high - mean)),
    }


def in_words(seconds: float) -> str:
    units = {"s": 1.0, "ms": 1e3, "µs": 1e6}
    unit = next(unit for unit in units if float(f"{seconds * units[unit]:.3g}") >= 1)
    return f"{seconds * units[unit]:.3g} {unit}"


def test_every_figure_of_a_report_follows_from_its_exported_runs(
    run: Runner, journal: Path, tmp_path: Path, stats: Any
) -> None:
    runs = tmp_path / "runs.csv"
    ran = run("report", str(journal), "--csv", "--runs", str(runs))
    rows = {row["backend"]: row for row in csv.DictReader(io.StringIO(ran.out))}
    times = times_of(runs)
    assert set(rows) == set(times) == set(LABELS)
    first = next(iter(rows))
    for label, row in rows.items():
        expected = summary_of(times[label])
        if label != first:
            assert row["ratio_to"] == first
            expected |= ratio_of(times, first, label, len(LABELS) - 1, stats)
        for heading, value in expected.items():
            assert float(row[heading]) == pytest.approx(value, rel=1e-8), (label, heading)


def test_every_digit_of_the_table_is_that_of_the_figures(
    run: Runner, journal: Path, tmp_path: Path, stats: Any
) -> None:
    runs = tmp_path / "runs.csv"
    shown = "solved,median,mean,max,total,par2,shifted-mean,ratio"
    ran = run("report", str(journal), "--markdown", "--show", shown, "--runs", str(runs))
    lines = [line.strip("| ").split(" | ") for line in ran.out.splitlines() if line[:2] == "| "]
    rows = {line[0]: line[1:] for line in lines[2 : 2 + len(LABELS)]}
    times = times_of(runs)
    first = next(iter(rows))
    for label, (solved, *durations, ratio) in rows.items():
        expected = summary_of(times[label])
        assert int(solved) == expected.pop("solved_cases")
        assert durations == [in_words(seconds) for seconds in expected.values()]
        if label == first:
            assert ratio == "1"
            continue
        figure = ratio_of(times, first, label, len(LABELS) - 1, stats)
        interval = rf"{figure['ratio']:.2f} [{figure['ratio_low']:.2f}, {figure['ratio_high']:.2f}]"
        alone = figure["ratio_low"] <= 1 <= figure["ratio_high"]
        jointly = figure["ratio_joint_low"] <= 1 <= figure["ratio_joint_high"]
        mark = r" \~" if alone else r" (\~)" if jointly else ""
        assert ratio == interval + mark
