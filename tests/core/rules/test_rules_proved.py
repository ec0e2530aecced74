"""For every kind of rule, `broken` and `constraints` agree on all small grids.

They are written separately, and a solver's answer is checked by `broken`; so a mistake in either of
them shows here.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.volume import volume
from unidoku import Board, Layout, Request, load
from unidoku.backends.solving.policy import refusals
from unidoku.core.hidden import expanded
from unidoku.core.layout import Grid
from unidoku.core.rules import Greater, Line, Rule, SumOfCells, Thermo, Whispers
from unidoku.core.rules.base import KINDS
from unidoku.core.transforms.simplify import simplified
from unidoku.errors import LayoutError
from unidoku.testing.rules import RULE_KINDS, random_rule
from unidoku.testing.truth import holds

SEEDS = st.integers(0, 2**40)


def test_there_is_a_maker_of_random_rules_of_every_kind() -> None:
    assert set(RULE_KINDS) == set(KINDS)


def ruled_row(chance: random.Random, kind: str) -> Layout:
    """Return a row of cells with a rule, often one that no values or that odd numbers keep."""
    first_value = chance.choice((1, 1, 0, 3, 12))
    size = chance.randint(2, 5)
    layout = Layout.from_units(chance.randint(2, 4), [], shape=(1, size), first_value=first_value)
    while True:
        rule = random_rule(chance, layout, kind=kind)
        assert rule is not None
        try:
            if chance.random() < 0.3:
                rule = replace(rule, **dict(_numbers(chance, rule)))
            if chance.random() < 0.25:  # a line that meets itself
                rule = rule.moved([chance.randrange(size) for _ in layout.cells])
            return replace(layout, rules=(rule,))
        except LayoutError:  # which the kind refuses
            continue


def _numbers(chance: random.Random, rule: Rule) -> Iterator[tuple[str, int]]:
    for field in fields(rule):
        contained = getattr(rule, field.name)
        if type(contained) is int and chance.random() < 0.5:
            yield (
                field.name,
                chance.choice((contained + 1, contained - 1, 0, -1, 1000, chance.randint(0, 20))),
            )
        if type(contained) is bool:
            yield field.name, chance.random() < 0.5


def keeps(layout: Layout, values: Grid) -> bool:
    return not any(True for _ in layout.broken(values))


def on_rows_of_every_kind(check: Callable[[Layout, random.Random], None]) -> Callable[[str], None]:
    """Make a test for each kind of rules of a check of random rows with such a rule."""

    @pytest.mark.parametrize("kind", KINDS)
    def test(kind: str) -> None:
        @settings(max_examples=volume(4))
        @given(SEEDS)
        def check_one(seed: int) -> None:
            chance = random.Random(seed)
            check(ruled_row(chance, kind), chance)

        check_one()

    return test


@on_rows_of_every_kind
def test_a_rule_is_broken_by_just_the_grids_that_its_constraints_do_not_allow(
    row: Layout, chance: random.Random
) -> None:
    whole = expanded(Board.empty(row))
    simple = simplified(whole.layout)
    auxiliary = list(itertools.product(*[*whole.to_dict().values()][len(row) :]))
    for grid in itertools.product(range(1, row.n + 1), repeat=len(row)):
        satisfying = keeps(row, grid)
        full = [(*grid, *hidden) for hidden in auxiliary]
        assert satisfying == any(all(holds(s, g) for s in whole.layout.constraints) for g in full)
        full = [
            g
            for g in full
            if all(m >> v - 1 & 1 for m, v in zip(simple.candidates, g, strict=True))
        ]
        assert satisfying == any(all(holds(s, g) for s in simple.constraints) for g in full)


@on_rows_of_every_kind
def test_a_rule_is_broken_by_no_values_that_can_be_filled_up_to_keep_it(
    row: Layout, chance: random.Random
) -> None:
    (rule,) = row.rules
    every = range(1, row.n + 1)
    satisfying = [grid for grid in itertools.product(every, repeat=len(row)) if keeps(row, grid)]
    some_filled = list(itertools.product((False, True), repeat=len(row)))
    parts = {
        tuple(value if is_filled else 0 for value, is_filled in zip(grid, filled, strict=True))
        for grid in satisfying
        for filled in some_filled
    }
    for values in parts:
        assert keeps(row, values)
    for values in itertools.product((0, 1, row.n), repeat=len(row)):
        for _, cells in row.broken(values):
            assert cells
            assert set(cells) <= set(rule.cells)


@on_rows_of_every_kind
def test_a_rule_says_nothing_of_cells_that_it_does_not_name(
    row: Layout, chance: random.Random
) -> None:
    named = set(row.rules[0].cells)
    for _ in range(30):
        grid = [chance.randint(1, row.n) for _ in row.cells]
        other = [v if cell in named else chance.randint(0, row.n) for cell, v in enumerate(grid)]
        assert list(row.broken(grid)) == list(row.broken(other))


ONE_THEN_TWO_VALUES = Line(
    (0, 1, 1), (0,), ((0, 1, 1), (1, 1, 2), (2, 2, 4), (1, 2, 3), (3, 3, 4)), (4,)
)
"""It reads 1 1 2 or 1 2 3: never the same twice at the end."""


@pytest.mark.parametrize(
    ("rule", "solutions"),
    [
        (Thermo((0, 1, 1)), 0),
        (Thermo((0, 1, 1), slow=True), 10),
        (Whispers((1, 1, 0), 1), 0),
        (Whispers((1, 1, 0), 0), 16),
        (Line((0, 1, 1), 9, lambda last, v: v if v <= last else None, bool), 10),
        (SumOfCells((0, 1, 1), 6), 2),
        (ONE_THEN_TWO_VALUES, 0),
    ],
)
def test_every_backend_takes_a_line_that_meets_itself(
    backend_name: str, rule: Rule, solutions: int
) -> None:
    board = Board.empty(Layout.from_units(4, [], shape=(1, 2), rules=[rule]))
    solver = load(backend_name)
    if not refusals(solver.spec.capabilities, board.layout, Request()):
        assert solver.solve(board, solutions=None).count == solutions


def test_no_backend_takes_the_table_of_one_constraint_for_that_of_another(
    backend_name: str,
) -> None:
    """In numbers, "greater" of three values is what two first states of a machine are."""
    line = Line((1, 2, 0), (0, 1), ((0, 2, 1), (1, 2, 2), (2, 1, 3)), (3,))
    board = Board.empty(Layout.from_units(3, [], shape=(1, 5), rules=[line, Greater(((3, 4),))]))
    for label in (backend_name, "native[engine=single]"):
        solver = load(label)
        if not refusals(solver.spec.capabilities, board.layout, Request()):
            assert solver.solve(board, solutions=None).count == 3
