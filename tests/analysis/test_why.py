"""Why a cell must or cannot hold a value: each verdict is proved, each reason is minimal."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from weakref import WeakKeyDictionary

import numpy as np
import pytest

import unidoku
import unidoku.analysis.why as asking
from tests.helpers.boards import INKALA
from tests.helpers.technique_cases import prove
from unidoku import (
    Board,
    InputError,
    Killer,
    Thermo,
    TimeLimitError,
    UnsupportedError,
    is_solution,
    layout,
    why,
)
from unidoku.analysis import cores, showing
from unidoku.analysis.core_reasons import QUICK
from unidoku.analysis.why import Verdict
from unidoku.backends.base import Result, Stop
from unidoku.backends.toolkit.clauses import Clauses
from unidoku.backends.toolkit.models import Models
from unidoku.logic import State
from unidoku.logic.reasons.reasoning import contradiction, why_not
from unidoku.support.notation import named_by
from unidoku.testing.boards import random_board
from unidoku.testing.layouts import RandomLayout, random_layout
from unidoku.testing.rules import with_rules

PROPER = "1... ..2. .3.. ...4"
SEVERAL = "12.. .... .... 21.."


@pytest.mark.parametrize(
    ("cell", "value", "answer"),
    [
        ("A2", 2, "A2 must be 2: if A2 is not 2, box 1 has no place for 2"),
        ("A1", 1, "A1 must be 1: it is given as 1"),
        ("A1", 2, "A1 cannot be 2: it is given as 1"),
        ("A2", 1, "A2 cannot be 1: A1 is 1"),
        ("B1", 4, "B1 cannot be 4: if B1 is 4, box 1 has no place for 3"),
    ],
)
def test_a_value_must_or_cannot_be_with_the_parts_that_show_it(
    cell: str, value: int, answer: str
) -> None:
    assert str(why(PROPER, cell, value)) == answer


def test_where_both_happen_there_are_two_solutions() -> None:
    answer = why(SEVERAL, "A3", 3)
    board = Board.parse(SEVERAL)
    assert answer.verdict is Verdict.EITHER
    assert str(answer) == "A3 can be 3, and need not be: in another solution it is 4"
    with_it, without = answer.solutions
    assert with_it[answer.cell] == 3 != without[answer.cell]
    assert all(is_solution(board, grid) for grid in answer.solutions)


def test_a_board_without_solutions_has_the_smallest_contradiction() -> None:
    clash = why("11.. .... .... ....", "A3", 2)
    assert str(clash) == "no solutions: row A: A1 and A2 are both 1"
    assert clash.parts == ("A1 is 1", "A2 is 1")


def test_a_contradiction_names_givens_and_values_of_units_none_of_which_can_go() -> None:
    board = Board.parse("12.. .... ..3. ...3")
    _, parts = contradiction(board, lambda: None)
    assert parts == ("C3 is 3", "D4 is 3")


def test_rules_that_conflict_are_the_reason_why_there_is_no_solution() -> None:
    rules = [Killer((0, 1), 3), Killer((2, 3), 3), Thermo((4, 5, 9))]
    answer = why(Board.empty(layout("classic", 4).with_rules(*rules)), "A1", 1)
    assert answer.reason == (
        "these cannot all be true: the cage A1 A2 sums to 3; the values rise along B1 B2 C2; "
        "no value is twice in box 1"
    )
    assert "box 1" in answer.parts


def test_a_large_contradiction_is_told_by_its_size() -> None:
    board = "4.8.9..516....3....5...8...5...7.9....2...8....1.4...6...2...9....3....223.76.4.5"
    answer = why(board, "A2", 7)
    assert len(answer.parts) > 12
    size = r"the smallest contradiction found has \d+ parts, \d+ of them given; look at .*"
    assert re.fullmatch(size, answer.reason)


def test_a_contradiction_that_takes_cases_is_shown_by_its_smallest_core(root: Path) -> None:
    pytest.importorskip("pysat")
    board = unidoku.read(root / "examples" / "impossible.txt")[0].board
    answer = why(board, "A1", 1)
    assert answer.verdict is Verdict.NO_SOLUTIONS
    places, *givens = answer.parts
    assert places == "column 5 has a place for 1, a place for 5 and a place for 6"
    split = [given.split(" is ") for given in givens]
    values = {name: int(value) for name, value in split}
    for gone in (None, *values):
        others = {name: value for name, value in values.items() if name != gone}
        grid = [others.get(name, 0) for name in board.layout.names]
        alone = unidoku.solve(Board.from_values(board.layout, grid), solutions=1)
        assert bool(alone.count) is (gone is not None)


def test_what_no_chain_of_single_steps_shows_has_its_reason_after_the_fewest_steps() -> None:
    hard = "..5.....3.....58.......9........2..1.274..3...1.3.7.9.17.2.....8.61....5..2...4.."
    answer = why(hard, "D1", 3)
    assert answer.verdict is Verdict.CANNOT
    assert answer.reason == (
        "after 4 steps of unidoku explain, if D1 is 3, then I1 is 9, "
        "and column 4 has no place for 9"
    )
    assert answer.before == unidoku.explain(hard).steps[:4]
    assert answer.record()["before"] == [step.sentence for step in answer.before]


def test_questions_about_a_board_share_its_walkthrough(monkeypatch: pytest.MonkeyPatch) -> None:
    hard = "..5.....3.....58.......9........2..1.274..3...1.3.7.9.17.2.....8.61....5..2...4.."
    first = why(hard, "D1", 3)
    monkeypatch.setattr("unidoku.analysis.showing.steps_from", lambda *_: pytest.fail("walked"))
    assert str(why(hard, "D1", 3)) == str(first)


def test_a_shared_walkthrough_names_cells_by_the_notation_in_force() -> None:
    hard = "..6....4...278..6.7.........4..7...5..142..98.......3..3..1...2...958..4.......8."
    first = str(why(hard, "A1", 9))
    with named_by("r1c1"):
        answer = why(hard, "r1c1", 9)
        sentences = [str(answer), *(step.sentence for step in answer.before)]
    assert len(sentences) > 3
    assert not [text for text in sentences if re.search(r"\b[A-I][1-9]\b", text)]
    assert str(why(hard, "A1", 9)) == first


@pytest.fixture
def no_walkthrough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walkthroughs end at once, so that a solver is asked for parts."""
    monkeypatch.setattr(showing, "_MOST_TICKS", 0)
    monkeypatch.setattr(showing, "_WALKS", Models())


