"""Solving by logic, as people do: techniques stated in terms of units, for any layout.

Each technique finds steps that follow from a state without a guess; `walk_through` takes the
easiest step again and again. This package imports the core only.
"""

from unidoku.logic.catalogue import (
    TECHNIQUES,
    Technique,
    check_layout,
    chosen,
    technique,
    up_to,
    usual,
)
from unidoku.logic.state import State
from unidoku.logic.step import Basis, Candidate, Link, Step
from unidoku.logic.walkthrough import Ending, Walkthrough, steps_from, walk_through

__all__ = [
    "TECHNIQUES",
    "Basis",
    "Candidate",
    "Ending",
    "Link",
    "State",
    "Step",
    "Technique",
    "Walkthrough",
    "check_layout",
    "chosen",
    "steps_from",
    "technique",
    "up_to",
    "usual",
    "walk_through",
]
