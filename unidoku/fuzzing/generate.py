"""Random boards, each made from a seed and its number alone.

A trial is one board and what is asked about it, or several boards that are asked one after the
other: what a backend keeps from one search to the next shows only there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from types import MappingProxyType

from unidoku.core.bits import all_values, bit
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.fuzzing.layouts import Made, random_layout, random_size, transposed

__all__ = ["CAP", "SIZES", "STYLES", "Trial", "boards", "bounded", "trial", "trials"]

SIZES = range(2, 17)
"""Sizes n that are tried if nothing else is said."""

CAP = 500
"""Solutions asked for where all are meant: a board may have millions."""

_MOST_GRIDS = 2000
"""A board that can be filled in no more ways is asked for all solutions without a cap."""

_SEQUENCES = 0.2
"""How many of the trials are several boards in a row."""

_LARGE = 10
"""From this n on boards are filled more, and asked for fewer solutions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Boards to be asked in a row.

    Args:
        number: which it is; with the seed, all that it depends on.
        kind: of its layout; see `unidoku.fuzzing.layouts.KINDS`.
        boards: one, or several in this order.
        solutions: asked of each; None is all.
    """

    number: int
    kind: str
    boards: tuple[Board, ...]
    solutions: int | None


def trials(seed: int, start: int = 0, sizes: range = SIZES) -> Iterator[Trial]:
    """Yield trials without end.

    Args:
        seed: the same seed gives the same trials.
        start: number of the first.
        sizes: n of the layouts.
    """
    number = start
    while True:
        yield trial(seed, number, sizes)
        number += 1


def boards(seed: int, start: int = 0, sizes: range = SIZES) -> Iterator[tuple[int, Board]]:
    """Yield the boards of all trials, each with the number of its trial."""
    for one in trials(seed, start, sizes):
        for board in one.boards:
            yield one.number, board


def trial(seed: int, number: int, sizes: range = SIZES) -> Trial:
    """Return one trial."""
    order = random.Random(f"{seed}:{number}")
    n = random_size(order, sizes)
    kind, made = random_layout(order, n)
    several = order.random() < _SEQUENCES
    asked = _sequence(order, made) if several else (_board(order, made),)
    return Trial(number=number, kind=kind, boards=asked, solutions=_solutions(order, asked))


def bounded(board: Board, most: int = _MOST_GRIDS) -> bool:
    """Tell whether there are at most so many ways to fill the board, right or wrong."""
    return prod(mask.bit_count() or 1 for mask in board.candidates) <= most


def _solutions(order: random.Random, asked: tuple[Board, ...]) -> int | None:
    if all(map(bounded, asked)) and order.random() < 0.3:
        return None
    large = any(board.layout.n >= _LARGE or len(board.layout) > 100 for board in asked)
    return order.choices((1, 2, 3, 10, CAP), (4, 4, 2, 3, 0 if large else 3))[0]


def _sequence(order: random.Random, made: Made) -> tuple[Board, ...]:
    """Boards of one layout, often impossible ones first, or of two that are easily confused."""
    if order.random() < 0.5:
        earlier = [_board(order, made) for _ in range(order.randint(1, 2))]
        earlier = [_spoilt(order, one) if order.random() < 0.7 else one for one in earlier]
        possible = ["dug", "nearly full"] if made.hard else ["dug", "nearly full", "empty"]
        return (*earlier, _board(order, made, order.choice(possible)))
    other = _relative(order, made.layout)
    first = _board(order, Made(other, None), order.choice(["empty", "marks", "few"]))
    return first, _board(order, made)


def _relative(order: random.Random, one: Layout) -> Layout:
    """Return a layout of as many cells and values that says something else."""
    if order.random() < 0.5 or not one.units:
        return transposed(one)
    gone = order.randrange(len(one.units))
    units = (*one.units[:gone], *one.units[gone + 1 :])
    return Layout(one.n, units, one.positions, one.rules)


def _spoilt(order: random.Random, board: Board) -> Board:
    """Return the board with something in it that leaves no solution."""
    layout = board.layout
    masks = list(board.candidates)
    units = [unit for unit in layout.units if len(unit.cells) > 1]
    if not units or order.random() < 0.3:
        masks[order.randrange(len(masks))] = 0
    else:
        value = order.randint(1, layout.n)
        for cell in order.sample(order.choice(units).cells, 2):
            masks[cell] = bit(value)
    return Board(layout, tuple(masks))


def _board(order: random.Random, made: Made, style: str = "") -> Board:
    """Return a board of the layout; the style is by chance if not given."""
    if not style:
        filled = made.hard and order.random() < 0.9
        style = order.choice(_FILLED if filled else list(STYLES))
    masks = STYLES[style](order, made)
    if order.random() < 0.02:
        masks[order.randrange(len(masks))] = 0
    return Board(made.layout, tuple(masks))


def _empty(order: random.Random, made: Made) -> list[int]:
    return [all_values(made.layout.n)] * len(made.layout)


def _few(order: random.Random, made: Made) -> list[int]:
    """Up to four values anywhere, right or wrong."""
    masks = _empty(order, made)
    for cell in order.sample(made.layout.cells, min(order.randint(1, 4), len(masks))):
        masks[cell] = bit(order.randint(1, made.layout.n))
    return masks


def _fitting(order: random.Random, made: Made) -> list[int]:
    """Random values that no peer has yet."""
    masks = _empty(order, made)
    full = all_values(made.layout.n)
    most = len(masks) if made.layout.n < _LARGE else len(masks) // 2
    wanted = order.randint(most // 2 if made.hard else 0, most)
    for cell in order.sample(made.layout.cells, wanted):
        value = bit(order.randint(1, made.layout.n))
        if all(masks[peer] != value or value == full for peer in made.layout.peers[cell]):
            masks[cell] = value
    return masks


def _dug(order: random.Random, made: Made) -> list[int]:
    """A solution from which cells are dug: one solution, or some, or many."""
    if made.grid is None:
        return _fitting(order, made)
    n = made.layout.n
    kept = order.uniform(0.5 if made.hard or n >= _LARGE else 0.0, 1.0)
    return [bit(v) if order.random() < kept else all_values(n) for v in made.grid]


def _nearly_full(order: random.Random, made: Made) -> list[int]:
    """A solution with a few cells open, often of two values that may change places."""
    if made.grid is None:
        return _dug(order, made)
    n = made.layout.n
    values = set(order.sample(range(1, n + 1), min(2, n)))
    share = order.choice((0.5, 1.0))
    return [
        all_values(n) if value in values and order.random() < share else bit(value)
        for value in made.grid
    ]


def _wrong(order: random.Random, made: Made) -> list[int]:
    """A dug board with one value that may not be there."""
    masks = _dug(order, made)
    masks[order.randrange(len(masks))] = bit(order.randint(1, made.layout.n))
    return masks


def _marks(order: random.Random, made: Made) -> list[int]:
    """A board with pencil marks, half of them around a solution."""
    masks = _dug(order, made)
    n = made.layout.n
    around = made.grid if order.random() < 0.7 else None
    share = order.choice((0.2, 0.6, 1.0))
    for cell in made.layout.cells:
        if order.random() < share:
            mask = order.randint(1, all_values(n))
            if n >= _LARGE:
                mask &= order.randint(1, all_values(n))
            masks[cell] = mask | bit(around[cell] if around else order.randint(1, n))
    return masks


STYLES: Mapping[str, Callable[[random.Random, Made], list[int]]] = MappingProxyType(
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
