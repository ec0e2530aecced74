"""The rules in words: every kind has its sentence, and what has no picture is told with cells."""

from __future__ import annotations

from pathlib import Path

import unidoku
from unidoku import Board, Killer, Thermo, layout, rules
from unidoku.core.rules.base import KINDS
from unidoku.formats import Puzzle
from unidoku.formats.kind_sentences import GLOBAL, SENTENCES
from unidoku.formats.sentences import rules_text
from unidoku.formats.sudokupad.pictures import PICTURES

NINE = layout("classic")


def text_of(*drawn: rules.Rule, variant: str = "classic") -> list[str]:
    return rules_text(Board.empty(layout(variant).with_rules(*drawn))).splitlines()[1:]


def test_a_picture_has_its_sentence_and_its_drawing() -> None:
    kinds: set[type[rules.Rule]] = {*KINDS.values(), rules.Schroedinger}
    assert PICTURES.keys() == SENTENCES.keys()
    assert kinds >= SENTENCES.keys() | GLOBAL.keys()
    in_words = kinds - SENTENCES.keys() - GLOBAL.keys()
    assert {kind.kind for kind in in_words} == {
        "count-distinct",
        "differ-where",
        "indexed",
        "nonogram",
        "region-count",
        "region-run",
        "same-sum",
        "same-values",
        "weighted-sum",
    }


def test_each_example_is_told_without_repetition_and_without_dots(root: Path) -> None:
    for file in sorted((root / "examples" / "rules").iterdir()):
        (puzzle, *_) = unidoku.read(file)
        lines = rules_text(puzzle.board).splitlines()
        assert lines
        assert len({*lines}) == len(lines)
        assert all(line.endswith(".") and "…" not in line for line in lines), file


def test_grids_are_named_as_people_do() -> None:
    first = {
        "classic": "Normal sudoku rules apply.",
        "classic:2x3": "Normal 6×6 sudoku rules apply.",
        "latin": "Place the digits 1 to 9 once in each row and column.",
    }
    for name, sentence in first.items():
        board = Board.empty(layout(name, 6 if "x" in name else 9))
        assert rules_text(board) == sentence
    lines = rules_text(Board.empty(layout("x+windoku+anti-knight+disjoint"))).splitlines()
    assert lines[1:] == [
        "Digits do not repeat along the marked diagonals.",
        "Cells a knight's move apart do not hold the same digit.",
        "Cells at the same place in their boxes do not hold the same digit.",
        "Digits do not repeat in a shaded region.",
    ]
    irregular = Board.parse("....\n....\n....\n....\n1112\n1322\n3324\n3444", "jigsaw")
    assert rules_text(irregular).startswith("Normal 4×4 irregular sudoku rules apply: place")
    holes = rules_text(Board.empty(layout("samurai")))
    assert holes == "Cells hold the values 1 to 9; values do not repeat in a row, column and box."


def test_a_kind_is_told_once_with_what_its_rules_differ_in() -> None:
    cages = [Killer((0, 1), 5), Killer((2, 3)), Killer((4, 5), 7)]
    assert text_of(*cages) == [
        "Digits do not repeat in a dashed cage, and sum to the number in its corner, if it has one."
    ]
    assert text_of(rules.Whispers((0, 1), 5), rules.Whispers((2, 3), 4)) == [
        "Neighbouring digits along an orange line differ by at least 4.",
        "Neighbouring digits along a green line differ by at least 5.",
    ]
    assert len(text_of(Thermo((0, 1)), Thermo((3, 4), slow=True))) == 2


def test_what_has_no_picture_is_told_with_its_cells_by_row_and_column() -> None:
    far = rules.Pairs(((0, 1), (4, 80)), lambda a, b: a != b, "differ")
    assert text_of(far) == ["Differ: r1c1-r1c2, r1c5-r9c9."]
    assert text_of(rules.WeightedSum((0, 9), (1, 2), 7)) == ["r1c1 + 2·r2c1 = 7."]
    three = rules.Contains((0, 1, 2), (4,))
    assert text_of(three) == ["r1c1-r1c3 hold 4."]


