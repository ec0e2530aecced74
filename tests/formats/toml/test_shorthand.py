"""Shorthand of puzzle files says the same as the rules spelled out, or what is wrong with it."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from unidoku import Board, FormatError, Layout, layout
from unidoku.core import rules as r
from unidoku.formats import Puzzle
from unidoku.formats.toml.file import read_toml, write_toml
from unidoku.generation.ruled import FAMILIES, RuledGeneration

OWN = "version = 1\nsize = 2\nfirst_value = 0\nshape = [2, 3]\n"
LATIN = 'version = 1\nvariant = "latin"\nsize = 3\n'


def board(text: str) -> Board:
    (puzzle,) = read_toml(text)
    return puzzle.board


def rules(head: str, rule: str) -> tuple[r.Rule, ...]:
    return board(f"{head}rules = [{{ {rule} }}]").layout.rules


def test_each_row_is_a_rule_for_each_row() -> None:
    rows = (r.SumOfCells((0, 1, 2), 1), r.SumOfCells((3, 4, 5), 1))
    assert rules(OWN, 'kind = "sum", summed = "each row", total = 1') == rows
    lines = rules(OWN, 'kind = "sum", summed = "each line", total = 1')
    assert lines == (*rows, *(r.SumOfCells((cell, cell + 3), 1) for cell in range(3)))


def test_two_fields_that_say_each_line_are_a_rule_for_each_two_of_a_kind() -> None:
    expanded = rules(OWN, 'kind = "lines-differ", line = "each line", other = "each line"')
    columns = [(0, 3), (1, 4), (2, 5)]
    assert expanded == (
        r.LinesDiffer((0, 1, 2), (3, 4, 5)),
        *(r.LinesDiffer(columns[a], columns[b]) for a, b in ((0, 1), (0, 2), (1, 2))),
    )


def test_each_region_is_a_rule_for_each_box() -> None:
    expanded = rules("version = 1\nsize = 4\n", 'kind = "sum", summed = "each region", total = 10')
    assert [rule.cells for rule in expanded] == [
        (0, 1, 4, 5),
        (2, 3, 6, 7),
        (8, 9, 12, 13),
        (10, 11, 14, 15),
    ]


def test_each_area_is_a_rule_for_each_area() -> None:
    expanded = rules(f'{OWN}areas = "AAB ABB"\n', 'kind = "sum", summed = "each area", total = 1')
    assert [rule.cells for rule in expanded] == [(0, 1, 3), (2, 4, 5)]


def test_clues_at_a_side_are_rules_of_lines_read_from_there() -> None:
    assert rules(LATIN, 'kind = "skyscraper", right = ". 2 .", bottom = "1 . ."') == (
        r.Skyscraper((5, 4, 3), 2),
        r.Skyscraper((6, 3, 0), 1),
    )


def test_clues_of_several_numbers_are_set_apart_by_commas_and_0_is_an_empty_line() -> None:
    expanded = rules(OWN, 'kind = "nonogram", left = "1 1, 0", top = "1 . 1"')
    assert expanded == (
        r.NonogramLine((0, 1, 2), (1, 1), 1),
        r.NonogramLine((3, 4, 5), (), 1),
        r.NonogramLine((0, 3), (1,), 1),
        r.NonogramLine((2, 5), (1,), 1),
    )


def test_touching_cells_meet_at_a_side_or_a_corner() -> None:
    (rule,) = rules(OWN, 'kind = "pair-sum", pairs = "touching", total = 2, never = true')
    assert isinstance(rule, r.PairSum)
    assert rule.pairs == (
        *((0, 1), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (1, 5), (2, 4), (2, 5), (3, 4), (4, 5)),
    )
    again = read_toml(f'{OWN}rules = [{{ kind = "greater", pairs = "touching" }}]')
    text = write_toml([*again]).text
    assert 'pairs = "touching"' in text


def test_a_hash_in_the_givens_is_no_cell() -> None:
    text = 'version = 1\nsize = 3\ngivens = """\n#1.\n.#3"""\nsolution = """\n#12\n2#3"""'
    (puzzle,) = read_toml(text)
    assert puzzle.board.layout.positions == ((0, 1), (0, 2), (1, 0), (1, 2))
    assert puzzle.board.givens == (1, 0, 0, 3)
    assert puzzle.solution == (1, 2, 2, 3)


