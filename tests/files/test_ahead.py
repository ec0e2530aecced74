"""Lines that nodes read in the file by themselves, against those that are read one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.volume import volume
from unidoku.errors import UnidokuError
from unidoku.files.answering import Cutter
from unidoku.files.part import FileSpan, Part, UnevenLinesError, UnreadLines
from unidoku.files.reading import open_parts
from unidoku.files.solve import Totals, count_file, solve_file
from unidoku.files.source import Source
from unidoku.parallel.executors import executor_for

EASY = "1.....2..3.....4"
PLAIN = [EASY, "12..........21..", "11..............", "1..............."]
ODD = [
    "",
    " " * 16,
    "# a comment",
    "# as wide as it.",
    "no board",
    "no board, 16 wide"[:16],
    f"{EASY}  a name",
    "a title: easy =>",
    "1234567\n12345678",
    f"{EASY}\r",
    "11......\r.......",
    "z" * 16,
    "Grid 00000000007",
    "1. no title, odd",
    "é" * 8,
]


@pytest.fixture(autouse=True)
def _little_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have little files read as large ones are, in blocks of twenty lines and pieces of six.

    The first block has ten lines if nodes read the rest.
    """
    monkeypatch.setattr("unidoku.files.reading.LARGE", 100)
    monkeypatch.setattr("unidoku.files.reading.BLOCK", 340)
    monkeypatch.setattr("unidoku.files.reading.FIRST", 170)
    monkeypatch.setattr("unidoku.formats.stream.BLOCK", 340)
    monkeypatch.setattr("unidoku.files.answering.FEWEST", 6)
    monkeypatch.setattr("unidoku.files.solve.MOST_SENT", 6)


@pytest.fixture(scope="module")
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


texts = st.builds(
    lambda head, odd, tail, end: "\n".join([*head, *odd, *tail]) + end,
    st.lists(st.sampled_from(PLAIN), min_size=30, max_size=60),
    st.lists(st.sampled_from([*PLAIN, *ODD]), max_size=4),
    st.lists(st.sampled_from(PLAIN), max_size=60),
    st.sampled_from(["", "\n", "\n\n", "\r\n"]),
)
"""Boards a line, and among them what nobody expects there."""


@given(text=texts, call=st.sampled_from([solve_file, count_file]))
@settings(max_examples=volume(15), deadline=None)
def test_nodes_answer_whatever_stands_in_a_file_as_one_process_does(
    text: str, call: Callable[..., Totals], threads: Executor
) -> None:
    with TemporaryDirectory() as folder:
        path, out = Path(folder, "boards.txt"), Path(folder, "out.txt")
        path.write_bytes(text.encode())
        told = []
        for executor in (None, threads):
            totals = call(path, out, backend="norvig", size=4, force=True, executor=executor)
            told.append((out.read_bytes(), str(totals), totals.reasons))
    assert told[0] == told[1]


@given(text=texts)
@settings(max_examples=volume(40), deadline=None)
def test_lines_that_were_left_unread_are_those_that_follow(text: str) -> None:
    def boards(part: Part) -> list[tuple[int, list[int]]]:
        return list(zip(part.numbers, part.batch.cells.tolist(), strict=True))

    with TemporaryDirectory() as folder:
        path = Path(folder, "boards.txt")
        path.write_bytes(text.encode())
        source = Source(str(path), size=4)
        with open_parts(source) as parts:
            expected = [board for unread in parts.batches for board in boards(unread.read())]
        found: list[tuple[int, list[int]]] = []
        with open_parts(source, ahead=0) as parts:
            batches = parts.batches
            while (unread := next(batches, None)) is not None:
                try:
                    found += boards(unread.read())
                except UnevenLinesError:
                    assert parts.again is not None
                    assert isinstance(unread, UnreadLines)
                    batches = parts.again(unread)
    assert found == expected


def test_of_a_plain_file_nearly_all_lines_are_left_unread(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"{EASY}\n" * 1000)
    with open_parts(Source(str(path), size=4), ahead=0) as parts:
        sizes = [
            len(batch)
            for batch in parts.batches
            if isinstance(batch, UnreadLines) and batch.rows is None
        ]
    assert sizes == [990]


