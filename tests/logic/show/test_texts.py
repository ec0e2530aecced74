"""A path as JSON, as grids in a terminal, and as a notebook's output."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from tests.helpers.reference_paths import example_path, made_path
from tests.helpers.volume import volume
from unidoku import Board, Layout, layout, read
from unidoku.core.bits import bit, values_of
from unidoku.core.rules import ChaosConstruction, Holds
from unidoku.files.examples import find_example
from unidoku.logic import State, Step, Walkthrough, chosen, walk_through
from unidoku.logic.show import fragment, record, svg
from unidoku.logic.show.page import html
from unidoku.logic.show.terminal import SIGNS, candidate_grid, candidate_list, grid_width
from unidoku.logic.show.words import is_key, summary
from unidoku.testing.strategies import boards

EXAMPLES = Path(__file__).parents[3] / "examples" / "rules"
SVG = "{http://www.w3.org/2000/svg}"
EASY = chosen("..claiming")
HARD = find_example("practice").puzzles()[4].board
SMALL_GRID = """\
     1     2     3     4
  ┏━━━━━━━━━━━┳━━━━━━━━━━━┓
  ┃     │  +2 ┃     │     ┃
A ┃ [1] │   4 ┃ 3 4 │ 3   ┃
  ┃─────┼─────┃─────┼─────┃
  ┃     │     ┃     │ 1   ┃
B ┃ 3 4 │   4 ┃ [2] │ 3   ┃
  ┣━━━━━━━━━━━╋━━━━━━━━━━━┫
  ┃   2 │     ┃ 1   │ 1 2 ┃
C ┃   4 │ [3] ┃     │     ┃
  ┃─────┼─────┃─────┼─────┃
  ┃   2 │ 1 2 ┃ 1   │     ┃
D ┃     │     ┃ 3   │ [4] ┃
  ┗━━━━━━━━━━━┻━━━━━━━━━━━┛
