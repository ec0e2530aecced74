"""Random Latin squares: what they are, and that all are equally likely."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from tests.helpers.volume import volume
from unidoku.core.layout import Grid
from unidoku.generation.latin import random_latin_square


@pytest.mark.parametrize("n", [1, 2, 3, 9, 20])
def test_every_row_and_column_has_every_value(n: int) -> None:
    square = random_latin_square(n, random.Random(1))
    for line in range(n):
        assert sorted(square[line * n : line * n + n]) == [*range(1, n + 1)]
        assert sorted(square[line::n]) == [*range(1, n + 1)]


def test_the_same_random_numbers_give_the_same_square() -> None:
    first, other = (random_latin_square(7, random.Random(5)) for _ in range(2))
    assert first == other != random_latin_square(7, random.Random(6))


def chi_square(counts: Counter[Grid], kinds: int) -> float:
    expected = counts.total() / kinds
    missing = (kinds - len(counts)) * expected
    return sum((count - expected) ** 2 / expected for count in counts.values()) + missing


@pytest.mark.parametrize(("n", "squares", "most"), [(3, 12, 24.7), (4, 576, 657.0)])
def test_all_squares_are_equally_likely(n: int, squares: int, most: float) -> None:
    """Chi-square is below its 99 % quantile, with 11 and 575 degrees of freedom."""
    rng = random.Random(1)
    counts = Counter(random_latin_square(n, rng) for _ in range(10 * squares))
    assert len(counts) == squares, "each square of this order occurs"
    assert chi_square(counts, squares) < most


def test_squares_of_order_5_have_the_structures_that_they_should() -> None:
    """6 of the 56 reduced squares are those of the cyclic group, without a subsquare of order 2."""
    rng, drawn = random.Random(1), volume(4000)
    cyclic = sum(not subsquares(random_latin_square(5, rng), 5) for _ in range(drawn))
    expected = drawn * 6 / 56
    deviation = (expected * 50 / 56) ** 0.5
    assert abs(cyclic - expected) < 2.6 * deviation


def subsquares(square: Grid, n: int) -> int:
    """Return the number of 2x2 subsquares."""
    rows = [square[start : start + n] for start in range(0, n * n, n)]
    return sum(
        (first[left], first[right]) == (other[right], other[left])
        for first, other in combinations(rows, 2)
        for left, right in combinations(range(n), 2)
    )
