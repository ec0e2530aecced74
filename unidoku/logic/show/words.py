"""What is said of a path beside its steps: how it ends, and what it took."""

from __future__ import annotations

from dataclasses import dataclass

from unidoku.logic import Ending, Step, Walkthrough, technique
from unidoku.table import Column, Table
from unidoku.text import plural

__all__ = ["HARDER", "Use", "is_key", "summary", "uses", "uses_table"]

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


def uses_table(path: Walkthrough) -> Table:
    """Return what a path used of each technique as a table, the easiest technique first."""
    columns = (
        *(Column("technique"), Column("steps")),
        *(Column("rating", "{:.1f}".format), Column("score", "{:,}".format)),
    )
    rows = tuple((use.technique, use.steps, use.rating, use.score) for use in uses(path))
    return Table(title="Techniques", columns=columns, rows=rows)


def is_key(step: Step) -> bool:
    """Tell whether a step is harder than a single."""
    return step.rating > HARDER or not step.placements


def summary(path: Walkthrough) -> str:
    """Return how a path ends and what it took, as one phrase."""
    steps = plural(len(path.steps), "step")
    match path.outcome:
        case Ending.SOLVED:
            end = f"solved in {steps}"
        case Ending.STALLED:
            left = plural(path.final.empty.bit_count(), "cell")
            end = f"stalled after {steps}, {left} left: no technique finds another"
        case Ending.UNFINISHED:
            left = plural(path.final.empty.bit_count(), "cell")
            end = f"not at an end in time: {steps}, {left} left"
        case Ending.CONTRADICTION:
            end = f"no solutions, after {steps}: {path.final.contradiction}"
    if path.hardest is None:
        return end
    hardest = f"{path.hardest.technique} ({path.rating:.1f})"
    return f"{end}; hardest: {hardest}; score {path.score:,}"
