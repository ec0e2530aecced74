"""Trials: random boards and the request for each, made from a seed and a number alone.

A trial is one board, or several boards that are searched one after the other: faults in what a
backend keeps from one search to the next show only there. Most of these share a layout, because it
takes longer to build a model of a layout than to search most boards.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from math import prod

from unidoku.core.bits import bit
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.fuzzing.mutation import mutated_boards
from unidoku.testing.boards import LARGE, opened_board, random_board
from unidoku.testing.layouts import (
    LAYOUT_KINDS,
    RandomLayout,
    random_layout,
    random_size,
    transposed,
)
from unidoku.testing.rules import RULE_KINDS, with_rules

SIZES = range(2, 17)
"""The default sizes n."""

CAP = 500
"""The most solutions requested where all are meant: a board may have millions."""

_MOST_GRIDS = 2000
"""The most ways to fill a board for which all solutions are requested without a cap."""

_SEQUENCES = 0.2
"""Share of trials with several boards, the first of which may confuse a backend."""


_RULED = 2
"""One trial in this many gets random rules too."""

_OBEYED = 0.85
"""Share of these whose rules are obeyed by the known grid."""

_LOOSE = 0.6
"""Share of the layouts with rules that lose units, which would hide what the rules mean."""

_OPENED = 0.85
"""Share of the boards of a known grid that are open only where a rule is, and nearby."""

_SMALL = 40
"""Up to this many cells, boards with rules are decided soon without a known grid."""

_LONGEST = 81
"""The most cells of a random rule: a whole board of 9x9."""

_KINDS = (
    *RULE_KINDS,
    *("killer",) * 6,
    *("arrow", "kenken", "renban", "sandwich", "sum", "thermo", "whisper") * 2,
)
"""The kinds of random rules; those that most puzzles have come more often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Boards that backends search in a row.

    Args:
        number: number of the trial; the seed and this number determine everything else.
        kind: kind of its layout, in `unidoku.testing.layouts.LAYOUT_KINDS`; ``puzzle`` if the
            boards come from a user's puzzles.
        boards: one board, or several in this order.
        solutions: the most solutions requested for each board; None for all.
    """

    number: int
    kind: str
    boards: tuple[Board, ...]
    solutions: int | None


def trial(
    seed: int,
    number: int,
    sizes: range = SIZES,
    rules: tuple[str, ...] = (),
    puzzles: tuple[Board, ...] = (),
) -> Trial:
    """Return the trial for a seed and a number from 0.

    Args:
        seed: the seed.
        number: the number.
        sizes: sizes n of random layouts.
        rules: the kinds of random rules, of which each random layout then has some; by default
            each second layout has rules of any kind.
        puzzles: a user's puzzles, which are changed instead of making random layouts.
    """
    rng = random.Random(f"{seed}:{number}")
    if puzzles:
        boards = mutated_boards(rng, puzzles, number, rules)
        solutions = _solutions(rng, boards, _OF_RULED)
        return Trial(number=number, kind="puzzle", boards=boards, solutions=solutions)
    ruled = bool(rules) or number % _RULED == _RULED - 1
    kind, base = _layout(rng, sizes, ruled=ruled, known=bool(rules))
    if ruled and _is_decided_soon(base):
        base = _with_rules(seed, number, base, rules)
    if rng.random() < _SEQUENCES:
        boards = _sequence(rng, base)
    else:
        boards = tuple(_board(rng, base, ruled) for _ in range(rng.choice((1, 2, 3))))
    solutions = _solutions(rng, boards, _OF_RULED if ruled else _OF_UNITS)
    return Trial(number=number, kind=kind, boards=boards, solutions=solutions)


def _layout(
    rng: random.Random, sizes: range, *, ruled: bool, known: bool
) -> tuple[str, RandomLayout]:
    """Return a random layout, for rules a larger one: long rules need room.

    If wanted, it has no rules yet, and boards of it with some are decided soon.
    """

    def size() -> int:
        return max(random_size(rng, sizes) for _ in range(1 + (ruled and rng.random() < 0.5)))

    if not known:
        return random_layout(rng, size())
    kinds = [kind for kind in LAYOUT_KINDS if kind != "rule"]
    while True:
        kind, base = random_layout(rng, size(), kinds)
        if _is_decided_soon(base):
            return kind, base


def _is_decided_soon(base: RandomLayout) -> bool:
    """Return whether boards of the layout with random rules are decided soon."""
    cells = len(base.layout)
    return 1 < cells <= _SMALL or (cells > _SMALL and base.grid is not None)


def _with_rules(seed: int, number: int, base: RandomLayout, rules: tuple[str, ...]) -> RandomLayout:
    """Return the layout with random rules, which its known grid keeps in most cases."""
    chance = random.Random(f"{seed}:{number}:rules")
    first = random.Random(f"{seed}:{number}:first value").choice((1, 1, 1, 0, 5))
    layout = replace(base.layout, first_value=first)
    if chance.random() < _LOOSE:
        share = chance.choice((0.0, 0.2, 0.5))
        units = tuple(unit for unit in layout.units if chance.random() < share)
        layout = replace(layout, units=units, name="custom")
    grid = base.grid if chance.random() < _OBEYED else None
    longest = min(len(layout), _LONGEST)
    layout = with_rules(chance, layout, grid, longest=longest, kinds=rules or _KINDS)
    return base._replace(layout=layout, hard=base.hard or len(layout) > _SMALL)


def _board(rng: random.Random, base: RandomLayout, ruled: bool) -> Board:
    if ruled and base.grid is not None and rng.random() < _OPENED:
        return opened_board(rng, base)
    return random_board(rng, base)


def is_bounded(board: Board, most: int = _MOST_GRIDS) -> bool:
    """Return whether the number of ways to fill the board, right or wrong, is within a bound."""
    return prod(mask.bit_count() or 1 for mask in board.candidates) <= most


_OF_UNITS = (4, 4, 2, 3, 2, 1)
"""How often 1, 2, 3, 10, 50 and `CAP` solutions are requested."""

_OF_RULED = (2, 3, 2, 5, 4, 1)
"""The same on boards with rules: a rule that is misread shows in some of the solutions only."""


def _solutions(
    rng: random.Random, boards: tuple[Board, ...], weights: tuple[int, ...]
) -> int | None:
    if all(map(is_bounded, boards)) and rng.random() < 0.3:
        return None
    large = any(board.layout.n >= LARGE or len(board.layout) > 100 for board in boards)
    *few, fifty, most = weights
    many = (0, 0) if large else (fifty, most if len(boards) == 1 else 0)
    return rng.choices((1, 2, 3, 10, 50, CAP), (*few, *many))[0]


def _sequence(rng: random.Random, base: RandomLayout) -> tuple[Board, ...]:
    """Return boards of one layout, often impossible ones first, or of two layouts."""
    if rng.random() < 0.5:
        earlier = [random_board(rng, base) for _ in range(rng.randint(1, 2))]
        earlier = [_unsolvable(rng, board) if rng.random() < 0.7 else board for board in earlier]
        possible = ["dug", "nearly full"] if base.hard else ["dug", "nearly full", "empty"]
        return (*earlier, random_board(rng, base, rng.choice(possible)))
    other = RandomLayout(_relative(rng, base.layout), None, base.hard)
    style = "" if base.hard else rng.choice(["empty", "marks", "few"])
    return random_board(rng, other, style), random_board(rng, base)


def _relative(rng: random.Random, layout: Layout) -> Layout:
    """Return another layout with as many cells and values."""
    if rng.random() < 0.5 or not layout.units:
        return transposed(layout)
    gone = rng.randrange(len(layout.units))
    units = (*layout.units[:gone], *layout.units[gone + 1 :])
    return replace(layout, units=units, name="custom")


def _unsolvable(rng: random.Random, board: Board) -> Board:
    """Return the board with a change that leaves no solution."""
    layout = board.layout
    masks = list(board.candidates)
    units = [unit for unit in layout.units if len(unit.cells) > 1]
    if not units or rng.random() < 0.3:
        masks[rng.randrange(len(masks))] = 0
    else:
        value = rng.randint(1, layout.n)
        for cell in rng.sample(rng.choice(units).cells, 2):
            masks[cell] = bit(value)
    return Board(layout, tuple(masks))
