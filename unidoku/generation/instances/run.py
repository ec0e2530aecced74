"""A run: makes boards for experiments: grids with holes, and boards filled at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from unidoku.backends.base import Request, Stop
from unidoku.backends.solving.solver import Solver
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.errors import InputError
from unidoku.formats import Puzzle
from unidoku.generation.attempts import Attempt, AttemptRun, RefusedError, confirm
from unidoku.generation.grids import full_grid
from unidoku.generation.instances.request import InstanceRequest
from unidoku.generation.latin import random_latin_square
from unidoku.generation.oracle import Oracle, limits_of
from unidoku.support.deadline import Deadline
from unidoku.support.text import plural

_SEEDS = 1 << 63
"""The number of seeds: a seed is a number of the board, and TOML has whole numbers of 64 bits."""

_NODES = 100_000
"""Nodes after which a board is left undecided."""

_SECONDS = 10.0
"""The limit for a backend that has a time limit and no node limit."""

_SPOILINGS = 100
"""Wrong givens that are tried, one at a time, to leave a board without solutions."""


@dataclass(frozen=True, kw_only=True)
class InstanceGeneration(AttemptRun[Puzzle]):
    """A run that makes boards for experiments; iterate over it once.

    >>> request = InstanceRequest(family="quasigroup", n=5, holes=(0.4,), balanced=True)
    >>> [puzzle] = InstanceGeneration(request=request, seed=7)
    >>> puzzle.name, puzzle.numbers["holes"]
    ('quasigroup 5, 10 holes, balanced, seed 7, attempt 0', 10)

    Args:
        request: the properties of the boards.
        count: number of boards for each number of empty cells.
        seed: seed of the random numbers; a board depends on its request, the seed and the number
            of its attempt only.

    The other arguments are those of `AttemptRun`.

    Attributes:
        progress: counts of boards and refusals so far.

    Raises:
        InputError: the request cannot be met.
    """

    request: InstanceRequest
    count: int = 1

    def __post_init__(self) -> None:
        """Raise for arguments that cannot be met, before anything is made."""
        if self.count < 1:
            raise InputError(f"count: expected one board or more, got {self.count}")
        if type(self.seed) is not int or not 0 <= self.seed < _SEEDS:
            raise InputError(f"seed: expected an int from 0 to {_SEEDS - 1}, got {self.seed!r}")
        self.request.check()
        self.progress.wanted = self.count * len(self.request.empty_counts())

    def _puzzles(self, deadline: Deadline) -> Iterator[Puzzle]:
        run = replace(self, executor=None)
        for empty in self.request.empty_counts():
            attempt = _BoardAttempt(run, deadline.limit, empty)
            yield from islice(self._accepted(attempt, deadline), self.count)


@dataclass(frozen=True)
class _BoardAttempt(Attempt):
    """Makes boards with one number of empty cells; None for any number."""

    run: InstanceGeneration
    empty: int | None

    def _puzzle(self, number: int, deadline: Deadline) -> Puzzle:
        request = self.run.request
        recipe = f"{request.name(self.empty)}, seed {self.run.seed}"
        values, grid = self._values(random.Random(f"{recipe}:{number}"), deadline)
        board = Board.from_values(self._layout, values)
        if request.solutions is not None:
            confirm(board, request.solutions, self._solver, self._second, deadline)
        numbers = request.numbers(values.count(0))
        return Puzzle(
            board,
            f"{recipe}, attempt {number}",
            1,
            solution=grid,
            solutions=request.solutions,
            numbers=numbers | {"seed": self.run.seed, "attempt": number},
        )

    def _values(self, rng: random.Random, deadline: Deadline) -> tuple[list[int], Grid | None]:
        """Return the values of a board, and the grid from which it was made if that solves it.

        Raises:
            RefusedError: it does not meet the request.
            TimeLimitError: the deadline has passed.
        """
        request, layout = self.run.request, self._layout

        def counter(solutions: int) -> SolutionCounter:
            return SolutionCounter(self._solver, deadline, solutions)

        if request.filled:
            assert self.empty is not None
            values = filled(layout, len(layout) - self.empty, rng)
            if request.solutions is not None:
                counter(request.solutions).require(layout, values)
            return values, None

        def oracle_of(layout: Layout) -> Oracle:
            return Oracle(self._solver, layout, deadline)

        grid = random_grid(layout, rng, oracle_of)
        if request.solutions is None or request.balanced:
            assert self.empty is not None
            pattern = random_grid(layout, rng, oracle_of) if request.balanced else None
            values = list(grid)
            for cell in holes_of(layout, self.empty, rng, pattern):
                values[cell] = 0
            if request.solutions:
                counter(request.solutions).require(layout, values)
        else:
            values = dug(layout, grid, self.empty, rng, counter(request.solutions or 1))
        if request.solutions == 0:
            return spoiled(layout, values, rng, counter(0)), None
        return values, grid

    @cached_property
    def _layout(self) -> Layout:
        return self.run.request.layout


@dataclass(frozen=True, slots=True)
class SolutionCounter:
    """Counts the solutions of boards, up to a number.

    Args:
        solver: the backend that searches.
        deadline: the moment after which no further search begins.
        solutions: the number of solutions that boards should have.
    """

    solver: Solver
    deadline: Deadline
    solutions: int

    def count(self, layout: Layout, values: Sequence[int]) -> int | None:
        """Return the number of solutions, at most one more than requested; None if undecided.

        Raises:
            TimeLimitError: the deadline has passed.
        """
        self.deadline.check("generate")
        limits = limits_of(self.solver, _NODES, _SECONDS)
        request = Request(solutions=self.solutions + 1, keep=0, **limits)
        result = self.solver.search(Board.from_values(layout, values), request)
        if result.count > self.solutions or result.stop is Stop.EXHAUSTED:
            return result.count
        return None

    def require(self, layout: Layout, values: Sequence[int]) -> None:
        """Raise `RefusedError` if a board is not proved to have the number of solutions.

        Raises:
            TimeLimitError: the deadline has passed.
        """
        count = self.count(layout, values)
        if count is None:
            raise RefusedError("undecided")
        if count != self.solutions:
            relation = "more" if count > self.solutions else "fewer"
            raise RefusedError(f"with {relation} solutions")


def random_grid(layout: Layout, rng: random.Random, oracle_of: Callable[[Layout], Oracle]) -> Grid:
    """Return a random full grid: of Latin squares all are equally likely, of others nearly so."""
    if layout.name == "latin":
        return random_latin_square(layout.n, rng)
    return full_grid(oracle_of(layout), rng)


def holes_of(layout: Layout, count: int, rng: random.Random, pattern: Grid | None) -> list[int]:
    """Return cells to empty.

    Args:
        layout: the layout.
        count: number of cells.
        rng: source of random numbers.
        pattern: a random grid, independent of the one to be emptied, for balanced holes: the cells
            of some of its values are as many in each unit. None for any cells.
    """
    if pattern is None:
        return rng.sample(layout.cells, count)
    values = set(rng.sample(range(1, layout.n + 1), count // layout.n))
    return [cell for cell in layout.cells if pattern[cell] in values]


def dug(
    layout: Layout, grid: Grid, holes: int | None, rng: random.Random, counter: SolutionCounter
) -> list[int]:
    """Empty cells of a grid, in random order, as long as there are not too many solutions.

    Args:
        layout: the layout.
        grid: a full grid.
        holes: number of cells to empty; None for as many as possible.
        rng: source of random numbers.
        counter: counts solutions; a cell that it cannot decide is not emptied.

    Raises:
        RefusedError: too few cells could be emptied, or there are fewer solutions than requested.
        TimeLimitError: the deadline has passed.
    """
    values, count, empty = list(grid), 1, 0
    for cell in rng.sample(layout.cells, len(layout)):
        if empty == holes:
            break
        values[cell] = 0
        solutions = counter.count(layout, values)
        if solutions is None or solutions > counter.solutions:
            values[cell] = grid[cell]
        else:
            count, empty = solutions, empty + 1
    if holes is not None and empty < holes:
        raise RefusedError(f"with fewer than {plural(holes, 'hole')}")
    if count < counter.solutions:
        raise RefusedError("with fewer solutions")
    return values


def filled(layout: Layout, count: int, rng: random.Random) -> list[int]:
    """Fill cells of an empty board in random order, each with a value that no peer has.

    A cell for which no value is left stays empty, and the next one is filled instead.

    Raises:
        RefusedError: fewer cells can be filled in this order.
    """
    values = [0] * len(layout)
    for cell in rng.sample(layout.cells, len(layout)):
        if count == 0:
            break
        seen = {values[peer] for peer in layout.peers[cell]}
        if free := [value for value in range(1, layout.n + 1) if value not in seen]:
            values[cell] = rng.choice(free)
            count -= 1
    if count:
        raise RefusedError("with too few cells filled")
    return values


def spoiled(
    layout: Layout, values: Sequence[int], rng: random.Random, counter: SolutionCounter
) -> list[int]:
    """Change a given to another value that no peer has, so that there is no solution.

    Raises:
        RefusedError: no such change was found.
        TimeLimitError: the deadline has passed.
    """
    changes = [
        (cell, value)
        for cell in layout.cells
        if values[cell]
        for value in range(1, layout.n + 1)
        if value != values[cell] and value not in {values[peer] for peer in layout.peers[cell]}
    ]
    for cell, value in rng.sample(changes, min(len(changes), _SPOILINGS)):
        changed = list(values)
        changed[cell] = value
        if counter.count(layout, changed) == 0:
            return changed
    raise RefusedError("with solutions, whichever given is changed")
