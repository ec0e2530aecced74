"""``unidoku convert``: from one format to another, and what is lost on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unidoku
from tests.cli.conftest import run as run
from tests.helpers.command_runner import Runner
from unidoku import Board, Thermo, layout

pytestmark = pytest.mark.usefixtures("elsewhere")

LINE = "1.....2..3.....4"
THERMO = Board.empty(layout("classic", 4).with_rules(Thermo((0, 1, 2, 3))))


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
    error = run.refused("convert", "thermo.toml", "-o", "out.txt", "--strict")
    assert error.endswith("unidoku: --strict: expected no losses, got 1; nothing is written\n")
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


def test_what_was_written_to_a_file_is_read_from_it(run: Runner) -> None:
    unidoku.write(THERMO, "thermo.toml")
    assert run("convert", "thermo.toml", "--to", "f-puzzles", "-o", "k.json").code == 0
    assert run("count", "k.json").out == "12\n"
    unidoku.write([Board.parse(LINE), THERMO], "two.toml")
    assert run("convert", "two.toml", "--to", "iss", "-o", "k.iss").code == 0
    assert run("count", "k.iss").out == run("count", "two.toml").out == "1\n12\n"


def test_the_solution_is_written_if_it_is_proved_to_be_the_only_one(run: Runner) -> None:
    ran = run("convert", LINE, "--to", "scl", "--solve")
    assert json.loads(ran.out)["metadata"]["solution"] == "1243342143122134"
    for text, why in (
        ("1...............", "2 solutions found"),
        ("11..............", "no solution"),
    ):
        error = run.refused("convert", text, "--to", "sudokupad", "--solve")
        assert "--solve: expected exactly one solution, got" in error
        assert why in error


def test_the_rules_in_words_are_written_to_be_edited(run: Runner) -> None:
    unidoku.write(THERMO, "thermo.toml")
    assert run("convert", "thermo.toml", "--rules-text", "-o", "words.toml").code == 0
    (puzzle,) = unidoku.read("words.toml")
    assert puzzle.rules_text.splitlines() == [
        "Normal 4×4 sudoku rules apply.",
        "Digits along a thermometer increase from the bulb.",
    ]
    changed = Path("words.toml").read_text().replace("increase", "grow")
    Path("words.toml").write_text(changed)
    assert "thermometer grow from" in run("convert", "words.toml", "--to", "scl").out


@pytest.mark.parametrize(
    "link",
    [
        "https://sudokupad.app/abc123",
        "https://f-puzzles.com/?id=y82pttpx",
        "https://tinyurl.com/abc",
        "tinyurl.com/abc",
    ],
)
def test_a_short_link_is_refused_with_what_to_do(run: Runner, link: str) -> None:
    error = run.refused("check", link)
    assert "expected a link that holds its puzzle" in error
    assert "open it there, and copy the long link or its JSON" in error


def test_a_file_in_json_may_have_all_puzzles_on_one_long_line(run: Runner) -> None:
    puzzle = {"variant": "classic", "size": 4, "givens": LINE, "rules_text": "x" * 100_000}
    table = {"version": 1, "puzzles": [puzzle] * 12}
    Path("long.json").write_text(json.dumps(table))
    assert Path("long.json").stat().st_size > 1 << 20
    assert len(unidoku.read("long.json")) == 12
    Path("long.txt").write_text("1" * (3 << 20))
    assert "expected lines of at most 1 MiB" in run("check", "long.txt").err
    Path("other.json").write_text(json.dumps({"a": ["b" * (3 << 20)]}))
    assert run("check", "other.json").code == 2
    assert run("check", "other.json", "--from", "text").code == 2


def test_cells_are_named_as_the_option_or_the_settings_say(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    unidoku.write(THERMO, "thermo.toml")
    letters = run("hint", LINE).out
    numbers = run("hint", LINE, "--names", "r1c1").out
    assert "A2 is 2" in letters
    assert "r1c2 is 2" in numbers
    assert (
        'line = "r1c1-r1c4"' in run("convert", "thermo.toml", "--to", "toml", "--names", "r1c1").out
    )
    assert 'line = "A1-A4"' in run("convert", "thermo.toml", "--to", "toml").out
    wrong = "11.............."
    assert "row A" in run("check", wrong).out
    assert "row 1" in run("check", wrong, "--names", "r1c1").out
    monkeypatch.setenv("UNIDOKU_SETTINGS", "own.toml")
    Path("own.toml").write_text('names = "r1c1"\n')
    assert run("hint", LINE).out == numbers
    assert run("hint", LINE, "--names", "A1").out == letters
    Path("own.toml").write_text('names = "B2"\n')
    assert "names: expected 'A1' or 'r1c1', got 'B2'" in run("hint", LINE).err


def test_a_long_file_in_json_is_read_puzzle_by_puzzle(run: Runner) -> None:
    good = {"variant": "classic", "size": 4, "givens": LINE, "rules_text": "x" * 20_000}
    table = {"version": 1, "puzzles": [*[good] * 80, {"size": 4, "wild": 1}, *[good] * 80]}
    Path("long.json").write_text(json.dumps(table))
    with pytest.raises(unidoku.FormatError, match="puzzle 81: unknown field 'wild'"):
        unidoku.read("long.json")
    fpuzzles = unidoku.write(LINE, "f-puzzles-json").text[:-1] + f', "ruleset": "{"y" * 20_000}"}}'
    Path("many.json").write_text(fpuzzles * 70)
    assert len(unidoku.read("many.json")) == 70
