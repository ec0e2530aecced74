"""Every way of lying is caught, with the evidence."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable
from types import FunctionType, ModuleType

import pytest

from tests.helpers.wrong import answers
from unidoku import Board, Request, Result, Stop
from unidoku.backends.solving.solver import Solver, load
from unidoku.comparison.cases import Case
from unidoku.comparison.order import schedule
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.run.measure import Inline, MeasurementSettings
from unidoku.comparison.verdict import Disagreement, Judge, Verdict, judge

PROPER = Case(board=Board.parse("1... ..2. .3.. ...4"), name="proper", source="test")
TWO = Case(board=Board.parse("1..2 ..1. .1.. 2..1"), name="several", source="test")
EMPTY = Case(board=Board.parse("11.. .... .... ...."), name="none", source="test")
REQUEST = Request(solutions=2, time_limit=5)


MEASURING = MeasurementSettings(request=REQUEST, untimed=True, relabel=False)


def judged(solvers: list[Solver], *cases: Case, images: int = 0) -> Verdict:
    named = {solver.label: solver for solver in solvers}
    records = Inline(named, MEASURING).run(schedule(cases, list(named), 2, 1, images))
    return judge(cases, records)


def compared(solvers: list[Solver], *cases: Case) -> tuple[Disagreement, ...]:
    return judged(solvers, *cases).disagreements


def test_the_judge_remembers_claims_and_no_records() -> None:
    judge = Judge()
    judge.add_case(PROPER)
    runs = schedule([PROPER], ["norvig"], 1, 1, 0)
    for record in Inline({"norvig": load("norvig")}, MEASURING).run(runs):
        judge.add(record)
    assert isinstance(record, Record)
    reached, left = dict[int, object](), [judge]
    while left:
        thing = left.pop()
        if id(thing) not in reached and not isinstance(thing, type | ModuleType | FunctionType):
            reached[id(thing)] = thing
            left += gc.get_referents(thing)
    assert id(PROPER.board) in reached
    assert not [thing for thing in reached.values() if isinstance(thing, Record)]
    assert judge.verdict().cases == 1


def test_honest_backends_agree() -> None:
    solvers = [load("norvig"), load("python-constraint"), load("cp-sat")]
    assert compared(solvers, PROPER, TWO, EMPTY) == ()


@pytest.mark.parametrize(
    ("lie", "case", "evidence"),
    [
        (answers.wrong_grid, PROPER, "appears 2 times, in the grid"),
        (answers.ignores_a_given, PROPER, "is not among its candidates, in the grid"),
        (
            answers.counts_what_it_does_not_return,
            PROPER,
            "reported 2 solutions and returned 1 grids",
        ),
        (answers.returns_one_grid_twice, PROPER, "the same grid is returned twice"),
        (answers.returns_lists, PROPER, "liar: expected a Result with grids as tuples of ints"),
        (answers.returns_nothing, PROPER, "liar: expected a Result with grids as tuples of ints"),
        (
            answers.says_unsatisfiable,
            PROPER,
            "claims no solutions in total, but 1 verified solution was found by",
        ),
        (
            answers.counts_too_few,
            TWO,
            "claims 1 solution in total, but 2 verified solutions were found by",
        ),
    ],
)
def test_every_lie_is_caught(
    lie: Callable[[Board, Request, Result], Result], case: Case, evidence: str
) -> None:
    disagreements = compared([load("norvig"), answers.fake("liar", lie)], case)
    assert disagreements
    assert disagreements[0].case is case
    assert "liar" in disagreements[0].backends
    assert any(evidence in disagreement.evidence for disagreement in disagreements)


def test_a_solution_that_nobody_else_knows_is_caught() -> None:
    """One solution each, both claim that it is the only one: they cannot both be right."""
    solutions = load("norvig").solve(TWO.board, solutions=2).solutions

    def only(k: int) -> Callable[[Board, Request, Result], Result]:
        def change(board: Board, request: Request, result: Result) -> Result:
            return Result(count=1, solutions=(solutions[k],), stop=Stop.EXHAUSTED)

        return change

    disagreements = compared([answers.fake("one", only(0)), answers.fake("other", only(1))], TWO)
    assert {(d.backends, d.kind) for d in disagreements} == {
        (("one", "other"), "uniqueness"),
        (("other", "one"), "uniqueness"),
    }
    assert all(
        "2 verified solutions were found by one and other" in d.evidence for d in disagreements
    )


def test_a_liar_is_caught_without_a_second_backend_where_the_count_is_known() -> None:
    known = Case(board=PROPER.board, name="known", source="test", solutions=1)
    (disagreement,) = compared([answers.fake("liar", answers.says_unsatisfiable)], known)
    assert disagreement.evidence == "liar claims no solutions in total, but 1 is known"


def test_not_knowing_is_no_disagreement() -> None:
    assert compared([load("norvig"), answers.fake("idle", answers.says_unknown)], PROPER) == ()


def test_a_failure_is_recorded_as_such_and_is_no_disagreement() -> None:
    solvers = {"fake": answers.fake("fake", answers.raises)}
    (record,) = Inline(solvers, MEASURING).run(schedule([PROPER], ["fake"], 1, 1))
    assert record.outcome is Outcome.FAILED
    (evidence,) = record.evidence
    assert re.fullmatch(r"ZeroDivisionError: inside the fake \(answers.py, line \d+\)", evidence)
    assert judge([PROPER], [record]).disagreements == ()


def test_a_case_that_a_backend_does_not_support_is_a_row_with_the_reason() -> None:
    measuring = MeasurementSettings(request=Request(node_limit=1))
    (record,) = Inline({"cp-sat": load("cp-sat")}, measuring).run(
        schedule([PROPER], ["cp-sat"], 1, 1)
    )
    assert record.outcome is Outcome.UNSUPPORTED
    assert record.evidence == ("cannot honour node_limit=1",)


def test_what_nobody_proved_is_undecided() -> None:
    idle = [answers.fake("one", answers.says_unknown), answers.fake("other", answers.says_unknown)]
    verdict = judged(idle, PROPER)
    assert (verdict.cases, verdict.shared, verdict.undecided) == (1, 0, (PROPER,))
    assert judged([load("norvig"), *idle], PROPER).undecided == ()


def test_the_matrix_says_who_contradicts_whom_on_what() -> None:
    liar = answers.fake("liar", answers.says_unsatisfiable)
    verdict = judged([load("norvig"), liar, answers.fake("cheat", answers.wrong_grid)], PROPER, TWO)
    assert verdict.matrix["liar", "norvig"] == (PROPER, TWO)
    assert verdict.matrix["cheat", "checker"] == (PROPER, TWO)
    assert set(verdict.matrix) == {("liar", "norvig"), ("cheat", "checker")}
    known = Case(board=PROPER.board, name="known", source="test", solutions=1)
    assert judged([liar], known).matrix == {("liar", "known"): (known,)}


def claim(backend: str, count: int) -> Record:
    """A complete count without grids, as of a run that keeps none."""
    return Record(
        key=backend,
        case=TWO.id,
        backend=backend,
        round=1,
        outcome=Outcome.SOLVED,
        stop=Stop.EXHAUSTED,
        count=count,
    )


def test_complete_counts_must_be_equal_even_where_no_grid_was_kept() -> None:
    verdict = judge([TWO], [claim("a", 2), claim("b", 3), claim("c", 2)])
    assert {frozenset(d.backends) for d in verdict.disagreements} == {
        frozenset("ab"),
        frozenset("bc"),
    }
    assert {d.kind for d in verdict.disagreements} == {"count"}


def test_one_backend_alone_is_refuted_by_a_symmetric_image() -> None:
    """It calls every board unsatisfiable whose first cell is given: images move that cell."""

    def lie(board: Board, request: Request, result: Result) -> Result:
        if board.givens[0]:
            return answers.says_unsatisfiable(board, request, result)
        return result

    assert compared([answers.fake("liar", lie)], PROPER) == ()
    disagreements = judged([answers.fake("liar", lie)], PROPER, images=8).disagreements
    assert {(d.backends, d.kind) for d in disagreements} == {(("liar", "liar"), "unsatisfiable")}


def test_sound_backends_agree_on_all_images() -> None:
    verdict = judged([load("norvig"), load("sat")], PROPER, TWO, EMPTY, images=5)
    assert verdict.disagreements == ()
    assert verdict.shared == 3
