"""Ratings: what logic needs, and what searches take on the images of a board."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import geometric_mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.volume import volume
from tests.helpers.wrong.answers import fake, honest, says_unknown
from unidoku import Board, Request, Result, Solver, Stop, layout, load
from unidoku.analysis.rate import Effort, measure, rate
from unidoku.errors import InputError, TimeLimitError, UnsupportedError
from unidoku.logic import Ending, chosen, walk_through

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
