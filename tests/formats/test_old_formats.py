"""Files of SadMan, SudoCue and HoDoKu, and Simpson's nonograms: published ones, and wrong ones."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unidoku
from tests.helpers.family_boards import nonograms
from unidoku import Board, FormatError, InputError, layout, solve
from unidoku.formats import Puzzle
from unidoku.formats.classic.boards import read_hodoku, read_sdk, write_hodoku, write_sdk, write_sdm
from unidoku.formats.classic.nonograms import read as read_non
from unidoku.formats.classic.nonograms import write as write_non
from unidoku.formats.families import nonogram

GIVENS = "2..1.5..3.54...71..1.2.3.8.6.28.73.4...........1529.4.7.2.1.6.5..73...8.6..4.2..3" + ""


def rows(text: str) -> str:
    return "\n".join(text[start : start + 9] for start in range(0, 81, 9))


PRACTICE = ".51.....2.3.6.....8....4..1..24.5...5..9...7.....3.4..7..5....6.....2.3.4.....85."


def test_an_sdk_file_has_a_name_an_author_and_says_what_else_it_has() -> None:
    text = (
        f"[Puzzle]\r\n#ARuud\r\n#DA  random\tpuzzle\r\n#CJust a comment\r\n#B03-12-2006\r\n"
        f"#SSudoCue\r\n#LEasy\r\n#Uhttp://x\r\n{rows(PRACTICE)}\r\n[State]\r\n{rows(PRACTICE)}\r\n"
        "[PencilMarks]\r\n12,3\r\n"
    )
    (puzzle,) = read_sdk(text)
    assert puzzle.board == Board.parse(PRACTICE)
    assert (puzzle.name, puzzle.author) == ("A random puzzle", "Ruud")
    assert puzzle.losses.dropped == (
        "section State",
        "section PencilMarks",
        "comment",
        "date",
        "source",
        "level",
        "URL",
    )


def test_sdk_and_sdm_hold_givens(tmp_path: object) -> None:
    board = Board.parse(PRACTICE)
    written = write_sdk([Puzzle(board, "one", 1, author="me")])
    assert written.text == f"#Ame\n#Done\n{rows(PRACTICE)}"
    assert not written.losses
    (back,) = read_sdk(written.text)
    assert (back.board, back.name, back.author) == (board, "one", "me")
    lines = write_sdm([Puzzle(board, "one", 1)] * 2)
    assert lines.text == "\n".join([PRACTICE.replace(".", "0")] * 2)
    assert lines.losses.dropped == ("name", "name")
    other = Board.parse(PRACTICE, "x+non-consecutive")
    lost = ("the layout x+non-consecutive", "rules: non-consecutive")
    assert write_sdk([Puzzle(other, "", 1)]).losses.dropped == lost
    for write in (write_sdk, write_sdm):
        with pytest.raises(InputError, match=r"9 values, got classic, 16 by 16 cells of 16 values"):
            write([Puzzle(Board.empty(layout("classic", 16)), "", 1)])
    with pytest.raises(InputError, match=r"holds one puzzle, got 2; write \.sdm"):
        write_sdk([Puzzle(board, "", 1)] * 2)
    with pytest.raises(InputError, match=r"\.sdk holds names of one line"):
        write_sdk([Puzzle(board, "a\nb", 1)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[Puzzle]\n1234\n", "line 2"),
        (f"{rows(PRACTICE)}\n\n{rows(PRACTICE)}", "expected one puzzle, got 2"),
        (f"#Ame\n{rows(PRACTICE)}\n??x", "line 11"),
        ("", "expected"),
    ],
)
def test_what_is_no_sdk_file_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        list(read_sdk(text))


HODOKU = (
    ":0604:1:75.+98+2.+312.96.3+58+7..8.+5+79..+8..+5+9437+6+6..+32+1+8+9+5+5938+7+6.....5..+92.+8"
    "+98.2.57.34...3+8.59:132 438 468 172 175 188 192 193:174:"
)
"""A line of HoDoKu's library of examples."""


