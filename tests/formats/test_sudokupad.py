"""SudokuPad: what has a name, what is guessed from pictures on request, links, and bad input."""

from __future__ import annotations

import json
from typing import Any

import pytest

import unidoku
from unidoku import Board, FormatError, Killer, Thermo, layout
from unidoku.core.rules import (
    Arrow,
    DiffersBy,
    Greater,
    PairSum,
    Ratio,
    SlowThermo,
    SumOfCells,
    Whispers,
)
from unidoku.formats import Puzzle
from unidoku.formats.cosmetics import Cosmetic, Fog
from unidoku.formats.lzstring import compressed
from unidoku.formats.sudokupad.payload import unzipped

READING = "values are 1 to 4, rows and columns differ: the format does not state it"
BOXES = [[[r, c] for r in (a, a + 1) for c in (b, b + 1)] for a in (0, 2) for b in (0, 2)]


def table(**parts: Any) -> dict[str, Any]:
    cells: list[list[dict[str, Any]]] = [[{} for _ in range(4)] for _ in range(4)]
    cells[0][0] = {"value": 1}
    return {"id": "x", "cellSize": 64, "cells": cells, "regions": BOXES, **parts}


def read(document: dict[str, Any], *, guess: bool = False) -> Puzzle:
    (puzzle,) = unidoku.read(json.dumps(document), guess=guess)
    return puzzle


def read_all(text: str) -> list[Puzzle]:
    return unidoku.read(text)


def test_what_has_a_name_is_read() -> None:
    meta = {"title": "T", "author": "A", "solution": "1243342143122134", "antiknight": True}
    puzzle = read(
        table(
            metadata=meta,
            cages=[
                {"cells": [[0, 0], [0, 1]], "value": "3", "unique": True},
                {"cells": [[3, 0], [3, 1]], "sum": 5, "unique": False},
                {"value": "rules: Normal rules apply."},
            ],
        )
    )
    assert puzzle.board.givens[:2] == (1, 0)
    assert puzzle.board.layout.rules == (Killer((0, 1), 3), SumOfCells((12, 13), 5))
    assert (0, 6) in {unit.cells for unit in puzzle.board.layout.units}
    assert (puzzle.name, puzzle.author) == ("T", "A")
    assert puzzle.solution == tuple(map(int, "1243342143122134"))
    assert puzzle.rules_text == "Normal rules apply."
    assert puzzle.losses.dropped == ()
    assert puzzle.losses.reading == (READING,)


def test_links_hold_json_its_short_form_or_givens() -> None:
    document = table()
    short = "{id:'x',cs:64,ce:[[{v:1},,,],[,,,],[,,,],[,,,]],re:[[[0,0],[0,1],[1,0],[1,1]]]}"
    for text in (
        "https://sudokupad.app/scl" + compressed(json.dumps(document)),
        "https://app.crackingthecryptic.com/sudoku/ctc" + compressed(json.dumps(document)),
        "https://sudokupad.app/?puzzleid=scl" + compressed(short),
        "scl" + compressed(short),
    ):
        (puzzle,) = unidoku.read(text)
        assert puzzle.board.givens[:2] == (1, 0), text
    board = {"size": 4, "grid": [[{}] * 4] * 4}
    (puzzle,) = unidoku.read("https://sudokupad.app/fpuz" + compressed(json.dumps(board)))
    assert puzzle.board == Board.empty(layout("classic", 4))


def test_an_scf_has_digits_with_the_empty_cells_after_them() -> None:
    # Each symbol is a digit and ten times the empty cells after it: o is 50, A is 10.
    (puzzle,) = unidoku.read("https://sudokupad.app/scf1" + "o" * 13 + "A*xtTitle*aMe")
    assert puzzle.board.givens[:3] == (1, 0, 0)
    assert (puzzle.name, puzzle.author) == ("Title", "Me")
    assert len(puzzle.board.layout.units) == 29


def test_the_short_form_is_unzipped() -> None:
    result = unzipped("{ca:[{ce:[[0,0]],v:5,c:#0,c2:AABBCC}],l:[{wp:[[0.5,1]]}],d2:t,te:'it\\'s'}")
    assert result == {
        "cages": [
            {"cells": [[0, 0]], "value": 5, "color": "#000000", "backgroundColor": "#AABBCC"}
        ],
        "lines": [{"wayPoints": [[0.5, 1]]}],
        "d": True,
        "text": "it's",
    }


