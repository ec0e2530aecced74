"""benchmarks/native.py, run as its users run it, on boards and libraries made here."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.helpers.programs import require
from tests.helpers.python_process import run_python
from unidoku.files.examples import find_example

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]
"""The benchmark starts processes that compile; the machine may be busy."""

LIBRARY = r"""
#define main program
#include "sudoku.c"
#include <stdint.h>

size_t FUNCTION(const char *board, size_t limit, uint32_t configuration, char *solution,
                size_t *guesses) {
    (void)configuration;
    most = (long)limit;
    solve_line(board);
    memcpy(solution, first, 81);
    *guesses = (size_t)guessed;
    return (size_t)found + EXTRA;
}
"""
"""The program of the other tests, with the interface of the libraries that take part."""

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files: boards with one solution, and with several and with none."""
    folder = tmp_path_factory.mktemp("boards")
    practice = [puzzle.board.text("line") for puzzle in find_example("practice").puzzles()]
    (folder / "one.txt").write_text("# of the examples\n" + "\n".join(practice) + "\n")
    others = [f"..{'.' * 25}{SOLVED[27:]}", f"{SOLVED[:-1]}8", f"{'.' * 45}{SOLVED[45:]}  open"]
    (folder / "other.txt").write_text("\n".join(others))
    return folder


def build(root: Path, folder: Path, *definitions: str) -> Path:
    """Compile the library."""
    require(["gcc"])
    source, library = folder / "solver.c", folder / "solver.so"
    source.write_text(LIBRARY)
    options = [f"-I{root / 'tests' / 'helpers'}", *(f"-D{name}" for name in definitions)]
    command = ["gcc", "-O2", "-shared", "-fPIC", *options, "-o", str(library), str(source)]
    subprocess.run(command, check=True)
    return library


def run(root: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run_python(root / "benchmarks" / "native.py", "--quick", *arguments)


def row(text: str, heading: str, name: str) -> list[str]:
    """Return the fields of the row of that name in the table below a heading."""
    part = text[re.search(f"^{re.escape(heading)}$", text, re.MULTILINE).end() :]  # type: ignore[union-attr] # a missing heading fails the test
    line = next(line for line in part.splitlines() if line.startswith(f"| {name} |"))
    return [field.strip() for field in line.strip("|").split("|")]


def test_all_sections_are_measured_and_nothing_is_written(root: Path, folder: Path) -> None:
    results = root / "benchmarks" / "results"
    before = {path: path.read_bytes() for path in results.rglob("*") if path.is_file()}
    done = run(root, "--data", folder)
    assert done.returncode == 0, done.stderr
    headings = re.findall("^##+ (.*)$", done.stdout, re.MULTILINE)
    assert headings == [
        "Files of classic boards",
        "one",
        "other",
        "Sizes",
        "Variants",
        "A single board",
    ]
    searched = row(done.stdout, "### other", "lanes")
    assert searched[1] == searched[6] == "100"
    assert {path: path.read_bytes() for path in results.rglob("*") if path.is_file()} == before
    assert re.search("^native: .* s  section single$", done.stderr, re.MULTILINE)


def test_a_library_takes_part(root: Path, folder: Path, tmp_path: Path) -> None:
    library = build(root, tmp_path, "FUNCTION=solve", "EXTRA=0")
    done = run(root, "--data", folder, "--section", "files", "--library", f"tried={library}")
    assert done.returncode == 0, done.stderr
    fields = row(done.stdout, "### other", "tried")
    assert fields[1] == "100"
    assert float(fields[9].replace(",", "")) > 0, "its guesses"
    assert fields[10] == "–"


def test_a_library_that_counts_wrongly_ends_the_program_and_the_board_is_named(
    root: Path, folder: Path, tmp_path: Path
) -> None:
    library = build(
        root, tmp_path, "FUNCTION=other_name", "EXTRA=(board[0] == '.' && board[80] == '9')"
    )
    done = run(
        root, "--data", folder, "--section", "files", "--library", f"wrong={library}:other_name"
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert re.search(
        r"disagreement: other, limit 1: wrong counts 2 solutions and lanes 1, "
        rf"on the board {re.escape('.' * 27 + SOLVED[27:])}$",
        done.stderr,
        re.MULTILINE,
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--library", "nothing"), "expected NAME=PATH or NAME=PATH:FUNCTION, got 'nothing'"),
        (("--library", "absent=/no/such/file.so"), "library absent:"),
        (("--data", "/no/such/folder"), "expected a folder with text files of boards"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    root: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run(root, *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_line_that_is_no_board_is_named(root: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text(f"{SOLVED}\n{SOLVED[1:]}\n")
    done = run(root, "--data", tmp_path)
    assert done.returncode == 2
    assert "bad.txt:2: expected 81 digits or dots" in done.stderr
