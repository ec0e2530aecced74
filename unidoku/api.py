"""The functions behind ``import unidoku``: solve, count, and what follows from them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import parse_label
from unidoku.backends.solver import Solver, load
from unidoku.config import Settings, read_settings
from unidoku.core.bits import bit, is_single, value_of, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.core.propagate import propagate
from unidoku.errors import InputError, TimeLimitError, UnsupportedError

__all__ = [
    "backbone",
    "configured",
    "count",
    "search_backbone",
    "search_true_candidates",
    "solve",
    "solver_and_limit",
    "true_candidates",
]


def configured(
    backend: str | None = None, /, settings: Settings | None = None, **options: Any
) -> Solver:
    """Return the solver that the arguments and settings choose (see `unidoku.config`).

    Args:
        backend: a label; the settings' backend if not given.
        settings: read from the working folder if not given.
        options: options of the backend; they override those of label and settings.

    Raises:
        UnknownBackendError, BackendNotInstalledError, OptionError, SettingsError: as they say.
    """
    settings = read_settings() if settings is None else settings
    name, given = parse_label(backend or settings.backend.value)
    return load(name, **(settings.options_of(name) | given | options))


def solve(
    board: Board,
    /,
    *,
    backend: str | None = None,
    solutions: int | None = 1,
    keep: int | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    threads: int = 1,
    seed: int | None = None,
    **options: Any,
) -> Result:
    """Search a board for solutions.

    Reads the settings at each call; for many boards, `configured` or `load` a solver once.

    >>> import unidoku
    >>> board = unidoku.Board.parse("1... ..2. .3.. ...4")
    >>> result = unidoku.solve(board, backend="norvig", solutions=2)
    >>> result.unique, result.status.value
    (True, 'all solutions')

    Args:
        board: the puzzle.
        backend: a label such as ``cp-sat`` or ``cp-sat[num_workers=1]``; the settings' backend
            if not given.
        solutions: stop after this many, None for all; 2 tells whether there is exactly one.
        keep: grids to return, None for all that are found.
        time_limit: seconds; the settings' limit if not given; infinity is none.
        node_limit: nodes of the search tree.
        threads: how many the backend may use.
        seed: of whatever is random in the backend.
        options: options of the backend.

    Raises:
        InputError: a limit that limits nothing.
        UnknownBackendError, BackendNotInstalledError, OptionError, SettingsError: as they say.
        UnsupportedError: the backend cannot serve the board or honour a limit.
        WrongAnswerError: the backend returned what the checker refuses.
        BackendError: the solver beneath failed.
    """
    settings = read_settings()
    request = Request(
        solutions=solutions,
        keep=keep,
        time_limit=settings.time_limit.value if time_limit is None else time_limit,
        node_limit=node_limit,
        threads=threads,
        seed=seed,
    )
    return configured(backend, settings, **options).search(board, request)


def count(board: Board, /, *, limit: int | None = None, **arguments: Any) -> Result:
    """Count the solutions of a board, up to a limit; keeps no grids.

    ``count`` of the result is the number; it is exact if ``stop`` is `Stop.EXHAUSTED`, else
    there are at least as many.

    Args:
        board: the puzzle.
        limit: stop at this many, None to count them all.
        arguments: as for `solve`.
    """
    return solve(board, solutions=limit, keep=0, **arguments)


def true_candidates(
    board: Board,
    /,
    *,
    backend: str | None = None,
    time_limit: float | None = None,
    **options: Any,
) -> Board:
    """Return the board with the candidates that are in some solution, and no others.

    Each solution found vouches for all its values at once, so that there are fewer searches
    than candidates. A board without solutions is left without candidates.

    Args:
        board: the puzzle.
        backend: as for `solve`.
        time_limit: seconds for all searches together; the settings' limit if not given.
        options: options of the backend.

    Raises:
        TimeLimitError: the time limit came first.
        UnsupportedError, WrongAnswerError, BackendError: as `solve`.
    """
    return search_true_candidates(board, *solver_and_limit(backend, time_limit, options))


def backbone(
    board: Board,
    /,
    *,
    backend: str | None = None,
    time_limit: float | None = None,
    **options: Any,
) -> Grid:
    """Return the value of each cell that is the same in all solutions, 0 for the others.

    At most one search a cell. A board without solutions has no backbone: all are 0.

    Args:
        board: the puzzle.
        backend: as for `solve`.
        time_limit: seconds for all searches together; the settings' limit if not given.
        options: options of the backend.

    Raises:
        TimeLimitError: the time limit came first.
        UnsupportedError, WrongAnswerError, BackendError: as `solve`.
    """
    return search_backbone(board, *solver_and_limit(backend, time_limit, options))


def solver_and_limit(
    backend: str | Solver | None, time_limit: float | None, options: Mapping[str, Any]
) -> tuple[Solver, float | None]:
    """Return the solver and the time limit that arguments and settings choose.

    Raises:
        InputError: options are given beside a solver, which has its own.
        UnknownBackendError, BackendNotInstalledError, OptionError, SettingsError: as they say.
    """
    settings = read_settings()
    limit = settings.time_limit.value if time_limit is None else time_limit
    if not isinstance(backend, Solver):
        return configured(backend, settings, **options), limit
    if options:
        raise InputError(f"expected options with the name of a backend, got {backend.label}")
    return backend, limit


def search_true_candidates(board: Board, solver: Solver, time_limit: float | None) -> Board:
    """Do what `true_candidates` does with a solver at hand.

    Args:
        board: the puzzle.
        solver: who searches.
        time_limit: seconds for all searches together, None for none.
    """
    questions = _Questions("true candidates", board, solver, time_limit)
    left = propagate(board)
    if left is not None and questions.ask(left, solutions=2) is None:
        for cell, mask in enumerate(left.candidates):
            for value in values_of(mask):
                if not questions.true[cell] & bit(value):
                    questions.ask(left.assign(cell, value))
    return Board(board.layout, tuple(questions.true))


def search_backbone(board: Board, solver: Solver, time_limit: float | None) -> Grid:
    """Do what `backbone` does with a solver at hand.

    Args:
        board: the puzzle.
        solver: who searches.
        time_limit: seconds for all searches together, None for none.
    """
    questions = _Questions("backbone", board, solver, time_limit)
    left = propagate(board)
    if left is not None and questions.ask(left, solutions=2) is None:
        for cell, mask in enumerate(left.candidates):
            if is_single(known := questions.true[cell]):
                rest = [*left.candidates]
                rest[cell] = mask & ~known
                questions.ask(Board(board.layout, tuple(rest)))
    return tuple(map(value_of, questions.true))


class _Questions:
    """Questions about one board, within one time limit, and what their answers showed.

    Attributes:
        true: the candidates of each cell that are in some solution found so far.
    """

    def __init__(self, name: str, board: Board, solver: Solver, time_limit: float | None) -> None:
        self.true = [0] * len(board.layout)
        self._name = name
        self._solver = solver
        self._time_limit = Request(time_limit=time_limit).time_limit
        self._started = time.perf_counter()

    def ask(self, question: Board, solutions: int = 1) -> int | None:
        """Search; return how many solutions there are, None if there may be more than found."""
        limit = self._time_limit
        if limit is not None:
            limit = max(limit - (time.perf_counter() - self._started), 0.001)
        result = self._solver.search(question, Request(solutions=solutions, time_limit=limit))
        if result.stop is Stop.TIME:
            raise TimeLimitError(f"{self._name}: not decided within {self._time_limit} s")
        if not result.stop.answered:
            raise UnsupportedError(
                f"{self._solver.label} is not complete, and could not decide; "
                "choose another: unidoku backends"
            )
        for grid in result.solutions:
            for cell, value in enumerate(grid):
                self.true[cell] |= bit(value)
        return result.count if result.stop is Stop.EXHAUSTED else None
