"""Many boards of one layout as an array, for fast backends and files of many boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Batch:
    """Boards of one layout, in order.

    Args:
        layout: layout of all boards.
        cells: the givens as a C-contiguous array of shape (boards, cells), 0 for an empty cell;
            the row of a board in ``boards`` or ``invalid`` is zeros.
        boards: by index, the boards with pencil marks, which a row of values cannot express.
        invalid: by index, the reason why there is no board.
    """

    layout: Layout
    cells: NDArray[np.uint8]
    boards: Mapping[int, Board] = field(default_factory=dict)
    invalid: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of boards, including those that could not be read."""
        return len(self.cells)

    def __getitem__(self, part: slice) -> Batch:
        """Return the boards of a slice without a step."""
        start, stop, _ = part.indices(len(self))
        return Batch(
            layout=self.layout,
            cells=self.cells[start:stop],
            boards={k - start: board for k, board in self.boards.items() if start <= k < stop},
            invalid={k - start: text for k, text in self.invalid.items() if start <= k < stop},
        )

    @classmethod
    def from_array(cls, layout: Layout, values: NDArray[np.integer | np.floating]) -> Batch:
        """Make a batch of numbers of shape (boards, cells), or (boards, rows, columns).

        A row with a number outside 0 to n, or that is not whole, is invalid. NaN is an empty cell.

        Raises:
            InputError: the array has another shape, or is not of numbers.
        """
        if values.dtype.kind not in "iuf" or values.ndim < 2:
            raise InputError(
                f"expected an array of ints, one board in each row, got {values.dtype} of shape "
                f"{values.shape}"
            )
        if isinstance(values, np.ma.MaskedArray):  # what is masked is an empty cell
            values = values.filled(0)
        is_float = values.dtype.kind == "f"
        if is_float:
            values = np.where(np.isnan(values), 0, values)
        rows = values.reshape(len(values), -1) if values.size else values
        if values.size and rows.shape[1] != len(layout):
            raise InputError(
                f"expected boards of {len(layout)} cells ({layout.name}), "
                f"got an array of shape {values.shape}"
            )
        invalid = {}
        if values.size and (is_float or rows.min() < 0 or rows.max() > layout.n):
            outside = np.logical_or(np.less(rows, 0), np.greater(rows, layout.n))
            outside |= np.floor(rows) != rows
            wrong = outside.any(axis=1)
            for index in np.flatnonzero(wrong).tolist():
                cell = int(outside[index].argmax())
                invalid[index] = (
                    f"{layout.names[cell]}: expected a value from 0 to {layout.n}, "
                    f"got {rows[index, cell]}"
                )
            rows = np.where(wrong[:, None], 0, rows)
        # A copy is a writable, plain array; for a mapped file, compiled code would have to be
        # compiled again.
        cells = np.array(rows, np.uint8, order="C").reshape(len(values), len(layout))
        return cls(layout=layout, cells=cells, invalid=invalid)

    @classmethod
    def from_boards(cls, layout: Layout, boards: Iterable[Board | str]) -> Batch:
        """Make a batch of boards; a text in place of a board is the reason why there is none.

        Raises:
            InputError: a board is of another layout.
        """
        rows = []
        marked = {}
        invalid = {}
        nothing = (0,) * len(layout)
        for index, board in enumerate(boards):
            row = nothing
            if isinstance(board, str):
                invalid[index] = board
            elif board.layout != layout:
                raise InputError(
                    f"board {index}: expected the layout of the batch, {layout!r}, "
                    f"got {board.layout!r}; solve the boards of each layout in a separate batch"
                )
            elif board.has_pencil_marks:
                marked[index] = board
            else:
                row = board.givens
            rows.append(row)
        cells = np.array(rows, np.uint8).reshape(len(rows), len(layout))
        return cls(layout=layout, cells=cells, boards=marked, invalid=invalid)
