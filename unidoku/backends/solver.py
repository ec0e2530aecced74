"""The solver that callers hold: a backend, and the policy that is the same for all of them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from unidoku.backends import BackendSpec, find
from unidoku.backends.base import Backend, Request, Result, Stop
from unidoku.backends.options import format_label, parse_label
from unidoku.core.board import Board
from unidoku.core.verify import verify
from unidoku.errors import BackendError, UnidokuError, UnsupportedError, WrongAnswerError

__all__ = ["Attempt", "Solver", "load"]


@dataclass(frozen=True, slots=True)
class Solver:
    """A backend with its options, ready for any number of boards.

    Args:
        spec: its row of the catalogue.
        backend: the adapter.
        options: what the adapter was made with.
    """

    spec: BackendSpec
    backend: Backend
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name and the options, such as ``cp-sat[num_workers=2]``."""
        return format_label(self.spec.name, self.options)

    def solve(self, board: Board, **limits: Any) -> Result:
        """Search with the fields of `Request` as keywords: ``solve(board, solutions=2)``."""
        return self.search(board, Request(**limits))

    def search(self, board: Board, request: Request) -> Result:
        """Search a board; refuse what the backend lacks, check every grid it returns.

        Raises:
            UnsupportedError: the backend cannot serve the board or honour a limit.
            WrongAnswerError: the backend returned a grid that is no solution, the same one
                twice, or a count that cannot be.
            BackendError: the solver beneath failed.
        """
        attempt = self.attempt(board, request)
        if attempt.refused:
            raise UnsupportedError(
                f"{self.label} {'; '.join(attempt.refused)}. Choose another: unidoku backends"
            )
        if isinstance(attempt.error, UnidokuError):
            raise attempt.error
        if attempt.error is not None:
            kind = type(attempt.error).__name__
            raise BackendError(f"{self.label}: {kind}: {attempt.error}") from attempt.error
        if attempt.wrong:
            raise WrongAnswerError(f"{self.label} on board {board.digest}: {attempt.wrong[0]}")
        assert attempt.result is not None
        return attempt.result

    def attempt(self, board: Board, request: Request) -> Attempt:
        """Search a board and say all there is to say of it, without raising.

        Only the backend's own work is timed; the check of its answer comes after.
        """
        if refused := self.spec.capabilities.lacking(board, request):
            return Attempt(refused=tuple(refused))
        returned: object = None
        failure: Exception | None = None
        wall, cpu = time.perf_counter_ns(), time.process_time_ns()
        try:
            returned = self.backend.search(board, request)
        except Exception as error:  # noqa: BLE001 - whatever it raises is what there is to say
            failure = error
        wall, cpu = time.perf_counter_ns() - wall, time.process_time_ns() - cpu
        wrong: tuple[str, ...] = ()
        result = returned if _is_result(returned) else None
        if result is not None:
            wrong = tuple(_wrong_answers(board, request, result))
        elif failure is None:
            wrong = (f"expected a Result with grids as tuples of ints, got {returned!r}",)
        return Attempt(result=result, error=failure, wrong=wrong, wall_ns=wall, cpu_ns=cpu)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One search, whatever came of it.

    Args:
        result: what the backend returned, if it is a Result at all; of no use if it is wrong.
        refused: why the backend was not asked.
        error: what it raised.
        wrong: why what it returned cannot be right.
        wall_ns: nanoseconds from the call to the answer.
        cpu_ns: processor time of this process meanwhile, in nanoseconds.
    """

    result: Result | None = None
    refused: tuple[str, ...] = ()
    error: Exception | None = None
    wrong: tuple[str, ...] = ()
    wall_ns: int = 0
    cpu_ns: int = 0


def _is_result(returned: object) -> TypeGuard[Result]:
    """Tell whether a backend returned what later steps can count, hash and compare."""
    return isinstance(returned, Result) and all(
        type(grid) is tuple and all(type(value) is int for value in grid)
        for grid in returned.solutions
    )


def _wrong_answers(board: Board, request: Request, result: Result) -> list[str]:
    """Return what in a result cannot be: grids that are no solutions, counts that do not fit."""
    wrong = [
        f"{reason}, in the grid {grid}"
        for grid in result.solutions
        for reason in verify(board, grid)[:1]
    ]
    if len(set(result.solutions)) < len(result.solutions):
        wrong.append("the same grid is returned twice")
    kept = result.count if request.keep is None else min(result.count, request.keep)
    if len(result.solutions) != kept:
        wrong.append(f"{result.count} counted and {len(result.solutions)} returned, not {kept}")
    if request.solutions is not None and result.count > request.solutions:
        wrong.append(f"{result.count} counted, {request.solutions} asked for")
    limits = {Stop.TIME: request.time_limit, Stop.NODES: request.node_limit}
    enough = result.count == request.solutions
    if (result.stop is Stop.SOLUTIONS) != enough or limits.get(result.stop, 1) is None:
        wrong.append(f"{result.count} counted, and yet it stopped because of: {result.stop.value}")
    return wrong


def load(label: str, /, **options: Any) -> Solver:
    """Return the solver of a label, such as ``norvig`` or ``cp-sat[num_workers=1]``.

    Args:
        label: a backend's name, with options in brackets or without.
        options: more options; they override those of the label.

    Raises:
        UnknownBackendError: no such backend; names the nearest.
        BackendNotInstalledError: its library is not installed; says what to type.
        OptionError: an option is unknown or of the wrong type.
    """
    name, given = parse_label(label)
    spec = find(name)
    chosen = given | options
    return Solver(spec, spec.create(chosen), chosen)
