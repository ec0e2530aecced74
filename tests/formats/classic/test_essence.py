"""Parameters of Essence Prime: each family, what is no such family, and what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import unidoku
from unidoku import FormatError, Killer, solve
from unidoku.formats.classic.essence import read

ROW = "[0,0,0,0,0,0,0,0,0]"
SQUARE = ",\n    ".join([ROW] * 9)
ROWS = ",\n".join(str([9 * k + c for c in range(1, 10)]) for k in range(9))

SUDOKU = f"language ESSENCE' 1.0\n\n$ 0 is unknown\nletting fixed be\n[\n    {SQUARE}\n]\n".replace(
    ROW, "[0,2,0,0,0,6,0,0,0]", 1
)
TAKUZU = "letting n be 4\nletting initial be [[2,1,2,2],[2,2,2,2],[2,2,0,2],[0,2,2,2],]"
FUTOSHIKI = """letting grid_size be 3 letting values be [[0,0,0],[0,0,0],[0,3,0]]
letting lastdx be 1 letting lt be [[1,1,1,2],[1,2,1,3]]"""
KAKURO = """letting width be 3 letting height be 3
letting blanks be [[0,0,0],[0,1,1],[0,1,1]]
letting vertsums be [[00,5,16],[0,0,0],[0,0,0]]
letting horzsums be [[0,0,0],[00,9,0],[12,0,0]]"""
KILLER = f"letting n_hints be 81 letting hints be {[k % 9 + 1 for k in range(81)]}\n"
SKYSCRAPERS = """letting grid_size be 3
letting side_labels be [[3,0,0],[0,2,0],[0,0,2],[0,0,0]]
letting GRID be [[0,0,0],[0,0,0],[0,0,0]]"""
X_SUMS = (
    f"letting side_labels be [[45,0,0,0,0,0,0,0,0],{ROW},{ROW},{ROW}] letting GRID be [{SQUARE}]"
)
STARS = """letting grid_size be 4 letting starcount be 1
letting cages be [[1,1,2,2],[1,3,2,2],[3,3,4,2],[3,4,4,4]]"""


def test_a_sudoku_has_its_givens_and_comments_are_no_part_of_it() -> None:
    [puzzle] = read(SUDOKU)
    assert puzzle.board.layout == unidoku.layout("classic", 9)
    assert puzzle.board.givens[:9] == (0, 2, 0, 0, 0, 6, 0, 0, 0)


def test_two_is_an_empty_cell_of_a_takuzu() -> None:
    [puzzle] = read(TAKUZU)
    assert puzzle.board.givens == (0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0)


def test_the_first_cell_of_four_numbers_is_the_lesser_one_of_a_futoshiki() -> None:
    [puzzle] = read(FUTOSHIKI)
    result = solve(puzzle.board, solutions=2)
    assert result.unique
    assert result.solutions[0][:3] == (1, 2, 3)


def test_the_sums_of_a_kakuro_are_left_of_and_above_their_runs() -> None:
    with pytest.raises(FormatError, match="expected a run of 1 to 9 cells, got 0"):
        list(read(KAKURO.replace("16]", "16]").replace("[12,0,0]", "[0,0,12]")))
    [puzzle] = read(KAKURO.replace("[00,9,0]", "[9,0,0]"))
    rules = [rule for rule in puzzle.board.layout.rules if isinstance(rule, Killer)]
    assert [(rule.cage, rule.total) for rule in rules] == [
        ((0, 1), 9),
        ((2, 3), 12),
        ((0, 2), 5),
        ((1, 3), 16),
    ]


def test_each_number_of_the_grid_of_a_killer_is_a_cage_and_zero_is_none() -> None:
    grid = f"letting grid be [{ROWS}]".replace("[1, 2, 3", "[1, 1, 0")
    [puzzle] = read(KILLER.replace("[1, 2", "[3, 2") + grid)
    first, second, *rest = puzzle.board.layout.rules
    assert isinstance(first, Killer)
    assert (first.cage, first.total) == ((0, 1), 3)
    assert second.cells == (3,)
    assert len(rest) == 77


def test_the_clues_of_skyscrapers_are_at_the_left_the_top_the_right_and_the_bottom() -> None:
    [puzzle] = read(SKYSCRAPERS)
    lines = [rule.cells for rule in puzzle.board.layout.rules]
    assert lines == [(0, 1, 2), (1, 4, 7), (8, 7, 6)]
    result = solve(puzzle.board, solutions=2)
    assert result.solutions[0][:3] == (1, 2, 3)


def test_x_sums_are_skyscrapers_without_a_size_on_a_sudoku() -> None:
    [puzzle] = read(X_SUMS)
    [rule] = puzzle.board.layout.rules
    assert (rule.kind, rule.cells) == ("x-sum", tuple(range(9)))


def test_a_star_battle_has_its_stars_in_each_row_column_and_area() -> None:
    [puzzle] = read(STARS)
    result = solve(puzzle.board, solutions=None)
    assert result.count > 0
    for grid in result.solutions:
        stars = [divmod(cell, 4) for cell in range(16) if grid[cell] == 2]
        assert sorted(row for row, _ in stars) == sorted(column for _, column in stars)
        assert [*range(4)] == sorted(row for row, _ in stars)


def test_a_file_is_recognised_by_its_ending_or_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "one.param"
    path.write_text(TAKUZU)
    [puzzle] = unidoku.read(path)
    [again] = unidoku.read(TAKUZU)
    assert puzzle.board == again.board


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("letting n be 3", r"expected the parameters of a puzzle \(Sudoku, .*\), got n"),
        ("letting known be [[true, false]] letting n be 1", "got known and n"),
        ("language ESSENCE' 1.0", "got none"),
        ("letting n be 3 letting n be 4", "each parameter once, got n twice"),
        ("given n : int", "expected parameters such as letting n be 6, got 'given n : int'"),
        ("letting n be 3 letting initial be 4", "n: expected an even number, got 3"),
        ("letting n be 999 letting initial be 4", "n: expected a number from 2 to "),
        ("letting n be [2] letting initial be 4", r"n: expected a number .*, got \[2\]"),
        ("letting n be 2 letting initial be 4", "initial: expected rows such as"),
        ("letting n be 2 letting initial be [[1,2],[3]]", "rows of 2, got one of 1"),
        ("letting n be 2 letting initial be [[1,2],[0,3]]", "initial: expected 0 to 2, got 3"),
        ("letting n be 2 letting initial be [[1,2]]", "expected 2 rows, got 1"),
        ("letting n be 2 letting initial be [[1,,2],[1,2]]", "expected whole numbers and commas"),
        (FUTOSHIKI.replace("[1,1,1,2]", "[0,1,1,2]"), "lt: expected rows and columns from 1 to 3"),
        (KAKURO.replace("1", "0"), "a cell that is not blacked out"),
        (f"letting fixed be [{'0,' * 250_000}]", "up to 400,000 characters"),
    ],
)
def test_what_is_no_such_puzzle_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        list(read(text))
