from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.helpers.command_runner import Runner
from tests.helpers.hunting import guarded, survive
from unidoku.backends.solving.solver import Solver
from unidoku.cli import printing
from unidoku.cli.commands import fuzz
from unidoku.comparison import run as runners
from unidoku.fuzzing import run as fuzzing_run
from unidoku.fuzzing.finding import read_finding
from unidoku.fuzzing.folder import Folder

pytestmark = pytest.mark.usefixtures("elsewhere")

ALONE = ("--backends", "norvig")
MUTANT = "tests.helpers.wrong.mutants:DropsAUnit"
ENOUGH = ("--boards", "24", "--minutes", "5", "--sizes", "2-5")
FEW = ("--boards", "16", "--minutes", "5", "--sizes", "2-5")


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask the backends in this process, which is faster."""

    def engine(
        solvers: Mapping[str, Solver], *_: object, **__: object
    ) -> AbstractContextManager[runners.Runner]:
        return guarded(list(solvers))(None)

    survive(monkeypatch)
    monkeypatch.setattr(fuzzing_run, "open_runner", engine)


@pytest.mark.usefixtures("in_process")
def test_sound_backends_leave_nothing_but_the_progress(run: Runner) -> None:
    ran = run("fuzz", "--backends", "norvig,exact-cover", *FEW)
    assert ran.code == 0
    assert "findings: 0" in ran.out
    assert [path.name for path in Path("fuzz-findings").iterdir()] == ["progress.json"]
    progress = json.loads(Path("fuzz-findings/progress.json").read_text(encoding="utf-8"))
    assert progress["next"] == 16
    assert progress["runs"] == 2 * progress["boards"] >= 32
    assert progress["seconds"] > 0


@pytest.mark.usefixtures("in_process")
def test_what_is_found_is_told_and_saved_and_the_exit_code_is_1(run: Runner) -> None:
    ran = run("fuzz", "--backends", f"norvig,{MUTANT}", "--output", "found", *FEW)
    assert ran.code == 1
    (path,) = Path("found").glob("*.toml")
    assert f"found: wrong grid: {MUTANT}: row A: 1 appears 2 times" in ran.out
    assert str(path) in ran.out
    assert "findings: 1, in found" in ran.out
    assert f"wrong grid: {MUTANT}: seen" in ran.out
    assert len(read_finding(path).boards[0].layout) == 2
    assert len(list(Path("found").glob("test_*.py"))) == 1


@pytest.mark.usefixtures("in_process")
def test_a_short_name_is_shown_and_the_label_is_saved(run: Runner) -> None:
    ran = run("fuzz", "--backends", f"norvig,mine={MUTANT}", "--output", "found", *FEW)
    assert ran.code == 1
    assert "found: wrong grid: mine: row A: 1 appears 2 times" in ran.out
    assert "  wrong grid: mine: seen" in ran.out
    assert f"  mine is {MUTANT}\n" in ran.out
    (path,) = Path("found").glob("*.toml")
    assert read_finding(path).backend == MUTANT
    progress = json.loads(Path("found/progress.json").read_text(encoding="utf-8"))
    assert progress["backends"] == ["norvig", MUTANT]
    refused = run("fuzz", "--backends", f"mine=norvig,mine={MUTANT}", "--output", "other", *FEW)
    assert (refused.code, refused.out) == (2, "")
    assert "backends: two of them are named 'mine'" in refused.err


@pytest.mark.usefixtures("in_process")
def test_a_hunt_in_the_same_folder_goes_on_and_remembers_what_it_found(run: Runner) -> None:
    backends = ("--backends", f"norvig,{MUTANT}")
    assert run("fuzz", *backends, *FEW).code == 1
    before = Folder(Path("fuzz-findings")).findings()
    again = run("fuzz", *backends, "--boards", "24", "--sizes", "2-5")
    assert again.code == 1
    assert "continues at number 16; known findings: 1" in again.out
    assert "next number: 24" in again.out
    assert Folder(Path("fuzz-findings")).findings() == before
    done = run("fuzz", *backends, "--boards", "24", "--sizes", "2-5")
    assert (done.code, "next number: 24" in done.out) == (1, True)


@pytest.mark.usefixtures("in_process")
def test_a_backend_alone_is_compared_with_itself(run: Runner) -> None:
    ran = run("fuzz", "--backends", "tests.helpers.wrong.mutants:LosesTheLastSolution", *ENOUGH)
    assert ran.code == 1
    findings = Folder(Path("fuzz-findings")).findings()
    assert {finding.images for finding in findings} == {2}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--backends", ""), "--backends: expected labels"),
        (("--backends", "no-such"), "expected a backend, got 'no-such'"),
        (
            ("--backends", "tests.helpers.wrong.mutants:NoSuch"),
            "tests.helpers.wrong.mutants:NoSuch",
        ),
        (("--minutes", "0", *ALONE), "--minutes: expected a number above 0"),
        (("--minutes", "nan", *ALONE), "--minutes: expected a number above 0"),
        (("--sizes", "9-2", *ALONE), "--sizes: expected sizes such as 2-16"),
        (("--sizes", "0-2", *ALONE), "--sizes: expected sizes such as 2-16"),
        (("--sizes", "x", *ALONE), "--sizes: expected sizes such as 2-16"),
        (("--time-limit", "0", *ALONE), "time_limit: expected seconds above 0"),
        (("--time-limit", "inf", *ALONE), "--time-limit: expected seconds"),
        (("--boards", "0", *ALONE), "--boards"),
        (("--rules", "kiler", *ALONE), "expected a kind of rule, got 'kiler'; did you mean"),
        (
            ("--rules", ",", *ALONE),
            "--rules: expected kinds of rules, got ','; known: ambiguous-arrow, any-of, a",
        ),
        (("no.txt", *ALONE), "expected puzzle files, but nothing matches"),
        (("b.txt", "--sizes", "2-4", *ALONE), "expected no sizes for puzzles"),
        ((), "--backends"),
    ],
)
def test_bad_input_is_refused_before_anything_starts(
    arguments: tuple[str, ...], message: str, run: Runner
) -> None:
    Path("b.txt").write_text("1..2" * 4 + "\n", encoding="utf-8")
    assert message in run.refused("fuzz", *arguments)
    assert not Path("fuzz-findings").exists()


@pytest.mark.usefixtures("in_process")
def test_an_interrupt_keeps_what_was_found(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    add = Folder.add

    def interrupted(folder: Folder, finding: object) -> Path:
        add(folder, finding)  # type: ignore[arg-type]  # a finding
        raise KeyboardInterrupt

    monkeypatch.setattr(Folder, "add", interrupted)
    ran = run("fuzz", "--backends", f"norvig,{MUTANT}", *FEW)
    assert ran.code == 130
    assert "interrupted" in ran.err
    assert "findings:" in ran.out
    assert len(Folder(Path("fuzz-findings")).findings()) == 1
    assert json.loads(Path("fuzz-findings/progress.json").read_text(encoding="utf-8"))["next"] == 0


@pytest.mark.usefixtures("in_process")
def test_progress_is_printed_now_and_then(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "_EVERY", 0.0)
    ran = run("fuzz", "--backends", "norvig", *FEW)
    assert "findings: 0, left: 5.0 min" in ran.err


@pytest.mark.usefixtures("in_process")
def test_on_a_terminal_a_line_changes_in_place(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, bool]] = []

    @contextlib.contextmanager
    def live() -> Iterator[printing.Show]:
        with printing.live() as show:

            def spied(text: str, *, lasting: bool) -> None:
                shown.append((text, lasting))
                show(text, lasting=lasting)

            yield spied

    monkeypatch.setattr(fuzz, "showing", live)
    ran = run("fuzz", "--backends", f"norvig,{MUTANT}", *FEW)
    assert ran.code == 1
    assert any(text.startswith("boards: ") and not lasting for text, lasting in shown)
    assert f"found: wrong grid: {MUTANT}" in ran.err


@pytest.mark.thorough
def test_a_backend_that_takes_its_process_down_is_found_and_the_hunt_goes_on(run: Runner) -> None:
    crashing = "tests.helpers.wrong.mutants:CrashesWithoutUnits"
    ran = run("fuzz", "--backends", f"norvig,{crashing}", "--boards", "32", "--sizes", "2-4")
    assert ran.code == 1
    assert "next number: 32" in ran.out
    (finding,) = Folder(Path("fuzz-findings")).findings()
    assert (finding.kind, finding.backend) == ("crashed", crashing)
    (board,) = finding.boards
    assert (board.layout.n, len(board.layout), board.layout.units) == (1, 1, ())
    assert "exited with code 11" in finding.evidence


@pytest.mark.usefixtures("in_process")
def test_puzzles_are_searched_and_changed(run: Runner) -> None:
    Path("mine").mkdir()
    Path("mine/a.txt").write_text("1... .... .... ...4\n", encoding="utf-8")
    Path("b.txt").write_text("....\n.2..\n....\n....\n", encoding="utf-8")
    backends = ("--backends", "norvig,exact-cover", "--boards", "8")
    ran = run("fuzz", "mine", "b*.txt", *backends)
    assert ran.code == 0
    progress = json.loads(Path("fuzz-findings/progress.json").read_text(encoding="utf-8"))
    assert progress["next"] == 8
    assert len(progress["options"]["puzzles"]) == 16
    other = run("fuzz", "mine", *backends)
    assert (other.code, "name another folder" in other.err) == (2, True)


@pytest.mark.usefixtures("in_process")
def test_kinds_of_rules_are_restricted(run: Runner) -> None:
    options = ("--backends", "norvig,tests.helpers.wrong.rules:Forgets", "--sizes", "3-4")
    ran = run("fuzz", *options, "--rules", "thermo", "--boards", "12")
    assert (ran.code, "findings: 0" in ran.out) == (0, True)
    killer = run("fuzz", *options, "--rules", "killer,thermo", "--boards", "12", "--output", "two")
    assert (killer.code, "findings: 0" in killer.out) == (1, False)
