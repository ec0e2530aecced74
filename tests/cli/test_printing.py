"""Nothing that others wrote steers the terminal: names, comments, names of files, arguments."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from tests.cli.test_streams import terminal
from tests.helpers.command_lines import BOARD, CLASH, EVERY, ONCE, arguments_of
from tests.helpers.command_runner import Runner
from unidoku.cli import codes, program

HOSTILE = "a\x1b[45;5mb\x07c\x9b2Jd\u202ee\u2066f\x08\rg\x1b]0;h\x07\u200f"
"""Escape, bell, a control character of 8 bits, turned directions, backspace, a window's title."""

COMMENT = HOSTILE.replace("\r", "")  # which ends a line

NAMED = "g\u202eh"
"""What names in TOML may hold."""

OURS = re.compile(r"\x1b\[(?!45)[\d;]*m")
LIVE = re.compile(r"\x1b\[\?25[lh]|\x1b\[[12]?[KA]|\r")
"""What a line that changes in place needs."""

WRONG = {
    "command": [HOSTILE],
    "option": ["solve", f"--{HOSTILE}"],
    "text": ["solve", HOSTILE],
    "cells": ["solve", f"12..{HOSTILE}34.."],
    "file": ["solve", f"no {HOSTILE}.txt"],
    "variant": ["solve", BOARD, "--variant", HOSTILE],
    "backend": ["solve", BOARD, "--backend", HOSTILE],
    "option of a backend": ["solve", BOARD, "--backend", f"norvig[{HOSTILE}=1]"],
    "limit": ["solve", BOARD, "--time-limit", HOSTILE],
    "techniques": ["explain", BOARD, "--techniques", HOSTILE],
    "format": ["convert", BOARD, "--to", HOSTILE],
    "output": ["convert", BOARD, "-o", f"no/{HOSTILE}.toml"],
    "language": ["export", BOARD, "--to", HOSTILE],
    "answer": ["read-answer", BOARD, "--language", "dimacs", "--answer", HOSTILE],
    "plan": ["compare", f"{HOSTILE}.toml"],
    "journal": ["report", HOSTILE],
    "key": ["replay", HOSTILE, "runs.jsonl"],
    "scheduler": ["count", BOARD, "--scheduler", HOSTILE],
    "shell": ["completion", HOSTILE],
}


class Terminal(io.BytesIO):
    """Takes what a terminal would show."""

    def isatty(self) -> bool:
        return True


class Shown:
    """Runs command lines, and keeps all that they print to a terminal or a pipe."""

    def __init__(self, kind: type[io.BytesIO], patch: pytest.MonkeyPatch) -> None:
        self._pair = [kind(), kind()]
        self._patch = patch

    def run(self, *arguments: str) -> int:
        # In the test itself: pytest puts its own streams there after the fixtures.
        for name, written in zip(("stdout", "stderr"), self._pair, strict=True):
            stream = io.TextIOWrapper(written, "utf-8", write_through=True)
            self._patch.setattr(sys, name, stream)
        try:
            return program.run(arguments)
        finally:
            for name in ("stdout", "stderr"):
                getattr(sys, name).detach()

    @property
    def text(self) -> str:
        return "".join(written.getvalue().decode() for written in self._pair)

    def is_harmless(self) -> bool:
        """Return whether all of it shows itself, except the ends of lines and our colours."""
        result = OURS.sub("", self.text)
        if isinstance(self._pair[0], Terminal):
            result = LIVE.sub("", result)
        assert result
        return not [item for item in result if not item.isprintable() and item != "\n"]


