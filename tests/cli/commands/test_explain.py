"""The commands explain and hint, run in this process as the command line runs them."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from tests.helpers.boards import HARD, INKALA
from tests.helpers.command_runner import Runner
from unidoku.cli.commands import explain as module
from unidoku.core.bits import values_of
from unidoku.files.examples import find_example
from unidoku.logic import TECHNIQUES, State, Step, Technique, chosen, technique, walk_through
from unidoku.logic.show.terminal import grid_text

pytestmark = pytest.mark.usefixtures("elsewhere")

SMALL = "1... ..2. .3.. ...4"
SOLVED = "1243 3421 4312 2134"
CLASH = "11.. .... .... ...."
SIMPLE = ("--techniques", "..claiming")


def test_explain_numbers_its_sentences_and_ends_with_the_solution(run: Runner) -> None:
    ran = run("explain", SMALL)
    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert lines[0] == " 1. hidden single 2 in box 1: A2 is 2"
    assert lines[11].startswith("12. ")
    assert lines[13:18] == ["1 2 | 4 3", "3 4 | 2 1", "----+----", "4 3 | 1 2", "2 1 | 3 4"]
    assert re.fullmatch(r"solved in 12 steps; hardest: .* \(\d\.\d\); score \d+", lines[-1])


def test_techniques_are_listed_in_place_of_a_board(run: Runner) -> None:
    heading, *lines = run("hint", "--techniques", "list").out.splitlines()
    assert heading.split("  ")[0] == "technique"
    assert [re.split(" {2,}", line)[0] for line in lines] == [row.name for row in TECHNIQUES]


def test_explain_draws_the_steps_harder_than_singles(run: Runner) -> None:
    drawn = {}
    for grids in ("none", "key", "all"):
        ran = run("explain", HARD, *SIMPLE, "--grids", grids)
        assert ran.code == 0
        drawn[grids] = ran.out.count("┏")
    steps = len(re.findall(r"^ *\d+\. ", ran.out, re.MULTILINE))
    assert drawn == {"none": 0, "key": 8, "all": steps}


def test_explain_without_a_terminal_is_plain_and_marks_what_leaves(run: Runner) -> None:
    ran = run("explain", HARD, *SIMPLE)
    assert "\x1b" not in ran.out
    assert all(line == line.rstrip() for line in ran.out.splitlines())
    grid = ran.out.split("pointing 2 of box 4 is in row F: 2 leaves F4, F5\n")[1]
    assert "\nF ┃     6 │  [4]  │     6 ┃   5 6 │   5 6 │   5   ┃" in grid
    assert re.search(r"┃ 1\*2   │       │ 1\*2   ┃  -2 3 │  -2   │     3 ┃", grid)
    assert "* rests on   - leaves\n" in grid


def test_a_terminal_shows_colours_and_strikes_out_what_leaves() -> None:
    path = walk_through(find_example("practice").puzzles()[4].board, techniques="..claiming")
    console = Console(force_terminal=True, color_system="standard", width=100, file=io.StringIO())
    number = next(k for k, step in enumerate(path.steps) if step.eliminations)
    console.print(grid_text(path.states[number], path.steps[number], 100))
    written = console.file.getvalue()  # type: ignore[attr-defined]  # it is a StringIO
    assert "\x1b[1;9;31m-2\x1b[0m" in written
    assert "\x1b[1;36m*2\x1b[0m" in written
    assert "\x1b[1m[8]\x1b[0m" in written


def test_explain_says_where_it_stalls_and_the_exit_code_is_1(run: Runner) -> None:
    ran = run("explain", INKALA, *SIMPLE)
    assert ran.code == 1
    assert ran.out.endswith("stalled after 0 steps, 60 cells left: no technique finds another\n")
    assert ran.out.count("┏") == 1


def test_explain_says_why_there_are_no_solutions_and_the_exit_code_is_1(run: Runner) -> None:
    ran = run("explain", CLASH)
    assert ran.code == 1
    assert ran.out.splitlines()[-1].startswith("no solutions, after 0 steps: ")


def test_explain_stops_at_its_time_limit(run: Runner) -> None:
    ran = run("explain", HARD, "--time-limit", "1e-9")
    assert ran.code == 1
    assert "time limit reached after 1 step, 58 cells left" in ran.out
    ran = run("hint", INKALA, "--time-limit", "1e-9")
    assert (ran.code, ran.out) == (1, "")
    assert "logic: time limit of 1e-09 s reached" in ran.err


def test_explain_prints_several_boards_with_their_titles(run: Runner, tmp_path: Path) -> None:
    lines = [board.replace(" ", "") + name for board, name in ((SMALL, "  one"), (CLASH, "  two"))]
    (tmp_path / "two.txt").write_text("\n".join(lines))
    ran = run("explain", "two.txt", "--size", "4")
    assert ran.code == 1
    assert ran.out.startswith("# one\n 1. ")
    assert "\n\n# two\n" in ran.out


def test_json_is_an_object_a_line_for_a_board(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text(f"{HARD}  one\n{INKALA}  two\n")
    ran = run("explain", "two.txt", "--json", *SIMPLE)
    first, second = map(json.loads, ran.out.splitlines())
    assert (ran.code, ran.err) == (1, "")
    assert (first["name"], first["outcome"]) == ("one", "solved")
    assert (second["name"], second["outcome"], second["steps"]) == ("two", "stalled", [])


def test_html_writes_a_page_and_prints_the_summary(run: Runner, tmp_path: Path) -> None:
    ran = run("explain", HARD, *SIMPLE, "--html", "path.html")
    assert ran.code == 0
    assert ran.out.startswith("solved in ")
    assert re.fullmatch(r"written: path\.html, \d+ steps\n", ran.err)
    page = (tmp_path / "path.html").read_text(encoding="utf-8")
    assert page.count('<li id="step-') == int(ran.err.split()[-2])


@pytest.mark.parametrize("backend", ["native", "sat"])
def test_verify_proves_each_step(run: Runner, backend: str) -> None:
    ran = run("explain", HARD, *SIMPLE, "--verify", "--backend", backend)
    assert ran.code == 0
    assert re.fullmatch(rf"verified: \d+ steps, no true candidate removed \({backend}\)\n", ran.err)


def test_verify_names_a_step_that_removes_a_true_candidate(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(state: State) -> Iterator[Step]:
        for cell, mask in enumerate(state.candidates):
            if not state.placed >> cell & 1 and mask & (mask - 1):
                value = values_of(mask)[0]
                yield Step(layout=state.layout, reason="by luck", eliminations=((cell, value),))

    guess: Technique = replace(technique("pointing"), find=wrong)
    monkeypatch.setattr(module, "chosen", lambda names: (*chosen(names), guess))
    ran = run("explain", INKALA, "--techniques", "full house", "--verify")
    assert ran.code == 1
    named = re.findall(
        r"^step (\d+) removes a true candidate: pointing by luck", ran.err, re.MULTILINE
    )
    assert "1" in named
    assert "verified" not in ran.err


def test_hint_is_the_next_step_only(run: Runner) -> None:
    ran = run("hint", HARD)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == "hidden single 7 in box 4: E2 is 7"
    assert ran.out.count("┏") == 1
    assert ran.out.splitlines()[-1] == "+ is placed"


def test_hint_uses_the_techniques_that_are_asked_for(run: Runner) -> None:
    ran = run("hint", HARD, "--techniques", "pointing")
    assert ran.out.startswith("pointing ")


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (SOLVED, "no step: the board is solved\n"),
        (INKALA, "no step: no technique finds one\n"),
        (CLASH, "no step: the board has no solutions, "),
    ],
)
def test_hint_says_why_there_is_none(run: Runner, board: str, message: str) -> None:
    ran = run("hint", board, *SIMPLE)
    assert ran.code == 1
    assert ran.out.startswith(message)


def test_a_board_that_went_wrong_is_told_how_to_see_which_entry_is_wrong(run: Runner) -> None:
    ran = run("hint", CLASH)
    assert ran.code == 1
    assert "give this board by --entries, and the puzzle" in ran.err


def test_entries_of_a_file_are_judged_in_stages(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("1..2 ..2. .3.. ...4")
    (tmp_path / "large.txt").write_text("." * 81)
    stages = ["something is wrong", "look again at row A", "A4 cannot be 2: B3 is 2"]
    for stage in (1, 2, 3):
        ran = run("hint", SMALL, "--entries", "mine.txt", "--stage", str(stage))
        assert (ran.code, ran.out.splitlines()) == (1, stages[:stage])
    assert (
        "no solutions with these entries: A4 cannot be 2"
        in run("explain", SMALL, "--entries", "mine.txt").out
    )
    ran = run("hint", SMALL, "--entries", "large.txt")
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)


def test_hint_goes_through_a_file_of_boards(run: Runner, root: Path) -> None:
    ran = run("hint", str(root / "examples" / "twenty-five.txt"))
    assert ran.code == 0
    title, sentence, cell = ran.out.splitlines()[:3]
    assert title.startswith("# 25x25")
    assert sentence.startswith("hidden single 4 in box 1: C5 is 4")
    assert cell == "C5: +4 16 21 22"
    names = [puzzle.name for puzzle in find_example("practice").puzzles()]
    ran = run("hint", str(root / "examples" / "practice.txt"))
    assert re.findall(r"^# (.*)$", ran.out, re.MULTILINE) == names


def test_hint_and_explain_go_through_files_folders_and_tables(run: Runner, tmp_path: Path) -> None:
    small = SMALL.replace(" ", "")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "one.txt").write_text(f"{small}  easy\n")
    (tmp_path / "some.csv").write_text(f"clues,board\n4,{small}\n4,{small}\n")
    for command in ("hint", "explain"):
        (sentence, *_) = run(command, SMALL).out.splitlines()
        ran = run(command, "folder", "some.csv", SMALL)
        assert ran.code == 0, ran.err
        names = re.findall(r"^# (.*)$", ran.out, re.MULTILINE)
        assert [name.partition(":")[0] for name in names[:3]] == [
            "folder/one.txt",
            "some.csv",
            "some.csv",
        ]
        assert names[0].endswith(" easy")
        assert ran.out.splitlines().count(sentence) == 4
