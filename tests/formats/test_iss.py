"""Constraint strings of Interactive Sudoku Solver: what each means, its dialect, and bad input."""

from __future__ import annotations

import pytest

import unidoku
from tests.helpers.meaning import meaning
from unidoku import Board, FormatError, Layout, layout
from unidoku.core import rules
from unidoku.formats import Puzzle
from unidoku.formats.frame import Frame

FOUR = ".Shape~4x4"


def read(text: str) -> Puzzle:
    (puzzle,) = unidoku.read(text, format="iss")
    return puzzle


def rules_in(text: str) -> tuple[object, ...]:
    return read(FOUR + text).board.layout.rules


@pytest.mark.parametrize(
    ("text", "solution"),
    [
        (".FullRank~C1~10~.~R3C4_2~R4C3_1.FullRankTies~none", "3124142323414213"),
        (".Shape~2x2~0-1.NoBoxes.~R1C1_0", "0110"),
    ],
)
def test_published_and_small_strings_have_one_solution(text: str, solution: str) -> None:
    """The first is an example of the solver's own tests."""
    board = read(text if "Shape" in text else FOUR + text).board
    result = unidoku.solve(board, solutions=2)
    assert result.unique
    if "Rank" not in text:
        assert result.text("line") == solution


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (".Thermo~R1C1~R1C2", rules.Thermo((0, 1))),
        (".Whisper~2~R1C1~R1C2", rules.Whispers((0, 1), 2)),
        (".Cage~5~R1C1~R2C1", rules.Killer((0, 4), 5)),
        (".Cage~0~R1C1~R2C1", rules.Killer((0, 4))),
        (".Cage~~R1C1~R2C1", rules.Killer((0, 4))),
        (".Sum~3_=_1_-1~R1C1~R1C2", rules.WeightedSum((0, 1), (1, -1), 3)),
        (".Sum~5~R1C1~R1C2", rules.SumOfCells((0, 1), 5)),
        (".LittleKiller~9~R2C1", rules.SumOfCells((4, 9, 14), 9)),
        (".Arrow~R1C1~R1C2~R1C3", rules.Arrow((0,), (1, 2))),
        (".PillArrow~2~R1C2~R1C1~R2C1", rules.Arrow((0, 1), (4,))),
        (".DoubleArrow~R1C1~R1C2~R1C3", rules.DoubleArrow((0, 1, 2))),
        (".Or.Arrow~R1C2~R1C1.Arrow~R1C1~R1C2.End", rules.AmbiguousArrow((1, 0))),
        (
            ".Or.Arrow~R1C1~R1C2~R1C3.Arrow~R1C3~R1C2~R1C1.End",
            rules.AmbiguousArrow((0, 1, 2), ends=True),
        ),
        (".Zipper~R1C1~R1C2~R1C3", rules.Zipper((0, 1, 2))),
        (".RegionSumLine~R1C2~R1C3~R1C4", rules.RegionSum((1, 2, 3), (1, 2))),
        (".Modular~2~R1C1~R1C2", rules.Parity((0, 1))),
        (".Indexing~C~R1C2", rules.Index((1,), "column", (0, 1, 2, 3), (2,))),
        (".AntiTaxicab", rules.Taxicab(tuple(range(16)), 4)),
        (".EqualSum~R1C1~-~R1C2~R1C3", rules.SameSum((0,), (1, 2))),
        (".WhiteDot~R1C1~R1C2", rules.DiffersBy(((0, 1),))),
        (".V~R1C1~R2C1", rules.PairSum(((0, 4),), 5)),
        (".GreaterThan~R2C1~R1C1", rules.Greater(((4, 0),))),
        (".Sandwich~2~C1", rules.Sandwich((0, 4, 8, 12), 2, 4)),
        (".HiddenSkyscraper~R2~~3", rules.HiddenSkyscraper((7, 6, 5, 4), 3)),
        (".SumLine~5~R1C1~R1C2~LOOP", rules.SumLine((0, 1), 5, loop=True)),
        (
            ".Or.~R1C1_1.And.Thermo~R1C1~R1C2.~R2C2_2.End.End",
            rules.AnyOf(
                ((rules.Holds((0,), (1,)),), (rules.Thermo((0, 1)), rules.Holds((5,), (2,))))
            ),
        ),
    ],
)
def test_each_constraint_is_the_rule_of_its_name(text: str, rule: object) -> None:
    assert rules_in(text) == (rule,)


