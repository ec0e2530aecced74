"""Searches side by side: nodes, the time of a node, and what backends do not tell."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.helpers.made_runs import CASES, results_of, run
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.report.findings import Findings
from unidoku.comparison.report.tables import effort_export, effort_table
from unidoku.comparison.results import Results
from unidoku.comparison.statistics.effort import efforts, mean_efforts
from unidoku.comparison.statistics.times import times_of

LABELS = ("quick", "large")


def searched(label: str, case: int, solve: float, outcome: Outcome, **counts: float) -> Record:
    """Return a run whose search took some seconds of two."""
    record = run(label, case, 2.0, outcome, solve_ns=int(solve * 1e9), decode_ns=0)
    return replace(record, statistics=counts)


def runs() -> Results:
    """Return three boards: one that both solved, one without nodes, one that is not solved."""
    solved, late = Outcome.SOLVED, Outcome.UNKNOWN
    return results_of(
        [
            searched("quick", 0, 0.5, solved, nodes=10, failures=4, propagations=70),
            searched("large", 0, 1.0, solved, nodes=100, failures=9),
            searched("quick", 1, 0.5, solved, nodes=10, failures=4, propagations=70),
            searched("large", 1, 1.0, solved, nodes=0, failures=0),
            searched("quick", 2, 0.5, solved, nodes=8, failures=4, propagations=70),
            searched("large", 2, 1.9, late, nodes=400, failures=300),
        ]
    )


def test_a_ratio_of_times_is_that_of_nodes_times_that_of_the_time_of_a_node() -> None:
    results = runs()
    by_case = efforts(results, times_of(results), LABELS, "quick")
    quick, large = by_case[CASES[0]]
    assert (quick.node, large.node) == (0.05, 0.01)
    assert large.ratios == pytest.approx({"search": 2.0, "nodes": 10.0, "node": 0.2})
    assert set(quick.ratios.values()) == {1.0}
    of_no_nodes = by_case[CASES[1]][1]
    assert math.isnan(of_no_nodes.node)
    assert of_no_nodes.ratios["nodes"] == 0.0
    not_solved = by_case[CASES[2]][1]
    assert (not_solved.search, not_solved.counters["nodes"]) == (1.9, 400)
    assert all(map(math.isnan, not_solved.ratios.values()))
    quick_mean, large_mean = mean_efforts(by_case.values(), LABELS)
    assert (quick_mean.boards, large_mean.boards) == (3, 1)
    assert round(large_mean.ratios["nodes"], 9) == 10.0


def test_a_figure_that_a_backend_does_not_tell_is_empty_and_named() -> None:
    findings = Findings.of(runs())
    table = effort_table(findings)
    assert table.headings == (
        *("board", "backend", "search", "nodes", "failures", "propagations", "a node"),
        *("× search", "× nodes", "× a node"),
    )
    assert ("", "large", "1 s", "100", "9", "", "10 ms", "2.00", "10.00", "0.20") in table.texts
    assert ("", "large", *[""] * 5, "2.00", "10.00", "0.20") in table.texts
    assert "large does not tell propagations." in table.note
    assert "quick does not tell" not in table.note


def test_boards_that_differ_most_are_shown_and_all_are_exported() -> None:
    records = [
        searched(label, case, time, Outcome.SOLVED, nodes=1)
        for case in range(30)
        for label, time in (("quick", 0.1), ("large", 0.1 + case / 100))
    ]
    findings = Findings.of(results_of(records))
    table = effort_table(findings)
    names = [row[0] for row in table.texts if row[0]]
    assert names == ["all boards", *(f"c{case}" for case in range(29, 9, -1))]
    assert "10 boards with smaller differences left out" in table.note
    assert len(effort_export(findings).rows) == 60
