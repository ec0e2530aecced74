"""The models of the page on modelling are run, and all of them find the solution."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.programs import needs

pytestmark = pytest.mark.docs

PAGE = (Path(__file__).parents[2] / "docs" / "modelling.md").read_text(encoding="utf-8")
BLOCKS = dict(
    re.findall(r"^#+ ([^\n]*)\n(?:(?!^#).)*?^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
)
FIRST, *MODELS = BLOCKS
NEEDED = {
    "CP-SAT": "ortools",
    "z3": "z3",
    "python-constraint": "constraint",
    "MiniZinc": "unidoku",
    "clingo": "clingo",
    "Prolog": "unidoku",
}
"""The module that each model imports."""

PROGRAMS = {"MiniZinc": "minizinc", "Prolog": "swipl"}
"""The program that a model runs."""


def test_the_page_has_a_model_for_each_language() -> None:
    assert set(MODELS) == NEEDED.keys()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[needs(PROGRAMS[name])] if name in PROGRAMS else [])
        for name in MODELS
    ],
)
def test_each_model_finds_the_solution(
    name: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(NEEDED[name])
    monkeypatch.chdir(root)
    space: dict[str, Any] = {}
    exec(BLOCKS[FIRST] + BLOCKS[name], space)  # it is the page's own code
    assert space["puzzle"].solution
    assert space["grid"] == space["puzzle"].solution
