"""What is said of a path beside its steps: how it ends, and what it took."""

from __future__ import annotations

import re
from dataclasses import dataclass

from unidoku.core.layout import Layout
from unidoku.logic import Ending, Step, Walkthrough, technique

__all__ = ["HARDER", "Use", "counted", "is_key", "layout_label", "summary", "uses"]

HARDER = 2.3
"""The rating of the hardest single: steps above it are the key steps of a path."""


@dataclass(frozen=True, slots=True)
class Use:
    """What a path used of one technique.

    Args:
        technique: its name.
        steps: how many.
        rating: the highest of them.
        score: the sum of theirs.
    """

    technique: str
    steps: int
    rating: float
    score: int


def uses(path: Walkthrough) -> list[Use]:
    """Return what a path used of each technique, the easiest technique first."""
    found = []
    for name, count in path.counts.items():
        rating = max(step.rating for step in path.steps if step.technique == name)
        found.append(Use(name, count, rating, count * technique(name).score))
    return sorted(found, key=lambda use: (technique(use.technique).rating, use.technique))


def is_key(step: Step) -> bool:
    """Tell whether a step is harder than a single."""
    return step.rating > HARDER or not step.placements


def summary(path: Walkthrough) -> str:
    """Return how a path ends and what it took, as one phrase."""
    steps = counted(len(path.steps), "step")
    match path.outcome:
        case Ending.SOLVED:
            end = f"solved in {steps}"
        case Ending.STALLED:
            left = counted(path.final.empty.bit_count(), "cell")
            end = f"stalled after {steps}, {left} left: no technique finds another"
        case Ending.UNFINISHED:
            left = counted(path.final.empty.bit_count(), "cell")
            end = f"not at an end in time: {steps}, {left} left"
        case Ending.CONTRADICTION:
            end = f"no solutions, after {steps}: {path.final.contradiction}"
    if path.hardest is None:
        return end
    hardest = f"{path.hardest.technique} ({path.rating:.1f})"
    return f"{end}; hardest: {hardest}; score {path.score:,}"


def counted(count: int, word: str) -> str:
    """Return a number with its word.

    >>> counted(1, "step"), counted(1200, "step")
    ('1 step', '1,200 steps')
    """
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def layout_label(layout: Layout) -> str:
    """Return a layout's name without the region maps that it may hold, and its n."""
    return f"{re.sub(r'jigsaw:[^+]*', 'jigsaw', layout.name)}, n = {layout.n}"
