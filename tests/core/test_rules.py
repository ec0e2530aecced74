"""What rules tell of themselves: to the checker, to shrinking, to written boards."""

from __future__ import annotations

import itertools
import json
import pickle
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields, make_dataclass, replace
from enum import IntEnum
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unidoku.rules
from unidoku import Board, Layout, Relation, layout, solve
from unidoku.core import rules
from unidoku.core.constraints import automaton
from unidoku.core.constraints.primitives import Constraint, tabulated
from unidoku.core.portable import board_from_table, table_of_board
from unidoku.core.rules.base import KINDS, Facts
from unidoku.core.rules.catalogue import rule_from_table, table_of_rule
from unidoku.core.rules.fields import Cells, CellsInLine, types_of_fields
from unidoku.core.transforms.simplify import simplify
from unidoku.core.verify.boards import verify
from unidoku.errors import FormatError, InputError, LayoutError
from unidoku.support.toml import toml_lines
from unidoku.testing.strategies import ruled_layouts

PAIRS = st.lists(st.sampled_from([(a, b) for a in range(6) for b in range(a)]), unique=True)


@dataclass(frozen=True)
class Rising(rules.Rule):
    """A user's rule: from cell to cell the values rise, and the last is above the top."""

    kind: ClassVar[str] = "rising"
    fewest: ClassVar[int] = 0
    line: CellsInLine
    tops: Cells = ()

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield neighbours that do not rise."""
        for a, b in itertools.pairwise(self.line):
            if values[a] and values[b] and values[a] >= values[b]:
                yield a, b

    def constraints(self, facts: Facts) -> Iterator[Relation]:
        """Yield less-than."""
        values = range(1, facts.n + 1)
        table = tuple(sum(1 << w - 1 for w in values if v < w) for v in values)
        yield Relation(table, tuple(itertools.pairwise(self.line)))

    def words(self, names: Sequence[str]) -> str:
        """Return the words."""
        return " < ".join(names[cell] for cell in self.line)


@dataclass(frozen=True)
class NearThermo(rules.Thermo):
    """A user's rule: a thermometer whose ends are near each other too."""

    kind: ClassVar[str] = "near-thermo"

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield what a thermometer has, and that the ends differ by two."""
        yield from super().constraints(facts)
        table = tabulated(facts.n, lambda a, b: abs(a - b) == 2)
        yield Relation(table, ((self.line[0], self.line[-1]),))


def test_a_kind_may_add_to_the_constraints_of_another() -> None:
    row = Layout.from_units(5, [], shape=(1, 4), rules=[NearThermo((0, 1)), NearThermo((2, 3))])
    grids = solve(Board.empty(row), solutions=None).solutions
    assert grids == tuple((a, a + 2, b, b + 2) for a in (1, 2, 3) for b in (1, 2, 3))


@given(ruled_layouts())
def test_rules_have_the_same_constraints_together_as_one_by_one(chosen: Layout) -> None:
    alone = [rule.constraints(chosen) for rule in chosen.rules if not rule.needs_auxiliary]
    assert simplify(chosen, chosen.posted()) == simplify(chosen, itertools.chain(*alone))


@given(PAIRS)
def test_smaller_rules_say_less_and_leave_out_every_single_thing(
    pairs: list[tuple[int, int]],
) -> None:
    rule = rules.NonConsecutive(tuple(pairs))
    smaller = list(rule.smaller())
    assert all(item.size < rule.size and set(item.pairs) < set(pairs) for item in smaller)
    if len(pairs) > 1:
        for pair in pairs:
            assert rules.NonConsecutive(tuple(p for p in pairs if p != pair)) in smaller


def test_smaller_rules_lack_a_cell_a_number_a_step_or_a_row() -> None:
    less = [(item.summed, item.total) for item in rules.SumOfCells((3, 1, 3), 4).smaller()]
    assert less[0] == ((3,), 4)
    fewer, totals = [(3, 1), (1, 3), (3, 3)], [1, 2, 3]
    assert set(less[1:]) == {
        *((cells, total) for cells in fewer for total in (*totals, 4)),
        *(((3, 1, 3), total) for total in totals),
    }
    assert [item.slow for item in rules.Thermo((0, 1), slow=True).smaller()] == [False]
    assert [item.related for item in rules.Pairs(((0, 1),), (0b01, 0b11)).smaller()][-1] == (
        0b11,
        0b11,
    )
    even = rules.Line((0,), (0, 1), ((0, 1, 1), (1, 1, 0)), (0,), "even")
    lines = list(even.smaller())
    assert {item.step for item in lines} == {even.step, ((0, 1, 1),), ((1, 1, 0),)}
    assert {item.start for item in lines} == {(0, 1), (0,), (1,)}
    assert {item.accept for item in lines} == {(0,), ()}
    both = rules.LinesDiffer((0, 1), (2, 3))
    assert list(both.smaller()) == [rules.LinesDiffer((1,), (3,)), rules.LinesDiffer((0,), (2,))]
    assert list(rules.LinesDiffer((0,), (1,)).smaller()) == []


@given(PAIRS, st.sets(st.integers(0, 5)))
def test_a_rule_on_some_of_its_cells_says_what_it_said_of_them(
    pairs: list[tuple[int, int]], left: set[int]
) -> None:
    number = {cell: index for index, cell in enumerate(sorted(left))}
    remaining = [(number[a], number[b]) for a, b in pairs if {a, b} <= left]
    expected = rules.NonConsecutive(tuple(remaining)) if remaining else None
    assert rules.NonConsecutive(tuple(pairs)).restricted_to(number) == expected


def test_all_that_is_not_in_its_definition_follows_from_the_fields_of_a_rule() -> None:
    rule = Rising((4, 2, 7, 5), (1, 2))
    assert rule.cells == (4, 2, 7, 5, 1)
    assert rule.size == 6
    assert rule.moved(range(10, 20)) == Rising((14, 12, 17, 15), (11, 12))
    less = [(item.line, item.tops) for item in rule.smaller()]
    lines = [(7, 5), (4, 2), (2, 7, 5), (4, 2, 7)]
    assert less == [(line, (1, 2)) for line in lines] + [((4, 2, 7, 5), (top,)) for top in (2, 1)]
    everywhere = {cell: cell for cell in range(8)}
    assert rule.restricted_to(everywhere) == rule
    assert rule.restricted_to({cell: cell for cell in (1, 2, 4, 5, 7)}) == rule
    assert rule.restricted_to({cell: cell for cell in (1, 2, 4, 7)}) == Rising((4, 2, 7), (1, 2))
    assert rule.restricted_to({cell: cell for cell in (1, 2, 5, 7)}) == Rising((2, 7, 5), (1, 2))
    assert rule.restricted_to({cell: cell for cell in (2, 4, 5, 7)}) is None, "a top is gone"
    assert rule.restricted_to({cell: cell for cell in (1, 2, 5)}) is None, (
        "no two of the line are left"
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: rules.NonConsecutive(((0, 0),)),
            "non-consecutive: pairs: expected pairs of two diff",
        ),
        (lambda: rules.NonConsecutive(((0, 1, 2),)), "pairs of two different cells"),  # type: ignore[arg-type]  # what is tested
        (lambda: Rising((1,)), "rising: line: expected at least 2 cells, got .1."),
        (lambda: Rising((1, 2), (-1,)), "rising: tops: expected cells, as numbers from 0"),
        (lambda: rules.Renban((0, 1, 0)), "renban: line: expected each cell once, got .0, 1, 0."),
        (
            lambda: rules.Indexed((0, 1), (2,), (3, 4)),
            "indexed: place: expected one cell, got .0, 1.",
        ),
        (
            lambda: rules.WeightedSum((0, 1), (1,), 3),
            "weights: expected one for each cell, got 1 for 2 cells",
        ),
        (
            lambda: rules.WeightedSum((0,), (1,), 3, "<"),
            "sign: expected one of = != <= >=, got '<'",
        ),
        (lambda: rules.SumLine((0, 1), 0), "sum-line: total: expected at least 1, got 0"),
        (lambda: rules.Hits((0, 1), ((1, 2), (2,))), "hits: classes: expected each value once"),
        (
            lambda: rules.Entropic((0, 1), ((1, 2), (2,))),
            "entropic: classes: expected each value once",
        ),
        (
            lambda: rules.Pairs(((0, 1),), (1, 2, 8)),
            "pairs: related: expected a set of values each",
        ),
    ],
)
def test_what_are_no_cells_of_a_rule_is_refused(make: object, message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        make()  # type: ignore[operator]


def test_a_relation_of_ones_own_is_kept_as_its_table() -> None:
    rule = rules.Pairs([(0, 1), (1, 2)], lambda a, b: a + b == 4, "sum of 4")  # type: ignore[arg-type]  # lists are taken too
    row = Layout.from_units(3, [], shape=(1, 3), rules=[rule])
    remaining = row.rules[0]
    assert remaining == rules.Pairs(((0, 1), (1, 2)), (0b100, 0b010, 0b001), "sum of 4")
    assert pickle.loads(pickle.dumps(row)) == row
    assert remaining.words(row.names) == "A1 and A2, A2 and A3: sum of 4"
    assert verify(Board.empty(row), (1, 3, 3)) == ["A2 and A3: sum of 4, but A2 is 3 and A3 is 3"]
    assert board_from_table(json.loads(json.dumps(table_of_board(Board.empty(row))))).layout == row
    assert Layout.from_units(2, [], shape=(1, 3), rules=[remaining]).rules[0] == rules.Pairs(
        ((0, 1), (1, 2)), (0, 0b10), "sum of 4"
    )
    with pytest.raises(LayoutError, match="expected 4 sets, got 3"):
        Layout.from_units(4, [], shape=(1, 3), rules=[remaining])


DIGESTS = {
    ("non-consecutive", 9): "59c4abc0b70ddc52",
    ("latin+non-consecutive", 4): "8de26823c889d1b9",
    ("samurai+non-consecutive", 4): "4b000a1a13e98267",
    ("anti-knight+anti-king+non-consecutive", 9): "46afd2d5eef979f1",
}
"""Digests of empty boards in journals and findings of version 0.1."""


@pytest.mark.parametrize(("variant", "n"), DIGESTS)
def test_boards_with_a_rule_have_the_digests_of_old_journals(variant: str, n: int) -> None:
    assert Board.empty(layout(variant, n)).digest == DIGESTS[variant, n]


def test_a_board_with_a_rule_in_an_old_finding_is_read() -> None:
    old = {
        "name": "custom",
        "n": 3,
        "shape": [1, 3],
        "units": [["unit", "", 0, 1]],
        "rules": [{"kind": "non-consecutive", "pairs": [[0, 1], [1, 2]]}],
        "givens": "1..",
    }
    board = board_from_table(old)
    assert board.digest == "742e9fa5cdfbdb2e"
    assert board.layout.rules == (rules.NonConsecutive(((0, 1), (1, 2))),)
    assert table_of_board(board) == old


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"kind": "cage"}, "expected a kind of rule, got 'cage'"),
        ({"pairs": [[0, 1]]}, "expected a kind of rule, got None"),
        ({"kind": "pair", "pairs": []}, "did you mean 'pairs'"),
        ({"kind": "pairs", "pairs": [[0, 1]]}, "the rule 'pairs': .*related"),
        ({"kind": "non-consecutive", "pairs": 5}, "the rule 'non-consecutive': .*got 5"),
        ({"kind": "non-consecutive", "pairs": [0, "1"]}, "the rule 'non-consecutive': .*list"),
        ({"kind": "non-consecutive", "pairs": [], "cells": []}, "unknown field 'cells'"),
    ],
)
def test_what_is_no_rule_is_refused(table: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        rule_from_table(table)


def test_a_table_may_leave_out_fields_with_a_default() -> None:
    for rule in (rules.Pairs(((0, 1),), (1, 2)), rules.Thermo((0, 1))):
        table = table_of_rule(rule)
        for field in fields(rule):
            if field.default is not MISSING:
                del table[field.name]
        assert rule_from_table(table) == rule


def test_a_rule_of_ones_own_class_has_no_written_form() -> None:
    with pytest.raises(InputError, match="'rising' has no written form"):
        table_of_rule(Rising((0, 1)))


class Way(IntEnum):
    """A direction."""

    DOWN = -1
    UP = 1


class Corner(NamedTuple):
    """A corner of a cell."""

    cell: int
    number: int


@dataclass(frozen=True)
class Directed(Rising):
    """A user's rule with numbers of a type of their own, and with a list."""

    kind: ClassVar[str] = "directed"
    way: Way = Way.UP
    heights: list[int] | None = None
    corners: tuple[Corner, ...] = ()
    share: float = 0.0


