"""The backend of human techniques: alone it may give up, with search it is complete."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

import unidoku
from tests.helpers.boards import HARD, WIKIPEDIA
from tests.helpers.volume import volume
from unidoku import Board, Status, Stop
from unidoku.errors import OptionError, UnsupportedError
from unidoku.testing.strategies import boards


def test_a_board_that_logic_solves_is_solved_and_proved_unique_without_a_guess() -> None:
    result = unidoku.solve(Board.parse(WIKIPEDIA), backend="logic", solutions=2)
    assert result.unique is True
    assert (result.statistics["nodes"], result.statistics["steps"]) == (1, 51)


def test_a_stalled_board_is_unknown_and_its_candidates_are_returned() -> None:
    board = Board.parse(HARD)
    result = unidoku.solve(board, backend='logic[techniques="eliminate, only choice"]')
    assert (result.status, result.stop, result.count) == (Status.UNKNOWN, Stop.INCOMPLETE, 0)
    propagated = unidoku.propagate(board)
    assert propagated is not None
    assert result.candidates == propagated.candidates


def test_the_solver_of_the_courses_is_a_list_of_techniques_and_search() -> None:
    label = 'logic[techniques="eliminate, only choice, naked twins",search=true]'
    result = unidoku.solve(Board.parse(HARD), backend=label, solutions=2)
    assert result.unique is True
    assert result.statistics["nodes"] > 1


@settings(max_examples=volume(50))
@given(boards())
def test_without_search_it_loses_no_solution(board: Board) -> None:
    result = unidoku.solve(board, backend="logic", solutions=2)
    true = unidoku.true_candidates(board, backend="norvig").candidates
    if result.stop is Stop.EXHAUSTED:
        assert result.count == (1 if any(true) else 0)
    for left, remaining in zip(result.candidates or (), true, strict=False):
        assert left & remaining == remaining


def test_techniques_that_rest_on_uniqueness_prove_none() -> None:
    board = Board.parse(HARD)
    with pytest.raises(UnsupportedError, match=r"unique one \(unique rectangle, BUG\): use"):
        unidoku.solve(board, backend="logic[techniques=all,search=true]", solutions=2)
    result = unidoku.solve(board, backend="logic[techniques=all,search=true]")
    assert (result.count, result.stop) == (1, Stop.SOLUTIONS)


def test_questions_that_need_every_answer_are_refused_where_logic_gives_up() -> None:
    with pytest.raises(UnsupportedError, match="logic is not complete and did not decide"):
        unidoku.true_candidates(Board.parse("1" + 80 * "."), backend="logic")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"techniques": "hiden pair"}, "expected a technique, got 'hiden pair'; did you mean"),
        ({"techniques": ""}, "expected a technique, got ''"),
        ({"techniques": 3}, "option 'techniques': expected text, got 3"),
        ({"search": "yes"}, "option 'search': expected bool, got 'yes'"),
    ],
)
def test_options_that_are_none_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        unidoku.load("logic", **options)
