"""``compare`` and what works on its journals: ``report``, ``diff``, ``replay``."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.helpers.command_runner import QuickRunner, Runner
from tests.helpers.made_runs import records_in
from tests.helpers.python_process import run_python
from tests.helpers.wrong import answers
from unidoku.backends.solving.solver import Solver
from unidoku.comparison.cases import Case
from unidoku.comparison.journal import read_journal

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("elsewhere")]

SMALL = "1... ..2. .3.. ...4"
SEVERAL = "12.. .... .... 21.."
ROOT = Path(__file__).parents[3]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return QuickRunner(capfd, monkeypatch)


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{SMALL}  proper\n\n{SEVERAL}  several\n")
    return path


@pytest.fixture
def faking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels are the names of wrong answers."""

    def load(label: str) -> Solver:
        return answers.fake(label, getattr(answers, label))

    monkeypatch.setattr("unidoku.comparison.config.load", load)
    monkeypatch.setattr("unidoku.comparison.config.starts_of", lambda *_: [])


def test_the_journal_has_a_header_the_cases_and_a_line_a_run(run: Runner, puzzles: Path) -> None:
    output = Path("results.jsonl")
    arguments = ["compare", str(puzzles), "--backends", "norvig,sat", "--repeats", "3"]
    assert run(*arguments, "--output", str(output)).code == 0
    header, *lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert header["plan"]["backends"] == ["norvig", "sat"]
    assert {"cpu", "python", "backends", "moment", "usable_cores"} <= set(header["environment"])
    kinds = [line["type"] for line in lines]
    assert (kinds.count("case"), kinds.count("run"), kinds[-1]) == (2, 2 * 2 * 3, "end")
    assert {line["outcome"] for line in lines if line["type"] == "run"} == {"solved"}
    assert run(*arguments, "--output", "no/such/folder.jsonl").code == 2


@pytest.mark.usefixtures("faking")
def test_a_lie_is_exit_code_1_with_the_evidence(run: Runner, puzzles: Path) -> None:
    config = puzzles.parent / "compare.toml"
    config.write_text(
        'backends = ["says_unsatisfiable"]\n[[puzzles]]\nfiles = ["puzzles.txt"]\nsolutions = 1\n'
    )
    ran = run("compare", str(config), "--engine", "inline")
    assert ran.code == 1
    assert "disagreements:" in ran.out
    assert "says_unsatisfiable claims no solutions in total, but 1 is known" in ran.out


def test_an_engine_is_known_by_its_former_name(run: Runner, puzzles: Path) -> None:
    once = ("--backends", "norvig", "--repeats", "1", "--sample-ms", "0")
    ran = run("compare", str(puzzles), *once, "--engine", "pebble")
    assert ran.code == 0
    assert "pebble" not in run("compare", "--help").out


@pytest.mark.usefixtures("faking")
def test_a_failure_is_exit_code_2(run: Runner, puzzles: Path) -> None:
    ran = run("compare", str(puzzles), "--backends", "raises", "--engine", "inline")
    assert ran.code == 2
    assert "failed: raises on " in ran.out
    assert "ZeroDivisionError: inside the fake" in ran.out


def test_ctrl_c_ends_it_within_a_second_with_all_runs_kept(puzzles: Path) -> None:
    process = started(puzzles, "--repeats", "2000")
    output = Path("results.jsonl")
    wait_for_runs(output, 20)
    began = time.perf_counter()
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=20)
    assert time.perf_counter() - began < 2.5  # of which a second is for a busy machine's report
    assert process.returncode == 130
    assert "interrupted after" in error
    assert "No disagreement" in out
    done = int(error.partition("interrupted after ")[2].split()[0])
    assert len(records_in(output)) == done


def test_another_question_is_not_resumed(run: Runner, puzzles: Path) -> None:
    arguments = ["compare", str(puzzles), "--backends", "norvig", "--output", "results.jsonl"]
    assert run(*arguments, "--repeats", "1").code == 0
    before = Path("results.jsonl").read_bytes()
    error = run.refused(*arguments, "--repeats", "2", "--resume")
    assert (
        "cannot resume results.jsonl: it was recorded with repeats=1, this run asks for repeats=2"
        in error
    )
    assert Path("results.jsonl").read_bytes() == before
    assert run("compare", str(puzzles), "--resume").code == 2


def test_a_full_disk_ends_it_with_one_message_and_all_runs_before(puzzles: Path) -> None:
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)); "
        "from unidoku.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    arguments = ["compare", str(puzzles), "--backends", "norvig,sat", "--repeats", "20"]
    arguments += ["--sample-ms", "0", "--engine", "inline"]
    ran = run_python("-c", limited, *arguments, "--output", "results.jsonl")
    assert ran.returncode == 2
    assert "results.jsonl cannot be written" in ran.stderr
    assert "continue with --resume" in ran.stderr
    assert "it holds all runs before this one" in ran.stderr
    assert Path("results.jsonl").read_bytes().endswith(b"\n")
    remaining = records_in(Path("results.jsonl"))
    assert 5 < len(remaining) < 80
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    resumed = run_python(
        "-m", "unidoku", *arguments, "--output", "results.jsonl", "--resume", env=environment
    )
    assert resumed.returncode == 0
    assert len(records_in(Path("results.jsonl"))) == 80


