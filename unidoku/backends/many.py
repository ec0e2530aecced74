"""What `Solver.solve_many` and `Solver.stream` do: read, refuse, search, check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, count, islice
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Limits, Request, Result, Stop
from unidoku.backends.batch import (
    INVALID,
    STOPS,
    BatchBackend,
    BatchResult,
    add_figures,
    search_each,
)
from unidoku.core.batch import Batch
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant
from unidoku.core.verify import verify
from unidoku.core.verify_many import wrong_grids
from unidoku.errors import (
    BackendError,
    InputError,
    UnidokuError,
    UnsupportedError,
    WrongAnswerError,
)
from unidoku.formats.lines import LineReader, read_text

if TYPE_CHECKING:
    from unidoku.backends.solver import Solver

__all__ = ["Boards", "batch_layout", "batch_request", "search_batch", "solve_many", "stream"]

Boards: TypeAlias = NDArray[np.integer] | Batch | Iterable[str | Board]
"""Boards of one layout: an array with a board a row, a batch, or a mixture of texts and boards."""

ROWS = 1024
"""Texts among which one is looked for that tells the size."""


def solve_many(
    solver: Solver, boards: Boards, layout: Layout | str | None, limits: Limits
) -> BatchResult:
    """Do what `Solver.solve_many` says."""
    request = batch_request(Request.of(**limits))
    _check_several(boards)
    given = boards if isinstance(boards, Batch | np.ndarray) else list(boards)
    return search_batch(solver, _read(given, batch_layout(given, layout)), request)


def stream(
    solver: Solver,
    boards: Boards,
    layout: Layout | str | None,
    chunk: int,
    limits: Limits,
) -> Iterator[BatchResult]:
    """Do what `Solver.stream` says."""
    if type(chunk) is not int or chunk < 1:
        raise InputError(f"chunk: expected an int of at least 1, got {chunk!r}")
    _check_several(boards)
    return _stream(solver, boards, layout, chunk, batch_request(Request.of(**limits)))


def _check_several(boards: Boards) -> None:
    """Refuse a text, whose characters would be taken for boards."""
    if isinstance(boards, str):
        raise InputError(f"expected several boards, got a text: {boards!r}; put it into a list")


def _stream(
    solver: Solver, boards: Boards, layout: Layout | str | None, chunk: int, request: Request
) -> Iterator[BatchResult]:
    parts: Iterator[NDArray[np.integer] | Batch | list[str | Board]]
    if isinstance(boards, Batch | np.ndarray):
        chosen = batch_layout(boards, layout)
        parts = (boards[start : start + chunk] for start in range(0, len(boards), chunk))
    else:
        items = iter(boards)
        first = list(islice(items, ROWS))
        chosen = batch_layout(first, layout)
        items = chain(first, items)
        parts = iter(lambda: list(islice(items, chunk)), [])
    for start, part in zip(count(0, chunk), parts, strict=False):
        yield search_batch(solver, _read(part, chosen), request, partial(_name, start=start))


def _name(row: int, start: int = 0) -> str:
    """Return what messages call a board: by its place among all that were given."""
    return f"board {start + row}"


def batch_request(request: Request) -> Request:
    """Return the request with one grid a board to be kept, if it does not say none.

    Raises:
        InputError: it asks for more.
    """
    if request.keep not in (None, 0, 1):
        raise InputError(
            f"keep: expected 0 or 1 grids a board in a batch, got {request.keep}; "
            "search the boards one by one to keep more"
        )
    return replace(request, keep=1) if request.keep is None else request


def batch_layout(
    boards: NDArray[np.integer] | Batch | list[str | Board], layout: Layout | str | None
) -> Layout:
    """Return the layout of all boards; of a variant's name, in the size that the first tells.

    Raises:
        InputError: a jigsaw without regions, or an array that has no size of the variant.
    """
    if isinstance(layout, Layout):
        return layout
    if layout is None and isinstance(boards, Batch):
        return boards.layout
    variant = Variant.parse(layout or "classic")
    if variant.needs_regions:
        raise InputError(
            f"{variant}: each board of a batch has the same regions; name them "
            "('jigsaw:<map>') or give a layout"
        )
    if isinstance(boards, Batch):
        return variant.layout(boards.layout.n)
    if isinstance(boards, np.ndarray):
        n = variant.size(int(np.prod(boards.shape[1:]))) if boards.size else 9
        if n is None:
            raise InputError(f"expected {variant} boards, got an array of shape {boards.shape}")
        return variant.layout(n)
    for board in boards[:ROWS]:
        if isinstance(board, Board):
            return board.layout if layout is None else variant.layout(board.layout.n)
        try:
            return Board.parse(board, layout or "classic").layout
        except InputError:
            continue  # it will be reported with the others
    return variant.layout(9)


def _read(boards: NDArray[np.integer] | Batch | list[str | Board], layout: Layout) -> Batch:
    if isinstance(boards, Batch):
        if boards.layout != layout:
            raise InputError(f"expected a batch of {layout!r}, got one of {boards.layout!r}")
        return boards
    if isinstance(boards, np.ndarray):
        return Batch.from_array(layout, boards)
    for index, board in enumerate(boards):
        if not isinstance(board, str | Board):
            raise InputError(f"board {index}: expected a text or a board, got {board!r}")
    texts = [board.strip() for board in boards if isinstance(board, str)]
    if len(texts) == len(boards):
        return LineReader(layout).read([text.encode(errors="surrogatepass") for text in texts])
    return Batch.from_boards(
        layout,
        (read_text(board, layout) if isinstance(board, str) else board for board in boards),
    )


def search_batch(
    solver: Solver, batch: Batch, request: Request, name: Callable[[int], str] = _name
) -> BatchResult:
    """Search each board of a batch; refuse what the backend lacks, check what it returns.

    Args:
        solver: who searches.
        batch: the boards.
        request: as `batch_request` makes it; the limits hold for each board by itself.
        name: what messages call the board of an index.

    Raises:
        UnsupportedError, WrongAnswerError, BackendError: as `Solver.search`; the latter two
            name the board, if one is at fault.
    """
    reasons = solver.spec.capabilities.lacking(Board.empty(batch.layout), request)
    if reasons:
        raise UnsupportedError(
            f"{solver.label} {'; '.join(reasons)}. Choose another: unidoku backends"
        )
    odd = sorted({*batch.boards, *batch.invalid})
    if not odd:
        return _search_rows(solver, batch.layout, batch.cells, request, name)
    rows = np.delete(np.arange(len(batch)), odd)
    result = _search_rows(
        solver, batch.layout, batch.cells[rows], request, lambda row: name(int(rows[row]))
    )
    counts = np.zeros(len(batch), np.int64)
    grids = np.zeros_like(batch.cells)
    stops = np.full(len(batch), INVALID, np.uint8)
    counts[rows], grids[rows], stops[rows] = result.counts, result.grids, result.stops
    statistics = dict(result.statistics)
    for index, board in batch.boards.items():
        one = _search(solver, board, request, name(index))
        counts[index], stops[index] = one.count, STOPS.index(one.stop)
        if one.solutions:
            grids[index] = one.solutions[0]
        add_figures(statistics, one.statistics)
    return BatchResult(
        counts=counts, grids=grids, stops=stops, statistics=statistics, invalid=batch.invalid
    )


def _search_rows(
    solver: Solver,
    layout: Layout,
    cells: NDArray[np.uint8],
    request: Request,
    name: Callable[[int], str],
) -> BatchResult:
    """Search boards without pencil marks."""
    backend = solver.backend
    if not hasattr(backend, "search_many") or not len(cells):
        return search_each(
            lambda row, board: _search(solver, board, request, name(row)), layout, cells
        )
    try:
        result = cast(BatchBackend, backend).search_many(layout, cells, request)
    except UnidokuError:
        raise
    except Exception as error:
        raise BackendError(f"{solver.label}: {type(error).__name__}: {error}") from error
    if not _is_batch_result(result, cells):
        raise WrongAnswerError(
            f"{solver.label}: expected a BatchResult for boards of shape {cells.shape}, "
            f"got {result!r}"
        )
    for row, reason in _wrong_answers(layout, cells, request, result):
        raise WrongAnswerError(f"{solver.label} on {name(row)}: {reason}")
    return result


def _search(solver: Solver, board: Board, request: Request, name: str) -> Result:
    """Search one board of a batch."""
    try:
        return solver.search(board, request)
    except (BackendError, WrongAnswerError) as error:
        raise type(error)(f"{name}: {error}") from error


def _is_batch_result(returned: object, cells: NDArray[np.uint8]) -> bool:
    """Tell whether a backend returned arrays that have an entry for each board."""
    if not isinstance(returned, BatchResult):
        return False
    arrays = (returned.counts, returned.grids, returned.stops)
    kinds = [(len(cells),), cells.shape, (len(cells),)], ["int64", "uint8", "uint8"]
    return (
        all(isinstance(array, np.ndarray) for array in arrays)
        and (
            [array.shape for array in arrays],
            [array.dtype.name for array in arrays],
        )
        == kinds
    )


def _wrong_answers(
    layout: Layout, cells: NDArray[np.uint8], request: Request, result: BatchResult
) -> Iterator[tuple[int, str]]:
    """Yield what cannot be, with the index of a board for which it is so; each kind once."""
    counts, grids, stops = result.counts, result.grids, result.stops
    most = np.iinfo(np.int64).max if request.solutions is None else request.solutions
    for index in np.flatnonzero((counts < 0) | (counts > most))[:1]:
        yield int(index), f"{counts[index]} counted, {request.solutions or 'all'} asked for"
    limits = {Stop.TIME: request.time_limit, Stop.NODES: request.node_limit}
    possible = np.array([limits.get(stop, 1) is not None for stop in STOPS])
    stopped = np.where(stops < len(STOPS), possible[np.minimum(stops, len(STOPS) - 1)], False)
    stopped &= (stops == STOPS.index(Stop.SOLUTIONS)) == (counts == most)
    for index in np.flatnonzero(~stopped)[:1]:
        code = int(stops[index])
        reason = STOPS[code].value if code < len(STOPS) else f"the unknown code {code}"
        yield int(index), f"{counts[index]} counted, and yet it stopped because of: {reason}"
    kept = counts > 0 if request.keep else np.zeros(len(counts), np.bool_)
    everything = bool(kept.all())
    others = np.flatnonzero(~kept)
    for index in others[grids[others].any(axis=1)][:1]:
        yield int(index), "a grid is returned where none was found or asked for"
    at = np.arange(len(cells)) if everything else np.flatnonzero(kept)
    wrong = wrong_grids(layout, *((cells, grids) if everything else (cells[at], grids[at])))
    for index in at[wrong[:1]]:
        grid = tuple(grids[index].tolist())
        board = Board.from_values(layout, cells[index].tolist())
        yield int(index), f"{'; '.join(verify(board, grid)[:1])}, in the grid {grid}"
