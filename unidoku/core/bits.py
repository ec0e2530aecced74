"""Candidate sets as ints: bit ``v - 1`` stands for value ``v``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache


def bit(value: int) -> int:
    """Return the set with only ``value``."""
    return 1 << (value - 1)


def all_values(n: int) -> int:
    """Return the set of the values 1 to ``n``."""
    return (1 << n) - 1


def mask_of(values: Iterable[int]) -> int:
    """Return the set of the given values.

    >>> mask_of([1, 3])
    5
    """
    mask = 0
    for value in values:
        mask |= 1 << (value - 1)
    return mask


@lru_cache(maxsize=1 << 14)
def values_of(mask: int) -> tuple[int, ...]:
    """Return the values of a set, ascending.

    >>> values_of(0b1010)
    (2, 4)
    """
    values = []
    while mask:
        lowest = mask & -mask
        values.append(lowest.bit_length())
        mask ^= lowest
    return tuple(values)


def bits_of(mask: int) -> list[int]:
    """Return the numbers of a set of things numbered from 0, such as cells, ascending.

    >>> bits_of(0b1010)
    [1, 3]
    """
    bits = []
    while mask:
        lowest = mask & -mask
        bits.append(lowest.bit_length() - 1)
        mask ^= lowest
    return bits


def single_bits(mask: int) -> list[int]:
    """Return the sets of one value of a set, ascending.

    >>> single_bits(0b1010)
    [2, 8]
    """
    bits = []
    while mask:
        bits.append(mask & -mask)
        mask &= mask - 1
    return bits


def set_of(cells: Iterable[int]) -> int:
    """Return the set of things numbered from 0, such as cells.

    >>> bin(set_of([1, 3]))
    '0b1010'
    """
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def is_single(mask: int) -> bool:
    """Return whether a set holds exactly one value."""
    return mask != 0 and mask & (mask - 1) == 0


def value_of(mask: int) -> int:
    """Return the only value of a set, or 0 if the set has none or several."""
    return mask.bit_length() if is_single(mask) else 0
