"""Steps by logic: hints, and the path to the solution with what is beside each of its steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from unidoku.analysis.mistakes import has_solution
from unidoku.backends.toolkit.models import Models
from unidoku.core.bits import all_values, is_single, values_of
from unidoku.errors import InputError, TimeLimitError
from unidoku.logic import Ending, Step, Technique, Walkthrough, chosen
from unidoku.logic import State as LogicState
from unidoku.logic.show import drawing
from unidoku.logic.show.drawn import apart
from unidoku.logic.show.words import is_key, summary
from unidoku.logic.walkthrough import beginning, steps_from, walkthrough_from
from unidoku.serve.answering import Answer, Question, Report, deadline_of, marked, solver
from unidoku.serve.describing import unmarked_regions
from unidoku.serve.document import State
from unidoku.serve.edits import Message
from unidoku.support.deadline import Deadline, time_limit_scope
from unidoku.support.language import language
from unidoku.support.language import message as words_in
from unidoku.support.notation import notation

_STEPS_AT_ONCE = 20
"""Steps of a path between two reports."""

_MOST_OPENINGS = 20
"""Steps that are counted at one point of a path."""


def _techniques(message: Message) -> tuple[Technique, ...]:
    """Return the usual techniques but those that a message switches off.

    Raises:
        InputError: a name is unknown, or none are left.
    """
    off = {row.name for row in chosen(names)} if (names := message.get("without")) else ()
    if not (rows := tuple(row for row in chosen("usual") if row.name not in off)):
        raise InputError("without: expected some techniques to be left, got none")
    return rows


def techniques(state: State, message: Message, report: Report) -> Answer:
    """Answer with the usual techniques, which can be switched off."""
    rows = [
        {"name": row.name, "words": words_in(row.name), "rating": row.rating}
        for row in chosen("usual")
    ]
    return {"techniques": rows}


def _start(
    state: State, message: Message, deadline: Deadline
) -> tuple[LogicState, Sequence[Technique]]:
    """Return what logic begins with: the board without what marks in the middle exclude."""
    start, rows = beginning(state.board, _techniques(message), None, deadline)
    excluded = tuple(
        (cell, value)
        for cell, mask in enumerate(marked(state).candidates)
        for value in values_of(start.candidates[cell] & ~mask)
    )
    if excluded:
        with time_limit_scope(partial(deadline.check, "logic")):
            start = start.after(Step(layout=start.layout, reason="marks", eliminations=excluded))
    return start, rows


def hint(state: State, message: Message, report: Report) -> Answer:
    """Answer with the easiest next step: where to look, its technique, the step, what it leaves."""
    deadline = deadline_of(message)
    if has_solution(marked(state), solver(), deadline) is False:
        words = words_in("There is no solution from here: something is wrong.")
        return {"found": False, "wrong": True, "words": words}
    before, rows = _start(state, message, deadline)
    size = len(state.board.layout)
    earlier: list[str] = []
    for step, after in steps_from(before, rows):
        if any(cell < size for cell, _ in (*step.placements, *step.eliminations)):
            described = _step(step, before, after, size)
            return {"found": True, "wrong": False, "earlier": earlier, **described}
        earlier.append(step.sentence)  # about values that are not written, which nobody can enter
        before = after
    words = words_in("Solved." if before.is_solved else "No technique finds a step here.")
    return {"found": False, "wrong": False, "words": words}


def _step(step: Step, before: LogicState, after: LogicState, size: int) -> Answer:
    """Return a step for the page; the board has so many cells that are shown."""
    layout = step.layout
    units = [str(unit.words) for unit in (*step.units, *step.covers)]
    where = units or [rule.words for rule in step.rules]
    if not where:
        where = [layout.names[cell] for cell, _ in (*step.placements, *step.eliminations)][:1]
    centre = [
        [cell, *values_of(after.candidates[cell])]
        for cell in dict.fromkeys(cell for cell, _ in step.eliminations)
        if cell < size
    ]
    singles = [
        [cell, value]
        for cell, value in step.placements
        if cell < size and not before.board.givens[cell]
    ]
    return {
        "where": where[:3],
        "technique": words_in(step.technique),
        "rating": step.rating,
        "sentence": step.sentence,
        "cells": [*step.cells],
        "entries": singles,
        "centre": centre,
        "under": drawing.under(step),
        "over": drawing.marks(before) + drawing.over(step),
        "regions": _found_regions(before),
    }


def _found_regions(state: LogicState) -> Answer | None:
    """Return the regions that are found so far: numbers by cell, and sides between two regions."""
    masks = {cell: state.candidates[number] for cell, number in unmarked_regions(state.layout)}
    if not masks:
        return None
    numbers = {str(c): values_of(m)[0] for c, m in masks.items() if is_single(m)}
    return {"numbers": numbers, "sides": [[*pair] for pair in apart(state)]}


class _Path:
    """A path, once it is found."""

    walk: Walkthrough | None = None


_PATHS: Models[_Path] = Models()
"""The paths found last, by what they begin with and do without, and how they name cells."""


def walk_of(
    state: State,
    message: Message,
    deadline: Deadline,
    watch: Callable[[Step], object] | None = None,
) -> Walkthrough:
    """Return the path from a state, as far as it was found before.

    Args:
        state: the state.
        message: what names the techniques that it does without.
        deadline: the clock of the search.
        watch: function that gets the steps while they are looked for; with it, a path that its time
            limit ended is looked for again.
    """
    off = frozenset(message.get("without", ()))
    key = state.digest, state.marks.centre, off, notation(), language()
    with _PATHS.lend(state.board.layout, key, _Path) as path:
        walk = path.walk
        if walk is None or (watch is not None and walk.outcome is Ending.UNFINISHED):
            start, rows = _start(state, message, deadline)
            walk = walkthrough_from(start, rows, deadline, watch or (lambda step: None))
            walk = path.walk = replace(walk, board=state.board)
        return walk


def _about(step: Step) -> Answer:
    return {
        "sentence": step.sentence,
        "technique": words_in(step.technique),
        "rating": step.rating,
        "key": is_key(step),
    }


def path(state: State, message: Message, report: Report) -> Answer:
    """Answer with all steps of a solution by logic, from what is on the board."""
    deadline = deadline_of(message)
    if has_solution(marked(state), solver(), deadline) is False:
        return {
            "steps": [],
            "words": words_in("There is no solution from here."),
            "outcome": "contradiction",
        }
    steps: list[Answer] = []

    def watch(step: Step) -> None:
        steps.append(_about(step))
        if len(steps) % _STEPS_AT_ONCE == 0:
            report({"steps": [*steps], "words": words_in("looking …")})

    walk = walk_of(state, message, deadline, watch)
    return {
        "steps": [_about(step) for step in walk.steps],
        "hardest": walk.steps.index(walk.hardest) if walk.hardest else None,
        "outcome": walk.outcome.value,
        "words": summary(walk),
    }


def step(state: State, message: Message, report: Report) -> Answer:
    """Answer with one step of the path, and the board before it."""
    walk = walk_of(state, message, deadline_of(message))
    index = _number(walk, message)
    before, after = walk.states[index], walk.states[index + 1]
    layout = state.board.layout
    values = [value if before.placed >> c & 1 else 0 for c, value in enumerate(before.grid)]
    values = values[: len(layout)]
    changed = [
        [cell, *values_of(mask)]
        for cell, mask in enumerate(before.candidates[: len(layout)])
        if not values[cell] and mask != all_values(layout.n)
    ]
    entries = [
        [cell, value]
        for cell, value in enumerate(values)
        if value and not state.content.puzzle.board.givens[cell]
    ]
    described = _step(walk.steps[index], before, after, len(layout))
    return {**described, "grid": values, "start": {"entries": entries, "centre": changed}}


def _number(walk: Walkthrough, message: Message) -> int:
    """Return the number of a step of a path.

    Raises:
        InputError: there is no such step.
    """
    index: int = message["number"]
    if index >= len(walk.steps):
        raise InputError(f"number: expected a step up to {len(walk.steps) - 1}, got {index}")
    return index


def openings(state: State, message: Message, report: Report) -> Answer:
    """Answer how many steps there are beside one of the path that are no harder, up to 20 in all.

    The number is ``exact`` unless the time was over before.
    """
    deadline = deadline_of(message)
    walk = walk_of(state, message, deadline)
    index = _number(walk, message)
    chosen_step, before = walk.steps[index], walk.states[index]
    effects = {(chosen_step.placements, chosen_step.eliminations)}
    rows = [row for row in _techniques(message) if row.rating <= chosen_step.rating]
    try:
        with time_limit_scope(partial(deadline.check, "logic")):
            for step in (step for row in rows for step in row.steps(before)):
                effects.add((step.placements, step.eliminations))
                deadline.check("logic")
                if len(effects) == _MOST_OPENINGS:
                    break
    except TimeLimitError:
        return {"openings": len(effects), "exact": False}
    return {"openings": len(effects), "exact": len(effects) < _MOST_OPENINGS}


QUESTIONS: Mapping[str, Question] = {
    "techniques": techniques,
    "hint": hint,
    "path": path,
    "step": step,
    "openings": openings,
}
"""What is asked about steps, by the name of the command."""
