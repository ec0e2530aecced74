"""Reasons by cores: minimal, proved by another backend, the same each time."""

from __future__ import annotations

import math
from functools import cache

import pytest

import unidoku
from tests.helpers.boards import INKALA
from tests.helpers.technique_cases import prove
from unidoku import Board, Killer
from unidoku.analysis import core_reasons
from unidoku.analysis.core_reasons import CoreReasons, Witnesses, with_cores
from unidoku.analysis.cores import CoreFinder
from unidoku.core.bits import bits_of
from unidoku.logic import Ending, State, Step, chosen, walk_through
from unidoku.logic.reasons import reasoning
from unidoku.logic.reasons.reasoning import MOST_PARTS
from unidoku.logic.reasons.search import Reason
from unidoku.logic.show.words import summary
from unidoku.support.text import plural

pytest.importorskip("pysat")
pytest.importorskip("clingo")

SMALL = "1... ..2. .3.. ...4"
STALLED = walk_through(INKALA, techniques="..grouped AIC").final


def reason_at(state: State) -> Reason:
    reason = CoreReasons()(state)
    assert reason is not None
    return reason


@cache
def reason_where_stalled() -> Reason:
    return reason_at(STALLED)


def test_a_reason_is_a_core_by_another_backend_and_none_of_its_parts_can_go() -> None:
    prove_core(reason_where_stalled())


def prove_core(reason: Reason) -> None:
    """Assert that the parts of a reason refute its candidates, and that none can be left out."""
    finder = CoreFinder(STALLED.layout, "clingo")
    model = finder.model
    for cell, mask in enumerate(STALLED.candidates):
        for value in set(range(1, 10)) - {v for _, v in STALLED.all_in([cell])}:
            assert not mask >> value - 1 & 1
            finder.live.add([-model.candidate(cell, value)])
    for candidate in reason.removed:
        assert isinstance(finder.core(reason.parts, [model.candidate(*candidate)]), int)
    alone = [model.candidate(*reason.removed[0])]
    for number in bits_of(reason.parts):
        assert finder.core(reason.parts & ~(1 << number), alone) is None


def test_parts_are_exchanged_for_fewer_ones_where_a_reason_has_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(core_reasons, "_MOST_EXCHANGED", 0)
    usual = reason_at(STALLED).parts.bit_count()
    monkeypatch.setattr(core_reasons, "_MOST_EXCHANGED", 2)
    monkeypatch.setattr(core_reasons, "MOST_PARTS", usual - 1)
    monkeypatch.setattr(core_reasons, "_NEAR", usual)
    source = CoreReasons()
    smaller = source(STALLED)
    assert smaller is not None
    assert smaller.parts.bit_count() <= usual
    prove_core(smaller)


