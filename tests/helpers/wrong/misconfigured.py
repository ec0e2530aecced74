"""Backends that are wrong in one way each, for tests of the conformance suite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.helpers.wrong import answers, mutants
from unidoku import Board, Layout, Request, Result, Stop
from unidoku.backends.adapters.norvig import Norvig

Search = Callable[[Board, Request], Result]


def norvig(board: Board, request: Request, **changes: Any) -> Result:
    """Solve a board with other limits."""
    return Norvig().search(board, replace(request, **changes))


def drops_a_unit(board: Board, request: Request) -> Result:
    """A dropped row of a classic board is implied by the others: only partial units show it."""
    layout = board.layout
    fewer = Layout(layout.n, layout.units[:-1], layout.positions, layout.rules)
    return norvig(Board(fewer, board.candidates), request)


def drops_a_unit_above_nine_values(board: Board, request: Request) -> Result:
    if board.layout.n > 9:
        layout = board.layout
        board = Board(Layout(layout.n, (), layout.positions), board.candidates)
    return norvig(board, request)


def gives_up_above_nine_values(board: Board, request: Request) -> Result:
    if board.layout.n > 9 and request.time_limit is None and request.node_limit is None:
        return Result(count=0, solutions=(), stop=Stop.EXHAUSTED)
    return norvig(board, request)


def takes_every_unit_for_a_full_one(board: Board, request: Request) -> Result:
    """Demand every value in units that only differ."""
    result = norvig(board, request, solutions=None, keep=None, node_limit=5000)
    is_partial = any(len(unit.cells) < board.layout.n for unit in board.layout.units)
    if result.stop is not Stop.EXHAUSTED or not is_partial:
        return norvig(board, request)
    grids = tuple(grid for grid in result.solutions if sum(grid) % 2)
    return Result(count=len(grids), solutions=grids, stop=Stop.EXHAUSTED)


def finds_one_too_many(board: Board, request: Request) -> Result:
    wanted = None if request.solutions is None else request.solutions + 1
    return norvig(board, request, solutions=wanted, keep=None)


def counts_twice_what_it_does_not_keep(board: Board, request: Request) -> Result:
    result = norvig(board, request)
    if request.keep == 0 and result.stop is Stop.EXHAUSTED:
        return Result(count=2 * result.count, solutions=(), stop=result.stop)
    return result


def stops_at_once_when_there_is_a_time_limit(board: Board, request: Request) -> Result:
    if request.time_limit is not None:
        return Result(count=0, solutions=(), stop=Stop.TIME)
    return norvig(board, request)


def takes_the_time_limit_for_milliseconds(board: Board, request: Request) -> Result:
    return norvig(board, request, time_limit=request.time_limit and request.time_limit / 1000)


def ignores_the_time_limit_for_a_while(board: Board, request: Request) -> Result:
    return norvig(board, request, time_limit=request.time_limit and request.time_limit + 1)


def loses_at_a_limit_what_it_had_found(board: Board, request: Request) -> Result:
    result = norvig(board, request)
    if result.stop is Stop.TIME:
        return Result(count=0, solutions=(), stop=Stop.TIME)
    return result


def takes_a_limit_for_unsatisfiable(board: Board, request: Request) -> Result:
    result = norvig(board, request)
    if not result.stop.answered:
        return Result(count=result.count, solutions=result.solutions, stop=Stop.EXHAUSTED)
    return result


def never_searches_when_there_is_a_node_limit(board: Board, request: Request) -> Result:
    if request.node_limit is not None:
        return Result(count=0, solutions=(), stop=Stop.NODES, statistics={"nodes": 0})
    return norvig(board, request)


def searches_one_node_too_many(board: Board, request: Request) -> Result:
    if request.node_limit is None:
        return norvig(board, request)
    return norvig(board, request, keep=0, node_limit=request.node_limit + 1)


def returns_lists(board: Board, request: Request) -> Result:
    return answers.returns_lists(board, request, Norvig().search(board, request))


def returns_nothing(board: Board, request: Request) -> Result:
    return answers.returns_nothing(board, request, Norvig().search(board, request))


def is_right(board: Board, request: Request) -> Result:
    return norvig(board, request)


MUTANTS: dict[str, Search] = {
    search.__name__: search
    for search in (
        drops_a_unit,
        drops_a_unit_above_nine_values,
        gives_up_above_nine_values,
        takes_every_unit_for_a_full_one,
        finds_one_too_many,
        counts_twice_what_it_does_not_keep,
        stops_at_once_when_there_is_a_time_limit,
        takes_the_time_limit_for_milliseconds,
        ignores_the_time_limit_for_a_while,
        loses_at_a_limit_what_it_had_found,
        takes_a_limit_for_unsatisfiable,
        never_searches_when_there_is_a_node_limit,
        searches_one_node_too_many,
        returns_lists,
        returns_nothing,
    )
}
MUTANTS |= {
    kind.__name__: kind().search
    for kind in (
        mutants.IgnoresPencilMarks,
        mutants.LosesTheLastSolution,
        mutants.ConfusesLayouts,
        mutants.StaleAfterUnsatisfiable,
    )
}


class Mutant:
    def __init__(self, search: Search) -> None:
        self._search = search

    def search(self, board: Board, request: Request) -> Result:
        return self._search(board, request)


def solves_no_variant(puzzle: str) -> str | None:
    """Solve classic boards only, as a function of a text does."""
    result = Norvig().search(Board.parse(puzzle), Request())
    return "".join(map(str, result.solutions[0])) if result.solutions else None
