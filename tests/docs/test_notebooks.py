"""The notebooks: each runs, and what is committed is what it prints and shows."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))

pytestmark = [
    pytest.mark.docs,
    pytest.mark.skipif(
        not all(map(importlib.util.find_spec, ("IPython", "matplotlib", "pandas", "pysat"))),
        reason="needs what the notebooks use",
    ),
]


def read(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return cells


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run all notebooks in one process; return their folder."""
    folder = tmp_path_factory.mktemp("notebooks")
    program = [sys.executable, str(ROOT / "docs" / "make_notebooks.py"), "--into", str(folder)]
    subprocess.run(
        program,
        check=True,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_what_its_source_prints_and_shows(name: str, fresh: Path) -> None:
    committed, result = read(FOLDER / f"{name}.ipynb"), read(fresh / f"{name}.ipynb")
    for cell in (*committed, *result):
        if "varies" in cell["metadata"].get("tags", ()):  # times
            kinds = [
                (each["output_type"], sorted(each.get("data", ()))) for each in cell["outputs"]
            ]
            cell["outputs"] = kinds
    assert committed == result, "make it again: python docs/make_notebooks.py"


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_shows_boards_as_pictures_and_fails_nowhere(name: str) -> None:
    outputs = [each for cell in read(FOLDER / f"{name}.ipynb") for each in cell.get("outputs", ())]
    assert any("image/svg+xml" in each.get("data", ()) for each in outputs)
    assert {each["output_type"] for each in outputs} <= {"stream", "execute_result"}
