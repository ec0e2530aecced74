"""Rules of many lines are written once, and read back as they were."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from unidoku import Board, Layout, layout
from unidoku.core.rules import NonogramLine, Skyscraper
from unidoku.formats import Puzzle
from unidoku.formats.toml.file import puzzles_from_toml, toml_of_puzzles
from unidoku.generation.ruled import FAMILIES, RuledGeneration

SIZES = {"kakuro": 5, "star-battle": 6}


def written_and_read(puzzle: Puzzle) -> str:
    text = toml_of_puzzles([puzzle])
    [again] = puzzles_from_toml(text)
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
    one = puzzle.board.layout
    rules = random.Random(1).sample(one.rules, len(one.rules))
    shuffled = type(one)(one.n, one.units, one.positions, tuple(rules))
    board = type(puzzle.board).of(shuffled, puzzle.board.candidates)
    written_and_read(Puzzle(board, "shuffled", 1))
    assert all(isinstance(rule, Skyscraper) for rule in rules)


def test_an_empty_line_of_a_nonogram_and_one_column_are_read_back() -> None:
    for rows, columns in ((3, 2), (3, 1), (1, 3)):
        places = tuple((row, column) for row in range(rows) for column in range(columns))
        lines = [tuple(range(row * columns, (row + 1) * columns)) for row in range(rows)]
        rules = tuple(NonogramLine(line, (1,) if at else ()) for at, line in enumerate(lines))
        board = Board.empty(Layout(2, (), places, rules, first_value=0))
        written_and_read(Puzzle(board, "narrow", 1))


def test_areas_that_overlap_are_written_as_lists() -> None:
    square = layout("latin", 3)
    board = Board.empty(replace(square, areas=((0, 1), (1, 2))))
    assert "areas = [" in written_and_read(Puzzle(board, "overlapping", 1))
