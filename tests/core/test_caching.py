"""Caches by the identity of an object, and by a layout with the names of its units."""

from __future__ import annotations

from dataclasses import replace

from unidoku import Layout, layout
from unidoku.core import caching


def test_the_same_object_has_one_result_and_an_equal_object_its_own() -> None:
    calls: list[tuple[list[int], int]] = []

    @caching.identity_cache
    def total(numbers: list[int], added: int) -> int:
        calls.append((numbers, added))
        return sum(numbers) + added

    first, equal = [1, 2], [1, 2]
    assert [total(first, 0), total(first, 0), total(first, 1), total(equal, 0)] == [3, 3, 4, 3]
    assert len(calls) == 3
    assert [total(first, added=2), total(first, added=3), total(first, added=2)] == [5, 6, 5]
    assert len(calls) == 5


def test_a_full_cache_is_emptied_and_its_results_are_computed_again() -> None:
    size = caching.identity_cache(len)
    lists = [[0] * count for count in range(caching.MAX_OBJECTS + 10)]
    assert [size(numbers) for numbers in lists] == [*range(len(lists))]
    assert [size(numbers) for numbers in lists[:10]] == [*range(10)]


def test_layouts_that_differ_in_the_names_of_units_have_results_of_their_own() -> None:
    calls: list[Layout] = []

    @caching.by_layout(2)
    def unit_name(layout: Layout, index: int) -> str:
        calls.append(layout)
        return layout.units[index].name

    square = layout("latin", 4)
    named = replace(square, units=tuple([replace(unit, name="line") for unit in square.units]))
    assert named == square
    assert [unit_name(square, 0), unit_name(named, 0), unit_name(square, 0)] == [
        *(square.units[0].name, "line", square.units[0].name)
    ]
    assert len(calls) == 2
    caching.forget_layouts()
    assert unit_name(square, 0) == square.units[0].name
    assert len(calls) == 3