def test_what_earlier_states_taught_is_given_up_where_it_leads_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A core of an earlier state may have parts that the candidates gone since make needless."""
    source = CoreReasons()
    reason = source(STALLED)
    assert source._live is not None
    monkeypatch.setattr(source._live, "cheapest", lambda *_: None)
    assert source(STALLED) == reason


def test_the_same_state_has_the_same_reason_whatever_came_before() -> None:
    state = State.start(Board.parse(SMALL))
    other = CoreReasons()
    assert other(State.start(Board.empty(state.layout))) is None
    assert reason_at(state) == reason_at(state) == other(state)


def test_what_models_teach_is_what_another_solver_says() -> None:
    """Answers without a question are true, and bounds hold, or cheap reasons would be missed."""
    source, models = CoreReasons(), Witnesses()
    reason = source(STALLED)
    assert reason is not None
    assert source._live is not None
    finder, answers = CoreFinder(STALLED.layout, "clingo"), source._live.models.all
    parts, model = finder.model.parts, finder.model
    weights = parts.weights(STALLED.candidates)[: parts.first_given]
    models.begin(STALLED.candidates, weights)
    for values, broken in answers[:20]:
        models.add(values, broken)
        rest = (1 << parts.first_given) - 1 & ~broken
        assert models.satisfies(rest, values[0])
        assert finder.core(rest, [model.candidate(*each) for each in values]) is None
    for candidate in reason.removed[:1]:
        needed, least = models.needed(reason.parts, candidate)
        assert not needed & ~reason.parts
        assert least <= sum(weights[part] for part in bits_of(reason.parts))
        assert not models.satisfies(reason.parts, candidate)


def test_models_that_hold_what_is_gone_are_forgotten() -> None:
    models = Witnesses()
    models.begin((0b11, 0b11), (4, 6))
    models.add([(0, 1)], 0b01)
    models.add([(0, 1), (1, 2)], 0b10)
    assert models.needed(0b11, (0, 1)) == (0b11, 10)
    assert models.satisfies(0b10, (0, 1))
    assert not models.satisfies(0b11, (0, 1))
    models.begin((0b11, 0b01), (4, 6))
    assert models.needed(0b11, (0, 1)) == (0b01, 4)
    assert not models.satisfies(0b01, (1, 2))


def test_steps_by_cores_are_sound_and_found_where_propagation_finds_none() -> None:
    (row,) = with_cores(chosen("short reason"), CoreReasons())
    assert not [*chosen("short reason")[0].steps(STALLED)]
    steps = [*row.steps(STALLED)]
    for step in steps:
        prove(STALLED.board, step)
        assert int(step.reason.split()[1]) <= MOST_PARTS
    walk = unidoku.explain(INKALA, techniques="..hidden single, short reason", time_limit=0.5)
    assert steps or walk.outcome is not Ending.SOLVED


def test_too_large_models_have_no_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    square = unidoku.layout("classic", 4)
    board = Board.empty(unidoku.Layout(4, square.units, square.positions, (Killer((0, 1, 2), 6),)))
    monkeypatch.setattr("unidoku.analysis.cores.MOST_VARIABLES", 10)
    assert CoreReasons()(State.start(board)) is None


def test_a_walkthrough_that_stalls_says_how_long_the_shortest_reason_is() -> None:
    walk = unidoku.explain(INKALA, techniques="..grouped AIC, short reason", most_parts=8)
    assert walk.outcome is Ending.STALLED
    assert walk.final.candidates == STALLED.candidates
    size = plural(reason_where_stalled().parts.bit_count(), "part")
    end = f"no technique finds another, and the shortest reason found has {size}"
    assert summary(walk).endswith(end)


def test_reasons_of_any_size_lead_on_and_large_ones_are_told_by_their_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reasoning, "_MOST_TOLD", MOST_PARTS)
    (row,) = with_cores(chosen("short reason"), CoreReasons(most=math.inf), math.inf)
    (step,) = row.steps(STALLED)
    prove(STALLED.board, step)
    assert step.parts > MOST_PARTS
    assert step.reason.startswith(f"of {step.parts} parts, by cases, from box 3, box 5, ")
    (row,) = with_cores(chosen("short reason"), CoreReasons(most=math.inf), step.parts - 1)
    assert not [*row.steps(STALLED)]


@pytest.mark.thorough
def test_a_board_beyond_twelve_parts_is_explained_to_its_end_by_larger_reasons() -> None:
    walk = unidoku.explain(INKALA, techniques="..grouped AIC, short reason", most_parts=math.inf)
    assert walk.outcome is Ending.SOLVED
    assert max(step.parts for step in walk.steps) > MOST_PARTS
    solution = unidoku.solve(INKALA).solutions[0]
    for state in walk.states:
        assert all(mask >> v - 1 & 1 for mask, v in zip(state.candidates, solution, strict=True))


def test_without_a_source_the_techniques_are_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_reasons, "find_spec", lambda _: None)
    rows = chosen("usual")
    assert tuple(with_cores(rows, core_reasons.core_reasons())) == rows
    assert isinstance(unidoku.hint("1... ..2. .3.. ...4"), Step)
