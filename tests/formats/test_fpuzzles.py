"""f-puzzles: rules by name, the readings of its words, what is lost, and bad input."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

import unidoku
from tests.helpers.meaning import meaning
from unidoku import Board, FormatError, Killer, Thermo, layout
from unidoku.core.rules import Arrow, Greater, SameSum, SumLine, Whispers
from unidoku.formats import Puzzle
from unidoku.formats.cosmetics import Cosmetic, Fog
from unidoku.formats.fpuzzles.format import payload_of
from unidoku.formats.lzstring import compressed

LINK = "https://f-puzzles.com/?load="


def grid(n: int, **cells: Mapping[str, Any]) -> list[list[Mapping[str, Any]]]:
    """A grid of empty cells, except those that are named."""
    return [[cells.get(f"r{r}c{c}", {}) for c in range(1, n + 1)] for r in range(1, n + 1)]


def read(n: int = 4, cells: Mapping[str, Any] | None = None, **table: Any) -> Puzzle:
    """The puzzle of a table."""
    document = {"size": n, "grid": grid(n, **(cells or {})), **table}
    (puzzle,) = unidoku.read(json.dumps(document))
    return puzzle


def lines(*cells: str) -> list[dict[str, Any]]:
    """An entry of one line."""
    return [{"lines": [list(cells)]}]


def test_a_published_board_has_its_published_solution() -> None:
    """The facts of "Peak Sudoku", which SudokuSolver tests with this solution."""
    puzzle = read(
        title="Peak Sudoku",
        littlekillersum=[
            {"cell": "R0C5", "direction": "DL", "value": "14"},
            {"cell": "R0C0", "direction": "DR", "value": "6"},
            {"cell": "R1C0", "direction": "DR", "value": "9"},
        ],
        xv=[{"cells": ["R1C2", "R1C1"], "value": "V"}],
    )
    result = unidoku.solve(puzzle.board, solutions=2)
    assert (puzzle.name, result.unique) == ("Peak Sudoku", True)
    assert result.text("line") == "1423324123144132"


def test_links_payloads_and_json_are_the_same_puzzle() -> None:
    text = json.dumps({"size": 4, "grid": grid(4, r1c1={"value": 1, "given": True})})
    packed = compressed(text)
    blanks = LINK + packed.replace("+", " ")
    for form in (text, packed, LINK + packed, blanks, LINK + packed.replace("/", "%2F")):
        (puzzle,) = unidoku.read(form)
        assert puzzle.board == Board.parse("1... .... .... ....")
    (puzzle,) = unidoku.read("https://sudokupad.app/fpuz" + packed, format="f-puzzles")
    assert puzzle.board.givens[0] == 1
    assert payload_of(LINK + "a+b%2Fc&x=1") == "a+b/c"


def test_each_flag_and_rule_is_what_its_name_says() -> None:
    flags: dict[str, Any] = {"diagonal+": True, "antiking": True}
    puzzle = read(
        **flags,
        thermometer=lines("R1C1", "R1C2"),
        arrow=[{"cells": ["R2C1"], "lines": [["R2C1", "R2C2", "R2C3"]]}],
        killercage=[{"cells": ["R4C1", "R4C2"], "value": "5"}],
    )
    assert puzzle.board.layout.rules == (
        Thermo((0, 1)),
        Arrow((4,), (5, 6)),
        Killer((12, 13), 5),
    )
    units = {unit.cells for unit in puzzle.board.layout.units}
    assert {(3, 6, 9, 12), (0, 5), (1, 4)} <= units
    assert not puzzle.losses


def test_the_keys_of_plug_ins_are_read_and_written_again() -> None:
    keys: dict[str, Any] = {
        "parityline": lines("R1C1", "R1C2", "R2C3"),
        "tenline": lines("R1C1", "R2C2", "R3C3"),
        "zipperline": lines("R1C1", "R1C2", "R2C3", "R2C4", "R3C3"),
        "doublearrow": lines("R4C1", "R4C2", "R4C3"),
        "regionsumline": lines("R1C1", "R1C2", "R1C3", "R2C2", "R3C2"),
        "modularline": lines("R1C1", "R1C2", "R2C3"),
        "nabner": lines("R1C1", "R1C2"),
        "odd": [{"cell": "R1C1"}],
        "even": [{"cell": "R4C4"}],
        "selftaxicab": True,
        "chaosconstruction": True,
    }
    for key, entries in keys.items():
        puzzle = read(**{key: entries})
        assert not puzzle.losses, key
        written = unidoku.write(puzzle, "f-puzzles-json")
        assert not written.losses, key
        table = json.loads(written.text)
        assert table.keys() - {"size", "grid", "ruleset"} == {key}
        assert table[key] == entries
        (back,) = unidoku.read(written.text)
        assert back.board == puzzle.board
    for key, least in (("germanwhispers", 2), ("dutchwhispers", 1)):
        table = {key: lines("R1C1", "R1C2")}
        assert read(**table).board.layout.rules == (Whispers((0, 1), least),)


def test_a_line_is_written_only_where_each_cell_touches_the_one_before() -> None:
    """A sum of two cells each, far from each other, has no line."""
    apart = [SameSum((0, 1), (14, 15)), SameSum((2,), (12,)), SumLine((0, 1, 2), 5)]
    written = unidoku.write(Board.empty(layout("latin", 4).with_rules(*apart)), "f-puzzles-json")
    assert not {"doublearrow", "regionsumline", "tenline"} & json.loads(written.text).keys()
    assert written.losses.dropped == (
        "same-sum (2), such as: A1 A2 sum to the same as D3 D4",
        "sum-line: A1-A3 splits into parts of 5",
    )


def test_fog_is_kept_and_lamps_light_the_cells_around_them() -> None:
    puzzle = read(4, fogofwar=["R1C1"], foglight=["R4C4"])
    assert puzzle.fog == Fog(lights=(0, 1, 4, 5, 15))
    assert not puzzle.losses


def test_pictures_and_colours_of_cells_are_kept_and_mean_nothing() -> None:
    puzzle = read(
        4,
        {"r1c1": {"c": "2"}, "r2c2": {"cArray": ["#abcdef"]}},
        line=[{"lines": [["R1C1", "R1C2.5"]], "outlineC": "#ff0000", "width": 0.5}],
        circle=[{"cells": ["R1C1", "R1C2"], "baseC": "#FFFFFF", "width": 0.4, "height": 0.4}],
        text=[{"cells": ["R0C1"], "value": "7", "fontC": "#000000", "size": 1}],
    )
    assert puzzle.board.layout == layout("classic", 4)
    assert puzzle.losses.dropped == ()
    assert puzzle.cosmetics == (
        Cosmetic(shape="line", at=((1, 1), (1, 2.5)), colour="#ff0000", size=0.25),
        Cosmetic(shape="circle", at=((1, 1.5),), colour="#ffffff", size=0.4, over=True),
        Cosmetic(shape="text", at=((0, 1),), text="7", colour="#000000", size=0.5, over=True),
        Cosmetic(shape="cells", at=((1, 1),), colour="#ffa0a0"),
        Cosmetic(shape="cells", at=((2, 2),), colour="#abcdef"),
    )
    (back,) = unidoku.read(unidoku.write(puzzle, "f-puzzles").text)
    assert {*back.cosmetics} == {*puzzle.cosmetics}


def test_nonconsecutive_excepts_cells_with_a_dot_between_them() -> None:
    dots = [{"cells": ["R1C1", "R1C2"]}]
    puzzle = read(nonconsecutive=True, difference=dots, ratio=[{"cells": ["R1C3", "R1C4"]}])
    (never,) = [rule for rule in puzzle.board.layout.rules if getattr(rule, "never", False)]
    assert len(never.pairs) == 24 - 2  # type: ignore[attr-defined]  # it has pairs
    assert puzzle.losses.reading == ("nonconsecutive excepts cells with a dot between them",)
    assert not puzzle.losses


def test_negatives_are_of_the_ratios_used_and_of_both_letters() -> None:
    ratios = [{"cells": ["R1C1", "R1C2"], "value": "3"}]
    puzzle = read(negative=["ratio", "xv"], ratio=ratios)
    never = {
        (rule.kind, getattr(rule, "times", 0) or getattr(rule, "total", 0))
        for rule in puzzle.board.layout.rules
        if getattr(rule, "never", False)
    }
    assert never == {("ratio", 3), ("pair-sum", 5), ("pair-sum", 10)}
    assert len(puzzle.losses.reading) == 2


def test_a_cage_with_a_sum_of_0_has_none_and_a_text_is_reported() -> None:
    cells = ["R1C1", "R1C2"]
    puzzle = read(killercage=[{"cells": cells, "value": "0"}, {"cells": cells, "value": "fog"}])
    assert puzzle.board.layout.rules == (Killer((0, 1)), Killer((0, 1)))
    assert puzzle.losses.reading == ("a cage with a sum of 0 has none",)
    assert puzzle.losses.dropped == ("killercage: the text 'fog'",)


def test_sizes_without_boxes_have_their_rows_for_regions() -> None:
    assert read(5).board.layout == layout("latin", 5)
    moved: Mapping[str, Any] = {"r1c1": {"region": 1}, "r2c1": {"region": 0}}
    kinds = {unit.cells for unit in read(5, moved).board.layout.units if unit.kind == "region"}
    assert (0, 6, 7, 8, 9) in kinds
    alone = read(4, {"r1c1": {"region": None}})
    assert (0, 1, 4, 5) not in {unit.cells for unit in alone.board.layout.units}


def test_what_is_not_taken_over_is_named() -> None:
    puzzle = read(
        4,
        {"r1c1": {"value": 1}, "r1c2": {"c": "#fff", "centerPencilMarks": [1], "wild": 2}},
        line=[{"lines": [["R1C1", "R1C2"]], "fromConstraint": "Renban\x1b[31m"}],
        fog=["R1C1"],
        killercage=[{"cells": ["R1C1"], "value": "1", "odd": 3}],
        thermometer=lines("R1C1"),
        negative=["white"],
        solution=[0] * 16,
    )
    assert set(puzzle.losses.dropped) == {
        "values that are not givens",
        "'centerPencilMarks' of cells, a player's or unknown",
        "'wild' of cells, a player's or unknown",
        "the rule 'Renban [31m', of which pictures are drawn",
        "unknown key 'fog'",
        "unknown key 'odd' of killercage",
        "thermometer: a line of less than 2 cells",
        "negative 'white', which is unknown",
    }


def test_the_solution_the_title_and_the_author_are_carried() -> None:
    solution = "1243342143122134"
    puzzle = read(title=" A \n B", author="C", solution=solution)
    assert (puzzle.name, puzzle.author) == ("A B", "C")
    assert puzzle.solution == tuple(map(int, solution))
    (back,) = unidoku.read(unidoku.write(puzzle, "f-puzzles").text)
    assert (back.name, back.author, back.solution) == ("A B", "C", puzzle.solution)
    assert read(solution="12").losses.dropped == (
        "the solution, which has another number of cells",
    )


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"grid": []}, "expected a square grid of up to 35 rows"),
        ({"grid": [[{}], [{}]]}, "expected a square grid"),
        ({"grid": grid(4), "size": 5}, "expected 5 rows, as in 'size', got 4"),
        ({"grid": grid(4), "thermometer": [{"lines": [["R1C1", "R9C9"]]}]}, "a cell of the grid"),
        ({"grid": grid(4), "thermometer": [{"lines": [["A1", "A2"]]}]}, "a cell such as 'R1C1'"),
        ({"grid": grid(4), "thermometer": {}}, "thermometer: expected a list"),
        ({"grid": grid(4), "skyscraper": [{"cell": "R1C1", "value": 1}]}, "a cell beside the grid"),
        ({"grid": grid(4), "ratio": [{"cells": ["R1C1"]}]}, "ratio: expected two cells"),
        ({"grid": grid(4), "quadruple": [{"cells": ["R1C1"], "values": "x"}]}, "a list of values"),
        ({"grid": grid(4), "killercage": [{"cells": ["R1C1"], "value": "9" * 7}]}, "up to 100,000"),
        ({"grid": [[7] * 4] * 4}, "a table for each cell, got 7"),
    ],
)
def test_what_is_no_puzzle_is_refused_with_what_was_expected(
    table: dict[str, Any], message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        unidoku.read(json.dumps(table), format="f-puzzles")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LINK + "N4Ig", "expected a payload of LZ-string, got a part of one"),
        (LINK + "!!", "expected base64, got '!'"),
        (compressed("[1, 2]"), "expected an object in JSON of f-puzzles"),
        (compressed("{" * 5000), "expected JSON of f-puzzles"),
        (compressed('{"a":' * 20000), "expected JSON of f-puzzles"),
    ],
)
def test_bad_and_hostile_payloads_are_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        unidoku.read(text, format="f-puzzles")


def test_signs_of_greater_are_written_as_thermometers_of_two_cells() -> None:
    board = Board.empty(layout("latin", 4).with_rules(Greater(((0, 1),))))
    written = unidoku.write(board, "f-puzzles")
    assert written.losses.approximated == ("signs of greater are thermometers of two cells",)
    (back,) = unidoku.read(written.text)
    assert back.board.layout.rules == (Thermo((1, 0)),)
    assert meaning(back.board) == meaning(board)


def test_settings_of_solvers_are_reported_unless_they_are_empty() -> None:
    assert not read(disabledlogic=[], truecandidatesoptions=[], highlightConflicts=True).losses
    puzzle = read(disabledlogic=["aic"], successMessage="Bravo")
    assert [*puzzle.losses.dropped] == [
        "disabledlogic, the techniques that a solver leaves out",
        "successMessage, the words for who has solved it",
    ]
