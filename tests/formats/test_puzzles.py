"""All boards of a text, whatever stands between them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.boards import NORVIG
from tests.helpers.volume import volume
from unidoku import Board, layout, read_puzzles
from unidoku.core.board import TextForm
from unidoku.errors import FormatError
from unidoku.testing.strategies import boards

DIGITS = "\n".join(NORVIG[start : start + 9].replace(".", "0") for start in range(0, 81, 9))
FRAMED = Board.parse(NORVIG).text()


def test_a_file_may_mix_lines_frames_comments_and_names() -> None:
    text = f"""# a collection

{NORVIG}  # first
{NORVIG}, second; and more

# third
{FRAMED}
=====
Grid 04
{DIGITS}
"""
    puzzles = read_puzzles(text)
    assert [puzzle.name for puzzle in puzzles] == ["first", "second; and more", "third", "Grid 04"]
    assert [puzzle.line for puzzle in puzzles] == [3, 4, 7, 20]
    assert {puzzle.board for puzzle in puzzles} == {Board.parse(NORVIG)}


def test_a_comment_above_a_blank_line_names_nothing() -> None:
    (puzzle,) = read_puzzles(f"# header\n\n{NORVIG}")
    assert puzzle.name == ""


def test_names_after_lines_do_not_make_a_block_of_words() -> None:
    text = "\n".join([f"{NORVIG} easy one"] + [f"{NORVIG} practice {k}" for k in range(4)])
    assert len(read_puzzles(text)) == 5


def test_lines_that_are_one_board_or_many_are_refused_until_the_size_is_said() -> None:
    text = "\n".join(["1..............."] * 16)
    with pytest.raises(FormatError, match="16 lines can be read as one board or as 16 small ones"):
        read_puzzles(text)
    spaced = "\n".join(["1... ..2. .3.. ...4"] * 16)
    with pytest.raises(FormatError, match="as one board or as 16 small ones"):
        read_puzzles(spaced)
    assert len(read_puzzles(spaced, size=4)) == 16
    assert len(read_puzzles(spaced, size=4, symbols="1234")) == 16
    assert len(read_puzzles("\n".join(["a... ..b. .c.. ...d"] * 16), symbols="abcd")) == 16
    assert len(read_puzzles(text, size=4)) == 16
    assert len(read_puzzles(text, size=16)) == 1


@pytest.mark.parametrize("count", [4, 9, 16, 25, 36, 81, 100])
def test_any_number_of_boards_a_line(count: int) -> None:
    assert len(read_puzzles("\n".join([NORVIG] * count))) == count


@pytest.mark.parametrize("count", [2, 4, 9])
def test_boards_in_rows_one_below_the_other(count: int) -> None:
    puzzles = read_puzzles("\n".join([DIGITS] * count))
    assert [puzzle.line for puzzle in puzzles] == [1 + 9 * k for k in range(count)]
    assert {puzzle.board for puzzle in puzzles} == {Board.parse(NORVIG)}


def test_spaced_boards_do_not_fuse_into_one_large_board() -> None:
    assert len(read_puzzles("\n".join(["1... ..2. .3.. ...4"] * 4))) == 4
    with pytest.raises(FormatError, match="got 324 symbols, which are not in the rows"):
        read_puzzles(" ".join([NORVIG] * 4))
    with pytest.raises(FormatError, match="got 32 symbols"):
        read_puzzles("1... ..2. .3.. ...4 " * 2)


def test_a_slip_in_one_board_does_not_fuse_it_with_the_others() -> None:
    good, bad = "1... ..2. .3.. ...4", "1..2 .... ..1. ...5"
    with pytest.raises(FormatError, match="line 5, column 19: expected 1 to 4"):
        read_puzzles("\n\n".join([good, good, bad, good]))
    grids = [f"Grid 0{k}\n{DIGITS}" for k in range(4)]
    with pytest.raises(FormatError, match="got 'A'"):
        read_puzzles("\n".join(grids).replace("7", "A", 1))


@pytest.mark.parametrize("text", ["1,,,,2,,,,3,,,,4,", ".,.,3,.\n.,2,.,.", "1, " + ". " * 99])
def test_fields_of_a_table_are_no_boards_of_one_cell(text: str) -> None:
    with pytest.raises(FormatError):
        read_puzzles(text)


def test_a_board_on_a_title_line_is_not_swallowed() -> None:
    with pytest.raises(FormatError):
        read_puzzles(f"Puzzle 1: {NORVIG}\n{NORVIG}")
    with pytest.raises(FormatError):
        read_puzzles(str([[0] * 4] * 4))
    assert read_puzzles(f"[Inkala 2012]\n{NORVIG}")[0].name == "Inkala 2012"
    assert read_puzzles(f"Puzzle 7:\n{NORVIG}")[0].name == "Puzzle 7:"


def test_a_line_of_puzzle_and_solution_with_zeros() -> None:
    zeros = NORVIG.replace(".", "0")
    assert read_puzzles(f"{zeros},{zeros}")[0].board == Board.parse(NORVIG)
    assert read_puzzles(f"{zeros},12 clues")[0].name == "12 clues"


def test_csv_lines_of_puzzle_and_solution() -> None:
    (puzzle,) = read_puzzles("1...........2...,1234341221434321")
    assert puzzle.board.givens[0] == 1


def read_in_size_if_refused(text: str, variant: str, n: int) -> list[Board]:
    try:
        return [puzzle.board for puzzle in read_puzzles(text, variant)]
    except FormatError:
        return [puzzle.board for puzzle in read_puzzles(text, variant, size=n)]


@settings(max_examples=volume(60))
@given(st.data(), st.sampled_from(["classic", "x", "latin"]), st.sampled_from([4, 6, 9]))
def test_files_of_boards_come_back_board_by_board(data: st.DataObject, name: str, n: int) -> None:
    """Whatever mixture of spellings, a file gives its boards or is refused: never other boards."""
    variant = layout(name, n)
    drawn = data.draw(st.lists(boards(st.just(variant)), min_size=1, max_size=5))
    givens = [Board.from_values(variant, board.givens) for board in drawn]
    forms: list[TextForm] = ["line", "framed", "candidates"]
    texts = [board.text(data.draw(st.sampled_from(forms))) for board in givens]
    gap = data.draw(st.sampled_from(["\n\n", "\n# a name\n", "\n=====\n", "\nGrid 01\n"]))
    assert read_in_size_if_refused(gap.join(texts), name, n) == givens


@given(st.data(), st.sampled_from(["classic", "latin"]), st.sampled_from([4, 6, 9]))
def test_lines_of_boards_come_back_line_by_line(data: st.DataObject, name: str, n: int) -> None:
    variant = layout(name, n)
    drawn = data.draw(st.lists(boards(st.just(variant)), min_size=1, max_size=17))
    givens = [Board.from_values(variant, board.givens) for board in drawn]
    note = data.draw(st.sampled_from(["", "  # note", ",solution", " easy 12"]))
    text = "\n".join(board.text("line") + note for board in givens)
    assert read_in_size_if_refused(text, name, n) == givens
