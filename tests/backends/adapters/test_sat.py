"""The adapter of PySAT: proofs that others check, live solvers, traps of the underlying solvers."""

from __future__ import annotations

from pathlib import Path

import pytest
from dratify import check_proof, parse_dimacs
from pysat.solvers import Solver as Pysat

import unidoku
from tests.backends.test_limits import hears_ctrl_c
from tests.helpers.boards import HARD, IMPOSSIBLE
from unidoku import Board, Status, layout
from unidoku.backends.adapters.sat import adapter
from unidoku.backends.adapters.sat.adapter import _LIVE, _MOST_VARIABLES, Sat, _Live
from unidoku.backends.base import Request, Stop
from unidoku.backends.toolkit.budget import Budget
from unidoku.errors import OptionError, OutputError, UnsupportedError

PROVING = ["cadical153", "cadical195", "glucose3", "glucose4"]
ALL = [*PROVING, "glucose42", "maplechrono", "maplesat", "mergesat3", "minisat22", "minisat-gh"]


def checks(folder: Path, name: str = "proof") -> bool:
    formula = parse_dimacs((folder / f"{name}.cnf").read_text())
    return bool(check_proof(formula, (folder / f"{name}.drat").read_text(), engine="python").ok)


@pytest.mark.parametrize("solver", PROVING)
@pytest.mark.parametrize(
    ("text", "count"), [(HARD, 1), (IMPOSSIBLE, 0), ("11" + "." * 14, 0), ("." * 16, 288)]
)
def test_an_independent_checker_accepts_the_proof_that_there_are_no_more_solutions(
    solver: str, text: str, count: int, tmp_path: Path
) -> None:
    sat = unidoku.load("sat", solver=solver, proof=str(tmp_path / "proof.drat"))
    result = sat.solve(Board.parse(text), solutions=None)
    assert (result.count, result.stop) == (count, Stop.EXHAUSTED)
    assert checks(tmp_path)


def test_the_checker_refuses_the_proof_without_the_clause_against_the_solution(
    tmp_path: Path,
) -> None:
    sat = unidoku.load("sat", proof=str(tmp_path / "proof.drat"))
    assert sat.solve(Board.parse(HARD), solutions=2).unique
    *clauses, last = (tmp_path / "proof.cnf").read_text().splitlines()
    assert len(last.split()) == 81 - 22 + 1, "the clause is on the cells that are not given"
    (tmp_path / "proof.cnf").write_text("\n".join(clauses))
    assert not checks(tmp_path)


def test_a_proof_is_named_by_the_board_and_written_only_if_something_is_proved(
    tmp_path: Path,
) -> None:
    board = Board.parse(HARD)
    sat = unidoku.load("sat", proof=str(tmp_path / "{digest}.drat"))
    with pytest.raises(UnsupportedError, match="wrote no proof: the search ends"):
        sat.solve(board, solutions=1)
    assert list(tmp_path.iterdir()) == []
    assert sat.solve(board, solutions=2).unique
    assert checks(tmp_path, board.digest)


def test_a_proof_that_cannot_be_written_is_refused_before_the_search(tmp_path: Path) -> None:
    sat = unidoku.load("sat", proof=str(tmp_path / "missing" / "proof.drat"))
    with pytest.raises(OutputError, match="cannot be written: No such file or directory"):
        sat.solve(Board.parse(HARD))
    with pytest.raises(OptionError, match="writes no proof; choose cadical153 or cadical195 or"):
        unidoku.load("sat[solver=minisat22,proof=x.drat]")
    with pytest.raises(OptionError, match=r"an ending other than \.cnf"):
        unidoku.load("sat[proof=x.cnf]")
    with pytest.raises(OptionError, match="expected the option proof, whose files it replaces"):
        unidoku.load("sat[force=true]")


@pytest.mark.parametrize("name", ["proof.drat", "proof.cnf"])
def test_a_proof_replaces_no_file_unless_it_is_told_to(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("of somebody else")
    label = f"sat[proof={tmp_path}/proof.drat]"
    with pytest.raises(OutputError, match=f"{name} exists"):
        unidoku.load(label).solve(Board.parse(HARD), solutions=2)
    assert (tmp_path / name).read_text() == "of somebody else"
    unidoku.load(label, force=True).solve(Board.parse(HARD), solutions=2)
    assert checks(tmp_path)


@pytest.mark.parametrize("solver", ALL)
def test_every_solver_counts_and_proves(solver: str) -> None:
    sat = unidoku.load("sat", solver=solver)
    assert sat.solve(Board.parse(HARD), solutions=2).unique is True
    assert sat.solve(Board.parse(IMPOSSIBLE)).status is Status.UNSATISFIABLE
    assert sat.solve(Board.empty(layout("x", 4)), solutions=None).count == 48


def test_clauses_against_solutions_are_retracted_and_a_worn_solver_is_dropped() -> None:
    _LIVE.clear()
    sat, board = Sat(), Board.parse(HARD)

    def build() -> _Live:
        live = _Live(board.layout, sat)
        assert sum(live.build(Budget(Request()), 1000)) > 0
        return live

    with _LIVE.lend(board.layout, sat, build) as first:
        variables = first.native.nof_vars()
    for _ in range(_MOST_VARIABLES):
        assert sat.search(board, Request(solutions=2)).unique
    with _LIVE.lend(board.layout, sat, build) as same:
        assert same is first
        assert same.native.nof_vars() == variables + _MOST_VARIABLES
    assert sat.search(board, Request(solutions=2)).unique
    with _LIVE.lend(board.layout, sat, build) as fresh:
        assert fresh is not first


@pytest.mark.parametrize("solver", ["cadical195", "minisat22"])
def test_ctrl_c_does_not_leap_out_of_a_solver(solver: str) -> None:
    hears_ctrl_c(f"sat[solver={solver}]")


def test_a_large_model_goes_to_minisat_and_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("1..." * 4)
    usual = unidoku.solve(board, backend="sat", solutions=None)
    monkeypatch.setattr(adapter, "GLUCOSE_UP_TO", 50)
    adapter._LIVE.clear()
    names: list[str] = []

    def solver(name: str, **options: bool) -> object:
        names.append(name)
        return Pysat(name, **options)

    monkeypatch.setattr(adapter, "Pysat", solver)
    assert unidoku.solve(board, backend="sat", solutions=None).solutions == usual.solutions
    assert names == ["minisat22"]
    adapter._LIVE.clear()
