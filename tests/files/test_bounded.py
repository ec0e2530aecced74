"""Memory and time stay bounded whatever a file unpacks to, and the message comes at once."""

from __future__ import annotations

import gzip
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.processes

BOARD = b"4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n"

MOST_MEMORY = 180 << 20
"""About 50 MiB more than is taken; a list of the lines or the text itself would not fit in."""

UNPACKED = 70 << 20
UNPACKED_LINES = 8 << 20

MEASURED = """
import shlex, sys
from unidoku.cli import main
from pathlib import Path
from unidoku.parallel.processes import peak_bytes
for line in sys.argv[1:]:
    print(f">{main(shlex.split(line))}", file=sys.stderr)
status = Path("/proc/self/status")  # getrusage(2) has the peak of the parent before exec too
told = status.read_text().partition("VmHWM:")[2].split() if status.exists() else []
print("peak", int(told[0]) << 10 if told else peak_bytes())
"""


def bomb(path: Path, unit: bytes, start: bytes = b"") -> Path:
    """Write a file that unpacks to so many bytes of the same."""
    chunk = unit * ((1 << 20) // len(unit))
    with gzip.open(path, "wb", 1) as file:
        file.write(start)
        size = UNPACKED_LINES if unit.endswith(b"\n") else UNPACKED
        for _ in range(size // len(chunk)):
            file.write(chunk)
    return path


def ran(*arguments: str | Path, stdin: bytes | None = None) -> tuple[int, str]:
    """Run a command in another process; check what memory it took."""
    (outcome,) = all_ran(shlex.join(map(str, arguments)), stdin=stdin)
    return outcome


def all_ran(*lines: str, stdin: bytes | None = None) -> list[tuple[int, str]]:
    """Run command lines in one process; return their exit codes, and what they say."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *lines],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
    )
    peak = int(done.stdout.decode().rpartition("peak ")[2])
    assert peak < MOST_MEMORY
    errors = re.split(r"^>(\d+)\n", done.stderr.decode(), flags=re.MULTILINE)
    return [(int(code), text) for text, code in zip(errors[::2], errors[1::2], strict=False)]


LONG = "line 1: expected lines of at most 1 MiB, got a longer one"


@pytest.mark.parametrize(
    ("name", "unit", "message"),
    [
        ("nul.txt.gz", b"\0", LONG),
        ("blank.txt.gz", b"\n", "expected a board, got text without cells"),
        ("quotes.csv.gz", b'"', LONG),
        *(
            pytest.param(name, unit, message, marks=pytest.mark.thorough)
            for name, unit, message in (
                ("dots.txt.gz", b".", LONG),
                (
                    "junk.txt.gz",
                    b"a\n",
                    "line 1, column 1: expected 1 to 1 or one symbol for empty",
                ),
                ("open.csv.gz", b'"\n', "expected one column of boards, got none"),
                ("commas.csv.gz", b",", LONG),
                ("ones.csv.gz", b"1\n", "expected one column of boards, got none"),
            )
        ),
    ],
)
def test_a_small_file_that_unpacks_to_a_large_one_is_refused(
    tmp_path: Path, name: str, unit: bytes, message: str
) -> None:
    path = bomb(tmp_path / name, unit)
    commands = {b"\0": ("solve", "check"), b"a\n": ("check",)}.get(unit, ("solve",))
    for code, err in all_ran(*(f"{command} {path} --backend norvig" for command in commands)):
        assert code == 2
        assert message in err
        assert len(err.splitlines()) == 1


def test_blank_lines_after_a_board_take_no_memory(tmp_path: Path) -> None:
    path = bomb(tmp_path / "blank.txt.gz", b"\n", BOARD)
    assert ran("solve", path, "--backend", "norvig")[0] == 0


def test_an_array_in_a_pipe_and_a_header_that_lies_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "lies.npy"
    with path.open("wb") as file:
        shape = (10**12, 81)
        np.lib.format.write_array_header_1_0(
            file, {"descr": "|u1", "fortran_order": False, "shape": shape}
        )
    code, err = ran("solve", path)
    assert code == 2
    assert "lies.npy cannot be read" in err
    code, err = ran("solve", stdin=path.read_bytes())
    assert code == 2
    assert "standard input: expected text, got an array of numpy" in err


def texts() -> Iterator[tuple[bytes, str]]:
    """Yield large texts that hold no board, and a part of what is said of them."""
    yield b"." * (2 << 20), LONG
    yield b"---\n" * 50_000, "expected the cells of a classic board"
    yield b"12\n" * 50_000, "expected the cells of a classic board"
    yield b"-" * (1 << 20) + b"x", LONG
    yield b"-" * (1 << 19) + b"x", "expected the cells of a classic board"
    yield b"1 " * (1 << 17), "line 1"
    yield b"1," * (1 << 18), "expected the cells of a classic board"
    yield b"\n".join([BOARD.strip()] * 2 + [b"." * 500_000]), "got 500162 symbols"
    yield "\U0001f600".encode() * 81, "U+1F600"
    yield bytes(100), "line 1, column 1: expected text, got U+0000 (a control character)"


def test_a_large_text_without_a_board_is_refused_at_once(tmp_path: Path) -> None:
    lines, messages = [], []
    for number, (text, message) in enumerate(texts()):
        path = tmp_path / f"{number}.txt"
        path.write_bytes(text)
        lines.append(f"{['solve', 'check'][number % 2]} {path} --backend norvig")
        messages.append(message)
    outcomes = all_ran(*lines)
    assert [code for code, _ in outcomes] == [2] * len(lines)
    assert all(message in err for message, (_, err) in zip(messages, outcomes, strict=True))
    code, err = ran("solve", "--backend", "norvig", stdin=b"." * (2 << 20))
    assert (code, LONG in err) == (2, True)


def test_a_field_of_a_table_is_bounded_too(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_bytes(b"id,sudoku\n1," + BOARD + b'2,"' + b"." * 500_000 + b'"\n')
    code, err = ran("solve", path)
    assert code == 2
    assert "expected a row of a table: field larger than field limit" in err
