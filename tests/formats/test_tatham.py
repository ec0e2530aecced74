"""Ids of Simon Tatham's games, some of which the programs made, and what they refuse."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.family_boards import keens, nonograms, solos, takuzus, towers, unequals
from tests.helpers.meaning import meaning
from tests.helpers.volume import volume
from unidoku import Board, FormatError, InputError, Layout, layout, solve
from unidoku.core import rules
from unidoku.core.regions import random_map
from unidoku.formats import Puzzle
from unidoku.formats.families import nonogram, takuzu
from unidoku.formats.tatham import read, write
from unidoku.formats.tatham.ids import KEEN_WALLS, SOLO_WALLS, grid_of, text_of_grid

GAME_IDS = {
    "solo": "3x3:9_8b2a4a7a1b4_7c6b9c3c8d5a4g1a5d9c6c1b9c4_7b2a3a7a8b1_6",
    "solo, wide boxes": "2x3:6_5a3f4b1h2b6f2a5_4",
    "solo, regions": "4j:3d4d4d1,ab_a_abbad_",
    "solo, diagonals, cages": "3x2xk:zj,a_aa____a___b___a_aaa_b____b__aa_aaaaaa,"
    "7a9_5a8_7b7_6a9_10c7a12b5b12_10b12f",
    "solo, all": "9jxk:zzzc,aacb_c_c__aaaaabba_a_baag__aaeec_ac__c_cb_aa_abcabb_bb__fb,"
    "a_a_a_a___a_a__aa__ba_____aaa__b_aaa_aa____ab_baaa____a___a_a____a_a___a_aaa_____b____aa____"
    "aa_aaa,10a12_9a13_22a15_13b10_8e13c5a5a11_4_8_13b14a10c12_14_13c11_16c12b10a9a16a9a13a10a4b16"
    "b21_13a11f",
    "keen": "4:b__a_baa_a_3a__,a8m8s1m3d2d2s2",
    "keen, products": "6:ab_a_3a_a_3a_4a_bab__a__a4_a_b_a_,m6m24m20m30m3m18m20m8m48m15m10m18m30m48",
    "towers": "5:///4//2//5//3/3///////1//3",
    "unequal": "4:4,0,0,0,0,0U,0D,0D,0,0,0,0,0U,0,0,1,",
    "unequal, neighbours": "5a:1R,0RDL,3DL,0RD,0DL,0,0UR,0UDL,4UR,0UL,3RD,4DL,0UR,2DL,0,0UR,0UL,"
    "0D,0UR,0DL,2,5R,0URL,3L,0U,",
    "unruly": "6x6:cBAaAIaBcbFBac",
    "unruly, lines differ": "6x8u:EdECeECBAiabCa",
    "pattern": "5x7:2.1/3/3/4/1.3/1.1/1/1/4/4/3/2",
}
"""Ids that the programs made, of all games and their options."""


def board_of(text: str) -> Board:
    (puzzle,) = read(text)
    return puzzle.board


def written(board: Board, *lost: str) -> str:
    result = write([Puzzle(board, "", 1)])
    assert result.losses.dropped == lost
    return result.text


@pytest.mark.parametrize("game_id", GAME_IDS.values(), ids=GAME_IDS)
def test_an_id_of_a_program_has_one_solution_and_is_written_as_it_was(game_id: str) -> None:
    board = board_of(game_id)
    assert len(solve(board, solutions=2).solutions) == 1
    assert written(board) == game_id
    game = next(name for name, item in GAME_IDS.items() if item == game_id).partition(",")[0]
    link = f"https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/{game}.html#{game_id}"
    assert board_of(link) == board


def test_what_the_parameters_and_the_description_say() -> None:
    board = board_of(GAME_IDS["solo, diagonals, cages"])
    assert board.layout.base == layout("classic:3x2+x", 6).base
    assert rules.Killer((0, 1), 7) in board.layout.rules
    assert board_of(GAME_IDS["solo, wide boxes"]).layout == layout("classic:2x3", 6)
    assert rules.KenKen((0, 1, 2), 8, "+") in board_of(GAME_IDS["keen"]).layout.rules
    first, *_ = board_of(GAME_IDS["towers"]).layout.rules
    assert first == rules.Skyscraper((3, 8, 13, 18, 23), 4)
    unequal = board_of(GAME_IDS["unequal"])
    assert unequal.layout.rules == (rules.Greater(((5, 1), (6, 10), (7, 11), (12, 8))),)
    assert (unequal.givens[0], unequal.givens[15]) == (4, 1)
    near, far = board_of(GAME_IDS["unequal, neighbours"]).layout.rules
    assert isinstance(near, rules.DiffersBy)
    assert isinstance(far, rules.DiffersBy)
    assert (near.never, far.never) == (False, True)
    assert len(near.pairs) + len(far.pairs) == 2 * 5 * 4
    assert rules.LinesDiffer in map(type, board_of(GAME_IDS["unruly, lines differ"]).layout.rules)
    assert rules.LinesDiffer not in map(type, board_of(GAME_IDS["unruly"]).layout.rules)
    pattern = board_of(GAME_IDS["pattern"]).layout
    assert pattern.rules[0] == rules.NonogramLine((0, 1, 2, 3, 4), (1, 1), 1)
    assert pattern.rules[7] == rules.NonogramLine((0, 5, 10, 15, 20, 25, 30), (2, 1), 1)
    assert "no value comes twice in a cage" in next(read(GAME_IDS["solo, all"])).losses.reading


def test_cells_of_pattern_that_are_given_are_filled_in_upper_case() -> None:
    for result, givens in (
        ("2x2:1/1/1/1,Ad", (2, 0, 0, 0)),
        ("2x2:1/1/1/1,bc", (0, 1, 0, 0)),
        ("2x2:1/1/1/1,B", None),
        ("2x1:1//1,Aa", (2, 1)),
        ("2x1:1//1,B", (0, 2)),
    ):
        if givens is None:
            with pytest.raises(FormatError, match="expected 4 cells, got 2"):
                board_of(result)
            continue
        assert board_of(result).givens == givens
        assert written(board_of(result)) == result


ONE = nonogram([(1,), ()], [(1,)])

WRONG = {
    "": "expected a game id such as 2x2:1f1_3f2, got ''",
    "3x3#123456": "expected a game id with a colon, got a random seed",
    "3x3:1": "solo: expected 81 cells, got 1",
    "2x2:1f1_3f2a": "solo: expected 16 cells, got more",
    "2x2:1f1_3f5": "solo: expected numbers from 1 to 4, got 5",
    "4j:3d4d4d1": "solo: expected the givens, its regions, separated by commas; got 1 parts",
    "4j:3d4d4d1,ab_a": "solo: expected walls for 24 sides of cells, got",
    "4j:3d4d4d1,zzzz": "solo: expected walls for 24 sides of cells, got more",
    "4j:3d4d4d1,x": "solo: expected 4 regions of 4 cells, got 1 of 16",
    "6x6:1" + "a" * 20: "solo: expected a size from 1 to 31, got 36",
    "4:b__a_baa_a_3a__,a8m8": "keen: expected a clue such as a5, m12, s1 or d2 for each of 7 cages",
    "4:b__a_baa_a_3a__,s8m8s1m3d2d2s2": "keen: expected two cells for s8, got 3",
    "4:1/2/3": "towers: expected 16 clues separated by /, got 3",
    "4:5///////////////": "towers: expected clues from 1 to 4, got 5",
    "3:0,1,0,0,0,0,2,0,": "unequal: expected 9 cells, got 8",
    "3:0U,1,0,0,0,0,2,0,0,": "unequal: expected signs within the grid, got U at its side",
    "3:7,1,0,0,0,0,2,0,0,": "unequal: expected values up to 3, got 7",
    "3a:0R,0,0,0,0,0,0,0,0,": "unequal: expected each sign of neighbours",
    "6x6:cBAaAIaBcbFBa": "unruly: expected 36 cells, got",
    "7x7:cBAaAIaBcbFBac": "unruly: expected even sides, got 7x7",
    "2x2:0/2/1/1": "pattern: expected blocks of 1 or more that fit in 2 cells",
    "3x2://1.1/1/1": "pattern: expected blocks of 1 or more that fit in 2 cells",
    "2x2:1/1/1": "pattern: expected clues such as 2.1 of 2 columns and 2 rows",
    "2x1:1//1,Aaa": "pattern: expected no mark beyond the last of 2 cells, got one",
    "999x999:1/1": "pattern: expected sides from 1 to 250, got 999x999",
    "https://x/net.html#3x3:1": "expected a link to solo, pattern, unruly",
    "https://x/solo.html#4:1/2/3": "expected a description of solo",
    "hello:world": "expected a game id of solo, pattern, unruly, keen, towers or unequal",
}


@pytest.mark.parametrize("game_id", WRONG, ids=range(len(WRONG)))
def test_what_is_no_id_is_refused_with_what_was_expected(game_id: str) -> None:
    with pytest.raises(FormatError) as caught:
        board_of(game_id)
    assert str(caught.value).startswith(WRONG[game_id])


def test_numbers_that_would_take_for_ever_are_refused_at_once() -> None:
    for game_id in ("9:" + "a999999" * 1000 + ",a1", "9" * 10_000 + ":a", "3x3:" + "9" * 10_000):
        with pytest.raises(InputError):
            board_of(game_id)


def test_letters_without_a_wall_are_read_as_the_programs_read_them() -> None:
    rows = [tuple(range(9 * row, 9 * row + 9)) for row in range(9)]
    solo, keen = SOLO_WALLS.text(rows, 9), KEEN_WALLS.text(rows, 9)
    assert solo == "zzt" + "_" * 72  # sgt-solo reads this, and not the zzv of its comment
    assert keen == "yyv_72"
    assert SOLO_WALLS.groups(solo, 9) == KEEN_WALLS.groups(keen, 9) == rows


@given(st.lists(st.integers(0, 30), max_size=120))
def test_grids_come_back_from_run_lengths(numbers: list[int]) -> None:
    assert grid_of(text_of_grid(numbers), len(numbers), 30) == numbers


@given(st.randoms(use_true_random=True), st.integers(2, 9))
def test_regions_come_back_from_walls(rng: st.randoms, size: int) -> None:  # type: ignore[valid-type]  # a strategy
    regions = random_map(size, rng)
    groups = [
        tuple(k for k, item in enumerate(regions) if item == symbol) for symbol in set(regions)
    ]
    for walls in (SOLO_WALLS, KEEN_WALLS):
        assert sorted(walls.groups(walls.text(groups, size), size)) == sorted(groups)


@pytest.mark.volume
@settings(max_examples=volume(60), deadline=None)
@given(keens() | towers() | unequals() | solos() | takuzus() | nonograms())
def test_boards_of_all_games_come_back(board: Board) -> None:
    result = write([Puzzle(board, "", 1)])
    assert not result.losses
    assert meaning(board_of(result.text)) == meaning(board)


def test_what_a_game_does_not_have_is_named() -> None:
    board = Board.parse("1... ..2. .3.. ...4", "x+anti-knight+non-consecutive")
    result = write([Puzzle(board, "small", 1, author="me")])
    assert result.text == "2x2x:1e2b3e4"
    assert result.losses.dropped == ("antiknight", "rules: non-consecutive", "name", "author")
    small = layout("classic", 4)
    caged = Board.empty(replace(small, rules=(rules.Killer((0, 1), 3),)))
    lost = "cages, of which Solo has each cell in one, of two cells or more"
    assert written(caged, lost) == "2x2:p"


@pytest.mark.parametrize(
    ("small", "message"),
    [
        (layout("samurai"), "Solo holds full rectangles of cells"),
        (Layout(3, (), ((0, 0), (0, 1))), "Unequal holds squares of values from 1"),
        (layout("latin", 2), "Unequal holds sizes from 3 to 32, got 2"),
        (takuzu(4, 4, distinct=True), "Unruly holds sides of 6 or more, got 4x4"),
        (Layout(2, (), ((0, 0), (0, 1)), first_value=0), "Unruly holds Takuzu"),
        (replace(ONE, rules=ONE.rules[:1]), "Pattern holds nonograms, with a clue for each row"),
        (replace(layout("latin", 4), rules=(rules.KenKen((0, 1), 3, "+"),)), "Keen holds boards"),
    ],
)
def test_what_no_game_holds_is_refused(small: Layout, message: str) -> None:
    with pytest.raises(InputError, match=message):
        write([Puzzle(Board.empty(small), "", 1)])
