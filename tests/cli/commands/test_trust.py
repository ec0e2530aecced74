"""What files of a folder may start: nothing, until the user trusts it there."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import unidoku
from tests.helpers.command_lines import EVERY, arguments_of
from tests.helpers.command_runner import Runner, Terminal
from tests.helpers.programs import needs
from unidoku.backends import program_version
from unidoku.errors import SettingsError
from unidoku.support.trust import trusted_folders

BOARD = "1.....2..3.....4"
RAN = "ran"
CLASS = """
import os
open(os.environ["RAN"], "a").close()
from unidoku.backends.auto import Auto as Solver

def solve(board):
    return None
"""
PROGRAM = """
[programs.evil]
language = "dimacs"
command = "sh -c 'touch $RAN; exit 20' {file}"
"""
VERSION = """
[programs.evil]
language = "dimacs"
command = "true {file}"
version = "sh -c 'touch $RAN'"
"""
PUZZLES = '[[puzzles]]\nfiles = ["boards.txt"]\n'

SETTINGS = {
    "a program": f'backend = "evil"\n{PROGRAM}',
    "the version of a program": f'backend = "evil"\n{VERSION}',
    "a class": 'backend = "evilmodule:Solver"\n',
    "a function": 'backend = "function:evilmodule:solve"\n',
    "a nested label": f'backend = "auto[then=evil]"\n{PROGRAM}',
    "options of a class": '[backends."evilmodule:Solver"]\nbudget = 1\n',
    "options with a command": """[backends.cadical]\ncommand = "sh -c 'touch $RAN' {file}"\n""",
    "a file to write": f'backend = "sat[proof={RAN}]"\n',
    "options with a file": f'backend = "sat"\n[backends.sat]\nproof = "{RAN}"\n',
}
"""Settings that start, import or write something."""

QUIET = {"a nested label", "options of a class"}
"""Those of which nothing is seen when they are trusted: an easy board is not handed over."""

LABELS = {
    "a program": ("evil", PROGRAM),
    "the version of a program": ("evil", VERSION),
    "a class": ("evilmodule:Solver", ""),
    "a function": ("function:evilmodule:solve", ""),
    "a command": ("""program[language=dimacs,command="sh -c 'touch $RAN' {file}"]""", ""),
    "a file to write": (f"sat[proof={RAN}]", ""),
}
"""Labels of comparisons, with tables of programs."""


@pytest.fixture(autouse=True)
def _hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A working folder with a module that says whether it was imported."""
    home = tmp_path / "home"
    monkeypatch.setenv("UNIDOKU_TRUSTED", str(home / "trusted.json"))
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RAN", str(folder / RAN))
    program_version._printed.cache_clear()
    for index in (folder, tmp_path):
        (index / "evilmodule.py").write_text(CLASS)
    (folder / "boards.txt").write_text(f"{BOARD}\n")
    before = sys.path[:]
    yield
    sys.path[:] = before
    sys.modules.pop("evilmodule", None)


def has_run() -> bool:
    return Path(os.environ["RAN"]).exists()


def write_comparison(label: str, programs: str) -> Path:
    path = Path("it.toml")
    message = f"backends = [{json.dumps(label)}]\nrepeats = 1\nsample_ms = 0\nsolutions = 2\n"
    path.write_text(f"{message}{PUZZLES}{programs}")
    return path


@pytest.mark.parametrize(
    ("system", "name"),
    [
        pytest.param(
            system,
            name,
            marks=[
                *[pytest.mark.thorough] * (index > 0 and system != "unidoku.toml"),
                *[needs("cadical")] * ("backends.cadical" in text),
            ],
        )
        for system in ("unidoku.toml", "pyproject.toml", "../unidoku.toml")
        for index, (name, text) in enumerate(SETTINGS.items())
    ],
)
def test_settings_of_a_folder_start_nothing_until_it_is_trusted(
    system: str, name: str, run: Runner
) -> None:
    text = SETTINGS[name]
    if system == "pyproject.toml":
        text = re.sub(r"^\[", "[tool.unidoku.", text, flags=re.MULTILINE)
        text = f"[tool.unidoku]\n{text}"
    Path(system).write_text(text)
    named = re.search(r"\[(?:tool\.unidoku\.)?backends\.(\w+)", text)
    for command in (["solve", BOARD], ["backends"], ["config"], ["count", BOARD]):
        ran = run(*command)
        assert ran.code == 0
        assert not has_run(), command
    assert "is not trusted" in run("config").err
    trusted = Path(system).parent
    assert run("trust", str(trusted)).code == 0
    assert str(trusted.resolve()) in trusted_folders()
    ran = run("solve", BOARD, "--solutions=2", *(["--backend", named[1]] if named else []))
    assert "is not trusted" not in ran.err
    assert "is not trusted" not in run("backends").err
    assert has_run() or name in QUIET, ran.err


