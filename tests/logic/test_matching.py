"""Groups of sets that hold as many elements as they are, or fewer, against all groups."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from operator import or_

from hypothesis import given
from hypothesis import strategies as st

from unidoku.logic.matching import overfull, tight

some_sets = st.lists(st.integers(0, 63), max_size=6)


def element_count(sets: Sequence[int], group: Sequence[int]) -> int:
    return reduce(or_, (sets[index] for index in group), 0)


def groups(sets: Sequence[int], fewer: int) -> list[tuple[int, ...]]:
    """Return all groups of sets that hold so many elements fewer than they are."""
    return [
        group
        for size in range(1, len(sets) + 1)
        for group in combinations(range(len(sets)), size)
        if element_count(sets, group).bit_count() == size - fewer
    ]


@given(some_sets)
def test_tight_groups_are_those_without_a_smaller_one(sets: list[int]) -> None:
    expected = groups(sets, 0)
    if any(groups(sets, fewer) for fewer in range(1, 7)):
        expected = []
    smallest = {group for group in expected if not any(set(g) < set(group) for g in expected)}
    tight_groups = tight(tuple(sets))
    assert set(tight_groups) == smallest
    assert len(tight_groups) == len(smallest)


@given(some_sets)
def test_overfull_groups_hold_one_element_fewer_than_they_are(sets: list[int]) -> None:
    overfull_groups = overfull(sets)
    for group, elements in overfull_groups:
        assert elements == element_count(sets, group)
        assert elements.bit_count() == len(group) - 1
    assert bool(overfull_groups) == any(groups(sets, fewer) for fewer in range(1, 7))


@given(some_sets)
def test_a_single_overfull_group_is_the_only_one_without_a_smaller_one(sets: list[int]) -> None:
    overfull_groups = overfull(sets)
    if len(overfull_groups) == 1:
        all_groups = groups(sets, 1)
        assert min(all_groups, key=len) == tuple(overfull_groups[0][0])
        assert all(set(overfull_groups[0][0]) <= set(group) for group in all_groups)
