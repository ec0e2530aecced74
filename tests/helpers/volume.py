"""How long proofs by volume go on: for seconds in ``make test``, for long in ``make soak``."""

from __future__ import annotations

import os

SOAK = int(os.environ.get("UNIDOKU_SOAK") or 0)
"""By how much ``make soak`` multiplies; 0 in all other runs."""


def volume(number: int) -> int:
    """Return how many boards, examples or rounds a proof by volume takes.

    Args:
        number: the number in ``make test``.
    """
    return number * max(1, SOAK)
