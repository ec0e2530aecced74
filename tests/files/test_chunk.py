"""Chunks of lines that other processes read in the file, and their answers in order."""

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
from unidoku import layout
from unidoku.errors import UnidokuError
from unidoku.files.chunk import Chunk, FileRange, LineChunk
from unidoku.files.chunk_solver import ChunkSolver, ChunkTask
from unidoku.files.reading import open_source
from unidoku.files.solve import Totals, count_file, solve_file
from unidoku.files.source import Source
from unidoku.formats.lines import LineReader

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
    """Have little files read as large ones are, in blocks of twenty lines and chunks of six."""
    monkeypatch.setattr("unidoku.files.reading.LARGE", 100)
    monkeypatch.setattr("unidoku.files.reading.BLOCK", 340)
    monkeypatch.setattr("unidoku.formats.stream.BLOCK", 340)
    monkeypatch.setattr("unidoku.files.chunk_solver.FEWEST", 6)
    monkeypatch.setattr("unidoku.files.chunk_solver.MOST", 6)


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
        messages = []
        for executor in (None, threads):
            totals = call(path, out, backend="norvig", size=4, force=True, executor=executor)
            messages.append((out.read_bytes(), str(totals), totals.reasons))
    assert messages[0] == messages[1]


@given(text=texts, count=st.integers(1, 9))
@settings(max_examples=volume(40), deadline=None)
def test_lines_are_the_same_in_chunks_of_any_size_and_in_their_ranges(
    text: str, count: int
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "boards.txt")
        path.write_bytes(text.encode())
        source = Source(str(path), size=4)
        with open_source(source) as opened:
            expected = [board for chunk in opened.chunks for board in boards_of(chunk)]
        in_ranges = []
        with open_source(source) as opened:
            for chunk in opened.chunks:
                rest: Chunk | None = chunk
                while rest is not None:
                    first, rest = rest.split(count)
                    in_ranges += boards_of(first.sent())
    assert in_ranges == expected


def boards_of(chunk: Chunk) -> list[tuple[int, list[int]]]:
    boards = chunk.read()
    return list(zip(boards.numbers, boards.batch.cells.tolist(), strict=True))


def test_of_a_plain_file_no_line_is_sent(
    tmp_path: Path, threads: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "boards.txt"
    path.write_text("# a comment\n" + f"{EASY}\n" * 1000)
    sent = []
    solve = ChunkSolver.__call__

    def spy(self: ChunkSolver, task: ChunkTask) -> object:
        sent.append(task.chunk)
        return solve(self, task)

    monkeypatch.setattr(ChunkSolver, "__call__", spy)
    solve_file(path, tmp_path / "out.txt", size=4, backend="norvig", executor=threads)
    assert len(sent) > 100
    assert all(isinstance(chunk, LineChunk) and chunk.text is None for chunk in sent)


def test_many_short_lines_are_chunks_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unidoku.files.chunk.MOST_LINES", 10)
    text = b"a\n" * 35 + b"1.....2..3.....4\n"
    chunks = [*LineChunk(LineReader(layout("classic", 4)), 5, text).of_few_lines()]
    assert b"".join(chunk.text or b"" for chunk in chunks) == text
    assert max((chunk.text or b"").count(b"\n") for chunk in chunks) <= 10
    assert [chunk.number for chunk in chunks] == [
        5 + sum((each.text or b"").count(b"\n") for each in chunks[:k]) for k in range(len(chunks))
    ]


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
        result = solve_file(path, whole, backend="norvig", size=4)
        with suppress(KeyboardInterrupt):
            solve_file(path, out, backend="norvig", size=4, progress=stop)
        totals = solve_file(
            path, out, backend="norvig", size=4, resume=True, force=True, executor=threads
        )
        assert out.read_bytes() == whole.read_bytes()
        assert totals.before + totals.boards == result.boards


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
    read = FileRange.read

    def fail_at_the_end(self: FileRange) -> bytes:
        if self.start + self.length > 17 * 200:
            raise UnidokuError("no more")
        return read(self)

    monkeypatch.setattr(FileRange, "read", fail_at_the_end)
    with pytest.raises(UnidokuError, match="no more"):
        solve_file(path, out, size=4, backend="norvig", executor=threads)
    written = Path(f"{out}.part").read_text().splitlines()
    assert 194 < len(written) <= 200
    assert set(written) == {"1243342143122134"}


@pytest.mark.parametrize("line", [" " * 16, "Grid 00000000007", "# as wide as it."])
def test_what_is_no_board_is_left_out_even_if_it_is_as_wide(line: str, tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"{EASY}\n" * 30 + f"{line}\n" + f"{EASY}\n" * 30)
    totals = solve_file(path, tmp_path / "out.txt", size=4, backend="norvig")
    assert (totals.boards, totals.invalid) == (60, 0)
