"""The code of `Solver.search_batch`: one call of a backend for all boards, or one for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Request, Result
from unidoku.backends.batch import BatchResult, collected, joined, search_each
from unidoku.backends.solving.policy import (
    Prepared,
    check_rows,
    is_batch_result,
    refusal,
    refusals_of_request,
    wrap_exception,
)
from unidoku.core.batch import Batch
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.errors import BackendError, UnidokuError, UnsupportedError, WrongAnswerError
from unidoku.parallel.processes import forget_interrupted_exec

if TYPE_CHECKING:
    from unidoku.backends.solving.solver import Solver

Name = Callable[[int], str]
"""Returns the name of a board of the batch in messages."""


def search_batch(
    solver: Solver,
    prepared: Prepared,
    batch: Batch,
    request: Request,
    name: Name,
) -> BatchResult:
    """Search each board of a batch, see `Solver.search_batch`.

    Args:
        solver: the solver.
        prepared: the layout of the batch as its backend gets it.
        batch: the boards.
        request: limits for each board.
        name: names of the boards.
    """
    of_request = refusals_of_request(solver.spec.capabilities, request)
    if refused := (*prepared.refusals, *of_request):
        raise refusal(solver.label, refused)
    odd = sorted({*batch.boards, *batch.invalid})
    if not odd:
        return _search_rows(solver, prepared, batch.layout, batch.cells, request, name)
    rows = np.delete(np.arange(len(batch)), odd)
    single = np.array(list(batch.boards), np.intp)
    others = collected(  # first, because a backend may refuse them
        (_search_named(solver, board, request, name(at)) for at, board in batch.boards.items()),
        batch.cells[single],
    )
    result = _search_rows(
        solver,
        prepared,
        batch.layout,
        batch.cells[rows],
        request,
        lambda row: name(int(rows[row])),
    )
    return joined(batch.cells, [(rows, result), (single, others)], batch.invalid)


def _search_rows(
    solver: Solver,
    prepared: Prepared,
    layout: Layout,
    cells: NDArray[np.uint8],
    request: Request,
    name: Name,
) -> BatchResult:
    """Search boards without pencil marks."""
    search_many = getattr(solver.backend, "search_many", None)
    if search_many is None or not len(cells) or layout.conceals:
        return search_each(
            lambda row, board: _search_named(solver, board, request, name(row)), layout, cells
        )
    try:
        result = search_many(prepared.layout, cells, request)
    except UnidokuError:
        raise
    except KeyboardInterrupt:
        forget_interrupted_exec()
        raise
    except (Exception, SystemExit) as error:
        raise wrap_exception(solver.label, error) from error
    if not is_batch_result(result, cells):
        raise WrongAnswerError(
            f"{solver.label}: expected a BatchResult for boards of shape {cells.shape}, "
            f"got {result!r}"
        )
    check_rows(solver.label, solver.spec.capabilities, layout, cells, request, result, name)
    return result


def _search_named(solver: Solver, board: Board, request: Request, name: str) -> Result:
    """Search one board of a batch."""
    try:
        return solver.search(board, request)
    except (BackendError, UnsupportedError, WrongAnswerError) as error:
        raise type(error)(f"{name}: {error}") from error
