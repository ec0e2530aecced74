"""A path as JSON: everything that a program needs to show it without knowing the rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unidoku.core.bits import values_of
from unidoku.core.layout import Layout, Unit
from unidoku.logic import Candidate, State, Step, Walkthrough
from unidoku.logic.geometry import cells_of

Json = dict[str, Any]


def record(path: Walkthrough, *, name: str = "") -> Json:
    """Return a path, with the name of the puzzle, for JSON; docs/explain.md has each key."""
    board, final = path.board, path.final
    return {
        **board.record(name),
        "start": _candidates(path.states[0]),
        "steps": [
            _step(number, step, path.states[number - 1], path.states[number])
            for number, step in enumerate(path.steps, start=1)
        ],
        "outcome": path.outcome.value,
        "contradiction": final.contradiction or None,
        "solution": None if path.grid is None else [*map(board.layout.number, path.grid)],
        "candidates": _candidates(final),
        "hardest": path.hardest.technique if path.hardest else None,
        "rating": path.rating,
        "score": path.score,
        "counts": dict(path.counts),
    }


def _step(number: int, step: Step, before: State, after: State) -> Json:
    layout = step.layout
    return {
        "number": number,
        "technique": step.technique,
        "rating": step.rating,
        "sentence": step.sentence,
        "placements": _pairs(layout, step.placements),
        "eliminations": _pairs(layout, step.eliminations),
        "removed": _pairs(layout, _removed(before, after)),
        "cells": [layout.names[cell] for cell in step.cells],
        "units": [_unit(layout, unit) for unit in step.units],
        "covers": [_unit(layout, unit) for unit in step.covers],
        "rules": [
            {"words": rule.words, "cells": [layout.names[cell] for cell in rule.cells]}
            for rule in step.rules
        ],
        "pattern": _pairs(layout, step.pattern),
        "fins": _pairs(layout, step.fins),
        "links": [
            {
                "start": _pair(layout, link.start),
                "end": _pair(layout, link.end),
                "strong": link.strong,
            }
            for link in step.links
        ],
    }


def _candidates(state: State) -> dict[str, list[int]]:
    names, number = state.layout.names, state.layout.number
    return {
        names[cell]: [*map(number, values_of(mask))] for cell, mask in enumerate(state.candidates)
    }


def _removed(before: State, after: State) -> list[Candidate]:
    """Return all candidates that a step removes, including those that its placements remove."""
    return [
        (cell, value)
        for cell in cells_of(before.empty)
        for value in values_of(before.candidates[cell] & ~after.candidates[cell])
    ]


def _unit(layout: Layout, unit: Unit) -> Json:
    return {
        "name": str(unit),
        "kind": unit.kind,
        "cells": [layout.names[cell] for cell in unit.cells],
    }


def _pairs(layout: Layout, candidates: Iterable[Candidate]) -> list[Json]:
    return [_pair(layout, candidate) for candidate in candidates]


def _pair(layout: Layout, candidate: Candidate) -> Json:
    cell, value = candidate
    return {"cell": layout.names[cell], "value": layout.number(value)}