@pytest.mark.parametrize(
    ("head", "rule", "message"),
    [
        (
            LATIN,
            'kind = "skyscraper", top = "1 2"',
            "top: expected a clue or '.' for each of 3 columns, got 2 in '1 2'",
        ),
        (LATIN, 'kind = "skyscraper", top = "1 x 2"', "top: expected clues in numbers, got 'x'"),
        (
            LATIN,
            'kind = "skyscraper", top = "1 1, 2, 3"',
            "top: expected one number for each clue, got '1 1'",
        ),
        (
            LATIN,
            'kind = "skyscraper", top = [1, 2, 3]',
            "expected a text of clues such as '3 . 2 1', got [1, 2, 3]",
        ),
        (
            LATIN,
            'kind = "skyscraper", line = "row 1", top = "1 2 3"',
            "expected line or clues at the sides, got both",
        ),
        (
            LATIN,
            'kind = "killer", top = "1 2 3"',
            "unknown key 'top': this kind of rule has no clues at the sides",
        ),
        (
            LATIN,
            'kind = "sum", summed = "each region", total = 3',
            "'each region': expected a puzzle with regions, got none",
        ),
        (
            LATIN,
            'kind = "lines-differ", line = "each row", other = "each column"',
            "expected this word in one field of cells, or the same word in two, "
            "got line = 'each row', other = 'each column'",
        ),
    ],
)
def test_what_is_wrong_with_shorthand_is_said(head: str, rule: str, message: str) -> None:
    kind = rule.split('"')[1]
    with pytest.raises(FormatError, match=f"^rule 1, {kind}: {re.escape(message)}$"):
        rules(head, rule)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'version = 1\nsize = 2\ngivens = "#1 ..."',
            "givens: expected rows of one length where one has '#'",
        ),
        (
            'version = 1\nvariant = "latin"\ngivens = "#1 .."',
            "givens: expected no '#' beside variant",
        ),
    ],
)
def test_where_no_cells_are_is_said_of_layouts_of_their_own_in_rows(
    text: str, message: str
) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        board(text)


SIZES = {"kakuro": 5, "star-battle": 6}


def written_and_read(puzzle: Puzzle) -> str:
    text = write_toml([puzzle]).text
    [again] = read_toml(text)
    assert again.board == puzzle.board
    assert again.board.layout.areas == puzzle.board.layout.areas
    assert again.solution == puzzle.solution
    return text


@pytest.mark.parametrize("family", FAMILIES)
def test_a_puzzle_of_each_family_is_read_back_as_it_was(family: str) -> None:
    for puzzle in RuledGeneration(family=family, n=SIZES.get(family, 4), count=2, seed=3):
        written_and_read(puzzle)


def test_takuzu_is_written_in_three_rules() -> None:
    [puzzle] = RuledGeneration(family="takuzu", n=6, seed=1)
    assert written_and_read(puzzle).count("kind =") == 3


def test_clues_are_written_at_the_sides_in_whatever_order_few_are() -> None:
    [puzzle] = RuledGeneration(family="skyscraper", n=5, seed=1)
    assert written_and_read(puzzle).count("skyscraper") == 2  # the name and one rule
    small = puzzle.board.layout
    rules = random.Random(1).sample(small.rules, len(small.rules))
    shuffled = type(small)(small.n, small.units, small.positions, tuple(rules))
    board = type(puzzle.board).of(shuffled, puzzle.board.candidates)
    written_and_read(Puzzle(board, "shuffled", 1))
    assert all(isinstance(rule, r.Skyscraper) for rule in rules)


def test_an_empty_line_of_a_nonogram_and_one_column_are_read_back() -> None:
    for rows, columns in ((3, 2), (3, 1), (1, 3)):
        places = tuple((row, column) for row in range(rows) for column in range(columns))
        lines = [tuple(range(row * columns, (row + 1) * columns)) for row in range(rows)]
        rules = tuple(r.NonogramLine(line, (1,) if at else ()) for at, line in enumerate(lines))
        board = Board.empty(Layout(2, (), places, rules, first_value=0))
        written_and_read(Puzzle(board, "narrow", 1))


def test_areas_that_overlap_are_written_as_lists() -> None:
    square = layout("latin", 3)
    board = Board.empty(replace(square, areas=((0, 1), (1, 2))))
    assert "areas = [" in written_and_read(Puzzle(board, "overlapping", 1))


def test_rules_that_no_column_takes_are_written_one_by_one() -> None:
    wide, narrow = (
        r.ChaosConstruction((0, 1, 2), (0, 1, 2), columns, count)
        for columns, count in ((3, 3), (3, 1))
    )
    board = Board.empty(Layout.from_units(3, [], shape=(1, 5), rules=[wide, narrow]))
    assert written_and_read(Puzzle(board, "two", 1)).count("chaos-construction") == 2
