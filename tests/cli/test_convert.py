"""``unidoku convert``: from one format to another, and what is lost on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unidoku
from tests.cli.conftest import run as run
from tests.helpers.command_runner import Runner
from unidoku import Board, Thermo, layout
from unidoku.formats.toml.table import with_rules

pytestmark = pytest.mark.usefixtures("elsewhere")

LINE = "1.....2..3.....4"
THERMO = Board.empty(with_rules(layout("classic", 4), [Thermo((0, 1, 2, 3))]))


def test_a_text_becomes_a_file_whose_ending_tells_the_format(run: Runner) -> None:
    ran = run("convert", LINE, "-o", "four.json")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "written: four.json, 1 puzzle\n"
    assert [puzzle.board.text("line") for puzzle in unidoku.read("four.json")] == [LINE]
    assert run("convert", "four.json", "--to", "text").out == f"{LINE}\n"


def test_what_is_lost_is_told_and_with_strict_refused(run: Runner) -> None:
    unidoku.write(THERMO, "thermo.toml")
    ran = run("convert", "thermo.toml", "--to", "text")
    assert (ran.code, ran.out) == (0, f"{'.' * 16}\n")
    assert ran.err == "unidoku: text: dropped: rules: thermo\n"
    ran = run("convert", "thermo.toml", "-o", "out.txt", "--strict")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("unidoku: --strict: expected no losses, got 1; nothing is written\n")
    assert not Path("out.txt").exists()
    assert run("convert", "thermo.toml", "-o", "out.json", "--strict").code == 0


def test_json_has_the_text_and_the_losses(run: Runner) -> None:
    unidoku.write(THERMO, "thermo.toml")
    result = json.loads(run("convert", "thermo.toml", "--to", "text", "--json").out)
    assert result["text"] == "." * 16
    assert result["losses"]["dropped"] == ["rules: thermo"]


def test_a_format_must_be_told_and_known(run: Runner) -> None:
    assert "expected a format or a file to write" in run("convert", LINE).err
    assert "did you mean 'toml'?" in run("convert", LINE, "--to", "tml").err
    assert "did you mean 'toml'?" in run("solve", LINE, "--from", "tml").err
    assert run("convert", LINE, "--to", "neutral").code == 2


def test_a_file_is_not_replaced_unless_told_so(run: Runner) -> None:
    assert run("convert", LINE, "-o", "a.toml").code == 0
    assert run("convert", LINE, "-o", "a.toml").code == 2
    assert run("convert", LINE, "-o", "a.toml", "--force").code == 0


def test_commands_take_the_format_that_they_are_told(run: Runner) -> None:
    unidoku.write(THERMO, "thermo.toml")
    Path("thermo").write_text(Path("thermo.toml").read_text())
    for asked in (
        ["thermo"],
        ["thermo", "--from", "toml"],
        ["thermo", "--from", "toml", "-o", "c"],
    ):
        assert run("count", *asked).code == 0, asked
    assert Path("c").read_text() == "12\n"
    text = Path("thermo").read_text()
    assert run("count", text).out == run("count", "-", stdin=text).out == "12\n"
    assert run("solve", "thermo", "--from", "json").code == 2
    assert "expected" in run("solve", "thermo", "--from", "text").err


@pytest.mark.parametrize("form", ["f-puzzles", "iss", "penpa"])
def test_every_command_takes_a_link_or_a_string(run: Runner, form: str) -> None:
    link = unidoku.write(unidoku.Puzzle(Board.parse(LINE), "", 1), form).text
    for command in ("solve", "count", "check", "candidates", "explain", "hint", "draw"):
        ran = run(command, link)
        assert (ran.code, bool(ran.out)) == (0, True), (command, ran.err)
    assert run("solve", link, "--size", "4").err.startswith("unidoku: --size: ")
    once = ("--backends", "native,norvig", "--repeats", "1", "--sample-ms", "0")
    assert run("compare", link, *once, "--engine", "inline").code == 0
    Path("links.txt").write_text(f"{link}\n{link}\n")
    assert run("count", "links.txt", "-o", "counts.txt").code == 0
    assert Path("counts.txt").read_text() in (
        "1\n1\n",
        "1\n",
    )  # a string goes on after an end of line


def test_what_is_lost_is_told_by_every_command_and_of_many_once(run: Runner) -> None:
    link = unidoku.write(Board.parse(LINE), "sudokupad").text
    message = "reading: values are 1 to 4, rows and columns differ: the format does not state it"
    assert message in run("solve", link).err
    dropped = link.replace("/scl", "/ctc")
    text = json.dumps({"size": 4, "grid": [[{}] * 4] * 4, "x": 1})
    Path("one.json").write_text(text)
    assert run("solve", "one.json").err.startswith("unidoku: dropped: unknown key 'x'\n")
    for command in ("count", "solve"):
        ran = run(command, "one.json", dropped, "-o", f"{command}.txt")
        assert "unidoku: one.json: dropped: unknown key 'x'\n" in ran.err
