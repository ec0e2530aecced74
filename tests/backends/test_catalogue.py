"""The catalogue, and backends of other distributions, really installed."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import unidoku
from tests.helpers.python_process import run_python
from unidoku.backends import BUILT_IN, find
from unidoku.errors import BackendError, UnknownBackendError, UnsupportedError

pytestmark = pytest.mark.processes

PAGE = (Path(__file__).parents[2] / "docs" / "own-backend.md").read_text("utf-8")
ADAPTER = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
[PROJECT] = re.findall(r"```toml\n(\[build-system\]\n.*?)```", PAGE, re.DOTALL)
BROKEN = """
broken = "depth_first_unidoku:ABSENT"
nonsense = "depth_first_unidoku:__name__"
norvig = "depth_first_unidoku:TAKEN"
"""
TAKEN = "\nTAKEN = BackendSpec(name='norvig', target='', summary='', capabilities=Capabilities())\n"
PROGRAM = """
import sys, warnings
sys.path.insert(0, sys.argv[1])
import unidoku
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    rows = unidoku.catalogue()
for warning in caught:
    print(warning.message)
print(rows["depth-first"].version)
solver = unidoku.load("depth-first[descending=true]")
print(solver.solve(unidoku.Board.parse("....", "latin")).solutions)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pip has installed another distribution."""
    project = tmp_path_factory.mktemp("project")
    (project / "pyproject.toml").write_text(PROJECT + BROKEN)
    (project / "depth_first_unidoku.py").write_text(ADAPTER + TAKEN)
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", str(target), str(project)], check=True, timeout=100)
    return target


def test_the_backend_of_the_documentation_is_found_beside_broken_ones(installed: Path) -> None:
    ran = run_python("-c", PROGRAM, installed, timeout=100)
    assert ran.stderr == ""
    lines = ran.stdout.splitlines()
    assert any("'broken' of depth-first-unidoku 1.0 cannot be loaded" in line for line in lines)
    assert any("'nonsense' of depth-first-unidoku 1.0: expected a BackendSpec" in x for x in lines)
    assert any(
        "'norvig' of depth-first-unidoku 1.0 is ignored: the name is taken" in x for x in lines
    )
    assert lines[3] == "depth-first-unidoku 1.0"
    assert lines[4] == "((2, 1, 1, 2),)"


def test_every_row_says_what_a_reader_needs() -> None:
    for spec in map(find, BUILT_IN):
        assert spec.summary
        assert spec.homepage.startswith("https://") or spec.name in ("auto", "native")
        assert spec.licence
        assert spec.paradigm
        assert bool(spec.requires or spec.programs) == bool(spec.install)


def test_names_are_unique_and_reading_the_catalogue_imports_no_solver() -> None:
    program = (
        "import sys, unidoku; rows = unidoku.catalogue(); [row.missing for row in rows.values()];"
        "solvers = {module for row in rows.values() for module in row.requires};"
        "solvers |= {'numpy', 'llvmlite', 'pandas'};"
        "print(sorted(solvers & set(sys.modules)))"
    )
    ran = run_python("-c", program, check=True)
    assert ran.stdout.strip() == "[]"
    assert [find(name).name for name in BUILT_IN] == list(BUILT_IN)


def test_a_program_that_is_not_on_the_path_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = replace(unidoku.catalogue()["norvig"], programs=("sh",))
    assert not spec.missing
    monkeypatch.setenv("PATH", "")
    assert list(spec.missing) == ["sh"]


MINE = """
from dataclasses import dataclass
from unidoku import Capabilities
from unidoku.backends.adapters.norvig import Norvig

@dataclass(frozen=True)
class Mine(Norvig):
    "My solver."
    capabilities = Capabilities(honours=frozenset({"time_limit"}))
    fast: bool = False

class Bare(Norvig):
    pass

class Odd(Norvig):
    capabilities = "all"

def function(): ...
"""


def test_a_class_in_the_working_folder_is_a_backend_by_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "my_solver_of_today.py").write_text(MINE)
    solver = unidoku.load("my_solver_of_today:Mine[fast=true]")
    assert solver.label == "my_solver_of_today:Mine[fast=true]"
    assert solver.spec.summary == "My solver."
    assert solver.solve(unidoku.Board.parse("1...", "latin"), time_limit=9).count == 1
    with pytest.raises(UnsupportedError, match="cannot honour node_limit"):
        solver.solve(unidoku.Board.parse("1...", "latin"), node_limit=9)
    with pytest.raises(UnsupportedError, match="cannot honour time_limit"):
        unidoku.load("my_solver_of_today:Bare").solve(
            unidoku.Board.parse("1...", "latin"), time_limit=9
        )


@pytest.mark.parametrize(
    "label", ["no_such_module:Class", "unidoku:Absent", "unidoku:load", "unidoku:", ":Class"]
)
def test_a_place_without_a_backend_is_refused(label: str) -> None:
    with pytest.raises(UnknownBackendError, match="expected"):
        unidoku.load(label)


def test_a_module_that_fails_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "failing_solver_of_today.py").write_text("1 / 0\n")
    with pytest.raises(BackendError, match="cannot be imported: ZeroDivisionError"):
        unidoku.load("failing_solver_of_today:Class")