def test_tables_of_pairs_automata_and_patterns_are_read() -> None:
    (pairs,) = rules_in(".Pair~_Pf_~_far~R1C1~R1C2~R1C3")
    assert isinstance(pairs, rules.Pairs)
    assert (pairs.name, pairs.pairs) == ("far", ((0, 1), (1, 2)))
    (line,) = rules_in(".Regex~WzEyXSs0Pw~R1C1~R1C2")  # [12]+4?
    assert isinstance(line, rules.Line)
    row = Board.empty(Layout.from_units(4, [], shape=(1, 4), rules=[line]))
    grids = unidoku.solve(row, solutions=None, keep=None).solutions
    assert {grid[:2] for grid in grids} == {(a, b) for a in (1, 2) for b in (1, 2, 4)}


def test_replicate_moves_its_constraints_to_each_target() -> None:
    assert rules_in(".Replicate~R.Thermo~R1C1~R2C1.End") == (
        rules.Thermo((0, 4)),
        rules.Thermo((4, 8)),
    )
    with pytest.raises(FormatError, match="moved R2C1 beyond"):
        read(".Shape~2x2.Replicate~E.Thermo~R1C1~R2C1.End")


def test_cells_beyond_the_grid_are_hidden_cells() -> None:
    board = read(".Shape~4x4.Var~A~total~2.Sum~0_=_1_1_-1~R1C1~R1C2~VA2.~VA1_1_2").board
    assert board.layout.hidden == (0b0011, 0b1111)
    assert board.layout.rules == (rules.WeightedSum((0, 1, 17), (1, 1, -1), 0),)


def test_values_shapes_boxes_and_pieces_are_as_they_are_told() -> None:
    assert read(".Shape~9x9").board == Board.empty(layout("classic"))
    assert read(".Shape~4x4.NoBoxes").board.layout == layout("latin", 4)
    assert read(".Shape~4x6~0-6").board.layout.first_value == 0
    assert not read(".Shape~3x3~0-1~Raw").board.layout.units
    pieces = "0001011122233233"
    jigsaw = read(f".Shape~4x4.NoBoxes.Jigsaw~{pieces}").board.layout
    assert jigsaw == layout(f"jigsaw:{pieces}", 4)
    tall = read(".Shape~6x6.RegionSize~6").board.layout
    assert tall == layout("classic", 6)


def test_texts_without_names_are_givens_regions_candidates_and_killers() -> None:
    line = "1.....2..3.....4"
    assert read(line).board == Board.parse(line)
    assert read("=" + line).board == Board.parse(line)
    pieces = "ABBBAACBDDCADCCD"
    assert read(line + pieces).board.layout == layout(f"jigsaw:{pieces}", 4)
    cages = read("A<" + "0" * 79).board.layout.rules
    assert cages[0] == rules.Killer((0, 1), 10)
    numbers = [str(256 * 5 + 1), str(256 * 5 + 1), *["0"] * 79]
    long = read("3x3:d:k:" + ":".join(numbers) + ":").board.layout
    assert long.rules == (rules.Killer((0, 1), 5),)
    assert len(long.units) == 29
    marks = read("12..5678." + "123456789" * 80)
    assert marks.board.values(0) == (1, 2, 5, 6, 7, 8)
    with pytest.raises(FormatError, match="signs that lead to a sum"):
        read("><" + "0" * 79)


def test_the_dialect_of_negatives_is_told() -> None:
    puzzle = read(".Shape~4x4.StrictKropki.WhiteDot~R1C1~R1C2.StrictXV")
    counts = [len(rule.pairs) for rule in puzzle.board.layout.rules]  # type: ignore[attr-defined]  # all have pairs
    assert sorted(counts) == [1, 23, 23, 24, 24]
    assert puzzle.losses.reading == (
        "StrictKropki: cells without a dot do not differ by 1, and are not in a ratio of 2",
        "StrictXV: cells without a letter sum to neither 5 nor 10",
    )
    puzzle = read(".Shape~4x4.AntiConsecutive.WhiteDot~R1C1~R1C2")
    assert puzzle.losses.reading == ("AntiConsecutive excepts no cells, with a dot or without",)
    assert not unidoku.solve(puzzle.board).count


