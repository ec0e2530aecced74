"""LZ-string: what the original writes is read, and written the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.volume import volume
from unidoku import FormatError
from unidoku.formats.lzstring import LARGEST, compressed, decompressed

KNOWN = {
    "": "Q===",
    "a": "IZA=",
    "aaaaaaaaaaa": "IY15A===",
    '{"size":4}': "N4IgzglgXgpiBcAWAvkA",
}
"""Texts, and what the library in JavaScript makes of them."""


@pytest.mark.parametrize(("text", "packed"), KNOWN.items())
def test_known_payloads_are_read_and_written(text: str, packed: str) -> None:
    assert decompressed(packed) == text
    assert compressed(text) == packed


@pytest.mark.volume
@settings(max_examples=volume(200), deadline=None)
@given(st.text(st.characters(codec="utf-8") | st.sampled_from("ab{}")))
def test_any_text_comes_back(text: str) -> None:
    assert decompressed(compressed(text)) == text


def test_a_payload_that_unpacks_to_too_much_is_refused_before_it_has() -> None:
    bomb = compressed("0" * (LARGEST + 1))
    assert len(bomb) < 10_000
    with pytest.raises(FormatError, match="at most 4,194,304 characters, got more"):
        decompressed(bomb)


@pytest.mark.volume
@settings(max_examples=volume(200), deadline=None)
@given(st.text("ABCDNIgz01+/= é", max_size=60))
def test_any_other_text_is_read_or_refused(text: str) -> None:
    try:
        assert isinstance(decompressed(text), str)
    except FormatError as error:
        assert "expected" in str(error)  # noqa: PT017 - what was expected is said
