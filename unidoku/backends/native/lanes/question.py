"""What is asked of the boards of a batch, and what is found."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "EXHAUSTED",
    "NODE_LIMIT",
    "TIME_LIMIT",
    "UNLIMITED",
    "Answers",
    "Array",
    "Question",
    "address",
]

Array: TypeAlias = NDArray[Any]

UNLIMITED = 2**62
"""What stands for no limit."""

EXHAUSTED, NODE_LIMIT, TIME_LIMIT = range(3)
"""Why the search of a board ended, if not for having found enough."""


class Question:
    """What is asked of each board of a batch.

    Args:
        boards: of shape (boards, cells), uint8 with 0 for empty cells; or, of the kernel's own
            type and of shape (boards, slot), sets of values.
        limit: solutions after which to stop; None for all.
        room: grids to keep of each board; fewer if the limit is lower.
        node_limit: of each board.
        time_limit: of each board, in seconds; looked at every few milliseconds.
    """

    __slots__ = ("address", "boards", "limit", "node_limit", "room", "time_limit")

    def __init__(
        self,
        boards: Array,
        *,
        limit: int | None = None,
        room: int = 0,
        node_limit: int | None = None,
        time_limit: float | None = None,
    ) -> None:
        """Take it down."""
        self.boards = boards
        self.address = address(boards)
        self.limit = limit
        self.room = room if limit is None else min(room, limit)
        self.node_limit = node_limit
        self.time_limit = time_limit

    def part(self, boards: slice) -> Question:
        """Return the same question about some of the boards."""
        return Question(
            self.boards[boards],
            limit=self.limit,
            room=self.room,
            node_limit=self.node_limit,
            time_limit=self.time_limit,
        )


class Answers:
    """What is found, one entry a board.

    Attributes:
        counts: solutions found, at most as many as asked for.
        nodes: states propagated.
        stops: `EXHAUSTED` or the limit that was reached; of no meaning if enough were found.
        kept: how many grids are kept.
        ranks: of shape (boards, room), the grids' places in the order of the search.
        grids: uint8 of shape (boards, room, cells).
        rounds: worked for all boards together.
        addresses: of these arrays, in this order.
    """

    __slots__ = (
        "_figures",
        "addresses",
        "counts",
        "grids",
        "kept",
        "nodes",
        "ranks",
        "rounds",
        "stops",
    )

    def __init__(self, *arrays: Array) -> None:
        """Take the arrays."""
        self.counts, self.nodes, self.stops, self.kept, self.ranks, self.grids = arrays
        self.addresses = tuple(map(address, arrays))
        self.rounds = 0
        self._figures = self.counts

    @classmethod
    def empty(cls, boards: int, room: int, cells: int) -> Answers:
        """Return answers about so many boards, of which nothing is found yet."""
        figures = np.zeros((4, boards), np.int64)
        counts, nodes, kept, stops = figures
        answers = cls(
            counts,
            nodes,
            stops.view(np.uint8)[:boards],
            kept,
            np.zeros((boards, room), np.int64),
            np.zeros((boards, room, cells), np.uint8),
        )
        answers._figures = figures
        return answers

    def part(self, boards: slice) -> Answers:
        """Return the entries of some of the boards; what is written there is written here."""
        arrays = self.counts, self.nodes, self.stops, self.kept, self.ranks, self.grids
        return Answers(*(array[boards] for array in arrays))

    def forget(self) -> None:
        """Begin anew; what the kept grids were is of no meaning."""
        self._figures.fill(0)


def address(array: Array) -> int:
    """Return where an array begins in memory."""
    where: int = array.ctypes.data
    return where