def pictures() -> dict[str, Any]:
    centre = [0.5, 0.5]
    return table(
        metadata={"rules": "German whispers: neighbours on green lines differ by 5."},
        lines=[
            {"wayPoints": [[0.5, 0.5], [0.5, 2.5]], "color": "#CFCFCF", "thickness": 20},
            {"wayPoints": [[3.5, 0.5], [3.5, 1.5]], "color": "#67F067", "thickness": 10},
            {"wayPoints": [[3.5, 0.5]], "color": "#67F067"},
        ],
        arrows=[{"wayPoints": [[1.5, 0.5], [2.5, 1.5]]}],
        underlays=[
            {"center": centre, "width": 0.8, "rounded": True, "backgroundColor": "#CFCFCF"},
            {"center": [1.5, 0.5], "width": 0.8, "rounded": True, "borderColor": "#000000"},
        ],
        overlays=[
            {"center": [2.5, 3], "width": 0.3, "rounded": True, "backgroundColor": "#FFFFFF"},
            {"center": [3, 3.5], "width": 0.3, "rounded": True, "backgroundColor": "#000000"},
            {"center": [1, 2.5], "width": 0.3, "text": "V"},
            {"center": [1.5, 3], "width": 0.3, "text": "<"},
            {"center": [1.5, 1.5], "width": 1, "text": "?"},
        ],
    )


def test_pictures_say_nothing_unless_guesses_are_allowed() -> None:
    puzzle = read(pictures())
    assert puzzle.board.layout == layout("classic", 4)
    assert puzzle.losses.dropped == ("pictures: 1 of lines",)  # a line of one point
    assert puzzle.losses.approximated == (
        "pictures: 2 of lines are drawn, without a meaning",
        "pictures: 1 of arrows are drawn, without a meaning",
        "pictures: 5 of overlays are drawn, without a meaning",
        "pictures: 2 of underlays are drawn, without a meaning",
    )
    assert [cosmetic.shape for cosmetic in puzzle.cosmetics] == [
        *("line", "line", "arrow", "circle", "circle", "text", "text", "text", "circle", "circle")
    ]
    assert [part.at for part in puzzle.cosmetics[:4:3]] == [((1, 1), (1, 3)), ((3, 3.5),)]


def test_guesses_are_made_by_shape_colour_and_words_and_reported() -> None:
    puzzle = read(pictures(), guess=True)
    assert set(puzzle.board.layout.rules) == {
        DiffersBy(((10, 11),)),
        Ratio(((11, 15),)),
        PairSum(((2, 6),), 5),
        Greater(((7, 6),)),
        Arrow((4,), (9,)),
        Thermo((0, 1, 2)),
        Whispers((12, 13), 5),
    }
    assert len(puzzle.losses.guessed) == 7
    assert puzzle.losses.dropped == ("pictures: 1 of lines",)
    assert [cosmetic.text for cosmetic in puzzle.cosmetics] == ["?"]  # the others are rules


def test_an_arrow_may_begin_at_the_edge_of_its_circle_and_thermometers_may_meet() -> None:
    """So SudokuPad itself draws what it takes over from f-puzzles."""
    grey = "#CFCFCF"
    circle = {"center": [0.5, 0.5], "width": 0.83, "rounded": True, "backgroundColor": "#ffffff"}
    bulbs = [
        {"center": [2.5, c], "width": 0.85, "rounded": True, "backgroundColor": grey}
        for c in (0.5, 1.5)
    ]
    lines = [
        {"wayPoints": [[2.5, c], [2.5, c + 1]], "color": grey, "thickness": 21} for c in (0.5, 1.5)
    ]
    arrows = [{"wayPoints": [[0.9, 0.5], [1.5, 0.5], [1.5, 1.5]]}]
    result = table(arrows=arrows, overlays=[circle], underlays=bulbs, lines=lines)
    puzzle = read(result, guess=True)
    expected = {Arrow((0,), (4, 5)), Thermo((8, 9)), Thermo((9, 10))}
    assert set(puzzle.board.layout.rules) == expected
    assert not puzzle.losses.dropped


def test_what_is_written_as_pictures_is_guessed_again() -> None:
    rules = [Thermo((0, 1, 2)), Arrow((4,), (9,)), DiffersBy(((10, 11),)), Greater(((7, 6),))]
    board = Board.empty(layout("classic", 4).with_rules(*rules, Killer((12, 13), 4)))
    table = json.loads(unidoku.write(board, "scl").text)
    del table["unidoku"]  # as in a link that a person has drawn
    (back,) = unidoku.read(json.dumps(table), guess=True)
    assert set(back.board.layout.rules) == set(board.layout.rules)


def test_what_is_not_taken_over_is_named() -> None:
    cells = table()["cells"]
    cells[1][1] = {"value": "A", "centremarks": [1]}
    cages = [{"cells": [[0, 0]], "value": "fog", "wild": 1}]
    puzzle = read(table(cells=cells, cages=cages, fogs=[[0, 0]], metadata={"source": "x"}))
    assert puzzle.losses.dropped == (
        "values that are not numbers or not givens",
        "'centremarks' of cells",
        "metadata 'source'",
        "the text 'fog' of a cage",
        "unknown key 'wild' of a cage",
        "unknown key 'fogs'",
    )