def test_a_field_of_a_rule_has_what_its_annotation_says() -> None:
    rule = Directed((0, 1), (), Way.DOWN, [2, 3])
    assert rule.way is Way.DOWN
    assert Directed((0, 1), corners=(Corner(1, 2),)).corners[0].number == 2
    assert hash(rule) == hash(Directed((0, 1), (), Way.DOWN, [2, 3])), "lists become tuples"
    with pytest.raises(LayoutError, match="directed: heights: expected list"):
        Directed((0, 1), heights=["a"])  # type: ignore[list-item]  # what is tested
    classes: Any = [range(1, 3), [3, 4]]
    assert rules.Hits((0, 1), classes).classes == ((1, 2), (3, 4))


def test_a_field_of_a_rule_takes_arrays_and_where_no_order_matters_sets() -> None:
    array: Any = np.array([0, 1])
    number: Any = np.int64(2)
    for rule, wanted in (
        (rules.Hits((0, 1), {frozenset({3, 4}), frozenset({1})}), ((1,), (3, 4))),  # type: ignore[arg-type]  # what is tested
        (rules.Hits((0, 1), np.array([[3, 4], [1, 2]])), ((3, 4), (1, 2))),  # type: ignore[arg-type]  # as above
        (rules.Hits((0, 1), ((number,), (1,))), ((2,), (1,))),
    ):
        assert repr(rule) == repr(rules.Hits((0, 1), wanted)), "a board's digest depends on it"
    assert rules.Holds(array, {number, 1}) == rules.Holds((0, 1), (1, 2))  # type: ignore[arg-type]  # as above
    for cells in ({8, 0}, {0, 8}, {np.int64(8), 0}):
        assert repr(rules.Killer(cells, 9)) == "Killer(cage=(0, 8), total=9)"  # type: ignore[arg-type]  # as above
    assert type(Directed((0, 1), share=np.float64(0.5)).share) is float
    assert rules.Thermo([number, 1]).line == (2, 1)  # type: ignore[arg-type]  # as above
    assert rules.PairSum(array.reshape(1, 2), number) == rules.PairSum(((0, 1),), 2)
    assert rules.Thermo(array, slow=np.True_) == rules.Thermo((0, 1), slow=True)  # type: ignore[arg-type]  # as above
    with pytest.raises(LayoutError, match="contains: wanted: expected values, such as"):
        rules.Contains((0, 1), {3, "a"})  # type: ignore[arg-type]  # as above
    with pytest.raises(LayoutError, match=r"weights: expected weights, such as \(1, -1\), got {"):
        rules.WeightedSum((0, 1), {1, 2}, 3)  # type: ignore[arg-type]  # as above


