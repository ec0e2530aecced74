from __future__ import annotations

import gc
import threading
from typing import Any

import pytest
from pumpkin_solver import constraints

import unidoku
from tests.helpers.boards import EASY, HARD, INKALA
from tests.helpers.python_process import run_python
from unidoku import Board, Layout, Request, Stop, layout
from unidoku.backends.adapters.pumpkin import adapter as pumpkin
from unidoku.backends.toolkit.budget import Budget, SolutionCollector
from unidoku.testing import brute_force

ENCODINGS = ["pumpkin", "pumpkin[encoding=all_different]"]

IN_SLICES = """
import sys, unidoku
from unidoku import Board, layout
from unidoku.backends.adapters.pumpkin import adapter as pumpkin
built = asked = 0
build, is_propagated = pumpkin._Run._build, pumpkin._Run._is_propagated
def count_build(run):
    global built
    built += 1
    build(run)
def count_question(run):
    global asked
    asked += 1
    return is_propagated(run)
pumpkin._Run._build, pumpkin._Run._is_propagated = count_build, count_question
pumpkin._SLICE, pumpkin._LEAST_WORK = float(sys.argv[2]), float(sys.argv[3])
solver = unidoku.load(sys.argv[1])
boards = [Board.parse(text) for text in sys.argv[4:]]
found = [solver.solve(board, solutions=2).count for board in boards]
latin = solver.solve(Board.empty(layout("latin+x", 5)), solutions=300)
print(*found, len(set(latin.solutions)), built, asked)
"""


def in_slices(label: str, length: float, least_work: float) -> tuple[list[int], int, int]:
    """Return what is found in slices of a length, and how many models and slices it took.

    In another process, because the fault ends the process.
    """
    boards = [INKALA, HARD, EASY, INKALA[::-1]]
    run = run_python("-c", IN_SLICES, label, length, least_work, *boards)
    assert run.returncode == 0, run.stderr
    *counts, built, asked = map(int, run.stdout.split())
    return counts, built, asked


@pytest.mark.parametrize("label", ENCODINGS)
def test_a_search_in_slices_finds_the_same(label: str) -> None:
    """Where a slice ended at the root, the next call of satisfy would end the process."""
    count, built, asked = in_slices(label, 0.004, 0.0005)
    assert count == [1, 1, 1, 1, 300]
    assert asked > 5, "the searches took several slices"
    if label == "pumpkin":
        assert built < 5 + asked, "some slices were continued"


def test_a_slice_that_ended_before_it_began_is_not_continued() -> None:
    """On a busy machine the time may be over when the solver looks at the clock first."""
    program = """
import unidoku
from unidoku import Board
from unidoku.backends.adapters.pumpkin import adapter as pumpkin
pumpkin._SLICE = 1e-9
result = unidoku.load("pumpkin").solve(Board.parse(%r), time_limit=0.2)
print(result.count, result.stop.value)
"""
    run = run_python("-c", program % INKALA)
    assert (run.returncode, run.stdout) == (0, "0 time\n"), run.stderr