@pytest.mark.parametrize(("label", "programs"), LABELS.values(), ids=LABELS)
def test_a_comparison_starts_nothing_until_it_is_trusted(
    label: str, programs: str, run: Runner
) -> None:
    path = write_comparison(label, programs)
    compare = ["compare", str(path), "--engine", "inline", "--output", "runs.jsonl"]
    ran = run(*compare)
    assert (ran.code, has_run(), Path("runs.jsonl").exists()) == (2, False, False)
    assert ran.err.startswith(f"unidoku: {path} is not trusted: ")
    assert f"unidoku trust {path.parent}, or add --trust" in ran.err
    with pytest.raises(SettingsError, match="is not trusted"):
        unidoku.comparison.read_plan(path).solvers()
    assert run("compare", str(path), "--backends", "native", "--engine", "inline").code == 0
    assert not has_run()
    run(*compare, "--trust")
    assert has_run()
    assert trusted_folders() == {}  # agreed to once


@pytest.mark.parametrize(("label", "programs"), LABELS.values(), ids=LABELS)
def test_a_journal_starts_nothing_until_it_is_trusted(
    label: str, programs: str, run: Runner
) -> None:
    path = write_comparison(label, programs)
    run("compare", str(path), "--engine", "inline", "--output", "runs.jsonl", "--trust")
    for written in Path().glob(f"{RAN}*"):
        written.unlink()
    sys.modules.pop("evilmodule", None)
    for command in ("report runs.jsonl", "diff runs.jsonl runs.jsonl", "replay KEY runs.jsonl"):
        ran = run(*arguments_of(command, Path()))
        assert not has_run(), command
    assert (ran.code, "runs.jsonl is not trusted" in ran.err) == (2, True)
    assert run("trust", "runs.jsonl").code == 0
    ran = run(*arguments_of("replay KEY runs.jsonl", Path()))
    assert "is not trusted" not in ran.err
    assert has_run() or "version" in programs  # which is not asked again


@pytest.mark.parametrize("command", EVERY)
def test_no_command_runs_what_lies_in_the_folder(command: str, run: Runner, folder: Path) -> None:
    (folder / "evilmodule.py").write_text(CLASS)
    (folder / "unidoku.toml").write_text(f'backend = "evilmodule:Solver"\n{PROGRAM}')
    (folder / "pyproject.toml").write_text(
        '[tool.unidoku]\nbackend = "function:evilmodule:solve"\n'
    )
    ran = run(*arguments_of(command, folder))
    assert not has_run()
    assert ran.code == EVERY[command]


def test_a_folder_of_findings_imports_nothing(run: Runner) -> None:
    hunt = Path("hunt")
    hunt.mkdir()
    table = {"seed": 1, "backends": ["native", "evilmodule:Solver"]}
    (hunt / "progress.json").write_text(json.dumps(table))
    ran = run("fuzz", "--backends=native,norvig", "--boards=1", "--workers=1", "--output=hunt")
    assert (ran.code, has_run()) == (2, False)


def test_a_library_call_reads_no_settings_unless_it_is_asked() -> None:
    Path("unidoku.toml").write_text("not even TOML")
    assert unidoku.solve(BOARD).answered_by == "native"
    assert unidoku.check(BOARD).proper is not None
    assert unidoku.load("norvig").label == "norvig"
    with pytest.raises(SettingsError, match="is not TOML"):
        unidoku.configured()
    Path("unidoku.toml").write_text('backend = "evilmodule:Solver"\n')
    with pytest.warns(UserWarning, match="is not trusted: module evilmodule:Solver"):
        assert unidoku.configured().label == "auto"
    assert not has_run()
    Path("unidoku.toml").write_text('backend = "norvig"\n')
    assert unidoku.configured().label == "norvig"
    assert unidoku.solve(BOARD).answered_by == "native"


def test_the_environment_names_the_backend_of_library_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("UNIDOKU_BACKEND", "auto[then=norvig,budget=1]")
    assert unidoku.configured().label == "auto[budget=1,then=norvig]"
    monkeypatch.setenv("UNIDOKU_BACKEND", "norvig")
    assert unidoku.solve(BOARD).answered_by == ""
    assert not has_run()


def test_what_is_typed_needs_no_trust(run: Runner) -> None:
    assert run("solve", BOARD, "--backend", "evilmodule:Solver").code == 0
    assert has_run()


