"""Boards a line are read in bulk as they are read one by one."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.boards import NORVIG
from unidoku import Board, Layout, layout
from unidoku.core.batch import Batch
from unidoku.errors import InputError
from unidoku.formats.lines import LineReader, read_text, write_lines
from unidoku.testing.strategies import boards, named_layouts


def parts(batch: Batch) -> list[Board | str]:
    """Return what each line is, as the reader of single texts says it."""
    boards: list[Board | str] = []
    for index, row in enumerate(batch.cells.tolist()):
        if index in batch.invalid:
            boards.append(batch.invalid[index])
        else:
            boards.append(batch.boards.get(index) or Board.from_values(batch.layout, row))
    return boards


def check(board_layout: Layout, lines: list[str], symbols: str | None = None) -> None:
    """Compare with the reader of single texts."""
    expected = [read_text(line, board_layout, symbols) for line in lines]
    reader = LineReader(board_layout, symbols)
    assert parts(reader.read([line.encode() for line in lines])) == expected
    for line, item in zip(lines, expected, strict=True):
        if len(line.encode()) == len(board_layout):
            rows = np.frombuffer(line.encode(), np.uint8).reshape(1, -1)
            assert parts(reader.read_rows(rows)) == [item]


ALPHABETS = {4: "1234", 6: "123456", 9: "123456789", 16: "123456789ABCDEFG", 25: "ABCDEFGHIJKLMNO"}


@given(st.sampled_from([4, 6, 9, 16, 25, 36]), st.data())
def test_every_line_is_read_as_by_itself(n: int, data: st.DataObject) -> None:
    symbols = ALPHABETS.get(n, "1") + ALPHABETS.get(n, "1").lower() + "..........00-xX*_?5!|#é"
    alphabet = st.sampled_from(sorted({*data.draw(st.sets(st.sampled_from(symbols), min_size=1))}))
    size = st.sampled_from([n * n, n * n, n * n, n * n - 1])
    line = size.flatmap(lambda size: st.text(alphabet, min_size=size, max_size=size))
    check(layout("classic", n), data.draw(st.lists(line, max_size=3)))


def test_what_the_table_does_not_settle_is_read_slowly() -> None:
    marks = "1234" * 15 + "1..."
    lines = [
        "1" + "." * 15 + "  a name",
        "1 2 3 4 " * 4,
        marks,
        "",
        "# nothing",
        "\ufeff" + "." * 16,
    ]
    check(layout("classic", 4), [*lines, "1.0" + "." * 13, "." * 15 + "5", "=" * 16])


NAMES = st.text("ab 14.,;()#:+-\t=|é\x1c", max_size=40)


@given(st.sampled_from([1, 4, 9]), st.data())
def test_a_line_with_a_name_is_read_as_by_itself(n: int, data: st.DataObject) -> None:
    board = st.text("1234.0x"[: max(n, 2) + 2], min_size=n * n, max_size=n * n)
    line = st.tuples(board, st.sampled_from([" ", "\t", "  # ", "  ", ""]), NAMES).map("".join)
    check(layout("classic" if n > 1 else "latin", n), data.draw(st.lists(line, max_size=3)))


def test_names_do_not_take_lines_out_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    slow: list[object] = []

    def read_slowly(line: bytes, *_: object) -> str:
        slow.append(line)
        return "no"

    monkeypatch.setattr("unidoku.formats.lines.read_text", read_slowly)
    named = [f"{NORVIG}  {name}" for name in ("easy, no", "a = b", "12 of 24", "# mine", "")]
    batch = LineReader(layout()).read([line.encode() for line in named])
    assert len(slow) == len(batch.invalid) == 1, "what may be a frame is looked at again"
    assert {bytes(row) for row in batch.cells[[0, 2, 3, 4]]} == {bytes(Board.parse(NORVIG).givens)}


@given(
    st.text("1234. x#\0", min_size=16, max_size=16), st.sampled_from(["", "\n", " \r\n", "\0\0"])
)
def test_texts_of_one_width_are_read_as_lines(text: str, end: str) -> None:
    reader = LineReader(layout("classic", 4))
    rows = np.frombuffer(f"{text}{end}{'.' * 16}{end}".encode(), np.uint8).reshape(2, -1)
    batch = reader.read_fixed(rows)
    if text.endswith("\0"):
        assert batch is None
    else:
        assert batch is not None
        assert parts(batch) == parts(reader.read([text.encode(), b"." * 16]))
    assert reader.read_fixed(np.full((2, 18), ord("1"), np.uint8)) is None
    assert reader.read_fixed(rows[:, :15]) is None


def test_symbols_are_read_as_they_are_named() -> None:
    check(layout("classic", 4), ["abcd" + "." * 12, "ABCD" + "0" * 12, "1" + "." * 15], "ABCD")
    check(layout("classic", 4), ["0123" + "." * 12, "0" * 16, "0x12" + "." * 12], "0123")
    check(layout("classic", 4), ["#+|=" + "." * 12, "." * 16], "#+|=")
    check(layout("classic", 4), ["." * 16], "123")


def test_bytes_that_are_no_text_are_invalid() -> None:
    batch = LineReader(layout("classic", 4)).read([b"\xff" * 16, b"." * 16])
    assert list(batch.invalid) == [0]
    assert batch.invalid[0].startswith("expected text in UTF-8")


@given(st.data(), named_layouts() | st.just(layout("latin", 12)))
def test_lines_are_written_as_boards_write_theirs(data: st.DataObject, of: Layout) -> None:
    sample = [data.draw(boards(st.just(of))) for _ in range(2)]
    cells = np.array([board.givens for board in sample], np.uint8)
    texts = [board.text("line") for board in sample]
    assert write_lines(of, cells).decode().splitlines() == texts
    pairs = write_lines(of, cells, cells).decode().splitlines()
    assert pairs == [f"{text},{text}" for text in texts]
    zeros = write_lines(of, cells, empty="0").decode().splitlines()
    assert zeros == [text.replace(".", "0") for text in texts]


def test_a_reader_that_is_pickled_again_and_again_is_unpickled_once() -> None:
    reader = LineReader(layout("windoku", 9), "abcdefghi")
    first, second = (pickle.loads(pickle.dumps(reader)) for _ in range(2))
    assert first is second
    assert (first.layout, first.symbols) == (reader.layout, reader.symbols)


def test_arrays_of_ints_are_boards() -> None:
    small = layout("classic", 4)
    values = np.zeros((3, 4, 4), np.int64)
    values[0, 0, 1] = 4
    values[1, 3, 3] = 5
    values[2, 0, 0] = -1
    batch = Batch.from_array(small, values)
    assert batch.cells[0].tolist() == [0, 4, *[0] * 14]
    assert batch.invalid == {
        1: "D4: expected a value from 0 to 4, got 5",
        2: "A1: expected a value from 0 to 4, got -1",
    }
    assert not batch.cells[1:].any()
    floats = np.array([[1.0, np.nan, *[0] * 14], [2.5, *[0] * 15], [np.inf, *[0] * 15]])
    batch = Batch.from_array(small, floats)
    assert batch.cells.tolist() == [[1, *[0] * 15], [0] * 16, [0] * 16]
    assert batch.invalid == {
        1: "A1: expected a value from 0 to 4, got 2.5",
        2: "A1: expected a value from 0 to 4, got inf",
    }
    assert len(Batch.from_array(small, np.zeros((0, 16), np.uint8))) == 0
    with pytest.raises(InputError, match=r"expected boards of 16 cells .*got .* \(2, 81\)"):
        Batch.from_array(small, np.zeros((2, 81), np.uint8))
    with pytest.raises(InputError, match="expected an array of ints"):
        Batch.from_array(small, np.array([["1"] * 16]))
    with pytest.raises(InputError, match="expected an array of ints"):
        Batch.from_array(small, np.zeros(16, np.uint8))


def test_a_slice_of_a_batch_renumbers_its_boards() -> None:
    small = layout("classic", 4)
    marked = Board.from_candidates(small, [{1, 2}] * 16)
    batch = Batch.from_boards(small, [Board.empty(small), "why not", marked, Board.empty(small)])
    assert (batch[1:3].invalid, batch[1:3].boards) == ({0: "why not"}, {1: marked})
    assert len(batch[3:]) == 1
