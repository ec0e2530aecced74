"""Hints on a board that somebody fills in: no step leads on from a mistake, which is named."""

from __future__ import annotations

import random

import pytest

import unidoku
from tests.helpers.boards import INKALA
from unidoku import Board, InputError
from unidoku.analysis import walk
from unidoku.logic import Ending
from unidoku.logic.show.words import outcome
from unidoku.testing.boards import random_board
from unidoku.testing.layouts import RandomLayout, random_layout
from unidoku.testing.rules import with_rules

PROPER = "1... ..2. .3.. ...4"


@pytest.mark.parametrize("seed", range(12))
def test_one_wrong_entry_is_found_and_no_step_is_given(seed: int) -> None:
    rng = random.Random(seed)
    _, source = random_layout(rng, 4)
    ruled = with_rules(rng, source.layout, source.grid, most=3)
    board = random_board(rng, RandomLayout(ruled, source.grid, source.hard))
    result = unidoku.solve(board, solutions=2)
    true = unidoku.true_candidates(board, backend="norvig")
    names = board.layout.names
    right = [c for c in board.layout.cells if true.values(c) and not board.givens[c]]
    if not right:
        return
    cell = rng.choice(right)
    entries = {names[cell]: board.layout.shown[true.values(cell)[0]]}
    going_on = unidoku.hint(board, entries=entries)
    assert going_on or not going_on.mistake
    wrong = [v for v in board.values(cell) if v not in true.values(cell)]
    for value in wrong[:1]:
        hint = unidoku.hint(board, entries={names[cell]: board.layout.shown[value]})
        assert not hint
        assert hint.ending is Ending.CONTRADICTION
        assert hint.mistake is not None
        assert hint.mistake.cells == (cell,)
        assert hint.mistake.words.startswith(f"{names[cell]} cannot be ")
        if result.unique:
            assert "no chain" not in hint.mistake.words or not hint.mistake.parts


def test_of_several_wrong_entries_the_one_with_the_smallest_reason_is_told() -> None:
    hint = unidoku.hint(PROPER, entries="1..2 4.2. 13.. ...4")
    assert not hint
    assert hint.mistake is not None
    assert hint.mistake.cells == (3, 4, 8)
    assert hint.mistake.stages == (
        "something is wrong",
        "look again at row A",
        "A4 cannot be 2: B3 is 2; also wrong: B1 and C1",
    )


def test_entries_that_clash_where_several_solutions_exist_are_told_together() -> None:
    hint = unidoku.hint("." * 16, entries={"A1": 2, "A4": 2, "D2": 3})
    assert not hint
    assert hint.mistake is not None
    assert hint.mistake.cells == (0, 3)
    assert hint.mistake.words.startswith("A1 is 2 and A4 is 2 cannot all be right: ")


def test_a_puzzle_without_solutions_is_not_blamed_on_its_entries() -> None:
    hint = unidoku.hint("11.. .... .... ....", entries={"A4": 2})
    assert not hint
    assert hint.mistake is not None
    assert hint.mistake.cells == ()
    assert hint.mistake.stages[1] == "the puzzle itself has no solution"
    assert hint.mistake.parts == ("A1 is 1", "A2 is 1")


def test_why_there_is_no_step_is_told_apart() -> None:
    solved = unidoku.hint(unidoku.solve(PROPER).solutions[0], variant="classic")
    beyond = unidoku.hint("." * 16)
    clash = unidoku.hint("11.. .... .... ....")
    assert not solved
    assert not beyond
    assert not clash
    endings = [solved.ending, beyond.ending, clash.ending]
    assert endings == [Ending.SOLVED, Ending.STALLED, Ending.CONTRADICTION]
    assert str(clash) == "no step: the board has no solutions, row A: A1 and A2 are both 1"
    assert str(beyond) == "no step: no technique finds one, and the board has several solutions"
    stalled = unidoku.explain("." * 16)
    assert outcome(stalled).endswith("finds another, and the board has several solutions")


def test_a_wrong_entry_is_not_told_as_a_board_without_solutions() -> None:
    hint = unidoku.hint(PROPER, entries={"A2": 3})
    assert str(hint) == "no step: something is wrong, A2 cannot be 3: C2 is 3"
    path = unidoku.explain(PROPER, entries={"A2": 3})
    assert outcome(path) == "no solutions with these entries: A2 cannot be 3: C2 is 3"


def test_a_wrong_entry_that_no_chain_shows_is_told_without_words_of_solvers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("unidoku.analysis.showing.core_reasons", lambda **_: None)
    hard = INKALA
    assert str(unidoku.hint(hard, entries={"A2": 2})) == (
        "no step: something is wrong, A2 cannot be 2: every way to fill the rest fails, "
        "but no chain of single steps shows it"
    )


def test_explain_takes_no_step_from_a_mistake_and_goes_on_from_right_entries() -> None:
    wrong = unidoku.explain(PROPER, entries={"A2": 4})
    assert (wrong.outcome, wrong.steps) == (Ending.CONTRADICTION, ())
    right = unidoku.explain(PROPER, entries={"A2": 2})
    assert right.outcome is Ending.SOLVED
    assert len(right.steps) == 11


def test_what_is_undecided_is_told_and_the_step_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "has_solution", lambda *_: None)
    notes: list[str] = []
    assert unidoku.hint(PROPER, tell=notes.append)
    assert unidoku.explain(PROPER, tell=notes.append).steps
    assert notes == [walk.UNDECIDED] * 2


def test_entries_that_cannot_be_are_refused_by_name() -> None:
    for entries, message in (
        ({"A1": 2}, "entries: expected 1 in A1, as the puzzle says, got 2"),
        ({"Z9": 2}, "expected a cell from A1 to D4, got 'Z9'"),
        ({"A2": 7}, "expected a value from 1 to 4, got 7"),
        (Board.parse("." * 81), "entries: expected a board of the puzzle's layout"),
    ):
        with pytest.raises(InputError, match=message):
            unidoku.hint(PROPER, entries=entries)