"""


@pytest.mark.parametrize("name", ["practice", "windoku", "jigsaw", "samurai", "made"])
def test_the_steps_of_the_json_replayed_lead_to_its_final_candidates(name: str) -> None:
    path = made_path() if name == "made" else example_path(name, -1 if name == "windoku" else 0)
    read = json.loads(json.dumps(record(path, name=name)))
    board = path.board
    constraint = board.layout
    assert (read["name"], read["layout"], read["n"]) == (name, constraint.name, constraint.n)
    assert Board.parse(read["board"], constraint).candidates == board.candidates
    left = {cell: set(values) for cell, values in read["start"].items()}
    state = State.start(board)
    for number, step in enumerate(read["steps"], start=1):
        assert step["number"] == number
        for gone in step["removed"]:
            left[gone["cell"]].remove(gone["value"])
        placed, gone = (
            tuple((constraint.cell(pair["cell"]), pair["value"]) for pair in step[part])
            for part in ("placements", "eliminations")
        )
        assert all(bit(value) & state.candidates[cell] for cell, value in gone)
        state = state.after(
            Step(layout=constraint, reason="", placements=placed, eliminations=gone)
        )
        assert left == {
            constraint.names[cell]: set(values_of(mask))
            for cell, mask in enumerate(state.candidates)
        }
    assert {cell: set(values) for cell, values in read["candidates"].items()} == left
    assert read["outcome"] == path.outcome.value
    assert read["solution"] == (None if path.grid is None else list(path.grid))
    assert (read["rating"], read["score"]) == (path.rating, path.score)
    assert read["counts"] == dict(path.counts)


def test_the_json_of_a_step_says_all_that_the_step_says() -> None:
    fish, chain = record(made_path())["steps"]
    assert [unit["name"] for unit in fish["units"]] == ["row D", "row H"]
    assert [unit["name"] for unit in fish["covers"]] == ["column 2", "column 5"]
    assert fish["covers"][0]["kind"] == "column"
    assert fish["covers"][0]["cells"][1] == "B2"
    assert fish["pattern"] == [{"cell": "D5", "value": 6}, {"cell": "H2", "value": 6}]
    assert fish["fins"] == [{"cell": "D3", "value": 6}]
    assert fish["cells"] == ["D3", "D5", "H2"]
    assert (fish["technique"], fish["rating"]) == ("pointing", 3.4)
    assert fish["sentence"].startswith("pointing of 6: 6 leaves")
    assert chain["links"][1] == {
        "start": {"cell": "A4", "value": 4},
        "end": {"cell": "C4", "value": 4},
        "strong": False,
    }


def test_the_json_of_a_contradiction_says_why() -> None:
    read = record(walk_through(Board.parse("11.. .... .... ...."), techniques=EASY))
    assert read["outcome"] == "contradiction"
    assert read["contradiction"]
    assert read["solution"] is read["hardest"] is None


def plain(lines: list[list[Any]]) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines]


@settings(max_examples=volume(40))
@given(boards())
def test_a_grid_has_every_candidate_in_its_place_and_its_sign(board: Board) -> None:
    path = walk_through(board, techniques=EASY)
    for state, step in zip(path.states, [*path.steps, None], strict=True):
        lines = plain(candidate_grid(state, step))
        assert all(len(line) <= grid_width(board.layout) for line in lines)
        cells = [re.split("[│┃]", line) for line in lines]
        words = re.findall(r"[*^+-]?\d+", " ".join(word for row in cells for word in row[1:]))
        free = [c for c in board.layout.cells if not state.placed >> c & 1 and not board.givens[c]]
        left = [value for cell in free for value in values_of(state.candidates[cell])]
        fixed = [v for c in board.layout.cells if c not in free
                 for v in [board.givens[c] or state.grid[c]] if v]  # fmt: skip
        assert sorted(int(word.lstrip("*^+-")) for word in words) == sorted(left + fixed)
        if step is not None:
            for sign, pairs in (("-", step.eliminations), ("+", step.placements)):
                signed = [int(word[1:]) for word in words if word[0] == sign]
                assert sorted(signed) == sorted(value for _, value in pairs)


def test_a_grid_of_a_small_board_is_this() -> None:
    state = State.start(Board.parse("1... ..2. .3.. ...4"))
    step = next(chosen("hidden single")[0].steps(state))
    assert "\n".join([*plain(candidate_grid(state, step)), ""]) == SMALL_GRID


def test_heavy_lines_follow_the_regions_of_a_jigsaw() -> None:
    regions = "aaab" + "acbb" + "ccbd" + "cddd"
    lines = plain(candidate_grid(State.start(Board.empty(layout(f"jigsaw:{regions}", 4)))))
    assert lines[2].count("┃") == 3
    assert lines[2].count("│") == 2


def test_a_list_of_cells_stands_for_a_grid_that_is_too_wide() -> None:
    path = made_path()
    first, *_ = plain(candidate_list(path.states[0], path.steps[0]))
    assert first == "A2: 1 2 4 -6"
    signs = "".join(plain(candidate_list(path.states[0], path.steps[0])))
    assert all(sign in signs for kind, sign in SIGNS.items() if kind != "placed")


def test_a_fragment_draws_the_key_steps_and_says_them_all() -> None:
    path = walk_through(HARD, techniques=EASY)
    text = fragment(path)
    root = ElementTree.fromstring(text)
    assert len(list(root.iter(SVG + "svg"))) == 1 + sum(map(is_key, path.steps))
    messages = ["".join(item.itertext()) for item in root.iter("li")]
    assert all(
        line.startswith(step.sentence) for line, step in zip(messages, path.steps, strict=True)
    )
    assert summary(path) in text


def test_a_fragment_can_stand_several_times_on_a_page() -> None:
    text = fragment(made_path())
    assert "<script" not in text
    assert not re.search(r"\bid=", text)
    style = "".join(re.findall(r"<style>(.*?)</style>", text, re.DOTALL))
    rules = re.sub(r"@media[^{]*\{", "", style)
    for selector in ",".join(re.findall(r"([^{}]+)\{", rules)).split(","):
        assert selector.strip().startswith(".unidoku"), selector


def test_a_fragment_stays_small_however_long_the_path_is() -> None:
    path = made_path()
    long = Walkthrough(path.board, path.steps * 100, (*path.states[:2] * 100, path.final))
    text = fragment(long)
    assert text.count("<svg") == 61
    assert text.count("<li>") == 200


def test_hidden_cells_are_not_drawn() -> None:
    """Their rows do not exist for a reader; a cell whose region is found has a frame."""
    board = read(EXAMPLES / "chaos-construction.toml")[0].board
    path = walk_through(board, time_limit=2)
    at = next(k for k, step in enumerate(path.steps) if "A1 is in region 1" in step.sentence)
    picture = svg(path.states[at], path.steps[at])
    assert picture.count('class="ring"') == 1
    assert ">E<" not in picture
    text = "\n".join(
        "".join(piece for piece, _ in line)
        for line in candidate_grid(path.states[at], path.steps[at])
    )
    assert len(text.splitlines()) == len(candidate_grid(State.start(Board.parse("." * 16))))


def test_cells_whose_region_is_known_are_tinted_in_pictures_and_on_the_page() -> None:
    regions = ChaosConstruction((0, 1, 2, 3), (4, 5, 6, 7), columns=2, count=2)
    rules = [regions, Holds((5,), (1,))]
    square = Layout.from_units(2, [(0, 1), (2, 3)], shape=(2, 2), hidden=[3] * 4, rules=rules)
    path = walk_through(Board.empty(square))
    tints = [svg(state).count('class="twin-') for state in path.states]
    assert tints == [0, 1, 2, 2, 2]
    assert html(path).count('<path class="twin-') == sum(tints[:-1])
    numbers = re.findall(r'<text class="label"[^>]*>(\d)<', svg(path.final))
    assert numbers == ["1", "1", "2", "2"]


def test_the_page_of_a_path_that_was_stopped_says_so() -> None:
    path = walk_through("1... ..2. .3.. ...4")
    stopped = replace(path, steps=path.steps[:3], states=path.states[:4], stopped_after=1.0)
    assert "◷</span> time limit reached after 3 steps, 9 cells left" in html(stopped)
