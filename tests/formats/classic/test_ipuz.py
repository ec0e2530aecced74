"""The sudoku kinds of ipuz: what is read of them, what comes back, what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unidoku
from tests.helpers.family_boards import keens, solos
from tests.helpers.meaning import meaning
from unidoku import Board, FormatError, InputError, Killer, layout, solve
from unidoku.core.rules import KenKen
from unidoku.formats import Puzzle
from unidoku.formats.classic.ipuz import read, write
from unidoku.formats.losses import Losses

RULES = Path(__file__).parents[3] / "examples" / "rules"

SAMPLE = {
    "version": "http://ipuz.org/v2",
    "kind": ["http://ipuz.org/sudoku#1"],
    "charset": "123456789",
    "boxes": True,
    "puzzle": [
        [0, 1, 2, 0, 0, 7, 0, 0, 0],
        [8, 0, 0, 9, 0, 0, 0, 0, 6],
        [5, 0, 0, 0, 4, 0, 2, 0, 0],
        [0, 4, 0, 0, 0, 1, 0, 0, 0],
        [0, 7, 5, 0, 0, 0, 6, 2, 0],
        [0, 0, 0, 6, 0, 0, 0, 8, 0],
        [0, 0, 6, 0, 3, 0, 0, 0, 7],
        [1, 0, 0, 0, 0, 9, 0, 0, 5],
        [0, 0, 0, 1, 0, 0, 3, 4, 0],
    ],
}
"""A file that a program of others writes as its sample."""

SMALL = {"kind": ["http://ipuz.org/sudoku#1"], "puzzle": [[0] * 4 for _ in range(4)], "boxes": True}


def of(**keys: Any) -> Puzzle:
    (puzzle,) = read(json.dumps({**SMALL, **keys}))
    return puzzle


def test_a_published_file_has_one_solution_and_nothing_is_lost() -> None:
    for text in (json.dumps(SAMPLE), f"ipuz({json.dumps(SAMPLE)})"):
        (puzzle,) = read(text)
        assert puzzle.board.layout == layout("classic", 9)
        assert len(solve(puzzle.board, solutions=2).solutions) == 1
        assert puzzle.losses == Losses()


def test_values_are_numbers_letters_or_tables_and_empty_is_what_the_file_says() -> None:
    rows = [["A", None, {"given": "B"}, "-"], *[["-"] * 4] * 3]
    puzzle = of(puzzle=rows, charset="ABCD", empty="-", title=" A\ttitle ", author="me")
    assert puzzle.board.givens == (1, 0, 2, *[0] * 13)
    assert (puzzle.name, puzzle.author) == ("A title", "me")
    assert puzzle.losses.approximated == ("the characters ABCD are values 1 to 4",)
    styled = of(puzzle=[[{"given": 1, "style": {"color": "f00"}}, 0, 0, 0], *[[0] * 4] * 3])
    assert styled.losses.dropped == ("style of cells",)


def test_kinds_say_the_units() -> None:
    for kind, variant in (
        ("latinsquare", "latin"),
        ("diagonalsudoku", "x"),
        ("wordoku", "classic"),
        ("killersudoku", "classic"),
    ):
        puzzle = of(kind=[f"http://ipuz.org/sudoku/{kind}#1"], boxes=None)
        assert puzzle.board.layout.base == layout(variant, 4).base
        assert "without the key boxes there are" in puzzle.losses.reading[0]
    strange = of(kind=["http://ipuz.org/sudoku", "http://ipuz.org/sudoku/odd", "http://x/y"])
    assert strange.losses.dropped == ("kind odd", "kind http://x/y")


def test_zones_are_units_and_cages_are_sums_or_kenken() -> None:
    zones = [{"rect": [0, 0, 1, 1]}, {"cells": [[3, 0], [3, 1], [2, 2]], "style": "x"}]
    puzzle = of(zones=zones, boxes=False)
    chosen = {unit.cells for unit in puzzle.board.layout.units}
    assert {(0, 1, 4, 5), (3, 7, 10)} <= chosen
    assert puzzle.losses.dropped == ("style of zones",)
    assert "cells as column and row, from 0" in puzzle.losses.reading
    cages = [{"cells": [[1, 0], [1, 1]], "value": 5}, {"cells": [[0, 0]], "operator": "+"}]
    assert of(cages=cages).board.layout.rules == (Killer((1, 5), 5), Killer((0,), None))
    cages = [{"cells": [[1, 0], [1, 1]], "value": "2", "operator": "/"}]
    calcudoku = of(cages=cages, kind=["http://ipuz.org/sudoku/calcudoku#1"])
    assert calcudoku.board.layout.rules == (KenKen((1, 5), 2, "/"),)


def test_rows_and_columns_count_from_one_where_the_last_is_named_and_no_zero() -> None:
    puzzle = of(cages=[{"rect": [3, 4, 4, 4], "value": 7}, {"cells": [[1, 1]], "value": 1}])
    assert puzzle.board.layout.rules == (Killer((14, 15), 7), Killer((0,), 1))
    assert "cells as column and row, from 1" in puzzle.losses.reading
    with pytest.raises(FormatError, match="cages: expected cells such as"):
        of(cages=[{"rect": [3, 4, 4, 4], "value": 7}, {"cells": [[0, 1]], "value": 1}])


def test_what_is_not_read_is_named() -> None:
    puzzle = of(saved=[], notes="hm", solution=[[0] * 4] * 4)
    assert puzzle.losses.dropped == ("key notes", "key saved", "the solution, which is incomplete")
    assert puzzle.solution is None


@pytest.mark.parametrize("name", ["killer", "kenken"])
def test_our_examples_come_back_with_their_solutions(name: str, tmp_path: Path) -> None:
    (puzzle,) = unidoku.read(RULES / f"{name}.toml")
    written = unidoku.write(puzzle, tmp_path / "a.ipuz")
    assert not written.losses
    (back,) = unidoku.read(tmp_path / "a.ipuz")
    assert (back.name, back.author, back.solution) == (puzzle.name, puzzle.author, puzzle.solution)
    kinds = [getattr(first, "by", "") for first in back.board.layout.rules]
    assert kinds == [getattr(first, "by", "") for first in puzzle.board.layout.rules]


@settings(deadline=None)
@given(keens() | solos(), st.sampled_from(["a name", ""]))
def test_squares_with_cages_come_back(board: Board, name: str) -> None:
    result = write([Puzzle(board, name, 1)])
    assert not result.losses
    (back,) = read(result.text)
    assert back.name == name
    assert not back.losses
    assert meaning(back.board) == meaning(board)


@pytest.mark.parametrize("variant", ["x", "windoku", "latin", "disjoint", "centre-dot+x", "jigsaw"])
def test_variants_come_back_or_are_named(variant: str) -> None:
    regions = "aaabbbccc" * 3 + "dddeeefff" * 3 + "ggghhhiii" * 2 + "ggghhhiii"
    small = layout(f"jigsaw:{regions}" if variant == "jigsaw" else variant, 9)
    result = write([Puzzle(Board.empty(small), "", 1)])
    (back,) = read(result.text)
    assert result.losses.dropped == (("disjoint",) if variant == "disjoint" else ())
    assert variant == "disjoint" or meaning(back.board) == meaning(Board.empty(small))
    hyper = {**SAMPLE, "kind": ["http://ipuz.org/sudoku/hypersudoku#1"]}
    assert next(read(json.dumps(hyper))).board.layout == layout("windoku", 9)


WRONG: list[tuple[object, str]] = [
    ("{", "expected JSON of ipuz"),
    ("[]", "expected an object in JSON of ipuz"),
    ({"kind": ["http://ipuz.org/crossword"]}, "kind: expected http://ipuz.org/sudoku"),
    ({"kind": 7}, "kind: expected http://ipuz.org/sudoku, got 7"),
    ({"puzzle": [[0]] * 2}, "puzzle: expected as many rows as columns, 1 to 35"),
    ({"puzzle": [[0] * 36] * 36}, "puzzle: expected as many rows as columns, 1 to 35"),
    ({"puzzle": [[9] * 4] * 4}, "puzzle: expected a value of 1234 or 0, got 9"),
    ({"puzzle": [[True] * 4] * 4}, "puzzle: expected a value of 1234 or 0"),
    ({"charset": "11"}, "charset: expected 4 different characters"),
    ({"puzzle": [[0] * 5] * 5}, "boxes: 5 cells make no box"),
    ({"zones": [3]}, "zones: expected a list of objects"),
    ({"zones": [{"cells": [[9, 9]]}]}, "zones: expected cells such as [[0, 0], [1, 0]]"),
    ({"zones": [{"rect": [0, 0, 3, 3]}]}, "zones: "),
    ({"zones": [{"cells": [[0, 0], [0, 0]]}]}, "zones: expected each cell once"),
    ({"cages": [{"cells": [[0, 0]], "value": "NaN"}]}, "cages: expected a number as value"),
    ({"cages": [{"cells": [[0, 0]], "value": 10**30}]}, "expected a number up to 100,000"),
    ({"cages": [{"cells": [[0, 0]], "operator": "|"}]}, "cages: expected a value and an operator"),
    ({"cages": [{"cells": [[0, 0]], "value": 1, "operator": "-"}]}, "cages: kenken: cage: "),
    ({"solution": [[1]]}, "solution: expected 4 rows, got 1"),
]


@pytest.mark.parametrize(("document", "message"), WRONG, ids=range(len(WRONG)))
def test_what_is_no_sudoku_of_ipuz_is_refused_by_its_key(document: object, message: str) -> None:
    text = document if isinstance(document, str) else json.dumps({**SMALL, **document})  # type: ignore[dict-item]  # a table
    with pytest.raises(InputError) as caught:
        list(read(text))
    assert str(caught.value).startswith(message)


def test_what_ipuz_does_not_hold_is_refused_or_named() -> None:
    for item, message in (
        (layout("samurai"), "ipuz holds full rectangles of cells"),
        (replace(layout("latin", 4), first_value=0), "ipuz holds squares of values from 1 to 35"),
    ):
        with pytest.raises(InputError, match=message):
            write([Puzzle(Board.empty(item), "", 1)])
    with pytest.raises(InputError, match="ipuz holds one puzzle, got 2"):
        write([Puzzle(Board.parse("1..............."), "", 1)] * 2)
    both = replace(layout("latin", 4), rules=(KenKen((0, 1), 3, "+"), Killer((2, 3), 4)))
    assert write([Puzzle(Board.empty(both), "", 1)]).losses.dropped == ("rules: killer",)
    result = write([Puzzle(Board.parse("1..............."), "a\tname", 1)]).losses
    assert result.approximated == ("name, which is written in one line",)
