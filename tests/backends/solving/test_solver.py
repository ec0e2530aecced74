from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unidoku
from tests.helpers.wrong import answers
from unidoku import Board, Layout, Product, Request, Result, Status, Stop, SumOfCells, layout, load
from unidoku.backends import BUILT_IN, BackendSpec, find
from unidoku.backends.base import Capabilities
from unidoku.backends.options import format_label, parse_label, split_labels
from unidoku.backends.solving.solver import Solver
from unidoku.backends.spec import DEDUCTIONS
from unidoku.errors import (
    BackendError,
    BackendNotInstalledError,
    InputError,
    OptionError,
    UnknownBackendError,
    UnsupportedError,
    WrongAnswerError,
)
from unidoku.support.deadline import Deadline
from unidoku.testing.limits import questions

BOARD = Board.parse("1... .... .... ...4")


@pytest.mark.parametrize(
    ("lie", "message"),
    [
        (answers.wrong_grid, "appears 2 times, in the grid"),
        (answers.ignores_a_given, "A1: . is not among its candidates, in the grid"),
        (answers.counts_what_it_does_not_return, "reported 3 solutions and returned 2 grids"),
        (answers.returns_one_grid_twice, "the same grid is returned twice"),
    ],
)
def test_a_wrong_answer_never_reaches_the_caller(
    lie: Callable[[Board, Request, Result], Result], message: str
) -> None:
    with pytest.raises(WrongAnswerError, match=message):
        answers.fake("liar", lie).solve(BOARD, solutions=2)


def test_a_stop_that_contradicts_the_count_is_a_wrong_answer() -> None:
    def stops_early(board: Board, request: Request, result: Result) -> Result:
        return Result(count=1, solutions=result.solutions[:1], stop=Stop.SOLUTIONS)

    with pytest.raises(WrongAnswerError, match="stop=solutions contradicts the count of 1"):
        answers.fake("liar", stops_early).solve(BOARD, solutions=2)


def test_foreign_exceptions_become_ours() -> None:
    with pytest.raises(BackendError, match="fake: ZeroDivisionError: inside the fake"):
        answers.fake("fake", answers.raises).solve(BOARD)


