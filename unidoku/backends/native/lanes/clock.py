"""When to look at the clock, and which boards are out of time."""

from __future__ import annotations

import time

__all__ = ["Clock"]

FIRST_CELLS = 20_000
"""Cells of rounds until the clock is first looked at: a fraction of a millisecond."""

SECONDS_BETWEEN_LOOKS = 0.005


class Clock:
    """Says for how many rounds to go on, and which boards are out of time."""

    __slots__ = ("_begun", "_boards", "_limit", "_looked", "rounds")

    def __init__(self, time_limit: float | None, boards: int, cells: int) -> None:
        """Start it.

        Args:
            time_limit: of each board, in seconds.
            boards: how many of the first ones begin now.
            cells: of a board.
        """
        self.rounds = FIRST_CELLS // cells
        self._limit = time_limit
        self._looked = time.perf_counter()
        self._boards = boards
        self._begun: dict[int, float] = {}  # of the boards seen at the last look

    def late(self, boards: set[int]) -> list[int]:
        """Look at the clock; of the boards being searched, return those out of time."""
        now, before = time.perf_counter(), self._looked
        pace = SECONDS_BETWEEN_LOOKS / max(now - before, 1e-6)
        self.rounds = max(1, min(int(self.rounds * min(pace, 4)), 10**9))
        self._looked = now
        if self._limit is None:
            return []
        if self._boards:
            self._begun = dict.fromkeys(range(self._boards), before)
            self._boards = 0
        # A board not seen before may have begun just now.
        self._begun = {board: self._begun.get(board, now) for board in boards}
        return [board for board, begun in self._begun.items() if now - begun >= self._limit]
