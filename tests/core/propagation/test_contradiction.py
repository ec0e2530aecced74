"""Why a board has no solution, in the words of its rules."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given

from tests.helpers.volume import volume
from unidoku import Board, Layout
from unidoku.core.bits import all_values
from unidoku.core.layout import Unit
from unidoku.core.propagation.contradiction import (
    CellValues,
    conflict,
    contradict,
    explanation,
    hopeless_cell,
)
from unidoku.core.propagation.propagate import propagate
from unidoku.core.rules import Greater, Killer, NonConsecutive, Rule, SumOfCells
from unidoku.core.rules.base import KINDS
from unidoku.support.deadline import Deadline
from unidoku.testing import brute_force
from unidoku.testing.rules import random_rule
from unidoku.testing.strategies import boards, ruled_layouts


def row(*rules: Rule, n: int = 4, cells: int = 5, first_value: int = 1) -> Layout:
    """A row of cells without units."""
    return Layout.from_units(n, [], shape=(1, cells), rules=rules, first_value=first_value)


@pytest.mark.parametrize("kind", KINDS)
def test_every_way_to_break_a_rule_is_told_in_the_words_of_the_rule(kind: str) -> None:
    for seed in range(4):
        chance = random.Random(f"{kind} {seed}")
        layout = row(n=3, first_value=chance.choice((1, 1, 0, 7)))
        rule = random_rule(chance, layout, kind=kind)
        assert rule is not None
        layout = row(rule, n=3, first_value=layout.first_value)
        grids = list(itertools.product(range(1, 4), repeat=len(layout)))
        for grid in chance.sample(grids, min(len(grids), volume(20))):
            messages = [
                (text, violated.words_about(cells, layout.names), cells)
                for (violated, cells), text in zip(
                    layout.broken(grid),
                    map(str, Board.from_values(layout, grid).problems()),
                    strict=True,
                )
            ]
            for text, words, cells in messages:
                texts = [f"{layout.names[cell]} is {layout.shown[grid[cell]]}" for cell in cells]
                assert text.startswith(f"{words}, but ")
                assert all(one_held in text for one_held in texts)
            parts = conflict(Board.from_values(layout, grid))
            assert bool(parts) == bool(messages)
            if parts:
                assert any(isinstance(part, Rule) for part in parts)
                names = [part.words(layout.names) for part in parts if isinstance(part, Rule)]
                assert all(name in explanation(layout, parts) for name in names)


@given(boards(ruled_layouts().filter(lambda layout: layout.n ** len(layout) < 5000)))
def test_what_is_named_contradicts_and_nothing_of_it_can_be_left_out(board: Board) -> None:
    parts = conflict(board)
    assert bool(parts) == (propagate(board) is None)
    layout, masks = board.layout, [all_values(board.layout.n)] * len(board.layout)
    for part in parts:
        assert not contradict(layout, [other for other in parts if other is not part])
        if isinstance(part, CellValues):
            assert part.values == board.candidates[part.cell]
            masks[part.cell] = part.values
    if parts:
        units = [part for part in parts if isinstance(part, Unit)]
        rules = [part for part in parts if isinstance(part, Rule)]
        alone = Layout(
            layout.n, tuple(units), layout.positions, tuple(rules), first_value=layout.first_value
        )
        assert not any(True for _ in brute_force(Board(alone, tuple(masks))))
        assert all(
            (unit.name or " ".join(layout.names[cell] for cell in unit.cells))
            in explanation(layout, parts)
            for unit in units
        )


HIDDEN = SumOfCells((0, 3), 4)
ROW_A = [Unit((0, 1, 2), "row", "row A")]


@pytest.mark.parametrize(
    ("layout", "text", "message"),
    [
        (row(Killer((0, 1), 20)), ".....", "the cage A1 A2 sums to 20, which is impossible"),
        (row(Killer((0, 1), 8)), ".....", "the cage A1 A2 sums to 8, which is impossible"),
        (row(Killer((0, 1), 3)), "3....", "the cage A1 A2 sums to 3, but A1 is 3"),
        (row(SumOfCells((0, 1, 2), 11)), "2....", "A1-A3 sum to 11, but A1 is 2"),
        (row(Greater(((0, 1), (3, 2)))), "34...", "A1 > A2, but A1 is 3 and A2 is 4"),
        (row(SumOfCells((0, 1), 0), first_value=0), "1....", "A1 A2 sum to 0, but A1 is 1"),
        (
            row(NonConsecutive(((0, 1), (1, 2), (3, 4)))),
            "12...",
            "A1 and A2 hold no consecutive values, but A1 is 1 and A2 is 2",
        ),
        (
            Layout.from_units(3, ROW_A, shape=(1, 3), rules=[Killer((0, 1), 4)]),
            "..3",
            "these cannot all be true: the cage A1 A2 sums to 4; no value is twice in row A; "
            "A3 is 3",
        ),
        (
            Layout.from_units(3, [[0, 3]], shape=(1, 3), hidden=[0b110], rules=[HIDDEN]),
            "2..",
            "these cannot all be true: A1 #1 sum to 4; no value is twice in unit A1 #1; A1 is 2",
        ),
    ],
)
def test_a_contradiction_is_told_in_a_sentence(layout: Layout, text: str, message: str) -> None:
    board = Board.parse(text, layout)
    problems = [str(problem) for problem in board.problems()]
    assert message in (problems or [explanation(layout, conflict(board))])


def test_marks_are_told_by_the_values_that_are_left_or_gone_whichever_are_fewer() -> None:
    layout = row(SumOfCells((0, 1), 2), n=5, cells=2)
    few = Board.from_candidates(layout, [{1, 2, 3, 4, 5}, {3, 5}])
    assert explanation(layout, conflict(few)) == "A1 A2 sum to 2, but A2 is 3 or 5"
    many = Board.from_candidates(layout, [{1, 2, 3, 4, 5}, {2, 3, 4, 5}])
    assert explanation(layout, conflict(many)) == "A1 A2 sum to 2, but A2 is not 1"


def test_a_cell_is_told_each_of_whose_values_contradicts() -> None:
    """Three cells in a circle, two values, any two cells different: propagation alone is blind."""
    layout = Layout.from_units(2, [[0, 1], [1, 2], [0, 2]], shape=(1, 3))
    board = Board.empty(layout)
    partial = Layout.from_units(3, [[0, 1], [1, 2], [0, 2]], shape=(1, 3))
    assert not conflict(board)
    message = "A1 cannot hold any value: 1 and 2 each lead to a contradiction"
    assert hopeless_cell(board, Deadline()) == message
    assert hopeless_cell(Board.empty(partial), Deadline()) == ""
    assert hopeless_cell(board, Deadline(1e-9)) == ""
    assert explanation(layout, ()) == ""


def test_what_is_found_when_time_is_up_is_told_as_it_is() -> None:
    layout = row(Killer((0, 1), 20), Killer((2, 3), 4))
    parts = conflict(Board.parse("1....", layout), Deadline(1e-9))
    assert [part for part in parts if isinstance(part, Rule)] == list(layout.rules)
