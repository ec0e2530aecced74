"""The catalogue, and backends of other distributions, really installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import unidoku
from unidoku.backends import BUILT_IN

ADAPTER = """
from dataclasses import dataclass
from unidoku.backends import BackendSpec
from unidoku.backends.base import Capabilities, Request, Result, Stop
from unidoku.testing import brute_force
from unidoku.backends.norvig import Norvig
from unidoku.core.propagate import propagate

SPEC = BackendSpec(
    name="third-party",
    target="third_party_unidoku:ThirdParty",
    summary="another distribution's backend",
    capabilities=Capabilities(honours=frozenset({"time_limit"})),
    distributions=("third-party-unidoku",),
)

@dataclass(frozen=True)
class ThirdParty:
    flavour: str = "plain"

    def search(self, board, request):
        return Norvig().search(board, request)
"""
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "third-party-unidoku"
version = "1.2.3"

[project.entry-points."unidoku.backends"]
third-party = "third_party_unidoku:SPEC"
broken = "third_party_unidoku:ABSENT"
nonsense = "third_party_unidoku:__name__"
"""
PROGRAM = """
import sys, warnings
sys.path.insert(0, sys.argv[1])
import unidoku
from unidoku.testing import conformance
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    rows = unidoku.catalogue()
for warning in caught:
    print("warning:", warning.message)
print("version:", rows["third-party"].version)
conformance(unidoku.load("third-party[flavour=strange]"))
print("conforms:", unidoku.load("third-party").label)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pip has installed another distribution."""
    project = tmp_path_factory.mktemp("project")
    (project / "pyproject.toml").write_text(PROJECT)
    (project / "third_party_unidoku.py").write_text(ADAPTER)
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", str(target), str(project)], check=True, timeout=100)
    return target


def test_a_third_party_backend_is_found_and_conforms(installed: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(installed)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert ran.stderr == ""
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("warning: backend 'broken' of third-party-unidoku 1.2.3 cannot be")
    assert "'nonsense' of third-party-unidoku 1.2.3: expected a BackendSpec" in lines[1]
    assert lines[2:] == ["version: third-party-unidoku 1.2.3", "conforms: third-party"]


def test_every_row_says_what_a_reader_needs() -> None:
    for spec in BUILT_IN:
        assert spec.summary
        assert spec.homepage.startswith("https://")
        assert spec.licence
        assert bool(spec.requires) == bool(spec.install)


def test_names_are_unique_and_reading_the_catalogue_imports_no_solver() -> None:
    program = (
        "import sys, unidoku; rows = unidoku.catalogue(); [row.missing for row in rows.values()];"
        "print(sorted({'ortools', 'constraint', 'numpy', 'pandas'} & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
    assert len({spec.name for spec in BUILT_IN}) == len(BUILT_IN)
    assert set(unidoku.catalogue()) >= {"norvig", "python-constraint", "cp-sat"}
