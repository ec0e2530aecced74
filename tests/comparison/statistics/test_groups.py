"""Groups, curves and distributions contain each case where it belongs."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.helpers.made_runs import CASES, results_of, run
from unidoku import Board, Layout, layout
from unidoku.comparison.cases import Case
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.report.findings import Findings
from unidoku.comparison.report.html.data import embedded
from unidoku.comparison.report.summaries import groups_export, groups_table
from unidoku.comparison.report.tables import curve_export, curve_table, distributions_table
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.results import Results
from unidoku.comparison.statistics.curves import curve, number_of
from unidoku.comparison.statistics.distributions import distributions, pooled
from unidoku.comparison.statistics.groups import grouped
from unidoku.comparison.statistics.summary import summarise
from unidoku.comparison.statistics.times import satisfiable, times_of
from unidoku.comparison.verdict import judge
from unidoku.core.rules import Killer, Rule, Thermo
from unidoku.errors import InputError


def case_of(board: Board, source: str, **numbers: float) -> Case:
    return Case(board=board, name="board", source=source, numbers=numbers)


def with_rules(name: str, size: int, *rules: Killer | Thermo) -> Board:
    plain = layout(name, size)
    ruled = Layout(plain.n, plain.units, plain.positions, rules, name=f"{name} with rules")
    return Board.parse("." * len(plain), ruled)


EMPTY = {size: Board.parse("." * size * size, layout("latin", size)) for size in (3, 4, 10)}

MIXED = (
    case_of(EMPTY[4], "a/x.txt", holes=16, share=0.5),
    case_of(EMPTY[10], "a/x.txt"),
    case_of(EMPTY[3], "b/x.txt"),
    case_of(with_rules("latin", 4, Thermo((0, 1))), "b/y.txt", share=0.25),
    case_of(with_rules("latin", 4, Killer((0, 1), 3), Thermo((2, 3))), "b/y.txt"),
)


def mixed_results(*labels: str) -> Results:
    results = Results(plan={"time_limit": 10.0})
    for number, case in enumerate(MIXED):
        results.add_case(case)
        for index, label in enumerate(labels):
            record = run(label, 0, (1 + number) * (1 + index) / 100, count=1)
            results.add(replace(record, case=case.id, statistics={"nodes": 10.0**number}))
    return results


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("source", {"a/x.txt": (0, 1), "b/x.txt": (2,), "y.txt": (3, 4)}),
        (
            "family",
            {"latin": (0, 1, 2), "latin with killer, thermo": (4,), "latin with thermo": (3,)},
        ),
        (
            "layout",
            {
                "latin, 3×3": (2,),
                "latin, 4×4": (0,),
                "latin, 10×10": (1,),
                "latin with killer, thermo, 4×4": (4,),
                "latin with thermo, 4×4": (3,),
            },
        ),
        ("rules", {"killer, thermo": (4,), "no rules": (0, 1, 2), "thermo": (3,)}),
        ("size", {"3×3": (2,), "4×4": (0, 3, 4), "10×10": (1,)}),
    ],
)
def test_each_case_is_in_the_group_that_it_belongs_to(
    by: str, expected: dict[str, tuple[int, ...]]
) -> None:
    times = times_of(mixed_results("a", "b"))
    groups = grouped(times, by)
    members = {group.name: tuple(map(MIXED.index, group.times.cases)) for group in groups}
    assert members == expected
    assert [group.name for group in groups] == list(expected), "in this order"
    for group in groups:
        cases = list(expected[group.name])
        assert np.array_equal(group.times.seconds, times.seconds[:, cases])
        assert group.times.solved.shape == (2, len(cases))


def test_an_unknown_grouping_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        InputError, match=r"one of source, name, family, layout, rules, size; got 'x'"
    ):
        grouped(times_of(mixed_results("a")), "x")


def test_a_table_of_groups_has_every_backend_and_the_best_of_all() -> None:
    results = mixed_results("quick", "slow")
    table = groups_table(Findings.of(results, ReportView(by="size", reference="slow")))
    assert table.headings == ("size", "backend", "cases", "solved", "median", "PAR2", "× slow")
    assert [row[:2] for row in table.texts] == [
        (group if index == 0 else "", backend)
        for group in ("3×3", "4×4", "10×10")
        for index, backend in enumerate(("quick", "slow", "best of all"))
    ]
    by_place = {(row // 3, line[1]): line for row, line in enumerate(table.texts)}
    assert by_place[1, "quick"][2:] == ("3", "3", "40 ms", "33.3 ms", "0.50 [0.50, 0.50]")
    assert by_place[1, "slow"][2:] == ("3", "3", "80 ms", "66.7 ms", "1")
    assert by_place[1, "best of all"][2:] == ("3", "3", "40 ms", "33.3 ms", "")
    shown = groups_table(Findings.of(results, ReportView(by="size", show=("nodes", "unique"))))
    assert shown.headings[2:] == ("nodes", "unique")
    assert [row[2:] for row in shown.texts[:3]] == [("100", "0"), ("100", "0"), ("", "")]


def test_an_export_of_groups_has_one_row_for_each_group_and_backend() -> None:
    results = mixed_results("quick", "slow")
    table = groups_export(Findings.of(results, ReportView(by="family")))
    assert table.headings[:4] == ("family", "backend", "cases", "solved_cases")
    assert [row[:2] for row in table.rows] == [
        (group.name, summary.backend)
        for group in grouped(times_of(results), "family")
        for summary in summarise(group.times)
    ]
    position = table.headings.index("ratio_to")
    assert {row[position] for row in table.rows if row[1] == "slow"} == {"quick"}


def test_a_number_is_that_of_the_case_or_that_of_its_board() -> None:
    board = Board.parse("1... ..2. .... ....")
    case = case_of(board, "x", holes=7, mine=-2.5)
    names = ("holes", "mine", "givens", "cells", "size", "values")
    assert [number_of(case, name) for name in names] == [7, -2.5, 2, 16, 4, 4]
    assert number_of(case, "else") is None
    assert number_of(case_of(board, "x"), "holes") == 14


def test_a_curve_has_the_median_over_the_cases_of_each_number() -> None:
    results = mixed_results("quick", "slow")
    times = times_of(results)
    points = curve(times, "cells", times.seconds, satisfiable(results))
    assert [(point.low, point.high, point.cases) for point in points.points] == [
        (9, 9, 1),
        (16, 16, 3),
        (100, 100, 1),
    ]
    assert points.points[1].figures == (0.04, 0.08)
    assert points.points[1].solved == (3, 3)
    assert points.without == 0
    table = curve_table(Findings.of(results, ReportView(x="share")))
    assert table.texts == (
        ("0.25", "1", "100 %", "40 ms", "80 ms"),
        ("0.5", "1", "100 %", "10 ms", "20 ms"),
    )
    assert "3 cases have no number share." in table.note
    table = curve_table(Findings.of(results, ReportView(x="cells", show=("solved", "nodes"))))
    assert [row[-1] for row in table.texts] == ["100", "1,000", "10"]
    by_rules = Findings.of(results, ReportView(x="cells", by="rules"))
    table = curve_table(by_rules)
    assert [row[:3] for row in table.texts] == [
        ("killer, thermo", "16", "1"),
        ("no rules", "9", "1"),
        ("", "16", "1"),
        ("", "100", "1"),
        ("thermo", "16", "1"),
    ]
    exported = curve_export(by_rules)
    assert exported.headings[:2] == ("rules", "cells_low")
    assert len(exported.rows) == 10


def test_many_numbers_are_put_together_and_equal_ones_stay_together() -> None:
    labels = ["a"]
    results = Results(plan={"time_limit": 10.0})
    for number, case in enumerate(CASES):
        numbered = replace(case, numbers={"n": float(min(number, 100))})
        results.add_case(numbered)
        results.add(run(labels[0], number, 1 + number))
    times = times_of(results)
    points = curve(times, "n", times.seconds, satisfiable(results)).points
    assert sum(point.cases for point in points) == len(CASES) == 120
    assert 8 <= len(points) <= 12
    assert all(first.high < other.low for first, other in pairwise(points))
    assert points[-1].high == 100
    assert points[-1].cases >= 20


def test_the_share_with_a_solution_counts_what_is_decided() -> None:
    records = [
        run("a", 0, 1, count=1),
        run("b", 0, 1, count=0, outcome=Outcome.TIMEOUT),
        run("a", 1, 1, count=0),
        run("a", 2, 10, count=0, outcome=Outcome.UNKNOWN),
    ]
    shares = satisfiable(results_of(records))
    assert shares[:2].tolist() == [1, 0]
    assert math.isnan(shares[2])


def images(label: str, case: int, seconds: list[float], limit: float = 10.0) -> list[Record]:
    return [
        run(
            label,
            case,
            min(time, limit),
            Outcome.SOLVED if time < limit else Outcome.TIMEOUT,
            image=image,
            round=number,
        )
        for image, time in enumerate(seconds)
        for number in (1, 2, 3)
    ]


def test_a_distribution_has_the_quantiles_of_its_images() -> None:
    times = [float(k) for k in (5, 1, 4, 2, 3, 20, 30, 40, 6, 7)]
    results = results_of(images("a", 0, times) + images("b", 0, [2.0, 2.0]))
    (distribution,) = distributions(results)
    assert (distribution.backend, distribution.images, distribution.seconds.tolist()) == (
        "a",
        10,
        [1, 2, 3, 4, 5, 6, 7],
    )
    assert [distribution.quantile(share) for share in (0, 0.1, 0.11, 0.5, 0.7)] == [1, 1, 2, 5, 7]
    assert math.isinf(distribution.quantile(0.71))
    seconds, shares = distribution.survival
    assert seconds.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert shares.tolist() == pytest.approx([1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
    table = distributions_table([distribution], 10.0)
    assert table.texts == (("c0", "a", "10", "7", "1 s", "5 s", *["> 10 s"] * 3),)


def test_times_of_several_boards_are_pooled_over_their_medians() -> None:
    records = (
        images("a", 0, [1, 2, 4]) + images("a", 1, [0.01, 0.1, 50]) + images("a", 2, [30, 30, 1])
    )
    ratios, count = pooled(distributions(results_of(records)), "a")
    assert ratios.tolist() == pytest.approx([0.1, 0.5, 1, 1, 2])
    assert count == 6, "the board that is mostly not solved has no median"


def test_without_images_there_is_no_distribution() -> None:
    assert distributions(results_of([run("a", 0, 1)])) == []
    table = distributions_table([], 10.0)
    assert table.rows == ()
    assert "--symmetries" in table.note


def test_the_table_of_distributions_has_the_boards_with_the_largest_spread() -> None:
    records = [record for case in range(30) for record in images("a", case, [1, 1, 1 + case / 10])]
    table = distributions_table(distributions(results_of(records)), 10.0)
    assert {row[0] for row in table.texts} == {f"c{case}" for case in range(10, 30)}
    assert "10 boards with smaller spreads left out." in table.note


def layouts(*rules: tuple[Rule, ...], first_value: int = 1) -> list[dict[str, object]]:
    """Return the layouts of a page about one board for each of some tuples of rules."""
    results = Results(plan={})
    for number, drawn in enumerate(rules):
        square = layout("latin", 4)
        item = Layout(4, square.units, square.positions, (), "latin", first_value)
        board = Board.empty(item.with_rules(*drawn))
        results.add_case(Case(board=board, name=f"{number}", source="made"))
    data = embedded(Findings.of(results), judge(results.cases, []))
    assert data["cases"]["length"] == len(rules)
    texts: list[dict[str, object]] = data["cases"]["layouts"]
    return texts


def test_boards_of_one_base_and_the_same_kinds_of_rules_are_one_layout_of_a_page() -> None:
    """Thousands of killers are one table of cells, and one choice of a reader."""
    cages = [(Killer((cell, cell + 1), 5),) for cell in range(12)]
    (first,) = layouts(*cages)
    assert first["label"] == "latin with killer, n = 4"
    both = (Thermo((0, 1)), Killer((2, 3), 5))
    assert [first["label"] for first in layouts((), both, both[::-1], cages[0])] == [
        "latin, n = 4",
        "latin with killer and thermo, n = 4",
        "latin with killer, n = 4",
    ]


def test_values_from_0_are_shown_as_such_on_a_page() -> None:
    (first,) = layouts((Killer((0, 1), 3),), first_value=0)
    assert first["first_value"] == 0
