"""A backend whose answer is refuted has not solved the case, in any figure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.wrong import answers
from unidoku import Board, Request, Result, load
from unidoku.backends.base import Stop
from unidoku.comparison import Comparison
from unidoku.comparison.cases import Case
from unidoku.comparison.lines import Header
from unidoku.comparison.order import schedule
from unidoku.comparison.record import Outcome
from unidoku.comparison.report.findings import Findings
from unidoku.comparison.report.summaries import export_table
from unidoku.comparison.run.measure import Inline, MeasurementSettings
from unidoku.comparison.statistics.pairs import pairs_with
from unidoku.comparison.statistics.summary import base_of, summarise, virtual_best
from unidoku.comparison.statistics.times import times_of

TEXTS = ["1... ..2. .3.. ...4", "12.. 34.. .... ....", ".... ..12 .... 3...", "4... .... ..1. ...."]
CASES = [Case(board=Board.parse(text), name=f"c{k}", source="test") for k, text in enumerate(TEXTS)]
LIED = CASES[1]


def unsatisfiable(board: Board, request: Request, result: Result) -> Result:
    """Claim at once that the second board has no solution."""
    return answers.says_unsatisfiable(board, request, result) if board == LIED.board else result


def compared(**backends: object) -> Comparison:
    solvers = {
        name: load(name) if change is None else answers.fake(name, change)  # type: ignore[arg-type]  # a function
        for name, change in backends.items()
    }
    plan = {"backends": list(solvers), "repeats": 2, "solutions": 2, "time_limit": 5.0}
    comparison = Comparison(Header(plan=plan))
    for case in CASES:
        comparison.add_case(case)
    request = Request(solutions=2, time_limit=5)
    runner = Inline(solvers, MeasurementSettings(request=request, untimed=True, relabel=False))
    for record in runner.run(schedule(CASES, list(solvers), 2, 1)):
        # Times that no machine decides: the liar is the fastest.
        wall = 1_000 if record.backend == "liar" else 1_000_000
        comparison.add(replace(record, timing=replace(record.timing, wall_ns=wall)))
    return comparison


@pytest.fixture(scope="module")
def lied() -> Comparison:
    return compared(norvig=None, native=None, liar=unsatisfiable)


def test_a_refuted_answer_counts_as_unsolved_in_every_figure(lied: Comparison) -> None:
    times = times_of(lied.results)
    ranked = {summary.backend: summary for summary in summarise(times)}
    liar = ranked["liar"]
    assert (liar.solved, liar.outcomes) == (3, {Outcome.SOLVED: 3, Outcome.REFUTED: 1})
    assert liar.par2 == pytest.approx((3 * 1e-6 + 10.0) / 4)
    assert liar.unique == 0
    assert ranked["norvig"].solved == ranked["native"].solved == 4
    best = virtual_best(times)
    assert best.par2 == pytest.approx((3 * 1e-6 + 1e-3) / 4)  # not the liar's time on that board
    column = [case.id for case in times.cases].index(LIED.id)
    row = times.backends.index("liar")
    assert np.isnan(times.seconds[row, column])


def test_a_refuted_backend_is_last_and_never_the_base_of_ratios(lied: Comparison) -> None:
    times = times_of(lied.results)
    summaries = summarise(times)
    assert [summary.backend for summary in summaries][-1] == "liar"
    base = base_of(summaries)
    assert base != "liar"
    assert base is not None
    assert pairs_with(times, base)["liar"].both == 3
    everybody = compared(liar=unsatisfiable, norvig=None)
    alone = [summary for summary in summarise(times_of(everybody.results)) if summary.is_refuted]
    assert base_of(alone) is None


def test_the_table_has_a_column_for_refuted_answers_only_if_there_are_some(
    lied: Comparison,
) -> None:
    table = lied.tables()[0]
    assert "refuted" in table.headings
    row = {line[0]: dict(zip(table.headings, line, strict=True)) for line in table.texts}
    assert (row["liar"]["solved"], row["liar"]["refuted"]) == ("3", "1")
    honest = compared(norvig=None, native=None).tables()[0]
    assert "refuted" not in honest.headings
    exported = export_table(Findings.of(lied.results))
    assert exported.rows[-1][exported.headings.index("refuted_cases")] == 1


def test_the_page_shows_what_is_refuted(lied: Comparison) -> None:
    from unidoku.comparison.report.html import html

    assert ">refuted</th>" in html(lied.results, lied.verdict())


def test_all_that_refute_an_answer_are_named(lied: Comparison) -> None:
    (disagreement,) = lied.verdict().disagreements
    assert disagreement.backends == ("liar", "native", "norvig")
    assert "1 verified solution was found by native and norvig" in disagreement.evidence or (
        "verified solutions were found by native and norvig" in disagreement.evidence
    )
    assert set(lied.verdict().matrix) == {("liar", "native"), ("liar", "norvig")}


def test_a_backend_is_not_refuted_where_nobody_can_say_who_is_wrong() -> None:
    def counts(count: int) -> object:
        def change(board: Board, request: Request, result: Result) -> Result:
            if board != LIED.board:
                return result
            return Result(count=count, solutions=(), stop=Stop.EXHAUSTED)

        return change

    plan = {"backends": ["a", "b"], "repeats": 1, "solutions": 2, "time_limit": 5.0}
    comparison = Comparison(Header(plan=plan))
    for case in CASES:
        comparison.add_case(case)
    solvers = {name: answers.fake(name, counts(k)) for name, k in (("a", 1), ("b", 0))}  # type: ignore[arg-type]  # a function
    request = Request(solutions=None, keep=0, time_limit=5)
    runner = Inline(solvers, MeasurementSettings(request=request, untimed=True, relabel=False))
    for record in runner.run(schedule(CASES, ["a", "b"], 1, 1)):
        comparison.add(record)
    assert [d.is_clear for d in comparison.verdict().disagreements] == [False]
    outcomes = {o for s in summarise(times_of(comparison.results)) for o in s.outcomes}
    assert outcomes == {Outcome.SOLVED}


def test_the_comparison_sees_a_refutation_that_comes_later() -> None:
    comparison = compared(liar=unsatisfiable)
    assert summarise(times_of(comparison.results))[0].solved == 4
    for record in Inline(
        {"norvig": load("norvig")},
        MeasurementSettings(
            request=Request(solutions=2, time_limit=5), untimed=True, relabel=False
        ),
    ).run(schedule(CASES, ["norvig"], 1, 1)):
        comparison.add(record)
    assert {s.backend: s.solved for s in summarise(times_of(comparison.results))} == {
        "norvig": 4,
        "liar": 3,
    }
