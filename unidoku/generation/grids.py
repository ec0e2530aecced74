"""Full grids at random, many at once.

All candidates of an empty board are taken in random order. Each is placed, and stays if the
board still has a solution, which an exact backend decides; until there is only one. No placement
is ever taken back later, so there is no search tree; and the layout may be any.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from unidoku.core.layout import Layout
from unidoku.generation.judge import Cells, Flags, Judge

__all__ = ["peer_table", "random_grids"]

_DEAD = np.uint32(0xFFFFFFFF)
"""In place of the priority of a candidate that is placed or gone."""

_NODES = (8, 128, 2048)
"""Nodes for each cell of a layout after which a placement counts as impossible.

What has solutions shows them sooner, but for few boards. Of the others a few in a hundred take
hundreds of times as long, and nothing is lost with them but some of the evenness. The larger
numbers are for boards of which no placement was shown to be possible."""


@dataclass(slots=True)
class _Filling:
    """Boards that are being filled.

    Args:
        number: which of all boards each is.
        cells: the values placed.
        priority: of each candidate; the lowest is next. Of shape (boards, cells, n).
        witness: a solution of each board; zeros while none is known.
    """

    number: NDArray[np.intp]
    cells: Cells
    priority: NDArray[np.uint32]
    witness: Cells

    def keep(self, which: Flags) -> None:
        """Go on with these boards only."""
        if not which.all():
            self.number, self.cells = self.number[which], self.cells[which]
            self.priority, self.witness = self.priority[which], self.witness[which]


@lru_cache(maxsize=16)
def peer_table(layout: Layout) -> Flags:
    """Return which cells are peers, of shape (cells, cells)."""
    table = np.zeros((len(layout), len(layout)), np.bool_)
    for cell, peers in enumerate(layout.peers):
        table[cell, list(peers)] = True
    table.flags.writeable = False
    return table


def random_grids(judge: Judge, priority: NDArray[np.uint32]) -> Cells:
    """Return a full grid for each random order of all candidates.

    Whatever symmetries the layout has, all images of a grid are equally likely; the grids
    themselves are not exactly so.

    Args:
        judge: decides which placements stay.
        priority: random numbers of shape (grids, cells, n).

    Returns:
        The grids; zeros where the limits came first.

    Raises:
        TimeLimitError: the deadline came first.
    """
    grids = np.zeros((len(priority), len(judge.layout)), np.uint8)
    for nodes in _NODES:
        lacking = np.flatnonzero(~grids.any(axis=1))
        grids[lacking] = _filled(judge, priority[lacking], nodes * len(judge.layout))
    return grids


def _filled(judge: Judge, priority: NDArray[np.uint32], nodes: int) -> Cells:
    """Return the grids that come of the orders within a limit of nodes; changes the orders."""
    layout = judge.layout
    shape = (len(priority), len(layout))
    grids = np.zeros(shape, np.uint8)
    filling = _Filling(
        np.arange(len(priority)), np.zeros(shape, np.uint8), priority, np.zeros(shape, np.uint8)
    )
    while len(filling.number):
        cell, value = _place(filling, layout.n)
        answers = judge.ask(filling.cells, keep=True, nodes=nodes)
        _settle(filling, layout, cell, value, answers.possible)
        filling.witness[answers.possible] = answers.grids[answers.possible]
        exhausted = (filling.priority == _DEAD).all(axis=(1, 2))
        done = answers.unique | exhausted
        grids[filling.number[done]] = filling.witness[done]
        filling.keep(~done)
    return grids


def _place(filling: _Filling, n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Place the next candidate of each board; return the cells, and the values less one."""
    boards = len(filling.number)
    cell, value = np.divmod(filling.priority.reshape(boards, -1).argmin(axis=1), n)
    filling.cells[np.arange(boards), cell] = value + 1
    return cell, value


def _settle(
    filling: _Filling,
    layout: Layout,
    cell: NDArray[np.intp],
    value: NDArray[np.intp],
    possible: Flags,
) -> None:
    """Take back what is impossible, and strike out what the others leave no place for."""
    priority = filling.priority
    gone = np.flatnonzero(~possible)
    filling.cells[gone, cell[gone]] = 0
    priority[gone, cell[gone], value[gone]] = _DEAD
    kept = np.flatnonzero(possible)
    priority[kept, cell[kept]] = _DEAD
    seen = peer_table(layout)[cell[kept]]
    priority[kept, :, value[kept]] = np.where(seen, _DEAD, priority[kept, :, value[kept]])
