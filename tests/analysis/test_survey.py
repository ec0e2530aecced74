"""What a survey tells setters about a puzzle, compared with known counts."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.helpers.volume import SOAK, volume
from unidoku import (
    Board,
    Killer,
    Layout,
    check,
    estimate_count,
    generate,
    layout,
    load,
    read,
    survey,
)
from unidoku.analysis.estimate import CountEstimate
from unidoku.analysis.survey import conflicting_parts
from unidoku.core.layout import Unit
from unidoku.core.propagation.contradiction import assembled, part_in_words, parts_of
from unidoku.core.rules import Doubler, Sandwich
from unidoku.errors import InputError
from unidoku.support.deadline import Deadline
from unidoku.testing.strategies import boards, ruled_layouts


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a survey count for minutes: exact numbers are told, however busy the machine is."""
    monkeypatch.setattr("unidoku.analysis.survey._COUNTING", 600.0)
    monkeypatch.setattr("unidoku.analysis.survey._TIME", 600.0)


def empty(variant: str, n: int) -> Board:
    return Board.empty(layout(variant, n))


@pytest.mark.parametrize(
    ("variant", "n", "known"),
    [("classic", 4, 288), ("latin", 4, 576), ("latin", 5, 161_280), ("classic", 6, 28_200_960)],
)
def test_known_numbers_of_grids_are_counted_or_lie_near_the_estimate(
    variant: str, n: int, known: int
) -> None:
    count = estimate_count(empty(variant, n), probes=100, seed=7)
    assert count.is_exact is (known <= 10_000)
    assert count.estimate is not None
    assert abs(count.estimate - known) <= (0 if count.is_exact else 0.15 * known)
    assert count.low <= count.estimate <= count.high


def test_a_board_without_solutions_has_exactly_none() -> None:
    assert estimate_count("11.. .... .... ....") == CountEstimate(0, 0, 0)


def test_what_no_time_is_left_for_is_a_lower_bound() -> None:
    count = estimate_count(empty("classic", 9), time_limit=0.02)
    assert math.isinf(count.high)
    assert str(count).startswith("at least ")


def test_grids_that_hidden_cells_repeat_are_estimated_too() -> None:
    square = layout("latin", 5)
    board = Board.empty(replace(square, hidden=(31,)))
    count = estimate_count(board, probes=60, seed=7)
    assert count.estimate is not None
    assert abs(count.estimate - 161_280) < 0.15 * 161_280


def test_one_probe_tells_nothing_of_its_spread() -> None:
    with pytest.raises(InputError, match="probes: expected two or more, got 1"):
        estimate_count("....", variant="latin", probes=1)


CAGES = (Killer((0, 1), 3), Killer((2, 3), 7), Killer((0, 4), 4), Killer((0, 1), 3))


def caged(*rules: Killer) -> Board:
    square = layout("classic", 4)
    return Board.empty(Layout(4, square.units, square.positions, rules))


def proper_without(board: Board) -> int:
    """Return how many rules and givens can go, each asked of `check`."""
    units = [part for part in parts_of(board) if isinstance(part, Unit)]
    rest = [part for part in parts_of(board) if not isinstance(part, Unit)]
    lesser = [[*units, *rest[:at], *rest[at + 1 :]] for at in range(len(rest))]
    return sum(check(assembled(board.layout, lines)).proper is True for lines in lesser)


def from_zero(board: Board) -> Board:
    """Return a board of cages with the values from 0 on, and as many solutions."""
    rules = [rule for rule in board.layout.rules if isinstance(rule, Killer)]
    lower = [replace(rule, total=(rule.total or 0) - len(rule.cage)) for rule in rules]
    return Board(replace(board.layout, rules=tuple(lower), first_value=0), board.candidates)


@pytest.mark.parametrize("first_value", [1, 0])
def test_what_can_go_alone_is_what_leaves_one_solution(first_value: int) -> None:
    (board,) = generate(family="killer", n=4, seed=1)
    board = board if first_value else from_zero(board)
    report = survey(board)
    assert report.untried == 0
    assert len(report.spare) == proper_without(board) > 0
    parts = [*parts_of(board)]
    units = [part for part in parts if isinstance(part, Unit)]
    few = [part for part in parts if part_in_words(board.layout, part) in report.sufficient]
    assert 0 < len(few) < len(parts) - len(units)
    assert check(assembled(board.layout, [*units, *few])).proper
    for part in few:
        less = [other for other in few if other != part]
        assert not check(assembled(board.layout, [*units, *less])).proper


def test_cells_of_two_digits_are_surveyed_by_the_values_that_rules_count(root: Path) -> None:
    (puzzle,) = read(root / "examples" / "rules" / "schroedinger.toml")
    report = survey(puzzle.board)
    assert report.check.proper
    assert len(report.spare) == proper_without(puzzle.board) == 0


