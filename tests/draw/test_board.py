"""Boards as SVG: what is drawn, and what a renderer that is no browser makes of it."""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path
from typing import TypeAlias, get_args
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from resvg_py import svg_to_bytes

from tests.helpers.volume import thorough
from unidoku import Board, layout, solve, svg
from unidoku.core.layout import Grid, Layout
from unidoku.draw import Theme
from unidoku.draw.strokes import CELL, MARGIN, corner
from unidoku.errors import InputError
from unidoku.files.examples import find_example
from unidoku.formats import Puzzle
from unidoku.formats.cosmetics import Cosmetic, Fog
from unidoku.logic import Walkthrough, walk_through
from unidoku.logic.show import fragment
from unidoku.logic.show import svg as step_svg
from unidoku.support.notation import named_by
from unidoku.testing.strategies import boards

Pixels: TypeAlias = NDArray[np.float64]
"""Red, green, blue and opacity, from 0 to 1, by line and column."""

SVG = "{http://www.w3.org/2000/svg}"


def elements(image: str, tag: str, kind: str = "") -> list[ElementTree.Element]:
    """Return the elements of a picture with a tag, all of them or those of a class."""
    parts = ElementTree.fromstring(image).iter(SVG + tag)
    return [element for element in parts if kind in ("", element.get("class"))]


def count(image: str, tag: str, kind: str) -> int:
    return len(elements(image, tag, kind))


@given(boards())
def test_every_board_makes_well_formed_svg(board: Board) -> None:
    root = ElementTree.fromstring(svg(board))
    assert len(list(root.iter(SVG + "text"))) >= sum(map(bool, board.givens))


def test_givens_and_found_values_are_told_apart() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    assert count(svg(board), "text", "given") == 4
    grid = (1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4)
    assert count(svg(board, grid), "text", "found") == 12


def test_pencil_marks_are_drawn() -> None:
    board = Board.from_candidates(layout("latin", 2), [{1, 2}, {1}, {2}, {1, 2}])
    assert count(svg(board), "text", "mark") == 0
    board = Board.from_candidates(layout("latin", 3), [{1, 2}] + [{1, 2, 3}] * 8)
    assert count(svg(board), "text", "mark") == 2


def test_cells_that_may_hold_any_value_have_all_marks_where_that_is_asked_for() -> None:
    board = Board.from_candidates(layout("latin", 3), [{1, 2}] + [{1, 2, 3}] * 8)
    assert count(svg(board, all_marks=True), "text", "mark") == 2 + 8 * 3
    assert count(svg(Board.empty(layout("latin", 3)), all_marks=True), "text", "mark") == 27


def test_clashing_cells_and_extra_units_are_tinted() -> None:
    assert count(svg(Board.parse("11.. .... .... ....")), "rect", "clash") == 2
    assert count(svg(Board.empty(layout("windoku"))), "rect", "shade") == 36
    # What a unit is called does not matter: diagonals are lines, and other units are shaded.
    units = [unit.cells for unit in layout("x").units]
    extended = Layout.from_units(9, [*units, range(9, 14)], shape=(9, 9))
    for diagonals, cells in ((layout("x"), 0), (extended, 5), (layout("windoku+x"), 36)):
        image = svg(Board.empty(diagonals))
        assert count(image, "path", "slant") == 2
        assert count(image, "rect", "shade") == cells


def test_names_of_rows_and_columns_are_drawn_in_the_notation_in_force() -> None:
    board = Board.empty(layout("latin", 3))
    labelled = ElementTree.fromstring(svg(board, labels=True))
    assert [text.text for text in labelled.iter(SVG + "text")] == [*"ABC", *"123"]
    left, top, width, _ = map(float, labelled.get("viewBox", "").split())
    assert all(
        left < float(text.get("x", 0)) < left + width and top < float(text.get("y", 0))
        for text in labelled.iter(SVG + "text")
    )
    with named_by("r1c1"):
        labelled = ElementTree.fromstring(svg(board, labels=True))
        assert [text.text for text in labelled.iter(SVG + "text")] == [*"123", *"123"]


