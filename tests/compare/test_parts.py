"""Plan, records, statistics, report and config of a comparison."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import fakes
from unidoku import Board, Request, Stop
from unidoku.compare import (
    Case,
    Comparison,
    Outcome,
    PuzzleSource,
    Record,
    execute,
    plan,
    read_cases,
    read_comparison,
    read_records,
    summarise,
    write_record,
)
from unidoku.compare.report import markdown
from unidoku.errors import FormatError, InputError, SettingsError

CASES = [
    Case(board=Board.parse(text), name=f"case {k}", source="test")
    for k, text in enumerate(["1...............", ".1..............", "..1............."])
]


@given(st.integers(1, 4), st.integers(0, 1000))
def test_every_round_runs_every_case_by_every_backend_once(repeats: int, seed: int) -> None:
    runs = list(plan(CASES, ["a", "b"], repeats, seed))
    counted = Counter((run.round, run.case.id, run.backend) for run in runs)
    assert len(counted) == len(runs) == repeats * len(CASES) * 2
    assert [run.round for run in runs] == sorted(run.round for run in runs)
    for one, other in zip(runs[::2], runs[1::2], strict=True):
        assert one.case is other.case
        assert {one.backend, other.backend} == {"a", "b"}
    assert runs == list(plan(CASES, ["a", "b"], repeats, seed))


def test_the_order_is_shuffled() -> None:
    orders = {
        tuple((r.case.id, r.backend) for r in plan(CASES, ["a", "b"], 1, s)) for s in range(9)
    }
    assert len(orders) > 5


def test_records_come_back_from_their_lines(tmp_path: Path) -> None:
    solvers = {
        name: fakes.fake(name, change)
        for name, change in vars(fakes).items()
        if name in ("honest", "wrong_grid", "says_unknown", "raises")
    }
    records = list(execute(plan(CASES, list(solvers), 1, 1), solvers, Request(solutions=2)))
    path = tmp_path / "records.jsonl"
    with path.open("w") as file:
        for record in records:
            write_record(record, file)
    assert list(read_records(path)) == records
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(lines) == len(records)
    assert {line["status"] for line in lines if line["backend"] == "honest"} == {"satisfied"}
    assert all(line["wall_ns"] > 0 for line in lines)


def record(backend: str, case: str, seconds: float, outcome: Outcome = Outcome.SOLVED) -> Record:
    return Record(
        case=case,
        name=case,
        source="test",
        backend=backend,
        version="",
        round=1,
        outcome=outcome,
        stop=Stop.EXHAUSTED,
        count=1,
        solutions=(),
        wall_ns=round(seconds * 1e9),
        cpu_ns=0,
        statistics={},
    )


def test_ratios_are_geometric_means_of_paired_cases() -> None:
    records = [record("fast", "a", 1), record("fast", "b", 2), record("fast", "c", 1)]
    records += [record("slow", "a", 4), record("slow", "b", 2)]
    records += [record("slow", "c", 9, Outcome.UNKNOWN)]
    fast, slow = summarise(records)
    assert (fast.backend, fast.ratio) == ("fast", 1.0)
    assert slow.ratio == pytest.approx(2.0)
    assert (slow.outcomes[Outcome.SOLVED], slow.outcomes[Outcome.UNKNOWN]) == (2, 1)
    assert (slow.median, slow.mean, slow.maximum, slow.total) == (4, 5, 9, 15)


def test_a_cases_time_is_the_median_of_its_repeats_and_its_outcome_the_worst() -> None:
    records = [record("a", "x", s) for s in (1, 5, 2)] + [record("a", "x", 3, Outcome.UNKNOWN)]
    (summary,) = summarise(records)
    assert summary.total == 2.5
    assert summary.outcomes == {Outcome.UNKNOWN: 1}
    assert summary.ratio is None
    (wrong,) = summarise([*records, record("a", "x", 3, Outcome.WRONG)])
    assert wrong.outcomes == {Outcome.WRONG: 1}


@pytest.mark.parametrize("outcome", [Outcome.UNSUPPORTED, Outcome.WRONG])
def test_unsupported_cases_and_wrong_answers_have_no_time(outcome: Outcome) -> None:
    (summary,) = summarise([record("a", "x", 3, outcome)])
    assert summary.total == 0


def test_failed_cases_have_no_time() -> None:
    (summary,) = summarise([record("a", "x", 3, Outcome.FAILED)])
    assert math.isnan(summary.median)
    assert summary.total == 0
    assert "| a | 0 | 0 | 0 | 1 | - | - | - | 0 µs | - |" in markdown([summary], "title")


@given(st.lists(st.floats(1e-6, 10), min_size=1, max_size=9), st.floats(0.1, 10))
def test_scaling_a_backends_times_scales_its_ratio(times: list[float], factor: float) -> None:
    records = [record("base", str(k), t) for k, t in enumerate(times)]
    scaled = [record("scaled", str(k), t * factor) for k, t in enumerate(times)]
    ratios = {s.backend: s.ratio for s in summarise(records + scaled)}
    assert ratios["scaled"] is not None
    assert ratios["base"] is not None
    assert ratios["scaled"] / ratios["base"] == pytest.approx(factor, rel=1e-2)


def test_markdown_has_a_row_a_backend() -> None:
    text = markdown(summarise([record("fast", "a", 0.001), record("slow", "a", 0.01)]), "The title")
    assert text.splitlines()[:6] == [
        "**The title**",
        "",
        "| backend | solved | unknown | wrong | median | mean | max | total | × first |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| fast | 1 | 0 | 0 | 1 ms | 1 ms | 1 ms | 1 ms | 1.00 |",
        "| slow | 1 | 0 | 0 | 10 ms | 10 ms | 10 ms | 10 ms | 10.00 |",
    ]


CONFIG = """
backends = ["norvig", "python-constraint[encoding=reduced]"]
repeats = 2
time_limit = 1
seed = 5