@pytest.mark.usefixtures("patient")
def test_without_a_source_of_cores_the_report_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    (board,) = generate(family="killer", n=4, seed=1)
    with_cores = survey(board)
    monkeypatch.setattr("unidoku.analysis.rule_cores.find_spec", lambda _: None)
    without = survey(board)
    assert (without.spare, without.falls) == (with_cores.spare, with_cores.falls)
    assert without.sufficient == ()


def test_the_numbers_of_empty_grids_are_known_and_not_estimated() -> None:
    square = layout("classic", 9)
    report = survey(Board.empty(replace(square, rules=(Killer((0, 1), 3),))), time_limit=5)
    assert report.falls[0][0] == "the units"
    assert report.falls[0][1].estimate == 6_670_903_752_021_072_936_960


def test_rules_that_conflict_are_few_and_each_of_them_is_needed() -> None:
    board = caged(Killer((0, 1), 3), Killer((2, 3), 3), Killer((8, 9), 4))
    report = survey(board)
    assert report.conflict == ("the cage A1 A2 sums to 3", "the cage A3 A4 sums to 3")
    assert not report.falls
    assert "one of these must be removed" in str(report)


def test_units_that_no_grid_keeps_conflict_by_themselves() -> None:
    report = survey(Board.empty(layout("jigsaw:002101212", 3)))
    assert report.conflict == ("the units",)


def test_an_irreducible_conflict_that_only_search_finds(root: Path) -> None:
    (puzzle,) = read(root / "examples" / "rules" / "little-killer.toml")
    report = survey(puzzle.board.assign("A1", 1), time_limit=30)
    assert report.conflict[-1] == "A1 is 1"
    assert 1 < len(report.conflict) < 7


@given(boards(ruled_layouts()))
@settings(max_examples=volume(6))
def test_random_rules_and_givens_are_surveyed_as_check_says(board: Board) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if not SOAK:  # it is about the rest: numbers of boards with rules have tests of their own
            patch.setattr(
                "unidoku.analysis.survey.estimate_count", partial(estimate_count, probes=3)
            )
        report = survey(board, time_limit=30)
    if report.check.proper:
        assert len(report.spare) == proper_without(board)
    if report.check.result.count == 0:
        assert report.conflict


@pytest.mark.usefixtures("patient")
def test_the_numbers_fall_with_each_rule_to_that_of_the_puzzle() -> None:
    report = survey(caged(*CAGES[:3]))
    counts = [count.estimate or 0 for _, count in report.falls]
    assert counts[0] == 288
    assert counts == sorted(counts, reverse=True)
    assert report.solutions.estimate == counts[-1] > 1
    assert report.common is not None
    assert "in all of them: A1 is 1" in str(report)


@pytest.mark.usefixtures("patient")
def test_sums_count_doublers_in_all_that_is_said_of_them() -> None:
    (puzzle,) = read("examples/rules/doublers.toml")
    board, auto = puzzle.board, load("auto")
    assert conflicting_parts(board, backend=auto, deadline=Deadline(60)) is None
    parts = conflicting_parts(board.assign("A1", 4), backend=auto, deadline=Deadline(60))
    assert parts is not None
    assert {type(part).__name__ for part in parts} == {"Valued", "CellValues"}
    marks = [(1, 2) if cell in (8, 9, 12) else (1, 2, 3, 4) for cell in board.layout.cells]
    few = Board.from_candidates(board.layout, [*marks])
    assert all("sums to" not in reason for reason in check(few).reasons)
    doubler, *cages = board.layout.rules
    last = Board.empty(replace(board.layout, rules=(*cages, doubler)))
    report = survey(last)
    assert report.falls == survey(board).falls
    assert [count.estimate for _, count in report.falls] == [288, 96, 64, 10, 1, 1, 1]
    assert doubler.words(board.layout.names) not in report.spare


def test_what_is_not_needed_beside_doublers_that_are_marked_in_cells_is_named_rightly() -> None:
    marked = Doubler(
        held=(0, 1, 2, 3), repeats=True, groups=(0, 1, 2, 3), each=4, marks=(4, 5, 6, 7)
    )
    rows = Layout.from_units(
        4, [(0, 1, 2, 3)], shape=(2, 4), rules=[marked, Sandwich((0, 1, 2, 3), 4)]
    )
    board = Board.from_values(rows, [1, 2, 4, 3, 0, 0, 1, 0])
    assert survey(board).spare == ("A1 is 1", "A2 is 2", "A3 is 4", "A4 is 3", "B3 is 1")
