"""The rule of 45 as machine code finds what the one in Python does."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

import unidoku
from unidoku import Board, Killer, Layout, Pairs, PairSum, SumOfCells, layout
from unidoku.backends.native.single.build.cages import (
    array_of,
    compiled_sums,
    sums_of,
    sums_of_cages,
)
from unidoku.backends.native.single.build.memory import zeros
from unidoku.backends.native.single.function import INTERPRETED, if_loaded
from unidoku.backends.native.single.search.cages import Place, find_sums
from unidoku.core.transforms.implied import implied_sums
from unidoku.core.transforms.innies_outies import cages_of, totals_of
from unidoku.testing.strategies import cages


def killer(name: str, n: int, seed: int) -> Layout:
    """A layout with random cages and some cells in none; those of odd seeds may overlap."""
    rng, plain = Random(seed), layout(name, n)
    cells = [*plain.cells]
    if seed % 2:
        rng.shuffle(cells)
    rules: list[Killer | SumOfCells] = []
    while len(cells) > n:
        size = rng.randint(1, 5)
        cage, cells = tuple(cells[:size]), cells[size:]
        total = rng.randint(size, n * size)
        if rng.random() < 0.8:
            rules.append(Killer(cage, total) if rng.random() < 0.5 else SumOfCells(cage, total))
    for _ in range(n * (seed % 2)):
        line = tuple(sorted(rng.sample([*plain.cells], rng.randint(2, n))))
        rules.append(SumOfCells(line, rng.randint(len(line), n * len(line))))
    return replace(plain, rules=tuple(rules))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("name", "n"), [("classic", 4), ("x", 6), ("classic", 9), ("latin", 9)])
def test_machine_code_finds_the_same_sums_in_the_same_order(name: str, n: int, seed: int) -> None:
    ruled = killer(name, n, seed)
    for terms in (4, 8):
        expected = [*implied_sums(ruled, 3, terms)]
        assert compiled_sums(ruled, totals_of(ruled), 3, terms, INTERPRETED) == expected
        if (function := if_loaded()) is not None:
            sums = compiled_sums(ruled, totals_of(ruled), 5, terms, function)
            assert sums == [*implied_sums(ruled, 5, terms)]


@pytest.mark.parametrize("seed", [1, 8, 10, 11])
def test_units_of_grids_that_overlap_are_known_in_the_same_order(seed: int) -> None:
    ruled = killer("grids:0,0/2,2/0,1", 4, seed)  # whose rows come before and after columns
    expected = [*implied_sums(ruled, 5, 8)]
    assert compiled_sums(ruled, totals_of(ruled), 5, 8, INTERPRETED) == expected


def test_a_pair_is_one_cage_whichever_of_its_cells_comes_first() -> None:
    larger = Pairs(((7, 3),), lambda a, b: a + b == 6 and a > b)  # as (3, 7), some are reversed
    rules = (larger, Pairs(((3, 7),), lambda a, b: a + b == 6 and a < b), PairSum(((3, 7),), 6))
    ruled = replace(layout("classic", 9), rules=rules)
    assert totals_of(ruled) == {(3, 7): 6}


def test_the_rule_of_45_stays_inside_its_array() -> None:
    for seed in range(4):
        ruled = killer("classic", 4, seed)
        head, size = array_of(ruled, totals_of(ruled), 5, 8)
        numbers = head + zeros(size - len(head))  # raises an IndexError beyond its end
        end = find_sums(numbers)
        sums = sums_of(tuple(numbers[numbers[Place.RESULTS_AT] : end].tolist()))
        assert sums == [*implied_sums(ruled, 5, 8)]


@given(cages())
def test_any_cages_have_the_same_sums(ruled: Layout) -> None:
    unidoku.load("native").prepare(ruled)  # loads the machine code if there is any
    assert [*sums_of_cages(ruled, 5, 8)] == [*implied_sums(ruled, 5, 8)]


def test_a_total_that_no_cells_reach_is_no_cage() -> None:
    rule = SumOfCells((0, 1, 2), 1 << 70)  # more than 64 bits, which the machine code has
    ruled = replace(layout("classic", 4), rules=(rule, Killer((4, 5), 3)))
    assert [*cages_of(ruled).values()] == [3]
    assert unidoku.load("native").solve(Board.empty(ruled)).count == 0
