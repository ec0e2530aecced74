"""Boards for techniques: all candidates except those that a case removes."""

from __future__ import annotations

from collections.abc import Iterable
from pkgutil import iter_modules

from unidoku.backends.base import Request, Status
from unidoku.backends.solving.solver import load
from unidoku.core.bits import bit, mask_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.logic import TECHNIQUES, State, Step, ruled, technique

ORACLE = load("sat")

_OF_RULES = {"together", *(module.name for module in iter_modules(ruled.__path__))}

ON_RULES = [row for row in TECHNIQUES if row.family in _OF_RULES]
"""The techniques that use rules other than units."""


class Case:
    """A board that is being made; each method removes candidates and returns the case."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.candidates = list(Board.empty(layout).candidates)

    def without(self, value: int, cells: str) -> Case:
        """Take a value from cells: ``without(1, "A1 A2")``."""
        for cell in map(self.layout.cell, cells.split()):
            self.candidates[cell] &= ~bit(value)
        return self

    def only(self, value: int, cells: str, units: str) -> Case:
        """Leave a value these cells in units: ``only(1, "A1 A4", "row A, column 4")``."""
        chosen = set(map(self.layout.cell, cells.split()))
        for name in units.split(","):
            unit = next(unit for unit in self.layout.units if unit.name == name.strip())
            for cell in set(unit.cells) - chosen:
                self.candidates[cell] &= ~bit(value)
        return self

    def cells(self, values: Iterable[int], cells: str) -> Case:
        """Leave cells these values: ``cells((1, 2), "A1 A2")``."""
        for cell in map(self.layout.cell, cells.split()):
            self.candidates[cell] &= mask_of(values)
        return self

    @property
    def board(self) -> Board:
        return Board(self.layout, tuple(self.candidates))


def steps(name: str, board: Board) -> list[Step]:
    """Return all steps that a technique finds on a board, each proved by an exact backend."""
    steps = list(technique(name).steps(State.start(board)))
    for step in steps:
        prove(board, step)
    return steps


def consequences(name: str, board: Board) -> set[str]:
    """Return what follows by a technique, in words, each proved: ``1 leaves A3, A9``."""
    return {step.consequence for step in steps(name, board)}


def prove(board: Board, step: Step) -> None:
    """Assert that no candidate that a step removes is in a solution of the board."""
    assert step.placements or step.eliminations, f"{step}: changes nothing"
    gone = [*step.eliminations]
    for cell, value in step.placements:
        gone += [(cell, other) for other in board.values(cell) if other != value]
    for cell, value in gone:
        assert value in board.values(cell), f"{step}: {value} is no candidate"
        status = ORACLE.search(board.assign(cell, value), Request()).status
        assert status is Status.UNSATISFIABLE, f"{step}: {value} is true in a solution"