def test_a_line_of_hodoku_has_digits_and_deleted_candidates() -> None:
    (puzzle,) = read_hodoku(HODOKU)
    board = puzzle.board
    assert board.givens[:9] == (7, 5, 0, 9, 8, 2, 0, 3, 1)
    assert 1 not in board.values("C2")
    assert board.values("A3") == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert len(solve(board, solutions=2).solutions) == 1
    result = puzzle.losses
    assert result.approximated == ("placed digits are givens",)
    assert result.dropped == ("technique 0604", "the candidates of the technique", "eliminations")
    written = write_hodoku([puzzle])
    assert written.text.startswith(":0000:x:75.982.3")
    assert not written.losses
    (back,) = read_hodoku(written.text)
    assert back.board == board
    assert not back.losses


@given(st.lists(st.sets(st.integers(1, 9), min_size=1), min_size=81, max_size=81))
def test_candidates_come_back_from_hodoku(sets: list[set[int]]) -> None:
    board = Board.from_candidates(layout("classic", 9), sets)
    (back,) = read_hodoku(write_hodoku([Puzzle(board, "", 1)]).text)
    assert back.board == board


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0000:x:", "expected a line such as :0000:x:"),
        (":0000:x:123:::", "expected 81 cells, digits and dots"),
        (f":0000:x:{'.' * 80}+:::", "expected 81 cells"),
        (f":0000:x:{'.' * 81}:100:::", "expected deleted candidates as digit, row and column"),
        (f":0000:x:{'.' * 81}:1234:::", "such as 132, got '1234'"),
    ],
)
def test_what_is_no_line_of_hodoku_is_refused(line: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        list(read_hodoku(line))
    assert list(read_hodoku("# a heading")) == []
    with pytest.raises(InputError, match="HoDoKu holds boards of 9×9 cells"):
        write_hodoku([Puzzle(Board.parse("1..............."), "", 1)])


DEMO = """\
catalogue "webpbn.com #1"
title "Demo Puzzle from Front Page"
by "Jan Wolter"
copyright "&copy; Copyright 2004 by Jan Wolter"
license CC-BY-3.0
width 5
height 10

rows
2
2,1
1,1
3
1,1
1,1
2
1,1
1,2
2

columns
2,1
2,1,3
7
1,3
2,1

goal "01100011010010101110101001010000110010100101111000"
"""
"""The example of the format's own page."""


def test_the_published_nonogram_has_its_goal_as_only_solution() -> None:
    (puzzle,) = read_non(DEMO)
    assert (puzzle.name, puzzle.author) == ("Demo Puzzle from Front Page", "Jan Wolter")
    assert puzzle.losses.dropped == ("catalogue", "copyright", "license")
    assert solve(puzzle.board, solutions=2).solutions == (puzzle.solution,)
    written = write_non([puzzle])
    assert not written.losses
    (back,) = read_non(written.text)
    assert back == puzzle.__class__(
        puzzle.board, puzzle.name, 1, author=puzzle.author, solution=puzzle.solution
    )


@given(nonograms())
def test_nonograms_come_back(board: Board) -> None:
    written = write_non([Puzzle(board, "a name", 1)])
    assert not written.losses
    (back,) = read_non(written.text)
    assert (back.board, back.name) == (board, "a name")


def test_lines_without_clues_are_blank_or_zero_and_packs_hold_several() -> None:
    text = (
        'width 3\nheight 2\nrows\n1\n\ncolumns\n0\n1\n\ntitle "Fish &amp; &quot;chips&quot;"\nodd 7'
    )
    first, second = read_non(f"{text}\n====\n{text}")
    assert first.board == Board.empty(nonogram([(1,), ()], [(), (1,), ()]))
    assert first.name == second.name == 'Fish & "chips"'
    assert (first.line, second.line) == (1, 13)
    assert first.losses.dropped == ("a line that is not known: odd",)
    assert read_non(write_non([first, second]).text).__next__().name == first.name


def test_one_colour_is_a_loss() -> None:
    text = 'color a #ff0000\nwidth 2\nheight 1\nrows\n2a\ncolumns\n1a\n1a\ngoal "aa"'
    (puzzle,) = read_non(text)
    assert puzzle.losses.dropped == ("colours",)
    assert puzzle.solution == (2, 2)


COLOURED = """\
color b #0000ff
color r #ff0000
width 4
height 3
rows
1r,2b
1r,1r
1b,1b,1r
columns
2r,1b
1b
1b,1r,1b
1r
goal "rbb0r0r0b0br"
"""


def test_several_colours_are_values() -> None:
    (puzzle,) = read_non(COLOURED)
    assert puzzle.losses.dropped == ("the look of colours",)
    assert puzzle.losses.reading == ("0 is blank, of the colours 1 is b, 2 is r",)
    assert puzzle.board.layout.first_value == 0
    assert puzzle.solution == (3, 2, 2, 1, 3, 1, 3, 1, 2, 1, 2, 3)
    assert solve(puzzle.board, solutions=2).solutions == (puzzle.solution,)
    (other,) = read_non(COLOURED.replace('goal "r', 'goal "b'))
    assert other.solution is None
    assert "the goal, which breaks the clues" in other.losses.dropped
    with pytest.raises(InputError, match=r"\.non holds nonograms"):
        write_non([puzzle])


@pytest.mark.parametrize(
    ("clue", "pattern"),
    [
        ("1a,1a", "0*a0+a0*"),
        ("2a,1b", "0*aa0*b0*"),
        ("1b,1a,1b", "0*b0*a0*b0*"),
        ("1,2a", "0*10*aa0*"),
        ("", "0*"),
    ],
)
def test_a_line_of_colours_is_as_its_pattern(clue: str, pattern: str) -> None:
    """Blocks of one colour have a blank between them, others may touch."""
    (puzzle,) = read_non(f"width 5\nheight 2\nrows\n{clue}\n1a,1b\ncolumns\n" + "0\n" * 5)
    rule = puzzle.board.layout.rules[0]
    colours = ["1", "a", "b"] if clue.startswith("1,") else ["a", "b"]
    symbols = {symbol: value for value, symbol in enumerate(["0", *colours])}
    for line in product(symbols, repeat=5):
        values = [1 + symbols[symbol] for symbol in line] + [0] * 5
        fits = not [*rule.broken(values, 0)]
        assert fits == bool(re.fullmatch(pattern, "".join(line))), line


def test_a_goal_that_breaks_the_clues_is_left_out_and_named() -> None:
    (puzzle,) = read_non(DEMO.replace('goal "01', 'goal "11'))
    assert puzzle.solution is None
    assert "the goal, which breaks the clues" in puzzle.losses.dropped


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rows\n1\nwidth 1", "line 1: expected width and height before rows"),
        ("width 1\nheight 1\nrows\n1", "line 1: expected the key 'columns', got none"),
        ("width 9999\nheight 1", "line 1: expected a width from 1 to 250, got '9999'"),
        ("width 1\nheight x", "line 2: expected a height from 1 to 250, got 'x'"),
        ("width 1\nheight 3\nrows\n1", "line 4: expected 3 lines of rows, got fewer"),
        ("width 2\nheight 1\nrows\n1,1\n", "line 4: expected blocks that fit in 2 cells"),
        (
            "width 2\nheight 1\nrows\none",
            "line 4: expected blocks such as 3,1,2 or 3a,1b, got",
        ),
        ("width 2\nheight 1\nrows\n9999999", "line 4: expected a block from 0 to 2"),
        (DEMO.replace("0110001", "0"), "line 1: expected a goal of 50 cells, got 44"),
    ],
)
def test_what_is_no_nonogram_is_refused_and_says_where(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(read_non(text))
    assert str(caught.value).startswith(message)


def test_what_is_no_nonogram_is_not_written() -> None:
    for board in (Board.parse("1..............."), Board.empty(layout("samurai"))):
        with pytest.raises(InputError, match=r"\.non holds nonograms"):
            write_non([Puzzle(board, "", 1)])
    with pytest.raises(InputError, match=r"\.non holds names of one line"):
        write_non([Puzzle(Board.empty(nonogram([(1,)], [(1,)])), "a\nb", 1)])


def test_all_of_them_are_found_by_their_endings_or_their_beginnings(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("formats")
    for name, text in (
        ("a.sdk", f"#Ame\n{rows(PRACTICE)}"),
        ("a.sdm", f"{PRACTICE}\n{PRACTICE}"),
        ("a.non", DEMO),
        ("b.txt", DEMO),
        ("c.txt", HODOKU),
        ("d.txt", "2x2:1f1_3f2\n2x2:c1_4a3b3a4_1c"),
    ):
        (folder / name).write_text(text)
    puzzles = unidoku.read(folder)
    assert [puzzle.board.layout.n for puzzle in puzzles] == [2, 9, 9, 9, 2, 9, 4, 4]
    assert puzzles[1].author == "me"
