"""Killers by the thousand, each with cages of its own: what files of many layouts are made of."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import unidoku
from unidoku import Board, Killer, Layout, layout
from unidoku.core.layout import Grid
from unidoku.core.symmetry import random_symmetry
from unidoku.formats import Puzzle

MOST = 4
"""The most cells of a cage: such killers are mostly easy, and have one solution or a few."""


@lru_cache(maxsize=4)
def _solved(layout: Layout) -> Grid:
    return unidoku.solve(Board.empty(layout)).solutions[0]


def killers(count: int, n: int = 9, seed: int = 1) -> Iterator[Puzzle]:
    """Yield empty boards whose random cages cover them and keep a random grid."""
    square = layout("classic", n)
    for number in range(1, count + 1):
        rng = random.Random(f"{seed} {number}")
        grid = random_symmetry(square, rng).grid(_solved(square))
        cages = _cages(rng, square, grid)
        rules = tuple(Killer(tuple(cage), sum(grid[cell] for cell in cage)) for cage in cages)
        ruled = Layout(n, square.units, square.positions, rules, "classic with killer")
        yield Puzzle(Board.empty(ruled), f"killer {number}", number, solution=grid)


def _cages(rng: random.Random, layout: Layout, grid: Grid) -> Iterator[list[int]]:
    """Yield connected cages that cover the board; the values of each differ."""
    left = set(layout.cells)
    while left:
        cage = [min(left)]
        left -= {*cage}
        size = rng.randint(2, MOST)
        while len(cage) < size:
            row_column = {layout.positions[cell] for cell in cage}
            values = {grid[cell] for cell in cage}
            neighbours = sorted(
                cell
                for cell in left
                if grid[cell] not in values
                and any(
                    abs(layout.positions[cell][0] - row) + abs(layout.positions[cell][1] - column)
                    == 1
                    for row, column in row_column
                )
            )
            if not neighbours:
                break
            cage.append(rng.choice(neighbours))
            left -= {cage[-1]}
        yield sorted(cage)


def write_neutral(path: Path, puzzles: Iterator[Puzzle]) -> Path:
    """Write killers to a file in the neutral form, an object a line; return the file."""
    with path.open("w") as file:
        for puzzle in puzzles:
            layout = puzzle.board.layout
            assert puzzle.solution is not None
            table = {
                "name": puzzle.name,
                "n": layout.n,
                "values": [1, layout.n],
                "shape": [layout.rows, layout.columns],
                "units": [list(unit.cells) for unit in layout.units],
                "regions": [list(unit.cells) for unit in layout.units if unit.kind == "box"],
                "givens": "." * len(layout),
                "rules": [
                    {"kind": "killer", "cells": list(rule.cage), "sum": rule.total}
                    for rule in layout.rules
                    if isinstance(rule, Killer)
                ],
                "solution": "".join(map(str, puzzle.solution)),
            }
            file.write(json.dumps(table) + "\n")
    return path