def test_thick_lines_part_boxes_and_regions() -> None:
    assert thick_lines("classic", 9) == 36 + 36
    regions = ["aaab", "acbb", "ccbd", "cddd"]
    neighbours = [(row[k], row[k + 1]) for row in regions for k in range(3)]
    above = [(regions[k][c], regions[k + 1][c]) for k in range(3) for c in range(4)]
    parted = sum(first != other for first, other in neighbours + above)
    assert thick_lines("jigsaw:" + "".join(regions), 4) == 16 + parted


def thick_lines(variant: str, n: int) -> int:
    image = svg(Board.empty(layout(variant, n)))
    (drawn,) = re.findall(r'<path class="thick"[^>]* d="([^"]*)"', image)
    return str(drawn).count("M")


# Colours, in any renderer


def rendered(image: str) -> Pixels:
    """Return what resvg draws: it knows no variables and no media queries."""
    from matplotlib import get_data_path  # to collect the tests need not take as long
    from matplotlib.image import imread

    fonts = str(Path(get_data_path(), "fonts", "ttf"))
    png = svg_to_bytes(
        svg_string=image,
        skip_system_fonts=True,
        font_dirs=[fonts],
        sans_serif_family="DejaVu Sans",
    )
    pixels: Pixels = imread(io.BytesIO(bytes(png)), format="png").astype(np.float64)
    return pixels


@cache
def solved(name: str) -> tuple[Board, Grid]:
    board = find_example(name).puzzles()[0].board
    return board, solve(board, backend="native").solutions[0]


@cache
def explained(name: str) -> Walkthrough:
    return walk_through(solved(name)[0])


@pytest.mark.parametrize("theme", get_args(Theme))
@pytest.mark.parametrize(
    "name", ["practice", "jigsaw", "samurai", *thorough("x", "windoku", "sixteen")]
)
def test_a_renderer_that_is_no_browser_draws_paper_lines_and_digits(
    name: str, theme: Theme
) -> None:
    board, grid = solved(name)
    pixels = rendered(svg(board, grid, theme=theme))
    assert (pixels[..., 3] == 1).all()  # nothing shines through
    brightness = pixels[..., :3].mean(axis=-1)
    if theme == "dark":
        brightness = 1 - brightness
    assert np.median(brightness) > 0.75
    for cell in board.layout.cells:
        x, y = corner(board.layout, cell)
        position = brightness[y : y + CELL, x : x + CELL]
        assert max(position[:2].min(), position[:, :2].min()) < 0.85  # lines, thin ones too
        assert position[4:8, 14:18].min() > 0.7  # paper or shade
        digit = position[6:-6, 6:-6] < 0.6
        assert 15 < digit.sum() < 250
        rows = np.flatnonzero(digit.any(axis=1))
        assert abs(rows.mean() + 6 - CELL / 2) < 2  # it stands in the middle


@pytest.mark.parametrize("theme", get_args(Theme))
def test_shades_and_clashes_have_their_colours(theme: Theme) -> None:
    pixels = rendered(svg(Board.empty(layout("windoku")), theme=theme))
    on_diagonal = rendered(svg(Board.empty(layout("x")), theme=theme))[MARGIN + 18, MARGIN + 18]
    in_window, neighbours = (pixels[MARGIN + 5 + at, MARGIN + 5 + at] for at in (CELL, 0))
    for red, _, blue, _ in (in_window, on_diagonal):
        assert blue > red + 0.1
    assert np.ptp(neighbours[:3]) < 0.03
    pixels = rendered(svg(Board.parse("11.. .... .... ...."), theme=theme))
    red, green, blue, _ = pixels[MARGIN + 5, MARGIN + 5]
    assert red > max(green, blue) + 0.1


@pytest.mark.parametrize("theme", get_args(Theme))
def test_pencil_marks_and_steps_are_drawn_without_a_browser(theme: Theme) -> None:
    walkthrough = walk_through(find_example("practice").puzzles()[0].board)
    state = walkthrough.states[0]
    marked = Board.from_candidates(
        state.layout, [{1 + k for k in range(9) if mask >> k & 1} for mask in state.candidates]
    )
    for image in (
        svg(marked, theme=theme),
        *(step_svg(state, step, theme=theme) for step in (None, walkthrough.steps[0])),
    ):
        pixels = rendered(image)
        assert (pixels[..., 3] == 1).all()
        paper = 0.1 if theme == "dark" else 1
        bright = pixels[..., :3].mean(axis=-1)
        assert abs(np.median(bright) - paper) < 0.1
        assert 0.02 < (abs(bright - np.median(bright)) > 0.3).mean() < 0.3  # lines and digits


