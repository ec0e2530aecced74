"""Many boards in one call: the interface of fast backends, and the result that callers get.

Importing this module does not import numpy, because a single board does not need it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast

from unidoku.backends.base import Request, Result, Stop
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.support.extras import not_installed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pandas import DataFrame

STOPS = tuple(Stop)
"""Meanings of the codes in `BatchResult.stops`, which are indices into this."""

INVALID = 255
"""The stop code of a board that could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BatchResult:
    """What a search of many boards found: one entry for each board, in the order of the boards.

    Args:
        counts: numbers of solutions found, int64 of shape (boards,).
        grids: the first solution of each board, uint8 of shape (boards, cells); zeros where
            none was found or kept.
        stops: why each search ended, uint8 of shape (boards,): an index into `STOPS`, or
            `INVALID`.
        statistics: the backend's figures for all boards together, as in `Result`.
        invalid: for the index of each board that could not be read, the reason; its count is 0.
        layout: layout of the boards; None in a result straight from a backend.
        index: index of the column or data frame of the boards; None if they had none.
    """

    counts: NDArray[np.int64]
    grids: NDArray[np.uint8]
    stops: NDArray[np.uint8]
    statistics: Mapping[str, float] = field(default_factory=dict)
    invalid: Mapping[int, str] = field(default_factory=dict)
    layout: Layout | None = None
    index: Any = None

    def __len__(self) -> int:
        return len(self.counts)

    def __repr__(self) -> str:
        """Count the boards by their outcome; rows that are not boards count too."""
        import numpy as np  # a single board does not need it

        counts = f"{np.size(self.counts)} boards, {np.count_nonzero(self.counts)} with a solution"
        unread = f", {len(self.invalid)} invalid" if self.invalid else ""
        return f"<BatchResult: {counts}{unread}>"

    def texts(self) -> list[str]:
        """Return the first solution of each board as one line, empty if there is none."""
        from unidoku.formats.lines import write_lines  # imports numpy

        if self.layout is None or not len(self):
            return [""] * len(self)
        lines = write_lines(self.layout, self.grids).decode().splitlines()
        is_solved = cast("NDArray[np.bool_]", self.grids.any(axis=1)).tolist()
        return [line if solved else "" for line, solved in zip(lines, is_solved, strict=True)]

    def to_pandas(self) -> DataFrame:
        """Return a row for each board: ``solution``, ``count``, ``unique``, ``stop``, ``invalid``.

        The rows have the index of the column or data frame of the boards, so that they can be
        joined to it after it was filtered or sorted; other boards are numbered from 0.

        Raises:
            NotInstalledError: pandas is not installed; the message states what to type.
        """
        stops = ["" if code == INVALID else STOPS[code].value for code in self.stops.tolist()]
        return data_frame(
            self.index,
            solution=self.texts(),
            count=self.counts,
            unique=self.unique,
            stop=stops,
            invalid=[self.invalid.get(index, "") for index in range(len(self))],
        )

    @property
    def solved(self) -> NDArray[np.bool_]:
        """For each board, whether a solution was found."""
        return self.counts > 0

    @property
    def unique(self) -> NDArray[np.bool_]:
        """For each board, whether it is proved to have exactly one solution.

        The proof needs a request for 2 solutions: a search that stops at the first proves nothing.
        """
        proved: NDArray[np.bool_] = self.stops == STOPS.index(Stop.EXHAUSTED)
        proved &= self.counts == 1
        return proved


def data_frame(index: Any = None, /, **columns: object) -> DataFrame:
    """Return a data frame of these columns, with an index or numbered from 0.

    Raises:
        NotInstalledError: pandas is not installed; the message states what to type.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise not_installed("a data frame needs pandas", "pip install pandas") from error
    return pd.DataFrame(columns, index)


class BatchBackend(Protocol):
    """A backend that searches many boards of one layout at once faster than one by one."""

    def search(self, board: Board, request: Request) -> Result:
        """Search one board; see `unidoku.backends.base.Backend`."""

    def search_many(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request
    ) -> BatchResult:
        """Search each board within the request's limits, which apply to each board separately.

        Args:
            layout: layout of all boards.
            cells: the givens, C-contiguous, of shape (boards, cells), 0 for an empty cell; it
                must not be changed.
            request: its ``keep`` is 0 or 1.
        """


def search_each(
    search: Callable[[int, Board], Result], layout: Layout, cells: NDArray[np.uint8]
) -> BatchResult:
    """Search each board by its index, and return the results as `BatchBackend.search_many` does."""
    boards = (Board.from_values(layout, row) for row in cells.tolist())
    return collected((search(index, board) for index, board in enumerate(boards)), cells)


def collected(results: Iterable[Result], cells: NDArray[np.uint8]) -> BatchResult:
    """Combine the results of single boards, each with at most one grid, into a batch's result."""
    import numpy as np  # a single board does not need it

    counts = np.zeros(len(cells), np.int64)
    grids = np.zeros_like(cells)
    stops = np.zeros(len(cells), np.uint8)
    statistics: dict[str, float] = {}
    for index, result in enumerate(results):
        counts[index] = result.count
        stops[index] = STOPS.index(result.stop)
        if result.solutions:
            grids[index] = result.solutions[0]
        add_figures(statistics, result.statistics)
    return BatchResult(counts=counts, grids=grids, stops=stops, statistics=statistics)


def joined(
    cells: NDArray[np.uint8],
    parts: Iterable[tuple[NDArray[np.intp] | slice, BatchResult]],
    invalid: Mapping[int, str] | None = None,
) -> BatchResult:
    """Return the result of a batch from its parts, each with the rows that it covers.

    A board that is in no part gets the stop code `INVALID`.
    """
    import numpy as np  # a single board does not need it

    counts = np.zeros(len(cells), np.int64)
    grids = np.zeros_like(cells)
    stops = np.full(len(cells), INVALID, np.uint8)
    statistics: dict[str, float] = {}
    for rows, part in parts:
        counts[rows], grids[rows], stops[rows] = part.counts, part.grids, part.stops
        add_figures(statistics, part.statistics)
    return BatchResult(
        counts=counts, grids=grids, stops=stops, statistics=statistics, invalid=invalid or {}
    )


def add_figures(total: dict[str, float], figures: Mapping[str, float]) -> None:
    """Add the statistics of a search to the sum of those before it."""
    for name, figure in figures.items():
        total[name] = total.get(name, 0) + figure
