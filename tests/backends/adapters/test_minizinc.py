"""MiniZinc: solvers that are there and that are not, processes that end, what reaches Gecode."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

import unidoku
from tests.helpers.boards import HARD, HARDER, MANY
from tests.helpers.programs import needs
from unidoku import Board, Layout, Skyscraper, Status, Stop, layout
from unidoku.backends.adapters.minizinc.adapter import _FLAT, MiniZinc
from unidoku.backends.base import Request
from unidoku.backends.languages.flatzinc import Flat
from unidoku.backends.toolkit.budget import Budget
from unidoku.backends.toolkit.minizinc_solvers import _listed, find_solver, listed_solvers
from unidoku.errors import BackendError, OptionError, UnsupportedError

pytestmark = needs("minizinc")

LIMITS = (0.5, 4, 30)
"""Seconds in which MiniZinc and a solver start: mostly in the first, on a busy machine later."""

AddSolver: TypeAlias = Callable[..., None]


@pytest.fixture
def add_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AddSolver]:
    """Return a function that adds a solver to those that MiniZinc finds."""
    monkeypatch.setenv("MZN_SOLVER_PATH", str(tmp_path))

    def add(name: str, script: str, flags: list[str], **fields: object) -> None:
        program = tmp_path / f"fzn-{name}"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        row: dict[str, object] = {"id": f"test.{name}", "name": name, "version": "1"}
        row |= {"executable": str(program), "stdFlags": flags, "mznlib": "-Gstd"}
        (tmp_path / f"{name}.msc").write_text(json.dumps(row | fields))
        listed_solvers.cache_clear()
        _listed.cache_clear()

    yield add
    listed_solvers.cache_clear()
    _listed.cache_clear()
    _FLAT.clear()


@pytest.mark.parametrize("solver", ["cplex", "gurobi", "gist", "org.minizinc.mip.scip"])
def test_a_solver_that_is_listed_and_cannot_be_run_is_refused_when_made(solver: str) -> None:
    with pytest.raises(
        OptionError, match=r"expected an installed one \(gecode\); '.*' is listed by MiniZinc, but"
    ):
        unidoku.load("minizinc", solver=solver)


def test_an_unknown_solver_is_refused_with_those_found() -> None:
    with pytest.raises(
        OptionError, match=r"expected an installed one \(gecode\); 'gecod' is not known to MiniZinc"
    ):
        unidoku.load("minizinc[solver=gecod]")
    assert unidoku.load("minizinc[solver=org.gecode.gecode]").solve(Board.parse(".")).count == 1


def test_all_different_reaches_gecode_as_one_constraint_a_unit() -> None:
    """By its newer name it becomes 810 disequations."""
    board = Board.empty(layout("classic", 9))
    annotations = MiniZinc()._annotations(find_solver("gecode"))
    text = Flat(board.layout, find_solver("gecode").id, annotations, Budget(Request())).of(board)
    assert text is not None
    constraints = [line for line in text.splitlines() if line.startswith("constraint")]
    assert len(constraints) == 27
    assert all(line.startswith("constraint all_different_int(") for line in constraints)
    assert all(line.endswith(":: domain;") for line in constraints)


def test_options_reach_the_solver() -> None:
    board = Board.parse(HARDER)
    labels = ["minizinc", "minizinc[propagation=value]", "minizinc[branch_on=first_fail]"]
    results = [unidoku.load(label).solve(board, solutions=2) for label in labels]
    assert all(result.unique is True for result in results)
    assert len({result.statistics["failures"] for result in results}) == 3
    for label in ("propagation=bounds", "propagation=solver", "branch_on=dom_w_deg"):
        assert unidoku.load(f"minizinc[{label}]").solve(board, solutions=2).unique is True


def test_what_the_model_asks_of_each_unit_is_heard_by_gecode() -> None:
    board = Board.parse(HARDER)
    labels = [f"minizinc[propagation={how}]" for how in ("domain", "bounds", "value")]
    answers = [unidoku.load(label).solve(board, solutions=2) for label in labels]
    failures = [result.statistics["failures"] for result in answers]
    assert failures == sorted(set(failures)), "the less is asked, the more often it fails"


def test_a_layout_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    _FLAT.clear()
    solver = unidoku.load("minizinc")
    board = Board.empty(layout("x", 4))
    assert solver.solve(board, solutions=None).count == 48
    monkeypatch.setenv("PATH", "")
    for first in range(1, 5):
        assert solver.solve(board.assign(0, first), solutions=None).count == 12
    with pytest.raises(BackendError, match="minizinc"):
        solver.solve(Board.empty(layout("latin", 4)))


def test_a_limit_that_is_over_before_the_layout_is_compiled_is_a_stop() -> None:
    _FLAT.clear()
    result = unidoku.load("minizinc").solve(Board.parse(HARD), time_limit=0.001)
    assert (result.count, result.stop) == (0, Stop.TIME)


def test_solutions_found_before_the_limit_are_kept_and_statistics_are_of_the_solver() -> None:
    solver = unidoku.load("minizinc")
    for limit in LIMITS:
        result = solver.solve(Board.parse(MANY), solutions=None, keep=5, time_limit=limit)
        assert result.stop is Stop.TIME
        if len(result.solutions) == 5:
            break
    assert len(result.solutions) == 5
    assert "nodes" not in result.statistics, "a process that was killed told no statistics"
    complete = solver.solve(Board.parse(MANY), solutions=3)
    assert complete.statistics["nodes"] >= 3
    assert isinstance(complete.statistics["nodes"], int)


def test_no_files_are_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    solver = unidoku.load("minizinc")
    solver.solve(Board.parse(HARD), solutions=2)
    solver.solve(Board.parse(MANY), solutions=None, keep=0, time_limit=0.2)
    assert list(tmp_path.iterdir()) == []


def test_a_search_in_an_event_loop_works() -> None:
    """MiniZinc's own bindings start a loop, which in a running one they may not."""

    async def main() -> int:
        return unidoku.load("minizinc").solve(Board.empty(layout("x", 4)), solutions=None).count

    assert asyncio.run(main()) == 48