@pytest.fixture(params=[Terminal, io.BytesIO], ids=["terminal", "pipe"])
def shown(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Shown:
    return Shown(request.param, monkeypatch)


@pytest.fixture
def hostile(folder: Path) -> Path:
    """A folder with files of hostile names and contents."""
    (folder / f"{HOSTILE}.txt").write_text(f"{BOARD}  # {COMMENT}\n{CLASH}  # {COMMENT}\n")
    (folder / "one.txt").write_text(f"{BOARD}  # {COMMENT}\n")
    rules = f'version = 1\nname = "{NAMED}"\nsize = 4\ngivens = "{BOARD}"\n'
    (folder / "one.toml").write_text(rules)
    return folder


@pytest.mark.usefixtures("_no_workers")
@pytest.mark.parametrize("command", EVERY)
def test_names_in_files_steer_no_terminal(command: str, hostile: Path, shown: Shown) -> None:
    one_only = command.startswith(("draw", "export", "read-answer"))
    for files in [["one.toml"], ["one.txt"]] if one_only else [["one.toml", f"{HOSTILE}.txt"]]:
        arguments = arguments_of(command, hostile)
        boards = (BOARD, CLASH, "boards.txt")
        shown.run(*(board for word in arguments for board in (files if word in boards else [word])))
        assert shown.is_harmless()


@pytest.mark.parametrize("argument", WRONG)
def test_arguments_in_errors_steer_no_terminal(argument: str, hostile: Path, shown: Shown) -> None:
    assert shown.run(*WRONG[argument]) == codes.ERROR
    assert shown.is_harmless()


def test_names_in_journals_steer_no_terminal(hostile: Path, shown: Shown) -> None:
    journal = f"{HOSTILE}.jsonl"
    assert shown.run("compare", f"{HOSTILE}.txt", *ONCE.split(), "--output", journal) == codes.YES
    for options in ([], ["--by", "source"]):
        shown.run("report", journal, *options)
    shown.run("diff", journal, journal)
    _, _, rest = (hostile / journal).read_text().partition('"key":"')
    shown.run("replay", rest.partition('"')[0], journal)
    assert shown.is_harmless()


def test_markup_in_names_makes_no_links(hostile: Path, shown: Shown) -> None:
    (hostile / "[link=https:x]a[!].txt").write_text(f"{BOARD}  # [red]b[/]\n")
    shown.run("solve", "[link=https:x]a[!].txt", "-o", "out.txt")
    shown.run("rate", "[link=https:x]a[!].txt")
    assert "]8;" not in shown.text


@pytest.mark.processes
def test_a_real_terminal_shows_a_hostile_name_as_it_is(hostile: Path) -> None:
    result = terminal("hint one.txt")
    assert "# a?[45;5mb?c?2Jd?e?f?g?]0;h??" in result


def test_data_that_is_redirected_is_exact(hostile: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (hostile / "exact.toml").write_text(f'version = 1\nsize = 4\nname = "{NAMED}"\n')
    program.run(["convert", "exact.toml", "--to", "json"])
    assert '"name": "g\\u202eh"' in capfd.readouterr().out
    program.run(["convert", "exact.toml", "--to", "text"])
    assert NAMED in capfd.readouterr().out


FORMULA = "=cmd|' /C calc'!A0"


def test_a_spreadsheet_runs_no_name(hostile: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (hostile / "=1+1").write_text(f"{BOARD}  # {FORMULA}\n")
    assert program.run(["compare", "=1+1", *ONCE.split(), "--output", "=.jsonl"]) == codes.YES
    capfd.readouterr()
    asked = ["report", "=.jsonl", "--by", "source", "--csv"]
    program.run([*asked, "--runs", "exact.csv"])
    assert "\n=1+1," in capfd.readouterr().out
    program.run(
        ["report", "=.jsonl", "--runs", "safe.csv", "--by", "source", "--csv", "--spreadsheet"]
    )
    assert "\n'=1+1," in capfd.readouterr().out
    exact, safe = (Path(name).read_text() for name in ("exact.csv", "safe.csv"))
    assert f",{FORMULA},=1+1," in exact
    assert f",'{FORMULA},'=1+1," in safe


@pytest.mark.parametrize("options", [[], ["--markdown"], ["--runs", "runs.parquet"]])
def test_no_csv_is_not_escaped(options: list[str], run: Runner, folder: Path) -> None:
    error = run.refused("report", "runs.jsonl", "--spreadsheet", *options)
    assert "--spreadsheet: expected CSV" in error


def test_one_module_prints(root: Path) -> None:
    files = (root / "unidoku").rglob("*.py")
    printing = [path.name for path in files if "click.echo(" in path.read_text("utf-8")]
    assert sorted(printing) == ["common.py", "printing.py"]
