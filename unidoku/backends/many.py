"""What `Solver.solve_many` and `Solver.stream` do: read boards of any kind into batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, count, islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Limits, Request
from unidoku.backends.batch import BatchResult
from unidoku.core.batch import Batch
from unidoku.core.board import Board
from unidoku.core.formats.lines import LineReader, read_text
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant
from unidoku.errors import InputError

__all__ = ["Boards", "batch_layout", "batch_request", "solve_many", "stream"]

SearchBatch: TypeAlias = Callable[[Batch, Request, Callable[[int], str]], BatchResult]
"""`Solver.search_batch`."""

Boards: TypeAlias = NDArray[np.integer] | Batch | Iterable[str | Board]
"""Boards of one layout: an array with a board a row, a batch, or a mixture of texts and boards."""

ROWS = 1024
"""Texts among which one is looked for that tells the size."""


def solve_many(
    search: SearchBatch, boards: Boards, layout: Layout | str | None, limits: Limits
) -> BatchResult:
    """Do what `Solver.solve_many` says."""
    request = batch_request(Request.of(**limits))
    _check_several(boards)
    given = boards if isinstance(boards, Batch | np.ndarray) else list(boards)
    return search(_read(given, batch_layout(given, layout)), request, partial(_name, 0))


def stream(
    search: SearchBatch,
    boards: Boards,
    layout: Layout | str | None,
    chunk: int,
    limits: Limits,
) -> Iterator[BatchResult]:
    """Do what `Solver.stream` says."""
    if type(chunk) is not int or chunk < 1:
        raise InputError(f"chunk: expected an int of at least 1, got {chunk!r}")
    _check_several(boards)
    return _stream(search, boards, layout, chunk, batch_request(Request.of(**limits)))


def _check_several(boards: Boards) -> None:
    """Refuse a text, whose characters would be taken for boards."""
    if isinstance(boards, str):
        raise InputError(f"expected several boards, got a text: {boards!r}; put it into a list")


def _stream(
    search: SearchBatch, boards: Boards, layout: Layout | str | None, chunk: int, request: Request
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
        yield search(_read(part, chosen), request, partial(_name, start))


def _name(start: int, row: int) -> str:
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
