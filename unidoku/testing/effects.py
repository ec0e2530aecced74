"""What searches show, to tell whether an option or a limit has an effect."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from unidoku.backends.base import Request, Stop
from unidoku.backends.policy import refusals
from unidoku.backends.solver import Solver
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.variants import layout
from unidoku.errors import UnsupportedError

__all__ = ["PROPER", "Seen", "questions", "seen"]

PROPER = "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4."
"""A board with exactly one solution."""

_X = "...2.6........35.2..4....3...3..42..........8.19..84...4.1..9......6....9........"
"""A hard board with diagonals, whose cells have different numbers of peers."""

_PIGEONS = Board.empty(
    Layout.from_units(7, list(itertools.combinations(range(8), 2)), shape=(1, 8))
)
"""Eight cells, any two of which differ, and seven values: some thousand contradictions."""

_LONGEST = 2.0
"""Seconds of a search; what it has found by then is compared as well."""

Seen: TypeAlias = tuple[object, ...]
"""What a search shows, but for its times."""

_shifts = itertools.count()


def questions(solver: Solver) -> Iterator[tuple[Board, Request]]:
    """Yield boards that a backend serves, and requests, in whose searches much can differ."""
    capabilities = solver.spec.capabilities
    limit = _LONGEST if "time_limit" in capabilities.honours else None
    for board, solutions in (
        (_PIGEONS, 1),
        (Board.empty(layout("classic", 6)), 2),
        (Board.parse(_X, "x"), 2),
        (Board.parse(PROPER), 1),
    ):
        request = Request(solutions=solutions, time_limit=limit)
        if not refusals(capabilities, board.layout, request):
            yield board, request


def seen(solver: Solver, board: Board, request: Request) -> Seen:
    """Return what a search shows, on a layout that no search before has seen."""
    try:
        result = solver.search(Board(_moved(board.layout), board.candidates), request)
    except UnsupportedError as error:
        return (str(error),)
    found = result.count, result.stop, result.solutions, result.candidates
    if result.stop is Stop.TIME:
        return found
    counted = {k: v for k, v in result.statistics.items() if not k.endswith("_time")}
    return *found, tuple(sorted(counted.items()))


def _moved(layout: Layout) -> Layout:
    """Return the same layout at another place."""
    shift = next(_shifts) % 900
    positions = tuple((row + shift, column) for row, column in layout.positions)
    return replace(layout, positions=positions, name="custom")
