"""Ratings: what logic needs, how a solution goes, and what searches take on images of a board."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import geometric_mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.volume import volume
from tests.helpers.wrong.answers import fake, honest, says_unknown
from unidoku import Board, Layout, Request, Result, Solver, Stop, layout, load
from unidoku.analysis.rate import Course, Effort, course, measure, rate
from unidoku.errors import InputError, TimeLimitError, UnsupportedError
from unidoku.logic import Ending, Step, chosen, walk_through
from unidoku.logic.catalogue import is_short_contradiction, level_of

NORVIG = load("norvig")
INKALA = Board.parse(
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
)
MEDIUM = Board.parse(
    "52...6.........7.13...........4..8..6......5...........418.........3..2...87....."
)


def nodes_from(*counts: int) -> Effort:
    return Effort(backend="made", nodes=counts, confidence=0.95)


def test_a_board_is_rated_by_its_hardest_step_and_the_sum_of_all() -> None:
    rating, path = rate(MEDIUM), walk_through(MEDIUM)
    assert rating.outcome is Ending.SOLVED
    assert (rating.hardest, rating.rating) == ("pointing", 2.6)
    assert rating.score == path.score
    assert sum(rating.counts.values()) == len(path.steps)
    assert list(rating.counts) == [row.name for row in chosen(rating.counts)]


def test_a_stalled_board_has_the_hardest_technique_so_far_and_no_level() -> None:
    rating = rate(MEDIUM, techniques="full house, hidden single, naked single")
    assert rating.outcome is Ending.STALLED
    assert (rating.hardest, rating.level) == ("hidden single", "")
    nothing = rate(Board.empty(layout("classic", 4)))
    assert (nothing.hardest, nothing.rating, nothing.score) == ("", 0.0, 0)


def test_a_board_without_solutions_has_no_level() -> None:
    rating = rate(Board.parse("11.. .... .... ...."))
    assert rating.outcome is Ending.CONTRADICTION
    assert rating.level == ""


@pytest.mark.parametrize(
    ("text", "level"),
    [("1... ..2. .3.. ...4", "easy"), (MEDIUM.text("line"), "hard")],
)
def test_the_level_is_that_of_the_hardest_technique_until_the_sum_exceeds_it(
    text: str, level: str
) -> None:
    """The second takes locked candidates, which are medium, but its sum is above 1000."""
    assert rate(Board.parse(text)).level == level


def test_ratings_print_as_one_line() -> None:
    assert repr(rate(MEDIUM)) == "<Difficulty: pointing (2.6), score 1,076, hard>"
    assert repr(nodes_from(7, 7)) == "<Effort of made: 7.0 (7.0 to 7.0) nodes>"


def test_a_rating_by_logic_ends_at_its_time_limit() -> None:
    with pytest.raises(TimeLimitError):
        rate(MEDIUM, time_limit=1e-9)


def test_the_mean_of_an_effort_is_geometric_and_zero_nodes_count() -> None:
    assert nodes_from(7, 7, 7).mean == pytest.approx(7)
    assert nodes_from(0, 0).mean == 0
    assert nodes_from(0, 3).mean == pytest.approx(1)
    assert nodes_from(999, 99, 9).mean == pytest.approx(99)


def test_the_interval_is_students_in_logarithms() -> None:
    scipy = pytest.importorskip("scipy.stats")
    counts = (3, 8, 20, 41, 7)
    logs = [math.log(count + 1) for count in counts]
    low, high = scipy.t.interval(0.95, len(logs) - 1, loc=sum(logs) / 5, scale=scipy.sem(logs))
    expected = (math.exp(low) - 1, math.exp(high) - 1)
    assert nodes_from(*counts).interval == pytest.approx(expected, rel=1e-9)
    assert nodes_from(5, 5).interval == pytest.approx((5, 5))
    assert nodes_from(0, 1).interval[0] == 0, "there are no fewer than none"


def test_an_effort_is_measured_on_images_and_given_again_by_its_seed() -> None:
    effort = measure(INKALA, NORVIG, isomorphs=4, seed=7)
    assert effort == measure(INKALA, NORVIG, isomorphs=4, seed=7)
    assert effort.nodes != measure(INKALA, NORVIG, isomorphs=4, seed=8).nodes
    assert len(set(effort.nodes)) > 1, "turned boards take other nodes"
    assert effort.mean == pytest.approx(geometric_mean([n + 1 for n in effort.nodes]) - 1)
    low, high = effort.interval
    assert low < effort.mean < high


@pytest.mark.parametrize("variant", ["x", "windoku", "latin", "non-consecutive", "anti-knight"])
def test_every_layout_has_images(variant: str) -> None:
    board = Board.empty(layout(variant, 4)).assign("A1", 1)
    assert len(measure(board, NORVIG, isomorphs=3).nodes) == 3


def test_the_question_is_whether_there_is_a_second_solution() -> None:
    asked: list[Request] = []

    def listens(board: Board, request: Request, result: Result) -> Result:
        asked.append(request)
        return result

    measure(MEDIUM, fake("listens", listens), isomorphs=2, time_limit=60)
    assert [request.solutions for request in asked] == [2, 2]
    assert all(0 < (request.time_limit or 0) <= 60 for request in asked)


def test_a_backend_that_reports_no_nodes_is_refused() -> None:
    def silent(board: Board, request: Request, result: Result) -> Result:
        return Result(count=result.count, solutions=result.solutions, stop=result.stop)

    with pytest.raises(UnsupportedError, match="expected a backend that reports nodes, got 'mute'"):
        measure(MEDIUM, fake("mute", silent), isomorphs=2)


def test_a_backend_that_gives_up_is_refused() -> None:
    def gives_up(board: Board, request: Request, result: Result) -> Result:
        return Result(count=0, solutions=(), stop=Stop.INCOMPLETE, statistics=result.statistics)

    weak = fake("weak", gives_up)
    partial = replace(weak.spec, capabilities=replace(weak.spec.capabilities, complete=False))
    with pytest.raises(UnsupportedError, match="decides every board, got 'weak'"):
        measure(MEDIUM, Solver(partial, weak.backend), isomorphs=2)


def test_a_measurement_ends_at_its_time_limit() -> None:
    with pytest.raises(TimeLimitError, match="slow: time limit of 5 s reached after 0 of 2 images"):
        measure(MEDIUM, fake("slow", says_unknown), isomorphs=2, time_limit=5)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"isomorphs": 1}, "expected at least 2"), ({"confidence": 1.0}, "between 0 and 1")],
)
def test_options_that_make_no_interval_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        measure(MEDIUM, fake("honest", honest), **options)  # type: ignore[arg-type]  # mixed


@settings(max_examples=volume(50))
@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=8), st.floats(0.5, 0.999))
def test_the_mean_lies_in_its_interval_and_between_the_extremes(
    counts: list[int], confidence: float
) -> None:
    effort = Effort(backend="made", nodes=tuple(counts), confidence=confidence)
    low, high = effort.interval
    slack = 1e-6 * (1 + effort.mean)
    assert low - slack <= effort.mean <= high + slack
    assert min(counts) - slack <= effort.mean <= max(counts) + slack


def test_an_interval_that_no_float_holds_ends_at_infinity() -> None:
    effort = Effort(backend="made", nodes=(0, 10**9), confidence=0.998)
    assert effort.interval == (0.0, math.inf)


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
