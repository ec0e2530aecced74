"""Random numbers that depend on the seed and the number of the attempt alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unidoku.errors import InputError

__all__ = ["Chance", "check_seed"]

_BLOCK = 8
"""Numbers of 32 bits that one step of the generator's counter gives."""

_SEEDS = 1 << 64
"""How many seeds there are."""


def check_seed(seed: int) -> int:
    """Return the seed, or refuse it.

    Raises:
        InputError: it is none.
    """
    if type(seed) is not int or not 0 <= seed < _SEEDS:
        raise InputError(f"seed: expected an int from 0 to {_SEEDS - 1}, got {seed!r}")
    return seed


@dataclass(frozen=True, slots=True)
class Chance:
    """A table of random numbers, a row an attempt, any part of which can be had at once.

    So attempts give the same puzzles, in however large batches they are made. The numbers are
    those of Philox (Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011), a
    generator that computes its k-th number from k.

    Args:
        seed: from 0; the same seed gives the same table.
        width: numbers a row.
    """

    seed: int
    width: int

    def rows(self, first: int, count: int) -> NDArray[np.uint32]:
        """Return rows of the table, uint32 of shape (count, width)."""
        steps = -(-self.width // _BLOCK)
        generator = np.random.Philox(key=self.seed)
        generator.advance(first * steps)
        raw = np.atleast_1d(generator.random_raw(count * steps * _BLOCK // 2))
        # Which half of a number comes first must not depend on the machine.
        numbers = raw.astype("<u8").view("<u4").astype(np.uint32)
        return numbers.reshape(count, steps * _BLOCK)[:, : self.width]
