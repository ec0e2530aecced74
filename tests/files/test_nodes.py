"""Files of boards that other processes search, and unfinished outputs that are continued."""

from __future__ import annotations

import errno
import json
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.helpers.engines import dask
from tests.helpers.volume import thorough
from unidoku.errors import InputError, OutputError, WrongAnswerError
from unidoku.files.chunk import FileGoneError, FileRange
from unidoku.files.chunk_solver import ChunkAnswer, ChunkSolver, ChunkTask
from unidoku.files.resuming import OutputNote
from unidoku.files.solve import Totals, count_file, solve_file
from unidoku.support import atomic_write

EASY = "1.....2..3.....4"
LINES = [EASY, "12..........21..", "11..............", EASY] * 100
PLAIN = "".join(f"{line}\n" for line in LINES)
MIXED = f"{PLAIN}# a comment\nno board\n{EASY}  a name\n{PLAIN}"


search = partial(solve_file, backend="norvig", size=4)
count = partial(count_file, backend="norvig", size=4)


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    """A file of boards."""
    path = tmp_path / "boards.txt"
    path.write_text(PLAIN)
    return path


@pytest.fixture
def out(boards: Path) -> Path:
    """The output of a search, beside the boards."""
    return boards.with_name("out.txt")


@pytest.mark.parametrize("text", [PLAIN, MIXED, *thorough(PLAIN.replace("\n", "\r\n"))])
@pytest.mark.parametrize("ending", [".txt", ".csv", ".npy"])
def test_an_executor_writes_what_one_process_writes(
    text: str, ending: str, boards: Path, tmp_path: Path
) -> None:
    boards.write_text(text)
    alone, spread = tmp_path / f"here{ending}", tmp_path / f"there{ending}"
    with ThreadPoolExecutor(2) as executor:
        totals = [
            search(boards, alone),
            search(boards, spread, executor=executor, recheck=True),
        ]
    assert alone.read_bytes() == spread.read_bytes()
    assert str(totals[0]) == str(totals[1])
    assert totals[0].reasons == totals[1].reasons


