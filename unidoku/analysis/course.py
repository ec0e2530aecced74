"""How a solution by logic goes: whether it needs forcing, its openings, and its largest reason.

A single number says little about puzzles with rules. A setter asks whether a solver has to try
values, where there is only one way on, and how many things have to be held in mind at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from statistics import fmean
from typing import Any

from unidoku.logic import State, Step, Technique, Walkthrough, technique
from unidoku.logic.levels import FORCING, REASON
from unidoku.support.text import plural

_MOST_OPENINGS = 10
"""The largest number of openings of a step that are counted."""

_SINGLES = "singles"
"""The family of singles (see `Technique.family`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What a setter wants to know of a solution by logic.

    Args:
        forcing: number of steps that try a value and find a contradiction.
        openings: the mean number of ways on at each step: steps of its technique, of all singles
            together, at most ten counted. Forcing and short reasons count as one.
        narrow: number of steps with a single way on.
        largest_reason: number of parts of the largest short reason; 0 if there is none.
    """

    forcing: int
    openings: float
    narrow: int
    largest_reason: int

    def __str__(self) -> str:
        """Return it in words: ``no forcing; 5.2 openings a step, one at 3 steps``."""
        forcing = f"{plural(self.forcing, 'step')} of forcing" if self.forcing else "no forcing"
        text = f"{forcing}; {self.openings:.1f} openings a step"
        if self.narrow:
            text += f", one at {plural(self.narrow, 'step')}"
        if self.largest_reason:
            text += f"; the largest reason has {plural(self.largest_reason, 'part')}"
        return text

    def record(self) -> dict[str, Any]:
        """Return it as a table for JSON."""
        return asdict(self)


def course(walkthrough: Walkthrough, techniques: Sequence[Technique]) -> Course:
    """Return how a walkthrough by some techniques goes.

    Cost: about that of the walkthrough.

    Raises:
        TimeLimitError: the time limit of the walkthrough was reached.
    """
    pairs = list(zip(walkthrough.states, walkthrough.steps, strict=False))
    counts = [_openings(state, step, techniques) for state, step in pairs]
    return Course(
        forcing=sum(_family(step) == FORCING for _, step in pairs),
        openings=fmean(counts) if counts else 0.0,
        narrow=counts.count(1),
        largest_reason=max((step.parts for _, step in pairs), default=0),
    )


def _family(step: Step) -> str:
    return technique(step.technique).family


def _openings(state: State, step: Step, techniques: Sequence[Technique]) -> int:
    """Return in how many ways a step of the same technique leads on, single ones all alike."""
    row = technique(step.technique)
    if row.family == FORCING or row.name == REASON:
        return 1
    rows = [row]
    if row.family == _SINGLES:
        rows = [other for other in techniques if other.family == _SINGLES]
    steps = (other for each in rows for other in each.steps(state))
    ways: set[tuple[object, object]] = set()
    for other in islice(steps, 4 * _MOST_OPENINGS):
        ways.add((other.placements, other.eliminations))
        if len(ways) == _MOST_OPENINGS:
            break
    return len(ways)
