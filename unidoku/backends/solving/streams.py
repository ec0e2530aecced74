"""Searches of many boards: the code of `Solver.solve_many`, `stream` and `search_batch`.

Boards of any kind are read into batches. A backend searches a batch in one call, or each board.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import chain, count, islice
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Limits, Request, Result
from unidoku.backends.batch import BatchResult, collected, joined, search_each
from unidoku.backends.solving.policy import (
    Prepared,
    check_rows,
    is_batch_result,
    refusal,
    refusals_of_request,
    wrapped_exceptions,
)
from unidoku.core.batch import Batch
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, NamedBoard, as_board, is_missing
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant
from unidoku.errors import BackendError, InputError, UnsupportedError, WrongAnswerError
from unidoku.formats.lines import LineReader, read_text
from unidoku.parallel.dispatch import check_executor, on_nodes
from unidoku.support.schema import shown

if TYPE_CHECKING:
    from unidoku.backends.solving.solver import Solver

Name: TypeAlias = Callable[[int], str]
"""Returns the name of a board of a batch in messages."""

SearchBatch: TypeAlias = Callable[[Batch, Request, Name], BatchResult]
"""`Solver.search_batch`."""

Boards: TypeAlias = NDArray[Any] | Batch | Iterable[BoardLike | bytes | None]
"""Boards of one layout: an array of ints with one board in each row, an array or a column of texts,
a batch, or texts, boards and rows of ints in any mixture. None stands for a missing board."""

Given: TypeAlias = NDArray[Any] | Batch | list[Any]
"""The result of `_given`: something that has a length and slices."""

ROWS = 1024
"""How many boards are searched for one that determines the size."""


def solve_many(
    search: SearchBatch, boards: Boards, layout: Layout | str | None, limits: Limits
) -> BatchResult:
    """Search many boards at once, see `Solver.solve_many`."""
    request = batch_request(Request.of(**limits))
    read = _given(boards)
    given = read if isinstance(read, Batch | np.ndarray) else list(read)
    chosen = batch_layout(given, layout)
    result = search(_read(given, chosen), request, _Stretch(0, given).name)
    return replace(result, layout=chosen, index=_index_of(boards))


def stream(
    solver: Solver,
    boards: Boards,
    layout: Layout | str | None,
    chunk: int,
    executor: Executor | None,
    recheck: bool,
    limits: Limits,
) -> Iterator[BatchResult]:
    """Search a stream of boards, see `Solver.stream`."""
    if type(chunk) is not int or chunk < 1:
        raise InputError(f"chunk: expected an int of at least 1, got {chunk!r}")
    check_executor(executor)
    request, index = batch_request(Request.of(**limits)), _index_of(boards)
    return _stream(solver, _given(boards), index, layout, chunk, request, executor, recheck)


def _stream(
    solver: Solver,
    boards: NDArray[Any] | Batch | Iterable[Any],
    index: Any,
    layout: Layout | str | None,
    chunk: int,
    request: Request,
    executor: Executor | None,
    recheck: bool,
) -> Iterator[BatchResult]:
    parts: Iterator[Given]
    answers: Iterator[tuple[_Stretch, BatchResult]]
    if isinstance(boards, Batch | np.ndarray):
        chosen = batch_layout(boards, layout)
        parts = (boards[start : start + chunk] for start in range(0, len(boards), chunk))
    else:
        items = iter(boards)
        first = list(islice(items, ROWS))
        chosen = batch_layout(first, layout)
        items = chain(first, items)
        parts = iter(lambda: list(islice(items, chunk)), [])
    work = _Searching(solver, chosen, request)
    stretches = map(_Stretch, count(0, chunk), parts)
    if executor is None:
        answers = ((stretch, work(stretch)) for stretch in stretches)
    else:
        answers = on_nodes(executor, work, stretches)
    for stretch, result in answers:
        if recheck:
            check_again(solver, _read(stretch.boards, chosen), request, result, stretch.name)
        rows = None if index is None else index[stretch.start : stretch.start + chunk]
        yield replace(result, layout=chosen, index=rows)


def check_again(
    solver: Solver,
    batch: Batch,
    request: Request,
    result: BatchResult,
    name: Name,
) -> None:
    """Check the answers about a batch that another process searched, as that process did.

    Raises:
        WrongAnswerError: an answer cannot be right; names the board.
    """
    rows = np.delete(np.arange(len(batch)), sorted(batch.invalid))
    part = replace(
        result, counts=result.counts[rows], grids=result.grids[rows], stops=result.stops[rows]
    )
    can, cells = solver.spec.capabilities, batch.cells[rows]
    check_rows(
        solver.label, can, batch.layout, cells, request, part, lambda row: name(int(rows[row]))
    )


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A part of many boards, and the place of its first board."""

    start: int
    boards: Given

    def name(self, row: int) -> str:
        """Return the name of a board in messages, by its place among all given boards."""
        return f"board {self.start + row}"


