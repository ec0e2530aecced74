"""A path in words: how it ends, and which techniques it used."""

from __future__ import annotations

from unidoku.logic import Ending, State, Step, Walkthrough, technique
from unidoku.support.table import Column, Table
from unidoku.support.text import plural

HARDER = 2.3
"""The rating of the hardest single; steps with a higher rating are key steps."""


def uses_table(path: Walkthrough) -> Table:
    """Return how a path used each technique as a table, the easiest technique first.

    The rating is the highest of a technique's steps, the score the sum of theirs.
    """
    columns = (
        *(Column("technique"), Column("steps")),
        *(Column("rating", "{:.1f}".format), Column("score", "{:,}".format)),
    )
    rows = []
    for name in sorted(path.counts, key=lambda name: (technique(name).rating, name)):
        ratings = [step.rating for step in path.steps if step.technique == name]
        rows.append((name, len(ratings), max(ratings), len(ratings) * technique(name).score))
    return Table(title="Techniques", columns=columns, rows=tuple(rows))


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
            open_cells = plural(path.final.empty.bit_count(), "cell")
            end = f"stalled after {steps}, {open_cells} left: no technique finds another"
            end += f", {path.note}" if path.note else ""
        case Ending.UNFINISHED:
            open_cells = plural(path.final.empty.bit_count(), "cell")
            end = f"time limit reached after {steps}, {open_cells} left"
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
