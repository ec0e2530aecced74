"""How long proofs by volume go on: for seconds in ``make test``, for long in ``make soak``."""

from __future__ import annotations

import os

import pytest
from _pytest.mark.structures import ParameterSet

SOAK = int(os.environ.get("UNIDOKU_SOAK") or 0)
"""By how much ``make soak`` multiplies; 0 in all other runs."""


def thorough(*values: object) -> list[ParameterSet]:
    """Return further values of a parameter, for ``make test-thorough`` and ``make soak``."""
    return [pytest.param(value, marks=pytest.mark.thorough) for value in values]


FEW = 8
"""So many are cheap, and mostly chosen one by one."""


def volume(number: int) -> int:
    """Return how many boards, examples or rounds a proof by volume takes.

    Args:
        number: what ``make soak`` multiplies; ``make test`` takes half of it, where it is many.
    """
    return number * SOAK if SOAK else min(number, max(FEW, number // 2))
