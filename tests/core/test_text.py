from __future__ import annotations

import re
import time
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.boards import NORVIG
from unidoku import Board, layout, propagate, read_puzzles
from unidoku.core.layout import Layout
from unidoku.core.text.writing import TextForm
from unidoku.core.variants import Variant
from unidoku.errors import FormatError, InputError
from unidoku.testing.strategies import boards, named_layouts

DIGITS = """
400000805
030000000
000700000
020000060
000080400
000010000
000603070
500200000
104000000"""
FRAMED = """
4 . . |. . . |8 . 5
. 3 . |. . . |. . .
. . . |7 . . |. . .
------+------+------
. 2 . |. . . |. 6 .
. . . |. 8 . |4 . .
. . . |. 1 . |. . .
------+------+------
. . . |6 . 3 |. 7 .
5 . . |2 . . |. . .
1 . 4 |. . . |. . .
"""
BOX_DRAWN = FRAMED.replace("|", "│").replace("-", "─").replace("+", "┼")
HODOKU = "\n".join(
    ["*-----------*"]
    + [
        "|" + "|".join(NORVIG[9 * row + 3 * k : 9 * row + 3 * k + 3] for k in range(3)) + "|"
        for row in range(9)
    ]
    + ["*-----------*"]
)


@pytest.mark.parametrize("text", [DIGITS, FRAMED, BOX_DRAWN, HODOKU, f"\ufeff{NORVIG}\r\n"])
def test_all_spellings_give_the_same_board(text: str) -> None:
    assert Board.parse(text) == Board.parse(NORVIG)


@pytest.mark.parametrize("empty", [*".0-*_xX?~", "·", "•", "□", "–", "☐"])
def test_any_one_symbol_stands_for_empty(empty: str) -> None:
    assert Board.parse(NORVIG.replace(".", empty)) == Board.parse(NORVIG)


def test_dashes_in_rows_are_cells_where_they_make_the_count() -> None:
    rows = [NORVIG[9 * row : 9 * row + 9].replace(".", "-") for row in range(9)]
    rows[2] = "-" * 9
    board = Board.parse("\n".join(rows))
    assert board.givens[:9] == (4, 0, 0, 0, 0, 0, 8, 0, 5)
    assert board.givens[18:27] == (0,) * 9
    assert Board.parse("-" * 81) == Board.empty(layout())


def test_dashed_rows_and_borders_can_stand_together() -> None:
    text = "1 - | - -\n- - | 2 -\n----+----\n- 3 | - -\n- - | - 4"
    assert Board.parse(text) == Board.parse("1... ..2. .3.. ...4")


@given(boards(named_layouts()))
def test_boards_of_givens_come_back_from_text(board: Board) -> None:
    givens = Board.from_values(board.layout, board.givens)
    assert Board.parse(givens.text("line"), board.layout) == givens
    assert Board.parse(givens.text("framed"), board.layout) == givens


@given(boards() | boards(named_layouts()))
def test_candidate_grids_come_back_whole(board: Board) -> None:
    assert Board.parse(board.text("candidates"), board.layout) == board


@given(st.data(), st.sampled_from([12, 16, 25, 36]))
def test_large_boards_come_back_from_every_form(data: st.DataObject, n: int) -> None:
    large = layout("classic", n)
    cells = data.draw(st.dictionaries(st.integers(0, n * n - 1), st.integers(1, n), max_size=30))
    board = Board.from_values(large, [cells.get(cell, 0) for cell in large.cells])
    assert Board.parse(board.text("line")) == board
    assert Board.parse(board.text("framed")) == board
    if n == 12:
        marked = Board(large, (5, 0, *board.candidates[2:]))
        assert Board.parse(marked.text("candidates")) == marked


