"""Rules in pictures of boards: each kind has its drawing, where its cells are, in every theme."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unidoku
from tests.draw.test_board import Pixels, count, elements, rendered
from tests.helpers.volume import thorough
from unidoku import Board, Layout, layout, svg
from unidoku.analysis.on_sheets import found_regions
from unidoku.core import rules as r
from unidoku.core.rules.base import KINDS
from unidoku.draw import Theme, paint
from unidoku.draw.board import with_regions
from unidoku.draw.outside import surroundings
from unidoku.draw.paths import LINES, UNDER
from unidoku.draw.rules import OVER
from unidoku.draw.strokes import CELL, MARGIN, corner, is_whole, shown_rules
from unidoku.formats import Puzzle
from unidoku.formats.frame import Frame
from unidoku.formats.looks import INDEX
from unidoku.formats.sentences import rules_text
from unidoku.logic.show import fragment
from unidoku.logic.show import svg as step_svg
from unidoku.testing.strategies import boards, ruled_layouts

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "rules").glob("*.toml"))
FOUR = layout("classic", 4)

BROAD = 8
"""Pixels by which a diagonal line touches cells beside it."""


NOT_DRAWN = (
    r.ChaosConstruction,
    r.Connected,
    r.DifferWhere,
    r.Flatmates,
    r.LinesDiffer,
    r.NonConsecutive,
    r.NoThreeEqual,
    r.Taxicab,
)
"""What holds all over a board is said, not drawn."""


def drawn(*rules: r.Rule, theme: Theme = "light") -> str:
    return svg(Board.empty(Layout(4, FOUR.units, FOUR.positions, rules)), theme=theme)


def classes(*rules: r.Rule) -> list[str]:
    """Return what is drawn of the rules, in order, by class."""
    plain = drawn(theme="auto").splitlines()
    image = drawn(*rules, theme="auto").splitlines()
    added = [line for line in image[1:] if line.startswith("<") and line not in plain]
    return [line.split('class="')[1].split('"')[0] for line in added if "<style>" not in line]


def texts(image: str) -> list[str | None]:
    return [element.text for element in elements(image, "text")]


def places(image: str) -> dict[str | None, tuple[float, float]]:
    """Return x and y of each text."""
    return {
        element.text: (float(element.get("x", 0)), float(element.get("y", 0)))
        for element in elements(image, "text")
    }


def example(name: str) -> Puzzle:
    (puzzle,) = unidoku.read(next(path for path in EXAMPLES if path.stem == name))
    return puzzle


def test_every_kind_has_its_drawing() -> None:
    assert set(UNDER) & set(OVER) == {"pairs"}  # a line, or ties
    assert {*UNDER, *OVER} == set(KINDS)


@given(boards(ruled_layouts()), st.sampled_from(get_args(Theme)))
def test_every_board_with_rules_makes_well_formed_svg(board: Board, theme: Theme) -> None:
    ElementTree.fromstring(svg(board, theme=theme))


@pytest.mark.parametrize("theme", [get_args(Theme)[0], *thorough(*get_args(Theme)[1:])])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_renderer_that_is_no_browser_draws_rules_where_their_cells_are(
    path: Path, theme: Theme
) -> None:
    (puzzle,) = unidoku.read(path)
    small = puzzle.board.layout
    rules = [
        rule
        for rule in shown_rules(small)
        if not getattr(rule, "never", False) and not isinstance(rule, NOT_DRAWN)
    ]
    around = surroundings(small)
    room, marks = around.room(), puzzle.board.candidates
    plain = rendered(svg(Board(replace(small, rules=()), marks), theme=theme))
    pixels = rendered(svg(puzzle.board, theme=theme))
    if around.clues or around.runs:  # what is drawn around the cells is not blank
        assert len(np.unique(pixels[: room.top])) + len(np.unique(pixels[:, : room.left])) > 9
    rows, columns = plain.shape[:2]
    pixels = pixels[room.top : room.top + rows, room.left : room.left + columns]
    changed = np.abs(pixels - plain).max(axis=-1) > 0.1
    assert (pixels[..., 3] == 1).all()
    near = np.zeros(changed.shape, np.bool_)
    for rule in rules:
        area = np.zeros(changed.shape, np.bool_)
        for cell in rule.cells:
            x, y = corner(small, cell)
            area[max(y - BROAD, 0) : y + CELL + BROAD, max(x - BROAD, 0) : x + CELL + BROAD] = True
        is_said = rule in around.drawn or is_whole(small, rule.cells)
        assert is_said or changed[area].any(), rule
        near |= area
    if around.runs:
        return  # where no cells are there is something now
    assert not changed[~near].any()


def test_a_cage_is_dashed_inside_of_its_cells_and_has_its_total() -> None:
    image = drawn(r.Killer((0, 1, 4), 6), theme="auto")
    assert count(image, "path", "cage") == 1
    assert texts(image) == ["6"]
    assert texts(drawn(r.Killer((0, 1)))) == []
    pixels = rendered(drawn(r.Killer((0, 1, 4))))
    row = pixels[MARGIN + 3 : MARGIN + 5, :, 0].min(axis=0)  # the upper side of the cage
    dark = row[MARGIN + 5 : MARGIN + 2 * CELL - 5] < 0.6
    assert 0.4 < dark.mean() < 0.95
    assert not (row[MARGIN + 2 * CELL + 3 : -MARGIN - 3] < 0.5).sum() > 2  # but the grid's lines


def test_two_totals_in_one_cell_stand_side_by_side() -> None:
    image = drawn(r.Killer((0, 1), 3), r.Killer((0, 4), 4))
    assert places(image)["3"][0] + 10 < places(image)["4"][0]


def test_totals_and_pencil_marks_do_not_touch_each_other_or_the_lines() -> None:
    item = Layout(4, FOUR.units, FOUR.positions, (r.Killer((5, 6), 3),))
    board = Board.from_candidates(item, [{1, 2, 3, 4}, {1, 2}] * 8)
    (total,) = elements(svg(board), "text", "clue")
    top = corner(item, 5)[1]

    def ends(text: ElementTree.Element) -> tuple[float, float]:
        """Return where the digits of a text begin and end, below the side of its cell."""
        end = float(text.get("y", 0)) - top
        return end - 0.73 * float(text.get("font-size", 0)), end

    marks = [ends(mark) for mark in elements(svg(board), "text", "mark")]
    below = [mark for mark in marks if mark[1] > 0 and mark[1] < CELL]
    assert 1.25 < ends(total)[0] < ends(total)[1] < min(start for start, _ in below)
    assert max(end for _, end in below) < CELL - 3.5


@pytest.mark.parametrize("name", ["killer", "thermo", "kropki"])
def test_the_steps_of_logic_are_shown_on_the_rules(name: str) -> None:
    walkthrough = unidoku.explain(example(name).board, techniques="..claiming")
    kind = {"killer": "cage", "thermo": "bulb", "kropki": "black"}[name]
    for image in (step_svg(walkthrough.states[0]), fragment(walkthrough)):
        assert len(re.findall(f'class="{kind}"', image)) >= 2
    pixels = rendered(step_svg(walkthrough.states[0], theme="light"))
    assert (pixels[..., 3] == 1).all()


def test_a_thermometer_has_its_bulb_in_its_first_cell() -> None:
    assert classes(r.Thermo((5, 6, 7))) == ["tube", "bulb"]
    image = drawn(r.Thermo((5, 6, 7)), theme="auto")
    (bulb,) = elements(image, "circle")
    assert bulb.get("cx") == bulb.get("cy") == f"{MARGIN + 1.5 * CELL:g}"


def test_an_arrow_has_circle_shaft_and_head() -> None:
    assert classes(r.Arrow((0,), (1, 2))) == ["shaft", "shaft", "rim", "hollow"]
    pixels = rendered(drawn(r.Arrow((0, 1), (6, 7))))
    assert middle_of(pixels, 0) > 0.95  # hollow, a number is to stand there
    assert middle_of(pixels, 6) < 0.8


def middle_of(pixels: Pixels, cell: int) -> float:
    """Return the brightness in the middle of a cell."""
    x, y = corner(FOUR, cell)
    return float(pixels[y + CELL // 2, x + CELL // 2, :3].mean())


@pytest.mark.parametrize("theme", get_args(Theme))
def test_white_dots_are_white_and_black_dots_black_in_every_theme(theme: Theme) -> None:
    pixels = rendered(drawn(r.DiffersBy(((0, 1),)), r.Ratio(((4, 5),)), theme=theme))
    white, black = (pixels[MARGIN + y, MARGIN + CELL, :3].mean() for y in (18, 54))
    assert white > 0.9
    assert black < 0.1


def test_marks_say_what_is_not_usual_and_what_must_not_be_is_not_drawn() -> None:
    pair = ((0, 1),)
    assert texts(drawn(r.DiffersBy(pair), r.Ratio(pair))) == []
    assert texts(drawn(r.DiffersBy(pair, 3), r.Ratio(pair, 4))) == ["3", "4"]
    sums = [r.PairSum(pair, total) for total in (5, 10, 7)]
    assert texts(drawn(*sums)) == ["V", "X", "7"]
    never = [
        r.DiffersBy(pair, never=True),
        r.Ratio(pair, never=True),
        r.PairSum(pair, 5, never=True),
    ]
    assert classes(*never, r.NonConsecutive(pair)) == []


@pytest.mark.parametrize("pair", [(5, 6), (6, 5), (5, 9), (9, 5)])
def test_a_sign_is_open_towards_the_greater_value(pair: tuple[int, int]) -> None:
    image = drawn(r.Greater((pair,)), theme="auto")
    (sign,) = elements(image, "path", "sign")
    points = [[*map(float, part.split())] for part in sign.get("d", "")[1:].split("L")]
    greater, less = (np.add(corner(FOUR, cell), CELL / 2) for cell in pair)

    def nearer(position: list[float]) -> float:
        return float(np.hypot(*(position - greater)) - np.hypot(*(position - less)))

    first, tip, last = map(nearer, points)
    assert first < 0 < tip
    assert last < 0


def test_cells_that_do_not_touch_are_linked() -> None:
    assert classes(r.DiffersBy(((0, 1),))) == ["white"]
    assert classes(r.DiffersBy(((0, 10),))) == ["tie", "white"]


def test_a_rule_of_a_class_of_your_own_is_not_drawn() -> None:
    class Own(r.Thermo):
        pass

    assert classes(Own((0, 1))) == []


def test_clues_stand_outside_the_grid_at_the_side_from_which_they_look() -> None:
    rules = (
        r.NonogramLine((0, 1, 2, 3), (1, 2)),
        r.Skyscraper((7, 6, 5, 4), 3),
        r.Sandwich((14, 10, 6, 2), 9),
    )
    image = drawn(*rules)
    box = [float(part) for part in ElementTree.fromstring(image).get("viewBox", "").split()]
    end = 4 * CELL + MARGIN
    text_at = places(image)
    assert box[0] < text_at["1"][0] < text_at["2"][0] < MARGIN  # left, in the order of reading
    assert end < text_at["3"][0] < box[0] + box[2]
    assert end < text_at["9"][1] < box[1] + box[3]
    assert abs(text_at["3"][1] - (MARGIN + 1.5 * CELL)) < CELL / 4
    assert box[1] == 0  # no clue at the top, no room


def test_a_clue_that_does_not_begin_at_a_side_stays_in_its_cell() -> None:
    x, y = places(drawn(r.Skyscraper((5, 6, 7), 3)))["3"]
    left, top = corner(FOUR, 5)
    assert left < x < left + CELL
    assert top < y < top + CELL


def test_the_totals_of_kakuro_stand_where_no_cells_are() -> None:
    puzzle = example("kakuro")
    image = svg(puzzle.board, theme="auto")
    assert count(image, "path", "cage") == 0
    assert count(image, "path", "slash") == 10
    killers = [rule for rule in puzzle.board.layout.rules if isinstance(rule, r.Killer)]
    assert sorted(map(str, texts(image))) == sorted(str(rule.total) for rule in killers)


def test_the_cells_of_a_nonogram_are_filled_or_blank() -> None:
    puzzle = example("nonogram")
    assert puzzle.solution is not None
    solved = svg(puzzle.board, puzzle.solution, theme="auto")
    assert count(solved, "rect", "found") == puzzle.solution.count(2)
    assert texts(solved) == texts(svg(puzzle.board))


def test_a_little_killer_stands_outside_with_an_arrow_along_its_diagonal() -> None:
    image = drawn(r.SumOfCells((1, 4), 7), r.SumOfCells((3, 6, 9, 12), 9), theme="auto")
    assert count(image, "path", "way") == 0
    assert count(image, "path", "pointer") == 4
    left, top, width, _ = map(float, ElementTree.fromstring(image).get("viewBox", "").split())
    assert (left, width > 4 * CELL + 2 * MARGIN, top < -20) == (0, True, True)  # at the corner too
    text_at = places(image)
    assert abs(text_at["7"][0] - (MARGIN + 2.5 * CELL)) < 1
    assert abs(text_at["9"][0] - (MARGIN + 4.5 * CELL)) < 1
    assert max(text_at["7"][1], text_at["9"][1]) < 0
    for cells in [(0, 1, 2), (0, 5), (1, 6, 9), (5, 10, 15)]:  # straight, bent, or no whole one
        assert classes(r.SumOfCells(cells, 5)) == ["way", "back", "clue"]


@pytest.mark.parametrize("step", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
def test_little_killers_point_to_the_cell_that_is_first(step: tuple[int, int]) -> None:
    cells = [0, 5, 10, 15] if step[0] == step[1] else [3, 6, 9, 12]
    cells = cells if step[0] > 0 else cells[::-1]
    image = drawn(r.SumOfCells(tuple(cells), 30), theme="auto")
    shaft = elements(image, "path", "pointer")[0]
    tail, tip = (tuple(map(float, end.split())) for end in shaft.get("d", "")[1:].split("L"))
    x, y = corner(FOUR, cells[0])
    assert np.sign(tip[1] - tail[1]) == step[0]
    assert np.sign(tip[0] - tail[0]) == step[1]
    assert abs(tip[0] - x - CELL / 2) < CELL / 2 + 3
    assert abs(tip[1] - y - CELL / 2) < CELL / 2 + 3


def test_clues_of_lines_stand_beyond_those_of_diagonals() -> None:
    text_at = places(drawn(r.Sandwich((0, 4, 8, 12), 8), r.SumOfCells((1, 4), 7)))
    assert text_at["8"][1] < text_at["7"][1] - 10


def test_odd_cells_have_a_circle_even_ones_a_square_and_others_their_values() -> None:
    assert classes(r.Holds((0,), (1, 3))) == ["parity"]
    image = drawn(
        r.Holds((0,), (1, 3)), r.Holds((1, 2), (2, 4, 6)), r.Holds((3,), (1, 4)), theme="auto"
    )
    assert (count(image, "circle", "parity"), count(image, "rect", "parity")) == (1, 2)
    assert texts(image) == ["1 4"]


def test_lines_say_what_their_colour_does_not() -> None:
    line = (0, 1, 2)
    assert texts(drawn(r.Whispers(line, 2), r.Lockout(line), r.SumLine(line, 10))) == []
    result = drawn(r.Whispers(line, 3), r.Lockout(line, 3), r.SumLine(line, 6))
    assert texts(result) == ["≥3", "6", "≥3"]
    image = drawn(r.SumLine((0, 1, 5, 4), 10, loop=True), theme="auto")
    (loop,) = elements(image, "path", "tens")
    first, *_, last = loop.get("d", "")[1:].split("L")
    assert first == last
    assert classes(r.Thermo(line, slow=True)) == ["gentle-tube", "slow", "gentle-bulb"]


def test_every_kind_of_line_has_a_colour_of_its_own() -> None:
    line, pair = (0, 1, 2), ((0, 1), (14, 15))
    lines: list[r.Rule] = [r.Whispers(line, least) for least in (1, 2, 3)]
    lines += [r.Renban(line), r.Palindrome(line), r.SumLine(line, 10), r.SameSum(*pair)]
    lines += [
        r.SameMultiset(*pair),
        r.Lunchbox(line, 3),
        r.Lockout(line),
        r.Thermo(line),
        r.Between(line),
    ]
    lines += [
        r.Nabner(line),
        r.Parity(line),
        r.Modular(line),
        r.Entropic(line),
        r.ProductLine(line, 6),
    ]
    lines += [r.Zipper(line), r.DoubleArrow(line), r.SlowThermo(line), r.AmbiguousArrow(line)]
    assert len({classes(rule)[0] for rule in lines}) == len(lines)


def test_no_two_kinds_of_broad_lines_are_alike_in_grey() -> None:
    looks = [(style.core, style.end) for style in LINES.values()]
    assert len({*looks}) == len(looks)
    assert {style.colour for style in LINES.values()} == {*paint.BROAD, "mirror"}


def test_what_a_rule_of_pairs_means_decides_how_it_is_drawn() -> None:
    alternating = r.Pairs(((0, 1), (1, 2)), lambda a, b: (a + b) % 2)
    assert classes(alternating) == classes(r.Parity((0, 1, 2))) != classes(r.Modular((0, 1, 2)))
    sums = [r.SameSum((1,), (0, 2)), r.SameSum((0, 1), (2,))]
    assert [classes(rule) for rule in sums] == [
        classes(rule) for rule in (r.DoubleArrow((0, 1, 2)), r.RegionSum((0, 1, 2)))
    ]
    assert classes(r.Pairs(((0, 5), (1, 6)), lambda a, b: a == b)) == ["twin-grey"] * 4
    unnamed = [r.Pairs(((0, 1), (1, 2)), lambda a, b: a < 2 * b, name) for name in "ab"]
    assert classes(*unnamed) == ["own-red", "own-red-start", "own-indigo", "own-indigo-start"]
    assert classes(r.Pairs(((0, 6), (3, 9)), lambda a, b: a < b)) == ["tie", "black"] * 2
    everywhere = r.Pairs(unmarked := tuple(Frame(4, 4).adjacent()), lambda a, b: a + b != 5)
    assert unmarked
    assert classes(everywhere) == classes(r.Taxicab()) == []  # it is said


def test_marked_cells_are_tinted_and_have_signs_to_their_neighbours() -> None:
    assert classes(r.Odd((0,)), r.Even((5,))) == ["parity", "parity"]
    assert classes(r.Minimum((0,)), r.Maximum((15,))) == ["parity", "sign", "sign"] * 2
    assert classes(r.Clone((0, 1), (10, 11))) == ["twin-grey"] * 4
    two = [r.Clone((0, 1), (10, 11)), r.Clone((4,), (15,))]
    assert {*classes(*two)} == {"twin-grey", "twin-yellow", "clue"}
    assert texts(drawn(*two)) == ["a", "a", "b", "b"]
    assert classes(r.Index((0,), "row"), r.Index((1,), "box")) == [
        "index-green",
        "core",
        "index-blue",
        "core",
    ]
    assert texts(drawn(r.Modular((0, 1)), r.Modular((2, 3), 2), r.ProductLine((4, 5), 6))) == [
        "mod 3",
        "mod 2",
        "6×",
    ]
    tens = [r.SumLine((0, 1)), r.SumLine((2, 3))]
    assert texts(drawn(*tens)) == []
    assert texts(drawn(*tens, r.SumLine((4, 5), 7))) == ["10", "10", "7"]


def test_a_picture_has_the_colours_that_the_sentences_name() -> None:
    for of, colour in INDEX.items():
        rule = r.Index((0,), of)
        assert f"shaded {colour.word}" in rules_text(Board.empty(FOUR.with_rules(rule)))
        (tint, *_) = classes(rule)
        code = paint.BOARD.colours[tint][0]
        parts = [int(code[at : at + 2], 16) for at in (1, 3, 5)]
        assert ("red", "green", "blue")[parts.index(max(parts))] == colour.word
    circles = r.CountingCircles((0, 5))
    assert "black circle" in rules_text(Board.empty(FOUR.with_rules(circles)))
    assert classes(circles) == ["counted"] * 2


def test_regions_that_a_solution_has_are_drawn_around_its_values() -> None:
    puzzle = example("chaos-construction")
    solver = unidoku.load("native")
    (grid,) = solver.solve(puzzle.board).solutions
    regions = found_regions(puzzle.board, grid, solver)
    assert regions is not None
    assert sorted(Counter(regions).values()) == [4] * 4
    for number in set(regions):
        assert len({grid[cell] for cell in range(16) if regions[cell] == number}) == 4
    thick = [
        re.findall(r'class="thick"[^>]* d="([^"]*)"', svg(board, grid))[0].count("M")
        for board in (puzzle.board, with_regions(puzzle.board, regions))
    ]
    borders = sum(
        regions[4 * row + column] != regions[4 * below + right]
        for row in range(4)
        for column in range(4)
        for below, right in ((row + 1, column), (row, column + 1))
        if below < 4 and right < 4
    )
    assert thick[1] == thick[0] + borders
    assert found_regions(Board.empty(FOUR), grid, solver) is None


def test_stars_are_drawn_as_stars_and_given_blanks_as_dots() -> None:
    puzzle = example("star-battle")
    assert puzzle.solution is not None
    solved = svg(puzzle.board, puzzle.solution, theme="auto")
    assert count(solved, "path", "found") == puzzle.solution.count(2)
    assert texts(solved) == []
    given = Board.from_values(puzzle.board.layout, puzzle.solution)
    assert count(svg(given, theme="auto"), "circle", "mark") == puzzle.solution.count(1)


def test_a_nonogram_has_a_thick_line_at_each_fifth_cell() -> None:
    cells = tuple((row, column) for row in range(7) for column in range(11))
    line = r.NonogramLine(tuple(range(11)), (1,))
    plain, ruled = (
        svg(Board.empty(Layout(2, (), cells, rules, first_value=0))) for rules in ((), (line,))
    )
    thick = [
        re.findall(r'class="thick"[^>]* d="([^"]*)"', image)[0].count("M")
        for image in (plain, ruled)
    ]
    assert thick[1] == thick[0] + 11 + 2 * 7


def test_two_parts_of_a_line_with_one_sum_are_joined_where_they_meet() -> None:
    line = ["same", "core dots", "end", "end"]
    assert classes(r.SameSum((0, 1), (6, 7))) == ["same", "core solid"]  # a region sum line
    assert classes(r.SameSum((1, 0), (6, 7))) == line
    assert classes(r.SameSum((0, 1), (15, 14))) == line * 2


def test_a_weighted_sum_says_how_often_each_cell_counts() -> None:
    assert texts(drawn(r.WeightedSum((0, 1, 2), (2, -1, 1), 5))) == ["5", "2×", "\u2212"]
    assert texts(drawn(r.WeightedSum((0, 1), (-3, 1), 5, ">="))) == ["≥5", "\u22123×"]


def test_pencil_marks_stay_inside_of_the_lines_of_cages() -> None:
    cage = Layout(9, (), tuple((0, column) for column in range(9)), (r.Killer((0, 1), 9),))
    for mark in elements(svg(Board.empty(cage), all_marks=True), "text", "mark")[:9]:
        half = 0.32 * float(mark.get("font-size", 0))
        x, inset = float(mark.get("x", 0)) - MARGIN, 3.5
        assert inset < x - half < x + half < CELL - inset


def test_what_holds_of_whole_units_or_of_all_squares_of_four_is_not_drawn() -> None:
    boxes = [unit.cells for unit in FOUR.units if unit.kind == "box"]
    assert classes(r.SameSum(boxes[0], boxes[1])) == []
    assert classes(r.SumOfCells(boxes[0], 10)) == []
    fours = [(cell, cell + 1, cell + 4, cell + 5) for cell in (0, 1, 2, 4, 5, 6, 8, 9, 10)]
    every = [r.Hits(four, ((1, 2), (3, 4))) for four in fours]
    assert classes(*every[:8]) == ["black"] * 8
    assert classes(*every) == []


def test_a_clue_that_may_be_one_of_several_stands_outside_with_all_of_them() -> None:
    line = (0, 1, 2, 3)
    either = r.AnyOf(((r.Skyscraper(line, 2),), (r.Skyscraper(line, 4),)))
    assert texts(drawn(either)) == ["4", "2/"]  # from the grid outwards
    assert count(drawn(either, theme="auto"), "text", "clue") == 2
    mixed = r.AnyOf(((r.Skyscraper(line, 2),), (r.Sandwich(line, 4),)))
    assert "or" in texts(drawn(mixed))