def test_what_is_not_taken_over_is_named() -> None:
    puzzle = read(".Shape~4x4.Wild\x07~1.SearchPriority~1~R1C1")
    assert puzzle.losses.dropped == (
        "unknown constraint 'Wild'",
        "SearchPriority, a hint for its search",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".Thermo~R1C1~R0C1", "Thermo: expected a cell from R1C1 to R9C9, got 'R0C1'"),
        (".ChaosArrow~R1C1", "ChaosArrow: expected ChaosConstruction besides"),
        (".ChaosConstruction.ChaosCount~CC1", "ChaosCount: expected a cell of the grid, got 'CC1'"),
        (".ChaosConstruction.ChaosArrow~R1C1~~R1C1~CC2", "expected a cell of the grid and then"),
        (".ChaosConstruction.ChaosCount~R1C1~2~CC1", "expected"),
        (".Shape~2x3.RegionSize~4.ChaosConstruction", "expected regions of one size, got 6 cells"),
        (".ConnectedValues~VX~1", "ConnectedValues: expected the name of a group of cells"),
        (".Thermo~R1C1~VX1", "Thermo: expected a cell from R1C1 to R9C9, got 'VX1'"),
        (".Cage~x~R1C1", "Cage: expected a whole number, got 'x'"),
        (".Cage", "Cage: expected other arguments"),
        (".Or.Thermo~R1C1~R1C2", "expected .End after .Or, got the end"),
        (".Thermo~R1C1~R1C2.End", "got an .End of none"),
        (".Shape~17x17", "expected up to 16x16 cells"),
        (".Shape~9x9~3", "expected 9 to 16 values, got 3"),
        (".Shape~9x9~2-11", "values from 0 or 1"),
        (".Shape~x", "expected such as 9x9"),
        (".Shape", "expected such as 9x9"),
        (".Jigsaw~0011", "Jigsaw: expected 81 symbols, got 4"),
        (".NFA~AA~R1C1", "expected an automaton, got a part of one"),
        (".NFA~A!~R1C1", "NFA: expected base64"),
        (".Regex~KA~R1C1", "expected a closing bracket"),
        (".Regex~KCgxezl9KXs5OX0pezk5OX0~R1C1", "at most 1000 symbols and brackets"),
        (".Sum~99999999~R1C1", "up to 100,000"),
        (".Var~a~x", "expected capital letters"),
        (".Var~A~x~9999", "expected at most 1,000 cells"),
        (".Or" * 30, "in at most 20 others"),
        (".WhiteDot~R1C1~R3C3", "expected cells side by side"),
    ],
)
def test_bad_strings_are_refused_with_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(text)


def test_nested_replicates_are_refused_before_they_are_made() -> None:
    inner = ".Thermo~R1C1~R1C2"
    for _ in range(5):
        inner = f".Replicate~{'_' * 10}{inner}.End"
    with pytest.raises(FormatError, match="expected"):
        read(inner)


def test_links_are_read_and_written() -> None:
    board = Board.empty(layout("classic", 4).with_rules(rules.Thermo((0, 1))))
    written = unidoku.write(board, "iss-link")
    assert written.text.endswith("/?q=.Shape~4x4.Thermo~R1C1~R1C2")
    (back,) = unidoku.read(written.text)
    assert meaning(back.board) == meaning(board)


@pytest.mark.parametrize(
    "text",
    [
        ".GlobalEntropy",
        ".GlobalMod",
        ".DutchFlatmates",
        ".FullRank~R1~5~30.FullRank~C9~~12",
        ".FullRankTies~any.FullRank~R1~5",
    ],
)
def test_words_about_all_squares_columns_or_lines_are_written_again(text: str) -> None:
    (puzzle,) = unidoku.read(text)
    written = unidoku.write(puzzle, "iss")
    assert not written.losses
    assert sorted(written.text.split(".")) == sorted(
        text.replace("~5~30", "~5.FullRank~R1~~30").split(".")
    )
    (back,) = unidoku.read(written.text)
    assert meaning(back.board) == meaning(puzzle.board)


def test_rules_without_a_word_are_told_as_tables_and_automata() -> None:
    board = Board.empty(layout("classic", 4).with_rules(rules.SlowThermo((0, 1))))
    written = unidoku.write(Puzzle(board, "x", 1), "iss")
    assert written.losses.approximated == ("slow-thermo, written as tables, sums and automata",)
    assert written.losses.dropped == ("name",)
    assert meaning(read(written.text).board) == meaning(board)


def test_marks_in_a_branch_are_tables_where_unmarked_cells_are_spoken_of() -> None:
    """The program refuses marks in an Or beside StrictXV: they would unmark the cells, or not."""
    small = layout("latin", 4)
    pairs = Frame(4, 4).adjacent()
    layout_rules = [rules.PairSum(pairs, total, never=True) for total in (5, 10)]
    either = rules.AnyOf(((rules.PairSum(((0, 1),), 5),), (rules.Thermo((0, 1)),)))
    board = Board.empty(small.with_rules(*layout_rules, either))
    text = unidoku.write(board, "iss").text
    assert ".StrictXV" in text
    assert ".Or.Pair~" in text
    assert meaning(read(text).board) == meaning(board)


def test_a_grid_without_units_has_no_clues_outside() -> None:
    """The program takes little killers and the like on grids of rows and columns only."""
    square = Layout.from_units(4, [], rules=[rules.SumOfCells((0, 5, 10, 15), 9)])
    text = unidoku.write(Board.empty(square), "iss").text
    assert text == ".Shape~4x4~~Raw.Sum~9~R1C1~R2C2~R3C3~R4C4"