ORDERED: Any = {9, 0}


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: rules.Thermo(ORDERED), "thermo: line: expected cells in the order of the line"),
        (lambda: rules.Skyscraper(ORDERED, 2), "skyscraper: line: expected cells in order"),
        (lambda: rules.Zipper(ORDERED), "zipper: line: expected cells in order, got {0, 9}"),
        (lambda: rules.Arrow(ORDERED, (1,)), "arrow: circle: expected cells in order"),
        (lambda: rules.Greater((ORDERED,)), "greater: pairs: expected pairs of cells in order"),
        (lambda: rules.Minimum((0,), (ORDERED,)), "minimum: compared: expected pairs of cells in"),
    ],
)
def test_where_the_order_of_cells_matters_no_set_is_taken(
    make: Callable[[], object], expected: str
) -> None:
    with pytest.raises(LayoutError, match=expected):
        make()


def test_where_no_order_matters_sets_of_pairs_and_of_one_cell_are_taken() -> None:
    single: Any = {0}
    for pairs in ([{8, 0}], [{0, 8}], {frozenset({8, 0})}):
        assert rules.NonConsecutive(pairs).pairs == ((0, 8),)  # type: ignore[arg-type]  # what is tested
    assert rules.Greater({(1, 0)}).pairs == ((1, 0),)  # type: ignore[arg-type]  # as above
    assert rules.Arrow(single, (1, 2)) == rules.Arrow((0,), (1, 2))


