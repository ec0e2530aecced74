"""The words under a table: which cases have times that include what a layout costs."""

from __future__ import annotations

from tests.helpers.made_runs import results_of, run
from unidoku.comparison.record import Measure
from unidoku.comparison.report.tables import standard_tables
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.report.words import measured_as
from unidoku.comparison.statistics import ranking, times_of


def test_each_group_of_cases_and_each_program_has_a_sentence() -> None:
    records = [
        run("a", 0, 1, measure=Measure.FIRST),
        run("a", 1, 1, measure=Measure.WARM),
        run("a", 2, 1, measure=Measure.WARM),
        run("b", 0, 1, measure=Measure.FIRST),
        run("b", 1, 1, measure=Measure.WHOLE),
        run("b", 2, 1, measure=Measure.WHOLE),
    ]
    warm, first, programs = measured_as(times_of(results_of(records)))
    assert warm.startswith("Warm: 2 cases on 1 layout, ")
    assert first.startswith("First: 1 case, ")
    assert programs.startswith("b starts a program for each search")
    note = standard_tables(results_of(records))[0].note
    assert warm in note
    assert programs in note


def test_older_journals_say_nothing_of_it() -> None:
    assert list(measured_as(times_of(results_of([run("a", 0, 1)])))) == []


def test_one_off_costs_are_those_beyond_a_later_search_of_the_same_board() -> None:
    def seconds(value: int) -> int:
        return value * 10**9

    other = results_of([run("a", 0, 1)]).cases[0].id
    records = [
        run("a", 0, 2, measure=Measure.WARM),
        run("a", 1, 5, measure=Measure.WARM, first_ns=seconds(9), warm_up=other),
        run("a", 2, 100, measure=Measure.FIRST, first_ns=seconds(300)),
    ]
    times = times_of(results_of(records))
    assert times.one_off[0].tolist()[1] == 7  # 9 s on the board that later takes 2 s
    # The case whose time includes its layout neither costs nor counts.
    assert ranking(times, 1) == [("a", 3.5 + 7)]
    assert ranking(times, 7) == [("a", 3.5 + 1)]
    only = times_of(results_of(records[2:]))
    tables = standard_tables(results_of(records[2:]), view=ReportView(phases=True))
    assert str(ranking(only, 1)[0][1]) == "nan"
    assert not [heading for heading in tables[1].headings if heading.startswith("1 of")]
