"""Faults of files as they really happen: full disks, limits, kills, and others who write too.

`test_atomic_write_faults` makes the same faults in this process: here they have one way each in
``make test``, and all others in ``make test-thorough``.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.helpers.python_process import run_python
from tests.helpers.volume import SOAK, thorough, volume
from unidoku.errors import OutputError
from unidoku.support.atomic_write import check_target, new_file, write_text

pytestmark = pytest.mark.processes

BOARD = "1.....2..3.....4"
UNIDOKU = [sys.executable, "-m", "unidoku"]
RACES = [(2, False), pytest.param(4, True, marks=pytest.mark.thorough)]
"""How many processes write one file at once, and whether they may replace it."""
ENDLESS = ["generate", "--size", "4", "--count", "100000000", "--time-limit", "none"]


def ran(*arguments: object, bytes_a_file: int | None = None) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        import resource  # not on Windows, which has no such limits either

        if bytes_a_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_a_file, bytes_a_file))

    command = [*UNIDOKU, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=100, preexec_fn=limit
    )


def result(done: subprocess.CompletedProcess[str]) -> str:
    """Return the one line that a command says of what went wrong."""
    assert done.returncode == 2, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("unidoku: ")]
    assert "Traceback" not in done.stderr
    return line


@contextmanager
def of_nobody() -> Iterator[None]:
    """Be a user without rights, if the tests are run by the superuser."""
    if os.geteuid() == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(os.getuid())


@pytest.mark.parametrize("command", ["solve", *thorough("count", "generate", "explain")])
def test_a_full_device_is_said_in_one_line(command: str) -> None:
    option = "--html" if command == "explain" else "-o"
    board = [] if command == "generate" else [BOARD]
    line = result(ran(command, *board, option, "/dev/full"))
    assert (
        line == "unidoku: /dev/full cannot be written: No space left on device; make room, or "
        "name a file on another disk"
    )


@pytest.mark.parametrize("force", [False, *thorough(True)])
def test_a_file_that_grows_too_large_is_kept_up_to_there(force: bool, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"{BOARD}\n" * 5000)
    if force:
        (tmp_path / "out.txt").write_text("old")
    done = ran(
        *("solve", tmp_path / "in.txt", "--size", 4, "-o", tmp_path / "out.txt"),
        *["--force"] * force,
        bytes_a_file=20_000,
    )
    part = tmp_path / "out.txt.part"
    assert result(done) == (
        f"unidoku: {tmp_path}/out.txt cannot be written: File too large; what was found so far is "
        f"in {part}; raise the limit on the size of files (ulimit -f); keep "
        "out.txt.part.json, which --resume needs"
    )
    assert part.stat().st_size == 20_000
    assert part.read_text().startswith("1243342143122134\n")
    assert (tmp_path / "out.txt").exists() == force
    if force:
        assert (tmp_path / "out.txt").read_text() == "old"


@pytest.mark.parametrize("old", [*thorough(None), "old"])
def test_a_kill_leaves_the_old_file_and_what_was_found(old: str | None, tmp_path: Path) -> None:
    target, part = tmp_path / "a.txt", tmp_path / "a.txt.part"
    if old is not None:
        target.write_text(old)
    command = [*UNIDOKU, *ENDLESS, "-o", str(target), "--force"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while not (part.exists() and part.stat().st_size):
            time.sleep(0.01)
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt.part"} | (
        {"a.txt"} if old else set()
    )
    if old is not None:
        assert target.read_text() == old
    contained = part.read_bytes()
    assert ran("generate", "--size", 4, "-o", target, "--force").returncode == 0
    assert len(target.read_text().splitlines()) == 1
    assert part.read_bytes() == contained


def test_a_folder_without_permission_is_refused_in_one_line() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        with of_nobody():
            for attempt in (check_target, lambda path: write_text(path, "")):
                with pytest.raises(OutputError) as caught:
                    attempt(folder / "a.txt")
                assert str(caught.value) == (
                    f"{folder}/a.txt cannot be written: Permission denied; "
                    "name a file in a folder that you may write to"
                )
        folder.chmod(0o755)
        (folder / "a.txt").write_text("old")
        folder.chmod(0o555)
        with of_nobody(), pytest.raises(OutputError, match="Permission denied"):
            write_text(folder / "a.txt", "new", force=True)
        assert (folder / "a.txt").read_text() == "old"
        folder.chmod(0o755)


def test_a_folder_that_vanishes_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "folder"

    def written() -> None:
        with new_file(folder / "a.txt", keep=True) as file:
            file.write(b"found")
            shutil.rmtree(folder)

    folder.mkdir()
    with pytest.raises(OutputError) as caught:
        written()
    assert str(caught.value) == (
        f"{folder}/a.txt cannot be written: No such file or directory; "
        f"{folder}/a.txt.part has vanished"
    )


@pytest.mark.volume
@pytest.mark.parametrize(
    ("writers", "force"), [(n, force) for n in (2, 8) for force in (False, True)] if SOAK else RACES
)
def test_of_writers_of_one_file_one_delivers_all_of_its_own_and_the_others_are_told(
    writers: int, force: bool, tmp_path: Path
) -> None:
    rounds = volume(13) if SOAK else 2  # a thousand in make soak
    done = run_python("-m", "tests.helpers.races", tmp_path, writers, rounds, *["--force"] * force)
    assert done.stderr == ""
    assert done.returncode == 0


@pytest.mark.parametrize(
    "options",
    [
        *thorough([]),
        ["--force", "--power"],
        *(pytest.param([option], marks=pytest.mark.soak) for option in ("--force", "--power")),
    ],
)
def test_wherever_a_run_dies_it_is_continued_and_nothing_is_lost(
    options: list[str], tmp_path: Path
) -> None:
    done = run_python("-m", "tests.helpers.crashes", tmp_path, *options)
    assert done.stderr == ""
    assert done.returncode == 0
