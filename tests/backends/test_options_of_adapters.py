"""Options of adapters: each changes the search, and none the answer."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import unidoku
from tests.helpers.boards import HARD
from unidoku import Board, Request, Stop, SumOfCells, Whispers, layout
from unidoku.backends.options import format_label
from unidoku.core.layout import Layout
from unidoku.errors import OptionError, UnsupportedError
from unidoku.testing import NotClaimed, brute_force, limits
from unidoku.testing.limits import alternatives, honours_its_options, without_effect

pytestmark = pytest.mark.slow

SAME_SEARCH = {
    "native": [("engine", "python"), ("engine", "single")],  # forms of one search
    "python-constraint": [("encoding", "constraints")],  # it restricts the domains before a search
    # what `auto` chooses for small models
    "sat": [("solver", "glucose4"), ("encoding", "pairwise")],
    "choco": [("consistency", "AC_REGIN")],  # as strong as `AC`, by another algorithm
    "clingo": [("encoding", "pairs")],  # as it does by itself up to nine values
    "z3": [("encoding", "clauses")],  # as it does by itself up to nine values
}
"""Values that lead to the same search as the default: they name it, or differ in time only."""


def test_each_value_of_each_option_changes_the_search_or_is_refused(
    backend_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = backend_name.partition("[")[0]
    solver = unidoku.load(backend)
    silent = list(without_effect(solver))
    assert silent == SAME_SEARCH.get(backend, [])
    monkeypatch.setattr(limits, "without_effect", lambda _: silent)  # which takes long
    with suppress(NotClaimed):  # it has none
        honours_its_options(solver)


def test_options_without_a_list_of_values_have_an_effect(tmp_path: Path) -> None:
    board = Board.parse(HARD)
    naked = unidoku.load("logic", techniques="naked single").solve(board)
    assert naked.statistics["steps"] < unidoku.load("logic").solve(board).statistics["steps"]
    proof = tmp_path / "proof.drat"
    unidoku.load("sat", proof=str(proof)).solve(board, solutions=2)
    assert proof.exists()
    with pytest.raises(UnsupportedError, match=r"wrote no proof: .*--solutions 2"):
        unidoku.load("sat", proof=str(tmp_path / "other.drat")).solve(board)


def test_every_parameter_of_cp_sat_that_can_be_given_is_what_the_solver_has() -> None:
    from ortools.sat.python import cp_model

    from unidoku.backends.adapters.cp_sat.adapter import _solver

    defaults = cp_model.CpSolver().parameters
    names = [word.removeprefix("clear_") for word in dir(defaults) if word.startswith("clear_")]
    tried = 0
    for name in names:
        value = getattr(defaults, name)
        other = not value if isinstance(value, bool) else value + 1 if type(value) is int else None
        if other is None:
            continue
        try:
            solver = unidoku.load(f"cp-sat[{name}={str(other).lower()}]")
        except OptionError:
            continue
        request = Request(solutions=1 if name == "num_workers" else 2)
        parameters = solver.backend._parameters(request)  # type: ignore[attr-defined]
        assert getattr(_solver(parameters).parameters, name) == other
        assert solver.parameters(Request())[name] == other
        tried += 1
    assert tried > 150


@pytest.mark.parametrize(
    ("label", "limits", "reason"),
    [
        ("cp-sat[num_workers=2]", {"solutions": 2}, "--solutions 1"),
        ("cp-sat[num_workers=4]", {"solutions": None, "threads": 4}, "more than one solution"),
        ("cp-sat[num_workers=0]", {"solutions": 2}, "all workers"),
        ("cp-sat", {"solutions": None, "threads": 2}, "--solutions 1"),
        ("cp-sat[num_workers=1]", {"threads": 2}, "give only one of them"),
        ("clingo", {"threads": 65}, "takes up to 64"),
        ("clingo[parallel_mode=split]", {}, "--threads 2"),
        ("native", {"threads": 2}, "many boards at once"),
        ("native[engine=lanes]", {"threads": 2}, "many boards at once"),
    ],
)
def test_a_limit_or_an_option_that_would_be_ignored_is_refused(
    label: str, limits: dict[str, Any], reason: str
) -> None:
    solver = unidoku.load(label)
    with pytest.raises(UnsupportedError, match=reason):
        solver.solve(Board.empty(layout("classic", 4)), **limits)


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("cp-sat[num_workers=-5]", r"cp-sat refuses num_workers=-5: .*\[0,10000\]"),
        ("cp-sat[num_workers=99999999999999999999]", "num_workers=9+: too large"),
        ("cp-sat[max_alldiff_domain_size=-1]", "refuses max_alldiff_domain_size=-1: .*positive"),
        ("native[lanes=8]", "need engine=lanes, got auto"),
        ("native[bands=false]", "need engine=lanes, got auto"),
        ("native[engine=lanes,lanes=8.0]", "expected 8 | 16 | 32 | 64, got 8.0"),
        ("minizinc[free_search=true]", "Gecode accepts the flag and ignores it"),
        (
            "tests.helpers.wrong.ignores_options:RefusesAtOnce[size=3]",
            r"size=3\]: the solver refuses the options: no threes",
        ),
    ],
)
def test_a_value_that_the_underlying_solver_refuses_is_refused_at_load(
    label: str, message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        unidoku.load(label)


def test_no_value_of_an_option_changes_the_answer(backend_name: str) -> None:
    units = [[0, 1, 2], [2, 3], [1, 4, 5], [0, 3, 4]]
    plain = Layout.from_units(3, units, shape=(2, 3))
    ruled = replace(plain, rules=(SumOfCells((0, 4, 5), 6), Whispers((1, 2, 3), 1)))
    name = backend_name.partition("[")[0]
    for board in map(Board.empty, (plain, ruled)):
        expected = sorted(brute_force(board))
        for option, value in alternatives(unidoku.load(name)):
            with suppress(OptionError, UnsupportedError):
                result = unidoku.load(format_label(name, {option: value})).solve(
                    board, solutions=None
                )
                if result.stop is not Stop.INCOMPLETE:
                    assert sorted(result.solutions) == expected, (option, value)