def test_where_the_walkthrough_is_too_long_a_solver_names_parts_that_need_cases(
    no_walkthrough: None,
) -> None:
    pytest.importorskip("pysat")
    hard = INKALA
    for cell, value in (("A2", 1), ("A2", 2)):
        answer = why(hard, cell, value)
        assert answer.verdict is (Verdict.MUST if value == 1 else Verdict.CANNOT)
        assert "by cases, " in answer.reason
        assert answer.step is not None
        prove(answer.state.board, answer.step)
        assert 1 < len(answer.parts) <= answer.step.parts


@pytest.mark.parametrize(
    ("conflicts", "reason"),
    [
        (1, "no reason by cases is found within 1 conflict"),
        (
            0,
            "no chain of single steps shows it; the extra sat, which finds cases, is missing",
        ),
    ],
)
def test_an_answer_without_a_reason_says_what_proved_it_and_why_there_is_none(
    monkeypatch: pytest.MonkeyPatch, conflicts: int, reason: str
) -> None:
    pytest.importorskip("pysat")
    monkeypatch.setattr(showing, "_WALKS", Models())
    monkeypatch.setattr(asking, "QUICK", replace(QUICK, conflicts=conflicts))
    if not conflicts:
        monkeypatch.setattr(showing, "core_reasons", lambda **_: None)
    answer = why(INKALA, "A2", 2)
    searched = r"every way to fill the rest fails, as a search of \d[\d,]* nodes? shows; "
    assert (answer.verdict, answer.step, answer.parts) == (Verdict.CANNOT, None, ())
    assert re.fullmatch(searched + reason, answer.reason)


