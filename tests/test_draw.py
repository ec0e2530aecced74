from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given

from unidoku import Board, layout, svg
from unidoku.testing.strategies import boards

SVG = "{http://www.w3.org/2000/svg}"


def count(image: str, tag: str, kind: str) -> int:
    root = ElementTree.fromstring(image)
    return sum(element.get("class") == kind for element in root.iter(SVG + tag))


@given(boards())
def test_every_board_makes_well_formed_svg(board: Board) -> None:
    root = ElementTree.fromstring(svg(board))
    assert len(list(root.iter(SVG + "rect"))) == len(board.layout)


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


def test_clashing_cells_and_extra_units_are_tinted() -> None:
    assert count(svg(Board.parse("11.. .... .... ....")), "rect", "clash") == 2
    assert count(svg(Board.empty(layout("x"))), "rect", "shade") == 17


def test_thick_lines_part_boxes_and_regions() -> None:
    assert count(svg(Board.empty(layout("classic"))), "line", "thick") == 36 + 36
    regions = ["aaab", "acbb", "ccbd", "cddd"]
    beside = [(row[k], row[k + 1]) for row in regions for k in range(3)]
    above = [(regions[k][c], regions[k + 1][c]) for k in range(3) for c in range(4)]
    parted = sum(one != other for one, other in beside + above)
    jigsaw = layout("jigsaw:" + "".join(regions), 4)
    assert count(svg(Board.empty(jigsaw)), "line", "thick") == 16 + parted


def test_a_notebook_shows_the_picture() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    assert board._repr_svg_() == svg(board)
