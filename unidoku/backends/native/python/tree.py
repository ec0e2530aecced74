"""The search tree: propagation and branching on boards stored as one int for each value.

A state is the places of each value: bit ``c`` of ``places[v]`` says that cell ``c`` may still hold
value ``v + 1``. An operation on such an int works on all cells at once, which in Python costs as
much as an operation on one cell. Four kinds of deductions are made from a state:

1. the engine's deductions about a single value (`Engine.settle`): hidden singles and locked
   candidates;
2. naked singles, found for all cells in one sweep over the values; 3. what relations remove once a
cell is decided; 4. when nothing else follows, what other constraints of rules remove from the
candidates of their cells.

The sweep comes from the band solvers (JCZSolve, rust_sudoku), here over whole boards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TypeAlias

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.native.python.guess import alternatives
from unidoku.backends.toolkit.budget import Budget, LimitReached, Tally
from unidoku.core.bits import all_values, is_single
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.support.deadline import looking

Settled: TypeAlias = tuple[int, int]
"""The places left to a value, and its decided places, at least the new ones."""

MANY_CELLS = 1000
"""Above this number of cells one node takes so long that the clock is checked within it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """What the search needs to know about a layout; immutable except for its caches.

    Args:
        n: the number of values.
        everything: the set of all cells.
        settle: function of the places of a value and of the places that it returned for the value
            in the previous state (-1 if there is none). It returns the places that are left, None
            on a contradiction. Every place that a solution can use is left; peers of decided places
            are removed. A pure function.
        units: the full units.
        left: for a cell, as a set of one, the cells that may still hold its value: all except its
            peers.
        effects: for a cell and a value from 0, the values from 0 that then lose places by rules
            other than units, each with the places that it keeps; None without rules.
        prune: function of the places of all values and of the places at its last call. It removes
            places by rules and returns whether it removed any, None on a contradiction. None
            without such constraints.
    """

    n: int
    everything: int
    settle: Callable[[int, int], Settled | None]
    units: Sequence[int]
    left: Mapping[int, int]
    effects: Mapping[tuple[int, int], Sequence[tuple[int, int]]] | None = None
    prune: Callable[[list[int], list[int]], bool | None] | None = None


def search(
    board: Board,
    request: Request,
    engine_of: Callable[[Layout], Engine],
    budget: Budget,
    failures: int | None,
) -> Result:
    """Search a board with the engine of its layout; give up after ``failures`` in a row."""
    tally = Tally(request)
    run = None
    try:
        with looking(budget.check_time) if board.layout.rules else nullcontext():
            run = _Run(engine_of(board.layout), budget)
            stop = run.search(board, tally, failures)
    except LimitReached as limit:
        stop = limit.stop
    init_time = budget.elapsed if run is None else run.begun
    return tally.result(
        stop,
        {
            "init_time": init_time,
            "solve_time": budget.elapsed - init_time,
            "nodes": budget.nodes,
            "failures": 0 if run is None else run.failures,
        },
    )


