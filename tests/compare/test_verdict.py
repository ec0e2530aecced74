"""Every way of lying is caught, with the evidence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests import fakes
from unidoku import Board, Request, Result, Stop
from unidoku.backends.solver import Solver, load
from unidoku.compare import Case, Disagreement, Outcome, execute, judge, plan

PROPER = Case(board=Board.parse("1... ..2. .3.. ...4"), name="proper", source="test")
TWO = Case(board=Board.parse("1..2 ..1. .1.. 2..1"), name="several", source="test")
EMPTY = Case(board=Board.parse("11.. .... .... ...."), name="none", source="test")
REQUEST = Request(solutions=2, time_limit=5)


def compared(solvers: list[Solver], *cases: Case) -> list[Disagreement]:
    named = {solver.label: solver for solver in solvers}
    records = list(execute(plan(cases, list(named), 2, 1), named, REQUEST))
    return judge(cases, records)


def test_honest_backends_agree() -> None:
    solvers = [load("norvig"), load("python-constraint"), load("cp-sat")]
    assert compared(solvers, PROPER, TWO, EMPTY) == []


@pytest.mark.parametrize(
    ("lie", "case", "evidence"),
    [
        (fakes.wrong_grid, PROPER, "appears 2 times, in the grid"),
        (fakes.ignores_a_given, PROPER, "is not among its candidates, in the grid"),
        (fakes.counts_what_it_does_not_return, PROPER, "2 counted and 1 returned"),
        (fakes.returns_one_grid_twice, PROPER, "the same grid is returned twice"),
        (fakes.returns_lists, PROPER, "liar: expected a Result with grids as tuples of ints"),
        (fakes.returns_nothing, PROPER, "liar: expected a Result with grids as tuples of ints"),
        (fakes.says_unsatisfiable, PROPER, "says that there are no solutions in all"),
        (fakes.counts_too_few, TWO, "says that there are 1 solution in all; 2 different ones"),
    ],
)
def test_every_lie_is_caught(
    lie: Callable[[Board, Request, Result], Result], case: Case, evidence: str
) -> None:
    found = compared([load("norvig"), fakes.fake("liar", lie)], case)
    assert found
    assert found[0].case is case
    assert "liar" in found[0].backends
    assert any(evidence in disagreement.evidence for disagreement in found)


def test_a_solution_that_nobody_else_knows_is_caught() -> None:
    """One solution each, both claim that it is the only one: they cannot both be right."""
    solutions = load("norvig").solve(TWO.board, solutions=2).solutions

    def only(k: int) -> Callable[[Board, Request, Result], Result]:
        def change(board: Board, request: Request, result: Result) -> Result:
            return Result(count=1, solutions=(solutions[k],), stop=Stop.EXHAUSTED)

        return change

    found = compared([fakes.fake("one", only(0)), fakes.fake("other", only(1))], TWO)
    text = " ".join(disagreement.evidence for disagreement in found)
    assert "2 different ones, by one, other" in text
    assert "both say 1 solution in all, but 2 of their grids only one of them found" in text


def test_a_liar_is_caught_without_a_second_backend_where_the_count_is_known() -> None:
    known = Case(board=PROPER.board, name="known", source="test", solutions=1)
    (found,) = compared([fakes.fake("liar", fakes.says_unsatisfiable)], known)
    assert found.evidence == "liar says no solutions in all; 1 are known"


def test_not_knowing_is_no_disagreement() -> None:
    assert compared([load("norvig"), fakes.fake("idle", fakes.says_unknown)], PROPER) == []


def test_a_failure_is_recorded_as_such_and_is_no_disagreement() -> None:
    solvers = {"fake": fakes.fake("fake", fakes.raises)}
    (record,) = execute(plan([PROPER], ["fake"], 1, 1), solvers, REQUEST)
    assert record.outcome is Outcome.FAILED
    assert record.evidence == ("ZeroDivisionError: inside the fake",)
    assert judge([PROPER], [record]) == []


def test_a_case_that_a_backend_cannot_serve_is_a_row_with_the_reason() -> None:
    solver = load("cp-sat")
    (record,) = execute(plan([PROPER], ["cp-sat"], 1, 1), {"cp-sat": solver}, Request(node_limit=1))
    assert record.outcome is Outcome.UNSUPPORTED
    assert record.evidence == ("cannot honour node_limit=1",)