def test_rules_too_large_for_clauses_are_left_out_and_that_is_said(
    no_walkthrough: None, monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    pytest.importorskip("pysat")
    monkeypatch.setattr(asking, "QUICK", replace(QUICK, clauses=-1))
    board = unidoku.read(root / "examples" / "rules" / "little-killer.toml")[0].board
    answer = why(board, "A1", 1)
    assert answer.step is None
    assert "without the largest rules" in answer.reason


def test_an_answer_without_a_reason_has_the_steps_and_candidates_that_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hard = "..5.....3.....58.......9........2..1.274..3...1.3.7.9.17.2.....8.61....5..2...4.."
    monkeypatch.setattr(asking, "QUICK", replace(QUICK, conflicts=1))
    answer = why(hard, "A1", 2)
    assert answer.step is None
    assert answer.reason.startswith("after 10 steps of unidoku explain, every way to fill the rest")
    assert answer.before == unidoku.explain(hard, techniques="..swordfish").steps
    assert answer.state.has(answer.cell, 2)
    assert len([*answer.state.all_in(range(81))]) < len(
        [*State.start(answer.board).all_in(range(81))]
    )


def test_a_longer_search_finds_parts_that_a_quick_one_does_not(
    no_walkthrough: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("pysat")
    monkeypatch.setattr(asking, "QUICK", replace(QUICK, conflicts=1))
    assert why(INKALA, "A2", 2).step is None
    longer = why(INKALA, "A2", 2, longer=True)
    assert longer.step is not None
    prove(longer.state.board, longer.step)
    assert longer.parts


def test_a_rule_that_takes_too_many_clauses_is_not_begun_again(
    monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    pytest.importorskip("pysat")
    board = unidoku.read(root / "examples" / "rules" / "little-killer.toml")[0].board
    state = State.start(board)
    monkeypatch.setattr(cores, "_TOO_LARGE", WeakKeyDictionary())
    begun = Mock(side_effect=Clauses)
    monkeypatch.setattr(cores, "Clauses", begun)
    calls = []
    for most in (2, 2, 3, 10_000):
        finder = cores.CoreFinder(state.layout, candidates=state.candidates, most=most)
        calls.append((begun.call_count, finder.model.is_whole))
    assert calls == [(6, False), (6, False), (12, False), (18, True)]


def test_what_a_question_found_before_its_limit_passed_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "_KNOWN", Models())
    unknown = Result(count=0, solutions=(), stop=Stop.TIME, statistics={"nodes": 5_000})
    searched = Mock(return_value=unknown)
    monkeypatch.setattr(asking._Search, "__call__", searched)
    counts = []
    for _ in range(2):
        with pytest.raises(TimeLimitError, match="not decided"):
            why(PROPER, "A2", 2)
        counts.append(searched.call_count)
    assert counts == [5, 6]  # later only the cell is searched, without a limit of nodes


def test_what_propagation_shows_takes_no_walkthrough_and_no_clauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(showing, "_Walk", lambda _: pytest.fail("walked"))
    assert why(INKALA, "A2", 7).verdict is Verdict.CANNOT


def test_a_later_question_is_asked_at_few_states_of_a_known_walkthrough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hard = "..5.....3.....58.......9........2..1.274..3...1.3.7.9.17.2.....8.61....5..2...4.."
    first = why(hard, "D1", 3)
    asked = Mock(side_effect=why_not)
    monkeypatch.setattr(showing, "why_not", asked)
    assert str(why(hard, "D1", 3)) == str(first)
    assert asked.call_count <= 8


def test_rules_are_parts_of_reasons(root: Path) -> None:
    board = unidoku.read(root / "examples" / "rules" / "killer.toml")[0].board
    answer = why(board, "B5", 6)
    assert answer.verdict is Verdict.CANNOT
    assert "the cage A6 B5 B6 sums to 7" in answer.reason


@pytest.mark.parametrize("seed", range(12))
def test_verdicts_agree_with_the_true_candidates_on_random_boards_with_rules(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = seed % 3 == 2  # as where all searches are long
    for name in ("_FEW", "_MORE") if few else ():
        monkeypatch.setattr(asking, name, 1)
    rng = random.Random(seed)
    _, source = random_layout(rng, 4)
    ruled = with_rules(rng, source.layout, source.grid, most=3)
    board = random_board(rng, RandomLayout(ruled, source.grid, source.hard))
    true = unidoku.true_candidates(board, backend="norvig")
    for cell in list(board.layout.cells)[:4]:
        answer = why(board, cell, board.layout.shown[1 + cell % board.layout.n])
        possible = true.values(cell)
        expected: Verdict
        if not possible and few and answer.verdict in (Verdict.CANNOT, Verdict.MUST):
            expected = answer.verdict  # that there are no solutions takes a longer search
        elif not possible:
            expected = Verdict.NO_SOLUTIONS
        elif answer.value not in possible:
            expected = Verdict.CANNOT
        else:
            expected = Verdict.MUST if len(possible) == 1 else Verdict.EITHER
        assert answer.verdict is expected
        if answer.step is not None:
            after = answer.state.after(answer.step)
            assert not any(true.candidates[c] & ~after.candidates[c] for c in board.layout.cells)


def test_what_is_refuted_at_once_needs_no_long_search_for_a_solution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "_KNOWN", Models())
    monkeypatch.setattr(asking, "_FEW", 1)
    monkeypatch.setattr(asking, "_PATIENCE", 0)
    assert why(INKALA, "A1", 7).verdict is Verdict.CANNOT
    assert why(INKALA, "A1", 8).verdict is Verdict.MUST


def test_a_question_has_the_same_answer_whatever_was_asked_before(
    no_walkthrough: None,
) -> None:
    pytest.importorskip("pysat")
    first = why(INKALA, "A3", 6)
    assert "by cases" in first.reason
    for value in (4, 2, 9):
        assert "by cases" in why(INKALA, "A3", value).reason
    again = why(INKALA, "A3", 6)
    assert (again.reason, again.parts) == (first.reason, first.parts)


def test_wrong_cells_and_values_are_named() -> None:
    with pytest.raises(InputError, match="expected a cell from A1 to D4, got 'Z9'"):
        why(PROPER, "Z9", 1)
    with pytest.raises(InputError, match="expected a cell from 0 to 15, got 99"):
        why(PROPER, 99, 1)
    with pytest.raises(InputError, match="expected a value from 1 to 4, got 7"):
        why(PROPER, "A1", 7)
    wrong: Any
    for wrong in (True, 1.5):
        with pytest.raises(InputError, match=f"expected a cell from 0 to 15, got {wrong}"):
            why(PROPER, wrong, 1)
        with pytest.raises(InputError, match=f"expected a value from 1 to 4, got {wrong}"):
            why(PROPER, "A1", wrong)


def test_a_cell_may_be_a_number_of_numpy() -> None:
    cell: Any = np.int64(1)
    assert str(why(PROPER, cell, 2)) == str(why(PROPER, "A2", 2))


def test_a_backend_that_gives_up_and_a_limit_that_passes_are_errors() -> None:
    empty = "." * 81
    with pytest.raises(UnsupportedError, match="logic is not complete"):
        why(empty, "A1", 1, backend="logic")
    with pytest.raises(TimeLimitError):
        why("." * 625, "A1", 1, time_limit=1e-6)


def test_the_only_value_of_a_board_is_shown() -> None:
    why = unidoku.why(Board.empty(layout("latin", 1)), "A1", 1)
    assert str(why) == "A1 must be 1: row A has a place for 1"
