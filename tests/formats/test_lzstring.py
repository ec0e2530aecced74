"""LZ-string: what the original writes is read, and written the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.volume import volume
from unidoku import FormatError
from unidoku.formats import lzstring
from unidoku.formats.lzstring import compressed, decompressed

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
@settings(max_examples=volume(40), deadline=None)
@given(st.text(st.characters(codec="utf-8") | st.sampled_from("ab{}")))
def test_any_text_comes_back(text: str) -> None:
    assert decompressed(compressed(text)) == text


def test_a_payload_that_unpacks_to_too_much_is_refused_before_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bomb = compressed("0" * 50_001)
    assert len(bomb) < 1000
    monkeypatch.setattr(lzstring, "LARGEST", 50_000)
    with pytest.raises(FormatError, match="at most 50,000 characters, got more"):
        decompressed(bomb)


@pytest.mark.volume
@settings(max_examples=volume(40), deadline=None)
@given(st.text("ABCDNIgz01+/= é", max_size=60))
def test_any_other_text_is_read_or_refused(text: str) -> None:
    try:
        assert isinstance(decompressed(text), str)
    except FormatError as error:
        assert "expected" in str(error)  # noqa: PT017 - what was expected is said