def test_a_samurai_comes_back_whole() -> None:
    board = Board.empty(layout("samurai")).assign("A1", 3).assign("U21", 4).assign("K11", 9)
    assert Board.parse(board.text(), "samurai") == board
    assert Board.parse(board.text("line"), "samurai") == board
    bare = re.sub(r"[-+|]| (?! )", "", board.text()).replace("\n\n", "\n")
    assert max(map(len, bare.split())) == 21
    assert Board.parse(bare, "samurai") == board


def test_letters_are_values_above_nine() -> None:
    digits_first = Board.parse("1G" + "." * 254)
    assert digits_first.givens[:2] == (1, 16)
    letters_only = Board.parse("AP" + "." * 254)
    assert letters_only.givens[:2] == (1, 16)
    assert Board.parse("ap" + "." * 254) == letters_only


def test_letters_that_could_be_either_are_refused() -> None:
    text = "AG" + "." * 254
    with pytest.raises(FormatError, match="can be read in 2 ways"):
        Board.parse(text)
    assert Board.parse(text, symbols="ABCDEFGHIJKLMNOP").givens[:2] == (1, 7)
    assert Board.parse(text, symbols="123456789ABCDEFG").givens[:2] == (10, 16)
    assert Board.parse("0F" + "." * 254, symbols="0123456789ABCDEF").givens[:2] == (1, 16)


def test_symbols_must_be_enough_and_different() -> None:
    with pytest.raises(InputError, match="expected at least 4 different symbols, got 'abc'"):
        Board.parse("a" + "." * 15, symbols="abc")
    with pytest.raises(InputError, match="different"):
        Board.parse("a" + "." * 15, symbols="abca")


def test_numbers_separated_by_blanks() -> None:
    row = " ".join(["16", "1", *["."] * 14])
    assert Board.parse(row + "\n" + "\n".join([" ".join("." * 16)] * 15)).givens[:2] == (16, 1)


@pytest.mark.parametrize("empty", ["..", "00", "--", "."])
def test_two_digit_numbers_with_empty_cells_as_wide(empty: str) -> None:
    rows = [" ".join(["01", "16", *[empty] * 14])] + [" ".join([empty] * 16)] * 15
    assert Board.parse("\n".join(rows)).givens[:3] == (1, 16, 0)


def test_blocks_of_symbols_are_not_taken_for_candidates() -> None:
    text = "\n".join(["1234 5678 .... ...."] + ["1... .... .... ....", "." * 16] * 7 + ["." * 16])
    assert Board.parse(text).layout.n == 16


def test_a_jigsaw_has_its_regions_after_the_givens() -> None:
    givens, regions = "1..............4", "aaabacbbccbdcddd"
    board = Board.parse(givens + regions, "jigsaw")
    assert board == Board.parse(givens, f"jigsaw:{regions}")
    assert Board.parse(f"{givens} {regions}", "jigsaw") == board
    split = [text[4 * k : 4 * k + 4] for text in (givens, regions) for k in range(4)]
    assert Board.parse("\n".join(split), "jigsaw") == board
    (named,) = read_puzzles(f"{givens} {regions} the name", "jigsaw")
    assert (named.board, named.name) == (board, "the name")


def test_a_frame_may_have_blank_lines_between_its_bands() -> None:
    bands = DIGITS.strip().splitlines()
    text = "\n\n".join("\n".join(bands[k : k + 3]) for k in (0, 3, 6))
    assert Board.parse(text) == Board.parse(NORVIG)


def test_places_for_each_value_are_pencil_marks() -> None:
    sukaku = "12..5678912.4567.." + "." * 9 + "123456789" * 78
    with pytest.raises(FormatError, match=r"can be read in 2 ways \(9x9, 27x27\)"):
        Board.parse(sukaku)
    board = Board.parse(sukaku, size=9)
    assert board.values(0) == (1, 2, 5, 6, 7, 8, 9)
    assert board.values(2) == ()
    assert board.layout.n == 9
    with pytest.raises(FormatError, match="can be read in 2 ways"):
        Board.parse("1..." + ".2.." * 15)
    with pytest.raises(FormatError, match="as one board or as 4 small ones"):
        read_puzzles("................\n\n" * 3 + "1 . . .\n" + ". . . .\n" * 3, "latin")
    assert Board.parse("1..." + ".2.." * 15, size=4).values(1) == (2,)


