"""Versions: what each that was kept looks like, and how it differs from the present puzzle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from unidoku.errors import TimeLimitError, UnsupportedError
from unidoku.logic import Walkthrough
from unidoku.logic.walkthrough import Ending
from unidoku.serve.answering import (
    MOST_WITHOUT,
    Answer,
    Report,
    deadline_of,
    known_count,
    limited_count,
)
from unidoku.serve.describing import picture_of, puzzle_of
from unidoku.serve.document import Marks, State
from unidoku.serve.protocol import Request
from unidoku.serve.steps import walk_of
from unidoku.support.deadline import Deadline
from unidoku.support.language import message, quantity, series
from unidoku.support.text import plural

if TYPE_CHECKING:
    from unidoku.serve.workbench import Workbench

_LONGEST = 60
"""Characters of two values that are shown beside each other."""

_WALKED = 2.0
"""Seconds for the path of logic of a version."""


def versions(workbench: Workbench, request: Request, report: Report) -> Answer:
    """Answer with a picture of each version, its solutions, its level, and what differs."""
    deadline = deadline_of(request.fields)
    present = workbench.state
    entries: list[Answer] = []
    if workbench.versions:
        is_unique = limited_count(present.puzzle, 2, deadline).unique
        present_path = _path(present, is_unique, deadline)
    for version in workbench.versions:
        result = limited_count(version.state.puzzle, MOST_WITHOUT, deadline)
        path = _path(version.state, result.unique, deadline)
        entries.append(
            {
                "name": version.name,
                "picture": picture_of(puzzle_of(version.state)),
                "solutions": known_count(result),
                "level": _hardest(path) if path else "",
                "differs": [
                    *differences(version.state, present),
                    *differences_of_paths(path, present_path),
                ],
            }
        )
        report({"versions": entries})
    return {"versions": entries}


def _path(state: State, is_unique: bool | None, deadline: Deadline) -> Walkthrough | None:
    """Return the path of a puzzle with one solution; None for others, or out of time."""
    with suppress(TimeLimitError, UnsupportedError):
        if is_unique:
            unmarked = replace(state, marks=Marks.none(len(state.content.layout)))
            limit = min(_WALKED, deadline.limit or _WALKED)
            return walk_of(unmarked, {}, Deadline(limit)).finished()
    return None


def _hardest(path: Walkthrough) -> str:
    hardest = path.hardest
    return f"{message(hardest.technique)} ({hardest.rating:.1f})" if hardest else ""


def differences(old: State, new: State) -> Iterator[str]:
    """Yield what a puzzle has that an older one has not, and the other way round, a line each."""
    sides = {"−": old, "+": new}
    rules = {
        sign: {
            json.dumps(table, sort_keys=True): series(
                rule.words(state.content.layout.names_in_words) for rule in part[:2]
            )
            for table, part in zip(
                state.content.table.get("rules", ()), state.content.parts, strict=True
            )
        }
        for sign, state in sides.items()
    }
    for sign, other in (("−", "+"), ("+", "−")):
        yield from (
            f"{sign} {words}" for key, words in rules[sign].items() if key not in rules[other]
        )
    givens = {
        sign: {
            (state.content.layout.names[cell], value)
            for cell, value in enumerate(state.content.puzzle.board.givens)
            if value
        }
        for sign, state in sides.items()
    }
    for sign, other in (("−", "+"), ("+", "−")):
        if count := len(givens[sign] - givens[other]):
            yield f"{sign} {plural(count, 'given')}"
    for key in ("name", "author", "variant", "size", "regions", "rules_text"):
        before, after = (state.content.table.get(key) for state in sides.values())
        if before != after:
            is_long = len(f"{before}{after}") > _LONGEST
            yield f"other {key}" if is_long else f"{key}: {before or 'none'} → {after or 'none'}"


def differences_of_paths(old: Walkthrough | None, new: Walkthrough | None) -> Iterator[str]:
    """Yield how a path of logic differs from an older one, a line each; None is an unknown path."""
    if old is None and new is None:
        return
    before, after = (_length(path) for path in (old, new))
    if before != after:
        yield message("path: {before} → {after}", before=before, after=after)
    if old is None or new is None:
        return
    if old.hardest and new.hardest and _hardest(old) != _hardest(new):
        yield message("hardest: {old} → {new}", old=_hardest(old), new=_hardest(new))
    for number, steps in enumerate(zip_longest(old.steps, new.steps), start=1):
        first, second = (step.sentence if step else message("no step") for step in steps)
        if first != second:
            yield message(
                "first step that differs: {number}, before: {old}; now: {new}",
                number=number,
                old=first,
                new=second,
            )
            return


def _length(path: Walkthrough | None) -> str:
    if path is None:
        return message("not known")
    steps = quantity(len(path.steps), "step")
    is_solved = path.outcome is Ending.SOLVED
    return str(steps) if is_solved else message("{steps}, then stuck", steps=steps)


JOBS = {"versions": versions}
"""What the page asks about versions, by the name of the command."""
