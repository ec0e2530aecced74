"""Tables say what the figures say, in every format."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.comparison.made import CASES, results_of, run, simulated
from unidoku.comparison import Disagreement, Outcome, Record, Results, Verdict
from unidoku.comparison.report import (
    Table,
    contradictions_table,
    format_ratio,
    format_seconds,
    luck_table,
    phases_table,
    standard_tables,
    summary_table,
    to_csv,
    to_latex,
    to_markdown,
    to_rich,
)
from unidoku.comparison.statistics import (
    Luck,
    Phases,
    pairs_with,
    resolution,
    summarise,
    times_of,
)

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=12)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    width = draw(st.integers(1, 4))
    row = st.tuples(*[TEXTS] * width)
    return Table(
        title=draw(TEXTS),
        headings=draw(row),
        rows=tuple(draw(st.lists(row, max_size=4))),
        note=draw(TEXTS),
    )


def table_of(results: Results) -> Table:
    times = times_of(results)
    summaries = summarise(times)
    return summary_table(
        summaries,
        pairs_with(times, summaries[0].backend),
        time_limit=times.time_limit,
        resolution=resolution(times, results.plan),
    )


def column(table: Table, heading: str) -> list[str]:
    place = table.headings.index(heading)
    return [row[place] for row in table.rows]


def pair_of_backends(factor: float) -> list[Record]:
    walls = [0.001, 0.002, 0.004, 0.008]
    records = [run("fast", case, wall) for case, wall in enumerate(walls)]
    return records + [run("slow", case, wall * factor) for case, wall in enumerate(walls)]


def test_the_summary_has_a_row_a_backend_and_the_outcomes_that_occur() -> None:
    records = [*pair_of_backends(2), run("fast", 4, 1), run("slow", 4, 9, Outcome.TIMEOUT)]
    table = table_of(results_of(records))
    assert table.headings[:4] == ("backend", "solved", "timeout", "median")
    fast, slow = table.rows
    assert fast[:7] == ("fast", "5", "0", "4 ms", "203 ms", "1 s", "203 ms")
    assert slow[:7] == ("slow", "4", "1", "8 ms", "1.81 s", "9 s", "4.01 s")
    # Without fast 20.03 s in all, with it 1.015 s.
    assert fast[8:] == ("1", "1873 %", "1")
    assert slow[8:] == ("0", "0 %", "2.00 [2.00, 2.00]")
    assert "N = 5" in table.note
    assert "T = 10 s" in table.note


@pytest.mark.parametrize(("factor", "marked"), [(1.0, True), (1.01, True), (1.5, False)])
def test_a_ratio_that_shows_no_difference_is_marked(factor: float, marked: bool) -> None:
    table = table_of(results_of(pair_of_backends(factor)))
    ratio = column(table, "× first")[1]
    expected = f"{factor:.2f} [{factor:.2f}, {factor:.2f}]"
    assert ratio == (f"{expected} ~" if marked else expected)


def test_rows_below_the_resolution_are_marked_and_the_note_says_how_much_it_is() -> None:
    random = np.random.default_rng(6)
    records = simulated(random, cases=20, rounds=1)
    close = [run("close", k, r.wall_ns * 1.02e-9) for k, r in enumerate(records[:20])]
    far = [run("far", k, r.wall_ns * 3e-9) for k, r in enumerate(records[:20])]
    results = results_of([*records, *close, *far], twin=("a", "b"))
    table = table_of(results)
    found = resolution(times_of(results), results.plan)
    assert found is not None
    assert 2 < found.percent < 10
    ratios = dict(zip(column(table, "backend"), column(table, "× first"), strict=True))
    assert set(ratios) == {"a", "b", "close", "far"}
    assert ratios["close" if ratios["a"] == "1" else "a"].endswith("] ~")
    assert ratios["far"].endswith("]")
    assert f"cannot resolve less than {found.percent:.2g} %: a against itself" in table.note
    twin = table.rows[column(table, "backend").index("b")]
    assert [twin[table.headings.index(name)] for name in ("unique", "contribution")] == ["-", "-"]


def test_a_backend_that_solved_nothing_has_dashes() -> None:
    table = table_of(results_of([run("a", 0, 1), run("b", 0, 1, Outcome.FAILED)], time_limit=None))
    assert table.rows[1] == ("b", "0", "1", *["-"] * 5, "0", "-", "-")
    assert "PAR2 needs a time limit" in table.note


def test_phases_have_a_column_for_each_number_of_boards() -> None:
    phases = [Phases(backend="a", load=0.5, first=1, init=math.nan, solve=0.002, decode=3e-6)]
    table = phases_table(phases, {1: [("a", 5.0)], 1000: []})
    assert table.headings[-2:] == ("1 of 1", "1 of 1,000")
    assert table.rows == (("a", "500 ms", "1 s", "-", "2 ms", "3 µs", "5 s", "-"),)
    assert len(phases_table(phases).headings) == 6


def test_luck_is_shown_as_ratios() -> None:
    table = luck_table([Luck(backend="a", low=0.051, high=12.3456, cases=7)])
    assert table.rows == (("a", "7", "0.051", "12.35"),)


def contradictions() -> Verdict:
    found = [
        Disagreement(CASES[0], ("b", "a"), "count", "evidence"),
        Disagreement(CASES[1], ("b", "a"), "count", "evidence"),
        Disagreement(CASES[1], ("b",), "known count", "evidence"),
        Disagreement(CASES[2], ("c",), "wrong grid", "evidence"),
    ]
    return Verdict(3, 3, tuple(found))


def test_the_matrix_counts_the_cases_of_each_refuted_backend_and_witness() -> None:
    table = contradictions_table(contradictions().matrix, ["a", "b", "c"])
    assert table.headings == ("refuted by", "a", "b", "c", "checker", "known")
    assert table.rows == (
        ("a", "-", "-", "-", "-", "-"),
        ("b", "2", "-", "-", "-", "1"),
        ("c", "-", "-", "-", "1", "-"),
    )


def test_a_comparison_has_the_tables_that_it_has_figures_for() -> None:
    records = [run(label, k, 1 + k) for k in range(3) for label in "abc"]
    assert [table.title for table in standard_tables(results_of(records))] == ["Backends", "Phases"]
    records.append(run("a", 0, 2, image=1))
    found = standard_tables(results_of(records), contradictions(), title="3 cases")
    assert [table.title for table in found] == ["3 cases", "Phases", "Luck", "Contradictions"]
    assert standard_tables(results_of([])) == []


@given(tables())
def test_markdown_keeps_every_cell(table: Table) -> None:
    lines = to_markdown(table).splitlines()
    shown = [line for line in lines if line.startswith("| ")]
    cells = [re.split(r" (?<!\\)\| ", f" {line[2:-1]}| ")[:-1] for line in shown]
    plain = [[re.sub(r"\\(.)", r"\1", cell).strip() for cell in row] for row in cells]
    del plain[1]
    assert plain == [list(row) for row in (table.headings, *table.rows)]
    assert re.sub(r"\\(.)", r"\1", lines[0]) == f"**{table.title}**"


def test_markdown_aligns_figures_to_the_right() -> None:
    table = Table(title="The title", headings=("name", "n"), rows=(("a_b", "1"),), note="1 ~ 2")
    assert to_markdown(table).splitlines() == [
        *("**The title**", "", "| name | n |", "| --- | ---: |", r"| a\_b | 1 |", "", r"1 \~ 2"),
    ]


LATEX = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\(\times\)": "×",
    r"\(\infty\)": "∞",
    r"\textmu{}": "µ",
    "{[}": "[",
    "{]}": "]",
    **{"\\" + character: character for character in "&%$#_{}"},
    r"\textendash{}": "–",
    r"\textasciigrave{}": "`",
    "-{}": "-",
}


def from_latex(text: str) -> str:
    """Return what is printed; a character that LaTeX would not print is no part of the pattern."""
    piece = re.compile("|".join(map(re.escape, LATEX)) + r"|[^\\&%$#_{}~^<>|`\[\]]")
    pieces = piece.findall(text)
    assert "".join(pieces) == text
    return "".join(LATEX.get(piece, piece) for piece in pieces)


@given(tables())
def test_latex_keeps_every_cell_and_leaves_nothing_for_tex_to_read(table: Table) -> None:
    lines = to_latex(table).splitlines()
    shown = [
        line.removeprefix("    ").removesuffix(r" \\") for line in lines if line.endswith(r" \\")
    ]
    cells = [[from_latex(cell) for cell in line.split(" & ")] for line in shown]
    assert cells == [list(row) for row in (table.headings, *table.rows)]
    assert from_latex(lines[2][len(r"  \caption{") : -1]) == table.title


def test_latex_has_the_rules_of_booktabs() -> None:
    table = Table(title="50 %", headings=("backend", "× first"), rows=(("a_b", "[1, 2] ~"),))
    assert to_latex(table).splitlines() == [
        r"\begin{table}",
        r"  \centering",
        r"  \caption{50 \%}",
        r"  \begin{tabular}{lr}",
        r"    \toprule",
        r"    backend & \(\times\) first \\",
        r"    \midrule",
        r"    a\_b & {[}1, 2{]} \textasciitilde{} \\",
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]


def test_the_terminal_shows_brackets_as_they_are() -> None:
    from rich.console import Console

    table = Table(
        title="[b]title[/b]",
        headings=("backend", "[i]n"),
        rows=(("cp-sat[num_workers=2]", "[red]1[/]"),),
    )
    console = Console(width=100, file=io.StringIO(), record=True)
    console.print(to_rich(table))
    text = console.export_text()
    for part in (table.title, *table.headings, *table.rows[0]):
        assert part in text


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


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
    times = times_of(results_of(records))
    summaries = summarise(times)
    pairs = pairs_with(times, summaries[0].backend) if summaries else {}
    rows = read_csv(to_csv(summaries, pairs, time_limit=10))
    assert len(rows) == len(summaries)
    for row, summary in zip(rows, summaries, strict=True):
        assert (row["backend"], row["cases"]) == (summary.backend, str(summary.cases))
        for outcome in Outcome:
            assert row[f"{outcome.value}_cases"] == str(summary.outcomes.get(outcome, 0))
        durations = ("median", "mean", "maximum", "total", "par2", "shifted_mean")
        found = numbers(row, [f"{name}_s" for name in durations])
        assert repr(found) == repr([float(getattr(summary, name)) for name in durations])
        assert repr(numbers(row, ["contribution_percent"])) == repr([summary.contribution])
        if summary.backend in pairs:
            pair = pairs[summary.backend]
            assert row["ratio_to"] == pair.first
            found = numbers(row, ["ratio", "ratio_low", "ratio_high"])
            assert repr(found) == repr([pair.ratio, pair.low, pair.high])
        else:
            assert row["ratio"] == row["ratio_low"] == row["ratio_high"] == row["ratio_to"] == ""


def test_numbers_have_few_digits_and_a_unit() -> None:
    seconds = [0, 1e-9, 0.0009994, 0.00099951, 0.9996, 12.345, 999.6, math.nan]
    shown = ["0 µs", "0.001 µs", "999 µs", "1 ms", "1 s", "12.3 s", "1000 s", "-"]
    assert [format_seconds(value) for value in seconds] == shown
    assert [format_ratio(value) for value in (1, 0.5, 0, 123.4, math.nan)] == [
        *("1.00", "0.50", "0", "123", "-"),
    ]