def test_a_class_of_a_module_without_annotations_as_texts_is_checked_as_any_other() -> None:
    parts: Any = [
        ("line", unidoku.rules.CellsInOrder),
        ("wanted", unidoku.rules.Values),
        ("others", frozenset[int]),
        ("number", int | None, None),
    ]
    described = {"kind": "of-types", "broken": Rising.broken, "constraints": Rising.constraints}
    bases: Any = (unidoku.Rule,)
    cls: Any = make_dataclass("OfTypes", parts, bases=bases, namespace=described, frozen=True)
    rule = cls([0, 1], {3, 2}, frozenset({1}))
    assert (rule.line, rule.wanted, rule.others) == ((0, 1), (2, 3), frozenset({1}))
    assert types_of_fields(cls)["number"] == types_of_fields(rules.Sandwich)["high"] == int | None
    for arguments, expected in (
        ((ORDERED, (1,), frozenset()), "line: expected cells in order"),
        (((0,), "x", frozenset()), "wanted: expected values, such as"),
        (((0,), (1,), [1]), r"others: expected frozenset\[int\], got \[1\]"),
        (((0,), (1,), frozenset(), "x"), r"number: expected int \| None, got 'x'"),
    ):
        with pytest.raises(LayoutError, match=f"of-types: {expected}"):
            cls(*arguments)


