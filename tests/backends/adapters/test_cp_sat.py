from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

import unidoku
from tests.helpers.boards import HARD
from tests.helpers.python_process import run_python
from unidoku import Board, Request, layout
from unidoku.backends.toolkit.budget import Budget
from unidoku.errors import BackendError, OptionError
from unidoku.testing.strategies import boards, named_layouts


@pytest.mark.parametrize("encoding", ["boolean", "integer", "naive"])
def test_presolve_is_never_let_to_call_tables_infeasible(encoding: str) -> None:
    solver = unidoku.load(f"cp-sat[encoding={encoding},cp_model_presolve=true]")
    for request in (Request(), Request(solutions=2), Request(seed=1)):
        assert solver.parameters(request)["presolve_inclusion_work_limit"] == 0
    with pytest.raises(OptionError, match="presolve calls boards with rules infeasible"):
        unidoku.load("cp-sat[presolve_inclusion_work_limit=1]")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("program", "seen"),
    [
        ("ortools_presolve_calls_tables_infeasible", "as it is: INFEASIBLE\na solution fixed: OPT"),
        ("ortools_automaton_repeats_solutions", "50 solutions in 390 calls, OPTIMAL"),
    ],
)
def test_what_the_adapter_avoids_is_still_wrong_in_the_library(
    program: str, seen: str, root: Path
) -> None:
    path = root / "docs" / "upstream" / f"{program}.py"
    ran = run_python(path, check=True)
    assert seen in ran.stdout, "if it is mended by now, let the adapter know"


def test_one_solution_may_use_several_workers() -> None:
    result = unidoku.load("cp-sat").solve(Board.parse(HARD), threads=2)
    assert (result.count, result.statistics["workers"]) == (1, 2)
    for threads in (1, 2):
        result = unidoku.load("cp-sat[num_workers=2]").solve(Board.parse(HARD), threads=threads)
        assert (result.count, result.statistics["workers"]) == (1, 2)


def test_an_end_without_an_answer_or_a_limit_is_an_error() -> None:
    solver = unidoku.load("cp-sat", stop_after_presolve=True)
    for time_limit in (None, 60):
        with pytest.raises(BackendError, match="ended without an answer before any limit"):
            solver.solve(Board.empty(layout("classic", 9)), time_limit=time_limit)


@given(boards(named_layouts()))
def test_a_model_forgets_the_board(board: Board) -> None:
    from unidoku.backends.adapters.cp_sat.models import BooleanModel, IntegerModel  # half a second

    for model in (BooleanModel, IntegerModel):
        built = model(board.layout, Budget(Request()))
        before = str(built.native.proto)
        built.write(board)
        built.erase()
        assert str(built.native.proto) == before
