"""Libraries that cannot be loaded: what can do without them does, the rest says what to type."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.helpers.python_process import run_python
from tests.helpers.volume import thorough

pytestmark = pytest.mark.processes

BROKEN = {
    "OSError": "raise OSError('libLLVM.so: cannot open shared object file')",
    "ImportError": "raise ImportError('DLL load failed')",
    "SystemExit": "raise SystemExit(3)",
}
"""What a package does when it is imported."""

FORBID = """
import sys

class Forbidden:
    def find_spec(self, name, path=None, target=None):
        if name == "{package}":
            raise {error}

sys.meta_path.insert(0, Forbidden())
"""
"""What another finder of modules does when a package is looked for."""


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the packages of a folder before all others."""
    path = os.pathsep.join([str(folder), str(Path(__file__).parents[2])])
    return run_python(
        *arguments,
        env=os.environ | {"PYTHONPATH": path, "UNIDOKU_LEVEL": "0"} | environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        timeout=200,
    )


def break_package(folder: Path, package: str, how: str) -> None:
    """Put a package into a folder that cannot be imported, or a hook that forbids it."""
    if how in BROKEN:
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text(BROKEN[how])
    else:
        error = {
            "missing": f"ModuleNotFoundError('No module', name={package!r})",
            "forbidden": "ImportError('it is not allowed here')",
        }[how]
        (folder / "sitecustomize.py").write_text(FORBID.format(package=package, error=error))


DEFAULT = """
import warnings
from dataclasses import replace
import unidoku

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
EASY = "417369825632158947958724316825437169791586432346912758289643571573291684164875..."
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    unidoku.load("auto").prepare(unidoku.layout("classic"))
    print(unidoku.solve(PUZZLE, solutions=2).unique)
    print(unidoku.solve_many([EASY] * 1100, solutions=2).counts.sum())
    killer = replace(unidoku.layout("classic", 4), rules=(unidoku.Killer((0, 1, 2), 7),))
    print(unidoku.count(unidoku.Board.empty(killer)).count)
    print(unidoku.count("." * 16, backend="auto[budget=1]").count)
print(*[one.message for one in told if one.category is UserWarning], sep="\\n")
try:
    unidoku.load("native[engine=single]").solve(PUZZLE)
except unidoku.UnidokuError as error:
    print(error)
"""


@pytest.mark.parametrize("how", ["OSError", *thorough("forbidden")])
def test_the_default_searches_in_python_with_one_warning_where_llvmlite_is_broken(
    how: str, tmp_path: Path
) -> None:
    break_package(tmp_path, "llvmlite", how)
    done = run(tmp_path, "-c", DEFAULT)
    assert done.returncode == 0, done.stderr
    *answers, warning, error = done.stdout.splitlines()
    assert answers == ["True", "1100", "72", "288"]
    reason = "it is not allowed" if how == "forbidden" else "libLLVM.so: cannot open"
    for text in (warning, error):
        assert "needs llvmlite, which cannot be loaded: " in text
        assert reason in text
    assert warning.startswith("native searches without its compiled engines: ")


AUTO = """
import warnings
import unidoku

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for text in (
        "1.......5.9.2...4...3...7...8.9.6.......5.......84..9...5...3...6...4.2.7.......1",
        "........1.....1.2...3.4.5....46.5....3..7....7..4..6....7.5.4...8.....9.2..9....8",
    ):
        print(unidoku.count(text, backend="auto[budget=1]").count)
print(*[one.message for one in told], sep="\\n")
"""


def test_auto_passes_over_a_solver_that_cannot_be_loaded(tmp_path: Path) -> None:
    break_package(tmp_path, "pysat", "SystemExit")
    done = run(tmp_path, "-c", AUTO)
    assert done.returncode == 0, done.stderr
    *counts, warning = done.stdout.splitlines()
    assert counts == ["1", "1"]
    assert warning.startswith("auto searches without sat: backend 'sat' cannot be imported: ")
    listed = run(tmp_path, "-m", "unidoku", "backends", COLUMNS="400")
    (row,) = [line for line in listed.stdout.splitlines() if line.lstrip(" │|").startswith("sat ")]
    assert "cannot be imported: SystemExit: 3" in row
    assert listed.stderr == ""


WITHOUT_NUMPY = """
import unidoku

print(unidoku.solve("1...............").count)
"""


def test_a_single_board_needs_no_numpy(tmp_path: Path) -> None:
    break_package(tmp_path, "numpy", "missing")
    done = run(tmp_path, "-c", WITHOUT_NUMPY)
    assert (done.stdout, done.stderr) == ("1\n", "")


@pytest.mark.parametrize(
    ("package", "how", "arguments"),
    [
        ("numpy", "forbidden", ["generate"]),
        ("click", "OSError", ["solve", "."]),
        ("rich", "ImportError", ["backends"]),
    ],
)
def test_a_command_without_its_library_ends_with_one_line(
    package: str, how: str, arguments: list[str], tmp_path: Path
) -> None:
    break_package(tmp_path, package, how)
    done = run(tmp_path, "-m", "unidoku", *arguments)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("unidoku: ")
    assert how == "forbidden" or f"needs {package}, which cannot be loaded: {how}: " in line


LIBRARIES = ["clingo", "z3", "highspy", "pychoco", "pumpkin_solver", "cpmpy", "constraint"]
LIBRARIES += ["ortools", "pysat", "llvmlite", "numpy", "pandas", "rich", "psutil", "click"]

HARD = "1.......5.9.2...4...3...7...8.9.6.......5.......84..9...5...3...6...4.2.7.......1"

COMMANDS = [
    ["solve", "1..............."],
    ["count", HARD, "--backend", "auto[budget=1]"],
    ["generate", "--count", "1", "--size", "4", "--seed", "1"],
    ["backends"],
    ["backends", "--json"],
    *[[command, "1..............."] for command in ("check", "hint", "rate", "explain", "draw")],
]


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("how", [*BROKEN, "missing", "forbidden"])
@pytest.mark.parametrize("package", LIBRARIES)
def test_each_command_works_or_ends_with_a_message(package: str, how: str, tmp_path: Path) -> None:
    break_package(tmp_path, package, how)
    for arguments in COMMANDS:
        done = run(tmp_path, "-m", "unidoku", *arguments)
        assert done.returncode in (0, 1, 2), (arguments, done.stderr)
        assert "Traceback" not in done.stderr, arguments
