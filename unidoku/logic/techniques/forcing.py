"""Forcing: a candidate that leads to a contradiction by easier techniques is false.

This is a search of depth one. People use it as a last resort, and it leaves few boards unsolved.
Source: the contradiction chains of Sudoku Explainer, which calls them dynamic if they use singles
that rest on several eliminations, and nested if they use more. Besides singles, each rule removes
candidates of its cells, one rule at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from unidoku.core.bits import all_values, bit
from unidoku.core.propagation.propagate import eliminate
from unidoku.logic.facts import holds
from unidoku.logic.geometry import cells_of
from unidoku.logic.reasons.reasoning import why_not
from unidoku.logic.ruled.eliminations import steps_of_single_rules
from unidoku.logic.state import State
from unidoku.logic.step import Candidate, Step
from unidoku.logic.techniques.chains import chain_rating
from unidoku.logic.techniques.intersections import claiming, common_peers, pointing
from unidoku.logic.techniques.singles import full_house, hidden_single, naked_single
from unidoku.logic.techniques.subsets import hidden, naked
from unidoku.support.language import message

_DYNAMIC, _NESTED = 8.5, 9.5
"""The ratings of the shortest; ratings grow with the length as those of chains do."""

_MOST = 450
"""The largest number of candidates for nested forcing; hard boards of 81 cells have some 250."""

_LISTED = 6
"""The largest number of placements in a sentence."""

Finders = Sequence[Callable[[State], Iterator[Step]]]

_SINGLES: Finders = (full_house, hidden_single, naked_single, steps_of_single_rules)

_EASY: Finders = (
    *_SINGLES,
    pointing,
    claiming,
    common_peers,
    partial(naked, size=2),
    partial(hidden, size=2),
    partial(naked, size=3),
    partial(hidden, size=3),
)


def forcing(state: State) -> Iterator[Step]:
    """Find candidates that lead to a contradiction by singles and rules, the shortest way first.

    Cost: propagates each candidate of the state once.
    """
    refuted = []
    for cell, value in _candidates(state):
        state.tick()
        if length := _contradicts(state, cell, value):
            refuted.append((length, cell, value))
    for _, cell, value in sorted(refuted):
        if way := _way(state, cell, value, _SINGLES):
            yield _by_its_reason(state, _step(state, (cell, value), way, _DYNAMIC))


def nested_forcing(state: State) -> Iterator[Step]:
    """Find candidates that lead to a contradiction by sets, intersections and forcing by singles.

    Cost: some tenths of a second for each step on hard boards of 81 cells, half a minute if no step
        is found. States with more than `_MOST` candidates are skipped.
    """
    candidates = _candidates(state)
    for cell, value in candidates if len(candidates) <= _MOST else ():
        if way := _way(state, cell, value, (*_EASY, forcing)):
            yield _step(state, (cell, value), way, _NESTED)


def _candidates(state: State) -> tuple[Candidate, ...]:
    """Return the candidates of the empty cells, cells with few of them first."""
    cells = sorted(cells_of(state.empty), key=lambda cell: state.candidates[cell].bit_count())
    return state.all_in(cells)


def _contradicts(state: State, cell: int, value: int) -> int:
    """Return how many eliminations by singles and rules refute a candidate, 0 if none do."""
    candidates = list(state.candidates)
    removed: list[int] = []
    queue = [(cell, all_values(state.layout.n) & ~bit(value))]
    holds = eliminate(state.layout, candidates, queue, removed.append)
    return 0 if holds else max(sum(removed), 1)


def _way(state: State, cell: int, value: int, finders: Finders) -> list[State]:
    """Return the states from a placement to a contradiction, an empty list if it holds."""
    states = [state.placing(cell, value)]
    while not states[-1].contradiction:
        now = states[-1]
        now.tick()
        step = next((step for find in finders for step in find(now)), None)
        if step is None:
            return []
        states.append(now.after(step))
    return states


def _by_its_reason(state: State, step: Step) -> Step:
    """Return a step that places many cells with only those that its smallest reason needs."""
    if len(step.pattern) <= _LISTED:
        return step
    ((cell, value),) = step.eliminations
    reason, _ = why_not(state, cell, value, is_placed=False)
    if reason is None:
        return step
    return replace(
        step, reason=reason.reason, units=reason.units, rules=reason.rules, pattern=reason.pattern
    )


def _step(state: State, assumed: Candidate, way: Sequence[State], rating: float) -> Step:
    layout = state.layout
    placed: list[Candidate] = []
    for before, after in zip((state, *way), way, strict=False):
        grid = after.grid
        placed += [(cell, grid[cell]) for cell in cells_of(after.placed & ~before.placed)]
    consequences = ", ".join(holds(layout, *candidate) for candidate in placed[1 : _LISTED + 1])
    facts = {"given": holds(layout, *assumed), "facts": consequences, "end": way[-1].contradiction}
    if (further := len(placed) - 1 - _LISTED) > 0:
        text = "if {given}, then {facts} and {count} more, {end}"
    else:
        text = "if {given}, then {facts}, {end}" if consequences else "if {given}, {end}"
    return Step(
        layout=layout,
        reason=message(text, count=further, **facts),
        eliminations=(assumed,),
        pattern=tuple(pair for pair in placed[1:] if state.has(*pair)),
        rating=chain_rating(rating, 2 * len(way)),
    )
