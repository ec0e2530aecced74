"""The forms in which a run searches its board: symmetric images, no two of them the same.

A solver that learns remembers a board that it has searched. So each search of a sample gets another
form of the board: with its values renamed, or moved by a symmetry of the layout. Rules leave few
symmetries or none, and a board without givens is its own image; such a board has few forms.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from unidoku.comparison.order import Run
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.core.symmetry import Symmetry, cell_symmetries, random_symmetry, relabelling

_TRIES = 5
"""The most symmetries of each kind that are tried for another form."""

_MOST = 10_000
"""The most forms of a run: some 15 MB."""


class View(NamedTuple):
    """One form of a run's board.

    Args:
        board: the board.
        way: the symmetries that lead to it from the run's board.
        form: a hash, equal for equal forms.
    """

    board: Board
    way: tuple[Symmetry, ...]
    form: int


class Views:
    """The forms of a run's board, made when they are needed.

    All backends get the same ones in the same order, so that their times are paired.

    Attributes:
        block: what the runs of a block have in common.
    """

    def __init__(self, run: Run, seed: int, *, relabel: bool) -> None:
        """Prepare the forms of a run; without ``relabel`` the board itself is the only one."""
        self.block = (run.case.id, run.round, run.image)
        self._board = run.case.board
        self._way: tuple[Symmetry, ...] = ()
        if (image := symmetry_of(run, seed)) is not None:
            self._board, self._way = image.board(self._board), (image,)
        self._order = random.Random(f"{seed}:{run.case.id}:{run.round}")
        self._views: list[View] = []
        self._forms: set[int] = set()
        self._complete = False
        if not relabel:
            self._add(View(self._board, self._way, hash(self._board)))
            self._complete = True

    def first(self) -> View:
        """Return the first form."""
        view = self.get(0)
        assert view is not None
        return view

    def get(self, index: int) -> View | None:
        """Return a form; None if there are not so many."""
        while len(self._views) <= index and not self._complete:
            self._complete = len(self._views) >= _MOST or not self._find()
        return self._views[index] if index < len(self._views) else None

    def __iter__(self) -> Iterator[View]:
        """Yield all forms."""
        index = 0
        while (view := self.get(index)) is not None:
            yield view
            index += 1

    def _find(self) -> bool:
        """Add another form; return whether one was found."""
        for _ in range(_TRIES):
            if self._add(self._image(relabelling(self._board.layout, self._order))):
                return True
        # The first look for the symmetries of a layout takes some milliseconds.
        for _ in range(_TRIES if cell_symmetries(self._board.layout) else 0):
            if self._add(self._image(random_symmetry(self._board.layout, self._order))):
                return True
        return False

    def _image(self, symmetry: Symmetry) -> View:
        board = symmetry.board(self._board)
        return View(board, (*self._way, symmetry), hash(board))

    def _add(self, view: View) -> bool:
        if view.form in self._forms:
            return False
        self._forms.add(view.form)
        self._views.append(view)
        return True


def symmetry_of(run: Run, seed: int) -> Symmetry | None:
    """Return the symmetry whose image the run searches; None for the board itself."""
    if not run.image:
        return None
    order = random.Random(f"{seed}:{run.case.id}:{run.image}")
    return random_symmetry(run.case.board.layout, order)


def undone(grid: Grid, way: Sequence[Symmetry]) -> Grid:
    """Return the grid of the board from which the symmetries led to the board of a grid."""
    for symmetry in reversed(way):
        grid = symmetry.inverse.grid(grid)
    return grid