LONG: Any = 10**5000


@pytest.mark.parametrize(
    "call",
    [
        lambda: rules.Killer((0, 1), LONG),
        lambda: rules.WeightedSum((0, 1), (1, -LONG), 3),
        lambda: rules.Modular((0, 1), -LONG),
        lambda: layout("classic", 4).with_rules(rules.Thermo((0, LONG))),
        lambda: layout("classic", LONG),
        lambda: layout("classic", 4).cell((LONG, 0)),
        lambda: Board.from_values(layout("classic", 4), [LONG] * 16),
        lambda: solve([LONG] * 16),
        lambda: [*unidoku.generate(n=4, clues=LONG)],
    ],
)
def test_numbers_of_thousands_of_digits_are_refused_in_one_line(call: Callable[[], object]) -> None:
    with pytest.raises(InputError, match="expected") as refused:
        call()
    assert len(str(refused.value)) < 200


@given(ruled_layouts())
def test_rules_of_every_kind_come_back_from_their_tables(small: Layout) -> None:
    for rule in small.rules:
        assert rule_from_table(table_of_rule(rule)) == rule
        assert rule.words(small.names)
        text = "\n".join(toml_lines(table_of_rule(rule)))
        assert rule_from_table(tomllib.loads(text)) == rule, "TOML has no null"


FILLED = (3, 1, 2, 2, 0, 4)
"""Values of six cells in a row, one of them empty."""


@pytest.mark.parametrize(
    ("rule", "broken"),
    [
        (rules.Greater(((0, 1), (1, 2), (3, 4))), [(1, 2)]),
        (rules.DiffersBy(((0, 1), (1, 2), (2, 3), (4, 5)), 1), [(0, 1), (2, 3)]),
        (rules.DiffersBy(((0, 1), (1, 2)), 1, never=True), [(1, 2)]),
        (rules.Ratio(((0, 1), (1, 2), (5, 3))), [(0, 1)]),
        (rules.PairSum(((0, 2), (1, 3)), 5), [(1, 3)]),
        (rules.Thermo((1, 2, 4, 3, 0)), [(2, 3)]),
        (rules.Thermo((1, 2, 4, 3, 0), slow=True), []),
        (rules.Whispers((0, 1, 2, 3, 4, 5), 2), [(1, 2), (2, 3)]),
        (rules.Palindrome((0, 1, 2, 4, 5)), [(0, 5)]),
        (rules.Renban((0, 2, 4)), []),
        (rules.Renban((1, 4, 5)), [(1, 5)]),
        (rules.Killer((2, 3, 4)), [(2, 3)]),
        (rules.Killer((0, 1, 2), 6), []),
        (rules.Killer((0, 1, 4), 5), []),
        (rules.Killer((0, 1, 4), 4), [(0, 1, 4)]),
        (rules.Killer((0, 1), 5), [(0, 1)]),
        (rules.SumOfCells((2, 3, 3), 6), []),
        (rules.SumOfCells((2, 3), 5), [(2, 3)]),
        (rules.Arrow((5,), (1, 0)), []),
        (rules.Arrow((0,), (1, 4)), []),
        (rules.Arrow((1, 2), (0, 5, 3)), [(1, 2, 0, 5, 3)]),
        (rules.WeightedSum((0, 1), (2, -1), 5), []),
        (rules.WeightedSum((0, 1), (2, -1), 5, "!="), [(0, 1)]),
        (rules.WeightedSum((0, 4), (2, -1), 50), []),
        (rules.EqualityCage((0, 1, 4, 5), 4), []),
        (rules.EqualityCage((0, 1), 4), [(0, 1)]),
        (rules.EqualityCage((2, 5), 4), [(2, 5)]),
        (rules.EqualityCage((0, 4), 5), [(0,)]),
        (rules.Rellik((0, 1, 4), 4), [(0, 1)]),
        (rules.Rellik((0, 1, 4), 2), []),
        (rules.CountingCircles((0, 1, 2, 3)), [(0,)]),
        (rules.CountingCircles((1, 2, 3, 4)), []),
        (rules.CountDistinct((0,), (1, 2, 3)), [(0, 1, 2, 3)]),
        (rules.CountDistinct((0,), (1, 2, 3, 4)), []),
        (rules.Hits((0, 1, 4), ((1,), (2,), (3, 4))), []),
        (rules.Hits((0, 5, 4), ((1,), (2,), (3, 4))), [(0, 5, 4)]),
        (rules.DifferWhere((0,), 3, (1, 2, 3)), [(0, 2, 3)]),
        (rules.DifferWhere((0,), 1, (1, 2, 3)), []),
        (rules.SumLine((0, 1, 2, 3), 4), []),
        (rules.SumLine((0, 2, 4), 4), [(0, 2, 4)]),
        (rules.SumLine((1, 2, 3, 0), 4, loop=True), []),
        (rules.Flatmates((2, 0, 1), 3, 1, 4), [(2, 0, 1)]),
        (rules.Flatmates((1, 0, 2), 3, 1, 4), []),
        (rules.Flatmates((2, 0, 4), 3, 1, 4), []),
        (rules.HiddenSkyscraper((1, 0, 2, 3), 2), []),
        (rules.HiddenSkyscraper((1, 0, 2, 3), 3), [(1, 0, 2)]),
        (rules.HiddenSkyscraper((1, 2, 0), 3), [(1, 2, 0)]),
    ],
)
def test_a_rule_tells_which_filled_cells_break_it(
    rule: rules.Rule, broken: list[tuple[int, ...]]
) -> None:
    assert list(rule.broken(FILLED)) == broken


