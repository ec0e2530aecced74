"""The solver that callers hold: a backend, and the policy that is the same for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from unidoku.backends import BackendSpec, find
from unidoku.backends.base import Backend, Request, Result, Stop
from unidoku.backends.options import format_label, parse_label
from unidoku.core.board import Board
from unidoku.core.verify import verify
from unidoku.errors import BackendError, UnidokuError, UnsupportedError, WrongAnswerError

__all__ = ["Solver", "load", "wrong_answers"]


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
        if reasons := self.spec.capabilities.lacking(board, request):
            raise UnsupportedError(
                f"{self.label} {'; '.join(reasons)}. Choose another backend: unidoku backends"
            )
        try:
            result = self.backend.search(board, request)
        except UnidokuError:
            raise
        except Exception as error:
            raise BackendError(f"{self.label}: {type(error).__name__}: {error}") from error
        for wrong in wrong_answers(board, request, result):
            raise WrongAnswerError(f"{self.label} on board {board.digest}: {wrong}")
        return result


def wrong_answers(board: Board, request: Request, result: Result) -> list[str]:
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
    enough = result.count == request.solutions
    if (result.stop is Stop.SOLUTIONS) != enough:
        wrong.append(f"{result.count} counted, and yet it stopped because of: {result.stop.value}")
    return wrong


def load(label: str, **options: Any) -> Solver:
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
