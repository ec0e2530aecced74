"""State that a backend keeps for a layout works for any board after any other, in any thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unidoku
from tests.conftest import rounds
from tests.helpers import boards
from tests.helpers.boards import HARD, MANY
from unidoku import Board, Result, Stop, layout
from unidoku.backends.solving.solver import Solver
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant

FOUR = layout("classic", 4)
BOARDS = [
    Board.empty(FOUR),
    Board.parse("1... ..2. .3.. ...4"),
    Board.parse("11.. .... .... ...."),
    Board.parse("12.. .... .... ..3.").assign("A3", 4).assign("A4", 4),
    Board.from_candidates(FOUR, [{1, 2}] * 4 + [{1, 2, 3, 4}] * 12),
    Board.from_candidates(FOUR, [{1, 2}, {3, 4}] * 8),
    Board(FOUR, (0, *Board.empty(FOUR).candidates[1:])),
    Board.empty(layout("x", 4)),
    Board.parse("1..............4", "x"),
    Board.empty(Variant.parse("jigsaw:aaabacbbccbdcddd").layout(4)),
    Board.parse("1" + "." * 15, "jigsaw:aabbaabbccddccdd"),
    Board.empty(Layout.from_units(4, [[0, 1, 2, 3], [4, 5]], shape=(2, 3))),
    Board.parse(HARD),
    Board.parse(boards.IMPOSSIBLE),
]
"""Boards of several layouts, with all, few, one or no solutions."""

SOLUTIONS = (1, 2, 20, None)

IMPOSSIBLE = len(BOARDS) - 1
"""It has no solution, which is known since Norvig's essay; his own solver takes minutes for it."""


@cache
def answer(index: int, solutions: int | None) -> Result:
    if index == IMPOSSIBLE:
        return Result(count=0, solutions=(), stop=Stop.EXHAUSTED)
    return unidoku.solve(BOARDS[index], backend="norvig", solutions=solutions)


LIMITED = -1
"""Stands for a board that takes longer than its time limit."""

QUESTIONS = st.tuples(st.integers(LIMITED, len(BOARDS) - 1), st.sampled_from(SOLUTIONS))

TOO_HARD = {
    "norvig",
    "logic",
    "native",
    "python-constraint",
    "exact-cover",
    "highs",
    "minizinc",
}
"""Backends that search the last board for long; they get the others."""


def ask(solver: Solver, questions: list[tuple[int, int | None]], wrong: list[str]) -> None:
    for index, solutions in questions:
        if index == LIMITED:
            result = solver.solve(Board.parse(MANY), solutions=None, keep=0, time_limit=0.02)
            if result.stop is not Stop.TIME:
                wrong.append(f"with a limit of 20 ms: {result}")
            continue
        if index == IMPOSSIBLE and solver.spec.name in TOO_HARD:
            continue
        result = solver.solve(BOARDS[index], solutions=solutions)
        expected = answer(index, solutions)
        alike = (result.count, result.stop) == (expected.count, expected.stop)
        if solutions is None:
            alike = alike and set(result.solutions) == set(expected.solutions)
        if not alike:
            wrong.append(f"board {index}, {solutions} asked: {result}, not {expected}")


@pytest.mark.thorough
@pytest.mark.volume
def test_boards_of_several_layouts_do_not_disturb_each_other(backend_name: str) -> None:
    solver = unidoku.load(backend_name)

    @settings(max_examples=rounds(backend_name, 20))
    @given(st.lists(st.lists(QUESTIONS, max_size=6), min_size=1, max_size=3))
    def are_answered(threads: list[list[tuple[int, int | None]]]) -> None:
        wrong: list[str] = []
        with ThreadPoolExecutor(3) as executor:
            started = [executor.submit(ask, solver, each, wrong) for each in threads[1:]]
            ask(solver, threads[0], wrong)
        assert [answer.exception() for answer in started] == [None] * len(started)
        assert not wrong

    are_answered()
