"""How a solution by logic goes: forcing, openings, and the largest reason."""

from __future__ import annotations

from dataclasses import replace

from unidoku import Board, Layout, layout, rate
from unidoku.analysis.course import Course, course
from unidoku.logic import Step, chosen, walk_through
from unidoku.logic.levels import is_short_contradiction, level_of

SMALL = Board.parse("1... ..2. .3.. ...4")
NINE = layout("classic", 9)


def a_step(technique: str, *, rating: float = 0.0, parts: int = 0) -> Step:
    return Step(layout=NINE, reason="", technique=technique, rating=rating, parts=parts)


def test_openings_are_the_different_singles_at_each_step() -> None:
    path = walk_through(SMALL, techniques="full house, hidden single, naked single")
    rows = chosen("full house, hidden single, naked single")
    whole = course(path, rows)
    for state in path.states[:-1]:
        ways = {step.placements for row in rows for step in row.steps(state)}
        assert ways
    last = {step.placements for row in rows for step in row.steps(path.states[-2])}
    assert len(last) == 1
    assert whole.narrow >= 1
    assert whole.openings > 1
    assert (whole.forcing, whole.largest_reason) == (0, 0)


def test_a_course_is_told_in_words_and_as_a_table() -> None:
    whole = Course(forcing=1, openings=2.25, narrow=3, largest_reason=4)
    words = "1 step of forcing; 2.2 openings a step, one at 3 steps; the largest reason has 4 parts"
    assert str(whole) == words
    assert str(replace(whole, forcing=0, narrow=0, largest_reason=0)) == (
        "no forcing; 2.2 openings a step"
    )
    assert rate(SMALL).record()["course"]["forcing"] == 0


def test_the_largest_reason_and_forcing_are_those_of_the_steps() -> None:
    [reason] = [a_step("short reason", parts=5)]
    path = walk_through(SMALL)
    steps = (reason, a_step("forcing contradiction", rating=8.7))
    told_by = course(replace(path, steps=steps, states=path.states[:3]), chosen("usual"))
    assert (told_by.largest_reason, told_by.forcing, told_by.narrow) == (5, 1, 2)


def test_a_few_short_contradictions_are_unfair_and_not_extreme() -> None:
    short = a_step("short reason", parts=4)
    assert is_short_contradiction(short)
    assert not is_short_contradiction(a_step("short reason", parts=7))
    assert not is_short_contradiction(a_step("forcing contradiction", rating=9.3))
    easy = [a_step("hidden single")] * 40
    assert level_of(easy, NINE) == "easy"
    assert level_of([*easy, *[short] * 5], NINE) == "unfair"
    assert level_of([*easy, *[short] * 6], NINE) == "extreme"
    assert level_of([*easy, a_step("short reason", parts=9)], NINE) == "extreme"


def test_the_sum_counts_on_boards_of_nine_values_without_rules_only() -> None:
    many = [a_step("naked pair")] * 40
    assert level_of(many, NINE) == "extreme"
    assert level_of(many, layout("classic", 6)) == "medium"
    ruled = Layout.from_units(2, [(0, 1)])
    assert level_of(many, ruled) == "medium"