def test_no_picture_needs_variables_and_a_fixed_theme_needs_no_style_sheet() -> None:
    board, grid = solved("x")
    walkthrough = explained("x")
    first = walkthrough.states[0], walkthrough.steps[0]
    for theme in get_args(Theme):
        for image in (svg(board, grid, theme=theme), step_svg(*first, theme=theme)):
            assert "var(" not in image
            assert ("<style" in image) == ("class=" in image) == (theme == "auto")
    assert "var(" not in fragment(walkthrough)


@pytest.mark.parametrize("picture", ["board", "step"])
def test_every_drawn_part_of_a_picture_has_a_colour_of_its_own_or_its_group(picture: str) -> None:
    board, grid = solved("x")
    walkthrough = explained("x")
    image = svg(board, grid)
    if picture == "step":
        image = step_svg(walkthrough.states[-2], walkthrough.steps[-1])

    def check(element: ElementTree.Element, painted: bool) -> None:
        painted = painted or bool({"fill", "stroke"} & set(element.attrib))
        kind = element.tag.removeprefix(SVG)
        assert painted or kind in ("svg", "g", "style"), ElementTree.tostring(element)
        for child in element:
            check(child, painted)

    check(ElementTree.fromstring(image), painted=False)


def test_a_theme_that_does_not_exist_is_refused() -> None:
    theme: str = "drak"
    with pytest.raises(InputError, match=r"expected a theme, got 'drak'; did you mean 'dark'\?"):
        svg(Board.parse("1... ..2. .3.. ...4"), theme=theme)  # type: ignore[arg-type] # on purpose


@pytest.mark.parametrize("file", sorted((Path(__file__).parents[2] / "docs/images").glob("*.svg")))
def test_the_pictures_of_the_documentation_are_no_black_squares(file: Path) -> None:
    image = file.read_text("utf-8")
    assert "var(" not in image
    pixels = rendered(image)
    bright = np.where(pixels[..., 3] > 0, pixels[..., :3].mean(axis=-1), 1)
    assert np.median(bright) > 0.6
    assert (bright < 0.6).any()


COSMETICS = (
    Cosmetic(shape="line", at=((1, 1), (2, 2), (2, 4)), colour="#67f06780"),
    Cosmetic(shape="arrow", at=((4, 1), (4, 4)), colour="#000000", over=True),
    Cosmetic(shape="circle", at=((1.5, 1), (1, 1.5)), colour="#000000", text="2", size=0.4),
    Cosmetic(shape="square", at=((3, 3),), border="#4355db", angle=45),
    Cosmetic(shape="cells", at=((3, 1), (3, 2)), colour="#ffdf61"),
    Cosmetic(shape="text", at=((0, 3), (4, 6)), text="<&>"),
)


@pytest.mark.parametrize("theme", get_args(Theme))
def test_cosmetics_are_drawn_and_lie_within_the_picture(theme: Theme) -> None:
    puzzle = Puzzle(Board.empty(layout("classic", 4)), "", 1, cosmetics=COSMETICS)
    image = ElementTree.fromstring(svg(puzzle, theme=theme))
    assert len([*image.iter(SVG + "ellipse")]) == 2
    assert [text.text for text in image.iter(SVG + "text")] == ["2", "2", "<&>", "<&>"]
    left, top, width, height = map(float, image.get("viewBox", "").split())
    assert top <= -CELL / 2
    assert left + width > 5.5 * CELL
    assert left == 0
    assert height > 4 * CELL
    pixels = rendered(svg(puzzle, theme=theme))
    yellow = pixels[round(-top) + MARGIN + 2 * CELL + 5, MARGIN + 5, :3]
    assert yellow[0] > yellow[2] + 0.1


def test_fog_hides_what_is_not_lit_but_not_a_solution() -> None:
    board = Board.parse("1... .... .... ....")
    puzzle = Puzzle(board, "", 1, fog=Fog(lights=(0, 1, 4)))
    assert count(svg(puzzle), "rect", "fog") == 13
    grid = solve(board, backend="native").solutions[0]
    assert count(svg(puzzle, grid), "rect", "fog") == 0