def test_lines_are_sent_to_nodes_that_do_not_see_the_file(
    boards: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unidoku.files.reading.LARGE", 100)
    alone = out.with_name("here.txt")
    count(boards, alone)
    asked: list[int] = []
    read = FileRange.read

    def fail_at_first(self: FileRange) -> bytes:
        asked.append(self.start)
        if len(asked) == 1:
            raise FileGoneError("boards.txt cannot be read: no such file")
        return read(self)

    monkeypatch.setattr(FileRange, "read", fail_at_first)
    with ThreadPoolExecutor(1) as executor:
        count(boards, out, executor=executor)
    assert out.read_text() == alone.read_text()
    assert len(asked) < 6, "what came after was sent"


def test_a_file_that_changes_meanwhile_is_an_error(
    boards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unidoku.files.reading.LARGE", 100)

    def touch(totals: Totals) -> None:
        boards.write_text(PLAIN + EASY)

    with ThreadPoolExecutor(1) as executor, pytest.raises(InputError, match="has changed since"):
        count(boards, None, executor=executor, progress=touch)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a scheduler of Dask with two workers."""
    with dask(2) as address:
        yield address


@pytest.mark.thorough  # it is carried as runs are, of which `test_executor` proves it
@pytest.mark.processes
def test_a_worker_of_dask_that_is_killed_loses_no_board(
    address: str, boards: Path, out: Path
) -> None:
    from distributed import Client

    boards.write_text(PLAIN * 10)
    alone = out.with_name("here.txt")
    search(boards, alone)
    client = Client(address, set_as_default=False)  # type: ignore[no-untyped-call]  # distributed has no types
    pids = list(client.run(os.getpid).values())
    client.close()  # type: ignore[no-untyped-call]  # as above
    victims = pids[:1]

    def kill(totals: Totals) -> None:
        while victims:
            os.kill(victims.pop(), signal.SIGKILL)

    totals = search(boards, out, scheduler=address, progress=kill)
    assert out.read_bytes() == alone.read_bytes()
    assert totals.boards == 4000
    assert not victims


class StopError(Exception):
    """What ends a run."""


def stop(totals: Totals) -> None:
    """End a run after some boards."""
    if totals.boards >= 100:
        raise StopError


def begun(boards: Path, out: Path, call: Callable[..., Totals] = search) -> bytes:
    """Begin an output, and return what is there when it is stopped."""
    with pytest.raises(StopError):
        call(boards, out, progress=stop)
    return out.with_name("out.txt.part").read_bytes()


@pytest.mark.parametrize("call", [search, count])
@pytest.mark.parametrize("torn", [b"", b"1234"])
def test_an_output_is_continued_and_no_board_is_searched_twice(
    call: Callable[..., Totals], torn: bytes, boards: Path, out: Path
) -> None:
    whole = out.with_name("whole.txt")
    boards.write_text(MIXED)
    call(boards, whole)
    content = begun(boards, out, call)
    saved = content.count(b"\n")
    out.with_name("out.txt.part").write_bytes(content + torn)
    with ThreadPoolExecutor(2) as executor:
        totals = call(boards, out, backend="native", resume=True, executor=executor)
    assert out.read_bytes() == whole.read_bytes()
    assert (totals.before, totals.boards) == (saved, 802 - saved)
    assert f" after {saved} of an earlier run: " in str(totals)
    assert {each.name for each in out.parent.iterdir()} == {"boards.txt", "out.txt", "whole.txt"}


def test_what_is_saved_stays_when_a_run_that_goes_on_fails(boards: Path, out: Path) -> None:
    saved = begun(boards, out)
    with pytest.raises(InputError):  # norvig has no seed
        search(boards, out, resume=True, seed=1)
    assert out.with_name("out.txt.part").read_bytes() == saved


def test_without_anything_left_a_run_that_goes_on_begins(boards: Path, out: Path) -> None:
    totals = solve_file(boards, out, size=4, resume=True)
    assert (totals.before, totals.boards) == (0, 400)


def test_an_output_of_something_else_is_not_resumed(boards: Path, out: Path) -> None:
    saved = begun(boards, out)
    with pytest.raises(InputError, match=r"it was begun with another command \(solve or count\)"):
        count_file(boards, out, size=4, resume=True, solutions=1)
    with pytest.raises(InputError, match="it was begun with another number of solutions"):
        solve_file(boards, out, size=4, resume=True, solutions=2)
    boards.write_text(PLAIN + EASY)
    with pytest.raises(InputError, match=r"cannot resume .*\.part: it was begun with other boards"):
        solve_file(boards, out, size=4, resume=True)
    out.with_name("out.txt.part.json").unlink()
    with pytest.raises(InputError, match=r"its note out\.txt\.part\.json cannot be read"):
        solve_file(boards, out, size=4, resume=True)
    assert out.with_name("out.txt.part").read_bytes() == saved


def test_an_output_that_is_still_written_is_not_resumed(boards: Path, out: Path) -> None:
    def meddle(totals: Totals) -> None:
        with pytest.raises(OutputError, match=r"another process writes .*out\.txt\.part; wait"):
            search(boards, out, resume=True)

    search(boards, out, progress=meddle)
    assert len(out.read_text().splitlines()) == len(LINES)
    assert {each.name for each in out.parent.iterdir()} == {"boards.txt", "out.txt"}


def test_a_disk_that_fails_at_the_end_loses_nothing(
    boards: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def fail(file: int) -> None:
        if os.fstat(file).st_size > 1000:  # the output, which is longer than its note
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(file)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OutputError, match=r"keep out\.txt\.part\.json, which --resume needs"):
        search(boards, out)
    monkeypatch.undo()
    totals = search(boards, out, resume=True)
    assert (totals.before, totals.boards) == (len(LINES), 0)
    assert {each.name for each in out.parent.iterdir()} == {"boards.txt", "out.txt"}


def test_a_note_that_another_writer_has_put_there_since_then_stays(
    boards: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver, part = atomic_write._deliver, out.with_name("out.txt.part")

    def deliver_and_begin(*arguments: Any) -> None:
        deliver(*arguments)
        if not part.exists():  # its name is free again
            part.write_text("of the other")
            OutputNote({"sources": []}).write(part)

    monkeypatch.setattr(atomic_write, "_deliver", deliver_and_begin)
    search(boards, out)
    assert out.read_text().count("\n") == len(LINES)
    assert part.read_text() == "of the other"
    assert json.loads(out.with_name("out.txt.part.json").read_text()) == {"sources": []}


def test_an_output_whose_name_was_taken_keeps_its_note_and_is_continued(
    boards: Path, out: Path
) -> None:
    def take_the_name(_: object) -> None:
        out.write_text("other")

    with pytest.raises(
        OutputError, match=r"its whole content is in .*; keep out\.txt\.part\.json,"
    ):
        search(boards, out, progress=take_the_name)
    totals = search(boards, out, resume=True, force=True)
    assert (totals.before, totals.boards) == (len(LINES), 0)
    assert {each.name for each in out.parent.iterdir()} == {"boards.txt", "out.txt"}


def test_the_note_beside_an_output_says_what_it_is_about(boards: Path, out: Path) -> None:
    begun(boards, out)
    note = json.loads(out.with_name("out.txt.part.json").read_text())
    assert note["sources"][0]["puzzle"] == "boards.txt"
    assert note["sources"][0]["bytes"] == len(PLAIN)


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (None, "expected an output file, got standard output"),
        ("out.npy", "expected an output of plain text"),
        ("out.txt.gz", "expected an output of plain text"),
    ],
)
def test_only_plain_text_is_continued(
    out: str | None, message: str, boards: Path, tmp_path: Path
) -> None:
    path = tmp_path / out if out else None
    with pytest.raises(InputError, match=f"resume: {message}"):
        solve_file(boards, path, size=4, resume=True)


def test_a_finished_output_is_refused_as_always(boards: Path, out: Path) -> None:
    search(boards, out)
    with pytest.raises(OutputError, match="exists"):
        search(boards, out, resume=True)


def test_grids_are_checked_again_on_arrival(
    boards: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoil(self: ChunkSolver, task: ChunkTask) -> object:
        answer = solve(self, task)
        assert isinstance(answer, ChunkAnswer)
        assert answer.result is not None
        answer.result.grids[:] = np.uint8(1)
        return answer

    solve = ChunkSolver.__call__
    monkeypatch.setattr(ChunkSolver, "__call__", spoil)
    message = r"norvig on .*boards\.txt, line 3: a grid was returned although none was found"
    with ThreadPoolExecutor(1) as executor, pytest.raises(WrongAnswerError, match=message):
        search(boards, out, executor=executor, recheck=True)
