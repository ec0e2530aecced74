"""Random region maps, and jigsaws as text."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.connected import hangs_together
from unidoku import Board, read_puzzles
from unidoku.core.regions import map_of, random_map
from unidoku.core.variants import Variant
from unidoku.errors import InputError
from unidoku.generation import Generation, PuzzleRequest, generate
from unidoku.generation.maker import framed_text


@given(st.integers(1, 12), st.integers(0, 1000))
def test_regions_are_n_connected_cells(n: int, seed: int) -> None:
    text = random_map(n, random.Random(seed))
    assert len(set(text)) == n
    for symbol in set(text):
        cells = {divmod(cell, n) for cell, other in enumerate(text) if other == symbol}
        assert len(cells) == n
        assert hangs_together(cells)


def test_maps_differ_and_are_not_the_boxes() -> None:
    maps = {random_map(9, random.Random(seed)) for seed in range(50)}
    assert len(maps) == 50


@given(st.integers(1, 9), st.integers(0, 1000))
def test_the_map_of_a_layout_is_the_map_it_is_made_of(n: int, seed: int) -> None:
    layout = Variant.parse("jigsaw").with_regions(random_map(n, random.Random(seed))).layout(n)
    assert Variant.parse("jigsaw").with_regions(map_of(layout)).layout(n) == layout


def test_a_map_with_too_many_regions_for_its_symbols_is_refused() -> None:
    with pytest.raises(InputError, match="size"):
        random_map(36, random.Random(1))


@pytest.mark.parametrize(("variant", "n"), [("jigsaw", 9), ("jigsaw+x", 5), ("jigsaw", 10)])
def test_jigsaws_are_read_back_from_lines_and_from_rows(variant: str, n: int) -> None:
    request = PuzzleRequest(clues=(n * n * 3 // 4,) * 2)
    run = Generation(variant=variant, n=n, request=request, count=2, seed=1)
    for puzzles in run:
        [board] = puzzles.boards()
        lines = puzzles.lines(with_map=True).decode()
        assert [puzzle.board for puzzle in read_puzzles(lines, variant)] == [board]
        assert Board.parse(framed_text(board, with_map=True), variant) == board


def test_a_jigsaw_with_a_map_keeps_it() -> None:
    text = random_map(5, random.Random(3))
    for board in generate(f"jigsaw:{text}", n=5, count=3, seed=1):
        assert map_of(board.layout) == text