def test_hexadecimal_is_not_taken_for_empty_cells() -> None:
    with pytest.raises(FormatError, match="can be read in 2 ways"):
        Board.parse("0123456789ABCDEF" * 16)
    assert Board.parse("0F" + "." * 254).givens[:2] == (1, 16)


def test_symbols_of_ones_own_are_not_numbers() -> None:
    with pytest.raises(FormatError):
        Board.parse("12 34 34 12 " * 4, symbols="4321")
    assert Board.parse("4321 1234 2143 3412", symbols="4321").givens[:4] == (1, 2, 3, 4)


def test_dashes_with_borders_and_a_row_without_givens() -> None:
    rows = [NORVIG[9 * row : 9 * row + 9].replace(".", "-") for row in range(9)]
    rows[3] = "-" * 9
    framed = ["|".join([row[:3], row[3:6], row[6:]]) for row in rows]
    text = "\n".join([*framed[:3], "---+---+---", *framed[3:6], "---+---+---", *framed[6:]])
    assert Board.parse(text).givens[27:36] == (0,) * 9


def test_a_candidate_grid_is_not_taken_for_a_larger_board() -> None:
    """Its 484 digits would make a board of 22x22, but not in its rows."""
    text = "8....3....4....17.....9.2....4...8....9...7.1.8716....5....................3...5."
    left = propagate(Board.parse(text))
    assert left is not None
    assert Board.parse(left.text("candidates")) == left


def test_the_reason_why_there_is_no_such_size_is_said() -> None:
    with pytest.raises(FormatError, match="5 cells make no box"):
        Board.parse("." * 25)
    with pytest.raises(FormatError, match="expected a box of 4 cells"):
        Board.parse("." * 16, "classic:0x4")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "text without cells"),
        ("# only a comment\n", "text without cells"),
        (NORVIG[:-1], r"line 1: expected the cells of a classic board .*, got 80 symbols"),
        (DIGITS.strip()[:-1], r"line 9: .*got 80 symbols; this line has 8, the others 9"),
        (NORVIG[:-1] + "0", r"line 1, column 81: expected one symbol for empty, got '0' after '.'"),
        (NORVIG[:-1] + "A", r"line 1, column 81: expected 1 to 9 or one symbol for empty, got 'A'"),
        ("5..............." + "", r"line 1, column 1: expected 1 to 4 or one symbol"),
        ("\n12.. .... .... ...9", r"line 2, column 19: expected 1 to 4"),
        ("1 12 . .\n. . . .\n. . . .\n. . . 44", r"line 4, column 7: expected different numbers"),
        ("1 2 3 17 " + ". " * 252, r"line 1, column 7: expected different numbers from 1 to 16"),
        (
            FRAMED.replace("8 . 5", "8 . 55"),
            r"line 2, column 19: expected different numbers from 1 to 9, got '55'",
        ),
    ],
)
def test_what_is_no_board_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Board.parse(text)


def test_a_text_for_another_layout_is_refused() -> None:
    with pytest.raises(FormatError, match="expected the 369 cells of samurai, got 81 symbols"):
        Board.parse(NORVIG, layout("samurai"))
    with pytest.raises(FormatError, match="of a classic board of size 4"):
        Board.parse(NORVIG, size=4)
    with pytest.raises(FormatError, match="and as many region symbols"):
        Board.parse(NORVIG, "jigsaw")
    with pytest.raises(FormatError, match="region 'a' of the map has 5 cells, expected 4"):
        Board.parse("1..............4" + "aaaaabbbccccdddd", "jigsaw")


