"""The content of an export before it is written: a board's candidates and known grids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from unidoku.backends.base import Request
from unidoku.backends.toolkit.budget import Budget
from unidoku.backends.toolkit.cover import Cover, cover_of, held_candidates
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.core.transforms.lower import Lowered, lower, narrowed


@dataclass(frozen=True, slots=True)
class BoardModel:
    """What every language expresses about a board, in the form that adapters use.

    Args:
        board: the board.
        other_than: known grids, which are excluded as answers.
        budget: time limit of writing.
    """

    board: Board
    other_than: tuple[Grid, ...] = ()
    budget: Budget = field(default_factory=lambda: Budget(Request()), compare=False, repr=False)

    @property
    def cover(self) -> Cover:
        """The units as sets of candidates, of which exactly one holds, or at most one."""
        return cover_of(self.board.layout)

    @property
    def lowered(self) -> Lowered:
        """The lowered rules."""
        return lower(self.board.layout)

    @property
    def narrowed(self) -> Board:
        """The board without the candidates that rules of one cell exclude."""
        return narrowed(self.board)

    def decided(self) -> tuple[list[int], list[int]]:
        """Return the candidates that hold and those that are excluded."""
        return held_candidates(self.narrowed)

    def known(self) -> Iterator[list[int]]:
        """Yield the candidates of each excluded grid."""
        n = self.board.layout.n
        for grid in self.other_than:
            yield [cell * n + value - 1 for cell, value in enumerate(grid)]

    def comments(self) -> Iterator[str]:
        """Yield lines that describe the content for readers."""
        layout = self.board.layout
        yield f"{layout.name}, {len(layout)} cells, values {layout.shown[1]} to {layout.shown[-1]}"
        yield f"digest {self.board.digest}"
        if self.other_than:
            yield f"without {len(self.other_than)} grids that are known"
