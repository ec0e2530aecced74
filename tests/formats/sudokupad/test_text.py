"""Links to SudokuPad as they are written: each picture key by key, words, solution, own rules."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import unidoku
from unidoku import Board, InputError, Killer, Thermo, layout, rules
from unidoku.formats import Puzzle
from unidoku.formats.losses import Losses
from unidoku.formats.lzstring import decompressed

SIX = layout("classic", 6)


def table_of(*drawn: rules.Rule, variant: str = "classic", n: int = 6) -> dict[str, Any]:
    """The table in the link of an empty board with rules."""
    written = unidoku.write(Board.empty(layout(variant, n).with_rules(*drawn)), "sudokupad")
    content = decompressed(written.text.partition("/scl")[2])
    table: dict[str, Any] = json.loads(content)
    return {key: value for key, value in table.items() if value and key not in ("cells", "regions")}


def pictures(*drawn: rules.Rule, **options: Any) -> dict[str, Any]:
    """The pictures alone."""
    keys = ("lines", "arrows", "overlays", "underlays", "cages", "global")
    return {key: value for key, value in table_of(*drawn, **options).items() if key in keys}


def test_diagonals_are_lines_and_further_units_are_shaded() -> None:
    """As SudokuPad's own reader of f-puzzles draws them."""
    blue = {"color": "#34BBE6", "thickness": 2}
    assert pictures(variant="x") == {
        "lines": [
            {"wayPoints": [[0, 0], [6, 6]], **blue},
            {"wayPoints": [[0, 6], [6, 0]], **blue},
        ]
    }
    windows = pictures(variant="windoku", n=9)["cages"]
    assert [cage["style"] for cage in windows] == ["extraregion"] * 4
    assert windows[0]["cells"][0] == [1, 1]
    assert windows[0]["unique"] is True
    table = table_of(variant="anti-knight+anti-king+disjoint", n=9)
    assert table["global"] == ["antiknight", "antiking", "disjoint"]
    assert table["metadata"]["antiknight"] is table["metadata"]["antiking"] is True
    assert {cage["style"] for cage in table["cages"]} == {"hidden"}


def test_a_slow_thermometer_does_not_look_like_a_thermometer() -> None:
    grey = pictures(Thermo((0, 1, 2)))
    assert [line["color"] for line in grey["lines"]] == ["#CFCFCF"]
    assert grey["underlays"] == [
        {
            "center": [0.5, 0.5],
            "width": 0.85,
            "height": 0.85,
            "rounded": True,
            "backgroundColor": "#CFCFCF",
            "borderColor": "#CFCFCF",
        }
    ]
    slow = pictures(Thermo((0, 1, 2), slow=True))
    assert [line["color"] for line in slow["lines"]] == ["#6495ED", "#B0E0E6"]


def test_little_killers_are_arrows_with_a_number_outside() -> None:
    parts = pictures(rules.SumOfCells((1, 8, 15, 22, 29), 17))
    assert parts.keys() == {"arrows", "overlays"}
    (arrow,) = parts["arrows"]
    assert arrow["wayPoints"][0] == pytest.approx([-0.2, 0.8])
    (number,) = parts["overlays"]
    assert (number["center"], number["text"]) == ([-0.5, 0.5], "17")
    cage = pictures(rules.SumOfCells((0, 1, 2), 7))["cages"]
    assert cage == [
        {
            "cells": [[0, 0], [0, 1], [0, 2]],
            "unique": False,
            "value": "7",
            "outlineC": "#2B6CB0",
            "sum": 7,
        }
    ]


def test_clues_outside_are_where_their_lines_begin() -> None:
    row, column = tuple(range(6)), tuple(range(0, 36, 6))
    parts = pictures(
        rules.Sandwich(row, 7),
        rules.Skyscraper(column[::-1], 3),
        rules.XSum(row[::-1], 9),
        rules.NumberedRoom(column, 4),
    )
    places = {overlay["text"]: overlay["center"] for overlay in parts["overlays"]}
    assert places == {"7": [0.5, -0.5], "3": [6.5, 0.5], "9": [0.5, 6.5], "4": [-0.5, 0.5]}


