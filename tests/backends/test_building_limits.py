"""The builder of a model looks at the clock, counts what it writes, and ends at a limit."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from types import FrameType
from typing import Any

import pytest

import unidoku
from unidoku import Board, Layout, Request, Stop, UnsupportedError
from unidoku.backends.languages.catalogue import LANGUAGES, find_language
from unidoku.backends.languages.model import BoardModel
from unidoku.backends.solving.solver import Solver
from unidoku.backends.toolkit import model_size
from unidoku.backends.toolkit.budget import Budget, LimitReached
from unidoku.backends.toolkit.clauses import Clauses
from unidoku.backends.toolkit.cover import cover_of
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.core.caching import forget_layouts, forget_numbers
from unidoku.core.rules.base import KINDS
from unidoku.core.transforms.lower import lower
from unidoku.support.deadline import time_limit_scope
from unidoku.testing.largest_rules import LARGEST, largest_board

BUILDERS = ("any-of", "chaos-construction", "full-rank of all lines", "hits", "weighted-sum")
"""Rules whose models take seconds to build."""

IN_PROCESS = (
    *("auto", "native[engine=single]", "norvig", "logic", "python-constraint", "cp-sat", "sat"),
    *("cp-sat[encoding=integer]", "exact-cover", "choco", "clingo", "z3", "pumpkin", "highs"),
    "scip",
)

WITH_OWN_CLOCK = {("cp-sat", "weighted-sum"), ("choco", "weighted-sum"), ("choco", "any-of")}
"""Searches that begin before that, of solvers that compare the test's clock with the real one."""

LOOKS = 40
"""Looks at the clock after which the time is up."""

MOST_CALLS = 60_000
"""Calls of functions between two looks: some hundredths of a second."""


class CountingClock:
    """A clock that advances by a millisecond at each look, and counts the calls between looks."""

    def __init__(self) -> None:
        self.looks = self.calls = self.most = 0
        self.where = ""
        self.is_on = False

    def __call__(self) -> float:
        self.looks += 1
        if self.calls > self.most:
            frame: FrameType | None = sys._getframe(1)
            names: list[str] = []
            while frame is not None and len(names) < 6:
                names.append(frame.f_code.co_qualname)
                frame = frame.f_back
            self.most, self.where = self.calls, ", ".join(names)
        self.calls = 0
        return self.looks / 1000

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Start at 0, and be the clock in the body."""
        self.looks = self.calls = self.most = 0
        self.is_on = True
        sys.setprofile(self.count)
        try:
            yield
        finally:
            sys.setprofile(None)
            self.is_on = False

    def count(self, _frame: FrameType, event: str, _argument: Any) -> None:
        """Count an event of `sys.setprofile`."""
        self.calls += event in ("call", "c_call")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[CountingClock]:
    """Return a clock that takes the place of the real one while the test counts its looks."""
    clock = CountingClock()
    real = time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: clock() if clock.is_on else real())
    yield clock
    sys.setprofile(None)


def prepared_layout(solver: Solver, board: Board) -> Layout | None:
    """Return the layout that the backend gets, with nothing in memory but its lowered rules."""
    forget_layouts()
    forget_numbers()
    layout, refusals = solver._prepared(board.layout)
    if refusals:
        return None
    cover_of(layout)
    lower(layout)
    return layout


def test_there_is_a_board_of_each_kind_of_rule() -> None:
    kinds = {rule.kind for name in LARGEST for rule in largest_board(name).layout.rules}
    assert kinds == set(KINDS)


def test_a_model_looks_at_the_clock_each_few_thousand_literals() -> None:
    looks: list[int] = []
    size = ModelSize()
    with time_limit_scope(lambda: looks.append(size.literals)):
        for literals in (*[2] * 10_000, 20_000, *[1] * 10_000):
            size.add(literals)
    assert looks[0] == 3, "at the first item"
    gaps = [after - before for before, after in pairwise([*looks, size.literals])]
    assert max(gaps) < 20_001 + model_size._OFTEN
    assert sorted(gaps)[-2] < model_size._OFTEN + 3


@pytest.mark.parametrize("label", IN_PROCESS)
def test_a_search_ends_soon_after_its_time_is_up(label: str, clock: CountingClock) -> None:
    solver = unidoku.load(label)
    solver.solve("1..." * 4, solutions=2)
    for name in BUILDERS:
        board = largest_board(name)
        if prepared_layout(solver, board) is None or (label, name) in WITH_OWN_CLOCK:
            continue
        with clock.counting():
            attempt = solver.attempt(board, Request(time_limit=LOOKS / 1000))
        assert attempt.result is not None, attempt.error
        assert attempt.result.stop in (Stop.TIME, Stop.SOLUTIONS)
        assert clock.most < MOST_CALLS, f"{label}, {name}: in {clock.where}"


@pytest.mark.parametrize("looks", [0, 1, 2, 5, 17, 60])
def test_a_builder_ends_at_whichever_look_the_time_is_up(looks: int) -> None:
    board = largest_board("any-of of chains")
    lower(board.layout)
    seen = 0

    def check() -> None:
        nonlocal seen
        if seen == looks:
            raise LimitReached(Stop.TIME)
        seen += 1

    literals = 0
    with suppress(LimitReached), time_limit_scope(check):
        for clause in Clauses(lower(board.layout)):
            literals += 1 + len(clause)
        raise AssertionError("it has millions of literals")
    assert literals <= (looks + 1) * 2 * model_size._OFTEN


@pytest.mark.parametrize("language", sorted(LANGUAGES.keys() - {"flatzinc"}))
def test_a_file_is_not_written_beyond_the_time_limit(language: str, clock: CountingClock) -> None:
    solver = unidoku.load("norvig")
    for name in BUILDERS[:-1]:
        board = largest_board(name)
        layout = prepared_layout(solver, board)
        assert layout is not None
        with clock.counting():
            budget = Budget(Request(time_limit=LOOKS / 1000))
            model = BoardModel(Board.empty(layout), (), budget)
            with suppress(LimitReached), time_limit_scope(budget.check_time):
                for _ in find_language(language).write(model):
                    pass
        assert clock.most < MOST_CALLS, f"{language}, {name}: in {clock.where}"


@pytest.mark.parametrize(
    "label", ["sat", "cp-sat", "exact-cover", "choco", "clingo", "z3", "highs", "scip"]
)
def test_a_model_that_would_fill_the_memory_is_refused(
    label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_size, "MOST_LITERALS", 50_000)
    solver = unidoku.load(label)
    with pytest.raises(UnsupportedError, match=f"{label} supports models of up to 50,000 literals"):
        solver.search(largest_board("full-rank of all lines"), Request())


def test_a_time_limit_holds_while_alternatives_of_long_sums_are_encoded() -> None:
    began = time.process_time()
    result = unidoku.solve(largest_board("any-of"), backend="sat", time_limit=0.5)
    assert result.stop is Stop.TIME
    assert time.process_time() - began < 10, "twenty times the limit"
