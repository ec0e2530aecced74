"""Questions about a state: each is answered in a thread, from the state that it was asked about.

A question gets the state, the fields of its message, and a function that sends parts of the answer
while the rest is looked for. The token of the request is in force meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace

from unidoku.analysis.candidate_counts import CandidateCounts, candidate_counts
from unidoku.analysis.estimate import estimate_count
from unidoku.analysis.mistakes import find_mistake, has_solution
from unidoku.analysis.on_sheets import found_regions
from unidoku.analysis.survey import conflicting_parts
from unidoku.analysis.why import why
from unidoku.backends.base import Stop
from unidoku.core.bits import bit, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Unit
from unidoku.core.propagation.contradiction import CellValues, Part, part_in_words
from unidoku.core.propagation.propagate import propagate
from unidoku.core.rules.base import Rule
from unidoku.core.rules.fields import CellRole, fields_of_cells, types_of_fields
from unidoku.core.rules.relation_text import relation_of
from unidoku.errors import InputError, UnsupportedError, nearest
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import FORMATS
from unidoku.formats.looks import looks_of
from unidoku.formats.sentences import of_pictured, rules_text
from unidoku.logic.show import drawing
from unidoku.serve import steps
from unidoku.serve.answering import (
    MOST_WITHOUT,
    Answer,
    Question,
    Report,
    deadline_of,
    known_count,
    limited_count,
    marked,
    solver,
)
from unidoku.serve.describing import drawn_as, picture_of, puzzle_of, reason, swatch
from unidoku.serve.document import State
from unidoku.serve.edits import Message, check_cells
from unidoku.support.deadline import Deadline, check_time_limit
from unidoku.support.language import figure
from unidoku.support.language import message as words_in

_STEPS = (10, 1_000, 100_000)
"""Numbers up to which solutions are counted, before their number is estimated."""

_MOST_PAIRS = 12
"""Pairs of values of a relation that are listed."""


def lamp(state: State, message: Message, report: Report) -> Answer:
    """Answer whether the puzzle has no, one, or several solutions; likewise with the entries."""
    deadline = deadline_of(message)
    answer = _lamp(state.puzzle, deadline)
    if any(state.marks.entries):
        report(answer)
        solutions = answer["solutions"] if answer["solutions"] is not None else 2
        entered = _lamp(state.board, deadline) if solutions else {"solutions": 0}
        answer["entered"] = entered["solutions"]
    return answer


def _lamp(board: Board, deadline: Deadline) -> Answer:
    problems = board.problems()
    if problems:
        return {"solutions": 0, "reasons": [*map(str, problems)][:5], "differ": [], "grids": []}
    result = limited_count(board, 2, deadline, keep=2)
    grids = [[*grid] for grid in result.solutions]
    differ: list[int] = []
    if len(grids) == 2:
        differ = [cell for cell in board.layout.cells if grids[0][cell] != grids[1][cell]]
    return {
        "solutions": known_count(result),
        "reasons": [],
        "differ": differ,
        "grids": grids,
        "regions": [
            found_regions(board, grid, solver(), time_limit=deadline.limit)
            for grid in result.solutions
        ],
    }


def count(state: State, message: Message, report: Report) -> Answer:
    """Count the solutions of the puzzle, in steps; beyond 100,000 estimate their number."""
    deadline = deadline_of(message)
    number = 0
    for most in _STEPS:
        result = limited_count(state.puzzle, most, deadline)
        number = result.count
        if result.stop is Stop.EXHAUSTED:
            return {"exact": True, "words": figure(f"{number:,}"), "low": number, "high": number}
        report(
            {
                "exact": False,
                "words": words_in("at least {count}", count=figure(f"{number:,}")),
                "low": number,
                "high": None,
            }
        )
        if deadline.passed:
            break
    estimate = estimate_count(state.puzzle, backend=solver(), time_limit=deadline.limit)
    high = None if estimate.high == float("inf") else estimate.high
    low = max(number, estimate.low)
    return {"exact": estimate.is_exact, "words": str(estimate), "low": low, "high": high}


def candidates(state: State, message: Message, report: Report) -> Answer:
    """Answer in how many solutions each candidate occurs; or which are left by propagation."""
    if message.get("form") == "logical":
        propagated = propagate(state.board)
        masks = (0,) * len(state.board.layout) if propagated is None else propagated.candidates
        values = range(1, state.board.layout.n + 1)
        counts = [[int(bool(mask & bit(v))) for v in values] for mask in masks]
        return {"counts": counts, "most": 1, "open": {}, "form": "logical"}
    result = candidate_counts(
        state.board,
        most=message.get("most", 10),
        backend=solver(),
        time_limit=deadline_of(message).limit,
        watch=lambda so_far: report(_counts(so_far)),
    )
    return _counts(result)


def _counts(counts: CandidateCounts) -> Answer:
    unknown = {str(c): [*values_of(mask)] for c, mask in enumerate(counts.open) if mask}
    return {
        "counts": [[*row] for row in counts.counts],
        "most": counts.most,
        "open": unknown,
        "form": "true",
    }


def conflict(state: State, message: Message, report: Report) -> Answer:
    """Answer which rules and givens have no solution together, none of which can be left out."""
    board = state.board
    parts = conflicting_parts(board, backend=solver(), deadline=deadline_of(message))
    if parts is None:
        return {"found": False, "rules": [], "cells": [], "words": []}
    cells = [part.cell for part in parts if isinstance(part, CellValues)]
    return {
        "found": True,
        "rules": sorted({i for part in parts for i in _indices(state, part)}),
        "cells": cells,
        "words": [part_in_words(board.layout, part) for part in parts]
        or [words_in("the units of the board alone")],
    }


def _indices(state: State, part: Part) -> Iterator[int]:
    """Yield the rule of the file that a part of a conflict comes from."""
    if isinstance(part, Unit | CellValues):
        return
    for index, rules in enumerate(state.content.parts):
        if index not in state.ignored and any(_has(rule, part) for rule in rules):
            yield index
            return


def _has(rule: Rule, part: Rule) -> bool:
    """Return whether a rule is a part, or has it as one of its pairs of cells."""
    if rule == part:
        return True
    roles = fields_of_cells(type(rule))
    if type(rule) is not type(part) or [*roles.values()] != [CellRole.PAIRS]:
        return False
    (name,) = roles
    return set(getattr(part, name)) <= set(getattr(rule, name)) and all(
        getattr(rule, field.name) == getattr(part, field.name)
        for field in fields(rule)
        if field.name != name
    )


def needed(state: State, message: Message, report: Report) -> Answer:
    """Answer for each rule how many solutions there are without it, up to 100."""
    deadline = deadline_of(message)
    without: dict[str, int | None] = {}
    for index in range(len(state.content.parts)):
        if index not in state.ignored and not deadline.passed:
            board = replace(state, ignored=state.ignored | {index}).puzzle
            without[str(index)] = known_count(limited_count(board, MOST_WITHOUT, deadline))
            report({"without": dict(without), "most": MOST_WITHOUT})
    return {"without": without, "most": MOST_WITHOUT}


def totals(state: State, message: Message, report: Report) -> Answer:
    """Answer how many solutions there are with each other total of a rule, up to 100."""
    index, deadline = message["index"], deadline_of(message)
    rules = state.content.parts[index] if index < len(state.content.parts) else ()
    if len(rules) != 1:
        raise InputError(f"index: expected one rule with a number, got {index}")
    rule = rules[0]
    table = state.content.table["rules"][index]
    types = types_of_fields(type(rule))
    numbers = [name for name, hint in types.items() if hint in (int, int | None)]
    name = message.get("field") or next(iter(numbers), "")
    if name not in numbers:
        raise InputError(f"field: expected a number of {table['kind']}, got {name!r}")
    board = replace(state, ignored=state.ignored | {index}).puzzle
    layout = board.layout
    most = layout.number(layout.n) * max(1, len(rule.cells))
    by_total: dict[str, int | None] = {}
    for total in range(min(most, 200) + 1):
        if deadline.passed:
            break
        try:
            with_number = replace(rule, **{name: total})
            changed = replace(layout, rules=(*layout.rules, with_number))
            result = limited_count(Board(changed, board.candidates), MOST_WITHOUT, deadline)
        except InputError:  # the kind does not allow this number
            continue
        if (count := known_count(result)) != 0:
            by_total[str(total)] = count
            report({"field": name, "counts": dict(by_total), "most": MOST_WITHOUT})
    return {"field": name, "counts": by_total, "most": MOST_WITHOUT}


def wrong(state: State, message: Message, report: Report) -> Answer:
    """Answer whether something that was entered cannot be right, and what."""
    deadline = deadline_of(message)
    board = marked(state)
    solvable = has_solution(board, solver(), deadline)
    if solvable is not False:
        words = words_in("Nothing is wrong so far." if solvable else "Not decided in time.")
        return {"wrong": False, "words": words, "cells": [], "where": ""}
    mistake = find_mistake(state.puzzle, board, solver(), deadline)
    words = mistake.words
    if not mistake.cells:
        words = words_in("The puzzle itself has no solution: {why}", why=words)
    return {
        "wrong": True,
        "cells": [*mistake.cells],
        "where": mistake.where,
        "words": f"{words}.",
        "parts": [*mistake.parts],
    }


def why_(state: State, message: Message, report: Report) -> Answer:
    """Answer whether a cell must, can or cannot hold a value, and the smallest reason."""
    layout = state.board.layout
    cell, value = message["cell"], message["value"]
    check_cells(state, (cell,), "cell")
    if not 1 <= value <= layout.n:
        raise InputError(f"value: expected 1 to {layout.n}, got {value}")
    limit = deadline_of(message).limit
    answer = why(state.board, cell, layout.shown[value], backend=solver(), time_limit=limit)
    step = answer.step
    return {
        "words": str(answer),
        "verdict": answer.verdict.value,
        "parts": [*answer.parts],
        "grids": [[*grid] for grid in answer.solutions],
        "under": drawing.under(step) if step else "",
        "over": drawing.marks(answer.state) + drawing.over(step) if step else "",
    }


def relation(state: State, message: Message, report: Report) -> Answer:
    """Answer which pairs of values a relation in one line of text allows."""
    layout = state.content.layout
    related = relation_of(message["text"])
    first = layout.first_value
    values = range(first, first + layout.n)
    pairs = [(a, b) for a in values for b in values if related(a, b)]
    texts = ", ".join(f"{a} {b}" for a, b in pairs[:_MOST_PAIRS])
    ellipsis = " …" if len(pairs) > _MOST_PAIRS else ""
    words = (
        f"{len(pairs)} of {layout.n**2} pairs: {texts}{ellipsis}" if pairs else "no pair of values"
    )
    return {"words": words, "pairs": len(pairs)}


def legend(state: State, message: Message, report: Report) -> Answer:
    """Answer with a picture and a sentence of each kind of drawn rule, and of each own one."""
    looks = looks_of(replace(state, ignored=state.ignored | state.hidden).puzzle.layout)
    groups: dict[tuple[object, ...], list[Rule]] = {}
    for rule in looks.layout.rules:
        if rule in looks.pictured and rule not in looks.clues:
            key = (type(rule), getattr(rule, "name", ""), drawn_as(looks.layout, rule))
            groups.setdefault(key, []).append(rule)
    return {
        "kinds": [
            {
                "kind": getattr(rules[0], "name", "") or rules[0].kind,
                "words": " ".join(of_pictured(looks, rules)),
                **swatch(looks.layout, rules),
            }
            for rules in groups.values()
        ]
    }


_LINKS = ("sudokupad", "f-puzzles", "iss-link", "penpa", "toml")
"""The formats that the dialog of links shows first."""


def links(state: State, message: Message, report: Report) -> Answer:
    """Answer with the puzzle in each format that can hold it, with what is lost in each."""
    deadline = deadline_of(message)
    puzzle = puzzle_of(state)
    result = limited_count(puzzle.board, 2, deadline, keep=1)
    solution = result.solutions[0] if result.unique else None
    whole = replace(puzzle, solution=solution, losses=type(puzzle.losses)())
    links: list[Answer] = []
    for name in (*_LINKS, *(name for name in FORMATS if name not in _LINKS)):
        check_time_limit()  # raises once it is cancelled
        if (link := _link(name, whole)) is not None:
            links.append(link)
    return {"unique": result.unique, "links": links}


def sentences(state: State, message: Message, report: Report) -> Answer:
    """Answer with the rules in the sentences of setters, a line each."""
    return {"text": rules_text(puzzle_of(state).board)}


def picture(state: State, message: Message, report: Report) -> Answer:
    """Answer with the puzzle as a format will show it: written, read again, and drawn."""
    name = message["format"]
    if name not in FORMATS:
        raise InputError(f"format: {nearest(name, FORMATS)}")
    link = _link(name, puzzle_of(state))
    if link is None or "error" in link:
        raise InputError("expected a format that can hold the puzzle")
    seen = next(iter(FORMATS[name].load_reader()(link["text"], guess=False)))
    if not isinstance(seen, Puzzle):
        raise InputError(f"cannot be read again: {', '.join(seen.reasons)}")
    return {"picture": picture_of(seen), "rules": seen.rules_text or rules_text(seen.board)}


def _link(name: str, puzzle: Puzzle) -> Answer | None:
    form = FORMATS[name]
    if not form.writer:
        return None
    try:
        written = form.load_writer()([puzzle])
    except (InputError, UnsupportedError) as error:
        return {"format": name, "about": form.summary, "error": reason(error)}
    return {
        "format": name,
        "about": form.summary,
        "text": written.text,
        "losses": [*written.losses.lines()],
    }


QUESTIONS: Mapping[str, Question] = {
    "lamp": lamp,
    "count": count,
    "candidates": candidates,
    "conflict": conflict,
    "needed": needed,
    "totals": totals,
    "wrong": wrong,
    "why": why_,
    "relation": relation,
    "legend": legend,
    **steps.QUESTIONS,
    "links": links,
    "picture": picture,
    "sentences": sentences,
}
"""What is asked about a state, by the name of the command."""