def test_fog_is_lifted_where_the_client_lifts_it() -> None:
    trigger = {
        "trigger": {"type": "cellvalue", "cell": "r1c1r1c2"},
        "effect": {"type": "foglight", "cells": "r4c1-r4c4"},
    }
    other = {"trigger": {"cell": "r1c1"}, "effect": {"type": "sound"}}
    lamp = {"cells": [[2, 2], [2, 3]], "value": "FOGLIGHT"}
    puzzle = read(table(foglight=[[0, 0]], triggereffect=[trigger, other], cages=[lamp]))
    assert puzzle.fog == Fog(lights=(0, 10, 11), triggers=(((0, 1), (12, 13, 14, 15)),))
    assert puzzle.losses.dropped == ("a trigger of something else than fog",)
    for form in ("scl", "sudokupad", "f-puzzles", "toml", "json"):
        written = unidoku.write(puzzle, form)
        assert not written.losses.dropped
        assert read_all(written.text)[0].fog == puzzle.fog
    bare = json.loads(unidoku.write(puzzle, "scl").text)
    del bare["unidoku"]
    assert read(bare).fog == puzzle.fog


def test_cosmetics_are_written_and_read_without_the_text_of_unidoku() -> None:
    looks: dict[str, Any] = {"colour": "#ff0000", "text_colour": "#0000ff", "over": True}
    cosmetics = (
        Cosmetic(shape="line", at=((1, 1), (1.5, 2.5), (4, 4)), colour="#00ff0080", size=0.25),
        Cosmetic(shape="arrow", at=((1, 4), (4, 1)), colour="#000000", size=0.125),
        Cosmetic(shape="cells", at=((2, 2), (3, 3)), colour="#abcdef"),
        Cosmetic(shape="circle", at=((1, 1.5), (0, 2)), size=0.4, height=0.8, text="x", **looks),
        Cosmetic(shape="square", at=((2.5, 2.5),), size=0.5, angle=45, border="#123456"),
        Cosmetic(shape="text", at=((5, 1),), text="a & <b>", colour="#654321", size=0.25),
    )
    puzzle = Puzzle(Board.empty(layout("classic", 4)), "", 1, cosmetics=cosmetics)
    bare = json.loads(unidoku.write(puzzle, "scl").text)
    del bare["unidoku"]
    kinds = ("line", "arrow", "cells", "square", "text", "circle")
    wanted = sorted(cosmetics, key=lambda part: kinds.index(part.shape))
    read_again = read(bare).cosmetics
    assert sorted(read_again, key=lambda part: kinds.index(part.shape)) == wanted
    (back,) = read_all(unidoku.write(puzzle, "f-puzzles").text)
    assert {part.shape for part in back.cosmetics} == {*kinds} - {"arrow"}


def test_a_colour_that_sudokupad_fills_half_is_read_and_written_so() -> None:
    fills = ("#FF0000", "#FF0000FF", "#FF000040", "#CFCFCF", "#FFFFFF")
    shape = {"width": 1, "height": 1, "borderColor": "#0000FF"}
    underlays = [
        {**shape, "center": [0.5, at + 0.5], "backgroundColor": fill}
        for at, fill in enumerate(fills)
    ]
    first = read(table(underlays=underlays))
    colours = [(part.colour, part.border) for part in first.cosmetics]
    assert colours[0] == ("#ff000080", "#0000ff80")
    assert colours[1:3] == [("#ff0000", "#0000ff"), ("#ff000040", "#0000ff")]
    assert [colour for colour, _ in colours[3:]] == ["#cfcfcf", "#ffffff"]
    bare = json.loads(unidoku.write(first, "scl").text)
    del bare["unidoku"]
    assert read(bare).cosmetics == first.cosmetics
    slow = unidoku.write(Board.empty(layout("classic", 4).with_rules(SlowThermo((0, 1)))), "scl")
    bulb, _ = json.loads(slow.text)["underlays"]
    assert bulb["backgroundColor"] == "#6495EDFF"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("https://sudokupad.app/abc123", "a link that holds its puzzle"),
        ("https://sudokupad.app/sclN4Ig", "got a part of one"),
        ("scl" + compressed("[" * 4000), "expected JSON of SudokuPad, or its short form"),
        ("scl" + compressed("{a:" * 4000), "expected JSON of SudokuPad, or its short form"),
        ("scl" + compressed("{}" + " " * 30), "expected up to 35 rows of cells"),
        ("scl" + compressed("{ce:" + "[" * 40 + "]" * 40 + "}"), "in at most 30 others|rows"),
        ("scf" + "!" * 40, "expected digits and letters after scf"),
        ("scf" + "A" * 40, "expected 81 cells after scf"),
        ('{"cells": [[{}], [{}, {}]]}', "expected rows of 1 cells"),
        ('{"cells": [[{"value": 1000}]]}', "expected givens up to 99"),
        ('{"cells": [[{}]], "regions": [[[0, 9]]]}', "regions: expected rows and columns"),
        ('{"cells": [[{}]], "cages": [{"cells": "x"}, {"cells": 5}]}', "cages: expected rows"),
    ],
)
def test_bad_and_hostile_payloads_are_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        unidoku.read(text, format="sudokupad")
