"""Random full grids, many at once, and the random numbers that they are made from.

All candidates of an empty board are tried in random order. Each is placed, and stays if the board
still has a solution, which an exact backend decides; this ends when there is only one solution. No
placement is taken back later, so there is no search tree, and any layout works.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from unidoku.core.layout import Grid, Layout
from unidoku.errors import InputError
from unidoku.generation.oracle import Cells, Flags, Oracle

_BLOCK = 8
"""Numbers of 32 bits for one step of the generator's counter."""

_DEAD = np.uint32(0xFFFFFFFF)
"""Marks the priority of a candidate that is placed or removed."""

_NODES = (8, 128, 2048)
"""Nodes for each cell of a layout after which a placement counts as impossible.

Most boards with solutions are solved within the first limit. A few in a hundred take hundreds of
times as long; treating their placements as impossible biases the sample slightly. The larger limits
are used for boards without any placement that was shown to be possible."""


@dataclass(frozen=True, slots=True)
class RandomTable:
    """A table of random numbers, one row for each attempt; any part can be computed alone.

    Therefore attempts give the same puzzles with any size of batches. The numbers are those of
    Philox (Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011), a generator that
    computes its k-th number directly from k.

    Args:
        seed: the same seed gives the same table.
        width: numbers in a row.
    """

    seed: int
    width: int

    def rows(self, first: int, count: int) -> NDArray[np.uint32]:
        """Return rows of the table, uint32 of shape (count, width)."""
        steps = -(-self.width // _BLOCK)
        generator = np.random.Philox(key=self.seed)
        generator.advance(first * steps)
        raw = np.atleast_1d(generator.random_raw(count * steps * _BLOCK // 2))
        # Which half of a number comes first must not depend on the machine.
        numbers = raw.astype("<u8").view("<u4").astype(np.uint32)
        return numbers.reshape(count, steps * _BLOCK)[:, : self.width]


@dataclass(slots=True)
class _Filling:
    """Boards that are being filled.

    Args:
        number: the index of each board among all boards that were begun.
        cells: the values placed.
        priority: shape (boards, cells, n); the candidate with the lowest priority is next.
        witness: a solution of each board, zeros while none is known.
    """

    number: NDArray[np.intp]
    cells: Cells
    priority: NDArray[np.uint32]
    witness: Cells

    def keep(self, which: Flags) -> None:
        """Keep these boards only."""
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


def random_grids(oracle: Oracle, priority: NDArray[np.uint32]) -> Cells:
    """Return a full grid for each random order of all candidates.

    All images of a grid under the symmetries of the layout are equally likely; other grids are
    nearly equally likely.

    Args:
        oracle: decides which placements stay.
        priority: random numbers of shape (grids, cells, n).

    Returns:
        The grids; zeros where the node limit was reached first.

    Raises:
        TimeLimitError: the deadline has passed.
    """
    grids = np.zeros((len(priority), len(oracle.layout)), np.uint8)
    for nodes in _NODES:
        lacking = np.flatnonzero(~grids.any(axis=1))
        grids[lacking] = _filled(oracle, priority[lacking], nodes * len(oracle.layout))
    return grids


def _filled(oracle: Oracle, priority: NDArray[np.uint32], nodes: int) -> Cells:
    """Return the grids completed within a node limit, zeros for the others; changes `priority`."""
    layout = oracle.layout
    shape = (len(priority), len(layout))
    grids = np.zeros(shape, np.uint8)
    filling = _Filling(
        np.arange(len(priority)), np.zeros(shape, np.uint8), priority, np.zeros(shape, np.uint8)
    )
    while len(filling.number):
        order = filling.priority.reshape(len(filling.number), -1)
        cell, value = np.divmod(order.argmin(axis=1), layout.n)
        filling.cells[np.arange(len(cell)), cell] = value + 1
        answers = oracle.ask(filling.cells, keep=True, nodes=nodes)
        _settle(filling, layout, cell, value, answers.possible)
        filling.witness[answers.possible] = answers.grids[answers.possible]
        exhausted = (filling.priority == _DEAD).all(axis=(1, 2))
        done = answers.unique | exhausted
        grids[filling.number[done]] = filling.witness[done]
        filling.keep(~done)
    return grids


def _settle(
    filling: _Filling,
    layout: Layout,
    cell: NDArray[np.intp],
    value: NDArray[np.intp],
    possible: Flags,
) -> None:
    """Remove impossible placements, and candidates that placed values exclude; values from 0."""
    priority = filling.priority
    gone = np.flatnonzero(~possible)
    filling.cells[gone, cell[gone]] = 0
    priority[gone, cell[gone], value[gone]] = _DEAD
    rows = np.flatnonzero(possible)
    priority[rows, cell[rows]] = _DEAD
    seen = peer_table(layout)[cell[rows]]
    priority[rows, :, value[rows]] = np.where(seen, _DEAD, priority[rows, :, value[rows]])


def full_grid(oracle: Oracle, rng: random.Random) -> Grid:
    """Return a random full grid of a layout.

    Raises:
        InputError: the layout has no grid.
    """
    n, cells = oracle.layout.n, len(oracle.layout)
    for _ in range(8):
        numbers = RandomTable(rng.getrandbits(64), cells * n).rows(0, 1).reshape(1, cells, n)
        grid = random_grids(oracle, np.array(numbers))[0]
        if grid.any():
            return tuple(grid.tolist())
    raise InputError(
        f"{oracle.layout.name}: expected a layout that can be filled, got one for which no "
        "solution was found"
    )
