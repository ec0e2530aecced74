"""Penpa+: what is read from links and written to them, what is lost, and bad input."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest

import unidoku
from unidoku import Board, FormatError, Killer, Thermo, layout
from unidoku.core.rules import (
    Arrow,
    Contains,
    DiffersBy,
    Holds,
    PairSum,
    Ratio,
    Skyscraper,
    SumOfCells,
    Whispers,
)
from unidoku.formats import Puzzle
from unidoku.formats.lzstring import LARGEST
from unidoku.formats.penpa.format import SHORT, _unpacked

GIVENS = {22: 5, 26: 6, 33: 4, 35: 1, 37: 3, 42: 1, 44: 3, 46: 4, 54: 2, 56: 1, 63: 1, 64: 4}
GIVENS |= {65: 6, 67: 5, 73: 6, 75: 4}
"""The numbers of a grid of 6×6 by their points, as Penpa+ itself counts them."""

EDGES = [*(f"{a},{a + 10}" for a in range(114, 165, 10))]
EDGES += [f"{a + b},{a + b + 1}" for a in (131, 151) for b in range(6)]
"""Its thick edges, around boxes of two rows and three columns."""


def link(drawn: dict[str, Any], rows: int = 4, space: list[int] | None = None) -> str:
    """A link of Penpa+ with something drawn on it."""
    text = "\n".join(
        [f"square,{rows},{rows},38", json.dumps(space or [0] * 4), "{}", json.dumps(drawn)]
    )
    for long, short in SHORT.items():
        text = text.replace(long, short)
    return packed(text)


def packed(text: str) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(text.encode()) + packer.flush()
    return "https://swaroopg92.github.io/penpa-edit/#m=edit&p=" + base64.b64encode(data).decode()


def read(text: str) -> Puzzle:
    (puzzle,) = unidoku.read(text)
    return puzzle


def test_a_grid_that_the_program_drew_is_read() -> None:
    drawn = {
        "number": {str(point): [str(value), 1, "1"] for point, value in GIVENS.items()},
        "lineE": dict.fromkeys(EDGES, 2),
        "killercages": [],
    }
    head = "square,6,6,38,0,1,1,266,266,144,144,0,0,0,0,Title: Test 6x6,Author: Me,,No rules,OFF"
    puzzle = read(packed("\n".join([head, "[0,0,0,0]", "{}", json.dumps(drawn)])))
    assert puzzle.board == Board.parse("5...6. .4.1.3 1.3.4. ..2.1. .146.5 .6.4..")
    assert (puzzle.name, puzzle.author) == ("Test 6x6", "Me")
    assert puzzle.rules_text == "No rules"
    assert not puzzle.losses.dropped
    assert puzzle.losses.reading == (
        "values are 1 to 6, rows and columns differ: the format does not state it",
    )


def test_numbers_edges_cages_thermometers_and_arrows_are_read() -> None:
    # The first cell of a grid of 4×4 is point 18 of 64; its lower right corner is point 82.
    down = {f"{64 + 11 + 8 * r},{64 + 19 + 8 * r}": 2 for r in range(4)}
    across = {f"{64 + 25 + c},{64 + 26 + c}": 2 for c in range(4)}
    puzzle = read(
        link(
            {
                "number": {"18": ["3", 1, "1"], "19": ["x", 1, "1"], "2": ["9", 1, "1"]},
                "lineE": down | across,
                "killercages": [[20, 21]],
                "numberS": {str(4 * 64 + 4 * 20): ["5", 1]},
                "thermo": [[26, 27, 28]],
                "arrows": [[34, 35, 36]],
                "symbol": {"18": [1]},
            }
        )
    )
    assert puzzle.board.givens[:2] == (3, 0)
    assert puzzle.board.layout.rules == (Killer((2, 3), 5), Thermo((4, 5, 6)), Arrow((8,), (9, 10)))
    assert puzzle.board.layout.base == layout("classic", 4)
    assert puzzle.losses.dropped == ("pictures: 1 of symbol",)
    assert puzzle.losses.approximated == ("pictures: 2 are drawn, without a meaning",)
    assert [(part.text, part.at) for part in puzzle.cosmetics] == [
        ("x", ((1, 2),)),
        ("9", ((-1, 1),)),
    ]


def test_pictures_are_kept_and_mean_nothing_unless_guesses_are_allowed() -> None:
    # Of 4×4 cells the first is point 18 of 64; 64 more is its corner, 128 the middle of a side.
    text = link(
        {
            "line": {"18,19": 3, "19,28": 3, "34,35": 5},
            "symbol": {"147": [1, "circle_SS", 2], "211": [2, "circle_SS", 2]},
            "surface": {"45": 1},
            "number": {"148": ["X", 5, "5"]},
        }
    )
    puzzle = read(text)
    assert puzzle.board.layout == layout("latin", 4)
    assert puzzle.losses.dropped == ()
    assert [(part.shape, part.at) for part in puzzle.cosmetics] == [
        ("cells", ((4, 4),)),
        ("line", ((1, 1), (1, 2), (2, 3))),
        ("line", ((3, 1), (3, 2))),
        ("circle", ((1.5, 2),)),
        ("circle", ((1, 2.5),)),
        ("text", ((1.5, 3),)),
    ]
    (guessed,) = unidoku.read(text, guess=True)
    assert guessed.board.layout.rules == (
        DiffersBy(((1, 5),)),
        Ratio(((1, 2),)),
        PairSum(((2, 6),), 10),
    )


CLUES = {
    # Of 4×4 cells within a margin of one, the first is point 33 of 100, its corner 133.
    "number": {
        "133": ["12", 6, "4"],  # digits around a corner, in a white circle
        "155": ["3 4", 1, "5"],  # on a circle of its own
        "24": ["5", 1, "1"],
        "47": ["3", 1, "6"],
        "22": ["6_7", 1, "2"],
        "44E": ["?", 1, "1"],
        "2": [[1, 0, 0], 1, "7"],
    },
    "symbol": {"155": [1, "circle_M", 2]},
    "numberS": {"400": ["1", 1], "404": ["2", 1]},
}


def with_words(drawn: dict[str, Any], words: str) -> str:
    """A link with a margin of one cell around 4×4, and the rules in words."""
    head = f"square,6,6,38,0,1,1,266,266,144,144,0,0,0,0,Title: T,Author: A,,{words},OFF"
    return packed("\n".join([head, "[1,1,1,1]", "{}", json.dumps(drawn)]))


def test_quadruples_and_clues_outside_of_others_are_guessed() -> None:
    (puzzle,) = unidoku.read(with_words(CLUES, "Skyscrapers"), guess=True)
    assert {*puzzle.board.layout.rules} == {
        Contains((0, 1, 4, 5), (1, 2)),
        Contains((10, 11, 14, 15), (3, 4)),
        SumOfCells((0, 5, 10, 15), 6),
        Skyscraper((1, 5, 9, 13), 5),
        Skyscraper((7, 6, 5, 4), 3),
    }
    assert [cosmetic.text for cosmetic in puzzle.cosmetics] == ["?"]
    assert {*puzzle.losses.guessed} == {
        "digits in a circle between four cells: these cells hold them",
        "a number with a slanting arrow: the cells on its diagonal sum to it",
        "a number outside the grid: the rules in words name one kind, skyscraper",
    }
    assert puzzle.losses.dropped == (
        "small numbers of cells (1)",
        "small texts that are not totals of cages (2)",
    )
    (unclear,) = unidoku.read(with_words(CLUES, "Skyscrapers and sandwiches"), guess=True)
    assert len(unclear.board.layout.rules) == 3
    assert {cosmetic.text for cosmetic in unclear.cosmetics} == {"5", "?", "3"}


@pytest.mark.parametrize("form", ["penpa", "scl"])
def test_quadruples_and_clues_of_others_mean_the_same_after_they_are_written(form: str) -> None:
    text = with_words(CLUES, "Skyscrapers")
    (guessed,) = unidoku.read(text, guess=True)
    drawn = read(text)
    assert not drawn.board.layout.rules
    written = unidoku.write(drawn, form).text
    assert read(written).cosmetics == drawn.cosmetics
    if form == "penpa":
        bare = packed("\n".join(_unpacked(written.split("p=")[1]).split("\n")[:19]))
    else:
        table = json.loads(written)
        del table["unidoku"]
        bare = json.dumps(table)
    (back,) = unidoku.read(bare, guess=True)
    assert {*back.board.layout.rules} == {*guessed.board.layout.rules}


def test_everything_with_a_picture_is_drawn() -> None:
    four = layout("x", 4)
    rules = [
        Whispers((0, 5, 10), 2),
        DiffersBy(((0, 1),)),
        Contains((10, 11, 14, 15), (1, 2)),
        Skyscraper((0, 4, 8, 12), 2),
        SumOfCells((8, 13), 6),
    ]
    written = unidoku.write(Board.empty(four.with_rules(*rules)), "penpa")
    assert not written.losses
    (back,) = unidoku.read(written.text)
    assert {*back.board.layout.rules} == {*rules}
    drawn = json.loads(_unpacked(written.text.partition("p=")[2]).split("\n")[3])
    # With a margin of a cell, the grid is of 10 by 10 points, and the first cell is point 33.
    assert drawn["symbol"]["333"] == [1, "circle_SS", 1]
    assert drawn["number"]["155"] == ["12", 6, "4"]
    assert drawn["number"]["23"] == ["2", 1, "1"]
    assert drawn["number"]["42"][0] == "6_7"
    assert {"33,44", "44,55"} <= {*drawn["line"]}


def test_cages_are_outlined_in_dashes() -> None:
    board = Board.empty(layout("latin", 2).with_rules(Killer((0, 1, 2))))
    text = _unpacked(unidoku.write(board, "penpa").text.partition("p=")[2])
    drawn = json.loads(text.split("\n")[3])
    (cage,) = drawn["killercages"]
    quarters = {int(end) // 4 - 36 for key in drawn["cage"] for end in key.split(",")}
    assert quarters == set(cage)
    # Six sides of three cells, and two dashes across each of the two edges between them.
    assert len(drawn["cage"]) == 8 + 4


def test_margins_are_no_part_of_the_grid() -> None:
    # Of 6×6 cells the first row and the first column are margins.
    puzzle = read(link({"number": {"33": ["4", 1, "1"]}}, rows=5, space=[1, 0, 1, 0]))
    assert puzzle.board.layout == layout("latin", 4)
    assert puzzle.board.givens[:5] == (0, 0, 0, 4, 0)


def test_what_is_written_is_read_back_and_the_rest_is_named() -> None:
    far = Arrow((1, 6), (7,))  # a pill whose cells are not side by side
    rules = [Thermo((0, 1)), Arrow((4,), (5,)), Killer((12, 13), 4), Holds((15,), (1, 2)), far]
    board = Board.parse("1... .... .... ....")
    board = Board(board.layout.with_rules(*rules), board.candidates)
    written = unidoku.write(Puzzle(board, "A, b", 1, author="C"), "penpa")
    assert written.losses.dropped == ()
    back = read(written.text)
    assert (back.name, back.author) == ("A, b", "C")
    assert set(back.board.layout.rules) == set(rules)
    assert back.board.candidates == board.candidates
    assert back.board.layout.base == board.layout.base


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#m=edit&p=AAAA", "expected a square grid of Penpa"),
        ("#m=edit&p=!", "expected a link of Penpa"),
        (packed("hex,9,9"), "expected a square grid of Penpa"),
        (packed("square,9"), "expected a square grid of Penpa"),
        (packed("square,99,99\n\n\n{}"), "expected up to 35 rows and columns"),
        (packed("square,4,4\n[9,9,9,9]\n\n{}"), "within the margins"),
        (packed("square,4,4\n\n\n[]"), "an object in JSON"),
        (packed("square,4,4\n\n\n" + "[" * 9999), "expected JSON of Penpa"),
        (packed("square,4,4\n\n\n" + '{"killercages": [[1]]}'), "killercages: expected cells"),
        (packed("x" * (LARGEST + 9)), "of at most 4,194,304 bytes, got more"),
        (packed("z5" * (LARGEST // 2 - 9)), "of at most 4,194,304 bytes, got more"),
    ],
)
def test_bad_and_hostile_links_are_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        unidoku.read(text, format="penpa")
