"""Extras: what each installs, and what is said where it is missing."""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import unidoku
from tests.helpers.made_runs import CASES, run
from unidoku.backends import BUILT_IN, find
from unidoku.backends.languages import read_answer
from unidoku.cli.commands import serve
from unidoku.comparison import read_plan
from unidoku.comparison.export import export
from unidoku.comparison.report.figures import write_figures
from unidoku.comparison.results import Results
from unidoku.draw import png
from unidoku.errors import NotInstalledError
from unidoku.parallel.executors import executor_for

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]


def named_in(extra: str) -> set[str]:
    """Return the extras that an extra is made of."""
    (requirement,) = EXTRAS[extra]
    return set(re.fullmatch(r"unidoku\[(.*)\]", requirement)[1].split(","))  # type: ignore[index]  # else the test fails


def figures(folder: Path) -> None:
    results = Results()
    results.add_case(CASES[0])
    results.add(run("a", 0, 1.0))
    write_figures(folder, results)


OTHERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "draw": ("resvg_py", lambda _: png("<svg></svg>")),
    "figures": ("matplotlib", figures),
    "parquet": ("pyarrow", lambda folder: export([], folder / "runs.parquet")),
    "proof": ("dratify", lambda _: read_answer(CASES[0].board, "unsat", "dimacs", proof="0")),
    "dask": ("distributed", lambda _: executor_for("tcp://127.0.0.1:9").__enter__()),
    "serve": ("starlette", lambda _: serve.command.main(["--no-browser"], standalone_mode=False)),
    "testing": ("hypothesis", lambda _: importlib.import_module("unidoku.testing.strategies")),
    "widget": ("anywidget", lambda _: unidoku.edit("1... ..2. .3.. ...4")),
}
"""The extras that are no backends: the module that each brings, and what needs it."""


@pytest.mark.parametrize("extra", [*OTHERS, *sorted(EXTRAS.keys() & BUILT_IN.keys())])
def test_without_an_extra_the_message_says_what_to_type_also_in_a_checkout(
    extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use: Callable[[Path], object]
    if extra in BUILT_IN:
        spec = find(extra)
        modules, use = spec.requires, lambda _: spec.create({})
    else:
        module, use = OTHERS[extra]
        modules = (module,)
    monkeypatch.delitem(sys.modules, "unidoku.testing.strategies", raising=False)
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(NotInstalledError) as caught:
        use(tmp_path)
    message = str(caught.value)
    assert modules[0] in message.lower() or extra in message
    are = "are" if extra == "draw" else "is"  # three modules
    assert message.endswith(
        f"which {are} not installed; type: pip install 'unidoku[{extra}]', "
        f"or in a checkout: pip install '.[{extra}]'"
    )
    assert list(tmp_path.iterdir()) == []


def test_without_pandas_it_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(NotInstalledError, match=r"not installed; type: pip install pandas$"):
        unidoku.solve_many(["1..............."]).to_pandas()


def test_every_extra_is_in_all_and_every_backend_that_pip_installs_in_solvers() -> None:
    # `native` works without jit, and says itself what it lacks.
    single = EXTRAS.keys() - {"all", "solvers", "jit"}
    assert named_in("solvers") == single & BUILT_IN.keys()
    assert named_in("all") == (single - BUILT_IN.keys()) | {"solvers", "jit"}
    assert single == (single & BUILT_IN.keys()) | OTHERS.keys()


def test_make_compare_installs_the_solvers_and_has_all_that_it_compares() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"\.installed:.*\n(\t.*\n)*.*-e '\.\[solvers\]'", makefile)
    compared = read_plan(ROOT / "examples" / "compare.toml").backends
    assert {name for name in compared if "unidoku[" in find(name).install} <= named_in("solvers")
