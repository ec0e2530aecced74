"""PNG, PDF and sheets: opened again by other programs, on machines without fonts too."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pypdfium2
import pytest
import resvg_py
from hypothesis import given, settings
from hypothesis import strategies as st

import unidoku
from tests.draw.test_board import SVG, Pixels
from tests.helpers.volume import volume
from unidoku import Board, Killer, Layout, layout, solve, svg
from unidoku.draw import PAPERS, Entry, Head, pdf, png, sheet
from unidoku.errors import InputError
from unidoku.support.language import in_language

RULES = Path(__file__).parents[2] / "examples" / "rules"
BOARD = Board.parse("1.....2..3.....4")
GRID = (1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4)
HOSTILE = "<b>&\x00\x1b\ud800\u202e] ]>Жé"


def pixels_of(image: bytes) -> Pixels:
    from matplotlib.image import imread

    return np.asarray(imread(io.BytesIO(image), format="png"), dtype=np.float64)


def opened(document: bytes) -> list[tuple[tuple[float, float], str, Pixels]]:
    """Return the size, the text and the pixels of each page, a pixel for each of the picture."""
    pages = pypdfium2.PdfDocument(document)
    return [
        (
            page.get_size(),
            page.get_textpage().get_text_range(),
            page.render(scale=4 / 3, rev_byteorder=True).to_numpy() / 255,
        )
        for page in pages
    ]


def test_a_pdf_has_spaces_that_do_not_break() -> None:
    words = '<text x="2" y="12" font-family="sans-serif">1\u202f820\u202f; b</text>'
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="20">{words}</svg>'
    ((_, message, _),) = opened(pdf([picture]))
    assert message == "1 820 ; b"


@pytest.mark.parametrize("name", ["killer", "kakuro", "between", "sum-lines", "kenken", "thermo"])
def test_a_pdf_looks_like_the_png_dashes_and_texts_included(name: str) -> None:
    (puzzle,) = unidoku.read(RULES / f"{name}.toml")
    picture = svg(puzzle.board, puzzle.solution, theme="light")
    ((_, message, drawn),) = opened(pdf([picture]))
    expected = pixels_of(png(picture, width=drawn.shape[1]))[..., :3]
    assert drawn.shape == expected.shape
    # The fonts differ: but where one is dark the other is, a few pixels around.
    for first, other in ((drawn, expected), (expected, drawn)):
        dark, near = first.mean(axis=-1) < 0.5, other.mean(axis=-1) < 0.8
        wide = near.copy()
        for down in range(-3, 4):
            for right in range(-3, 4):
                wide |= np.roll(near, (down, right), axis=(0, 1))
        assert dark.sum() > 500
        assert (dark & ~wide).mean() < 0.001
    texts = [element.text or "" for element in ElementTree.fromstring(picture).iter(SVG + "text")]
    assert sorted("".join(texts).replace(" ", "")) == sorted("".join(message.split()))


def test_a_png_has_its_width_and_its_digits_where_the_system_has_no_fonts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bare = partial(resvg_py.svg_to_bytes, skip_system_fonts=True)
    monkeypatch.setattr(resvg_py, "svg_to_bytes", bare)
    drawn = pixels_of(png(svg(BOARD, GRID, theme="light"), width=600))
    empty = pixels_of(png(svg(Board.empty(BOARD.layout), theme="light"), width=600))
    assert drawn.shape == (600, 600, 4)
    differs = (np.abs(drawn - empty).max(axis=-1) > 0.5).reshape(4, 150, 4, 150).sum(axis=(1, 3))
    assert (differs > 300).all()  # a digit in each cell


@pytest.mark.parametrize("width", [0, 20_001, 10**9])
def test_a_png_that_would_be_too_large_or_has_no_pixels_is_refused(width: int) -> None:
    with pytest.raises(InputError, match=r"expected a picture of 1 to 20,000 pixels, got "):
        png(svg(BOARD, theme="light"), width=width)


def test_what_is_no_picture_is_refused() -> None:
    for wrong in ("", "board", "<svg></svg>"):
        with pytest.raises(InputError, match="expected an SVG element with width and height, got "):
            png(wrong)
    with pytest.raises(InputError, match="expected an SVG element, got 'board'"):
        pdf(["board"])


def test_equal_pictures_make_equal_files() -> None:
    pictures = [svg(BOARD, theme="light")] * 2
    assert pdf(pictures, title="a") == pdf(pictures, title="a")
    assert len(opened(pdf(pictures))) == 2


def entries(count: int, *, solved: bool = True) -> list[Entry]:
    grid = GRID if solved else None
    return [Entry(board=BOARD, title=f"name {k}", solution=grid) for k in range(count)]


def texts(page: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(page).iter(SVG + "text")]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_sheet_has_the_puzzles_in_order_and_their_solutions_at_the_end(paper: str) -> None:
    pages = sheet(entries(14), per_page=6, paper=paper)
    assert len(pages) == 3 + 2
    result = opened(pdf(pages))
    for (size, message, _), page in zip(result, pages, strict=True):
        assert size == pytest.approx(PAPERS[paper], abs=0.01)
        assert "name 1\r" in message or page is not pages[0]
    puzzles = [message for page in pages[:3] for message in texts(page) if ". name" in message]
    assert puzzles == [f"{k + 1}. name {k}" for k in range(14)]
    answers = [message for page in pages[3:] for message in texts(page) if "Solution" in message]
    assert answers == [f"Solution {k + 1}" for k in range(14)]
    assert [texts(page)[-1] for page in pages] == [f"{k} / 5" for k in range(1, 6)]
    assert len(sheet(entries(14, solved=False), per_page=6)) == 3


@pytest.mark.parametrize("count", [1, 2, 3, 5, 12, 30, 100])
def test_boards_of_a_page_do_not_overlap_and_stay_on_the_paper(count: int) -> None:
    (page,) = sheet(entries(count, solved=False), per_page=100)
    places = []
    for group in ElementTree.fromstring(page).iter(SVG + "g"):
        message = group.get("transform", "").replace("translate(", "").replace("scale(", "")
        x, y, scale = map(float, message.replace(")", "").split())
        side = scale * (4 * 36 + 6)
        assert 40 < x < x + side < 595 - 40
        assert 40 < y < y + side < 842 - 40
        places.append((round(y, 1), x, x + side, y + side))
    assert len(places) == count
    for first, other in pairwise(places):
        assert first[2] < other[1] if first[0] == other[0] else first[3] < other[0]


def test_what_a_sheet_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match=r"expected a paper, got 'a5'; known: a4, letter"):
        sheet(entries(1), paper="a5")
    with pytest.raises(InputError, match="expected 1 puzzle a page or more, got 0"):
        sheet(entries(1), per_page=0)
    with pytest.raises(InputError, match="expected a puzzle for the sheet, got none"):
        sheet([])


@settings(max_examples=volume(20))
@given(st.text())
def test_any_title_makes_a_well_formed_page(title: str) -> None:
    (page,) = sheet([Entry(board=BOARD, title=title)])
    ElementTree.fromstring(page)


def test_titles_that_are_no_text_of_xml_are_printed_as_far_as_they_can_be() -> None:
    (page,) = sheet([Entry(board=BOARD, title=HOSTILE)])
    assert texts(page)[0] == "1. <b>&????] ]>Жé"
    ((_, message, _),) = opened(pdf([page], title=HOSTILE))
    assert "1. <b>&????] ]>" in message


def test_clues_around_a_board_stay_in_its_place() -> None:
    four = layout("latin", 4)
    board = Board.empty(Layout(4, four.units, four.positions, (Killer((0, 1), 3),)))
    assert "latin" not in texts(sheet([Entry(board=board)])[0])
    (puzzle,) = unidoku.read(RULES / "nonogram.toml")
    (page,) = sheet([Entry(board=puzzle.board, title=puzzle.name)])
    ((_, message, drawn),) = opened(pdf([page]))
    assert "1. Nonogram" in message
    assert (drawn[:, :50] > 0.9).all()
    assert (drawn[:, -50:] > 0.9).all()


def test_titles_end_before_the_next_column_in_a_broad_font() -> None:
    (page,) = sheet([Entry(board=BOARD, title="MATHEMAGIC " * 9)] * 12, per_page=12)
    titles = [
        element
        for element in ElementTree.fromstring(page).iter(SVG + "text")
        if "MATHEMAGIC" in (element.text or "")
    ]
    first, second = titles[:2]
    broad = 0.75 * float(first.get("font-size", 0)) * len(first.text or "")
    assert float(first.get("x", 0)) + broad < float(second.get("x", 0))


def test_a_sheet_for_a_class_has_heading_name_line_level_and_rules() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    words = "Normal sudoku rules apply. " * 12
    entries = [Entry(board=board, title=str(n), level="easy", rules=words) for n in range(4)]
    entries[0] = replace(entries[0], solution=solve(board).solutions[0])
    with in_language("de"):
        puzzles, solutions = sheet(
            entries, per_page=4, head=Head(heading="Klasse 4b", date="24.11.", name_line=True)
        )
    for text in ("Klasse 4b", "24.11.", "Name", "leicht"):
        assert f">{text}<" in puzzles
    assert puzzles.count("Normal sudoku") >= 4
    assert "Lösung 1" in solutions
    assert ">Name<" not in solutions
    plain, *_ = sheet(entries, per_page=4)
    assert "Klasse" not in plain
