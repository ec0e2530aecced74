"""Boards with rules are shrunk to the smallest: rules, their cells, numbers, tables and steps."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.helpers.shrinking import shrunk
from unidoku import Board, Layout, Request, load
from unidoku.core.rules import Line, Rule, Thermo
from unidoku.core.rules.base import KINDS
from unidoku.fuzzing.reduce import measure, steps
from unidoku.testing.layouts import RandomLayout, random_layout
from unidoku.testing.rules import random_rule, with_rules


def differs(name: str, **options: Any) -> Callable[[Board], bool]:
    """Return whether a wrong backend finds an invalid grid, or too few solutions."""
    wrong, right = load(f"tests.helpers.wrong.rules:{name}", **options), load("norvig")
    request = Request(solutions=100)

    def shows(board: Board) -> bool:
        attempt = wrong.attempt(board, request)
        if attempt.wrong:
            return True
        assert attempt.result is not None, attempt.error
        return attempt.result.count < right.search(board, request).count

    return shows


def ruled_board(chance: random.Random, kind: str) -> Board:
    """Return an empty board with a rule of a kind among others."""
    while True:
        layout: RandomLayout = random_layout(chance, chance.choice((3, 4)))[1]
        if not 4 <= len(layout.layout) <= 16:
            continue
        small = replace(layout.layout, first_value=chance.choice((1, 1, 0, 5)))
        rule = random_rule(chance, small, layout.grid, kind)
        if rule is not None:
            ruled = with_rules(chance, replace(small, rules=(rule,)), layout.grid, 2)
            return Board.empty(ruled)


@pytest.mark.parametrize("kind", KINDS)
def test_a_rule_of_every_kind_becomes_smaller_until_hardly_anything_is_left(kind: str) -> None:
    for seed in range(5):
        board = ruled_board(random.Random(f"{kind} {seed}"), kind)
        rule: Rule = board.layout.rules[0]
        while smaller := list(rule.smaller()):
            assert all(item.size < rule.size for item in smaller)
            assert {item.kind for item in smaller} == {kind}
            rule = min(smaller, key=lambda item: (len(item.cells), item.size))
        assert len(rule.cells) <= (4 if kind == "doubler" else 3)  # two cells and their marks


@pytest.mark.thorough  # in ``make test`` a backend forgets the rules of all kinds: `test_fuzz`
@pytest.mark.parametrize("kind", KINDS)
def test_a_backend_that_forgets_a_kind_of_rule_is_told_by_one_rule_of_few_cells(kind: str) -> None:
    shows = differs("Forgets", kind=kind)
    chance = random.Random(kind)
    board = next(filter(shows, iter(lambda: ruled_board(chance, kind), None)))
    smallest = shrunk(board, shows, small=False)
    assert shows(smallest)
    (rule,) = smallest.layout.rules
    assert rule.kind == kind
    assert len(smallest.layout) <= 3
    assert not smallest.layout.units


def is_one_step(line: Line) -> bool:
    return (len(line.line), len(line.start), len(line.step), len(line.accept)) == (1, 1, 1, 1)  # type: ignore[arg-type]  # it has its table


@pytest.mark.parametrize(
    ("backend", "kind", "is_smallest"),
    [
        ("SumsSets", "sum", lambda rule: (len(rule.summed), len(rule.cells)) == (2, 1)),
        ("LosesAState", "line", is_one_step),
        ("LosesARow", "pairs", lambda rule: len(rule.pairs) == 1),
        ("LosesACell", "killer", lambda rule: len(rule.cage) == 4),
    ],
)
def test_what_a_backend_misreads_in_a_rule_is_all_that_is_left_of_it(
    backend: str, kind: str, is_smallest: Callable[[Any], bool]
) -> None:
    shows = differs(backend)
    chance = random.Random(kind)
    board = next(filter(shows, iter(lambda: ruled_board(chance, kind), None)))
    smallest = shrunk(board, shows, small=False)
    for (smaller,) in steps((smallest,)):
        assert not shows(smaller) or measure((smaller,)) >= measure((smallest,))
    (left,) = smallest.layout.rules
    assert is_smallest(left), left
    assert len(smallest.layout) == len(left.cells)
    assert smallest.layout.n <= 3
    assert not smallest.layout.units


def test_values_are_counted_from_1_where_that_shows_it_as_well() -> None:
    rising = Layout.from_units(3, [], shape=(1, 3), rules=[Thermo((0, 1, 2))], first_value=7)
    smallest = shrunk(Board.empty(rising), differs("Forgets", kind="thermo"), small=False)
    assert smallest == Board.empty(Layout.from_units(1, [], shape=(1, 2), rules=[Thermo((0, 1))]))