def test_after_the_boards_of_an_earlier_run_lines_are_left_unread(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text("# a comment\n" + f"{EASY}\n" * 1000)
    with open_parts(Source(str(path), size=4), ahead=65) as parts:
        unread = [
            isinstance(batch, UnreadLines) and batch.rows is None
            for batch in parts.batches
            for _ in range(len(batch))
        ]
    assert not any(unread[:65])
    assert sum(unread) > 900


@given(text=texts, saved=st.integers(1, 80))
@settings(max_examples=volume(10), deadline=None)
def test_nodes_continue_an_output_as_if_it_had_not_been_interrupted(
    text: str, saved: int, threads: Executor
) -> None:
    def stop(totals: Totals) -> None:
        if totals.boards >= saved:
            raise KeyboardInterrupt

    with TemporaryDirectory() as folder:
        path, whole, out = (Path(folder, name) for name in ("boards.txt", "whole.txt", "out.txt"))
        path.write_bytes(text.encode())
        told = solve_file(path, whole, backend="norvig", size=4)
        with suppress(KeyboardInterrupt):
            solve_file(path, out, backend="norvig", size=4, progress=stop)
        totals = solve_file(
            path, out, backend="norvig", size=4, resume=True, force=True, executor=threads
        )
        assert out.read_bytes() == whole.read_bytes()
        assert totals.before + totals.boards == told.boards


def test_a_line_that_is_odd_is_named_by_its_number(tmp_path: Path, threads: Executor) -> None:
    path = tmp_path / "boards.txt"
    lines = [EASY] * 200
    lines[70] = "z" * 16
    lines[150] = "no board"
    path.write_text("\n".join(lines))
    totals = solve_file(path, tmp_path / "out.txt", size=4, backend="norvig", executor=threads)
    assert [reason.split(": ")[0] for reason in totals.reasons] == [
        f"{path}, line 71",
        f"{path}, line 151",
    ]


def test_what_a_node_raises_is_raised_when_all_before_it_is_written(
    tmp_path: Path, threads: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = tmp_path / "boards.txt", tmp_path / "out.txt"
    path.write_text(f"{EASY}\n" * 300)
    seen = FileSpan.data

    def data(self: FileSpan, length: int) -> bytes:
        if self.start + length > 17 * 200:
            raise UnidokuError("no more")
        return seen(self, length)

    monkeypatch.setattr(FileSpan, "data", data)
    with pytest.raises(UnidokuError, match="no more"):
        solve_file(path, out, size=4, backend="norvig", executor=threads)
    written = Path(f"{out}.part").read_text().splitlines()
    assert 194 < len(written) <= 200
    assert set(written) == {"1243342143122134"}


@pytest.mark.processes
def test_processes_that_share_memory_write_what_one_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text("\n".join([*PLAIN * 60, "# odd", *PLAIN * 60]))
    with executor_for("local:1") as executor:
        for ending in (".txt", ".csv", ".npy"):
            here, there = tmp_path / f"here{ending}", tmp_path / f"there{ending}"
            solve_file(path, here, size=4, backend="norvig")
            solve_file(path, there, size=4, backend="norvig", executor=executor, recheck=True)
            assert here.read_bytes() == there.read_bytes()


@pytest.mark.parametrize("line", [" " * 16, "Grid 00000000007", "# as wide as it."])
def test_what_is_no_board_is_left_out_even_if_it_is_as_wide(line: str, tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"{EASY}\n" * 30 + f"{line}\n" + f"{EASY}\n" * 30)
    totals = solve_file(path, tmp_path / "out.txt", size=4, backend="norvig")
    assert (totals.boards, totals.invalid) == (60, 0)


def test_pieces_get_shorter_where_nodes_are_to_end_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unidoku.files.answering.FEWEST", 500)
    monkeypatch.setattr("unidoku.files.answering.LAST", 20)
    path = tmp_path / "boards.txt"
    path.write_text(f"{EASY}\n" * 4020)
    with open_parts(Source(str(path), size=4), ahead=0) as parts:
        pieces = Cutter(500, shares=8).pieces(parts, parts.batches, 0)
        lengths = [len(piece.boards) for piece in pieces]
    assert sum(lengths) == 4020
    assert lengths[:3] == [10, 500, 438]
    assert lengths[1:] == sorted(lengths[1:], reverse=True)
    assert max(lengths[-3:]) == 20
