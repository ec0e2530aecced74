"""What rules tell of themselves: to shrinking, to symmetries, to written boards."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from unidoku import NonConsecutive, layout
from unidoku.core.regions import random_regions
from unidoku.core.variants import ADDITIONS, Variant, variant_of
from unidoku.testing.layouts import additions

PAIRS = st.lists(st.sampled_from([(a, b) for a in range(6) for b in range(a)]), unique=True)


@given(PAIRS)
def test_weaker_rules_say_less_and_leave_out_every_single_thing(
    pairs: list[tuple[int, int]],
) -> None:
    rule = NonConsecutive(tuple(pairs))
    weaker = list(rule.weaker())
    assert all(one.size < rule.size and set(one.pairs) < set(pairs) for one in weaker)
    if len(pairs) > 1:
        for pair in pairs:
            assert NonConsecutive(tuple(p for p in pairs if p != pair)) in weaker


@given(PAIRS, st.sets(st.integers(0, 5)))
def test_a_rule_on_some_of_its_cells_says_what_it_said_of_them(
    pairs: list[tuple[int, int]], left: set[int]
) -> None:
    number = {cell: place for place, cell in enumerate(sorted(left))}
    kept = [(number[a], number[b]) for a, b in pairs if {a, b} <= left]
    expected = NonConsecutive(tuple(kept)) if kept else None
    assert NonConsecutive(tuple(pairs)).on(number) == expected


def test_values_may_be_counted_backwards_and_not_otherwise() -> None:
    rule = NonConsecutive(((0, 1),))
    assert rule.renamed((0, 1, 2, 3, 4)) == rule.renamed((0, 4, 3, 2, 1)) == rule
    assert rule.renamed((0, 2, 1, 3, 4)) is None


def test_a_layout_knows_its_variant() -> None:
    for name in ("classic", "x+windoku", "latin+non-consecutive", "samurai", "classic:3x2"):
        n = 6 if ":" in name else 9
        assert variant_of(layout(name, n)) == Variant.parse(name)
    bare = layout("classic", 4)
    assert variant_of(type(bare)(4, bare.units[:-1], bare.positions, name="classic")) is None


def test_every_addition_exists_in_some_layout() -> None:
    found = {name for n in (4, 8, 9) for name in additions("classic", n)}
    assert found == set(ADDITIONS)


@given(st.integers(2, 7), st.integers(0, 99))
def test_regions_that_keep_a_grid_hold_each_value_once(n: int, seed: int) -> None:
    grid = tuple((row + column) % n + 1 for row in range(n) for column in range(n))
    region = random_regions(n, random.Random(seed), grid=grid)
    for which in range(n):
        held = [value for value, one in zip(grid, region, strict=True) if one == which]
        assert sorted(held) == list(range(1, n + 1))
