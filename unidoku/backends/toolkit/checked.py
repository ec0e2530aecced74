"""Grids that are checked as they are found, so that the time limit of a call includes the checks.

Checking a grid may take longer than finding it, and after the search no time is left. So what
collects the solutions of a search has them checked at once, if the caller has asked for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from operator import is_

from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.core.verify.boards import faults_of


class Checked:
    """The grids found for a board, checked.

    Args:
        board: the board.
        grids: the grids that are already found.
    """

    def __init__(self, board: Board, grids: Sequence[Grid] = ()) -> None:
        """Check the grids."""
        self.board = board
        self.begin()
        self.add(grids)

    def begin(self) -> None:
        """Forget the grids: another search begins."""
        self._grids: list[Grid] = []
        self._right: set[Grid] = set()
        self._faults: list[str] = []

    def add(self, grids: Sequence[Grid]) -> None:
        """Check more grids."""
        self._grids += grids
        for grid in grids:
            if reasons := faults_of(self.board, grid):
                self._faults.append(f"{reasons[0]}, in the grid {grid}")
            else:
                self._right.add(grid)

    def are(self, grids: Sequence[Grid]) -> bool:
        """Return whether exactly these grids have been checked, the same objects."""
        return len(grids) == len(self._grids) and all(map(is_, grids, self._grids))

    @property
    def wrong(self) -> tuple[str, ...]:
        """What is wrong: grids that are no solutions, or a grid that was found twice."""
        if not self._faults and len(self._right) < len(self._grids):
            return ("the same grid is returned twice",)
        return tuple(self._faults)


_checked: ContextVar[Checked | None] = ContextVar("checked", default=None)


@contextmanager
def checking(board: Board) -> Iterator[Checked]:
    """Check each grid as soon as a search of the board, within this block, reports it."""
    before = _checked.get()
    checked = before if before is not None and before.board is board else Checked(board)
    token = _checked.set(checked)
    try:
        yield checked
    finally:
        _checked.reset(token)


def begin_checks() -> Callable[[Sequence[Grid]], None] | None:
    """Return the function that a search which begins calls with the grids that it will return.

    None if its caller checks them itself.
    """
    if (checked := _checked.get()) is None:
        return None
    checked.begin()
    return checked.add