def test_a_cage_of_kenken_makes_its_number_in_any_order() -> None:
    square = layout("latin", 4)
    for cells, total, by, pairs in (
        ((0, 1), 3, "-", {(1, 4), (4, 1)}),
        ((0, 1), 2, "/", {(1, 2), (2, 1), (2, 4), (4, 2)}),
        ((0, 1), 12, "*", {(3, 4), (4, 3)}),
        ((0, 1), 3, "+", {(1, 2), (2, 1)}),
    ):
        item = Layout(4, square.units, square.positions, (rules.KenKen(cells, total, by),))
        grids = solve(Board.empty(item), solutions=None).solutions
        assert {grid[:2] for grid in grids} == pairs
        assert (
            rules.KenKen(cells, total, by).words(square.names)
            == f"the cage A1 A2 makes {total}{by}"
        )


def test_a_cage_of_kenken_that_cannot_be_calculated_is_refused() -> None:
    with pytest.raises(LayoutError, match=r"by: expected '\+', '-', '\*' or '/', got '%'"):
        rules.KenKen((0, 1), 3, "%")
    with pytest.raises(LayoutError, match="cage: expected two cells with '-', got 3"):
        rules.KenKen((0, 1, 2), 3, "-")


def test_a_product_that_its_cells_cannot_reach_has_no_solution_however_large_it_is() -> None:
    square = layout("latin", 4)
    for total, count in ((4**3, 0), (4 * 3 * 2, 6), (6**400, 0), (7 * 13 * 10**20, 0)):
        item = replace(square, rules=(rules.Product((0, 1, 2), total),))
        assert solve(Board.empty(item), solutions=None).count == 24 * count


def test_a_rule_with_too_many_states_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "MOST_STATES", 3)
    item = replace(layout("latin", 4), rules=(rules.Product((0, 1, 2), 60),))
    with pytest.raises(LayoutError, match=r"^rule product: expected at most 3 states of a line"):
        _ = item.constraints


def test_a_long_loop_of_a_sum_line_is_not_too_much_for_a_solver() -> None:
    ring = rules.SumLine(tuple(range(53)), 10, loop=True)
    board = Board.empty(Layout.from_units(9, [], shape=(1, 53), rules=[ring]))
    (grid,) = solve(board, backend="sat").solutions
    assert verify(board, grid) == []


def test_a_kind_of_ones_own_needs_a_name_that_is_not_taken() -> None:
    with pytest.raises(InputError, match=r"class Mine: expected a kind .*, got 'killer'; choose"):

        class Mine(rules.Killer):
            kind = "killer"

    class Other(rules.Killer):
        kind = "my own cage"

    assert Other.kind not in KINDS
    assert KINDS["killer"] is rules.Killer
    assert vars(unidoku.rules)["Killer"] is rules.Killer
