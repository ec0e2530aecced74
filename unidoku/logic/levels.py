"""Levels of difficulty, as HoDoKu has them: by the scores of the techniques that a board needs."""

from __future__ import annotations

from collections.abc import Sequence

from unidoku.core.layout import Layout
from unidoku.logic.catalogue import technique
from unidoku.logic.step import Step

_BOUNDS = (
    ("easy", 14, 800),
    ("medium", 100, 1000),
    ("hard", 200, 1600),
    ("unfair", 400, 1800),
)
"""HoDoKu's levels, each with its highest score of a technique and its highest sum of scores; a
board above all of them is ``extreme``."""

LEVELS = (*(level for level, _, _ in _BOUNDS), "extreme")
"""The levels, from the easiest to the hardest."""

_VALUES = 9
"""The number of values of the boards without rules for which HoDoKu's sums are made."""

_FEW, _UNFAIR = 5, 400
"""The largest number of short contradictions that are few, and the score of a technique as hard as
they are together, which is that of an unfair board."""

FORCING = "forcing"
"""The family of techniques that try a value (see `Technique.family`)."""

REASON = "short reason"

SHORT_PARTS, SHORT_FORCING = 6, 8.8
"""The largest number of parts of a short reason, and the highest rating of forcing, that count as a
short contradiction: one that a person follows in the head."""


def is_short_contradiction(step: Step) -> bool:
    """Return whether a step tries a value, and a person follows in the head where that leads."""
    if technique(step.technique).family == FORCING:
        return step.rating <= SHORT_FORCING
    return step.technique == REASON and step.parts <= SHORT_PARTS


def level_of(steps: Sequence[Step], layout: Layout) -> str:
    """Return HoDoKu's level of a board that these steps solve."""
    short = [is_short_contradiction(step) for step in steps]
    scores = [technique(step.technique).score for step in steps]
    highest = 0
    if 0 < sum(short) <= _FEW:
        scores = [score for score, is_short in zip(scores, short, strict=True) if not is_short]
        highest = _UNFAIR
    highest = max([highest, *scores])
    total = sum(scores) if layout.n == _VALUES and not layout.rules else 0
    for level, most, limit in _BOUNDS:
        if highest <= most and total <= limit:
            return level
    return "extreme"
