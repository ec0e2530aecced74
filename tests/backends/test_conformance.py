"""Every row of the catalogue, and every encoding, passes the whole suite."""

from __future__ import annotations

import os
from inspect import unwrap

import pytest

import unidoku
from tests.helpers.volume import SOAK
from tests.helpers.wrong import answers
from unidoku import Board, Request, Result, Solver, Stop
from unidoku.testing import CHECKS, conformance, limits, threads
from unidoku.testing.conformance import Check, solves_large_boards
from unidoku.testing.limits import honours_its_options, honours_the_time_limit, stops_when_cancelled
from unidoku.testing.threads import answers_from_several_threads

OPTIONS = [
    "auto[budget=1]",
    "native[engine=python]",
    "native[engine=single]",
    "native[engine=lanes]",
    "python-constraint[encoding=constraints]",
    "python-constraint[encoding=reduced]",
    "cp-sat[encoding=integer]",
    "cp-sat[encoding=naive]",
    "sat[encoding=seqcounter,solver=minisat22]",
    "sat[encoding=bitwise,solver=cadical195]",
    "sat[encoding=ladder]",
    "clingo[encoding=counts]",
    "choco[learning=true]",
    "pumpkin[encoding=all_different]",
    "z3[encoding=counts]",
]
"""A row for each encoding; `test_options_of_adapters` compares all values with brute force."""


OF_ROWS = [
    check
    for check in CHECKS
    if unwrap(check) is not honours_its_options or "UNIDOKU_TEST_BACKENDS" in os.environ
]
"""That of options is part of a test of `test_options_of_adapters`, where all backends are there."""


@pytest.fixture
def _fewer_searches_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the threads of a new process count few grids, and no longer than each takes once."""
    if not SOAK:
        less = "threads.COUNTS, threads.SECONDS = (('x', 48), ('latin+x', 48)), 0"
        program = f"from unidoku.testing import threads; {less}; threads.main()"
        monkeypatch.setattr(threads, "_PROGRAM", program)


@pytest.mark.usefixtures("_fewer_searches_at_once")
@pytest.mark.parametrize("check", OF_ROWS, ids=lambda check: check.__name__)
def test_conforms(check: Check, backend_name: str) -> None:
    check(unidoku.load(backend_name))


SLOW_TO_COMPILE = {"native[engine=lanes]"}
"""Of these the large board has 10 values, but in ``make soak``: `native.test_native` has boards of
up to 64, and the one of 25 takes LLVM ten seconds."""


@pytest.fixture
def _smaller_boards(label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if label in SLOW_TO_COMPILE and not SOAK:
        monkeypatch.setattr(limits, "LARGE", limits.LARGE[:1])


LOOK_AT_THE_CLOCK = {honours_the_time_limit, stops_when_cancelled}

KEEP_TIME_IN_THEIR_OWN_WAY = {
    "auto[budget=1]",
    "native[engine=python]",
    "native[engine=single]",
    "native[engine=lanes]",
    "sat[encoding=seqcounter,solver=minisat22]",
    "choco[learning=true]",
}
"""The time limit of the others is that of their row, whatever the option: no need to wait again."""


LOAD_ENGINES_LATER = {label for label in OPTIONS if label.startswith(("auto", "native"))}
"""The threads of the others load what they load for their row: they meet in ``make soak``."""


def _is_that_of_the_row(check: Check, label: str) -> bool:
    if unwrap(check) is honours_its_options:  # a test of its own tries all values of all
        return True
    if unwrap(check) is answers_from_several_threads:
        return label not in LOAD_ENGINES_LATER and not SOAK
    return unwrap(check) in LOOK_AT_THE_CLOCK and label not in KEEP_TIME_IN_THEIR_OWN_WAY


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("label", "check"),
    [
        pytest.param(label, check, id=f"{label}-{check.__name__}")
        for label in OPTIONS
        for check in CHECKS
        if not _is_that_of_the_row(check, label)
    ],
)
@pytest.mark.usefixtures("_smaller_boards")
def test_conforms_with_options(check: Check, label: str) -> None:
    check(unidoku.load(label))


def test_the_checks_that_are_told_apart_are_among_all() -> None:
    known = {honours_its_options, answers_from_several_threads, solves_large_boards}
    assert known | LOOK_AT_THE_CLOCK <= {unwrap(check) for check in CHECKS}


def test_logic_without_search_conforms_as_far_as_it_goes() -> None:
    conformance(unidoku.load("logic"))


def test_a_lie_of_a_backend_that_may_give_up_is_seen() -> None:
    spec = unidoku.load("logic").spec
    for lie in (_loses_candidates, _denies_solutions):
        with pytest.raises(AssertionError):
            conformance(Solver(spec, answers.fake("liar", lie).backend))


def _loses_candidates(board: Board, request: Request, result: Result) -> Result:
    if sum(map(bool, board.givens)) == len(board.layout):
        return result
    return Result(count=0, solutions=(), stop=Stop.INCOMPLETE, candidates=(1,) * len(board.layout))


def _denies_solutions(board: Board, request: Request, result: Result) -> Result:
    return result if board.problems() else Result(count=0, solutions=(), stop=Stop.EXHAUSTED)