def test_status_and_uniqueness_follow_from_count_and_stop() -> None:
    def known(count: int, stop: Stop) -> tuple[Status, bool | None]:
        result = Result(count=count, solutions=(), stop=stop)
        return result.status, result.unique

    assert known(0, Stop.EXHAUSTED) == (Status.UNSATISFIABLE, False)
    assert known(1, Stop.EXHAUSTED) == (Status.ALL_SOLUTIONS, True)
    assert known(2, Stop.EXHAUSTED) == (Status.ALL_SOLUTIONS, False)
    assert known(1, Stop.SOLUTIONS) == (Status.SATISFIED, None)
    assert known(2, Stop.SOLUTIONS) == (Status.SATISFIED, False)
    assert known(0, Stop.TIME) == (Status.UNKNOWN, None)
    assert known(1, Stop.NODES) == (Status.SATISFIED, None)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"solutions": 0}, "solutions: expected an int of at least 1, got 0"),
        ({"solutions": True}, "solutions: expected an int"),
        ({"keep": -1}, "keep: expected an int of at least 0"),
        ({"node_limit": 0}, "node_limit: expected an int of at least 1"),
        ({"threads": None}, "threads: expected an int"),
        ({"threads": 1.5}, "threads: expected an int"),
        ({"seed": "a"}, "seed: expected an int"),
        ({"time_limit": True}, "time_limit: expected seconds above 0, got True"),
        ({"time_limit": 0}, "time_limit: expected seconds above 0, got 0"),
        ({"time_limit": -1.0}, "time_limit: expected seconds above 0"),
        ({"time_limit": float("nan")}, "time_limit: expected seconds above 0"),
        ({"time_limit": "1"}, "time_limit: expected seconds above 0"),
        ({"seed": -1}, "seed: expected an int of at least 0"),
    ],
)
def test_limits_that_limit_nothing_are_refused(limits: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Request(**limits)  # type: ignore[arg-type]  # wrong on purpose


def test_numbers_of_other_types_are_taken_as_what_they_are() -> None:
    numbers: dict[str, Any] = {"solutions": np.int64(2), "time_limit": Fraction(1, 2)}
    assert repr(Request(**numbers)) == repr(Request(solutions=2, time_limit=0.5))
    assert Request(time_limit=10**400).time_limit is None
    assert Request(solutions=10**20, keep=1 << 63, node_limit=1 << 64) == Request(solutions=None)
    assert Request(node_limit=(1 << 63) - 1) != Request(), "the largest that is a limit"
    assert Deadline(10**400).left is None


def test_a_request_that_was_made_before_is_taken_again_but_not_for_values_of_another_type() -> None:
    item: dict[str, Any] = {"solutions": 1, "time_limit": 1.0, "keep": 1}
    assert Request.of(**item) is Request.of(**item)
    assert Request.of(**item) == Request(**item)
    for name, other in (("solutions", True), ("keep", 1.0), ("time_limit", True)):
        with pytest.raises(InputError, match=f"{name}: expected"):
            Request.of(**item | {name: other})
    limits = [repr(Request.of(time_limit=limit).time_limit) for limit in (2, 2.0)]
    assert limits == ["2", "2.0"]


@pytest.mark.parametrize(
    ("label", "limits", "message"),
    [
        ("norvig", {"threads": 2}, "norvig cannot honour threads=2"),
        ("norvig", {"seed": 1}, "norvig cannot honour seed=1"),
        ("python-constraint", {"seed": 1}, "cannot honour seed=1"),
        ("cp-sat", {"node_limit": 5}, "cp-sat cannot honour node_limit=5"),
    ],
)
def test_a_limit_that_is_not_honoured_is_refused(
    label: str, limits: dict[str, Any], message: str
) -> None:
    with pytest.raises(UnsupportedError, match=message):
        unidoku.load(label).solve(BOARD, **limits)


def test_a_board_with_too_many_values_is_refused() -> None:
    spec = BackendSpec(name="tiny", target="", summary="", capabilities=Capabilities(max_values=3))
    with pytest.raises(UnsupportedError, match="supports up to 3 values, the board has 4"):
        Solver(spec, answers.fake("tiny", answers.honest).backend).solve(BOARD)


def test_an_unknown_backend_is_told_from_one_that_is_not_installed() -> None:
    with pytest.raises(UnknownBackendError, match="did you mean 'cp-sat'"):
        unidoku.load("cpsat")
    spec = BackendSpec(
        name="absent",
        target="nowhere:Nothing",
        summary="",
        capabilities=Capabilities(),
        requires=("a_module_that_is_not_there",),
        install="pip install 'unidoku[absent]'",
    )
    assert spec.missing == ("a_module_that_is_not_there",)
    with pytest.raises(BackendNotInstalledError, match=r"pip install 'unidoku\[absent\]'"):
        spec.create({})


def test_a_bug_in_an_adapter_is_not_called_a_missing_package() -> None:
    spec = BackendSpec(
        name="broken", target="unidoku.errors:Nothing", summary="", capabilities=Capabilities()
    )
    with pytest.raises(BackendError, match="'broken' cannot be imported"):
        spec.create({})


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("norvig[speed=9]", "norvig has no option 'speed'"),
        ("norvig[threads=4]", "and options of the commands: 'threads'"),
        ("norvig[timeout=4]", "and options of the commands: did you mean 'time_limit'?"),
        ("python-constraint[solvr=recursive]", "did you mean 'solver'"),
        ("python-constraint[solver=mrv]", "backtracking | recursive | optimized, got"),
        ("python-constraint[encoding=1]", "expected domains | constraints | reduced, got 1"),
        ("python-constraint[forwardcheck=1]", "option 'forwardcheck': expected bool, got 1"),
        ("cp-sat[num_worker=1]", "did you mean 'num_workers'"),
        ("cp-sat[num_workers=two]", "option 'num_workers': expected int, got 'two'"),
        ("cp-sat[cp_model_presolve=0]", "expected bool, got 0"),
        ("cp-sat[search_branching=SIDEWAYS]", "expected AUTOMATIC_SEARCH"),
        ("cp-sat[max_time_in_seconds=1]", "max_time_in_seconds is not an option: use time_limit"),
        ("cp-sat[", "expected a backend such as"),
        ("cp-sat[num_workers]", "expected option=value"),
        ("cp-sat[num_workers=1,num_workers=2]", "each once"),
    ],
)
def test_bad_options_are_refused(label: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        unidoku.load(label)


@pytest.mark.parametrize(
    "label",
    [
        "norvig",
        "python-constraint[forwardcheck=false,solver=recursive]",
        "cp-sat[num_workers=1,search_branching=PORTFOLIO_SEARCH]",
        "cp-sat[relative_gap_limit=0.5]",
    ],
)
def test_labels_are_read_and_written_alike(label: str) -> None:
    solver = unidoku.load(label)
    assert solver.label == label
    again = unidoku.load(solver.label)
    assert (again.options, again.backend) == (solver.options, solver.backend)
    assert again.solve(Board.empty(layout("classic", 4)), solutions=2).count == 2


@given(
    st.dictionaries(
        st.from_regex(r"[a-z_]{1,8}", fullmatch=True),
        st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    )
)
def test_any_options_come_back_from_their_label(options: dict[str, object]) -> None:
    label = format_label("name", options)
    assert parse_label(label) == ("name", options)
    assert split_labels(f"{label},other") == [label, "other"]


def test_an_unknown_limit_is_an_error_that_names_the_nearest() -> None:
    solver = unidoku.load("norvig")
    board = Board.parse("1... ..2. .3.. ...4")
    calls: list[Callable[[], object]] = [
        lambda: solver.solve(board, solution=2),  # type: ignore[call-arg] # what is tested
        lambda: solver.solve_many([board], solution=2),  # type: ignore[call-arg] # as above
        lambda: solver.stream([board], solution=2),  # type: ignore[call-arg] # as above
    ]
    for call in calls:
        with pytest.raises(InputError, match=r"got 'solution'; did you mean 'solutions'\?"):
            call()


def test_an_attempt_says_why_the_policy_or_the_backend_refused_it() -> None:
    limited = unidoku.load("norvig").attempt(BOARD, Request(seed=1, threads=2))
    assert limited.refused == ("cannot honour seed=1", "cannot honour threads=2")
    picky = unidoku.load("logic[techniques=all]").attempt(BOARD, Request(solutions=2))
    assert picky.refused == (str(picky.error),)
    assert not unidoku.load("norvig").attempt(BOARD, Request()).refused


def test_deductions_are_an_option_of_every_backend_that_serves_rules() -> None:
    defaults = {
        spec.name: [option.default for option in spec.shared_options]
        for spec in map(find, BUILT_IN)
    }
    assert defaults == {name: [name != "z3"] for name in BUILT_IN}
    assert not replace(find("norvig"), capabilities=Capabilities()).shared_options
    switched = unidoku.load("norvig", deductions=np.False_)
    assert switched.options == {"deductions": False}
    with pytest.raises(OptionError, match="norvig: option 'deductions': expected bool, got 'yes'"):
        unidoku.load("norvig[deductions=yes]")
    with pytest.raises(OptionError, match="norvig has no option 'deduction'"):
        unidoku.load("norvig[deduction=true]")


@pytest.mark.parametrize("name", ["norvig", "sat"])
def test_models_with_deductions_and_without_are_kept_apart(name: str) -> None:
    deducing, plain = unidoku.load(name), unidoku.load(name, deductions=False)
    board, request = next(questions(deducing, DEDUCTIONS))
    nodes = [solver.search(board, request).statistics["nodes"] for solver in (plain, deducing)]
    assert nodes[0] != nodes[1]
    assert unidoku.load(name, deductions=True).parameters()["deductions"] is True
    assert plain.parameters()["deductions"] is False


def test_a_batch_is_told_what_follows_as_a_single_board_is() -> None:
    asked: list[Layout] = []

    class Recorder:
        def search_many(self, layout: Layout, cells: Any, request: Request) -> Any:
            asked.append(layout)
            raise UnsupportedError("enough")

    spec = replace(find("native"), target="")
    small = replace(layout("latin", 9), rules=(SumOfCells(tuple(range(8)), 44),))
    for options, known in (({}, 2), ({"deductions": False}, 1)):
        with pytest.raises(UnsupportedError, match="enough"):
            Solver(spec, Recorder(), options).solve_many([Board.empty(small)])  # type: ignore[arg-type]  # half a backend
        assert len(asked.pop().constraints) == known


@pytest.mark.parametrize("label", ["sat", "native", "native[engine=single]", "auto"])
def test_a_result_has_the_puzzle_that_was_asked_about(label: str) -> None:
    """Even if the backend got deduced rules in addition, or left out the puzzle."""
    cage = unidoku.Killer(cage=(0, 1), total=3)
    for board in (BOARD, Board.empty(replace(BOARD.layout, rules=(cage,)))):
        result = unidoku.load(label).search(board, Request(solutions=2))
        assert result.puzzle is board
        assert result.about(board) is result
        assert result.board == board.fill(result.solutions[0])


@pytest.mark.parametrize("time_limit", [None, 5.0])
def test_rules_that_need_too_many_states_are_refused_and_not_raised(
    time_limit: float | None,
) -> None:
    cells = tuple(range(60))
    ruled = replace(layout("latin", 9), rules=(Product(cells, prod(range(1, 10)) ** 6),))
    attempt = load("norvig").attempt(Board.empty(ruled), Request(time_limit=time_limit))
    (reason,) = attempt.refused
    assert reason.startswith("cannot be given the rules: rule product: expected at most")


class _Prepared:
    """A backend that notes what it is prepared for."""

    def __init__(self) -> None:
        self.noted: list[tuple[object, ...]] = []

    def search(self, board: Board, request: Request) -> Result:
        return Result(count=0, solutions=(), stop=Stop.EXHAUSTED)


class _ForLayout(_Prepared):
    def prepare(self, small: Layout) -> None:
        self.noted.append((small,))


class _ForRequest(_Prepared):
    def prepare(self, small: Layout, request: Request) -> None:
        self.noted.append((small, request))


def test_a_backend_is_prepared_for_a_layout_and_for_a_request_if_it_takes_one() -> None:
    spec = BackendSpec(name="noting", target="", summary="", capabilities=answers.ALL)
    small, request = layout("classic", 4), Request(solutions=2)
    for_layout, for_request = _ForLayout(), _ForRequest()
    for backend in (for_layout, for_request, _Prepared()):
        Solver(spec, backend).prepare(small, request)
        Solver(spec, backend).prepare(small)
    assert for_layout.noted == [(small,), (small,)]
    assert for_request.noted == [(small, request), (small, Request())]


def test_a_backend_that_only_counts_may_leave_grids_out_and_no_other() -> None:
    def counts(board: Board, request: Request, result: Result) -> Result:
        return replace(result, solutions=())

    solver = answers.fake("counting", counts)
    with pytest.raises(WrongAnswerError, match="reported 2 solutions and returned 0 grids"):
        solver.solve(BOARD, solutions=2)
    counting = replace(solver.spec, capabilities=replace(answers.ALL, grids=False))
    assert Solver(counting, solver.backend).solve(BOARD, solutions=2).count == 2
    twice = Solver(counting, answers.fake("more", answers.returns_one_grid_twice).backend)
    with pytest.raises(WrongAnswerError, match="the same grid is returned twice"):
        twice.solve(BOARD, solutions=2)
