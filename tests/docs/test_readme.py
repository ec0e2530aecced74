"""Every command and program of README.md and docs/ is run, and does what the page shows."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

from tests.helpers.pages import PAGES, Page, shell, steady
from tests.helpers.programs import PACKAGES, VARIABLE, named_in, needs
from unidoku.cli.program import cli, run
from unidoku.settings import read_settings

pytestmark = [pytest.mark.docs, pytest.mark.processes]

HERE = [page for page in PAGES if page.name != "docs/own-backend.md"]  # it has a test of its own
RED_HANDED = "unidoku compare examples/red-handed.toml"
USUAL_HEADINGS = ["backend", "solved", "median", "mean", "max", "PAR2", "unique", "× first"]


def marks_of(page: Page, command: str, shown: str) -> list[pytest.MarkDecorator]:
    """Return what a command needs; comparisons and hunts of ``make test`` are in the README."""
    is_later = page.name != "README.md" and re.search("unidoku (compare|fuzz)", command)
    return [needs(*named_in(shown)), *[pytest.mark.thorough] * bool(is_later)]


COMMANDS = [
    pytest.param(command, shown, id=f"{page.name}: {command}", marks=marks_of(page, command, shown))
    for page in HERE
    for command, shown in page.commands
    if not command.startswith(RED_HANDED)
]
PROGRAMS = [
    pytest.param(program, shown, id=f"{page.name} {number}")
    for page in HERE
    for number, (program, shown) in enumerate(page.programs, 1)
]
FAILURES = {"unidoku: ": 2, "not proper": 1, "no solution": 1}
"""What a command prints that does not exit with 0, and its exit code."""
IN_SHELL = re.compile(r"[|;<>$&]|auto\[")
"""What only a shell understands, and a backend that would know a board that it has met."""


@pytest.fixture
def folder(tmp_path: Path, root: Path) -> Path:
    """A folder with what the commands name, where they may write."""
    shutil.copytree(root / "examples", tmp_path / "examples")
    shutil.copy(root / "compare.py", tmp_path)
    return tmp_path


def table_of(lines: list[str]) -> list[str]:
    return [line for line in lines if line[0] in "┏┃┡└" or "│" in line]


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_every_command_prints_what_the_page_shows(
    command: str,
    shown: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Unidoku runs in this process where no shell has to start it: hundreds of imports less."""
    before, _, last = command.rpartition("; ")
    alone, _, after = last.partition(" | ")
    if alone.startswith("unidoku ") and not IN_SHELL.search(alone):
        first = shell(before, folder)
        monkeypatch.chdir(folder)
        code = run(shlex.split(alone)[1:])
        out, errors = capfd.readouterr()
        printed = first.stdout + first.stderr + out + errors
        if after:
            ran = shell(after, folder, out)
            code, printed = ran.returncode, ran.stdout + errors
    else:
        ran = shell(command, folder)
        code, printed = ran.returncode, ran.stdout + ran.stderr
    assert steady(printed) == steady(shown)
    codes = {code for start, code in FAILURES.items() if shown.startswith(start)}
    assert code in (codes or {0})


def test_the_pages_have_commands_and_programs() -> None:
    names = {page.name for page in HERE if list(page.commands)}
    assert {"README.md", "docs/command-line.md", "docs/comparison.md", "docs/explain.md"} <= names
    assert len(COMMANDS) >= 15
    assert {"README.md", "docs/layouts.md"} <= {page.name for page in HERE if page.programs}


def test_cp_sat_is_caught_red_handed_in_three_ways(folder: Path) -> None:
    """It loses a hundred and twenty grids and says that it has all, or returns one twice."""
    result, short = (
        next(shown for page in HERE for command, shown in page.commands if command == wanted)
        for wanted in (RED_HANDED, f"{RED_HANDED} | tail -3")
    )
    assert result.splitlines()[-3:] == short.splitlines()
    ran = shell(RED_HANDED, folder)
    assert ran.returncode == 1
    liar = r"textbook_cp_sat:CpSat"
    lies = (
        rf"{liar}\[num_workers=2\]( claims \d+ solutions in total, but 288|: the same grid)",
        rf"Skyscrapers .*\n +{liar}\[num_workers=1\]: the same grid is returned twice",
        rf"{liar}\[booleans=true\] claims no solutions in total, but 1 verified",
    )
    for text in (ran.stdout, result):
        assert re.search(r"^\d disagreements:$", text, re.MULTILINE)
        assert all(re.search(lie, text) for lie in lies)
        for honest in ("native", "clingo", "cp-sat"):
            assert honest in text
        assert not re.search(r"^    (native|clingo|cp-sat)\b", text, re.MULTILINE)
        headings = table_of(steady(text))[1].strip("┃ ").split(" ┃ ")
        # A run decides which outcomes occur; with long names, the terminal has no room for all.
        usual = [heading for heading in headings if heading not in ("wrong", "refuted", "unique")]
        assert usual == [heading for heading in USUAL_HEADINGS if heading != "unique"]