def test_clues_outside_of_several_kinds_are_told_apart_by_their_places() -> None:
    row = tuple(range(9))
    column = tuple(range(0, 81, 9))
    assert text_of(rules.Sandwich(row, 7)) == [
        "A number outside the grid is the sum of the digits between 1 and 9 in its row or column."
    ]
    both = text_of(rules.Sandwich(row, 7), rules.Skyscraper(column, 3), rules.Skyscraper(row, 2))
    assert both[0].startswith("A number left of row 1 is the sum")
    assert both[1].startswith("A number above column 1 is how many")
    assert both[2] == "Along r1c1-r1c9, 2 are visible."


def test_an_ambiguous_arrow_with_circles_is_told_apart_from_one_without() -> None:
    plain, ends = rules.AmbiguousArrow((0, 1, 2)), rules.AmbiguousArrow((9, 10, 11), ends=True)
    assert text_of(plain)[0].startswith("One digit along a slate line, whichever it is,")
    both = text_of(plain, ends)
    assert both[0].startswith("One digit along a slate line without circles, whichever it is,")
    assert both[1].startswith("One of the digits in the two circles of a slate line,")


def test_negative_rules_say_which_cells_they_mean() -> None:
    dot = rules.DiffersBy(((0, 1),))
    pairs = tuple(
        (a, b)
        for a in NINE.cells
        for b in NINE.cells
        if a < b and abs(a % 9 - b % 9) + abs(a // 9 - b // 9) == 1
    )
    never = rules.DiffersBy(tuple(pair for pair in pairs if pair != (0, 1)), never=True)
    assert text_of(dot, never)[1] == (
        "Cells that share a side, without a dot between them, do not hold consecutive digits."
    )
    assert text_of(rules.NonConsecutive(pairs)) == [
        "Cells that share a side do not hold consecutive digits."
    ]
    two = rules.PairSum(pairs[:2], 5, never=True)
    assert text_of(two) == ["Do not sum to 5: r1c1-r1c2, r1c1-r2c1."]


def test_a_text_of_the_setter_is_kept_by_files_and_links() -> None:
    board = Board.empty(layout("classic", 4).with_rules(Thermo((0, 1, 2))))
    text = 'Rule one, & "two".\nRule = 2.'
    for form in ("toml", "json", "f-puzzles", "f-puzzles-json", "sudokupad", "scl", "penpa"):
        written = unidoku.write(Puzzle(board, "", 1, rules_text=text), form)
        (back,) = unidoku.read(written.text)
        assert back.rules_text == text, form
        generated = unidoku.write(Puzzle(board, "", 1), form)
        (back,) = unidoku.read(generated.text)
        assert back.rules_text == "", form  # generated words are generated again
    lost = unidoku.write(Puzzle(board, "", 1, rules_text=text), "iss").losses.dropped
    assert lost == ("rules_text",)


def test_rules_beside_s_cells_say_what_they_compare() -> None:
    (cells, value) = rules_text(Board.empty(layout("x+schroedinger", 4))).splitlines()[1:]
    assert cells == (
        "One cell in each row, column and box, a Schrödinger cell, holds two digits, so that each "
        "of the digits 0 to 4 is there once."
    )
    assert value.endswith("rules that compare cells compare it.")
    board = Board.parse("0 . . . . . . . .", layout("latin+schroedinger:digits", 3))
    (cells, value, given) = rules_text(board).splitlines()
    assert cells.startswith("One cell in each row and column, ")
    assert value.endswith("are about each of the two digits.")
    assert given == "A given digit is the only one in its cell."
    german = layout("schroedinger", 9).with_rules(rules.Whispers((0, 1), 5))
    assert rules_text(Board.empty(german)).endswith("along a green line differ by at least 5.")
