"""Files of boards that other processes search, and unfinished outputs that are continued."""

from __future__ import annotations

import errno
import json
import logging
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import LocalCluster

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


@pytest.fixture
def boards(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "boards.txt"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize("text", [PLAIN, MIXED, *thorough(PLAIN.replace("\n", "\r\n"))])
@pytest.mark.parametrize("ending", [".txt", ".csv", ".npy"])
def test_an_executor_writes_what_one_process_writes(
    text: str, ending: str, boards: Callable[[str], Path], tmp_path: Path
) -> None:
    path = boards(text)
    here, there = tmp_path / f"here{ending}", tmp_path / f"there{ending}"
    with ThreadPoolExecutor(2) as executor:
        totals = [
            solve_file(path, here, backend="norvig", size=4),
            solve_file(path, there, backend="norvig", size=4, executor=executor, recheck=True),
        ]
    assert here.read_bytes() == there.read_bytes()
    assert str(totals[0]) == str(totals[1])
    assert totals[0].reasons == totals[1].reasons


def test_lines_are_sent_to_nodes_that_do_not_see_the_file(
    boards: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = boards(PLAIN), tmp_path / "out.txt"
    monkeypatch.setattr("unidoku.files.reading.LARGE", 100)
    count_file(path, tmp_path / "here.txt", backend="norvig", size=4)
    asked: list[int] = []
    read = FileRange.read

    def fail_at_first(self: FileRange) -> bytes:
        asked.append(self.start)
        if len(asked) == 1:
            raise FileGoneError("boards.txt cannot be read: no such file")
        return read(self)

    monkeypatch.setattr(FileRange, "read", fail_at_first)
    with ThreadPoolExecutor(1) as executor:
        count_file(path, out, backend="norvig", size=4, executor=executor)
    assert out.read_text() == (tmp_path / "here.txt").read_text()
    assert len(asked) < 6, "what came after was sent"


def test_a_file_that_changes_meanwhile_is_an_error(
    boards: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = boards(PLAIN)
    monkeypatch.setattr("unidoku.files.reading.LARGE", 100)

    def touch(totals: Totals) -> None:
        path.write_text(PLAIN + EASY)

    with ThreadPoolExecutor(1) as executor, pytest.raises(InputError, match="has changed since"):
        count_file(path, None, size=4, backend="norvig", executor=executor, progress=touch)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start a scheduler of Dask and two workers; return its address."""
    with LocalCluster(  # type: ignore[no-untyped-call]  # nor is it there
        n_workers=2,
        threads_per_worker=1,
        scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        silence_logs=logging.CRITICAL,
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.thorough  # it is carried as runs are, of which `test_executor` proves it
@pytest.mark.processes
def test_a_worker_of_dask_that_is_killed_loses_no_board(
    address: str, boards: Callable[[str], Path], tmp_path: Path
) -> None:
    from distributed import Client

    path = boards(PLAIN * 10)
    solve_file(path, tmp_path / "here.txt", backend="norvig", size=4)
    client = Client(address, set_as_default=False)  # type: ignore[no-untyped-call]  # nor is it there
    pids = list(client.run(os.getpid).values())
    client.close()  # type: ignore[no-untyped-call]  # as above
    victims = pids[:1]

    def kill(totals: Totals) -> None:
        while victims:
            os.kill(victims.pop(), signal.SIGKILL)

    out = tmp_path / "there.txt"
    totals = solve_file(path, out, backend="norvig", size=4, scheduler=address, progress=kill)
    assert out.read_bytes() == (tmp_path / "here.txt").read_bytes()
    assert totals.boards == 4000
    assert not victims


class StopError(Exception):
    """What ends a run."""


def stopping_after(boards: int) -> Callable[[Totals], None]:
    def progress(totals: Totals) -> None:
        if totals.boards >= boards:
            raise StopError

    return progress


@pytest.mark.parametrize("call", [solve_file, count_file])
@pytest.mark.parametrize("torn", [b"", b"1234"])
def test_an_output_is_continued_and_no_board_is_searched_twice(
    call: Callable[..., Totals], torn: bytes, boards: Callable[[str], Path], tmp_path: Path
) -> None:
    path, out, whole = boards(MIXED), tmp_path / "out.txt", tmp_path / "whole.txt"
    call(path, whole, backend="norvig", size=4)
    with pytest.raises(StopError):
        call(path, out, backend="norvig", size=4, progress=stopping_after(100))
    part = tmp_path / "out.txt.part"
    saved = part.read_bytes().count(b"\n")
    part.write_bytes(part.read_bytes() + torn)
    with ThreadPoolExecutor(2) as executor:
        totals = call(path, out, backend="native", size=4, resume=True, executor=executor)
    assert out.read_bytes() == whole.read_bytes()
    assert (totals.before, totals.boards) == (saved, 802 - saved)
    assert f" after {saved} of an earlier run: " in str(totals)
    assert {each.name for each in tmp_path.iterdir()} == {"boards.txt", "out.txt", "whole.txt"}


def test_what_is_saved_stays_when_a_run_that_goes_on_fails(
    boards: Callable[[str], Path], tmp_path: Path
) -> None:
    path, out = boards(PLAIN), tmp_path / "out.txt"
    with pytest.raises(StopError):
        solve_file(path, out, backend="norvig", size=4, progress=stopping_after(100))
    saved = (tmp_path / "out.txt.part").read_bytes()
    with pytest.raises(InputError):  # norvig has no seed
        solve_file(path, out, backend="norvig", size=4, resume=True, seed=1)
    assert (tmp_path / "out.txt.part").read_bytes() == saved


def test_without_anything_left_a_run_that_goes_on_begins(
    boards: Callable[[str], Path], tmp_path: Path
) -> None:
    totals = solve_file(boards(PLAIN), tmp_path / "out.txt", size=4, resume=True)
    assert (totals.before, totals.boards) == (0, 400)


def test_an_output_of_something_else_is_not_resumed(
    boards: Callable[[str], Path], tmp_path: Path
) -> None:
    path, out = boards(PLAIN), tmp_path / "out.txt"
    with pytest.raises(StopError):
        solve_file(path, out, backend="norvig", size=4, progress=stopping_after(100))
    saved = (tmp_path / "out.txt.part").read_bytes()
    with pytest.raises(InputError, match=r"it was begun with another command \(solve or count\)"):
        count_file(path, out, size=4, resume=True, solutions=1)
    with pytest.raises(InputError, match="it was begun with another number of solutions"):
        solve_file(path, out, size=4, resume=True, solutions=2)
    path.write_text(PLAIN + EASY)
    with pytest.raises(InputError, match=r"cannot resume .*\.part: it was begun with other boards"):
        solve_file(path, out, size=4, resume=True)
    (tmp_path / "out.txt.part.json").unlink()
    with pytest.raises(InputError, match=r"its note out\.txt\.part\.json cannot be read"):
        solve_file(path, out, size=4, resume=True)
    assert (tmp_path / "out.txt.part").read_bytes() == saved


def test_an_output_that_is_still_written_is_not_resumed(
    boards: Callable[[str], Path], tmp_path: Path
) -> None:
    path, out = boards(PLAIN), tmp_path / "out.txt"

    def meddle(totals: Totals) -> None:
        with pytest.raises(OutputError, match=r"another process writes .*out\.txt\.part; wait"):
            solve_file(path, out, backend="norvig", size=4, resume=True)

    solve_file(path, out, backend="norvig", size=4, progress=meddle)
    assert len(out.read_text().splitlines()) == len(LINES)
    assert {each.name for each in tmp_path.iterdir()} == {"boards.txt", "out.txt"}


def test_a_disk_that_fails_at_the_end_loses_nothing(
    boards: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out, real = boards(PLAIN), tmp_path / "out.txt", os.fsync

    def fail(file: int) -> None:
        if os.fstat(file).st_size > 1000:  # the output, which is longer than its note
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(file)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OutputError, match=r"keep out\.txt\.part\.json, which --resume needs"):
        solve_file(path, out, backend="norvig", size=4)
    monkeypatch.undo()
    totals = solve_file(path, out, backend="norvig", size=4, resume=True)
    assert (totals.before, totals.boards) == (len(LINES), 0)
    assert {each.name for each in tmp_path.iterdir()} == {"boards.txt", "out.txt"}


def test_a_note_that_another_writer_has_put_there_since_then_stays(
    boards: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out, deliver = boards(PLAIN), tmp_path / "out.txt", atomic_write._deliver
    part = tmp_path / "out.txt.part"

    def deliver_and_begin(*arguments: Any) -> None:
        deliver(*arguments)
        if not part.exists():  # its name is free again
            part.write_text("of the other")
            OutputNote({"sources": []}).write(part)

    monkeypatch.setattr(atomic_write, "_deliver", deliver_and_begin)
    solve_file(path, out, backend="norvig", size=4)
    assert out.read_text().count("\n") == len(LINES)
    assert part.read_text() == "of the other"
    assert json.loads((tmp_path / "out.txt.part.json").read_text()) == {"sources": []}


def test_an_output_whose_name_was_taken_keeps_its_note_and_is_continued(
    boards: Callable[[str], Path], tmp_path: Path
) -> None:
    path, out = boards(PLAIN), tmp_path / "out.txt"

    def take_the_name(_: object) -> None:
        out.write_text("other")

    with pytest.raises(
        OutputError, match=r"its whole content is in .*; keep out\.txt\.part\.json,"
    ):
        solve_file(path, out, backend="norvig", size=4, progress=take_the_name)
    totals = solve_file(path, out, backend="norvig", size=4, resume=True, force=True)
    assert (totals.before, totals.boards) == (len(LINES), 0)
    assert {each.name for each in tmp_path.iterdir()} == {"boards.txt", "out.txt"}


def test_the_note_beside_an_output_says_what_it_is_about(
    boards: Callable[[str], Path], tmp_path: Path
) -> None:
    path = boards(PLAIN)
    with pytest.raises(StopError):
        solve_file(path, tmp_path / "out.txt", size=4, progress=stopping_after(100))
    note = json.loads((tmp_path / "out.txt.part.json").read_text())
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
    out: str | None, message: str, boards: Callable[[str], Path], tmp_path: Path
) -> None:
    path = tmp_path / out if out else None
    with pytest.raises(InputError, match=f"resume: {message}"):
        solve_file(boards(PLAIN), path, size=4, resume=True)


def test_a_finished_output_is_refused_as_always(
    boards: Callable[[str], Path], tmp_path: Path
) -> None:
    path, out = boards(PLAIN), tmp_path / "out.txt"
    solve_file(path, out, size=4)
    with pytest.raises(OutputError, match="exists"):
        solve_file(path, out, size=4, resume=True)


def test_grids_are_checked_again_on_arrival(
    boards: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = boards(PLAIN)

    def spoil(self: ChunkSolver, task: ChunkTask) -> object:
        answer = solve(self, task)
        assert isinstance(answer, ChunkAnswer)
        assert answer.result is not None
        answer.result.grids[:] = np.uint8(1)
        return answer

    solve = ChunkSolver.__call__
    monkeypatch.setattr(ChunkSolver, "__call__", spoil)
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(
            WrongAnswerError,
            match=r"norvig on .*boards\.txt, line 3: a grid was returned although none was found",
        ),
    ):
        solve_file(
            path, tmp_path / "o.txt", backend="norvig", size=4, executor=executor, recheck=True
        )
