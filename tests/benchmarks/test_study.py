"""benchmarks/study.py: a tiny study, from its TOML to its pages."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from tests.helpers.browsing import opened_offline
from tests.helpers.made_runs import CASES
from tests.helpers.python_process import run_python
from unidoku.comparison import Comparison, read_comparison
from unidoku.comparison.cases import Case
from unidoku.comparison.lines import Header
from unidoku.comparison.record import Outcome, Record, Timing
from unidoku.comparison.session import carry_out
from unidoku.errors import SettingsError

pytestmark = pytest.mark.bench

TINY = """\
title = "A tiny study"
sample_ms = 0.0
backends = ["native", "norvig", "sat"]
memory_limit = 0

[first]
time_limit = 5.0

[options]
time_limit = 5.0
families = ["kenken"]
groups = [["sat", "sat[encoding=ladder]"]]

[second]
time_limit = 10.0
repeats = 2
best = 2

[long]
boards = 3
time_limits = [20.0, 60.0]

[[families]]
name = "kenken"
title = "KenKen"
make = "puzzle"
sizes = [3, 4, 5]
boards = 2

[[families]]
name = "latin"
title = "Latin squares with holes"
make = "latin"
sizes = [5, 6, 7]
shares = [32, 37, 42]
"""
RUNS = (6 + 9) * 3 + 3 * 2 + (6 + 9) * 2 * 2


@pytest.fixture
def tiny(studying: Callable[[str], Any], tmp_path: Path) -> Any:
    """The plan of a tiny study."""
    path = tmp_path / "tiny.toml"
    path.write_text(TINY, encoding="utf-8")
    return studying("plan").read_study(path)


def carried_out(studying: Callable[[str], Any], tiny: Any, folder: Path) -> Any:
    """Measure the tiny study, in this process, and publish it."""
    study = studying("run").study(tiny, folder / "work", engine="inline")
    studying("run").publish(study, tiny, folder / "results")
    return study


def test_a_study_goes_from_its_toml_to_journals_pages_and_pictures(
    studying: Callable[[str], Any], tiny: Any, tmp_path: Path, browser: Browser
) -> None:
    study = carried_out(studying, tiny, tmp_path)
    assert study.complete
    assert sum(stage["done"] for stage in study.stages) == RUNS
    planned = [*studying("run").planned(tiny)]
    assert sum(stage.runs for stage in planned) == RUNS

    docs = tmp_path / "docs"
    studying("show").show(tmp_path / "results", docs)
    text = (docs / "study.md").read_text(encoding="utf-8")
    assert text.startswith("# A tiny study\n")
    assert "| KenKen * | 6 | `" in text
    assert "- All planned runs were measured." in text
    assert "All answers agree, on all 15 cases." in text
    assert "| `sat` | `sat[encoding=ladder]` | 3 to 3 | " in text
    rows = (tmp_path / "results" / "figures.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + 2 * 3 + 2 * 2, "a row a family, stage and backend"

    images = [f"study{variant}.svg" for variant in ("", "-light", "-dark")]
    auto, light, dark = ((docs / "images" / name).read_text() for name in images)
    assert light != dark
    assert re.sub("#[0-9a-f]{6}", "", light) == re.sub("#[0-9a-f]{6}", "", dark)
    assert "prefers-color-scheme:dark" in auto
    caption = (tmp_path / "results" / "caption.txt").read_text(encoding="utf-8").strip()
    assert caption in text
    assert caption.startswith("3 backends on 15 boards, at most 5 s each")

    with opened_offline(browser, docs / "study.html") as page:
        expect(page.locator("h1")).to_have_text("A tiny study: all backends on all boards")
        expect(page.locator("table.groups tbody tr")).to_have_count(3)
        page.get_by_role("button", name="latin", exact=True).click()
        expect(page.locator("#shown")).to_have_text("9 of 15 cases")
        expect(page.locator("#over canvas")).to_have_attribute("data-points", str(3 * 9))
        page.locator(".chip", has_text="norvig").click()
        expect(page.locator("table.summary tbody tr")).to_have_count(2)
        page.select_option("#over-name", "holes")
        expect(page.locator("#over-title")).to_have_text("Over holes")
    with opened_offline(browser, docs / "study-second.html") as page:
        page.get_by_role("button", name="kenken", exact=True).click()
        expect(page.locator("#shown")).to_have_text("6 of 15 cases")


def test_a_study_that_was_interrupted_goes_on_and_measures_nothing_twice(
    studying: Callable[[str], Any], tiny: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = studying("run")
    measured: list[str] = []

    def interrupted(*arguments: Any) -> Comparison:
        asked, where, watch = arguments

        def counting(study: Comparison, record: Record) -> None:
            measured.append(f"{where.journal.name} {record.key}")
            watch(study, record)
            if len(measured) == 10:
                raise KeyboardInterrupt

        return carry_out(asked, where, counting)

    monkeypatch.setattr(run, "carry_out", interrupted)
    stopped = carried_out(studying, tiny, tmp_path)
    assert stopped.interrupted
    assert not stopped.complete
    assert len(measured) == 10
    assert len(read_comparison([tmp_path / "results" / "first.jsonl.gz"]).results) == 10
    studying("show").show(tmp_path / "results", tmp_path / "docs")
    assert "Left out: 35 of 45 runs" in (tmp_path / "docs" / "study.md").read_text("utf-8")

    assert carried_out(studying, tiny, tmp_path).complete
    assert len(measured) == len({*measured}) == RUNS


def test_a_study_stops_at_its_budget_and_says_what_it_left_out(
    studying: Callable[[str], Any], tiny: Any, tmp_path: Path
) -> None:
    soon = replace(tiny, budget=1e-5)
    study = carried_out(studying, soon, tmp_path)
    assert not study.complete
    assert not study.interrupted
    assert sum(stage["done"] for stage in study.stages) < RUNS
    assert {stage["journal"] for stage in study.stages} == {"first", "options", "second"}


def command(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_python(root / "benchmarks" / "study.py", *arguments)


def test_the_plan_tells_the_runs_and_an_upper_bound_of_the_minutes(
    root: Path, tmp_path: Path
) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY, encoding="utf-8")
    done = command(root, "--plan", "--study", str(path), "--budget", "2m")
    assert done.returncode == 0, done.stderr
    *stages, last = done.stdout.splitlines()
    assert len(stages) == 4
    result = re.sub(" +", " ", stages[0])
    assert result == "first all backends 45 runs, at most 9.8 minutes"
    assert last.startswith(f"{RUNS} runs, ")
    assert last.endswith("stops after 2 minutes")


def test_bad_arguments_are_one_line_and_exit_2(root: Path, tmp_path: Path) -> None:
    for arguments, expected in (
        (["--budget", "0"], "expected minutes above 0, as 38 or 38m, got '0'"),
        (["--study", str(tmp_path / "none.toml")], "none.toml cannot be read"),
        (["--page", "--results", str(tmp_path)], "has no first.jsonl.gz: make study"),
    ):
        done = command(root, *arguments)
        assert done.returncode == 2
        assert expected in done.stderr.splitlines()[-1]
        assert "Traceback" not in done.stderr


def test_boards_are_made_from_the_seed_alone(studying: Callable[[str], Any], tiny: Any) -> None:
    puzzles_of = studying("boards").puzzles_of
    for family in tiny.families:
        boards = [*puzzles_of(family, 1)]
        assert boards == [*puzzles_of(family, 1)]
        assert [item.board for item in boards] != [item.board for item in puzzles_of(family, 2)]
        longer = {item.name: item.board for item in puzzles_of(replace(family, boards=3), 1)}
        assert all(longer[item.name] == item.board for item in boards), (
            "more boards begin with the same"
        )
    holes = [item for item in puzzles_of(tiny.families[1], 1) if ":7:42%:" in item.name]
    assert [item.board.givens.count(0) for item in holes] == [round(0.42 * 49)]


def times_of_sizes(studying: Callable[[str], Any], laws: dict[str, Callable[[int], float]]) -> Any:
    """Return made-up times of four boards of each size, in the stated law of each backend."""
    plan, read = studying("plan"), studying("read")
    sizes = [size for size in (4, 5, 6, 7, 8, 9) for _ in range(4)]
    noise = random.Random(5)
    cases = [
        replace(CASES[number], name=plan.Setting(size).name("made", number))
        for number, size in enumerate(sizes, start=1)
    ]
    comparison = Comparison(Header(plan={"backends": [*laws], "time_limit": 1.0}))
    for case, size in zip(cases, sizes, strict=True):
        comparison.add_case(case)
        for label, law in laws.items():
            seconds = law(size) * noise.uniform(0.8, 1.25)
            outcome = Outcome.SOLVED if seconds < 1 else Outcome.UNKNOWN
            comparison.add(made_run(case, label, outcome, min(seconds, 1.0)))
    return read.family_times(comparison.results, "made")


def made_run(case: Case, label: str, outcome: Outcome, seconds: float) -> Record:
    return Record(
        key=f"{random.getrandbits(64):016x}",
        case=case.id,
        backend=label,
        round=1,
        outcome=outcome,
        timing=Timing(wall_ns=round(seconds * 1e9)),
    )


def test_rates_and_cross_overs_are_found_where_they_were_put(
    studying: Callable[[str], Any],
) -> None:
    growth = studying("growth")
    laws = {"slow start": lambda n: 1e-2 * 1.5**n, "steep": lambda n: 1e-4 * 3.0**n}
    times = times_of_sizes(studying, laws)
    axis = growth.axis_of(times)
    rates = {item.backend: item for item in growth.growth(times, axis)}
    assert rates["slow start"].rate.low < 1.5 < rates["slow start"].rate.high
    assert rates["steep"].rate.low < 3.0 < rates["steep"].rate.high
    assert rates["steep"].high == 8, "at 9 the limit cuts times off"
    (crossing,) = growth.cross_overs(times, axis, [*laws])
    assert (crossing.below, crossing.above) == ("steep", "slow start")
    true = np.log(100) / np.log(2)
    assert crossing.at.low < true < crossing.at.high
    assert crossing.at.high - crossing.at.low < 1


def test_what_a_backend_adds_is_what_the_others_lack(studying: Callable[[str], Any]) -> None:
    figures = studying("figures")
    laws = {"all": lambda n: 0.01, "twin": lambda n: 0.011, "late": lambda n: 2.0}
    times = times_of_sizes(studying, laws)
    by_backend = {text.backend: text for text in figures.missed(times)}
    assert by_backend["late"].percent.value == 0
    assert 0 <= by_backend["all"].percent.low <= by_backend["all"].percent.value < 30
    alone = times_of_sizes(studying, {"all": laws["all"], "late": laws["late"]})
    (first, second) = figures.missed(alone)
    assert (first.backend, first.unique, second.unique) == ("all", 24, 0)
    assert first.percent.value > 10_000
    best, *_ = figures.standings(times)
    assert best.backend == "all"
    assert best.par2.low < 0.01 < best.par2.high


@pytest.mark.parametrize(
    ("right", "wrong", "expected"),
    [
        ('"puzzle"', '"puzzel"', "make: expected a maker, got 'puzzel'; did you mean 'puzzle'"),
        ("boards = 2", "boards = 0", "families: boards: expected a whole number"),
        ("boards = 2", "bords = 2", "families: unknown key 'bords'; did you mean 'boards'"),
        ('["kenken"]', '["kenkan"]', "expected a family, got 'kenkan'; did you mean 'kenken'"),
        ('make = "puzzle"\n', "", "families: expected a key 'make', got name, title"),
    ],
)
def test_a_mistake_in_the_toml_is_named(
    right: str, wrong: str, expected: str, studying: Callable[[str], Any], tmp_path: Path
) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(TINY.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(SettingsError, match=re.escape(expected)):
        studying("plan").read_study(path)
