"""The catalogue, and backends of other distributions, really installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import unidoku
from unidoku.backends import BUILT_IN
from unidoku.testing import CHECKS

DESIGN = (Path(__file__).parent.parent.parent / "docs" / "design.md").read_text(encoding="utf-8")
ADAPTER, TEST = re.findall(r"```python\n(.*?)```", DESIGN, re.DOTALL)
(PROJECT,) = re.findall(r"```toml\n(.*?)```", DESIGN, re.DOTALL)
BROKEN = """
broken = "backtrack_unidoku:ABSENT"
nonsense = "backtrack_unidoku:__name__"
norvig = "backtrack_unidoku:TAKEN"
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
print(rows["backtrack"].version)
print(unidoku.load("backtrack[descending=true]").solve(unidoku.Board.parse("....", "latin")))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pip has installed another distribution."""
    project = tmp_path_factory.mktemp("project")
    (project / "pyproject.toml").write_text(PROJECT + BROKEN)
    (project / "backtrack_unidoku.py").write_text(ADAPTER + TAKEN)
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", str(target), str(project)], check=True, timeout=100)
    return target


def test_the_backend_of_the_documentation_is_found_beside_broken_ones(installed: Path) -> None:
    program = [sys.executable, "-c", PROGRAM, str(installed)]
    ran = subprocess.run(program, capture_output=True, text=True, timeout=100, check=False)
    assert ran.stderr == ""
    lines = ran.stdout.splitlines()
    assert any("'broken' of backtrack-unidoku 1.0 cannot be loaded" in line for line in lines)
    assert any("'nonsense' of backtrack-unidoku 1.0: expected a BackendSpec" in x for x in lines)
    assert any(
        "'norvig' of backtrack-unidoku 1.0 is ignored: the name is taken" in x for x in lines
    )
    assert lines[3] == "backtrack-unidoku 1.0"
    assert "solutions=((2, 1, 1, 2),)" in lines[4]


def test_the_backend_of_the_documentation_passes_the_conformance_suite(
    installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "test_backtrack.py").write_text(TEST)
    pytest_run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore"]
    ran = subprocess.run(
        pytest_run,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
    )
    assert ran.returncode == 0, ran.stdout
    assert f"{len(CHECKS)} passed" in ran.stdout


def test_every_row_says_what_a_reader_needs() -> None:
    for spec in BUILT_IN:
        assert spec.summary
        assert spec.homepage.startswith("https://") or spec.name == "native"
        assert spec.licence
        assert bool(spec.requires) == bool(spec.install)


def test_names_are_unique_and_reading_the_catalogue_imports_no_solver() -> None:
    program = (
        "import sys, unidoku; rows = unidoku.catalogue(); [row.missing for row in rows.values()];"
        "solvers = {'ortools', 'constraint', 'numpy', 'numba', 'llvmlite', 'pandas'};"
        "print(sorted(solvers & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
    assert len({spec.name for spec in BUILT_IN}) == len(BUILT_IN)
    assert set(unidoku.catalogue()) >= {"native", "norvig", "python-constraint", "cp-sat"}