@dataclass(frozen=True, slots=True)
class _Searching:
    """Searches boards of a layout, in this process or on another node."""

    solver: Solver
    layout: Layout
    request: Request

    def __call__(self, stretch: _Stretch) -> BatchResult:
        batch = _read(stretch.boards, self.layout)
        return self.solver.search_batch(batch, self.request, stretch.name)


def batch_request(request: Request) -> Request:
    """Return the request with one grid kept for each board, or none if it says so.

    Raises:
        InputError: the request asks for more.
    """
    if request.keep not in (None, 0, 1):
        raise InputError(
            f"keep: expected 0 or 1 grids for each board of a batch, got {request.keep}; "
            "search each board separately to keep more"
        )
    return replace(request, keep=1) if request.keep is None else request


def _given(boards: Any) -> NDArray[Any] | Batch | Iterable[Any]:
    """Return arrays and columns in a form that can be read at once, other iterables unchanged.

    Raises:
        InputError: the argument is one board, such as a text, whose characters would be taken for
            boards.
    """
    if isinstance(boards, np.ndarray) and not boards.ndim:
        boards = boards.item()
    if isinstance(boards, str | bytes | Board):
        argument = "a board" if isinstance(boards, Board) else "a text"
        raise InputError(
            f"expected several boards, got {argument}: {shown(boards)}; put it into a list"
        )
    if isinstance(boards, Batch):
        return boards
    if hasattr(boards, "to_numpy"):
        return _column(boards)
    if isinstance(boards, np.ndarray):
        return boards.tolist() if boards.dtype.kind == "O" else boards
    if isinstance(boards, Mapping) or not isinstance(boards, Iterable):
        raise InputError(f"expected several boards, got {shown(boards)}{_advice(boards)}")
    return boards


def _advice(boards: object) -> str:
    """Return what to do with something that contains boards; empty if that is unknown."""
    if isinstance(boards, os.PathLike):
        return f"; solve the boards of a file: unidoku.solve_file({os.fspath(boards)!r})"
    return "; give its values: boards.values()" if isinstance(boards, Mapping) else ""


def _column(given: Any) -> NDArray[Any] | list[Any]:
    """Return the boards in a column of a data frame, or in the rows of a frame of numbers.

    Raises:
        InputError: it is a frame with a column of texts.
    """
    array: NDArray[Any] = given.to_numpy()
    if array.ndim == 2 and array.dtype.kind == "O":
        for name, column in zip(given.columns, array.T, strict=True):
            if any(isinstance(board, str | bytes | Board) for board in column):
                raise InputError(
                    f"expected several boards, got a data frame; give a column: frame[{name!r}]"
                )
    # A column of numbers has no board; each of them is named as invalid.
    is_read_at_once = array.dtype.kind in "SU" or (array.ndim > 1 and array.dtype.kind != "O")
    return array if is_read_at_once else list(array.tolist())


def _index_of(boards: object) -> Any:
    """Return the index of a column or a data frame, None if there is none."""
    index = getattr(boards, "index", None)
    return None if callable(index) else index  # lists and texts have a method of this name


