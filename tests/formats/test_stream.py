"""Text of any length in blocks of whole lines, the boards in it, and puzzles cut out of JSON."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.boards import NORVIG
from unidoku import Board, FormatError, InputError
from unidoku.formats import Puzzle, read_blocks
from unidoku.formats.stream import LONGEST, json_parts, line_ends, open_stream

SMALL = 1 << 14
"""Bytes that are read as a whole, where tests need texts that are longer."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("stream", "puzzles"):
        monkeypatch.setattr(f"unidoku.formats.{module}.LONGEST", SMALL)


def read_puzzle_file(path: Path) -> list[Puzzle]:
    with open_stream(path) as stream:
        return [*read_blocks(stream.blocks(), stream.name)]


def blocks(path: Path) -> bytes:
    with open_stream(path) as stream:
        return b"".join(stream.blocks())


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1 << 21])
def test_all_ends_of_lines_are_one_and_no_line_is_cut(
    tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unidoku.formats.stream.BLOCK", size)
    path = tmp_path / "in.txt"
    data = b"a\rb\r\nc\n\r\n\rd\r"
    for start in (b"", b"\xef\xbb\xbf"):
        if size > 3 or not start:
            path.write_bytes(start + data)
            assert blocks(path) == b"a\nb\nc\n\n\nd\n"
            path.write_bytes(gzip.compress(start + data + b"e"))
            assert blocks(path) == b"a\nb\nc\n\n\nd\ne\n"
            with open_stream(path) as stream:
                assert all(block.endswith(b"\n") for block in stream.blocks())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_text_of_windows_and_spreadsheets_is_named(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "in.txt"
    text = NORVIG if encoding == "utf-16" else f"\ufeff{NORVIG}"
    path.write_bytes(text.encode(encoding))
    name = encoding[:6].upper()
    with pytest.raises(FormatError, match=f"expected text in UTF-8, got {name}; save it"):
        read_puzzle_file(path)


def test_a_line_too_long_and_bytes_that_are_no_text_are_told_by_their_line(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_bytes(b"\n\n" + b"." * (LONGEST + 1))
    with pytest.raises(FormatError, match=r"line 3: expected lines of at most 1 MiB") as caught:
        blocks(path)
    assert caught.value.line == 3
    path.write_bytes(f"{NORVIG}\n{NORVIG}\n".encode() + b"\xff\n")
    with pytest.raises(FormatError, match="line 3: expected text in UTF-8, got the byte 0xff"):
        read_puzzle_file(path)
    with pytest.raises(InputError, match=r"none\.txt cannot be read"):
        read_puzzle_file(tmp_path / "none.txt")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("between", ["\n\n", "\n# next\n", "\n====\n", "\nGrid 01\n"])
def test_boards_of_several_lines_are_read_from_a_text_of_any_length(
    tmp_path: Path, between: str
) -> None:
    path = tmp_path / "in.txt"
    framed = Board.parse(NORVIG).text()
    number = 3 * SMALL // len(framed)
    path.write_text(between.join([framed] * number))
    puzzles = read_puzzle_file(path)
    assert len(puzzles) == number
    height = framed.count("\n") + 1 + between.count("\n") - 1
    assert [puzzle.line for puzzle in puzzles] == [1 + height * k for k in range(number)]
    path.write_text(between.join([framed] * number) + between + framed.replace("4", "s"))
    with pytest.raises(FormatError) as caught:
        read_puzzle_file(path)
    assert caught.value.line > height * number


@pytest.mark.usefixtures("small")
def test_lines_of_boards_are_read_from_a_text_of_any_length(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    number = 3 * SMALL // 90
    path.write_text("".join(f"{NORVIG} name {k}\n" for k in range(number)) + "# the end\n")
    puzzles = read_puzzle_file(path)
    assert [puzzle.name for puzzle in puzzles] == [f"name {k}" for k in range(number)]
    assert [puzzle.line for puzzle in puzzles] == [*range(1, number + 1)]


@pytest.mark.usefixtures("small")
def test_boards_that_no_blank_line_separates_are_refused_where_they_may_be_cut(
    tmp_path: Path,
) -> None:
    path = tmp_path / "in.txt"
    rows = "\n".join(NORVIG[k : k + 9] for k in range(0, 81, 9)) + "\n"
    path.write_text(rows * 100)
    assert len(read_puzzle_file(path)) == 100
    path.write_text(rows * (3 * SMALL // len(rows)))
    with pytest.raises(FormatError, match="boards of several lines need blank lines between them"):
        read_puzzle_file(path)


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 200_000])
def test_line_ends_are_counted_alike_in_texts_of_any_length(size: int) -> None:
    data = (b"\n.\n\n..." * size)[:size]
    assert line_ends(data) == data.count(b"\n")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def cut(text: bytes, size: int) -> list[bytes]:
    return [text[start : start + size] for start in range(0, len(text), size)]


@given(st.lists(st.dictionaries(st.text(), JSON), max_size=4), st.integers(1, 40), st.booleans())
def test_each_object_of_a_list_is_a_text_with_what_stands_before_it(
    tables: list[dict[str, object]], size: int, is_wide: bool
) -> None:
    whole = {"version": 1, "note": {"puzzles": [1]}, "puzzles": tables}
    text = json.dumps(whole, indent=1 if is_wide else None, ensure_ascii=False).encode()
    parts = [json.loads(part) for _, part in json_parts(cut(text, size))]
    assert parts == [{**whole, "puzzles": [table]} for table in tables]


@given(st.lists(st.dictionaries(st.just("a"), JSON), max_size=4), st.integers(1, 40))
def test_objects_one_after_the_other_keep_their_lines(
    tables: list[dict[str, object]], size: int
) -> None:
    text = "\n".join(map(json.dumps, tables)).encode()
    parts = [*json_parts(cut(text, size))]
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
            [*json_parts(cut(text.encode(), size))]