def test_symmetries_are_further_runs_and_a_table_of_luck(run: Runner, puzzles: Path) -> None:
    arguments = ["compare", str(puzzles), "--backends", "norvig,sat", "--symmetries", "3"]
    ran = run(*arguments, "--repeats", "1", "--output", "results.jsonl")
    assert ran.code == 0
    assert "Symmetry spread" in ran.out
    runs = records_in(Path("results.jsonl"))
    assert len(runs) == 2 * 2 * 4
    assert {record.image for record in runs} == {0, 1, 2, 3}
    counts = {record.case: record.count for record in runs}
    assert all(record.count == counts[record.case] for record in runs)


def test_the_self_test_says_what_the_run_cannot_resolve(run: Runner, puzzles: Path) -> None:
    asked = ("--backends", "norvig,sat", "--self-test", "--report", "r.html")
    ran = run("compare", str(puzzles), *asked)
    assert ran.code == 0
    assert "cannot resolve less than" in " ".join(ran.out.split())
    assert "norvig" in Path("r.html").read_text(encoding="utf-8")


def test_report_merges_journals_and_exports_runs(run: Runner, puzzles: Path) -> None:
    other = Path("other.txt")
    other.write_text("1234 .... .... ....\n")
    for file, name in ((puzzles, "a"), (other, "b")):
        arguments = ["compare", str(file), "--backends", "norvig,sat", "--repeats", "2"]
        assert run(*arguments, "--output", f"{name}.jsonl").code == 0
    ran = run("report", "a.jsonl", "b.jsonl", "--output", "c.jsonl", "--runs", "runs.csv")
    assert ran.code == 0
    assert "cases: 3, backends: 2, repeats: 2" in ran.out
    assert len(records_in(Path("c.jsonl"))) == 12
    cases = [entry for entry in read_journal(Path("c.jsonl")) if isinstance(entry, Case)]
    assert len(cases) == 3
    with Path("runs.csv").open(newline="") as runs:
        rows = list(csv.DictReader(runs))
    assert len(rows) == 12
    assert {row["key"] for row in rows} == {r.key for r in records_in(Path("c.jsonl"))}
    assert run("report", "c.jsonl", "--markdown").out.count("| norvig | 3 |") == 1


def test_replay_runs_a_run_again_and_prints_both(run: Runner, puzzles: Path) -> None:
    arguments = ["compare", str(puzzles), "--backends", "norvig", "--symmetries", "1"]
    assert run(*arguments, "--output", "a.jsonl").code == 0
    key = records_in(Path("a.jsonl"))[-1].key
    ran = run("replay", key[:10], "a.jsonl")
    assert ran.code == 0
    assert "The same answer." in ran.out
    assert [line.split()[0] for line in ran.out.splitlines() if line.startswith(("then", "now"))]
    for wrong in ("zzz", ""):
        error = run.refused("replay", wrong, "a.jsonl")
        assert "expected the key of one run" in error
        assert "keys begin; keys are" in error


OWN = """
class Solver:
    def search(self, board, request):
        print("looking", board.givens[0])
        return self.deeper({})

    def deeper(self, table):
        return table["boom"]
"""


def test_a_failure_of_ones_own_backend_is_found_by_file_and_line(
    run: Runner, puzzles: Path
) -> None:
    Path("failing_solver.py").write_text(OWN)
    backends = "norvig,failing_solver:Solver"
    compare = ("compare", str(puzzles), "--backends", backends, "--engine", "pool")
    ran = run(*compare, "--output", "a.jsonl")
    assert "KeyError: 'boom' (failing_solver.py, line 8)" in ran.out
    record = next(item for item in records_in(Path("a.jsonl")) if item.backend != "norvig")
    ran = run("replay", record.key, "a.jsonl", "--trust")
    assert ran.code == 0
    assert "traceback, then and now:\n  Traceback (most recent call last):" in ran.out
    assert 'failing_solver.py", line 8, in deeper' in ran.out
    assert "printed, then and now:\n  looking " in ran.out


def test_a_journal_without_tracebacks_is_read_and_replayed(run: Runner, puzzles: Path) -> None:
    Path("failing_solver.py").write_text(OWN)
    arguments = ["compare", str(puzzles), "--backends", "failing_solver:Solver"]
    run(*arguments, "--output", "a.jsonl")
    tables = [json.loads(line) for line in Path("a.jsonl").read_text().splitlines()]
    for table in tables:
        table.pop("traceback", None), table.pop("printed", None)
    Path("old.jsonl").write_text("".join(json.dumps(table) + "\n" for table in tables))
    (record, *_) = records_in(Path("old.jsonl"))
    assert (record.traceback, record.printed) == ("", "")
    ran = run("replay", record.key, "old.jsonl", "--trust")
    assert "traceback, then" not in ran.out
    assert "traceback, now:" in ran.out