def test_the_readme_is_short_and_its_speeds_are_those_measured(root: Path) -> None:
    readme = next(page.text for page in HERE if page.name == "README.md")
    assert len(readme.splitlines()) <= 130
    results = (root / "benchmarks" / "results" / "native.md").read_text(encoding="utf-8")
    result = re.findall(r"^\| (\w+) \| [\d.]+ \| ([\d.]+) \| ([\d.]+) \|$", readme, re.MULTILINE)
    assert len(result) == 4
    for file, lanes, checked in result:
        assert f"\n| {file} | {lanes} | {checked} |" in results


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # of files that short programs leave open
@pytest.mark.parametrize(("program", "shown"), PROGRAMS)
def test_every_program_prints_what_the_page_shows(
    program: str,
    shown: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    module = ModuleType("program")  # where dataclasses look for the types of their fields
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(program, "program.py", "exec"), vars(module))
    assert capfd.readouterr() == (shown, "")


@pytest.mark.thorough
def test_the_comparison_that_is_shown_is_the_one_of_make_compare(root: Path) -> None:
    blocks = [block for page in HERE for block in page.blocks("text")]
    messages = [block for block in blocks if block.startswith("cases: ")]
    assert messages
    ran = shell("unidoku compare --repeats 1 --sample-ms 0 --time-limit 0.1", root)
    printed = steady(ran.stdout)
    for block in messages:
        expected = steady(block.replace("repeats: 3", "repeats: 1"))
        assert printed[0] == expected[0]
        assert len(table_of(expected)) == 4 + 11
        assert table_of(printed) == table_of(expected)
    assert re.search(r"No disagreement: \d+ of 21 cases were decided by several", ran.stdout)
    assert ran.returncode == 0


def test_the_tasks_that_pages_name_are_there_and_ci_runs_the_checks(root: Path) -> None:
    makefile = (root / "Makefile").read_text()
    tasks = set(re.findall(r"^([a-z-]+):.* ##", makefile, re.MULTILINE))
    named = {
        task
        for page in PAGES
        for block in re.findall(
            r"^```(?:sh|console)?\n(.*?)^```$", page.text, re.MULTILINE | re.DOTALL
        )
        for task in re.findall(r"^(?:\$ )?make ([a-z-]+)", block, re.MULTILINE)
    }
    assert {"compare", "test"} <= named <= tasks
    script = (root / ".ci" / "run").read_text()
    check = re.search(r"^check: (.*?) ##", makefile, re.MULTILINE)
    assert check
    assert "\nmake compare\nmake check\n" in script
    assert {"lint", "types", "test", "test-thorough", "docs"} <= set(check[1].split()) <= tasks


def test_ci_installs_the_programs_that_tests_need_and_requires_them(root: Path) -> None:
    script = (root / ".ci" / "run").read_text()
    listed = re.search(r"for program in (.*?); do", script, re.DOTALL)
    assert listed
    rows = [row.partition(":") for row in listed[1].replace("\\\n", " ").split()]
    assert {program: package or program for program, _, package in rows} == PACKAGES
    assert f"export {VARIABLE}=required\n" in script


def test_links_lead_somewhere(root: Path) -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.text):
            if not link.startswith("https://"):
                assert (root / page.name).parent.joinpath(link).exists(), f"{page.name}: {link}"


def test_files_and_options_that_pages_name_are_there(root: Path) -> None:
    files = r"`((?:unidoku|tests|docs|benchmarks/results|building)/[\w./-]+)`"
    named = {name for page in PAGES for name in re.findall(files, page.text)}
    assert len(named) > 10
    assert [name for name in sorted(named) if not (root / name).exists()] == []
    context = click.Context(cli)
    options = {
        name: {option for item in command.params for option in (*item.opts, *item.secondary_opts)}
        for name in cli.list_commands(context)
        if (command := cli.get_command(context, name)) is not None
    }
    wrong = [
        f"{page.name}: {line}"
        for page in PAGES
        for line, name in re.findall(r"(unidoku ([a-z-]+) [^\n`|;&(]*)", page.text)
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", line)
        if name in options and option not in {*options[name], "--help"}
    ]
    assert wrong == []


def test_the_settings_that_are_shown_are_understood(tmp_path: Path) -> None:
    blocks = [block for page in HERE for block in page.blocks("toml")]
    block_shown = [block for block in blocks if block.startswith("backend = ")]
    assert block_shown
    for block in block_shown:
        (tmp_path / "unidoku.toml").write_text(block)
        assert read_settings(tmp_path).backend.value == "cp-sat"


def test_the_pictures_are_what_is_drawn_and_searched(make_images: Any) -> None:
    drawn = {
        "boards": make_images.boards(),
        "rules": make_images.rules(),
        "lanes": make_images.lanes_image.lanes(),
        "queue": make_images.queue_image.queue(),
    }
    for name, picture in drawn.items():
        assert picture == (make_images.IMAGES / f"{name}.svg").read_text(encoding="utf-8"), name
