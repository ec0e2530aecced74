"""Trials are made from a user's puzzles: as they are, and with changed givens and rules."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.hunting import any_finding, hunted
from tests.helpers.shrinking import shrunk
from unidoku import Board, Killer, Layout, Request, Thermo, layout, load
from unidoku.comparison.cases import PuzzleSource, read_cases
from unidoku.core.rules import Doubler, RegionCount, Rule
from unidoku.errors import InputError
from unidoku.fuzzing import fuzz
from unidoku.fuzzing.boards import trial
from unidoku.fuzzing.mutation import solution_of
from unidoku.fuzzing.reduce import steps
from unidoku.testing.boards import random_board
from unidoku.testing.layouts import RandomLayout


@cache
def examples(root: Path) -> tuple[Board, ...]:
    source = PuzzleSource(files=(str(root / "examples" / "rules"),))
    return tuple(case.board for case in read_cases([source], root))


CAGES = Board.empty(
    replace(layout("classic", 4), rules=(Killer((0, 1, 4), 7), Thermo((10, 11, 15))))
)


def test_the_puzzles_come_first_and_are_not_changed(root: Path) -> None:
    puzzles = examples(root)
    first = [trial(1, number, puzzles=puzzles).boards for number in range(len(puzzles))]
    assert first == [(puzzle,) for puzzle in puzzles]


@given(st.integers(), st.integers(0, 10_000))
def test_a_changed_puzzle_depends_on_the_seed_and_its_number_only(seed: int, number: int) -> None:
    puzzles = (CAGES, Board.parse("1..." * 4))
    assert trial(seed, number, puzzles=puzzles) == trial(seed, number, puzzles=puzzles)


def test_every_part_of_a_puzzle_is_changed_at_some_time() -> None:
    """Givens, numbers, cells and places of rules; rules come and go."""
    boards = [trial(1, number, puzzles=(CAGES,)).boards[-1] for number in range(1, 400)]
    cages = [[r for r in board.layout.rules if isinstance(r, Killer)] for board in boards]
    assert any(board.layout == CAGES.layout and any(board.givens) for board in boards)
    assert any(not killer for killer in cages)
    assert any(len(killer) > 1 for killer in cages)
    every = [cage for killer in cages for cage in killer]
    assert any(cage.cage == (0, 1, 4) and cage.total != 7 for cage in every)
    assert any(len(cage.cage) > 5 for cage in every)
    assert any(len(cage.cage) == 1 for cage in every)
    assert any(cage.cage == (1, 2, 5) for cage in every)  # one column to the right
    kinds = {rule.kind for board in boards for rule in board.layout.rules}
    assert len(kinds) > 20


def test_rules_are_transplanted_from_one_puzzle_to_another() -> None:
    plain = Board.empty(layout("latin", 4))
    boards = [trial(1, n, rules=("sum",), puzzles=(plain, CAGES)).boards[-1] for n in range(200)]
    latin = [board for board in boards if len(board.layout.units) == 8]
    assert any(CAGES.layout.rules[1] in board.layout.rules for board in latin)
    kinds = {rule.kind for board in latin for rule in board.layout.rules}
    assert kinds == {"killer", "thermo", "sum"}


def test_many_changed_puzzles_still_have_a_solution_and_are_decided_soon(root: Path) -> None:
    puzzles = examples(root)
    native = load("native", engine="python")
    boards = [trial(1, number, puzzles=puzzles).boards[-1] for number in range(100, 250)]
    attempts = [native.attempt(board, Request(solutions=1, node_limit=500)) for board in boards]
    results = [attempt.result for attempt in attempts if attempt.result is not None]
    assert len(results) > 140
    assert sum(bool(result.count) for result in results) > 60
    assert not [attempt.wrong for attempt in attempts if attempt.wrong]


def test_the_solution_of_a_puzzle_is_found_once_and_none_of_a_wrong_one() -> None:
    grid = solution_of(Board.parse("1... ..2. .3.. ...4"))
    assert grid is not None
    assert grid[0] == 1
    assert solution_of(Board.parse("11.. .... .... ....")) is None


def test_a_fault_near_a_puzzle_is_found_from_the_puzzle_alone() -> None:
    label = "tests.helpers.wrong.rules:Forgets"
    (finding,) = hunted(["norvig", label], 60, until=any_finding, puzzles=(CAGES,))
    assert {rule.kind for rule in finding.boards[-1].layout.rules} == {"killer"}


def test_boards_with_hidden_cells_are_changed_and_shrunk(root: Path) -> None:
    (hidden,) = (
        board
        for board in examples(root)
        if board.layout.hidden and not any(isinstance(rule, Doubler) for rule in board.layout.rules)
    )
    for number in range(40):
        assert trial(1, number, puzzles=(hidden,)).boards[-1].layout.hidden
    smallest = shrunk(hidden, lambda board: any(map(is_count, board.layout.rules)), small=False)
    (rule,) = smallest.layout.rules
    assert len(rule.cells) == 4
    assert (len(smallest.layout), len(smallest.layout.hidden)) == (1, 3)
    assert all(len(row) == 1 for row in steps((hidden,)))


def is_count(rule: Rule) -> bool:
    return isinstance(rule, RegionCount) and len(rule.cells) > 3


def test_cells_are_exchanged_until_those_of_a_rule_ascend() -> None:
    cage = Layout.from_units(3, [], shape=(1, 3), rules=[Killer((2, 0, 1), 6)])
    board = random_board(random.Random(1), RandomLayout(cage), "empty")
    smallest = shrunk(board, lambda item: len(cells_of_rules(item)) == 3, small=False)
    assert cells_of_rules(smallest) == [0, 1, 2]


def cells_of_rules(board: Board) -> list[int]:
    return [cell for rule in board.layout.rules for cell in rule.cells]


def test_what_cannot_be_changed_is_refused() -> None:
    with pytest.raises(InputError, match="expected a kind of rule, got 'kiler'; did you mean"):
        fuzz(["norvig"], rules=["kiler"])
    with pytest.raises(InputError, match="expected no sizes for puzzles"):
        fuzz(["norvig"], puzzles=[CAGES], sizes=range(2, 5))


def test_a_hunt_from_puzzles_is_continued_with_the_same_puzzles_only(tmp_path: Path) -> None:
    fuzz(["norvig"], boards=2, puzzles=["1..." * 4], folder=tmp_path, workers=1)
    again = fuzz(["norvig"], boards=3, puzzles=["1..." * 4], folder=tmp_path, workers=1)
    assert again.state.next == 3
    with pytest.raises(InputError, match="holds a hunt with options"):
        fuzz(["norvig"], boards=3, puzzles=["2..." * 4], folder=tmp_path, workers=1)
    with pytest.raises(InputError, match="holds a hunt with options"):
        fuzz(["norvig"], boards=3, folder=tmp_path, workers=1)
