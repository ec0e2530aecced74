"""Puzzles cut out of a text in JSON, however its blocks end."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unidoku import FormatError
from unidoku.formats.stream import json_parts

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def blocks(text: bytes, size: int) -> list[bytes]:
    return [text[start : start + size] for start in range(0, len(text), size)]


@given(st.lists(st.dictionaries(st.text(), JSON), max_size=4), st.integers(1, 40), st.booleans())
def test_each_object_of_a_list_is_a_text_with_what_stands_before_it(
    tables: list[dict[str, object]], size: int, is_wide: bool
) -> None:
    whole = {"version": 1, "note": {"puzzles": [1]}, "puzzles": tables}
    text = json.dumps(whole, indent=1 if is_wide else None, ensure_ascii=False).encode()
    parts = [json.loads(part) for _, part in json_parts(blocks(text, size))]
    assert parts == [{**whole, "puzzles": [table]} for table in tables]


@given(st.lists(st.dictionaries(st.just("a"), JSON), max_size=4), st.integers(1, 40))
def test_objects_one_after_the_other_keep_their_lines(
    tables: list[dict[str, object]], size: int
) -> None:
    text = "\n".join(map(json.dumps, tables)).encode()
    parts = [*json_parts(blocks(text, size))]
    assert [json.loads(part) for _, part in parts] == tables
    assert [line for line, _ in parts] == [*range(1, len(tables) + 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"version": 1, "puzzles": [{}, {}', "expected the end"),
        ('{"version": 1, "puzzles": [{} {}]}', "with commas in a list"),
        ('{"version": 1, "puzzles": [1, {}]}', "expected objects"),
        ('{"version": 1, "puzzles": [[]]}', "expected objects"),
        ('{"puzzles": [{}], "version": 1}', "expected 'puzzles' as the last key"),
        ('{"a": 1} x', "expected the end"),
    ],
)
def test_what_is_beside_the_puzzles_is_refused(text: str, message: str) -> None:
    for size in (1, 7, 1000):
        with pytest.raises(FormatError, match=message):
            [*json_parts(blocks(text.encode(), size))]
