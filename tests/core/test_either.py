"""Rules of alternatives and of values held: what is broken, what is said, what is left of them."""

from __future__ import annotations

import pytest

from unidoku import Automaton, Layout, Relation, Sets, Table, layout
from unidoku.core import rules as r
from unidoku.core.rules.catalogue import rule_from_table, table_of_rule
from unidoku.core.transforms.simplify import simplified
from unidoku.errors import FormatError, LayoutError

EITHER = r.AnyOf(((r.Killer((0, 1), 5),), (r.Thermo((2, 3)), r.Holds((0,), (4,)))))


def broken(rule: r.Rule, *values: int) -> list[tuple[int, ...]]:
    return list(rule.broken(values))


def test_a_rule_of_alternatives_is_broken_once_all_branches_are() -> None:
    assert broken(EITHER, 4, 2, 3, 0) == []
    assert broken(EITHER, 4, 2, 3, 3) == [(0, 1, 2, 3)]
    assert broken(EITHER, 4, 2, 0, 0) == []
    assert broken(EITHER, 1, 2, 0, 0) == [(0, 1)]
    assert broken(EITHER, 1, 4, 0, 0) == []


def test_groups_are_told_apart_once_the_empty_cells_cannot_match() -> None:
    same = r.SameMultiset((0, 1, 2), (3, 4, 5))
    assert broken(same, 1, 2, 0, 0, 0, 3) == []
    assert broken(same, 1, 2, 0, 0, 3, 3) == [(0, 1, 2, 3, 4, 5)]
    assert broken(same, 1, 1, 2, 2, 1, 1) == []
    assert broken(same, 1, 1, 2, 2, 2, 1) == [(0, 1, 2, 3, 4, 5)]


def test_what_is_said_names_all_branches() -> None:
    names = layout("latin", 2).names
    assert EITHER.words(names) == (
        "either the cage A1 A2 sums to 5; or the values rise along B1 B2 and A1 holds 4"
    )
    assert r.Holds((0, 1), (3, 1, 2)).words(names) == "A1 A2 hold 1, 2 or 3"
    assert r.Lunchbox((0, 1), 0).words(names).endswith("they sum to 0")
    assert r.SameMultiset((0,), (1,)).words(names) == "A1 hold the same values as A2"


def test_rules_in_rules_move_shrink_and_are_written_with_the_rest() -> None:
    assert EITHER.cells == (0, 1, 2, 3)
    assert EITHER.moved((3, 2, 1, 0)).cells == (3, 2, 1, 0)
    assert EITHER.restricted_to({0: 5, 1: 6}) == r.AnyOf(
        ((r.Killer((5, 6), 5),), (r.Holds((5,), (4,)),))
    )
    assert EITHER.restricted_to({2: 0, 3: 1}) is None
    assert rule_from_table(table_of_rule(EITHER)) == EITHER
    smaller = [*EITHER.smaller()]
    assert all(less.size < EITHER.size for less in smaller)
    assert r.AnyOf((EITHER.branches[0], (r.Holds((0,), (4,)),))) in smaller
    assert r.AnyOf(EITHER.branches[1:]) in smaller


def test_a_rule_of_your_own_in_a_branch_is_tabulated_with_its_layout() -> None:
    even = r.Line((0, 1), 0, lambda odd, v: odd ^ v % 2, lambda odd: not odd, "even")
    row = Layout.from_units(3, [], shape=(1, 2), rules=[r.AnyOf(((even,), (r.Holds((0,), (3,)),)))])
    assert row == Layout.from_units(3, [], shape=(1, 2), rules=row.rules)
    assert not broken(row.rules[0], 3, 2)
    assert broken(row.rules[0], 1, 2) == [(0, 1)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: r.AnyOf(()), "any-of: branches: expected at least one, got none"),
        (lambda: r.AnyOf((r.Killer((0, 1)), ())), "any-of: branch 2: expected rules, got ()"),  # type: ignore[arg-type]  # what is refused
        (lambda: r.AnyOf(((3,),)), r"any-of: branch 1: expected rules, got (3,)"),  # type: ignore[arg-type]  # what is refused
        (
            lambda: r.SameMultiset((0, 1), (2,)),
            "expected the same number of cells in both, got 2 and 1",
        ),
        (lambda: r.SameMultiset((0, 0), (2, 3)), "same-values: held: expected each cell once"),
        (lambda: r.Lunchbox((0, 1, 0), 3), "lunchbox: line: expected each cell once"),
    ],
)
def test_what_says_nothing_is_refused(make: object, message: str) -> None:
    with pytest.raises(LayoutError) as caught:
        make()  # type: ignore[operator]  # it is a function
    assert message in str(caught.value)


def test_a_table_of_rules_in_rules_without_end_is_refused() -> None:
    table = {"kind": "holds", "held": [0], "values": [1]}
    for _ in range(2000):
        table = {"kind": "any-of", "branches": [[table]]}
    with pytest.raises(FormatError, match="field 'branches': expected a list of lists of tables"):
        rule_from_table(table)


def simplest(*rules: r.Rule, n: int = 4, size: int = 6) -> list[object]:
    row = Layout.from_units(n, [range(3)], shape=(1, size), rules=rules)
    return list(simplified(row).constraints)


def test_alternatives_of_the_same_cells_are_one_constraint() -> None:
    (cage,) = simplest(r.AnyOf(((r.Killer((0, 1, 2), 6),), (r.Killer((0, 1, 2), 7),))), n=9)
    assert isinstance(cage, Sets)
    assert cage.totals == (6, 7)
    lines = [r.Line(tuple(range(6)), (0,), ((0, v, 0), (0, 4, 0)), (0,)) for v in (1, 2)]
    (line,) = simplest(r.AnyOf(((lines[0],), (lines[1],))))
    assert isinstance(line, Automaton)
    (pair,) = simplest(r.AnyOf(((r.Holds((0,), (1,)),), (r.Holds((1,), (2,)),))))
    assert isinstance(pair, Relation)
    (three,) = simplest(r.AnyOf(((r.Thermo((3, 4)),), (r.Holds((5,), (2,)),))))
    assert isinstance(three, Table)


def test_what_all_branches_say_is_said_once_and_what_cannot_be_is_not_said() -> None:
    common, never = r.Thermo((3, 4)), r.Holds((0,), (9,))
    assert simplest(r.AnyOf(((common, never), (common,)))) == simplest(common)
    assert simplest(r.AnyOf(((common, r.Thermo((4, 5))), (common,)))) == simplest(common)
    assert simplest(r.AnyOf(((r.AnyOf(((never,), (common,))),), (common,)))) == simplest(common)
    row = Layout.from_units(4, [], shape=(1, 2), rules=[r.AnyOf(((r.Holds((0,), (9,)),),))])
    assert 0 in simplified(row).candidates
