"""What a reader asks a report for: groups, curves, columns, references, distributions."""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.helpers.command_runner import Runner
from tests.helpers.made_runs import CASES, PLAN
from tests.helpers.made_runs import run as made
from unidoku.comparison import read_comparison
from unidoku.comparison.journal import Journal
from unidoku.comparison.lines import Header
from unidoku.comparison.record import Outcome
from unidoku.comparison.report import figures
from unidoku.comparison.report.columns import COLUMNS
from unidoku.comparison.report.view import ReportView
from unidoku.errors import InputError

LABELS = ("slow", "cp-sat[num_workers=1]", "quick")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Three backends on six cases and two images of each."""
    path = tmp_path / "j.jsonl"
    plan = PLAN | {"backends": list(LABELS), "time_limit": 1.0, "solutions": 2, "symmetries": 2}
    with Journal(path, Header(plan=plan)) as written:
        for number, case in enumerate(CASES[:6]):
            source = f"set{number % 2}.txt"
            case = replace(case, numbers={"holes": 10.0 + number // 2}, source=source)
            for index, label in enumerate(LABELS):
                for image in range(3):
                    seconds = (1 + number + image) * 4.0**-index / 100
                    nanoseconds = round(seconds * 1e9)
                    record = made(
                        label, number, seconds, image=image, count=1, solve_ns=nanoseconds
                    )
                    written.add(case, replace(record, statistics={"nodes": 10.0 * number}))
    return path


def headings(markdown: str) -> list[list[str]]:
    """Return the headings of each table."""
    lines = markdown.splitlines()
    return [
        line.strip("| ").split(" | ")
        for line, rule in zip(lines, [*lines[1:], ""], strict=True)
        if rule.startswith("| ---")
    ]


def rows(csv_text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text)))


def test_columns_are_those_that_are_asked_for_in_their_order(run: Runner, journal: Path) -> None:
    ran = run("report", str(journal), "--markdown", "--show", "PAR2,nodes,solved,par2")
    assert headings(ran.out)[0] == ["backend", "PAR2", "nodes", "solved"]
    assert "| quick | 2.19 ms | 25 | 6 |" in ran.out
    assert "× first" not in ran.out, "notes are about the columns that are shown"
    assert "Nodes: as the backend counts them" in ran.out


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("form", ["--markdown", "--latex", "--csv"])
def test_every_column_can_be_asked_for_alone(
    run: Runner, journal: Path, name: str, form: str
) -> None:
    ran = run("report", str(journal), "--show", name, form)
    assert ran.code == 0
    if form == "--csv":
        assert list(rows(ran.out)[0]) == ["backend", *COLUMNS[name].exported]
    elif form == "--markdown":
        assert headings(ran.out)[0] == ["backend", COLUMNS[name].heading]


def test_latex_has_few_columns_unless_others_are_asked_for(run: Runner, journal: Path) -> None:
    ran = run("report", str(journal), "--latex")
    assert r"backend & solved & median & PAR2 & \(\times\) first \\" in ran.out
    ran = run("report", str(journal), "--latex", "--show", "mean,unique")
    assert r"backend & mean & unique \\" in ran.out


def test_ratios_refer_to_the_backend_that_is_asked_for(run: Runner, journal: Path) -> None:
    ran = run("report", str(journal), "--reference", LABELS[1])
    table = [line.split("│")[1:-1] for line in ran.out.splitlines() if line.startswith("│")][:3]
    ratios = {cells[0].strip(): cells[-1].strip() for cells in table}
    assert ratios == {"quick": "0.25 [0.25, 0.25]", LABELS[1]: "1", "slow": "4.00 [4.00, 4.00]"}
    assert f"× {LABELS[1]}: time over that of {LABELS[1]}" in " ".join(ran.out.split())
    exported = rows(run("report", str(journal), "--reference", LABELS[1], "--csv").out)
    assert {row["ratio_to"] for row in exported} == {"", LABELS[1]}


def test_groups_and_curves_are_tables_after_that_of_all_boards(run: Runner, journal: Path) -> None:
    ran = run("report", str(journal), "--by", "source", "--x", "holes", "--markdown")
    assert re.findall(r"^\*\*(.+)\*\*$", ran.out, re.MULTILINE) == [
        *("cases: 6, backends: 3, repeats: 1, solutions asked: 2, limit: 1 s a run", "By source"),
        *("Over holes", "Phases", "Symmetry spread"),
    ]
    assert "| set0.txt | quick | 3 | 3 | 1.88 ms | 1.88 ms | 1 |" in ran.out
    assert "| | slow | 3 | 3 | 30 ms | 30 ms | 16.00 \\[16.00, 16.00\\] |" in ran.out.replace(
        "|  |", "| |"
    ).replace("[", "\\[").replace("]", "\\]")
    assert "| | best of all | 3 | 3 | 1.88 ms | 1.88 ms | |" in ran.out.replace("|  |", "| |")
    assert "| set0.txt | 10 | 1 | 100 % | 10 ms | 2.5 ms | 625 µs |" in ran.out


def test_the_export_is_of_the_table_that_is_asked_for(run: Runner, journal: Path) -> None:
    grouped = rows(run("report", str(journal), "--by", "source", "--csv").out)
    assert [(row["source"], row["backend"]) for row in grouped] == [
        (source, label) for source in ("set0.txt", "set1.txt") for label in LABELS[::-1]
    ]
    points = rows(run("report", str(journal), "--x", "holes", "--csv", "--show", "nodes").out)
    assert len(points) == 9
    assert [float(row["nodes_median"]) for row in points if row["backend"] == "quick"] == [
        5,
        25,
        45,
    ]
    assert {row["satisfiable_share"] for row in points} == {"1.0"}


def test_distributions_are_shown_if_asked_for(run: Runner, journal: Path) -> None:
    ran = run("report", str(journal), "--distributions", "--markdown")
    assert "| c0 | slow | 3 | 3 | 10 ms | 20 ms | 30 ms | 30 ms | 30 ms |" in ran.out
    assert "distributions" not in run("report", str(journal)).out


def test_searches_are_compared_board_by_board_if_asked_for(run: Runner, journal: Path) -> None:
    ran = run("report", str(journal), "--show", "search,nodes", "--markdown")
    tables = headings(ran.out)
    assert tables[0] == ["backend", "nodes"]
    assert tables[1][:4] == ["board", "backend", "search", "nodes"]
    assert "| c5 | quick | 3.75 ms | 50 | 75 µs | 1.00 | 1.00 | 1.00 |" in ran.out
    exported = rows(run("report", str(journal), "--show", "search", "--csv").out)
    assert [row["board"] for row in exported[::3]] == [f"c{number}" for number in range(6)]
    assert {row["ratio_to"] for row in exported} == {"quick"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--show", "solved,foo"],
            r"--show: expected columns of cases, .*restarts, search; got 'foo'",
        ),
        (["--show", ""], r"--show: expected columns of .*; got ''"),
        (["--by", "colour"], "--by: expected one of source, .*, size; got 'colour'"),
        (["--x", "fill"], "--x: expected a number that the boards have, of .*, values; got 'fill'"),
        (
            ["--reference", "sat"],
            r"--reference: expected a backend .*, slow, cp-sat\[.*; got 'sat'",
        ),
        (
            ["--scatter", "quick"],
            "--scatter: expected two backends with a comma between them",
        ),
        (["--scatter", "quick,slow"], "--scatter: expected --figures or --report"),
        (["--scatter", "quick,quick", "--report", "r.html"], "two backends, got quick twice"),
        (["--scatter", "quick,sat", "--report", "r.html"], "--scatter: expected a backend .*'sat'"),
    ],
)
def test_what_the_results_lack_is_refused(
    run: Runner, journal: Path, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(journal.parent)
    error = run.refused("report", str(journal), "--output", "merged.jsonl", *arguments)
    assert re.search(message, error), error
    assert error.count("\n") == 1
    assert [path.name for path in journal.parent.iterdir()] == ["j.jsonl"]


@pytest.mark.parametrize(
    "arguments", [["--reference", "sat"], ["--x", "fill"], ["--show", "foo"], ["--by", "colour"]]
)
def test_a_comparison_refuses_it_before_its_first_run(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board.txt").write_text("1.....2..3.....4\n")
    monkeypatch.setattr("unidoku.comparison.session._records", lambda *_: pytest.fail("it ran"))
    backends = ["--backends", "norvig", "--engine", "inline", "--output", "j.jsonl"]
    error = run.refused("compare", "board.txt", *backends, *arguments)
    assert error.startswith(f"unidoku: {arguments[0]}: expected")
    assert not Path("j.jsonl").exists()


def test_a_comparison_takes_the_same_options(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("boards.csv").write_text("puzzle,mine\n1.....2..3.....4,5\n12..........21..,6\n")
    once = ["--repeats", "1", "--sample-ms", "0", "--engine", "inline", "--memory-limit", "0"]
    asked = ["--by", "size", "--x", "mine", "--reference", "norvig", "--show", "solved,nodes,ratio"]
    ran = run("compare", "boards.csv", "--backends", "native,norvig", *once, *asked, "--markdown")
    assert ran.code == 0
    assert headings(ran.out)[:3] == [
        ["backend", "solved", "nodes", "× norvig"],
        ["size", "backend", "solved", "nodes", "× norvig"],
        ["size", "mine", "cases", "satisfiable", "native", "norvig"],
    ]
    assert " 6 | 1 | 100 % |" in ran.out


def test_python_takes_a_view(journal: Path) -> None:
    comparison = read_comparison([journal])
    view = ReportView(by="source", show=("solved",), distributions=True)
    assert [table.title for table in comparison.tables(view=view)][1:] == [
        *("By source", "Symmetry spread", "Run-time distributions"),
    ]
    with pytest.raises(InputError, match="--reference: expected a backend"):
        comparison.tables(view=ReportView(reference="none"))
    with pytest.raises(InputError, match="--show: expected columns"):
        ReportView(show=("none",))


def test_figures_show_the_pair_and_the_curve_that_are_asked_for(
    run: Runner, journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    svg_only = partial(figures.write_figures, formats=["svg"])
    monkeypatch.setattr(figures, "write_figures", svg_only)
    folder = tmp_path / "figures"
    asked = ["--x", "holes", "--by", "source", "--scatter", f"slow,{LABELS[1]}"]
    assert run("report", str(journal), "--figures", str(folder), *asked).code == 0
    names = {path.stem for path in folder.iterdir()}
    assert names == {"cdf", "cactus", "phases", "scatter", "curve", "survival"}
    scatter = (folder / "scatter.svg").read_text("utf-8")
    assert f"<!-- {LABELS[1]} takes 0.25 times the time of slow -->" in scatter
    curve = (folder / "curve.svg").read_text("utf-8")
    for text in ("set0.txt", "set1.txt", "holes", "median time", *LABELS):
        assert f"<!-- {text} -->" in curve
    survival = (folder / "survival.svg").read_text("utf-8")
    assert "<!-- time over the median of the board's images, 6 boards -->" in survival
    for label in LABELS:
        assert f"<!-- {label} -->" in survival


def test_a_narrow_terminal_keeps_the_names_and_says_what_is_left_out(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "many.jsonl"
    labels = [f"some.module_of_mine:Solver[option={k}]" for k in range(19)]
    with Journal(path, Header(plan=PLAN | {"backends": labels})) as written:
        for index, label in enumerate(labels):
            for number in range(6):
                outcome = [*Outcome][1 + number] if index % 3 == 0 else Outcome.SOLVED
                written.add(CASES[number], made(label, number, 0.1 + index, outcome))
    for width, folded in ((132, 32), (90, 32), (60, 16)):
        monkeypatch.setattr("unidoku.cli.reporting._WIDTH", width)
        ran = run("report", str(path))
        summary = ran.out[ran.out.index("┏") : ran.out.index("└")]
        assert max(map(len, ran.out[: ran.out.index("└")].splitlines())) <= width
        names = [line.split("│")[1].strip() for line in summary.splitlines() if line[0] == "│"]
        whole = "".join(names)
        assert all(label in whole for label in labels)
        assert max(map(len, names)) >= min(folded, len(labels[0])) - 1
        words = " ".join(ran.out.split())
        assert f"Left out, because {width} characters are too few: " in words
        assert "; --markdown prints all columns." in words


def test_an_interval_for_all_comparisons_is_wider_and_marked(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    labels = ["base", *(f"other{k}" for k in range(9))]
    plan = PLAN | {"backends": labels, "time_limit": 100.0}
    with Journal(path, Header(plan=plan)) as written:
        for number in range(12):
            for label in labels:
                swing = 0.0 if label == "base" else 0.5 * (-1) ** number + 0.35
                written.add(CASES[number], made(label, number, math.exp(swing)))
    ran = run("report", str(path), "--csv")
    for row in rows(ran.out):
        if row["ratio_to"]:
            ends = [
                float(row[f"ratio_{end}"]) for end in ("joint_low", "low", "high", "joint_high")
            ]
            assert ends == sorted(ends)
            assert ends[0] < 1 < ends[1]
    ran = run("report", str(path))
    assert ran.out.count("] (~)") == 9
    assert "if all ratios of the column are to be right together (Bonferroni)" in " ".join(
        ran.out.split()
    )