class _Run:
    """One search, its counters, and after how many seconds it began."""

    def __init__(self, engine: Engine, budget: Budget) -> None:
        self.engine = engine
        self.budget = budget
        self.begun = budget.elapsed
        self.failures = 0
        # If one node takes long, the clock is checked within it.
        many = engine.everything.bit_length() > MANY_CELLS
        self._check_time = budget.check_time if many else None

    def search(self, board: Board, tally: Tally, most: int | None) -> Stop:
        """Search depth first, with an explicit stack so that boards may have any size.

        A waiting state is what its parent shares with its siblings (places, places as last settled,
        undecided cells) and the guessed cell and value. The search gives up after ``most`` failures
        in a row without a solution.
        """
        engine, budget = self.engine, self.budget
        budget.node()
        found = self._propagate(
            self._start(board), [-1] * engine.n, engine.everything, engine.everything
        )
        stack: list[tuple[list[int], int, int, int]] = []
        in_a_row = 0
        while True:
            if found is None:
                self.failures += 1
                in_a_row += 1
            else:
                places, undecided, pairs = found
                if undecided:
                    choices = alternatives(places, undecided, pairs, engine.left, engine.units)
                    stack += [(places, undecided, *choice) for choice in reversed(choices)]
                elif tally.add(grid_of(places, engine.everything) if tally.keeps_next else None):
                    return Stop.SOLUTIONS
                else:
                    in_a_row = 0
            if not stack:
                return Stop.EXHAUSTED
            if in_a_row == most:
                return Stop.INCOMPLETE
            settled, undecided, cell, value = stack.pop()
            budget.node()
            others = ~cell
            places = [own & others for own in settled]
            places[value] = settled[value] & engine.left[cell]
            found = self._propagate(places, settled.copy(), undecided ^ cell, undecided)

    def _start(self, board: Board) -> list[int]:
        """Return the places that a board's candidates leave, with givens removed from peers."""
        n, everything, left = self.engine.n, self.engine.everything, self.engine.left
        unknown = all_values(n)
        places = [everything] * n
        givens = [0] * n
        marked = False
        for cell, mask in enumerate(board.candidates):
            if mask == unknown:
                continue
            if is_single(mask):
                value = mask.bit_length() - 1
                places[value] &= left[1 << cell]
                givens[value] |= 1 << cell
                if self._check_time:
                    self._check_time()
            else:
                marked = True
        given = 0
        for own in givens:
            given |= own
        places = [kept & (own | ~given) for kept, own in zip(places, givens, strict=True)]
        if marked:
            for value in range(n):
                bits = ["01"[mask >> value & 1] for mask in reversed(board.candidates)]
                places[value] &= int("".join(bits), 2)
                if self._check_time:
                    self._check_time()
        return places

    def _propagate(
        self, places: list[int], settled: list[int], undecided: int, told: int
    ) -> tuple[list[int], int, int] | None:
        """Make all deductions from a state; return it, its undecided cells and its pairs.

        Args:
            places: places left to each value; changed in place or replaced.
            settled: the places of each value from which there is nothing more to conclude.
            undecided: cells without a value, or whose value is not yet removed from its peers.
            told: the undecided cells when the rules were last applied.

        Returns:
            None if the state contradicts itself. Otherwise the pairs are the undecided cells with
            two candidates, and no undecided cell has fewer.
        """
        settle, left, effects = self.engine.settle, self.engine.left, self.engine.effects
        check_time = self._check_time
        prune = self.engine.prune
        pruned = settled.copy() if prune else settled
        while True:
            changed = False
            for value, own in enumerate(places):
                if own == settled[value]:
                    continue
                if check_time:
                    check_time()
                result = settle(own, settled[value])
                if result is None:
                    return None
                own, decided = result
                decided &= undecided
                if decided:
                    undecided ^= decided
                    others = ~decided
                    places[:] = [own & others for own in places]
                    changed = True
                places[value] = settled[value] = own
            if changed:
                continue
            if effects is not None and told != undecided:
                _apply(effects, places, told & ~undecided)
                told = undecided
                continue
            once, twice, thrice = _sweep(places)
            if once != self.engine.everything:
                return None
            naked = undecided & ~twice
            if not naked:
                if prune:
                    before, pruned = pruned, places.copy()
                    went = prune(places, before)
                    if went is None:
                        return None
                    if went:
                        continue
                return places, undecided, twice & ~thrice & undecided
            undecided ^= naked
            for value, own in enumerate(places):
                cells = own & naked
                if cells:
                    while cells:
                        cell = cells & -cells
                        own &= left[cell]
                        cells ^= cell
                    places[value] = own


def _apply(
    effects: Mapping[tuple[int, int], Sequence[tuple[int, int]]], places: list[int], cells: int
) -> None:
    """Remove the places that the rules exclude because of decided cells."""
    for value in range(len(places)):
        own = places[value] & cells
        while own:
            cell = own & -own
            for other, kept in effects[cell, value]:
                places[other] &= kept
            own ^= cell


def _sweep(places: list[int]) -> tuple[int, int, int]:
    """Return the cells with at least one, two and three candidates."""
    once = twice = thrice = 0
    for own in places:
        thrice |= twice & own
        twice |= once & own
        once |= own
    return once, twice, thrice


def grid_of(places: Sequence[int], everything: int) -> Grid:
    """Return the grid of a state in which every cell has one place.

    The binary digits of a set, read as hexadecimal, put each cell into a separate nibble: two
    conversions of all cells at once replace a loop over them.
    """
    nibbles = [0, 0]
    for k in range(len(places).bit_length()):
        cells = 0
        for value, own in enumerate(places, start=1):
            if value >> k & 1:
                cells |= own
        nibbles[k >> 2] |= int(f"{cells:b}", 16) << (k & 3)
    width = everything.bit_length()
    low, high = (f"{nibble:0{width}x}"[::-1].encode().translate(_HEX) for nibble in nibbles)
    return tuple(a | b << 4 for a, b in zip(low, high, strict=True)) if any(high) else tuple(low)


_HEX = bytes(int(chr(code), 16) if chr(code) in "0123456789abcdef" else 0 for code in range(256))
"""Maps the ASCII code of a hexadecimal digit to its value."""