def test_what_a_solver_has_no_flag_for_is_refused(add_solver: AddSolver) -> None:
    add_solver("plain", 'exec fzn-gecode "$@"', [])
    board = Board.parse("1... ..2. .3.. ...4")
    plain = unidoku.load("minizinc[solver=plain]")
    assert plain.solve(board).count == 1
    with pytest.raises(UnsupportedError, match=r"solutions=2: test.plain has no flag -a"):
        plain.solve(board, solutions=2)
    with pytest.raises(UnsupportedError, match=r"threads=2: test.plain has no flag -p"):
        plain.solve(board, threads=2)
    with pytest.raises(OptionError, match="option 'free_search': plain has no such flag"):
        unidoku.load("minizinc[solver=plain,free_search=true]")


def test_a_solver_that_can_only_enumerate_all_is_stopped_at_the_number_asked(
    add_solver: AddSolver,
) -> None:
    add_solver("all", 'exec fzn-gecode "$@"', ["-a"])
    solver = unidoku.load("minizinc[solver=all]")
    result = solver.solve(Board.parse(MANY), solutions=7)
    assert (result.count, result.stop) == (7, Stop.SOLUTIONS)
    result = solver.solve(Board.empty(layout("classic", 4)), solutions=500)
    assert (result.count, result.status) == (288, Status.ALL_SOLUTIONS)


def test_a_solver_that_fails_is_quoted(add_solver: AddSolver) -> None:
    add_solver("broken", "echo no licence >&2; exit 3", ["-a"])
    add_solver("undecided", "echo =====UNKNOWN=====", ["-a"])
    with pytest.raises(BackendError, match="fzn-broken exited with code 3 and said: no licence"):
        unidoku.load("minizinc[solver=broken]").solve(Board.parse(HARD))
    with pytest.raises(BackendError, match="fzn-undecided exited with code 0 and said nothing"):
        unidoku.load("minizinc[solver=undecided]").solve(Board.parse(HARD))


def test_ortools_is_kept_from_its_faults(add_solver: AddSolver) -> None:
    add_solver("ortools", 'echo "$@" >&2; exit 1', ["-a", "-n"])
    line = Skyscraper((0, 1, 2, 3), 2)
    row = Board.empty(Layout.from_units(4, [range(4)], shape=(1, 4), rules=[line]))
    solver = unidoku.load("minizinc[solver=ortools]")
    with pytest.raises(UnsupportedError, match="ortools repeats solutions with automata; request"):
        solver.solve(row, solutions=2)
    for board, wanted in ((row, 1), (Board.parse("."), 2)):
        with pytest.raises(BackendError, match="--params=presolve_inclusion_work_limit:0"):
            solver.solve(board, solutions=wanted)


def test_a_solver_that_reads_another_language_is_refused(add_solver: AddSolver) -> None:
    add_solver("other", "exit 1", ["-a"], supportsFzn=False)
    add_solver("screen", "exit 1", ["-a"], isGUIApplication=True)
    for name in ("other", "screen"):
        with pytest.raises(OptionError, match="is listed by MiniZinc, but is not a program that"):
            unidoku.load("minizinc", solver=name)


def test_a_solver_ends_with_what_it_started_when_the_time_is_over(
    add_solver: AddSolver, tmp_path: Path
) -> None:
    pid = tmp_path / "pid"
    add_solver("slow", f"sleep 100 & echo $! > {pid}; wait", ["-a"])
    for limit in LIMITS:
        result = unidoku.load("minizinc[solver=slow]").solve(Board.parse(HARD), time_limit=limit)
        assert result.stop is Stop.TIME
        if pid.exists() and pid.read_text().strip():
            break
    state = Path(f"/proc/{pid.read_text().strip()}/stat")
    begun = time.monotonic()  # a signal takes a moment
    while sleeps := state.exists() and state.read_text().split()[2] != "Z":
        if time.monotonic() - begun > 5:
            break
        time.sleep(0.02)
    assert not sleeps, "it sleeps on"


def test_a_solution_that_was_half_printed_is_none(add_solver: AddSolver) -> None:
    add_solver("half", "printf 'x = array1d(1..1, [1]);\\n------'; sleep 100", ["-a"])
    result = unidoku.load("minizinc[solver=half]").solve(Board.parse("."), time_limit=0.5)
    assert (result.count, result.stop) == (0, Stop.TIME)
