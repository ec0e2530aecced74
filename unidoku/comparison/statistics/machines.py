"""Machines: which times were measured on the same ones, so that their ratio is of backends only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def mixes(groups: NDArray[np.int64], machine: NDArray[np.int64], size: int) -> NDArray[np.int32]:
    """Return a code for each group: groups with the same shares of machines have the same one.

    Args:
        groups: the group of each run, a number below ``size``.
        machine: the number of each run's machine.
        size: number of groups; those without runs have the code of each other.
    """
    if not len(machine) or not machine.any():
        return np.zeros(size, dtype=np.int32)
    width = int(machine.max()) + 1
    counts = np.bincount(groups * width + machine, minlength=size * width).reshape(size, width)
    shares = counts // np.maximum(np.gcd.reduce(counts, axis=1), 1)[:, None]
    codes = np.unique(shares, axis=0, return_inverse=True)[1]
    return codes.reshape(size).astype(np.int32)
