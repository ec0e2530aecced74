"""How long proofs by volume go on: for seconds in ``make test``, for long in ``make soak``."""

from __future__ import annotations

import os

SOAK = int(os.environ.get("UNIDOKU_SOAK") or 0)
"""By how much ``make soak`` multiplies; 0 in all other runs."""


FEW = 8
"""So many are cheap, and mostly chosen one by one."""


def volume(number: int) -> int:
    """Return how many boards, examples or rounds a proof by volume takes.

    Args:
        number: what ``make soak`` multiplies; ``make test`` takes half of it, where it is many.
    """
    return number * SOAK if SOAK else min(number, max(FEW, number // 2))
