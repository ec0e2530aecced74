"""The boards of a study: made from its seed, the same ones every time, each with its setting.

They are made by our own generator, and are part of the journals.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import unidoku
from studying.plan import FamilyPlan, Setting
from unidoku import Board, Layout
from unidoku.core.layout import Grid
from unidoku.core.regions import random_map
from unidoku.core.symmetry import relabelling
from unidoku.formats import Puzzle
from unidoku.generation.latin import random_latin_square

_DIFFICULTIES = MappingProxyType({"singles": "naked single", "pairs": "naked pair"})
"""The levels that are defined by a technique; the others are `minimal` and `hardest`."""

_CANDIDATES = 400
"""Number of minimal boards made for each hardest board that is wanted."""

_JUDGE = "native[engine=single]"
"""The backend whose nodes determine which boards are hardest."""


def puzzles_of(family: FamilyPlan, seed: int, most: int | None = None) -> Iterator[Puzzle]:
    """Yield the boards of a family by name, optionally only some of each setting."""
    for setting in family.settings:
        boards = boards_of(family, setting, seed)
        for number, board in enumerate(boards, start=1):
            if most is None or number <= most:
                yield Puzzle(board, setting.name(family.name, number), number)


def boards_of(family: FamilyPlan, setting: Setting, seed: int) -> Iterator[Board]:
    """Yield the boards of one setting of a family, the same ones for the same seed.

    A setting does not affect the boards of others, and more boards begin with the same ones.
    """
    order = random.Random(f"{seed} {family.name} {setting.size} {setting.level}")
    return _MAKERS[family.make](family, setting, order)


def _puzzle(family: FamilyPlan, setting: Setting, order: random.Random) -> Iterator[Board]:
    for _ in range(family.boards):
        seed = order.getrandbits(32)
        yield from unidoku.generate(family=family.name, n=setting.size, seed=seed)


def _minimal(family: FamilyPlan, setting: Setting, order: random.Random) -> Iterator[Board]:
    for _ in range(family.boards):
        seed = order.getrandbits(32)
        yield from unidoku.generate(family.variant, n=setting.size, minimal=True, seed=seed)


def _levels(family: FamilyPlan, setting: Setting, order: random.Random) -> Iterator[Board]:
    seed = order.getrandbits(32)
    if setting.level == "hardest":
        yield from _hardest(family, setting, seed)
    elif setting.level == "minimal":
        yield from _minimal(family, setting, order)
    else:
        technique = _DIFFICULTIES[setting.level]
        yield from unidoku.generate(
            family.variant, n=setting.size, difficulty=technique, count=family.boards, seed=seed
        )


def _hardest(family: FamilyPlan, setting: Setting, seed: int) -> list[Board]:
    """Return the minimal boards for which a plain search takes the most nodes."""
    many = unidoku.generate(
        family.variant, n=setting.size, minimal=True, count=_CANDIDATES * family.boards, seed=seed
    )
    judge = unidoku.load(_JUDGE)

    def nodes(board: Board) -> float:
        return float(judge.solve(board, solutions=2).statistics["nodes"])

    return sorted(many, key=nodes, reverse=True)[: family.boards]


def _holes(family: FamilyPlan, setting: Setting, order: random.Random) -> Iterator[Board]:
    for _ in range(family.boards):
        text = family.variant
        if text == "jigsaw":
            text = f"jigsaw:{random_map(setting.size, order)}"
        layout = unidoku.layout(text, setting.size)
        yield _emptied(layout, _random_grid(layout, order), setting.share, order)


def _random_grid(layout: Layout, order: random.Random) -> Grid:
    """Return what is found first from some random givens."""
    solver = unidoku.load("sat[solver=cadical195]")
    while True:
        values = [0] * len(layout)
        for cell in order.sample(layout.cells, 8):
            values[cell] = order.randint(1, layout.n)
        if solutions := solver.solve(Board.from_values(layout, values)).solutions:
            return solutions[0]


def _latin(family: FamilyPlan, setting: Setting, order: random.Random) -> Iterator[Board]:
    for _ in range(family.boards):
        layout = unidoku.layout("latin", setting.size)
        yield _emptied(layout, random_latin_square(setting.size, order), setting.share, order)


def _emptied(layout: Layout, grid: Grid, share: float, order: random.Random) -> Board:
    """Return a grid with renamed values, and with a share of its cells emptied."""
    values = list(relabelling(layout, order).grid(grid))
    for cell in order.sample(layout.cells, round(share * len(layout))):
        values[cell] = 0
    return Board.from_values(layout, values)


_MAKERS: Mapping[str, Callable[[FamilyPlan, Setting, random.Random], Iterator[Board]]] = (
    MappingProxyType(
        {
            "levels": _levels,
            "minimal": _minimal,
            "holes": _holes,
            "latin": _latin,
            "puzzle": _puzzle,
        }
    )
)
