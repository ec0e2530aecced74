"""A path in words: how it ends, and which techniques it used."""

from __future__ import annotations

from unidoku.logic import Ending, State, Step, Walkthrough, technique
from unidoku.support.language import Message, figure, message, quantity
from unidoku.support.table import Column, Table

HARDER = 2.3
"""The rating of the hardest single; steps with a higher rating are key steps."""


def uses_table(path: Walkthrough) -> Table:
    """Return how a path used each technique as a table, the easiest technique first.

    The rating is the highest of a technique's steps, the score the sum of theirs.
    """
    columns = (
        *(Column(message("technique")), Column(message("steps"))),
        Column(message("rating"), lambda rating: figure(f"{rating:.1f}")),
        Column(message("score"), lambda score: figure(f"{score:,}")),
    )
    rows = []
    for name in sorted(path.counts, key=lambda name: (technique(name).rating, name)):
        ratings = [step.rating for step in path.steps if step.technique == name]
        rows.append(
            (message(name), len(ratings), max(ratings), len(ratings) * technique(name).score)
        )
    return Table(title=message("Techniques"), columns=columns, rows=tuple(rows))


def is_key(step: Step) -> bool:
    """Return whether a step is harder than a single."""
    return step.rating > HARDER or not step.placements


def summary(path: Walkthrough) -> str:
    """Return how a path ends, its hardest technique and its score, as one phrase."""
    if path.hardest is None:
        return outcome(path)
    return message(
        "{end}; hardest: {technique} ({rating}); score {score}",
        end=outcome(path),
        technique=Message(path.hardest.technique),
        rating=figure(f"{path.rating:.1f}"),
        score=figure(f"{path.score:,}"),
    )


def outcome(path: Walkthrough) -> str:
    """Return how a path ends."""
    steps, left = quantity(len(path.steps), "step"), quantity(path.final.empty.bit_count(), "cell")
    match path.outcome:
        case Ending.SOLVED:
            return message("solved in {steps}", steps=steps)
        case Ending.STALLED:
            text = "stalled after {steps}, {cells} left: no technique finds another"
            note = f", {path.note}" if path.note else ""
            return f"{message(text, steps=steps, cells=left)}{note}"
        case Ending.UNFINISHED:
            text = "time limit reached after {steps}, {cells} left"
            return message(text, steps=steps, cells=left)
        case Ending.CONTRADICTION:
            why = path.final.contradiction
            if path.note:
                text = "no solutions {note}: {why}"
                return message(text, note=path.note, why=why)
            return message("no solutions, after {steps}: {why}", steps=steps, why=why)


def no_step(state: State) -> str:
    """Return why a state has no next step."""
    if state.is_solved:
        return message("no step: the board is solved")
    if state.contradiction:
        return message("no step: the board has no solutions, {why}", why=state.contradiction)
    return message("no step: no technique finds one")
