"""Of every kind of rule: the page docs/rules.md, the checker and the solvers say the same.

`tests/helpers/definitions.py` is written from the page; boards are so small that all grids are
tried.
"""

from __future__ import annotations

import math
import random
from contextlib import suppress
from dataclasses import fields, replace
from itertools import product

import pytest

import unidoku
from tests.helpers.definitions import DEFINITIONS, keeps_all
from tests.helpers.volume import SOAK, volume
from tests.helpers.wild_rules import wild_board, wild_layout, wild_rule
from unidoku import Board, InputError, Layout, LayoutError, Request, UnsupportedError
from unidoku.backends.solving.policy import refusals
from unidoku.core import rules as r
from unidoku.core.layout import Grid
from unidoku.core.rules.base import KINDS
from unidoku.core.rules.fields import CellRole, fields_of_cells
from unidoku.formats.toml.file import read_toml
from unidoku.testing.rules import random_rule

LABELS = (
    "auto",
    "native[engine=python]",
    "native[engine=single]",
    "norvig",
    "sat",
    "cp-sat",
    "clingo",
)


def solutions(board: Board) -> list[Grid]:
    """Return all solutions by the definitions, in order."""
    layout = board.layout
    return [
        grid
        for grid in product(*[board.values(cell) for cell in layout.cells])
        if all(len({grid[cell] for cell in unit.cells}) == len(unit.cells) for unit in layout.units)
        and keeps_all(layout, grid)
    ]


def grids_of(label: str, board: Board) -> list[Grid] | None:
    """Return all solutions that a backend finds, None if it refuses the board."""
    solver = unidoku.load(label)
    if refusals(solver.spec.capabilities, board.layout, Request()):
        return None
    try:
        return sorted(solver.solve(board, solutions=None).solutions)
    except UnsupportedError:  # an option supports less than its backend
        return None


def test_every_kind_has_a_definition() -> None:
    assert DEFINITIONS.keys() == KINDS.keys()


@pytest.mark.volume
@pytest.mark.parametrize("kind", KINDS)
def test_the_checker_takes_just_the_grids_that_the_page_of_rules_describes(kind: str) -> None:
    chance = random.Random(kind)
    for _ in range(volume(8)):
        plain = replace(wild_layout(chance), units=())
        rule = wild_rule(chance, plain, kind)
        layout = replace(plain, rules=(rule,) if rule else ())
        for grid in product(range(1, layout.n + 1), repeat=len(layout)):
            satisfied = not any(True for _ in layout.broken(grid))
            assert satisfied == keeps_all(layout, grid), (
                f"{layout.rules}, from {layout.first_value}: {grid}"
            )


@pytest.mark.volume
@pytest.mark.parametrize("kind", KINDS)
def test_backends_find_just_the_grids_that_the_page_of_rules_describes(kind: str) -> None:
    chance = random.Random(f"boards with {kind}")
    for _ in range(volume(4) if SOAK else 1):
        board = wild_board(chance, kind)
        expected = solutions(board)
        for label in LABELS:
            assert grids_of(label, board) in (None, expected), f"{label}: {board.layout.rules}"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (r.SumLine((0, 1), 4), []),
        (r.SumLine((0, 1), 4, loop=True), []),
        (r.SumLine((0, 1), 1), [(0, 1), (1, 0), (1, 1)]),
        (r.SumLine((0, 1), 2, loop=True), [(1, 1)]),
        (r.KenKen((0, 1), 0, "/"), [(0, 1), (1, 0)]),
        (r.KenKen((0, 1), 1, "/"), [(1, 1)]),
        (r.KenKen((0, 1), -1, "-"), [(0, 1), (1, 0)]),
        (r.Skyscraper((0, 1), 1), [(0, 1), (1, 0), (1, 1)]),
        (r.Skyscraper((0, 1), 0), [(0, 0)]),
        (r.Battlefield((0, 1), 0), [(0, 0), (0, 1), (1, 0), (1, 1)]),
        (r.AmbiguousArrow((0, 1)), [(0, 0), (1, 1)]),
        (r.XSum((0, 1), 0), []),
        (r.XSum((0, 1), 1), [(1, 0), (1, 1)]),
    ],
)
def test_zeros_are_values_as_the_page_of_rules_describes(
    rule: r.Rule, expected: list[Grid]
) -> None:
    layout = Layout.from_units(2, [], shape=(1, 2), first_value=0, rules=[rule])
    board = Board.empty(layout)
    wanted = [tuple(value + 1 for value in grid) for grid in expected]
    assert solutions(board) == wanted
    for label in LABELS:
        assert grids_of(label, board) == wanted, label


