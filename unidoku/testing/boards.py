"""Random boards on random layouts, for the fuzzer and for hypothesis."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from unidoku.core.bits import all_values, bit
from unidoku.core.board import Board
from unidoku.testing.layouts import RandomLayout

LARGE = 10
"""From this n on boards have more givens, so that they can be decided."""


_MOST_OPENED = 16
"""The largest number of open cells in rules, and of other open cells."""


def random_board(rng: random.Random, source: RandomLayout, style: str = "") -> Board:
    """Return a board: with no, few or many givens, right or wrong, or with pencil marks.

    If a solution of the layout is known, more of the boards have solutions.

    Args:
        rng: source of random numbers.
        source: the layout, with a solution if one is known.
        style: one of `STYLES`; a random one if empty.
    """
    if not style:
        filled = source.hard and (source.layout.n >= LARGE or rng.random() < 0.9)
        style = rng.choice(_FILLED if filled else list(STYLES))
    masks = STYLES[style](rng, source)
    return Board(source.layout, _seldom_without_candidates(rng, masks))


def _seldom_without_candidates(rng: random.Random, masks: list[int]) -> tuple[int, ...]:
    """Return the candidates; in one board of fifty, a cell has none."""
    if rng.random() < 0.02:
        masks[rng.randrange(len(masks))] = 0
    return tuple(masks)


def opened_board(rng: random.Random, source: RandomLayout) -> Board:
    """Return a board of a known grid in which cells of rules are open, and few other cells.

    Such boards are decided quickly, and without the rule most of them have several solutions.
    """
    assert source.grid is not None, "the given cells hold the values of the known grid"
    layout, full = source.layout, all_values(source.layout.n)
    rules = layout.rules if rng.random() < 0.4 else layout.rules[-1:]
    cells = list(dict.fromkeys(cell for rule in rules for cell in rule.cells))
    most = rng.choice((3, 6, _MOST_OPENED, _MOST_OPENED, _MOST_OPENED))
    opened = set(rng.sample(cells, min(len(cells), most)))
    share = rng.choice((0.0, 0.05, 0.2))
    others = [cell for cell in layout.cells if rng.random() < share]
    opened |= set(others[:_MOST_OPENED])
    masks = [full if cell in opened else bit(source.grid[cell]) for cell in layout.cells]
    if rng.random() < 0.1:
        masks[rng.randrange(len(masks))] = bit(rng.randint(1, layout.n))
    if rng.random() < 0.2:
        marked = {cell: rng.randint(1, full) | bit(source.grid[cell]) for cell in opened}
        masks = [marked.get(cell, mask) for cell, mask in enumerate(masks)]
    return Board(layout, _seldom_without_candidates(rng, masks))


def _empty(rng: random.Random, source: RandomLayout) -> list[int]:
    return [all_values(source.layout.n)] * len(source.layout)


def _few(rng: random.Random, source: RandomLayout) -> list[int]:
    """Up to four values anywhere, right or wrong."""
    masks = _empty(rng, source)
    for cell in rng.sample(source.layout.cells, min(rng.randint(1, 4), len(masks))):
        masks[cell] = bit(rng.randint(1, source.layout.n))
    return masks


def _fitting(rng: random.Random, source: RandomLayout) -> list[int]:
    """Random values that no peer has yet."""
    masks = _empty(rng, source)
    full = all_values(source.layout.n)
    most = len(masks) if source.layout.n < LARGE else len(masks) // 2
    wanted = rng.randint(most // 2 if source.hard else 0, most)
    for cell in rng.sample(source.layout.cells, wanted):
        value = bit(rng.randint(1, source.layout.n))
        if all(masks[peer] != value or value == full for peer in source.layout.peers[cell]):
            masks[cell] = value
    return masks


def _dug(rng: random.Random, source: RandomLayout) -> list[int]:
    """A solution from which cells are removed: the board has one solution, a few or many."""
    if source.grid is None:
        return _fitting(rng, source)
    n = source.layout.n
    share = rng.uniform(0.5 if source.hard or n >= LARGE else 0.0, 1.0)
    return [bit(v) if rng.random() < share else all_values(n) for v in source.grid]


def _nearly_full(rng: random.Random, source: RandomLayout) -> list[int]:
    """A solution with a few open cells, often of two values that can be exchanged."""
    if source.grid is None:
        return _dug(rng, source)
    n = source.layout.n
    values = set(rng.sample(range(1, n + 1), min(2, n)))
    share = rng.choice((0.5, 1.0))
    return [
        all_values(n) if value in values and rng.random() < share else bit(value)
        for value in source.grid
    ]


def _wrong(rng: random.Random, source: RandomLayout) -> list[int]:
    """A solution from which cells are removed, and one cell with a random value."""
    masks = _dug(rng, source)
    masks[rng.randrange(len(masks))] = bit(rng.randint(1, source.layout.n))
    return masks


def _marks(rng: random.Random, source: RandomLayout) -> list[int]:
    """A board with pencil marks, most of which allow a solution."""
    masks = _dug(rng, source)
    n = source.layout.n
    around = source.grid if rng.random() < 0.7 else None
    share = rng.choice((0.2, 0.6, 1.0))
    for cell in source.layout.cells:
        if rng.random() < share:
            mask = rng.randint(1, all_values(n))
            if n >= LARGE:
                mask &= rng.randint(1, all_values(n))
            masks[cell] = mask | bit(around[cell] if around else rng.randint(1, n))
    return masks


STYLES: Mapping[str, Callable[[random.Random, RandomLayout], list[int]]] = {
    "empty": _empty,
    "few": _few,
    "fitting": _fitting,
    "dug": _dug,
    "nearly full": _nearly_full,
    "wrong": _wrong,
    "marks": _marks,
}
"""How the candidates of a board are chosen."""

_FILLED = ["dug", "nearly full", "wrong", "marks"]
"""The styles of boards that would be hard to decide with few givens."""
