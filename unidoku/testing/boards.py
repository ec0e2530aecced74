"""Random boards on random layouts, for the fuzzer and for hypothesis."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType

from unidoku.core.bits import all_values, bit
from unidoku.core.board import Board
from unidoku.testing.layouts import RandomLayout

LARGE = 10
"""From this n on boards are filled more, so that they can be decided."""


_MOST_OPENED = 16
"""The most open cells of rules, and the most of the other cells."""


def random_board(rng: random.Random, made: RandomLayout, style: str = "") -> Board:
    """Return a board: with no, few or many givens, right or wrong, or with pencil marks.

    With a known grid more of the boards have solutions. The style is one of `STYLES`; a random
    one if empty.
    """
    if not style:
        filled = made.hard and (made.layout.n >= LARGE or rng.random() < 0.9)
        style = rng.choice(_FILLED if filled else list(STYLES))
    masks = STYLES[style](rng, made)
    return Board(made.layout, _seldom_without_candidates(rng, masks))


def _seldom_without_candidates(rng: random.Random, masks: list[int]) -> tuple[int, ...]:
    """Return the candidates; in one board in fifty, a cell has none."""
    if rng.random() < 0.02:
        masks[rng.randrange(len(masks))] = 0
    return tuple(masks)


def opened_board(rng: random.Random, made: RandomLayout) -> Board:
    """Return a board of a known grid in which cells of rules are open, and few of the others.

    Such boards are decided soon, and most of them have several solutions without the rule.
    """
    assert made.grid is not None, "the given cells hold the values of the known grid"
    layout, full = made.layout, all_values(made.layout.n)
    rules = layout.rules if rng.random() < 0.4 else layout.rules[-1:]
    cells = list(dict.fromkeys(cell for rule in rules for cell in rule.cells))
    most = rng.choice((3, 6, _MOST_OPENED, _MOST_OPENED, _MOST_OPENED))
    opened = set(rng.sample(cells, min(len(cells), most)))
    share = rng.choice((0.0, 0.05, 0.2))
    more = [cell for cell in layout.cells if rng.random() < share]
    opened |= set(more[:_MOST_OPENED])
    masks = [full if cell in opened else bit(made.grid[cell]) for cell in layout.cells]
    if rng.random() < 0.1:
        masks[rng.randrange(len(masks))] = bit(rng.randint(1, layout.n))
    if rng.random() < 0.2:
        marked = {cell: rng.randint(1, full) | bit(made.grid[cell]) for cell in opened}
        masks = [marked.get(cell, mask) for cell, mask in enumerate(masks)]
    return Board(layout, _seldom_without_candidates(rng, masks))


def _empty(rng: random.Random, made: RandomLayout) -> list[int]:
    return [all_values(made.layout.n)] * len(made.layout)


def _few(rng: random.Random, made: RandomLayout) -> list[int]:
    """Up to four values anywhere, right or wrong."""
    masks = _empty(rng, made)
    for cell in rng.sample(made.layout.cells, min(rng.randint(1, 4), len(masks))):
        masks[cell] = bit(rng.randint(1, made.layout.n))
    return masks


def _fitting(rng: random.Random, made: RandomLayout) -> list[int]:
    """Random values that no peer has yet."""
    masks = _empty(rng, made)
    full = all_values(made.layout.n)
    most = len(masks) if made.layout.n < LARGE else len(masks) // 2
    wanted = rng.randint(most // 2 if made.hard else 0, most)
    for cell in rng.sample(made.layout.cells, wanted):
        value = bit(rng.randint(1, made.layout.n))
        if all(masks[peer] != value or value == full for peer in made.layout.peers[cell]):
            masks[cell] = value
    return masks


def _dug(rng: random.Random, made: RandomLayout) -> list[int]:
    """A solution from which cells are dug: one solution, or some, or many."""
    if made.grid is None:
        return _fitting(rng, made)
    n = made.layout.n
    kept = rng.uniform(0.5 if made.hard or n >= LARGE else 0.0, 1.0)
    return [bit(v) if rng.random() < kept else all_values(n) for v in made.grid]


def _nearly_full(rng: random.Random, made: RandomLayout) -> list[int]:
    """A solution with a few cells open, often of two values that may change places."""
    if made.grid is None:
        return _dug(rng, made)
    n = made.layout.n
    values = set(rng.sample(range(1, n + 1), min(2, n)))
    share = rng.choice((0.5, 1.0))
    return [
        all_values(n) if value in values and rng.random() < share else bit(value)
        for value in made.grid
    ]


def _wrong(rng: random.Random, made: RandomLayout) -> list[int]:
    """A dug board with one value that may not be there."""
    masks = _dug(rng, made)
    masks[rng.randrange(len(masks))] = bit(rng.randint(1, made.layout.n))
    return masks


def _marks(rng: random.Random, made: RandomLayout) -> list[int]:
    """A board with pencil marks, half of them around a solution."""
    masks = _dug(rng, made)
    n = made.layout.n
    around = made.grid if rng.random() < 0.7 else None
    share = rng.choice((0.2, 0.6, 1.0))
    for cell in made.layout.cells:
        if rng.random() < share:
            mask = rng.randint(1, all_values(n))
            if n >= LARGE:
                mask &= rng.randint(1, all_values(n))
            masks[cell] = mask | bit(around[cell] if around else rng.randint(1, n))
    return masks


STYLES: Mapping[str, Callable[[random.Random, RandomLayout], list[int]]] = MappingProxyType(
    {
        "empty": _empty,
        "few": _few,
        "fitting": _fitting,
        "dug": _dug,
        "nearly full": _nearly_full,
        "wrong": _wrong,
        "marks": _marks,
    }
)
"""How the candidates of a board are chosen."""

_FILLED = ["dug", "nearly full", "wrong", "marks"]
"""Those of boards that would be hard to decide with few givens."""
