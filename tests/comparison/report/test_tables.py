"""Tables say what the figures say, in every format."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.made_runs import CASES, results_of, run, simulated
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.report.findings import Findings
from unidoku.comparison.report.summaries import export_table, summary_table
from unidoku.comparison.report.tables import (
    contradictions_table,
    phases_table,
    standard_tables,
    symmetry_spread_table,
)
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.results import Results
from unidoku.comparison.statistics.distributions import SymmetrySpread
from unidoku.comparison.statistics.summary import Phases
from unidoku.comparison.verdict import Disagreement, Verdict
from unidoku.support.table import Table, to_csv


def table_of(results: Results) -> Table:
    return summary_table(Findings.of(results))


def column(table: Table, heading: str) -> list[str]:
    index = table.headings.index(heading)
    return [row[index] for row in table.texts]


def pair_of_backends(factor: float) -> list[Record]:
    walls = [0.001, 0.002, 0.004, 0.008]
    records = [run("fast", case, wall) for case, wall in enumerate(walls)]
    return records + [run("slow", case, wall * factor) for case, wall in enumerate(walls)]


def test_the_summary_has_a_row_a_backend_and_the_outcomes_that_occur() -> None:
    records = [*pair_of_backends(2), run("fast", 4, 1), run("slow", 4, 9, Outcome.TIMEOUT)]
    table = table_of(results_of(records))
    assert table.headings[:4] == ("backend", "solved", "timeout", "median")
    fast, slow = table.texts
    assert fast[:7] == ("fast", "5", "0", "4 ms", "203 ms", "1 s", "203 ms")
    assert slow[:7] == ("slow", "4", "1", "8 ms", "1.81 s", "9 s", "4.01 s")
    # Without fast 20.03 s in all, with it 1.015 s.
    assert fast[8:] == ("1", "1873 %", "1")
    assert slow[8:] == ("0", "0 %", "2.00 [2.00, 2.00]")
    assert "N = 5" in table.note
    assert "T = 10 s" in table.note


def test_each_backend_has_the_median_of_its_own_counters_over_the_cases_that_it_solved() -> None:
    records = [run("fast", case, 0.001, statistics={"nodes": 1 + case}) for case in range(3)]
    records += [run("slow", case, 1, statistics={"nodes": 10}) for case in range(2)]
    records += [run("slow", 2, 9, Outcome.TIMEOUT, statistics={"nodes": 900})]
    findings = Findings.of(results_of(records), ReportView(show=("nodes",)))
    table = summary_table(findings, show=("nodes",))
    assert table.texts == (("fast", "2"), ("slow", "10"))


@pytest.mark.parametrize(("factor", "marked"), [(1.0, True), (1.01, True), (1.5, False)])
def test_a_ratio_that_shows_no_difference_is_marked(factor: float, marked: bool) -> None:
    table = table_of(results_of(pair_of_backends(factor)))
    ratio = column(table, "× first")[1]
    expected = f"{factor:.2f} [{factor:.2f}, {factor:.2f}]"
    assert ratio == (f"{expected} ~" if marked else expected)


def test_rows_below_the_resolution_are_marked_and_the_note_says_how_much_it_is() -> None:
    random = np.random.default_rng(6)
    records = simulated(random, cases=20, rounds=1)
    close = [run("close", k, r.timing.wall_ns * 1.02e-9) for k, r in enumerate(records[:20])]
    far = [run("far", k, r.timing.wall_ns * 3e-9) for k, r in enumerate(records[:20])]
    results = results_of([*records, *close, *far], self_test_twin=("a", "b"))
    table = table_of(results)
    floor = Findings.of(results).noise_floor
    assert floor is not None
    assert 2 < floor.percent < 10
    ratios = dict(zip(column(table, "backend"), column(table, "× first"), strict=True))
    assert set(ratios) == {"a", "b", "close", "far"}
    assert ratios["close" if ratios["a"] == "1" else "a"].endswith("] ~")
    assert ratios["far"].endswith("]")
    assert f"cannot resolve less than {floor.percent:.2g} %: a against itself" in table.note
    self_test_twin = table.texts[column(table, "backend").index("b")]
    assert [self_test_twin[table.headings.index(name)] for name in ("unique", "contribution")] == [
        "-",
        "-",
    ]


def test_a_backend_that_solved_nothing_has_dashes() -> None:
    table = table_of(results_of([run("a", 0, 1), run("b", 0, 1, Outcome.FAILED)], time_limit=None))
    assert table.texts[1] == ("b", "0", "1", *["-"] * 5, "0", "-", "-")
    assert "PAR2 needs a time limit" in table.note


def test_phases_have_a_column_for_each_number_of_boards() -> None:
    phases = [Phases(backend="a", load=0.5, first=1, init=math.nan, solve=0.002, decode=3e-6)]
    table = phases_table(phases, {1: [("a", 5.0)], 1000: [("a", 4.0)]})
    assert table.headings[-2:] == ("1 of 1", "1 of 1,000")
    assert table.texts == (("a", "500 ms", "1 s", "-", "2 ms", "3 µs", "5 s", "4 s"),)
    assert len(phases_table(phases).headings) == 6
    assert len(phases_table(phases, {1: [("a", math.nan)], 1000: []}).headings) == 6


def test_luck_is_shown_as_ratios() -> None:
    table = symmetry_spread_table([SymmetrySpread(backend="a", low=0.051, high=12.3456, cases=7)])
    assert table.texts == (("a", "7", "0.051", "12.35"),)


def contradictions() -> Verdict:
    disagreements = [
        Disagreement(CASES[0], ("b", "a"), "count", "evidence"),
        Disagreement(CASES[1], ("b", "a"), "count", "evidence"),
        Disagreement(CASES[1], ("b",), "known count", "evidence"),
        Disagreement(CASES[2], ("c",), "wrong grid", "evidence"),
    ]
    return Verdict(3, 3, tuple(disagreements))


def test_the_matrix_counts_the_cases_of_each_refuted_backend_and_witness() -> None:
    table = contradictions_table(contradictions().matrix, ["a", "b", "c"])
    assert table.headings == ("refuted by", "a", "b", "c", "checker", "known")
    assert table.texts == (
        ("a", "-", "-", "-", "-", "-"),
        ("b", "2", "-", "-", "-", "1"),
        ("c", "-", "-", "-", "1", "-"),
    )


def test_a_comparison_has_the_tables_that_it_has_figures_for() -> None:
    records = [run(label, k, 1 + k) for k in range(3) for label in "abc"]
    view = ReportView(phases=True)
    tables = standard_tables(results_of(records), view=view)
    assert [table.title for table in tables] == ["Backends", "Phases"]
    records.append(run("a", 0, 2, image=1))
    tables = standard_tables(results_of(records), contradictions(), title="3 cases", view=view)
    assert [table.title for table in tables] == [
        "3 cases",
        "Phases",
        "Symmetry spread",
        "Contradictions",
    ]
    assert standard_tables(results_of([])) == []


def numbers(row: dict[str, str], names: Sequence[str]) -> list[float]:
    return [float(row[name]) if row[name] else math.nan for name in names]


@given(st.lists(st.tuples(st.integers(1, 10**12), st.integers(1, 10**12)), max_size=5))
def test_csv_has_the_figures_themselves(walls: list[tuple[int, int]]) -> None:
    labels = ('with, comma [and "quotes"]', "other")
    outcomes = [Outcome.SOLVED, Outcome.MEMORY, Outcome.FAILED, Outcome.SOLVED, Outcome.SOLVED]
    records = [
        run(label, case, wall / 1e9, outcome)
        for case, (pair, outcome) in enumerate(zip(walls, outcomes, strict=False))
        for label, wall in zip(labels, pair, strict=True)
    ]
    findings = Findings.of(results_of(records))
    rows = list(csv.DictReader(io.StringIO(to_csv(export_table(findings)))))
    assert len(rows) == len(findings.summaries)
    for row, summary in zip(rows, findings.summaries, strict=True):
        assert (row["backend"], row["cases"]) == (summary.backend, str(summary.cases))
        for outcome in Outcome:
            assert row[f"{outcome.value}_cases"] == str(summary.outcomes.get(outcome, 0))
        durations = ("median", "mean", "maximum", "total", "par2", "shifted_mean")
        figures = numbers(row, [f"{name}_s" for name in durations])
        assert repr(figures) == repr([float(getattr(summary, name)) for name in durations])
        assert repr(numbers(row, ["contribution_percent"])) == repr([summary.contribution])
        if pair := findings.pairs.get(summary.backend):
            assert row["ratio_to"] == pair.first
            figures = numbers(row, ["ratio", "ratio_low", "ratio_high"])
            assert repr(figures) == repr([pair.ratio, pair.low, pair.high])
        else:
            assert row["ratio"] == row["ratio_low"] == row["ratio_high"] == row["ratio_to"] == ""
