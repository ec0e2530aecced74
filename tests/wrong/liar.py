"""A backend that counts one solution too many."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from unidoku import Board, Capabilities, Request, Result, Stop, load


@dataclass(frozen=True, slots=True)
class CountsTwo:
    """Finds the solution, and claims that there is another."""

    capabilities: ClassVar[Capabilities] = Capabilities()

    def search(self, board: Board, request: Request) -> Result:
        return replace(load("norvig").search(board, request), count=2, stop=Stop.SOLUTIONS)
