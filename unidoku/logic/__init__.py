"""Techniques: how a person solves a board, in terms of units, so on any layout.

Each technique finds steps that follow from a state without any guess; `explain` takes the
easiest again and again. Knows the core only.
"""

from unidoku.logic.catalogue import TECHNIQUES, check_layout, chosen, technique, up_to, usual
from unidoku.logic.state import State
from unidoku.logic.step import Candidate, Link, Step
from unidoku.logic.technique import Technique
from unidoku.logic.walkthrough import Ending, Walkthrough, explain, hint, steps_from

__all__ = [
    "TECHNIQUES",
    "Candidate",
    "Ending",
    "Link",
    "State",
    "Step",
    "Technique",
    "Walkthrough",
    "check_layout",
    "chosen",
    "explain",
    "hint",
    "steps_from",
    "technique",
    "up_to",
    "usual",
]
