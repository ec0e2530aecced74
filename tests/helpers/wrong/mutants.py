"""Backends with one bug each, for the fuzzer: labels ``tests.helpers.wrong.mutants:…``."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field, replace
from itertools import count
from typing import ClassVar

from tests.helpers.wrong import answers
from unidoku import Board, Capabilities, Layout, Request, Result, Stop
from unidoku.backends.adapters.norvig import Norvig
from unidoku.core.bits import all_values, is_single

SERVES = answers.ALL


def _norvig(board: Board, request: Request) -> Result:
    return Norvig().search(board, request)


def _less(result: Result, count: int) -> Result:
    return replace(result, count=count, solutions=result.solutions[:count], stop=Stop.EXHAUSTED)


@dataclass(frozen=True)
class Sound:
    """No bug: what the others are made of."""

    capabilities: ClassVar[Capabilities] = SERVES

    def search(self, board: Board, request: Request) -> Result:
        return _norvig(board, request)


class DropsAUnit(Sound):
    """Forgets the last two units: any single one of a classic board is implied by the others."""

    def search(self, board: Board, request: Request) -> Result:
        fewer = replace(board.layout, units=board.layout.units[:-2])
        return _norvig(Board(fewer, board.candidates), request)


class IgnoresAGiven(Sound):
    """Takes the last given for an empty cell."""

    def search(self, board: Board, request: Request) -> Result:
        masks = list(board.candidates)
        for cell in reversed(board.layout.cells):
            if is_single(masks[cell]):
                masks[cell] = all_values(board.layout.n)
                break
        return _norvig(Board(board.layout, tuple(masks)), request)


class LosesTheLastSolution(Sound):
    """Stops before the last of all solutions."""

    def search(self, board: Board, request: Request) -> Result:
        result = _norvig(board, request)
        if result.stop is Stop.EXHAUSTED and result.count:
            return _less(result, result.count - 1)
        return result


class LimitOffByOne(Sound):
    """Stops one short of as many solutions as were asked for, and takes those for all."""

    def search(self, board: Board, request: Request) -> Result:
        result = _norvig(board, request)
        return _less(result, result.count - 1) if result.stop is Stop.SOLUTIONS else result


@dataclass(frozen=True)
class StaleAfterUnsatisfiable(Sound):
    """Calls the board after an unsatisfiable one of the same layout unsatisfiable too."""

    stale: set[Layout] = field(default_factory=set, compare=False)

    def search(self, board: Board, request: Request) -> Result:
        result = _norvig(board, request)
        if board.layout in self.stale:
            self.stale.discard(board.layout)
            return _less(result, 0)
        if result.stop is Stop.EXHAUSTED and not result.count:
            self.stale.add(board.layout)
        return result


class WrongAboveNineValues(Sound):
    """Keeps candidates in too few bits: from ten values on the last is lost."""

    def search(self, board: Board, request: Request) -> Result:
        if board.layout.n < 10:
            return _norvig(board, request)
        masks = tuple(mask & all_values(board.layout.n - 1) for mask in board.candidates)
        return _norvig(Board(board.layout, masks), request)


class IgnoresPencilMarks(Sound):
    """Takes a cell with several candidates for one with all."""

    def search(self, board: Board, request: Request) -> Result:
        full = all_values(board.layout.n)
        masks = tuple(m if is_single(m) or not m else full for m in board.candidates)
        return _norvig(Board(board.layout, masks), request)


class TakesPartialUnitsForFull(Sound):
    """Wants the value n in every unit of three cells or more, even one of too few cells for it."""

    def search(self, board: Board, request: Request) -> Result:
        result = _norvig(board, request)
        n = board.layout.n
        units = [u.cells for u in board.layout.units if 3 <= len(u.cells) < n]
        right = tuple(
            grid
            for grid in result.solutions
            if all(n in (grid[cell] for cell in cells) for cells in units)
        )
        if len(right) == len(result.solutions):
            return result
        return Result(count=len(right), solutions=right, stop=Stop.EXHAUSTED)


class TakesALimitForTheEnd(Sound):
    """Claims to have found all when it stopped because it had found as many as asked for."""

    def search(self, board: Board, request: Request) -> Result:
        result = _norvig(board, request)
        if result.stop is Stop.SOLUTIONS and result.count > 2:
            return replace(result, stop=Stop.EXHAUSTED)
        return result


class ReturnsAGridTwice(Sound):
    """Finds the first of several solutions once more."""

    def search(self, board: Board, request: Request) -> Result:
        result = _norvig(board, request)
        if result.count < 2:
            return result
        return replace(result, solutions=(result.solutions[0], *result.solutions[:-1]))


class IgnoresARule(Sound):
    """Knows units only."""

    def search(self, board: Board, request: Request) -> Result:
        bare = replace(board.layout, rules=())
        return _norvig(Board(bare, board.candidates), request)


@dataclass(frozen=True)
class ConfusesLayouts(Sound):
    """Keeps the units of the first layout of as many cells and values for all that follow."""

    first_layouts: dict[tuple[int, int], Layout] = field(default_factory=dict, compare=False)

    def search(self, board: Board, request: Request) -> Result:
        layout = board.layout
        first = self.first_layouts.setdefault((layout.n, len(layout)), layout)
        return _norvig(Board(first, board.candidates), request)


class GivesUpOnFourGivens(Sound):
    """Calls a board of four givens or more unsatisfiable."""

    def search(self, board: Board, request: Request) -> Result:
        result = _norvig(board, request)
        full = board.layout.n > 1 and sum(map(bool, board.givens)) >= 4
        return _less(result, 0) if full else result


class KnowsNoClassic(Sound):
    """Forgets the units of what is called classic, whatever the box."""

    def search(self, board: Board, request: Request) -> Result:
        layout = board.layout
        if layout.name.startswith("classic") and layout.n >= 4:
            board = Board(replace(layout, units=()), board.candidates)
        return _norvig(board, request)


class RaisesWithoutCandidates(Sound):
    """Looks at the smallest candidate of a cell that has none."""

    def search(self, board: Board, request: Request) -> Result:
        if not all(board.candidates):
            raise IndexError("no candidate")
        return _norvig(board, request)


def end_process() -> None:
    """End the process at once, as a fault in native code does."""
    os._exit(11)


def overrun(seconds: float) -> None:
    """Do nothing for so long."""
    time.sleep(seconds)


class CrashesWithoutUnits(Sound):
    """Takes its process down on a board without units."""

    def search(self, board: Board, request: Request) -> Result:
        if not board.layout.units:
            end_process()
        return _norvig(board, request)


class OverrunsWithoutGivens(Sound):
    """Forgets the time on an empty board."""

    def search(self, board: Board, request: Request) -> Result:
        if not any(board.givens):
            overrun(5 * (request.time_limit or 1) + 5)
        return _norvig(board, request)


calls = count()


class FailsOnce(Sound):
    """Fails at the twentieth call of the whole process, and never again."""

    def search(self, board: Board, request: Request) -> Result:
        if next(calls) == 19:
            raise RuntimeError("once")
        return _norvig(board, request)