def test_a_board_whose_parts_have_as_many_candidates_as_it_has_cells_is_one() -> None:
    layout = Layout.from_units(2, [], positions=[(0, 0), (0, 1), (2, 0), (2, 1)])
    board = Board.from_candidates(layout, [{1, 2}] * 4)
    assert Board.parse(board.text("candidates"), layout) == board


def test_an_unknown_form_of_text_is_refused() -> None:
    with pytest.raises(InputError, match="expected a form of text of line, framed, candidates"):
        Board.parse("1... .... .... ....").text("grid")  # type: ignore[arg-type] # that is the test


def test_one_board_is_wanted_where_there_are_two() -> None:
    with pytest.raises(FormatError, match="expected one board, got 2"):
        Board.parse(f"{NORVIG}\n{NORVIG}")


def test_rows_of_values_with_zero_or_none_for_empty() -> None:
    rows: list[list[int | None]] = [[1, None, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]]
    assert Board.parse(rows) == Board.parse("1... ..2. .3.. ...4")
    assert Board.parse(tuple(map(tuple, rows))) == Board.parse(rows)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "expected rows that fill a classic board"),
        ([[1, 2], [3]], "expected rows that fill a classic board"),
        ([[0] * 4, [0] * 4, [0] * 5, [0] * 3], "line 3: expected 4 values, got 5"),
        ([[0] * 8, [0] * 8], "expected 4 rows, got 2"),
        (
            [[0] * 4, [0, 5, 0, 0], [0] * 4, [0] * 4],
            "line 2, column 2: expected an int from 0 to 4",
        ),
        ([[0] * 4, [0, "1", 0, 0], [0] * 4, [0] * 4], "got '1'"),
        ([[0] * 4, [0, 1.5, 0, 0], [0] * 4, [0] * 4], "got 1.5"),
    ],
)
def test_rows_that_are_no_board_are_refused(rows: list[list[int | None]], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Board.parse(rows)


def test_rows_fill_layouts_with_holes_row_by_row() -> None:
    cross = Layout.from_units(3, [], positions=[(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)])
    assert Board.parse([[1], [2, 3, 1], [2]], cross).givens == (1, 2, 3, 1, 2)


@pytest.mark.parametrize(("n", "value"), [(1, 1), (9, 9), (12, 11), (40, 40)])
def test_boards_of_one_cell_come_back_from_every_form(n: int, value: int) -> None:
    single = Layout.from_units(n, [[0]], shape=(1, 1))
    board = Board.from_values(single, [value])
    for form in get_args(TextForm):
        assert Board.parse(board.text(form), single) == board
    empty = Board.empty(single)
    assert Board.parse(empty.text("candidates"), single) == empty


@pytest.mark.parametrize("symbol", ["\0", "\x1b", "\u200b", "😀", "é", "\ufffe", "№"])
def test_what_nobody_writes_for_empty_is_named_and_no_empty_cell(symbol: str) -> None:
    for text in (symbol * 81, f"{'.' * 40}5{symbol}{'.' * 39}", "1234" * 15 + f"{symbol}234"):
        with pytest.raises(FormatError, match=f"U\\+{ord(symbol):04X}") as caught:
            Board.parse(text)
        assert caught.value.line == 1
        assert caught.value.column == text.index(symbol) + 1


@pytest.mark.parametrize(
    "text",
    ["a\n" * 30_000, "12 " * 30_000, "a " * 60_000, "---\n" * 30_000, "-" * 150_000 + "x"],
)
def test_large_texts_without_a_board_are_refused_soon(text: str) -> None:
    clock = time.perf_counter()
    with pytest.raises(FormatError):
        read_puzzles(text)
    assert time.perf_counter() - clock < 20


def test_the_size_of_a_layout_is_known_by_its_cells() -> None:
    for name in ("classic", "latin", "samurai", "grids:0,0/1,1"):
        variant = Variant.parse(name)
        for n in (4, 6, 9, 12):
            assert variant.size(len(layout(name, n))) == n
        assert variant.size(10**12) is None