def test_replay_notices_another_answer(run: Runner, puzzles: Path) -> None:
    assert run("compare", str(puzzles), "--backends", "norvig", "--output", "a.jsonl").code == 0
    lines = Path("a.jsonl").read_text().splitlines()
    spoilt = [line.replace('"count":1', '"count":0', 1) for line in lines]
    Path("b.jsonl").write_text("\n".join(spoilt) + "\n")
    key = next(r.key for r in records_in(Path("b.jsonl")) if r.count == 0)
    ran = run("replay", key, "b.jsonl")
    assert ran.code == 1
    assert "Another answer." in ran.out


def test_a_board_that_is_no_longer_solved_is_not_called_unchanged(
    run: Runner, puzzles: Path
) -> None:
    once = ("--backends", "norvig", "--repeats", "1", "--output", "a.jsonl")
    assert run("compare", str(puzzles), *once).code == 0
    lines = [json.loads(line) for line in Path("a.jsonl").read_text().splitlines()]
    (lost,) = (line for line in lines if line["type"] == "run" and line["count"] == 1)
    lost.update(outcome="timeout", count=0, solutions=[])
    del lost["stop"]
    Path("b.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = run("diff", "a.jsonl", "b.jsonl")
    assert "No longer solved within the limits: 1" in ran.out
    assert "No answer changed" not in ran.out
    assert "Where both journals have an answer, it is the same." in ran.out
    assert "Solved now but not before: 1" in run("diff", "b.jsonl", "a.jsonl").out


def test_diff_of_a_journal_with_itself_is_nothing(run: Runner, puzzles: Path) -> None:
    assert run("compare", str(puzzles), "--backends", "norvig,sat", "--output", "a.jsonl").code == 0
    ran = run("diff", "a.jsonl", "a.jsonl", "--fail-above", "1.0001")
    assert ran.code == 0
    assert "No answer changed." in ran.out
    assert "1.000" in ran.out


def test_diff_tells_changed_answers_and_new_time_outs(run: Runner, puzzles: Path) -> None:
    assert run("compare", str(puzzles), "--backends", "norvig", "--output", "a.jsonl").code == 0
    text = Path("a.jsonl").read_text()
    Path("wrong.jsonl").write_text(text.replace('"count":1', '"count":2'))
    ran = run("diff", "a.jsonl", "wrong.jsonl")
    assert ran.code == 1
    assert "Other answers: 1" in ran.out
    assert "1 solution in total → 2 solutions in total" in ran.out
    Path("late.jsonl").write_text(text.replace('"outcome":"solved"', '"outcome":"timeout"'))
    ran = run("diff", "a.jsonl", "late.jsonl")
    assert ran.code == 0
    assert "No longer solved within the limits: 2" in ran.out
    assert run("diff", "a.jsonl", "late.jsonl", "--fail-above", "9").code == 1
    assert "Solved now but not before: 2" in run("diff", "late.jsonl", "a.jsonl").out


def test_diff_fails_above_the_ratio_that_is_asked(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "several.txt"
    file.write_text("".join(f"{value}... .... .... ....\n" for value in "1234"))
    assert run("compare", str(file), "--backends", "norvig", "--output", "a.jsonl").code == 0
    slower = []
    for line in Path("a.jsonl").read_text().splitlines():
        table = json.loads(line)
        if table["type"] == "run":
            table["wall_ns"] *= 2
        slower.append(json.dumps(table))
    Path("b.jsonl").write_text("\n".join(slower) + "\n")
    ran = run("diff", "a.jsonl", "b.jsonl", "--fail-above", "1.5")
    assert ran.code == 1
    assert "slower: norvig by more than 1.5" in ran.out
    assert "2.000" in ran.out
    assert run("diff", "a.jsonl", "b.jsonl", "--fail-above", "2.5").code == 0
    assert run("diff", "b.jsonl", "a.jsonl", "--fail-above", "1.5").code == 0
    Path("none.jsonl").write_text(Path("a.jsonl").read_text().partition("\n")[0] + "\n")
    for ratio, other, message in (
        ("1.5", "none.jsonl", "expected a case that a backend solved in both journals, got none"),
        ("nan", "b.jsonl", "--fail-above: expected a ratio such as 1.10, got nan"),
        ("inf", "b.jsonl", "--fail-above: expected a ratio such as 1.10, got inf"),
    ):
        ran = run("diff", "a.jsonl", other, "--fail-above", ratio)
        assert ran.code == 2, "nothing passes where nothing is compared"
        assert message in ran.err


def started(puzzles: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "unidoku", "compare", str(puzzles)]
    arguments = ["--backends", "norvig,sat", "--output", "results.jsonl", *options]
    return subprocess.Popen(
        command + arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def wait_for_runs(output: Path, least: int) -> None:
    """Wait until a journal has so many runs."""
    for _ in range(600):
        if output.exists() and output.read_bytes().count(b'{"type":"run"') >= least:
            return
        time.sleep(0.05)
    raise AssertionError(f"{output} has fewer than {least} runs after 30 s")
