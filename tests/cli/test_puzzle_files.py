"""Commands on puzzle files: read by all, checked against what they say, refused by name."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import unidoku
from tests.cli.conftest import run as run
from tests.helpers.command_runner import Runner
from tests.helpers.comparing import compared
from tests.helpers.neutral_meanings import rule, table
from unidoku import (
    AnyOf,
    Board,
    InputError,
    Killer,
    Layout,
    OutputError,
    Thermo,
    UnsupportedError,
    layout,
    write,
)
from unidoku.files.puzzles import puzzles_in
from unidoku.files.source import Source
from unidoku.formats import Puzzle

KILLER = """
version = 1
name = "cages"
size = 4
rules = [
    { kind = "killer", cage = "A1-A2", total = 3 },
    { kind = "killer", cage = "B1-B2 C2", total = 8 },
    { kind = "thermo", line = "C2-C1-B1-B2" },
    { kind = "killer", cage = "C4 D4", total = 4 },
    { kind = "greater", pairs = ["D1 C1", "B2 B1", "A2 A1"] },
]
"""
SOLVED = "1234341221434321"
COMMANDS = ("solve", "count", "check", "rate", "candidates", "explain", "hint", "draw")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("killer.toml").write_text(KILLER)


def stated(solution: str = SOLVED, solutions: int = 1) -> str:
    return f'{KILLER}solution = "{solution}"\nsolutions = {solutions}\n'


def test_the_killer_has_one_solution() -> None:
    (puzzle,) = unidoku.read("killer.toml")
    result = unidoku.solve(puzzle.board, solutions=None)
    assert [puzzle.board.fill(grid).text("line") for grid in result.solutions] == [SOLVED]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_reads_puzzle_files(run: Runner, command: str) -> None:
    ran = run(command, "killer.toml", *(["--no-measure"] if command == "rate" else []))
    assert ran.code in (0, 1)
    assert ran.out
    assert "expected" not in ran.err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_tells_the_fault_of_a_puzzle_file_in_one_line(
    run: Runner, command: str
) -> None:
    Path("bad.toml").write_text(KILLER.replace("total", "totel"))
    error = run.refused(command, "bad.toml")
    message = "rule 1, killer: unknown key 'totel'; did you mean 'total'?"
    assert error == f"unidoku: bad.toml: {message}\n"


def test_solutions_are_written_as_those_of_other_boards(run: Runner) -> None:
    assert run("solve", "killer.toml", "--format", "line").out == f"{SOLVED}\n"
    ran = run("solve", "killer.toml", "killer.toml", "-o", "out.txt")
    assert (ran.code, Path("out.txt").read_text()) == (0, f"{SOLVED}\n" * 2)
    result = json.loads(run("solve", "killer.toml", "--json").out)
    assert (result["name"], result["layout"]) == (
        "cages",
        "classic with greater, killer and thermo",
    )


@pytest.mark.parametrize("form", ["toml", "json", "jsonl"])
def test_standard_input_takes_puzzle_files(run: Runner, form: str) -> None:
    unidoku.write(unidoku.read("killer.toml"), "killer.json")
    text = json.dumps(table(count=4096)) if form == "jsonl" else Path(f"killer.{form}").read_text()
    ran = run("count", "-", stdin=text)
    assert (ran.code, ran.out) == (0, "4096\n" if form == "jsonl" else "1\n")
    error = run.refused("solve", "-", "-o", "out.txt", stdin=text)
    assert error == (
        "unidoku: standard input: a puzzle file on standard input cannot be solved in parts; give "
        "its name\n"
    )
    ran = run("count", "-", stdin=text.replace("version", "verse").replace("4]", "4}"))
    assert ran.code == 2


def test_check_compares_with_the_solution_in_the_file(run: Runner) -> None:
    Path("right.toml").write_text(stated())
    ran = run("check", "right.toml")
    assert (ran.code, ran.out) == (0, "proper: exactly 1 solution\n")
    Path("wrong.toml").write_text(stated(SOLVED.translate(str.maketrans("12", "21"))))
    ran = run("check", "wrong.toml")
    assert ran.code == 1
    assert "the solution in its file is not valid: the cage " in ran.out
    Path("many.toml").write_text(stated(solutions=2))
    ran = run("check", "many.toml", "--json")
    assert ran.code == 1
    message = "its file states another number of solutions: 2 expected"
    assert json.loads(ran.out)["reasons"] == [message]


def test_count_shows_where_the_file_says_another_number(run: Runner) -> None:
    Path("right.toml").write_text(stated())
    Path("wrong.toml").write_text(stated(solutions=3))
    ran = run("count", "right.toml", "wrong.toml")
    assert ran.code == 1
    assert ran.out == "1  right.toml:1 cages\n1  wrong.toml:1 cages  (3 expected)\n"
    table = json.loads(run("count", "wrong.toml", "--json").out)
    assert table["count_mismatch"] == table["surprise"] == "3 expected"
    ran = run("count", "wrong.toml", "--limit", "1")
    assert (ran.code, ran.out) == (0, "at least 1\n")


@pytest.mark.parametrize(
    ("known", "count", "is_exact", "message"),
    [
        ({}, 3, True, ""),
        ({"solutions": 1}, 1, False, ""),
        ({"solutions": 1}, 2, False, "1 expected"),
        ({"solutions": 1}, 0, False, ""),
        ({"solutions": 1}, 0, True, "1 expected"),
        ({"solutions": 0}, 1, False, "0 expected"),
        ({"at_least": 2}, 1, True, "at least 2 expected"),
        ({"at_least": 2}, 5, True, ""),
    ],
)
def test_a_count_is_held_against_what_is_known(
    known: dict[str, int], count: int, is_exact: bool, message: str
) -> None:
    puzzle = Puzzle(Board.empty(layout("classic", 4)), "", 1, **known)  # type: ignore[arg-type]  # they are numbers
    assert puzzle.count_mismatch(count, is_exact=is_exact) == message


@pytest.mark.parametrize("options", [["--variant", "x"], ["--size", "9"], ["--symbols", "1234"]])
def test_what_a_puzzle_file_says_itself_cannot_be_said_besides(
    run: Runner, options: list[str]
) -> None:
    error = run.refused("solve", "killer.toml", *options)
    result = (
        f"{options[0]}: killer.toml is a puzzle file, which already states it; leave the option out"
    )
    assert error == f"unidoku: {result}\n"


def test_a_folder_has_its_puzzle_files_and_no_other_toml(run: Runner) -> None:
    Path("unidoku.toml").write_text('backend = "native"\n')
    Path("project.toml").write_text('version = "1.0"\n')
    Path("one.jsonl").write_text(json.dumps(table(name="neutral")) + "\n")
    Path("runs.jsonl").write_text('{"kind": "header"}\n')
    unidoku.write(unidoku.read("killer.toml"), "more.json")
    ran = run("count", ".", "--limit", "2")
    assert ran.code == 0
    assert [line.split("  ")[1] for line in ran.out.splitlines()] == [
        "killer.toml:1 cages",
        "more.json:1 cages",
        "one.jsonl:1 neutral",
    ]
    assert "3 files skipped" in ran.err


def test_a_comparison_takes_puzzle_files_and_their_known_number(run: Runner) -> None:
    options = ["--backends", "native,norvig", "--engine", "inline", "--repeats", "1"]
    assert run("compare", "killer.toml", *options).code == 0
    Path("wrong.toml").write_text(stated(solutions=3))
    Path("config.toml").write_text(
        'backends = ["native", "norvig"]\nrepeats = 1\n[[puzzles]]\nfiles = ["wrong.toml"]\n'
    )
    ran = run("compare", "config.toml", "--engine", "inline")
    assert ran.code == 1
    assert "in total, but 3 are known" in ran.out


def test_a_comparison_warns_of_what_it_leaves_out() -> None:
    kinds = [rule("thermo", 0, 1), rule("chaos", 0), rule("maze", 0)]
    lines = [table(kinds[0], count=1536), *map(table, kinds[1:])]
    Path("all.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = re.escape("all.jsonl: 1 puzzle read, 2 not: rule chaos (1), rule maze (1)")
    with pytest.warns(UserWarning, match=result):
        comparison = compared(Path("all.jsonl"), ["native", "norvig"])
    assert comparison.total == 2
    assert not comparison.verdict().disagreements


def test_the_neutral_form_is_counted_as_far_as_it_is_known(run: Runner) -> None:
    lines = [
        table(rule("thermo", 0, 1), name="first", count=1536),
        table(rule("chaos", 0), name="odd"),
        table(rule("equal", 0, 1), name="second", count=7),
        table(rule("maze", 0), name="dark"),
    ]
    Path("all.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = run("count", "all.jsonl")
    assert ran.code == 1
    assert ran.out == "1536  first\n1024  second  (7 expected)\n"
    assert ran.err.splitlines() == [
        "unidoku: all.jsonl:2: odd: not read: rule chaos",
        "unidoku: all.jsonl:4: dark: not read: rule maze",
        "unidoku: 2 puzzles read, 2 not: rule chaos (1), rule maze (1)",
        "unidoku: 2 boards: 1 has another number of solutions than its file states",
    ]


def test_a_file_of_which_nothing_is_known_is_refused(run: Runner) -> None:
    Path("all.jsonl").write_text(json.dumps(table(rule("chaos", 0))) + "\n")
    error = run.refused("count", "all.jsonl")
    assert "expected a puzzle with known rules, got none: 0 puzzles read, 1 not: rule chaos" in (
        error
    )
    with pytest.raises(UnsupportedError, match=r"all\.jsonl:1: small: not known here: rule chaos"):
        unidoku.read("all.jsonl")


def test_in_a_file_of_answers_a_puzzle_that_is_not_read_keeps_its_place(run: Runner) -> None:
    names = ["first", "odd", "second"]
    rules = [rule("thermo", 0, 1), rule("chaos", 0), rule("equal", 0, 1)]
    lines = [table(first, name=name) for first, name in zip(rules, names, strict=True)]
    Path("all.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    error = run.refused("count", "all.jsonl", "-o", "out.txt")
    assert Path("out.txt").read_text() == "1536\n# invalid: odd: not read: rule chaos\n1024\n"
    result = error.splitlines()
    assert result[0] == "unidoku: all.jsonl, line 2: odd: not read: rule chaos"
    assert result[1].startswith("3 boards: 2 with a solution, 1 invalid; ")
    assert len(result) == 2


def test_an_empty_line_of_the_neutral_form_is_no_puzzle() -> None:
    Path("all.jsonl").write_text("\n" + json.dumps(table()) + "\n\n")
    assert [puzzle.line for puzzle in puzzles_in(Source("all.jsonl"))] == [2]


def test_what_a_backend_refuses_is_told_and_the_others_are_counted(run: Runner) -> None:
    square = layout("classic", 4)
    either = AnyOf(((Thermo((0, 1, 2, 3)),), (Thermo((12, 13, 14, 15)),)))
    write(Board.empty(replace(square, rules=(either,))), "either.toml")
    Path("plain.txt").write_text("1... ..2. .3.. ...4\n")
    ran = run("count", "either.toml", "plain.txt", "--backend", "exact-cover", "--limit", "1")
    assert (ran.code, ran.out) == (2, "at least 1  plain.txt:1\n")
    assert ran.err.startswith("unidoku: either.toml:1: exact-cover ")
    assert "does not support alternatives" in ran.err
    assert ran.err.splitlines()[1:] == ["unidoku: 2 puzzles: 1 failed"]


@pytest.mark.parametrize("name", ["some.toml", "some.json"])
def test_boards_are_written_and_read(name: str) -> None:
    square = layout("classic", 4)
    board = Board.empty(Layout(4, square.units, square.positions, (Killer((0, 1), 5),)))
    unidoku.write([board, Puzzle(board, "named", 1)], name)
    assert [(p.board, p.name) for p in unidoku.read(name)] == [(board, ""), (board, "named")]
    with pytest.raises(OutputError, match="exists"):
        unidoku.write(board, name)
    unidoku.write(board, name, force=True)
    assert len(unidoku.read(name)) == 1


def test_other_endings_are_not_written_and_other_files_are_read_too() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    with pytest.raises(
        InputError, match=r"ends in .*, or the name of a format too, got 'some\.xyz'"
    ):
        unidoku.write(board, "some.xyz")
    Path("some.txt").write_text(board.text())
    assert [puzzle.board for puzzle in unidoku.read("some.txt")] == [board]
    with pytest.raises(InputError, match=r"got 'none\.toml': no such file"):
        unidoku.read("none.toml")
