"""Standard streams that are closed, full, left by their reader, or of an old encoding."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.command_lines import EVERY, arguments_of
from tests.helpers.volume import SOAK, thorough
from unidoku.cli import codes, streams
from unidoku.cli.program import run

ENCODINGS = ["ascii", *thorough("utf-16", *["cp1252", "cp437", "latin-1"] * bool(SOAK))]
SILENT = [
    first
    for first, code in EVERY.items()
    if code and first.startswith(("solve", "generate", "draw", "serve"))
]
"""They write nothing to standard output: they find nothing, or refuse what they got."""
GRID = ".....35..14..6.5..1...6...2...34...."


def shell(
    command: str, redirected: str = "", encoding: str = "utf-8"
) -> subprocess.CompletedProcess[bytes]:
    """Run a command line of unidoku in another process."""
    line = f'exec "{sys.executable}" -m unidoku {command} {redirected}'
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    return subprocess.run(line, shell=True, capture_output=True, env=env, timeout=60, check=False)


@pytest.mark.usefixtures("_no_workers")
@pytest.mark.parametrize(("command", "code"), EVERY.items(), ids=EVERY)
def test_closed_streams_change_no_exit_code(
    command: str, code: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = arguments_of(command, folder)
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    streams.prepare()
    with sys.stdout, sys.stderr:
        assert run(arguments) == code


OPENING = """
import os
from unidoku.cli import streams
streams.prepare()
file = open("number", "w")
os.write(1, b"what a library writes")
file.write(str(file.fileno()))
"""


@pytest.mark.processes
@pytest.mark.usefixtures("folder")
def test_what_a_command_opens_never_takes_the_place_of_a_closed_stream() -> None:
    closed = "<&- >&- 2>&-"
    subprocess.run(f"exec '{sys.executable}' -c '{OPENING}' {closed}", shell=True, check=True)
    assert int(Path("number").read_text()) > 2
    assert shell("solve boards.txt -o out.txt --backend norvig", closed).returncode == codes.YES
    assert len(Path("out.txt").read_text().splitlines()) == 2


@pytest.mark.processes
def test_a_board_from_a_closed_standard_input_is_bad_input() -> None:
    done = shell("solve", "<&-")
    assert done.returncode == codes.ERROR
    assert b"expected boards on standard input, but it is closed" in done.stderr


@pytest.mark.usefixtures("_no_workers")
@pytest.mark.parametrize("command", [first for first in EVERY if first not in SILENT])
def test_output_that_cannot_be_written_is_code_2_in_one_line(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = arguments_of(command, folder)
    with open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123 - as streams are
        monkeypatch.setattr(sys, "stdout", full)
        assert run(arguments) == codes.ERROR
    errors = capfd.readouterr().err.splitlines()
    assert errors[-1] == "unidoku: the output cannot be written: No space left on device"


@pytest.mark.processes
@pytest.mark.parametrize("unbuffered", ["", *thorough("1")])
@pytest.mark.parametrize("redirected", [">/dev/full", "2>/dev/full", ">/dev/full 2>/dev/full"])
def test_a_process_whose_output_cannot_be_written_ends_with_code_2(
    redirected: str, unbuffered: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    for command in ("solve boards.txt --backend norvig", "nonsense"):
        done = shell(command, redirected)
        assert done.returncode == codes.ERROR
        assert b"Traceback" not in done.stderr
        assert b"Exception ignored" not in done.stderr


@pytest.mark.processes
def test_a_reader_that_has_left_is_told_nothing() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "unidoku", "config"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (codes.ERROR, b"")


@pytest.mark.usefixtures("_no_workers")
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("command", [*EVERY, "--help", "generate --help", "solve caf*.txt"])
def test_every_command_prints_in_any_encoding(
    command: str, encoding: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strange = os.fsdecode(b"caf\xe9.txt")  # in UTF-8 this is no text
    (folder / strange).write_text("11.. .... .... .3..")
    arguments = [strange if part == "caf*.txt" else part for part in arguments_of(command, folder)]
    pair = [io.BytesIO(), io.BytesIO()]
    for name, written in zip(("stdout", "stderr"), pair, strict=True):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(written, encoding))
    streams.prepare()
    code = run(arguments)
    assert code == EVERY.get(command, codes.NO if "caf" in command else codes.YES)
    out, message = (written.getvalue().decode(encoding) for written in pair)
    assert out + message


@pytest.mark.processes
def test_what_an_encoding_lacks_is_drawn_in_ascii_of_the_same_width() -> None:
    command = f"explain {GRID}"
    drawn = shell(command).stdout.decode()
    plain = shell(command, encoding="ascii").stdout.decode("ascii")
    pairs = list(zip(drawn.splitlines(), plain.splitlines(), strict=True))
    assert all(len(first) == len(other) for first, other in pairs)
    assert (f"  ┏{23 * '━'}┳{23 * '━'}┓", f"  +{23 * '-'}+{23 * '-'}+") in pairs
    assert all(first == other for first, other in pairs if first.isascii())


@pytest.mark.processes
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
def test_files_are_utf_8_whatever_the_streams_are(encoding: str) -> None:
    assert shell(f"explain {GRID} --html page.html", encoding=encoding).returncode == 0
    assert "→" in Path("page.html").read_text(encoding="utf-8")


@pytest.mark.processes
@pytest.mark.usefixtures("folder")
def test_files_of_boards_are_solved_in_the_encoding_of_the_stream() -> None:
    Path("boards.csv").write_text(f"quizzes\n{'.' * 15}1\n")
    plain = shell("solve boards.csv").stdout
    assert len(plain) == 17
    wide = shell("solve boards.csv", encoding="utf-16").stdout
    assert wide.startswith(codecs.BOM_UTF16)
    assert wide.decode("utf-16") == plain.decode()


def terminal(command: str, **environment: str) -> str:
    """Run a command line of unidoku with a terminal as its output; return what that shows."""
    master, slave = os.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment}
    arguments = [sys.executable, "-m", "unidoku", *command.split()]
    with subprocess.Popen(arguments, stdout=slave, stderr=slave, env=env) as process:
        os.close(slave)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal says that all have left
            while read := os.read(master, 4096):
                shown += read
        assert process.wait(timeout=60) == codes.YES
    os.close(master)
    return shown.decode()


@pytest.mark.processes
@pytest.mark.usefixtures("folder")
def test_a_terminal_gets_no_colours_where_that_is_asked_and_no_line_above_its_width() -> None:
    command = "explain 1.....2..3.....4 --grids all"
    colour = re.compile("\x1b\\[[0-9;]*3[0-8]")
    assert colour.search(terminal(command))
    assert not colour.search(terminal(command, NO_COLOR="1"))
    for width in (60, *[100] * bool(SOAK)):
        shown = terminal("backends", COLUMNS=str(width), NO_COLOR="1")
        lines = re.sub("\x1b\\[[0-9;]*m", "", shown).splitlines()
        assert max(map(len, lines)) <= width
        assert max(map(len, lines)) > width - 10
