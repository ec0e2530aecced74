"""Searches that show whether an option or a limit has an effect, and how busy the machine is."""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from unidoku.backends.base import Request, Stop
from unidoku.backends.solving.policy import refusals
from unidoku.backends.solving.solver import Solver
from unidoku.backends.spec import DEDUCTIONS
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.rules import PairSum
from unidoku.core.variants import layout
from unidoku.errors import UnsupportedError

PROPER = "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4."
"""A board with exactly one solution."""

_X = "...2.6........35.2..4....3...3..42..........8.19..84...4.1..9......6....9........"
"""A hard board with diagonals, whose cells have different numbers of peers."""

_PIGEONS = Board.empty(
    Layout.from_units(7, list(itertools.combinations(range(8), 2)), shape=(1, 8))
)
"""Eight cells, any two of which differ, and seven values: some thousand contradictions."""

_LONGEST = 2.0
"""Seconds of a search on an idle machine; what it has found by then is compared too."""

_PROBE = 0.05
"""Seconds of work that measure the share of a core that is free."""

_SLOWEST = 4.0
"""The largest slowdown that is allowed for: a search that is late by a second always fails."""

Seen: TypeAlias = tuple[object, ...]
"""What a search shows, except its times."""

_shifts = itertools.count()


def slowdown() -> float:
    """Return how many times longer than on an idle machine work takes now: 2 on half a core.

    The result is `_SLOWEST` at most.
    """
    wall, worked = time.perf_counter(), time.thread_time()
    while time.thread_time() - worked < _PROBE:
        pass
    return min((time.perf_counter() - wall) / (time.thread_time() - worked), _SLOWEST)


def questions(solver: Solver, option: str = "") -> Iterator[tuple[Board, Request]]:
    """Yield supported boards and requests whose searches show most options.

    For the option that changes how rules are passed on, the boards have rules.
    """
    capabilities = solver.spec.capabilities
    limit = _LONGEST * slowdown() if "time_limit" in capabilities.honours else None
    plain = (
        (_PIGEONS, 1),
        (Board.empty(layout("classic", 6)), 2),
        (Board.parse(_X, "x"), 2),
        (Board.parse(PROPER), 1),
    )
    ruled = ((Board.empty(_dominoes(5)), 1), (Board.empty(_dominoes(9)), 1))
    for board, solutions in ruled if option == DEDUCTIONS else plain:
        request = Request(solutions=solutions, time_limit=limit)
        if not refusals(capabilities, board.layout, request):
            yield board, request


def seen(solver: Solver, board: Board, request: Request) -> Seen:
    """Return what a search shows, on a layout that no earlier search had."""
    try:
        result = solver.search(Board(_moved(board.layout), board.candidates), request)
    except UnsupportedError as error:
        return (str(error),)
    facts = result.count, result.stop, result.solutions, result.candidates
    if result.stop is Stop.TIME:
        return facts
    counted = {k: v for k, v in result.statistics.items() if not k.endswith("_time")}
    return *facts, tuple(sorted(counted.items()))


def _dominoes(n: int) -> Layout:
    """Return a square with sums of pairs in three rows, which determine the cell that is left."""
    pairs: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for row in range(3):
        cells = list(range(row * n, row * n + n))
        del cells[2 * row]
        for a, b in zip(cells[::2], cells[1::2], strict=True):
            pairs[sum((2 * (cell // n) + cell % n) % n + 1 for cell in (a, b))].append((a, b))
    rules = tuple(PairSum(tuple(cells), total) for total, cells in pairs.items())
    return replace(layout("latin", n), rules=rules)


def _moved(layout: Layout) -> Layout:
    """Return the same layout at another position."""
    shift = next(_shifts) % 900
    positions = tuple((row + shift, column) for row, column in layout.positions)
    return replace(layout, positions=positions, name="custom")
