"""Searches in turns: a backend works for a while, pauses, and goes on where it was.

Work is counted and never timed, so that a search pauses at the same places on every machine,
however busy it is. The unit is a propagation of `native`, about a tenth of a microsecond; every
other backend converts its own figures, as far as that can be done for boards of all kinds.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Protocol, TypeAlias

from unidoku.backends.base import Backend, Request, Result
from unidoku.core.board import Board

Turns: TypeAlias = Generator[int, None, Result]
"""A search in turns: yields the work of each turn but the last, and returns the result.

If it is closed in a pause, it gives back what it borrowed, such as a model.
"""


class PausingBackend(Backend, Protocol):
    """A backend that can pause."""

    def search_in_turns(self, board: Board, request: Request, turn: int) -> Turns:
        """Search the board as `search` does, in turns of about that much work."""


def at_once(turns: Turns) -> Result:
    """Do all turns of a search one after the other; return its result."""
    while True:
        try:
            next(turns)
        except StopIteration as end:
            result: Result = end.value
            return result
