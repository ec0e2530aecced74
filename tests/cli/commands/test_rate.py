"""``unidoku rate``: the table, JSON, and what ends with exit code 1 or 2."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.helpers.command_runner import Runner

SMALL = "1... ..2. .3.. ...4"
MEDIUM = "52...6.........7.13...........4..8..6......5...........418.........3..2...87....."


def test_a_board_is_rated_on_one_line_with_its_techniques_below(run: Runner) -> None:
    ran = run("rate", SMALL, "--backends", "norvig", "--isomorphs", "3")
    assert ran.code == 0
    assert ran.out == (
        "board  hardest technique  rating  score  level  norvig nodes (95 %)\n"
        "1      hidden single      1.2     88     easy   1.0 (1.0 to 1.0)\n"
        "\n"
        "technique      steps\n"
        "full house     8\n"
        "hidden single  4\n"
        "\n"
        "no forcing; 6.2 openings a step, one at 1 step\n"
    )


def test_the_same_seed_prints_the_same(run: Runner) -> None:
    options = ("rate", MEDIUM, "--backends", "norvig,exact-cover", "--isomorphs", "2")
    first = run(*options, "--seed", "3")
    assert first.out == run(*options, "--seed", "3").out
    assert first.out != run(*options, "--seed", "4").out
    assert "exact-cover nodes" in first.out


def test_a_board_beyond_the_techniques_is_not_solved_by_logic(run: Runner) -> None:
    ran = run("rate", MEDIUM, "--no-measure", "--techniques", "..naked single")
    assert ran.code == 1
    assert "not solved by logic; so far hidden single" in ran.out
    assert "nodes" not in ran.out


def test_files_get_one_line_for_each_board_and_json_one_object_for_each_line(
    run: Runner, tmp_path: Path
) -> None:
    file = tmp_path / "two.txt"
    file.write_text(f"{SMALL}  first\n{MEDIUM}  second\n")
    assert len(run("rate", str(file), "--no-measure").out.splitlines()) == 3
    ran = run("rate", str(file), "--json", "--backends", "norvig", "--isomorphs", "2")
    first, second = map(json.loads, ran.out.splitlines())
    assert first["name"] == "first"
    assert first["board"] == "1.....2..3.....4"
    assert first["logic"] == {
        "outcome": "solved",
        "hardest": "hidden single",
        "rating": 1.2,
        "score": 88,
        "level": "easy",
        "counts": {"full house": 8, "hidden single": 4},
        "course": {"forcing": 0, "openings": 6.25, "narrow": 1, "largest_reason": 0},
    }
    nodes = second["nodes"]["norvig"]
    assert nodes["confidence"] == 0.95
    assert len(nodes["images"]) == 2
    low, high = nodes["interval"]
    assert low <= nodes["mean"] <= high


def test_a_time_limit_that_comes_first_is_said_and_ends_with_1(run: Runner) -> None:
    ran = run("rate", MEDIUM, "--time-limit", "1e-7", "--backends", "norvig")
    assert ran.code == 1
    assert ran.out.count("time limit") == 2
    ran = run("rate", MEDIUM, "--time-limit", "1e-7", "--backends", "norvig", "--json")
    assert json.loads(ran.out)["logic"] is None
    assert json.loads(ran.out)["nodes"] == {"norvig": None}


def test_a_board_without_solutions_is_said_to_have_none(run: Runner) -> None:
    ran = run("rate", "11.. .... .... ....", "--no-measure")
    assert ran.code == 1
    assert "no solutions" in ran.out


def test_levels_of_consistency_are_counted_over_all_boards(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("1.....2..3.....4\n12..........21..\n")
    ran = run("rate", str(file), "--levels")
    assert ran.code == 0
    assert "Solved without search, of 2 boards" in ran.out
    assert re.search(r"forward checking +│ +1 │ +50\.0 % ", ran.out)
    assert re.search(r"domains \+ shaving +│ +1 │ +50\.0 % ", ran.out)
    lines = run("rate", str(file), "--levels", "--json").out.splitlines()
    assert [json.loads(line)["levels"]["domains"] for line in lines] == [True, False]
