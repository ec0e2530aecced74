"""What is made of an object is made once, and of another one anew."""

from __future__ import annotations

from unidoku.core import identity


def test_of_the_same_object_it_is_made_once_and_of_an_equal_one_again() -> None:
    asked: list[tuple[list[int], int]] = []

    @identity.of_identity
    def total(numbers: list[int], more: int) -> int:
        asked.append((numbers, more))
        return sum(numbers) + more

    one, other = [1, 2], [1, 2]
    assert [total(one, 0), total(one, 0), total(one, 1), total(other, 0)] == [3, 3, 4, 3]
    assert len(asked) == 3
    assert [total(one, more=2), total(one, more=3), total(one, more=2)] == [5, 6, 5]
    assert len(asked) == 5


def test_no_more_is_kept_than_so_much_and_what_was_forgotten_is_made_again() -> None:
    size = identity.of_identity(len)
    kept = [[0] * count for count in range(identity.MOST + 10)]
    assert [size(one) for one in kept] == [*range(len(kept))]
    assert [size(one) for one in kept[:10]] == [*range(10)]