[[puzzles]]
examples = ["x"]

[[puzzles]]
files = ["more/*.txt"]
variant = "latin"
solutions = 2
"""


def test_a_config_names_examples_files_and_patterns(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "one.txt").write_text("....\n")
    (tmp_path / "compare.toml").write_text(CONFIG)
    comparison = read_comparison(tmp_path / "compare.toml")
    assert list(comparison.solvers()) == ["norvig", "python-constraint[encoding=reduced]"]
    assert (comparison.repeats, comparison.time_limit, comparison.seed) == (2, 1, 5)
    cases = comparison.cases()
    assert [case.source for case in cases[:2]] == ["x", "x"]
    assert (cases[2].name, cases[2].solutions) == ("one:1", 2)


def test_a_board_that_appears_twice_is_one_case() -> None:
    assert len(read_cases([PuzzleSource(examples=("three-spellings",))], Path())) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("repeats = 2", "repeat = 2"), "unknown key 'repeat'; did you mean 'repeats'"),
        (("repeats = 2", "repeats = true"), "repeats: expected a whole number, got True"),
        (("repeats = 2", "repeats = 0"), "repeats: expected at least 1"),
        (("time_limit = 1", 'time_limit = "1"'), "time_limit: expected a number"),
        (("time_limit = 1", "time_limit = 0"), "time_limit: expected seconds above 0"),
        (('variant = "latin"', 'varient = "latin"'), "puzzles: unknown key 'varient'"),
        (('backends = ["norvig", ', "backends = [1, "), "backends: expected a list of texts, got"),
        (("[[puzzles]]", "[[puzzle]]"), "unknown key 'puzzle'"),
        (
            ('examples = ["x"]', 'examples = "x"'),
            "puzzles: examples: expected a list of texts, got 'x'",
        ),
    ],
)
def test_a_config_is_checked_key_by_key(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    path = tmp_path / "compare.toml"
    path.write_text(CONFIG.replace(*change))
    with pytest.raises(SettingsError, match=message) as caught:
        read_comparison(path)
    assert str(path) in str(caught.value)


def test_files_that_do_not_match_or_hold_no_boards_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing matches"):
        read_cases([PuzzleSource(files=("*.txt",))], tmp_path)
    (tmp_path / "bad.txt").write_text("12345")
    with pytest.raises(FormatError, match=r"bad\.txt, line 1: expected the cells"):
        read_cases([PuzzleSource(files=("*.txt",))], tmp_path)
    with pytest.raises(InputError, match="expected puzzles to compare on"):
        read_cases([], tmp_path)


def test_a_backend_may_stand_twice_with_other_options_only() -> None:
    puzzles = (PuzzleSource(examples=("x",)),)
    twice = Comparison(backends=("cp-sat", "cp-sat[num_workers=2]"), puzzles=puzzles)
    assert len(twice.solvers()) == 2
    with pytest.raises(SettingsError, match="'norvig' is there twice"):
        Comparison(backends=("norvig", "norvig"), puzzles=puzzles).solvers()
