"""Symmetries keep what they must: units, rules, numbers of solutions."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unidoku import Board, Layout, layout, load
from unidoku.core.rules import RegionCount
from unidoku.core.symmetry import cell_symmetries, random_symmetry, relabelling
from unidoku.core.verify.boards import is_solution
from unidoku.testing.rules import RULE_KINDS, random_rule
from unidoku.testing.strategies import boards, named_layouts, ruled_layouts

SEEDS = st.integers(0, 10_000)


@st.composite
def symmetric_rules(draw: st.DrawFn) -> Layout:
    """Squares with a random rule of any kind, and the same rule wherever a symmetry takes it."""
    square = draw(st.sampled_from([layout("latin", 3), layout("latin", 4), layout("x", 4)]))
    square = replace(square, first_value=draw(st.sampled_from((1, 0, 7))))
    step = draw(st.sampled_from(cell_symmetries(square)))
    kind = draw(st.sampled_from(sorted(RULE_KINDS)))
    rule = random_rule(draw(st.randoms(use_true_random=True)), square, kind=kind)
    rules = []
    while rule is not None and rule not in rules:
        rules.append(rule)
        rule = rule.moved(step)
    return replace(square, rules=tuple(rules), name="custom")


@given(boards() | boards(named_layouts()) | boards(ruled_layouts() | symmetric_rules()), SEEDS)
def test_images_have_as_many_solutions_and_they_are_the_images(board: Board, seed: int) -> None:
    symmetry = random_symmetry(board.layout, random.Random(seed))
    norvig = load("norvig")
    original = norvig.solve(board, solutions=300)
    image = norvig.solve(symmetry.board(board), solutions=300)
    assert image.count == original.count
    for grid in original.solutions[:20]:
        assert is_solution(symmetry.board(board), symmetry.grid(grid))
    if image.count < 300:
        back = {symmetry.inverse.grid(grid) for grid in image.solutions}
        assert back == set(original.solutions)


def test_cells_whose_order_does_not_matter_to_a_rule_may_change_places() -> None:
    counts = RegionCount((6,), (0, 2, 3, 4)), RegionCount((0,), (6, 8, 3, 4))
    small = replace(layout("latin", 3), rules=counts)
    assert (6, 7, 8, 3, 4, 5, 0, 1, 2) in cell_symmetries(small)


@given(symmetric_rules())
def test_the_symmetries_of_rules_are_found_and_keep_them(small: Layout) -> None:
    symmetries = [step for step in cell_symmetries(small) if list(step) != list(small.cells)]
    assert symmetries or not small.rules
    for step in symmetries:
        moved = replace(small, rules=tuple([rule.moved(step) for rule in small.rules]))
        assert moved.constraints == small.constraints


@given(boards(named_layouts()), SEEDS)
def test_the_inverse_undoes_it(board: Board, seed: int) -> None:
    symmetry = random_symmetry(board.layout, random.Random(seed))
    assert symmetry.inverse.board(symmetry.board(board)) == board
    grid = tuple(cell % board.layout.n + 1 for cell in board.layout.cells)
    assert symmetry.inverse.grid(symmetry.grid(grid)) == grid


@pytest.mark.parametrize(
    ("variant", "n", "group"),
    [
        ("classic", 4, 128),
        ("latin", 3, 72),
        ("latin", 2, 8),
        ("x", 4, 16),
        ("x", 6, 8),
        ("x", 9, 96),
        ("windoku", 9, 128),
        ("asterisk", 9, 32),
        ("anti-knight", 9, 8),
        ("x+windoku", 9, 16),
        ("classic", 6, 3456),
    ],
)
def test_the_generators_make_the_whole_group_that_is_known(
    variant: str, n: int, group: int
) -> None:
    """The 128 of 4x4 are Russell's; Latin squares have 2 (n!)^2 moves of rows and columns."""
    generators = cell_symmetries(layout(variant, n))
    table = {tuple(range(n * n))}
    border = list(table)
    while border:
        moves = border.pop()
        for step in generators:
            further = tuple(step[cell] for cell in moves)
            if further not in table:
                table.add(further)
                border.append(further)
    assert len(table) == group


def test_random_symmetries_reach_all_of_the_group() -> None:
    """A fixed number of steps would reach those of an even number of them only."""
    order = random.Random(1)
    drawn = {tuple(random_symmetry(layout("x", 4), order).cells) for _ in range(300)}
    assert len(drawn) == 16


def test_random_symmetries_differ_and_are_given_again_by_their_seed() -> None:
    classic = layout("classic", 9)
    drawn = [random_symmetry(classic, random.Random(seed)) for seed in range(50)]
    assert len({(tuple(s.cells), s.values) for s in drawn}) == 50
    assert drawn == [random_symmetry(classic, random.Random(seed)) for seed in range(50)]


def test_values_of_a_board_with_consecutive_rules_are_at_most_reversed() -> None:
    rules = layout("non-consecutive", 6)
    names = {relabelling(rules, random.Random(seed)).values for seed in range(40)}
    assert names == {(0, 1, 2, 3, 4, 5, 6), (0, 6, 5, 4, 3, 2, 1)}


def test_a_layout_without_symmetries_has_the_identity() -> None:
    lone = Layout.from_units(3, ["A1 A2", "A2 B3"], shape=(2, 3))
    symmetry = random_symmetry(lone, random.Random(1))
    assert tuple(symmetry.cells) == tuple(lone.cells)