def test_each_kind_of_line_has_the_colour_that_setters_use() -> None:
    line = (0, 1, 7)
    colours = {
        "#67F067": rules.Whispers(line, 3),
        "#FF9A00": rules.Whispers(line, 2),
        "#F067F0": rules.Renban(line),
        "#CFCFCF": rules.Palindrome(line),
        "#E8B923": rules.SumLine(line, 10),
        "#2ECBFF": rules.SameSum((1, 2), (3,)),
        "#C54B8B": rules.SameSum((0, 2), (1,)),
        "#33BBBB": rules.Pairs(((0, 1), (0, 7), (1, 7)), lambda a, b: (a - b) % 3 != 0),
        "#FF7F50": rules.Pairs(((0, 1), (1, 7)), lambda a, b: (a - b) % 2 != 0),
    }
    for colour, rule in colours.items():
        (drawn,) = pictures(rule)["lines"]
        assert drawn["color"] == colour, rule
    for kind, shape in ((rules.Between, {}), (rules.Lockout, {"angle": 45})):
        parts = pictures(kind(line))
        assert len(parts["overlays"]) == 2
        assert all({**shape}.items() <= end.items() for end in parts["overlays"])


def test_lines_of_an_own_rule_begin_with_a_dot_and_have_a_colour_for_each_name() -> None:
    def step(odd: int, value: int) -> int:
        return odd ^ value % 2

    lines = [
        rules.Line(cells, 0, step, bool, name)
        for cells, name in zip(
            ((0, 1), (6, 7), (12, 13)), ("odd sum", "odd sum", "other"), strict=True
        )
    ]
    table = table_of(*lines)
    colours = [line["color"] for line in table["lines"]]
    assert colours[0] == colours[1] != colours[2]
    assert [dot["center"] for dot in table["underlays"]] == [[0.5, 0.5], [1.5, 0.5], [2.5, 0.5]]
    assert table["metadata"]["rules"][1:] == [
        "Along a red line, from its dot: odd sum.",
        "Along an indigo line, from its dot: other.",
    ]


def test_cages_say_what_they_mean() -> None:
    cells = (0, 1)
    labels = [
        (Killer(cells, 5), {"value": "5", "sum": 5, "unique": True}),
        (Killer(cells), {"unique": True}),
        (rules.KenKen(cells, 2, "-"), {"value": "2−", "unique": False}),
        (rules.KenKen((0,), 2, "+"), {"value": "2", "unique": False}),
        (rules.Product(cells, 6), {"value": "6×", "unique": False}),
        (rules.Rellik(cells, 6), {"value": "≠6", "unique": True}),
        (rules.EqualityCage(cells), {"value": "=", "unique": True}),
        (rules.AnyOf(((Killer(cells, 5),), (Killer(cells, 7),))), {"value": "5/7", "unique": True}),
    ]
    for rule, expected in labels:
        (cage,) = pictures(rule)["cages"]
        del cage["cells"]
        assert cage == expected, rule


def test_marks_in_and_between_cells_are_shapes_and_texts() -> None:
    pair = ((0, 1),)
    white, black = "#FFFFFF", "#000000"
    for rule, expected in (
        (rules.DiffersBy(pair), {"backgroundColor": white}),
        (rules.DiffersBy(pair, 2), {"backgroundColor": white, "text": "2", "color": black}),
        (rules.Ratio(pair), {"backgroundColor": black}),
        (rules.PairSum(pair, 5), {"text": "V"}),
        (rules.PairSum(pair, 7), {"text": "7"}),
        (rules.Greater(pair), {"text": ">"}),
        (rules.Greater(((6, 0),)), {"text": "∧", "center": [1.0, 0.5]}),
        (rules.Contains((0, 1, 6, 7), (1, 2, 3)), {"text": "1 2\n3", "center": [1.0, 1.0]}),
    ):
        (mark,) = pictures(rule)["overlays"]
        assert expected.items() <= mark.items(), rule
    odd, even = (pictures(rules.Holds((0,), values)) for values in ((1, 3, 5), (2, 4, 6)))
    assert [parts["underlays"][0]["rounded"] for parts in (odd, even)] == [True, False]
    small = unidoku.write(Board.empty(SIX.with_rules(rules.Holds((0,), (1, 2)))), "scl")
    assert json.loads(small.text)["cells"][0][0] == {"centremarks": [1, 2]}


