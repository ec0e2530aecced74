"""Boards of many kinds, easy, hard and impossible, on which no one solver is the best."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import unidoku
from measuring.boards import Cells, collection, dug, solved_grids, solved_squares, thinned
from unidoku import Board, Layout
from unidoku.core.regions import random_map
from unidoku.core.variants import Variant
from unidoku.files.examples import find_example
from unidoku.files.puzzles import puzzles_in
from unidoku.files.source import Source

FAMILIES: Mapping[str, Mapping[str, Any]] = {
    "killer": {"family": "killer", "n": 9},
    "KenKen": {"family": "kenken", "n": 7},
    "futoshiki": {"family": "futoshiki", "n": 8},
    "skyscrapers": {"family": "skyscraper", "n": 7},
    "nonograms": {"family": "nonogram", "n": 15},
    "takuzu": {"family": "takuzu", "n": 10},
    "lines": {"rules": ("thermo", "whisper", "renban", "sandwich"), "n": 9},
}
"""What makes the boards with rules of each family: arguments of `unidoku.generate`."""

VARIANTS = ("x", "windoku", "anti-knight")

SHARES = (0.40, 0.45, 0.50, 0.55)
"""Of the cells of 25×25 boards that are empty."""

JIGSAWS = (9, 10, 11, 12, 13)
"""Values of empty jigsaws."""

EXAMPLES = ("twenty-five", "samurai", "sixteen", "impossible")

_TRIES = 2000
"""Random regions among which impossible ones are looked for; some 1 in 20 are."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Boards of one kind.

    Args:
        name: what they are called.
        boards: the boards.
        solutions: how many are asked for.
    """

    name: str
    boards: list[Board]
    solutions: int = 2


def mixed(folder: Path | None, ruled: Sequence[Path], count: int) -> Iterator[Kind]:
    """Yield boards of all kinds, the same ones in every run.

    Args:
        folder: files of 9×9 boards (``*.txt``); without it boards are made.
        ruled: files of puzzles with rules, in the neutral form.
        count: boards of each kind, or a few less; of each file of puzzles four times as many.

    Raises:
        ValueError: the folder has no file of boards.
    """
    order = np.random.default_rng(3)
    for name, cells in collection(folder, count).items():
        yield Kind(name, _boards(unidoku.layout(), order.permutation(cells)[:count]))
    for variant in VARIANTS:
        shape = unidoku.layout(variant)
        minimal = dug(shape, solved_grids(shape, count, order), len(shape), order)
        yield Kind(f"minimal {variant}", _boards(shape, minimal))
    sixteen = unidoku.layout("classic", 16)
    boards = dug(sixteen, solved_squares(16, count, order), 150, order)
    yield Kind("16×16", _boards(sixteen, boards))
    for share in SHARES:
        cells = thinned(solved_squares(25, count, order), share, order)
        yield Kind(f"25×25, {share:.0%} empty", _boards(unidoku.layout("classic", 25), cells))
    examples = [find_example(name).puzzles()[0].board for name in EXAMPLES]
    yield Kind("examples", examples)
    yield from _jigsaws(count, order)
    for name in FAMILIES:
        yield Kind(name, list(_family(name, count)))
    for path in ruled:
        yield _ruled(path, count * 4)


def _jigsaws(count: int, order: np.random.Generator) -> Iterator[Kind]:
    """Yield empty jigsaws, those that no grid fits, and minimal ones."""
    empty = [_jigsaw(n, f"{n}:{at}") for n in JIGSAWS for at in range(max(1, count // 4))]
    yield Kind("empty jigsaws", [Board.empty(shape) for shape in empty], 1)
    yield Kind("impossible jigsaws", list(_impossible(count)))
    jigsaws = [_minimal(shape, order) for shape in empty[: max(2, count // 2)] if _fits(shape)]
    yield Kind("minimal jigsaws", jigsaws)


def _jigsaw(n: int, seed: str) -> Layout:
    return Variant.parse(f"jigsaw:{random_map(n, random.Random(seed))}").layout(n)


def _impossible(count: int) -> Iterator[Board]:
    """Yield empty jigsaws of nine values that have no grid, half of them hard for `native`."""
    quick = unidoku.load("native[engine=single]")
    wanted = {True: count - count // 2, False: count // 2}
    for index in range(_TRIES):
        shape = _jigsaw(9, f"impossible {index}")
        if _fits(shape):
            continue
        is_easy = quick.solve(board := Board.empty(shape), node_limit=1000).stop.answered
        wanted[is_easy] -= 1
        if wanted[is_easy] >= 0:
            yield board
        if max(wanted.values()) <= 0:
            return


def _fits(shape: Layout) -> bool:
    """Tell whether a grid fits regions."""
    return unidoku.load("sat").solve(Board.empty(shape)).count > 0


def _minimal(shape: Layout, order: np.random.Generator) -> Board:
    """Return a board with one solution, none of whose givens can be spared."""
    solver = unidoku.load("native[engine=single]")
    rng = random.Random(int(order.integers(2**32)))
    givens = [0] * len(shape)
    for cell in rng.sample(shape.cells, shape.n):
        taken = {givens[peer] for peer in shape.peers[cell]}
        free = [value for value in range(1, shape.n + 1) if value not in taken]
        before, givens[cell] = givens[cell], rng.choice(free) if free else 0
        if not solver.solve(Board.from_values(shape, givens), time_limit=1).count:
            givens[cell] = before
    values = list(solver.solve(Board.from_values(shape, givens)).solutions[0])
    for cell in rng.sample(shape.cells, len(shape)):
        value, values[cell] = values[cell], 0
        if not solver.solve(Board.from_values(shape, values), solutions=2, time_limit=1).unique:
            values[cell] = value
    return Board.from_values(shape, values)


def _ruled(path: Path, count: int) -> Kind:
    """Return every so many-th puzzle of a file that is known here."""
    puzzles = puzzles_in(Source(str(path), "classic", None), lambda *_: None)
    boards = [puzzle.board for puzzle in puzzles]
    return Kind(f"puzzles of {path.stem}", boards[:: max(1, len(boards) // count)][:count])


def _boards(shape: Layout, cells: Cells) -> list[Board]:
    return [Board.from_values(shape, row) for row in cells.tolist()]


def _family(name: str, count: int) -> Iterator[Board]:
    """Yield so many boards of a family, always the same ones; each has one solution."""
    order = random.Random(f"{name} 3")
    for board in unidoku.generate(**FAMILIES[name], count=count, seed=3):
        # With its rules in another order a board has a layout of its own, whose model is built.
        rules = order.sample(board.layout.rules, len(board.layout.rules))
        yield Board.of(replace(board.layout, rules=tuple(rules)), board.candidates)
