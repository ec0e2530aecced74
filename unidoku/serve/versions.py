"""Versions: what each that was kept looks like, and how it differs from the present puzzle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from unidoku.analysis.rate import rate
from unidoku.errors import TimeLimitError, UnsupportedError
from unidoku.serve.describing import picture_of, puzzle_of
from unidoku.serve.document import State
from unidoku.serve.protocol import Request
from unidoku.serve.questions import MOST_WITHOUT, Answer, Report, known_count, limited_count
from unidoku.support.deadline import Deadline
from unidoku.support.text import plural

if TYPE_CHECKING:
    from unidoku.serve.workbench import Workbench

_SECONDS = 10.0

_LONGEST = 60
"""Characters of two values that are shown beside each other."""

_RATED = 2.0
"""Seconds for the hardest step of a version."""


def versions(workbench: Workbench, request: Request, report: Report) -> Answer:
    """Answer with a picture of each version, its solutions, its level, and what differs."""
    deadline = Deadline(request.fields.get("time_limit", _SECONDS))
    present = workbench.state
    found: list[Answer] = []
    for version in workbench.versions:
        result = limited_count(version.state.puzzle, MOST_WITHOUT, deadline)
        level = ""
        with suppress(TimeLimitError, UnsupportedError):
            if result.unique:
                rated = rate(version.state.puzzle, time_limit=min(_RATED, deadline.limit or _RATED))
                level = f"{rated.hardest} ({rated.rating:.1f})"
        found.append(
            {
                "name": version.name,
                "picture": picture_of(puzzle_of(version.state)),
                "solutions": known_count(result),
                "level": level,
                "differs": [*differences(version.state, present)],
            }
        )
        report({"versions": found})
    return {"versions": found}


def differences(old: State, new: State) -> Iterator[str]:
    """Yield what a puzzle has that an older one has not, and the other way round, a line each."""
    sides = {"−": old, "+": new}
    rules = {
        sign: {
            json.dumps(table, sort_keys=True): "; ".join(
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
        if more := len(givens[sign] - givens[other]):
            yield f"{sign} {plural(more, 'given')}"
    for key in ("name", "author", "variant", "size", "regions", "rules_text"):
        before, after = (state.content.table.get(key) for state in sides.values())
        if before != after:
            is_long = len(f"{before}{after}") > _LONGEST
            yield f"other {key}" if is_long else f"{key}: {before or 'none'} → {after or 'none'}"


JOBS = {"versions": versions}
"""What the page asks about versions, by the name of the command."""
