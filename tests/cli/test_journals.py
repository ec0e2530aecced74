"""Commands on journals that are not as Unidoku writes them: one line, exit code 2."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.command_runner import Runner
from tests.helpers.comparing import compared
from tests.helpers.made_runs import CASES, PLAN
from tests.helpers.made_runs import run as made
from tests.helpers.wrong import answers
from unidoku import Board, Request, Result
from unidoku.backends.solving.solver import Solver
from unidoku.comparison.cases import Case
from unidoku.comparison.journal import Journal, read_header, read_journal
from unidoku.comparison.lines import Header
from unidoku.comparison.record import Outcome, Record


@pytest.fixture
def spoilt(tmp_path: Path) -> Path:
    """A journal whose one run has a time that is a text."""
    path = tmp_path / "spoilt.jsonl"
    with Journal(path, Header(plan=PLAN | {"backends": ["norvig"]})) as journal:
        journal.add(CASES[0], made("norvig", 0, 0.5))
    path.write_text(path.read_text("utf-8").replace("500000000", '"half a second"'), "utf-8")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ["report", "J"],
        ["report", "J", "--anonymise"],
        ["report", "J", "--output", "merged.jsonl"],
        ["report", "J", "--runs", "runs.csv"],
        ["diff", "J", "J"],
        ["replay", "0", "J"],
    ],
)
def test_an_edited_journal_is_one_line_and_exit_code_2_for_every_command(
    spoilt: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(spoilt.parent)
    error = run.refused(*(str(spoilt) if word == "J" else word for word in arguments))
    assert error == (
        f"unidoku: {spoilt}, line 3: field 'wall_ns': expected a whole number from 0 to "
        "2^63 - 1, got 'half a second'\n"
    )
    assert [path.name for path in spoilt.parent.iterdir()] == ["spoilt.jsonl"]


@pytest.mark.filterwarnings("default:.* skipped:UserWarning")
def test_torn_lines_are_a_warning_and_the_rest_is_reported(
    tmp_path: Path, run: Runner, spoilt: Path
) -> None:
    lines = spoilt.read_text("utf-8").replace('"half a second"', "500000000").splitlines()
    torn = tmp_path / "torn.jsonl"
    torn.write_text("\n".join([*lines[:2], "\0" * 40, lines[2]]) + "\n", "utf-8")
    ran = run("report", str(torn))
    assert ran.code == 0
    assert "norvig" in ran.out
    assert ran.err == (
        f"unidoku: warning: 1 line of {torn} is torn and was skipped; the runs that are missing "
        "are repeated by unidoku compare --resume\n"
    )


def test_a_merged_journal_is_written_whole_or_not_at_all(
    tmp_path: Path, run: Runner, spoilt: Path
) -> None:
    whole = tmp_path / "whole.jsonl"
    whole.write_text(spoilt.read_text("utf-8").replace('"half a second"', "500000000"), "utf-8")
    old = tmp_path / "old.jsonl"
    old.write_text("old", "utf-8")
    for options, code in (([], 2), (["--force"], 0)):
        assert run("report", str(whole), "--output", str(old), *options).code == code
    lines = old.read_text("utf-8").splitlines()
    assert [json.loads(line)["type"] for line in lines] == ["header", "case", "run"]
    assert run("report", str(whole), str(spoilt), "--output", str(old), "--force").code == 2
    assert len(list(read_journal(old))) == 2


def test_a_comparison_replaces_a_journal_only_if_forced(tmp_path: Path, run: Runner) -> None:
    path, board = tmp_path / "j.jsonl", tmp_path / "board.txt"
    path.write_text("old\n", "utf-8")
    board.write_text("1.....2..3.....4\n", "utf-8")
    asked = ["compare", str(board), "--backends", "norvig", "--engine", "inline"]
    asked += ["--memory-limit", "0", "--sample-ms", "0", "--output", str(path)]
    refused = run(*asked)
    assert refused.code == 2
    assert f"{path} exists; name another file, continue it with --resume, or" in refused.err
    assert path.read_text("utf-8") == "old\n"
    assert run(*asked, "--force").code == 0
    assert len(list(read_journal(path))) == 4


def odd(board: Board, request: Request, result: Result) -> Result:
    """Report invalid statistics and impossible times."""
    nan, endless = float("nan"), float("inf")
    message: dict[str, Any] = {
        "nan": nan,
        "endless": endless,
        "text": "x",
        "yes": True,
        "many": 10**400,
        "nodes": 7,
    }
    return replace(result, statistics=message | {"init_time": -5.0, "solve_time": endless})


class _Odd(answers.FakeBackend):
    """Tells parameters that JSON cannot hold."""

    def parameters(self, request: Request) -> dict[str, object]:
        return {"endless": float("inf"), "object": request, "half": "\udcff", "plain": 3}


def test_whatever_a_backend_tells_of_its_parameters_its_journal_can_be_read(
    tmp_path: Path,
) -> None:
    path = tmp_path / "j.jsonl"
    solver = answers.fake("odd", answers.honest)
    solver = Solver(solver.spec, _Odd(answers.honest))
    compared(["1... ..2. .3.. ...4"], [solver], memory_limit=0, output=path)
    parameters = read_header(path).environment["parameters"]["odd"]
    assert (parameters["endless"], parameters["plain"]) == ("inf", 3)
    assert parameters["object"].startswith("Request(")


@pytest.mark.parametrize("sample_ms", [0, 5])
def test_whatever_a_backend_reports_its_journal_can_be_read(tmp_path: Path, sample_ms: int) -> None:
    path = tmp_path / "j.jsonl"
    solver = answers.fake("odd", odd)
    compared(
        ["1... ..2. .3.. ...4"],
        [solver],
        repeats=3,
        memory_limit=0,
        sample_ms=sample_ms,
        output=path,
    )
    runs = [entry for entry in read_journal(path) if isinstance(entry, Record)]
    assert len(runs) == 3
    for item in runs:
        assert item.outcome is Outcome.SOLVED
        assert item.statistics["nodes"] == 7
        assert item.statistics.keys() == {"nodes", "yes", "init_time"}
        assert item.timing.init_ns == 0
        assert item.timing.solve_ns + item.timing.decode_ns == item.timing.wall_ns


def test_a_name_that_utf_8_lacks_does_not_stop_a_comparison(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    case = Case(board=CASES[0].board, name="half \udcff", source="of\ud800")
    with Journal(path, Header(plan=PLAN)) as journal:
        journal.add(case, made("a", 0, 1, evidence=("\udc80",)))
    read, record = read_journal(path)
    assert isinstance(read, Case)
    assert isinstance(record, Record)
    assert (read.name, read.source, record.evidence) == ("half ?", "of?", ("?",))