def test_arrows_begin_at_the_edge_of_their_circle_or_pill() -> None:
    parts = pictures(rules.Arrow((0,), (1, 2)), rules.Arrow((12, 13), (20,)))
    assert [arrow["wayPoints"][0] for arrow in parts["arrows"]] == [[0.5, 0.9], [2.78, 1.78]]
    sizes = [(disc["width"], disc["height"]) for disc in parts["overlays"]]
    assert sizes == [(0.83, 0.83), (1.83, 0.83)]


def test_the_solution_title_author_and_words_are_in_the_link() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    solution = tuple(map(int, "1243342143122134"))
    puzzle = Puzzle(board, "T", 1, author="A", solution=solution)
    meta = json.loads(unidoku.write(puzzle, "scl").text)["metadata"]
    assert meta == {
        "title": "T",
        "author": "A",
        "rules": ["Normal 4×4 sudoku rules apply."],
        "solution": "1243342143122134",
    }
    large = Board.empty(layout("classic", 12))
    grid = unidoku.solve(large).solutions[0]
    losses = unidoku.write(Puzzle(large, "", 1, solution=grid), "scl").losses
    assert len(losses.dropped) == 1
    assert losses.dropped[0].startswith("solution")


@pytest.mark.parametrize("packed", ["{", "[]", 3, '{"variant": "latin", "size": 3}'])
def test_rules_that_do_not_fit_the_givens_are_not_taken(packed: object) -> None:
    board = Board.parse("1... .... .... ....", "x")
    table = json.loads(unidoku.write(board, "scl").text)
    (puzzle,) = unidoku.read(json.dumps(table | {"unidoku": packed}))
    assert puzzle.board.givens == board.givens
    assert puzzle.losses.dropped[0].startswith("the rules that Unidoku has written: ")


def test_what_has_no_picture_is_told_once_a_kind() -> None:
    sums = [rules.WeightedSum((0, cell), (1, -1), 0) for cell in (1, 2, 3)]
    written = unidoku.write(Board.empty(SIX.with_rules(*sums)), "sudokupad")
    assert written.losses.approximated == ("weighted-sum (3): in words, without a picture",)
    many = [rules.WeightedSum((0, 1), (1, -1), total) for total in range(70)]
    written = unidoku.write(Board.empty(SIX.with_rules(*many)), "sudokupad")
    assert written.losses.dropped == ("the last 11 sentences of the rules in words",)


def test_boards_with_s_cells_are_linked_with_all_but_the_solution_of_these_cells(
    root: Path,
) -> None:
    (puzzle,) = unidoku.read(root / "examples" / "rules" / "schroedinger.toml")
    first = [[6], [2, 3], [4], [3, 6]]  # 01, one of 1 and 2, 3, one of 2 and 01
    board = Board.from_candidates(puzzle.board.layout, [*first, *[range(1, 16)] * 12])
    puzzle = replace(puzzle, board=board)
    written = unidoku.write(puzzle, "scl")
    table = json.loads(written.text)
    assert table["cells"][0] == [{"value": "01"}, {"centremarks": [1, 2]}, {"value": 3}, {}]
    assert table["metadata"]["solution"] == "01?2?210230?1?23"
    assert written.losses.dropped == ("small digits of cells that may hold two",)
    assert written.losses.approximated == (
        "solution: SudokuPad checks all cells but those with two digits",
    )
    (back,) = unidoku.read(written.text)
    assert (back.board, back.solution, back.losses) == (board, puzzle.solution, Losses())
    (back,) = unidoku.read(unidoku.write(puzzle, "penpa").text)
    assert (back.board, back.losses) == (board, Losses())
    nine = Board.empty(layout("schroedinger", 9))
    assert unidoku.write(nine, "scl").losses.dropped == (
        "a check of the grid: SudokuPad needs the solution for it (--solve)",
    )
    for form, words in (
        ("iss", "16 values from 0 or 1, got 9x9 cells of 55 values: the digits 0 to 9, and two in"),
        ("f-puzzles", "one digit in each cell, got 9x9 cells of 55 values"),
    ):
        with pytest.raises(InputError, match=words):
            unidoku.write(nine, form)
