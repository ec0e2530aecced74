"""Questions about a state: each is answered in a thread, from the state that it was asked about.

A question gets the state, the fields of its message, and a function that sends parts of the answer
while the rest is looked for. The token of the request is in force meanwhile.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, TypeAlias

from unidoku.analysis.candidate_counts import CandidateCounts, candidate_counts
from unidoku.analysis.estimate import estimate_count
from unidoku.analysis.found_parts import found_regions
from unidoku.analysis.mistakes import find_mistake, has_solution
from unidoku.analysis.survey import conflicting_parts
from unidoku.analysis.why import why
from unidoku.backends.base import Limits, Result, Stop
from unidoku.backends.solving.solver import Solver, load
from unidoku.core.bits import all_values, bit, is_single, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout, Unit
from unidoku.core.propagation.contradiction import CellValues, Part, part_in_words
from unidoku.core.propagation.propagate import propagate
from unidoku.core.rules.base import CellRole, Rule, fields_of_cells
from unidoku.core.rules.relation_text import relation_of
from unidoku.errors import InputError, TimeLimitError, UnsupportedError, nearest
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import FORMATS
from unidoku.formats.looks import looks_of
from unidoku.formats.sentences import of_pictured, rules_text
from unidoku.logic import State as LogicState
from unidoku.logic import Step, Technique, Walkthrough, chosen
from unidoku.logic.show import drawing
from unidoku.logic.show.drawn import apart
from unidoku.logic.show.words import is_key, summary
from unidoku.logic.walkthrough import started, steps_from, walked
from unidoku.serve.describing import (
    drawn_as,
    picture_of,
    puzzle_of,
    reason,
    swatch,
    unmarked_regions,
)
from unidoku.serve.document import State, on_layout
from unidoku.serve.edits import Message
from unidoku.support.deadline import Deadline, check_time_limit, time_limit_scope
from unidoku.support.language import figure, language
from unidoku.support.language import message as words_in
from unidoku.support.notation import notation

Answer: TypeAlias = dict[str, Any]
Report: TypeAlias = Callable[[Answer], None]
Question: TypeAlias = Callable[[State, Message, Report], Answer]

_SECONDS = 10.0
"""Time limit of a question that states none."""

_STEPS = (10, 1_000, 100_000)
"""Numbers up to which solutions are counted, before their number is estimated."""

MOST_WITHOUT = 100
"""The number up to which solutions without a rule, or with another total, are counted."""

_STEPS_AT_ONCE = 20
"""Steps of a path between two reports."""

_MOST_OPENINGS = 20
"""Steps that are counted at one point of a path."""

_MOST_PAIRS = 12
"""Pairs of values of a relation that are listed."""

_LINKS = ("sudokupad", "f-puzzles", "iss-link", "penpa", "toml")
"""The formats that the dialog of links shows first."""


@lru_cache(maxsize=1)
def solver() -> Solver:
    """Return the solver of all questions: it decides what `native` alone would not."""
    return load("auto")


def _deadline(message: Message) -> Deadline:
    solver()  # its first use imports it, which is no part of the search
    return Deadline(message.get("time_limit", _SECONDS))


def limited_count(board: Board, most: int, deadline: Deadline, keep: int = 0) -> Result:
    """Return the result of a search for so many solutions, which keeps some of the grids."""
    limits = Limits(solutions=most, keep=keep, time_limit=deadline.limit)
    return solver().solve(board, **limits)


def known_count(result: Result) -> int | None:
    """Return the number of solutions up to the limit, None if time was over before the second."""
    return result.count if result.stop.answered or result.count >= 2 else None


def lamp(state: State, message: Message, report: Report) -> Answer:
    """Answer whether the puzzle has no, one, or several solutions; likewise with the entries."""
    deadline = _deadline(message)
    answer = _lamp(state.puzzle, deadline)
    if any(state.marks.entries):
        report(answer)
        left = answer["solutions"] if answer["solutions"] is not None else 2
        entered = _lamp(state.board, deadline) if left else {"solutions": 0}
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
    deadline = _deadline(message)
    found = 0
    for most in _STEPS:
        result = limited_count(state.puzzle, most, deadline)
        found = result.count
        if result.stop is Stop.EXHAUSTED:
            return {"exact": True, "words": figure(f"{found:,}"), "low": found, "high": found}
        report(
            {
                "exact": False,
                "words": words_in("at least {count}", count=figure(f"{found:,}")),
                "low": found,
                "high": None,
            }
        )
        if deadline.passed:
            break
    estimate = estimate_count(state.puzzle, backend=solver(), time_limit=deadline.limit)
    high = None if estimate.high == float("inf") else estimate.high
    low = max(found, estimate.low)
    return {"exact": estimate.is_exact, "words": str(estimate), "low": low, "high": high}


def candidates(state: State, message: Message, report: Report) -> Answer:
    """Answer in how many solutions each candidate occurs; or which are left by propagation."""
    if message.get("form") == "logical":
        left = propagate(state.board)
        masks = (0,) * len(state.board.layout) if left is None else left.candidates
        counts = [[int(bool(mask & bit(v))) for v in _values(state)] for mask in masks]
        return {"counts": counts, "most": 1, "open": {}, "form": "logical"}
    found = candidate_counts(
        state.board,
        most=message.get("most", 10),
        backend=solver(),
        time_limit=message.get("time_limit", _SECONDS),
        watch=lambda so_far: report(_counts(so_far)),
    )
    return _counts(found)


def _values(state: State) -> range:
    return range(1, state.board.layout.n + 1)


def _counts(found: CandidateCounts) -> Answer:
    unknown = {str(c): [*values_of(mask)] for c, mask in enumerate(found.open) if mask}
    return {
        "counts": [[*row] for row in found.counts],
        "most": found.most,
        "open": unknown,
        "form": "true",
    }


def conflict(state: State, message: Message, report: Report) -> Answer:
    """Answer which rules and givens have no solution together, none of which can be left out."""
    board = state.board
    parts = conflicting_parts(board, backend=solver(), deadline=_deadline(message))
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
    deadline = _deadline(message)
    found: dict[str, int | None] = {}
    for index in range(len(state.content.parts)):
        if index not in state.ignored and not deadline.passed:
            board = on_layout(state.content, state.content.puzzle.board, state.ignored | {index})
            found[str(index)] = known_count(limited_count(board, MOST_WITHOUT, deadline))
            report({"without": dict(found), "most": MOST_WITHOUT})
    return {"without": found, "most": MOST_WITHOUT}


def totals(state: State, message: Message, report: Report) -> Answer:
    """Answer how many solutions there are with each other total of a rule, up to 100."""
    index, deadline = message["index"], _deadline(message)
    rules = state.content.parts[index] if index < len(state.content.parts) else ()
    if len(rules) != 1:
        raise InputError(f"index: expected one rule with a number, got {index}")
    rule = rules[0]
    table = state.content.table["rules"][index]
    numbers = [
        field.name
        for field in fields(rule)
        if str(field.type).startswith("int") and field.name not in fields_of_cells(type(rule))
    ]
    name = message.get("field") or next(iter(numbers), "")
    if name not in numbers:
        raise InputError(f"field: expected a number of {table['kind']}, got {name!r}")
    board = on_layout(state.content, state.content.puzzle.board, state.ignored | {index})
    layout = board.layout
    most = layout.number(layout.n) * max(1, len(rule.cells))
    found: dict[str, int | None] = {}
    for number in range(min(most, 200) + 1):
        if deadline.passed:
            break
        try:
            with_number = replace(rule, **{name: number})
            changed = replace(layout, rules=(*layout.rules, with_number))
            result = limited_count(Board(changed, board.candidates), MOST_WITHOUT, deadline)
        except InputError:  # the kind does not allow this number
            continue
        if (count := known_count(result)) != 0:
            found[str(number)] = count
            report({"field": name, "counts": dict(found), "most": MOST_WITHOUT})
    return {"field": name, "counts": found, "most": MOST_WITHOUT}


def marked(state: State) -> Board:
    """Return the board with the values in the middle of cells as their candidates."""
    board = state.board
    masks = [
        mask & centre if centre and not is_single(mask) else mask
        for mask, centre in zip(board.candidates, state.marks.centre, strict=True)
    ]
    return Board(board.layout, tuple(masks))


def wrong(state: State, message: Message, report: Report) -> Answer:
    """Answer whether something that was entered cannot be right, and what."""
    deadline = _deadline(message)
    board = marked(state)
    solvable = has_solution(board, solver(), deadline)
    if solvable is not False:
        words = words_in("Nothing is wrong so far." if solvable else "Not decided in time.")
        return {"wrong": False, "words": words, "cells": [], "where": ""}
    found = find_mistake(state.puzzle, board, solver(), deadline)
    words = found.words
    if not found.cells:
        words = words_in("The puzzle itself has no solution: {why}", why=words)
    return {
        "wrong": True,
        "cells": [*found.cells],
        "where": found.where,
        "words": f"{words}.",
        "parts": [*found.parts],
    }


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
    found = [
        {"name": row.name, "words": words_in(row.name), "rating": row.rating}
        for row in chosen("usual")
    ]
    return {"techniques": found}


def _start(
    state: State, message: Message, deadline: Deadline
) -> tuple[LogicState, Sequence[Technique]]:
    """Return what logic begins with: the board without what marks in the middle exclude."""
    start, rows = started(state.board, _techniques(message), None, deadline)
    excluded = tuple(
        (cell, value)
        for cell, centre in enumerate(state.marks.centre)
        if centre & state.board.candidates[cell]
        for value in values_of(start.candidates[cell] & ~centre)
    )
    if excluded:
        with time_limit_scope(partial(deadline.check, "logic")):
            start = start.after(Step(layout=start.layout, reason="marks", eliminations=excluded))
    return start, rows


def hint_(state: State, message: Message, report: Report) -> Answer:
    """Answer with the easiest next step: where to look, its technique, the step, what it leaves."""
    deadline = _deadline(message)
    if has_solution(marked(state), solver(), deadline) is False:
        words = words_in("There is no solution from here: something is wrong.")
        return {"found": False, "wrong": True, "words": words}
    before, rows = _start(state, message, deadline)
    size = len(state.board.layout)
    earlier: list[str] = []
    for step, after in steps_from(before, rows):
        if any(cell < size for cell, _ in (*step.placements, *step.eliminations)):
            found = _step(step, before, after, size)
            return {"found": True, "wrong": False, "earlier": earlier, **found}
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


_Key: TypeAlias = tuple[str, tuple[int, ...], frozenset[str], str, str]

_walks: OrderedDict[_Key, Walkthrough] = OrderedDict()
"""The paths found last, by what they begin with and do without, and how they name cells."""

_MOST_WALKS = 8


def _walk(state: State, message: Message, deadline: Deadline, report: Report) -> Walkthrough:
    """Return the path from a state; its steps are reported while they are found."""
    off = frozenset(message.get("without", ()))
    key = state.digest, state.marks.centre, off, notation(), language()
    if (known := _walks.get(key)) is not None:
        return known
    steps: list[Answer] = []

    def watch(step: Step) -> None:
        steps.append(_about(step))
        if len(steps) % _STEPS_AT_ONCE == 0:
            report({"steps": [*steps], "words": words_in("looking …")})

    start, rows = _start(state, message, deadline)
    walk = replace(walked(start, rows, deadline, watch), board=state.board)
    _walks[key] = walk
    while len(_walks) > _MOST_WALKS:
        _walks.popitem(last=False)
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
    deadline = _deadline(message)
    if has_solution(marked(state), solver(), deadline) is False:
        return {
            "steps": [],
            "words": words_in("There is no solution from here."),
            "outcome": "contradiction",
        }
    walk = _walk(state, message, deadline, report)
    return {
        "steps": [_about(step) for step in walk.steps],
        "hardest": walk.steps.index(walk.hardest) if walk.hardest else None,
        "outcome": walk.outcome.value,
        "words": summary(walk),
    }


def step(state: State, message: Message, report: Report) -> Answer:
    """Answer with one step of the path, and the board before it."""
    walk = _walk(state, message, _deadline(message), report)
    number = _number(walk, message)
    before, after = walk.states[number], walk.states[number + 1]
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
    found = _step(walk.steps[number], before, after, len(layout))
    return {**found, "grid": values, "start": {"entries": entries, "centre": changed}}


def _number(walk: Walkthrough, message: Message) -> int:
    """Return the number of a step of a path.

    Raises:
        InputError: there is no such step.
    """
    number: int = message["number"]
    if number >= len(walk.steps):
        raise InputError(f"number: expected a step up to {len(walk.steps) - 1}, got {number}")
    return number


def openings(state: State, message: Message, report: Report) -> Answer:
    """Answer how many steps there are beside one of the path that are no harder, up to 20 in all.

    The number is ``exact`` unless the time was over before.
    """
    deadline = _deadline(message)
    walk = _walk(state, message, deadline, report)
    number = _number(walk, message)
    chosen_step, before = walk.steps[number], walk.states[number]
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


def why_(state: State, message: Message, report: Report) -> Answer:
    """Answer whether a cell must, can or cannot hold a value, and the smallest reason."""
    layout = state.board.layout
    cell, value = message["cell"], message["value"]
    if cell >= len(layout):
        raise InputError(f"cell: expected a number from 0 to {len(layout) - 1}, got {cell}")
    if not 1 <= value <= layout.n:
        raise InputError(f"value: expected 1 to {layout.n}, got {value}")
    limit = message.get("time_limit", _SECONDS)
    found = why(state.board, cell, layout.shown[value], backend=solver(), time_limit=limit)
    step = found.step
    return {
        "words": str(found),
        "verdict": found.verdict.value,
        "parts": [*found.parts],
        "grids": [[*grid] for grid in found.solutions],
        "under": drawing.under(step) if step else "",
        "over": drawing.marks(found.state) + drawing.over(step) if step else "",
    }


def relation(state: State, message: Message, report: Report) -> Answer:
    """Answer which pairs of values a relation in one line of text allows."""
    layout = state.content.layout
    related = relation_of(message["text"])
    first = layout.first_value
    values = range(first, first + layout.n)
    pairs = [(a, b) for a in values for b in values if related(a, b)]
    shown = ", ".join(f"{a} {b}" for a, b in pairs[:_MOST_PAIRS])
    more = " …" if len(pairs) > _MOST_PAIRS else ""
    words = f"{len(pairs)} of {layout.n**2} pairs: {shown}{more}" if pairs else "no pair of values"
    return {"words": words, "pairs": len(pairs)}


def legend(state: State, message: Message, report: Report) -> Answer:
    """Answer with a picture and a sentence of each kind of drawn rule, and of each own one."""
    content = state.content
    board = on_layout(content, content.puzzle.board, state.ignored | state.hidden)
    looks = looks_of(board.layout)
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


def links(state: State, message: Message, report: Report) -> Answer:
    """Answer with the puzzle in each format that can hold it, with what is lost in each."""
    deadline = _deadline(message)
    puzzle = state.content.puzzle
    board = on_layout(state.content, puzzle.board, state.ignored)
    result = limited_count(board, 2, deadline, keep=1)
    solution = result.solutions[0] if result.unique else None
    whole = replace(puzzle, board=board, solution=solution, losses=type(puzzle.losses)())
    found: list[Answer] = []
    for name in (*_LINKS, *(name for name in FORMATS if name not in _LINKS)):
        check_time_limit()  # raises once it is cancelled
        if (link := _link(name, whole)) is not None:
            found.append(link)
    return {"unique": result.unique, "links": found}


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


QUESTIONS: Mapping[str, Question] = MappingProxyType(
    {
        "lamp": lamp,
        "count": count,
        "candidates": candidates,
        "conflict": conflict,
        "needed": needed,
        "totals": totals,
        "wrong": wrong,
        "techniques": techniques,
        "hint": hint_,
        "path": path,
        "step": step,
        "openings": openings,
        "why": why_,
        "relation": relation,
        "legend": legend,
        "links": links,
        "picture": picture,
        "sentences": sentences,
    }
)
"""What is asked about a state, by the name of the command."""


def warm_up(layout: Layout) -> None:
    """Have the solver ready for a layout, so that the first answer is as quick as the next."""
    with suppress(TimeLimitError, UnsupportedError):
        limited_count(Board.empty(layout), 1, Deadline(_SECONDS))
