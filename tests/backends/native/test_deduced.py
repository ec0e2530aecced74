"""Sums of cages that compiled code finds: just those that Python finds, one after the other."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given

import unidoku
from unidoku import Killer, Layout, SumOfCells, layout
from unidoku.backends.native import relief
from unidoku.backends.native.single import deduced
from unidoku.core.transforms.implied import sums_of_cages
from unidoku.core.transforms.innies_outies import UNITS, cages_of
from unidoku.testing.strategies import cages

SINGLE = unidoku.load("native[engine=single]")


def same(one: Layout, terms: int) -> int:
    """Compare both on a layout; return how many sums there are."""
    told = cages_of(one)
    found = list(deduced.sums_of_cages(one, told, UNITS, terms)) if told else []
    assert found == (list(sums_of_cages(one, told, UNITS, terms)) if told else [])
    return len(found)


def paths(one: Layout, numbers: random.Random, *, apart: bool) -> Layout:
    """Give a layout cages of neighbours, with sums that need not fit together."""
    free, rules = set(one.cells), []
    kind = Killer if apart else SumOfCells
    for _ in range(len(one) // 3):
        cage = [numbers.choice(sorted(free))]
        for _ in range(numbers.randint(0, 4)):
            row, column = one.positions[cage[-1]]
            around = [(row + 1, column), (row, column + 1), (row - 1, column), (row, column - 1)]
            near = [one.cell_at[at] for at in around if one.cell_at.get(at) in free - set(cage)]
            cage += [numbers.choice(near)] if near else []
        if apart:
            free -= set(cage)
        rules.append(kind(tuple(cage), numbers.randint(len(cage), len(cage) * one.n)))
    return replace(one, rules=tuple(rules))


@given(cages())
def test_compiled_code_finds_the_sums_of_any_cages_that_python_finds(one: Layout) -> None:
    same(one, 3)


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize(
    ("name", "n"), [("classic", 4), ("classic", 9), ("windoku", 9), ("classic", 16)]
)
def test_compiled_code_finds_the_sums_of_large_boards_that_python_finds(
    name: str, n: int, *, apart: bool
) -> None:
    numbers = random.Random(n)
    one = paths(layout(name, n), numbers, apart=apart)
    assert [same(one, terms) for terms in (4, 14)][-1] > 0


def test_a_sum_beyond_all_puzzles_is_left_to_python() -> None:
    one = replace(layout("latin", 4), rules=(SumOfCells((0, 1), 10**30), SumOfCells((2,), 3)))
    assert same(one, 4)


def test_solvers_have_compiled_code_find_sums_once_it_is_loaded() -> None:
    SINGLE.solve("1... ..2. .3.. ...4")
    assert relief.sums_of_cages() is deduced.sums_of_cages