@pytest.mark.parametrize(
    ("rule", "first_value"),
    [
        (r.SumLine((0, 1, 2), 12_345, loop=True), 0),
        (r.Sandwich((0, 1, 2), 12_345), 0),
        (r.Lunchbox((0, 1, 2), 12_345), 1),
    ],
)
def test_a_total_out_of_reach_needs_few_states(rule: r.Rule, first_value: int) -> None:
    layout = Layout.from_units(3, [], shape=(1, 3), first_value=first_value, rules=[rule])
    assert grids_of("native[engine=python]", Board.empty(layout)) == []


GROUPS = [
    (kind, name) for kind, rule_class in KINDS.items() for name in fields_of_cells(rule_class)
]
"""Each kind of rule with each of its fields of cells."""


@pytest.mark.parametrize(("kind", "name"), GROUPS)
def test_a_group_without_cells_is_filled_or_refused_and_a_rule_without_pairs_holds(
    kind: str, name: str
) -> None:
    row = Layout.from_units(4, [], shape=(1, 5))
    rule = random_rule(random.Random(1), row, kind=kind)
    assert rule is not None
    if () in [f.default for f in fields(rule) if f.name == name]:  # the layout has what is meant
        with suppress(LayoutError):  # or it has none
            (filled,) = replace(row, rules=(replace(rule, **{name: ()}),)).rules
            assert bool(getattr(filled, name)) == (name not in rule.optional)
        return
    if fields_of_cells(KINDS[kind])[name] is CellRole.PAIRS:
        board = Board.empty(replace(row, rules=(replace(rule, **{name: ()}),)))
        assert unidoku.count(board, limit=2000).count == 4**5
        return
    with pytest.raises(LayoutError, match=rf"^{kind}: {name}: expected .*cells?, got \(\)$"):
        replace(rule, **{name: ()})
    table = {f.name: getattr(rule, f.name) for f in fields(rule)} | {name: []}
    with pytest.raises(LayoutError, match=f"^{kind}: {name}: expected"):
        KINDS[kind](**table)


WRONG = (None, True, -1, 1.5, math.nan, "no", "", (), (None,), ((),), ("a", 2), {1: 2}, len)


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_with_wrong_contents_is_refused_before_a_search_or_has_a_meaning(kind: str) -> None:
    row = Layout.from_units(4, [], shape=(1, 5))
    rule = random_rule(random.Random(1), row, kind=kind)
    assert rule is not None
    for field, wrong in product(fields(rule), WRONG):
        try:
            board = Board.empty(replace(row, rules=(replace(rule, **{field.name: wrong}),)))
            unidoku.solve(board)
        except InputError:
            continue
        assert "<svg" in unidoku.svg(board)
        sentences = [rule.words(board.layout.names_in_words) for rule in board.layout.rules]
        assert all(sentences) or not board.layout.rules[0].cells
        (read,) = read_toml(unidoku.write(board, "toml").text)
        assert read.board == board


@pytest.mark.parametrize(
    "board",
    [
        Board.empty(Layout.from_units(2, [], shape=(1, 2), rules=[r.AnyOf(((r.Greater(()),),))])),
        Board.empty(
            Layout.from_units(
                2, [], shape=(1, 1), hidden=[3], rules=[r.ChaosConstruction((0, 1), (0, 1), 1, 2)]
            )
        ),
    ],
)
def test_rules_without_cells_of_the_grid_are_drawn(board: Board) -> None:
    assert "<svg" in unidoku.svg(board)


def test_a_board_that_its_hidden_cells_contradict_is_checked() -> None:
    twins = r.SameMultiset((2, 1), (0, 2))
    layout = Layout.from_units(2, [(1, 2), (0, 1)], shape=(1, 1), hidden=[3, 3], rules=[twins])
    check = unidoku.check(Board.empty(layout))
    assert check.result.count == 0
    assert check.reasons
