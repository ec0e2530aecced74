"""Wrong answers: functions that change what Norvig's solver says, and solvers made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from unidoku.backends import BackendSpec
from unidoku.backends.adapters.norvig import Norvig
from unidoku.backends.base import Capabilities, Request, Result, Stop
from unidoku.backends.solving.solver import Solver
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS

ALL = Capabilities(constraints=ALL_CONSTRAINTS, honours=frozenset({"time_limit", "node_limit"}))


class FakeBackend:
    """Answers as Norvig's solver does, and then changes the answer."""

    def __init__(self, change: Callable[[Board, Request, Result], Result]) -> None:
        self._change = change

    def search(self, board: Board, request: Request) -> Result:
        return self._change(board, request, Norvig().search(board, request))


def fake(name: str, change: Callable[[Board, Request, Result], Result]) -> Solver:
    """Return a solver that gives changed answers."""
    spec = BackendSpec(name=name, target="", summary="a fake", capabilities=ALL)
    return Solver(spec, FakeBackend(change))


def honest(board: Board, request: Request, result: Result) -> Result:
    return result


def recording(boards: list[Board]) -> Solver:
    """Return an honest solver that adds each board that it searches to a list."""

    def recorded(board: Board, request: Request, result: Result) -> Result:
        boards.append(board)
        return result

    return fake("x", recorded)


def wrong_grid(board: Board, request: Request, result: Result) -> Result:
    """Swap the first cell that is not given for its neighbour's value."""
    grids = []
    for grid in result.solutions:
        cell = next(c for c in board.layout.cells if not board.givens[c])
        other = next(v for v in board.values(cell) if v != grid[cell])
        grids.append((*grid[:cell], other, *grid[cell + 1 :]))
    return Result(count=result.count, solutions=tuple(grids), stop=result.stop)


def ignores_a_given(board: Board, request: Request, result: Result) -> Result:
    """Solve another board: the one without its first given."""
    candidates = list(board.candidates)
    cell = next(c for c in board.layout.cells if board.givens[c])
    candidates[cell] = (1 << board.layout.n) - 1
    grids = Norvig().search(Board(board.layout, tuple(candidates)), Request(solutions=None))
    wrong = [grid for grid in grids.solutions if grid[cell] != board.givens[cell]]
    return Result(count=1, solutions=tuple(wrong[:1]), stop=Stop.EXHAUSTED)


def counts_too_few(board: Board, request: Request, result: Result) -> Result:
    """Lose the last solution and claim that the search was complete."""
    return Result(
        count=max(result.count - 1, 1),
        solutions=result.solutions[: max(result.count - 1, 1)],
        stop=Stop.EXHAUSTED,
    )


def counts_what_it_does_not_return(board: Board, request: Request, result: Result) -> Result:
    return Result(count=result.count + 1, solutions=result.solutions, stop=result.stop)


def returns_one_grid_twice(board: Board, request: Request, result: Result) -> Result:
    return Result(count=2, solutions=result.solutions[:1] * 2, stop=Stop.SOLUTIONS)


def returns_lists(board: Board, request: Request, result: Result) -> Result:
    grids = tuple(list(grid) for grid in result.solutions)
    return Result(count=result.count, solutions=grids, stop=result.stop)  # type: ignore[arg-type]  # the lie


def returns_nothing(board: Board, request: Request, result: Result) -> Result:
    return None  # type: ignore[return-value]  # the lie


def says_unsatisfiable(board: Board, request: Request, result: Result) -> Result:
    return Result(count=0, solutions=(), stop=Stop.EXHAUSTED)


def says_unknown(board: Board, request: Request, result: Result) -> Result:
    return Result(count=0, solutions=(), stop=Stop.TIME)


def stops_at_its_nodes(board: Board, request: Request, result: Result) -> Result:
    return Result(count=0, solutions=(), stop=Stop.NODES)


def raises(board: Board, request: Request, result: Result) -> Result:
    raise ZeroDivisionError("inside the fake")


@dataclass(frozen=True, slots=True)
class CountsTwo:
    """Finds the solution, and claims that there is another; has a label."""

    capabilities: ClassVar[Capabilities] = Capabilities()

    def search(self, board: Board, request: Request) -> Result:
        return replace(Norvig().search(board, request), count=2, stop=Stop.SOLUTIONS)
