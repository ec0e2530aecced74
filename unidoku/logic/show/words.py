"""A path in words: how it ends, and which techniques it used."""

from __future__ import annotations

from dataclasses import dataclass

from unidoku.logic import Ending, State, Step, Walkthrough, technique
from unidoku.table import Column, Table
from unidoku.text import plural

__all__ = ["HARDER", "Use", "is_key", "no_step", "summary", "uses", "uses_table"]

HARDER = 2.3
"""The rating of the hardest single; steps with a higher rating are key steps."""


@dataclass(frozen=True, slots=True)
class Use:
    """How a path used one technique.

    Args:
        technique: name of the technique.
        steps: number of its steps.
        rating: highest rating of these steps.
        score: sum of their scores.
    """

    technique: str
    steps: int
    rating: float
    score: int


def uses(path: Walkthrough) -> list[Use]:
    """Return how a path used each technique, the easiest technique first."""
    found = []
    for name, count in path.counts.items():
        rating = max(step.rating for step in path.steps if step.technique == name)
        found.append(Use(name, count, rating, count * technique(name).score))
    return sorted(found, key=lambda use: (technique(use.technique).rating, use.technique))


def uses_table(path: Walkthrough) -> Table:
    """Return how a path used each technique as a table, the easiest technique first."""
    columns = (
        *(Column("technique"), Column("steps")),
        *(Column("rating", "{:.1f}".format), Column("score", "{:,}".format)),
    )
    rows = tuple((use.technique, use.steps, use.rating, use.score) for use in uses(path))
    return Table(title="Techniques", columns=columns, rows=rows)


def is_key(step: Step) -> bool:
    """Return whether a step is harder than a single."""
    return step.rating > HARDER or not step.placements


def summary(path: Walkthrough) -> str:
    """Return how a path ends, its hardest technique and its score, as one phrase."""
    steps = plural(len(path.steps), "step")
    match path.outcome:
        case Ending.SOLVED:
            end = f"solved in {steps}"
        case Ending.STALLED:
            left = plural(path.final.empty.bit_count(), "cell")
            end = f"stalled after {steps}, {left} left: no technique finds another"
        case Ending.UNFINISHED:
            left = plural(path.final.empty.bit_count(), "cell")
            end = f"time limit reached after {steps}, {left} left"
        case Ending.CONTRADICTION:
            end = f"no solutions, after {steps}: {path.final.contradiction}"
    if path.hardest is None:
        return end
    hardest = f"{path.hardest.technique} ({path.rating:.1f})"
    return f"{end}; hardest: {hardest}; score {path.score:,}"


def no_step(state: State) -> str:
    """Return why a state has no next step."""
    if state.is_solved:
        return "no step: the board is solved"
    if state.contradiction:
        return f"no step: the board has no solutions, {state.contradiction}"
    return "no step: no technique finds one"