def test_a_new_model_begins_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was removed at the root stays removed, and what was found is not found again."""
    board = Board.empty(layout("latin", 3))
    run = pumpkin._Run(board, True, Budget(Request()))
    collector = SolutionCollector(Request(solutions=5))
    assert run.search(collector) is Stop.SOLUTIONS
    grids = set(collector.result(Stop.SOLUTIONS, {}).solutions[:4])  # the fifth was not forbidden
    run.model.add_constraint(constraints.NotEquals([run._variables[0]], 1, run._tag))
    run.model.propagate_to_fixpoint()
    built = []
    build = run._build

    def build_and_go_on() -> None:
        built.append(True)
        monkeypatch.undo()
        build()

    monkeypatch.setattr(run, "_build", build_and_go_on)
    monkeypatch.setattr(pumpkin, "_SLICE", 1e-9)
    rest = set()
    while (solution := run._solution()) is not None:
        rest.add(solution)
        run._forbid(solution)
    assert built == [True]
    assert rest == {grid for grid in brute_force(board) if grid not in grids and grid[0] != 1}


class Root:
    """What a model says of its root: values left of a variable, and of each of its Booleans."""

    def __init__(self, values: set[int], booleans: dict[int, set[int]]) -> None:
        self.values = values
        self.booleans = booleans

    def contains(self, variable: int, value: int) -> bool:
        return value in self.values

    def lower_bound(self, boolean: int) -> int:
        return min(self.booleans[boolean])

    def upper_bound(self, boolean: int) -> int:
        return max(self.booleans[boolean])


class Boolean:
    def __init__(self, value: int) -> None:
        self.value = value

    def as_integer(self) -> int:
        return self.value


OPEN = {0, 1}


@pytest.mark.parametrize(
    ("values", "booleans", "propagated"),
    [
        ({1, 2, 3}, {1: OPEN, 2: OPEN, 3: OPEN}, True),
        ({1, 2}, {1: OPEN, 2: OPEN, 3: {0}}, True),
        ({2}, {1: {0}, 2: {1}, 3: {0}}, True),
        ({1, 2}, {1: OPEN, 2: OPEN, 3: OPEN}, False),  # the variable lost 3
        ({1, 2, 3}, {1: OPEN, 2: OPEN, 3: {0}}, False),  # the Boolean lost 3
        ({1, 2, 3}, {1: OPEN, 2: {1}, 3: OPEN}, False),  # it is 2, and the variable does not know
        ({1, 2, 3}, {1: OPEN, 2: OPEN}, True),
        ({1, 2}, {1: OPEN, 2: OPEN}, False),  # 3 has no Boolean that could have heard of it
    ],
)
def test_a_root_is_propagated_where_variables_and_booleans_agree(
    values: set[int], booleans: dict[int, set[int]], propagated: bool
) -> None:
    run = pumpkin._Run(Board.empty(Layout.from_units(3, [], shape=(1, 1))), True, Budget(Request()))
    run.model = Root(values, booleans)
    run._variables, run._open = ["the only one"], [0]
    run._holds = {(0, value): Boolean(value) for value in booleans}
    assert run._is_propagated() is propagated


def test_places_need_booleans_and_differences_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    hold = pumpkin._Run._hold
    for label, least, most in zip(ENCODINGS, (100, 0), (2000, 0), strict=True):
        notes: list[tuple[int, int]] = []

        def note(run: Any, cell: int, value: int, notes: Any = notes) -> Any:
            notes.append((cell, value))
            return hold(run, cell, value)

        monkeypatch.setattr(pumpkin._Run, "_hold", note)
        assert unidoku.load(label).solve(Board.parse(HARD), solutions=2).unique is True
        assert least <= len(notes) <= most


@pytest.mark.parametrize("label", ENCODINGS)
def test_contradictions_are_found_wherever_they_show(label: str) -> None:
    """After one, it is an error to make a Boolean or a tag; some requests end the process."""
    solver = unidoku.load(label)
    three = layout("latin", 3)
    full = {1, 2, 3}
    boards = [
        Board(three, (0, *Board.empty(three).candidates[1:])),
        Board.parse("11. ... ...", "latin"),
        # No place for 3 in the first row: two cells would do for it, and none may.
        Board.from_candidates(three, [{1, 2}] * 3 + [full] * 6),
        # Three cells for two values, in which the differences of pairs see nothing amiss.
        Board.from_candidates(three, [{1, 2}, {1, 2}, full] + [full] * 3 + [full, full, {1, 2}]),
        Board.from_candidates(three, [{1, 2}, {2, 3}, {1, 3}] * 2 + [{1}, {2}, {3}]),
    ]
    for board in boards:
        expected = set(brute_force(board))
        result = solver.solve(board, solutions=None)
        assert set(result.solutions) == expected
        assert result.stop is Stop.EXHAUSTED
    assert solver.solve(Board.parse(EASY), solutions=2).unique is True


def test_an_error_may_be_let_go_of_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its frames must not hold the model; pytest fails if one is dropped where it may not be."""

    def interrupted(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(SolutionCollector, "add", interrupted)
    errors: list[BaseException] = []
    with pytest.raises(KeyboardInterrupt) as caught:
        unidoku.load("pumpkin").solve(Board.parse(HARD))
    errors.append(caught.value)
    del caught

    def forget() -> None:
        errors.clear()
        gc.collect()

    thread = threading.Thread(target=forget)
    thread.start()
    thread.join()
    assert not errors