def batch_layout(boards: Given, layout: Layout | str | None) -> Layout:
    """Return the layout of all boards; the first board determines the size of a variant.

    Raises:
        InputError: a jigsaw has no regions, or the shape of an array fits no size of the variant.
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
        if boards.dtype.kind in "SU":
            return batch_layout(boards[:ROWS].tolist(), layout)
        n = variant.size(int(np.prod(boards.shape[1:]))) if boards.size else 9
        if n is None:
            raise InputError(f"expected {variant} boards, got an array of shape {boards.shape}")
        return variant.layout(n)
    for board in map(_bare, boards[:ROWS]):
        if isinstance(board, Board):
            return board.layout if layout is None else variant.layout(board.layout.n)
        try:
            text = board.decode() if isinstance(board, bytes) else board
            return as_board(text, layout).layout
        except (InputError, UnicodeDecodeError):
            continue  # an unreadable board is reported with the others
    return variant.layout(9)


def _read(boards: Given, layout: Layout) -> Batch:
    """Read boards of one layout.

    Texts of the same width are joined and converted at once: a tenth of a microsecond for each
    board.

    Raises:
        InputError: a batch, array or board has another layout, or something is not a board; the
            message names the board. A text that cannot be read is ``invalid``.
    """
    if isinstance(boards, Batch):
        if boards.layout != layout:
            raise InputError(f"expected a batch of {layout!r}, got one of {boards.layout!r}")
        return boards
    reader = LineReader(layout)
    if isinstance(boards, np.ndarray):
        if boards.dtype.kind not in "SU":
            return Batch.from_array(layout, boards)
        if boards.ndim != 1:
            raise InputError(f"expected one column of texts, got an array of {boards.shape}")
        return reader.read_fixed(_symbols(boards)) or _read_list(boards.tolist(), reader)
    joined = _joined(boards)
    return (joined is not None and reader.read_fixed(joined)) or _read_list(boards, reader)


def _symbols(texts: NDArray[Any]) -> NDArray[np.uint8] | None:
    """Return the symbols of an array of texts, one text in each row; None if not all are ASCII."""
    texts = np.ascontiguousarray(texts)
    width = texts.dtype.itemsize
    if not width:
        return None
    if texts.dtype.kind == "S":
        return texts.view(np.uint8).reshape(len(texts), width)
    codes = texts.astype(texts.dtype.newbyteorder("=")).view(np.uint32)
    if codes.size and codes.max() > 127:
        return None
    return codes.astype(np.uint8).reshape(len(texts), width // 4)


def _joined(texts: Sequence[Any]) -> NDArray[np.uint8] | None:
    """Return the symbols of texts of the same width, one in each row; None for anything else."""
    try:
        widths = set(map(len, texts))
        if len(widths) != 1:
            return None
        rows = np.empty((len(texts), widths.pop()), np.uint8)
        for start in range(0, len(texts), ROWS):
            part = rows[start : start + ROWS]
            data = "".join(texts[start : start + ROWS]).encode("ascii")
            part[:] = np.frombuffer(data, np.uint8).reshape(part.shape)
    except (TypeError, UnicodeEncodeError):
        return None
    return rows


def _read_list(boards: list[Any], reader: LineReader) -> Batch:
    """Read boards and rows of ints one by one, and texts all at once."""
    texts = [board.strip() for board in boards if isinstance(board, str | bytes)]
    if len(texts) == len(boards):
        return reader.read([_bytes(text) for text in texts])
    layout = reader.layout
    read: list[Board | str] = []
    for index, board in enumerate(map(_bare, boards)):
        if isinstance(board, str | bytes):
            read.append(read_text(_bytes(board), layout))
        elif isinstance(board, Board):
            read.append(board)
        elif isinstance(board, Sequence) or hasattr(board, "tolist"):
            read.append(_of_rows(board, layout))
        elif is_missing(board) or isinstance(board, Real):
            read.append(f"expected a text or a board, got {board}")
        else:
            raise InputError(f"board {index}: expected a text or a board, got {shown(board)}")
    return Batch.from_boards(layout, read)


def _bare(board: Any) -> Any:
    """Return the board of a puzzle, and other things as they are."""
    if isinstance(board, str | bytes | Board):
        return board
    return board.board if isinstance(board, NamedBoard) else board


def _of_rows(rows: Any, layout: Layout) -> Board | str:
    """Return the board of rows of ints, or the reason why they are not a board."""
    try:
        return as_board(rows, layout)
    except InputError as error:
        return str(error)


def _bytes(text: str | bytes) -> bytes:
    return text.encode(errors="surrogatepass") if isinstance(text, str) else text


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
    with wrapped_exceptions(solver.label):
        result = search_many(prepared.layout, cells, request)
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
