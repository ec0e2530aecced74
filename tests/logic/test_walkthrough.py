"""The path from easiest step to easiest step, and the states on it."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings

import unidoku
from tests.helpers.boards import HARD
from tests.helpers.volume import volume
from unidoku import Board, Layout, is_solution, layout
from unidoku.core.variants import overlap
from unidoku.errors import InputError, TimeLimitError, UnsupportedError
from unidoku.files.examples import find_example
from unidoku.logic import (
    TECHNIQUES,
    Ending,
    State,
    Step,
    chosen,
    technique,
    up_to,
    usual,
    walk_through,
)
from unidoku.testing.strategies import boards


def test_a_path_ends_in_the_solution_and_begins_with_the_easiest_step() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    path = walk_through(board)
    assert path.outcome is Ending.SOLVED
    assert path.grid is not None
    assert is_solution(board, path.grid)
    assert path.steps[0] == unidoku.hint(board)
    assert (path.rating, path.score) == (1.2, 8 * 4 + 4 * 14)
    assert repr(path) == "<Walkthrough of 12 steps, solved>"


def test_the_practice_boards_and_the_first_of_the_diagonals_are_solved_by_logic() -> None:
    for name in ("practice", "three-spellings", "small"):
        for puzzle in find_example(name).puzzles():
            assert walk_through(puzzle.board).outcome is Ending.SOLVED, puzzle.name


def test_a_path_stalls_where_the_techniques_end() -> None:
    path = walk_through(Board.parse(HARD), techniques="full house, hidden single, naked single")
    assert path.outcome is Ending.STALLED
    assert path.grid is None
    propagated = unidoku.propagate(Board.parse(HARD))
    assert propagated is not None
    assert path.final.candidates == propagated.candidates


def test_an_empty_board_has_no_step() -> None:
    path = walk_through(Board.empty(layout("classic", 4)))
    assert (path.outcome, path.steps, path.hardest, path.rating) == (Ending.STALLED, (), None, 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("11.. .... .... ....", "A2 cannot be 1"),
        ("12.. .... .3.. 3...", "B4 cannot be 3"),
        ("123. ...4 .... ....", "A4 has no candidates left"),
    ],
)
def test_a_contradiction_is_an_outcome_and_says_why(text: str, reason: str) -> None:
    path = walk_through(Board.parse(text))
    assert path.outcome is Ending.CONTRADICTION
    assert path.final.contradiction


def test_a_full_unit_without_a_place_is_a_contradiction_from_the_start() -> None:
    row = Layout.from_units(3, [[0, 1, 2]], shape=(1, 3))
    board = Board.from_candidates(row, [{1, 2}, {1, 2}, {1, 2}])
    assert State.start(board).contradiction == "row A has no place left for 3"


def test_a_rule_that_placed_values_break_is_a_contradiction() -> None:
    board = Board.from_values(layout("latin+non-consecutive", 2), (1, 2, 2, 1))
    assert walk_through(board).outcome is Ending.CONTRADICTION


def test_a_placement_takes_its_value_from_peers_and_what_a_rule_forbids() -> None:
    board = Board.empty(layout("latin+non-consecutive", 5))
    step = Step(layout=board.layout, reason="a guess", placements=((0, 3),))
    state = State.start(board).after(step)
    left = Board(board.layout, state.candidates)
    assert left.values("A2") == (1, 5)
    assert left.values("A3") == (1, 2, 4, 5)
    assert not state.has(0, 3), "a placed cell is no place any more"


@settings(max_examples=volume(12))
@given(boards())
def test_states_only_lose_candidates_and_a_solved_one_is_a_solution(board: Board) -> None:
    path = walk_through(board)
    assert len(path.states) == len(path.steps) + 1
    for before, after in zip(path.states, path.states[1:], strict=False):
        assert before.candidates != after.candidates or before.placed != after.placed
        assert all(
            not new & ~old for old, new in zip(before.candidates, after.candidates, strict=True)
        )
    if path.grid is not None:
        assert is_solution(board, path.grid)


@settings(max_examples=volume(25))
@given(boards())
def test_places_are_the_candidates_of_cells_that_are_not_placed(board: Board) -> None:
    for state in walk_through(board).states:
        for cell in board.layout.cells:
            for value in range(1, board.layout.n + 1):
                is_candidate = bool(state.candidates[cell] >> value - 1 & 1)
                placed = bool(state.placed >> cell & 1)
                assert state.has(cell, value) == (is_candidate and not placed)


def test_a_path_ends_at_its_time_limit() -> None:
    path = walk_through(Board.parse(HARD), time_limit=1e-6)
    assert path.outcome is Ending.UNFINISHED
    assert len(path.steps) <= 1
    with pytest.raises(TimeLimitError, match=r"limit of 1e-06 s reached after [01] steps$"):
        path.finished()
    assert walk_through(Board.parse(HARD)).finished().outcome is Ending.SOLVED


def test_techniques_are_given_by_name_or_as_rows() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    by_name = walk_through(board, techniques="naked single")
    assert by_name.steps == walk_through(board, techniques=chosen("naked single")).steps
    assert set(by_name.counts) == {"naked single"}
    step = by_name.steps[0]
    assert repr(step) == f"<Step: {step}>" != "<Step: None>"


def test_a_path_can_be_pickled_and_shown_in_a_notebook() -> None:
    path = walk_through(Board.parse("1... ..2. .3.. ...4"))
    assert pickle.loads(pickle.dumps(path)).steps == path.steps
    assert "hidden single 2 in box 1: A2 is 2" in (path._repr_html_() or "")


def test_steps_name_units_as_their_own_layout_does() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    placed = Board(overlap([(board.layout, (0, 0))]), board.candidates)
    assert placed.layout == board.layout
    for first, named in [(board, "box 1"), (placed, "box 1 of grid 1"), (board, "box 1")]:
        assert str(walk_through(first).steps[0]) == f"hidden single 2 in {named}: A2 is 2"


def test_techniques_stand_in_the_order_of_their_ratings_under_names_of_their_own() -> None:
    ratings = [row.rating for row in TECHNIQUES]
    assert ratings == sorted(ratings)
    names = [row.name for row in TECHNIQUES]
    assert len(set(names)) == len(names)
    assert not set(names) & {other for row in TECHNIQUES for other in row.aliases}
    assert all(row.score > 0 for row in TECHNIQUES)


def test_techniques_are_found_by_any_of_their_names() -> None:
    assert technique("Hidden  Singles").name == "hidden single"
    assert [row.name for row in chosen("eliminate, only choice, naked twins")] == [
        "hidden single",
        "naked single",
        "naked pair",
    ]
    assert [row.name for row in chosen("sub-group exclusion rule")] == ["pointing", "claiming"]
    permutation = {row.name for row in chosen("general permutation rule")}
    assert permutation == {"naked pair", "naked triple", "naked quad", "naked set"}
    easy = up_to("hidden single")
    assert easy == TECHNIQUES[:3] == chosen("..hidden single")
    assert [row.name for row in easy] == ["full house", "last cell of a rule", "hidden single"]
    assert chosen("all") == TECHNIQUES


def test_what_rests_on_uniqueness_is_off_unless_it_is_named() -> None:
    resting = {row.name for row in TECHNIQUES if row.needs_uniqueness}
    assert resting == {"unique rectangle", "BUG"}
    assert not resting & {row.name for row in usual()}
    assert not resting & {row.name for row in up_to("grouped AIC")}
    assert [row.name for row in up_to("BUG")][-1] == "BUG"


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="expected a technique, got 'swordfsh'; did you mean"):
        chosen("swordfsh")


def test_a_technique_is_refused_on_a_layout_where_it_does_not_hold() -> None:
    board = Board.empty(layout("non-consecutive", 4))
    with pytest.raises(UnsupportedError, match="unique rectangle is not valid on"):
        walk_through(board, techniques="all")
    with pytest.raises(UnsupportedError, match="leave it out"):
        walk_through(board, techniques="BUG")
