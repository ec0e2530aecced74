"""The quick way of reading the usual text, against the general one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unidoku import Board, layout
from unidoku.core.text.reader import Reader, read_plain
from unidoku.core.text.symbols import TextLine
from unidoku.core.variants import Variant
from unidoku.errors import FormatError

CONSTRAINTS = [("classic", 16), ("classic", 36), ("classic", 81), ("latin", 25), ("samurai", 369)]


@given(st.data())
def test_what_is_read_quickly_is_read_alike_by_the_general_reader(data: st.DataObject) -> None:
    variant, length = data.draw(st.sampled_from(CONSTRAINTS))
    alphabet = data.draw(st.sampled_from(["123456789.", "1234.", "0123456789", "12.0", "1.x"]))
    text = data.draw(st.text(alphabet, min_size=length, max_size=length))
    parsed = read_plain(text, variant, None)
    if parsed is not None:
        general = Reader(Variant.parse(variant)).read([TextLine(1, text)])
        assert parsed == general
        assert parsed[0] is general[0]


def test_both_readers_give_one_layout_after_many_others() -> None:
    """A second cache would still contain a layout that the other has dropped and built again."""
    text = "1...2...3...4..."
    assert read_plain(text, "classic", None) is not None
    for index in range(300):
        layout(f"grids:0,{index}", 1)
    parsed = read_plain(text, "classic", None)
    assert parsed is not None
    assert parsed[0] is Reader(Variant.parse("classic")).read([TextLine(1, text)])[0]


def test_the_usual_text_is_read_quickly() -> None:
    assert read_plain("1...2...3...4...", "classic", None) is not None
    assert read_plain("1000200030004000", "classic", 4) is not None
    diagonal = layout("x", 4)
    parsed = read_plain("1...2...3...4...", diagonal, None)
    assert parsed is not None
    assert parsed[0] is diagonal


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1..0" * 4, None),  # two symbols for empty
        ("1..5" * 4, None),  # no such value
        ("1" + "." * 63, None),  # n = 8, or four places a cell
        ("1" + "." * 15, 9),  # of another size
        ("1" + "." * 255, None),  # n = 16 has other symbols too
        ("1" + "." * 16, None),
    ],
)
def test_all_else_is_left_to_the_general_reader(text: str, size: int | None) -> None:
    assert read_plain(text, "classic", size) is None


def test_errors_are_those_of_the_general_reader() -> None:
    with pytest.raises(FormatError, match="expected one symbol for empty, got '0' after"):
        Board.parse("1..0" * 4)