def test_a_change_must_be_trusted_again(run: Runner) -> None:
    settings = Path("unidoku.toml")
    settings.write_text(f'backend = "evil"\n{PROGRAM}')
    run("trust", ".")
    settings.write_text(f'backend = "evil"\ntime_limit = 3\n{PROGRAM}')
    run("solve", BOARD)
    assert has_run()
    Path(RAN).unlink()
    settings.write_text(f'backend = "evil"\n{PROGRAM}'.replace("exit 20", "exit 10"))
    assert "is not trusted" in run("solve", BOARD).err
    assert not has_run()
    settings.write_text(f'backend = "evil"\n{PROGRAM}')
    assert run("trust", "--remove", ".").code == 0
    assert "is not trusted" in run("solve", BOARD).err
    assert run("trust", "--remove", ".").code == 1
    assert not has_run()


@pytest.mark.parametrize("text", ["[programs.x", "[programs.x]\ncommand = './x'\nfrom = 'line'\n"])
def test_settings_that_cannot_be_read_are_an_error_of_their_folder(run: Runner, text: str) -> None:
    Path("unidoku.toml").write_text(text)
    assert "unidoku.toml" in run.refused("trust", ".")


def test_a_copy_elsewhere_is_not_trusted(run: Runner, tmp_path: Path) -> None:
    path = write_comparison(*LABELS["a class"])
    run("trust", ".")
    other = tmp_path / "other"
    shutil.copytree(".", other)
    assert run("compare", str(other / path), "--engine", "inline").code == 2
    assert not has_run()


def test_modules_of_a_trusted_comparison_are_those_of_its_folder(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_comparison(*LABELS["a class"]).absolute()
    run("trust", ".")
    other = tmp_path / "other"
    other.mkdir()
    (other / "evilmodule.py").write_text("raise SystemExit('the wrong one')")
    monkeypatch.chdir(other)
    assert run("compare", str(path), "--engine", "inline").code == 0
    assert has_run()


@pytest.mark.parametrize(("message", "trusts"), [("y\n", True), ("n\n", False), ("", False)])
def test_a_terminal_is_asked_and_its_answer_is_remembered(
    message: str, trusts: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from unidoku.cli.program import run

    path = write_comparison(*LABELS["a class"])
    monkeypatch.setattr(sys, "stdin", Terminal(message))
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    run(["compare", str(path), "--engine", "inline", "--backends", "native"])
    assert "would start" not in terminal.getvalue()
    run(["compare", str(path), "--engine", "inline"])
    assert "  module evilmodule:Solver\n" in terminal.getvalue()
    assert has_run() == trusts == bool(trusted_folders())


def test_examples_that_come_with_the_package_are_trusted_wherever_they_lie(
    root: Path, run: Runner
) -> None:
    shutil.copy(root / "examples" / "red-handed.toml", "red-handed.toml")
    Path("textbook_cp_sat.py").write_text(CLASS)
    plan = unidoku.comparison.read_plan(Path("red-handed.toml"))
    assert "textbook_cp_sat:CpSat[num_workers=2]" in plan.solvers()
    assert not has_run()  # the module is that of the package
    with Path("red-handed.toml").open("a") as file:
        file.write("\n")
    assert run("compare", "red-handed.toml").code == 2


def test_the_list_is_shown_and_a_broken_one_is_named(run: Runner) -> None:
    assert run("trust", "--list").out == "nothing is trusted\n"
    Path("unidoku.toml").write_text(f'backend = "evil"\n{PROGRAM}')
    shown = run("trust", ".").out
    assert shown == run("trust", "--list").out
    assert f"trusted in {Path.cwd()}:\n  program evil: sh -c" in shown
    assert "nothing that is not trusted" in run("trust", ".").out
    for wrong in ([], ["absent"], ["boards.txt"], ["--list", "."]):
        ran = run("trust", *wrong)
        assert (ran.code, ran.out) == (2, ""), wrong
    contained = Path(os.environ["UNIDOKU_TRUSTED"])
    for broken in ("{", "[]", '{"/": 3}', "\0"):
        contained.write_text(broken)
        error = run.refused("solve", BOARD)
        assert str(contained) in error
        assert "remove it" in error


def test_an_assignment_starts_nothing_but_the_folder_of_students(run: Runner) -> None:
    Path("students").mkdir()
    Path("students/anna.py").write_text("def solve(puzzle): return None\n")
    Path("unidoku.toml").write_text('backend = "evilmodule:Solver"\n')
    Path("it.toml").write_text('boards = ["boards.txt"]\nfunction = "evilmodule:Solver"\n')
    assert run("grade", "students", "--assignment", "it.toml").code == 0
    assert not has_run()
