"""The smallest board that shows something, without boards that are searched before it."""

from __future__ import annotations

from collections.abc import Callable

from unidoku import Board
from unidoku.fuzzing.shrink import shrink
from unidoku.support.deadline import Deadline


def shrunk(
    board: Board,
    shows: Callable[[Board], bool],
    deadline: Deadline | None = None,
    *,
    small: bool = True,
) -> Board:
    """Return the smallest board that `shrink` finds."""
    (smallest,) = shrink((board,), lambda boards: shows(boards[0]), deadline, small=small)
    return smallest
