"""Boards that tell two backends apart: a walk towards those on which one works much more.

Collections of puzzles rank solvers by boards that nearly all of them solve alike. Boards made to
be hard for one solver and easy for another show what one of them does that the other does not.

The walk begins with the best of some new boards. Then one given at a time is exchanged for another
value of the same solution, and each board is searched by both backends, with solvers that have not
seen a board before. The budget is a number of boards, so that the walk does not depend on the load
of the machine, if both backends count failures or nodes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median

from unidoku.backends.base import Request, Stop
from unidoku.backends.solving.solver import Solver, load
from unidoku.core.board import Board
from unidoku.errors import InputError, TimeLimitError, WrongAnswerError
from unidoku.formats import Puzzle
from unidoku.generation.attempts import confirm
from unidoku.generation.instances import InstanceGeneration
from unidoku.generation.instances.run import SolutionCounter
from unidoku.generation.oracle import deciding, limits_of
from unidoku.generation.request import GenerationProgress
from unidoku.generation.ruled.run import RuledGeneration
from unidoku.generation.run import Generation
from unidoku.support.deadline import Deadline

_NODES = 20_000
"""Nodes after which a search of a board ends; what was counted by then is its figure."""

_SECONDS = 10.0
"""The limit of a search for a backend that has a time limit and no node limit."""

_NEW = 4
"""One in this many boards of the budget is a new one; the walk begins with the best of them."""

_EXCHANGES = 50
"""Exchanges that are tried for each step, until one keeps the number of solutions."""

_EXPONENT = 4
"""A board that is half as telling is accepted with the probability of one half to this power."""

_SEARCHES = 3
"""Searches of each board whose processor times are measured; their median counts."""

_COUNTED = ("failures", "nodes")
"""Statistics that another run repeats, the better one first: it is used if both backends have it.

A failure is a dead end of a search, or a conflict of a SAT solver. Nodes of a backend without much
propagation are cheap, and its failures are few only if it was lucky.
"""

SECONDS = "seconds"
"""The measure if a backend counts neither: processor time, which no run repeats exactly."""

_ASKED_OF_STARTS: Mapping[str, object] = {
    "symmetry": "none",
    "minimal": False,
    "difficulty": None,
    "rating": None,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TellingBoard:
    """A board on which two backends were measured.

    Args:
        puzzle: the board, with its solution.
        labels: labels of the backend that should work much, and of the one that should not.
        figures: what each of them did.
        measure: what the figures are: ``failures``, ``nodes``, or ``seconds`` of processor time.
    """

    puzzle: Puzzle
    labels: tuple[str, str]
    figures: tuple[float, float]
    measure: str

    @property
    def ratio(self) -> float:
        """How many times as much the first backend did; 1 is added to each count."""
        addend = self.measure != SECONDS
        return (self.figures[0] + addend) / (self.figures[1] + addend)

    @property
    def figures_text(self) -> str:
        """Both figures in words."""
        is_time = self.measure == SECONDS
        texts = [f"{figure:.3g} s" if is_time else f"{figure:,.0f}" for figure in self.figures]
        unit = "of processor time" if is_time else self.measure
        (first, second), (hard, easy) = self.labels, texts
        return f"{first} {hard}, {second} {easy} {unit}"

    @property
    def named(self) -> Puzzle:
        """The puzzle, with the figures as its name and among its numbers."""
        first, second = self.figures
        figures = {f"{self.measure}_first": first, f"{self.measure}_second": second}
        numbers = {**self.puzzle.numbers, **figures, "ratio": self.ratio}
        return replace(self.puzzle, name=self.figures_text, numbers=numbers)

    def __str__(self) -> str:
        """Return both figures and their ratio in words."""
        how = "not exactly repeatable" if self.measure == SECONDS else "each plus 1"
        return f"{self.figures_text}: ratio {self.ratio:,.3g}, {how}"


@dataclass(frozen=True, kw_only=True)
class Discrimination:
    """A walk towards a board that is hard for one backend and easy for another; iterate once.

    It yields the most telling board so far after each board that was measured, or None if there is
    none yet; the last one is the answer, and a loop may stop before.

    >>> run = Generation(n=4, count=None, seed=1)
    >>> *_, best = Discrimination(run=run, backends=("exact-cover", "native"), boards=12)
    >>> best.measure, best.ratio >= 1
    ('failures', True)

    Args:
        run: makes the first boards of the walk; its seed and time limit are those of the walk.
        backends: labels of the backend for which the board should be hard, and of the one for which
            it should be easy.
        boards: the budget, in boards that are measured.
        cross_check: label of a backend that confirms the number of solutions of the answer; None
            for none.

    Attributes:
        progress: ``attempts`` are the boards measured so far.

    Raises:
        InputError: the request cannot be met.
        UnknownBackendError, BackendNotInstalledError, OptionError: a label cannot be loaded.
        UnsupportedError: a backend cannot take the boards.
        WrongAnswerError: two backends disagree.
    """

    run: Generation | RuledGeneration | InstanceGeneration
    backends: tuple[str, str]
    boards: int = 100
    cross_check: str | None = None
    progress: GenerationProgress = field(init=False, default_factory=GenerationProgress)

    def __post_init__(self) -> None:
        """Raise for arguments that cannot be met, before anything is made."""
        if self.boards < 1:
            raise InputError(f"boards: expected one board or more, got {self.boards}")
        if self._solvers[0].label == self._solvers[1].label:
            raise InputError(
                f"discriminate: expected two backends, got {self._solvers[0].label!r} twice; name "
                "another one, or other options of it in brackets"
            )
        request = self.run.request
        if isinstance(self.run, Generation) and self.run.walk:
            raise InputError("discriminate: expected boards without a walk; leave the walk out")
        for name, usual in _ASKED_OF_STARTS.items():
            if getattr(request, name, usual) != usual:
                raise InputError(
                    f"discriminate: an exchange of givens does not keep {name}; leave it out"
                )
        if isinstance(self.run, InstanceGeneration) and len(self.run.request.empty_counts()) > 1:
            raise InputError("discriminate: expected one number of holes or filled cells")
        self.progress.wanted = 1

    def __iter__(self) -> Iterator[TellingBoard | None]:
        """Yield the most telling board after each measured one.

        The walk ends after its budget, or earlier at the time limit; see `progress`.
        """
        deadline = Deadline(self.run.time_limit)
        best: TellingBoard | None = None
        try:
            for board in self._walk(deadline):
                self.progress.attempts += 1
                if board is not None and (best is None or board.ratio > best.ratio):
                    best = board
                self.progress.made = int(best is not None)
                self.progress.seconds = deadline.elapsed
                yield best
            self._confirm(best, deadline)
        except TimeLimitError:
            self.progress.in_time = False
        finally:
            self.progress.seconds = deadline.elapsed

    def _walk(self, deadline: Deadline) -> Iterator[TellingBoard | None]:
        """Yield as many measured boards as the budget has; None for one that is refused."""
        rng = random.Random(f"{self.run.seed}:discriminate")
        starts = self._starts()
        solver = deciding(deadline.limit)
        current: TellingBoard | None = None
        for number in range(self.boards):
            deadline.check("generate")
            puzzle: Puzzle | None = None
            if current is not None and number * _NEW >= self.boards:
                puzzle = exchanged(current.puzzle, solver, deadline, rng)
            if puzzle is None and (puzzle := next(starts, None)) is None:
                raise TimeLimitError("generate")
            board = self._measured(puzzle, deadline)
            yield board
            if board is None:
                continue
            is_new = current is None or number * _NEW < self.boards
            chance = 0.0 if is_new else rng.random() ** (1 / _EXPONENT)
            if current is None or board.ratio >= current.ratio * (chance or 1):
                current = board

    def _starts(self) -> Iterator[Puzzle]:
        """Yield the boards that the run makes, with their solutions."""
        if not isinstance(self.run, Generation):
            yield from self.run
            return
        for puzzles in self.run:
            for board, grid in zip(puzzles.boards(), puzzles.grids.tolist(), strict=True):
                yield Puzzle(board, "", 1, solution=tuple(grid), solutions=1)

    @cached_property
    def _solvers(self) -> tuple[Solver, Solver]:
        first, second = self.backends
        return load(first), load(second)

    def _measured(self, puzzle: Puzzle, deadline: Deadline) -> TellingBoard | None:
        """Measure a board; return None, and count a refusal, if a backend does not decide it.

        Only the first backend may end at its node limit, with what it has counted until then.

        Raises:
            WrongAnswerError: the backends, or one of them and the puzzle, disagree.
        """
        solutions = (1 if puzzle.solutions is None else puzzle.solutions) + 1
        counted: list[Mapping[str, float]] = []
        counts: list[int] = []
        for solver in self._solvers:
            deadline.check("generate")
            request = Request(solutions=solutions, keep=0, **limits_of(solver, _NODES, _SECONDS))
            result = solver.renewed().search(puzzle.board, request)
            is_limited = result.stop is Stop.NODES and not counted
            if not result.stop.answered and not is_limited:
                self.progress.refused[f"not decided by {solver.label}"] += 1
                return None
            counted.append(result.statistics)
            if result.stop.answered:
                counts.append(result.count)
        known = counts if puzzle.solutions is None else [puzzle.solutions, *counts]
        if len(set(known)) > 1:
            both = " and ".join(solver.label for solver in self._solvers)
            raise WrongAnswerError(
                f"{puzzle.board.text('line')}, digest {puzzle.board.digest}: {both} find "
                f"different numbers of solutions, up to {solutions}: {', '.join(map(str, known))}"
            )
        first, second = self._solvers
        shared = [name for name in _COUNTED if all(name in statistics for statistics in counted)]
        measure = shared[0] if shared else SECONDS
        if shared:
            figures = (counted[0][measure], counted[1][measure])
        else:
            figures = (_seconds(first, puzzle.board), _seconds(second, puzzle.board))
        labels = first.label, second.label
        return TellingBoard(puzzle=puzzle, labels=labels, figures=figures, measure=measure)

    def _confirm(self, best: TellingBoard | None, deadline: Deadline) -> None:
        """Have the backend of the cross-check confirm the answer."""
        if best is None or self.cross_check is None or best.puzzle.solutions is None:
            return
        puzzle, solutions = best.puzzle, best.puzzle.solutions
        grid = puzzle.solution if solutions == 1 else None
        second = load(self.cross_check)
        confirm(puzzle.board, solutions, self._solvers[1], second, deadline, grid)


def exchanged(
    puzzle: Puzzle, solver: Solver, deadline: Deadline, rng: random.Random
) -> Puzzle | None:
    """Exchange a given of a puzzle for a value of its solution in another cell.

    Args:
        puzzle: a puzzle with its solution.
        solver: counts the solutions of boards.
        deadline: the moment after which no further search begins.
        rng: source of random numbers.

    Returns:
        A puzzle with the same number of solutions; None if it has no solution or no givens to
        exchange, or if none of some exchanges kept the number.

    Raises:
        TimeLimitError: the deadline has passed.
    """
    layout, values, grid = puzzle.board.layout, puzzle.board.givens, puzzle.solution
    given = [cell for cell in layout.cells if values[cell]]
    empty = [cell for cell in layout.cells if not values[cell]]
    if grid is None or not given or not empty:
        return None
    for _ in range(_EXCHANGES):
        moved = list(values)
        moved[rng.choice(given)] = 0
        cell = rng.choice(empty)
        moved[cell] = grid[cell]
        if puzzle.solutions is not None:
            counter = SolutionCounter(solver, deadline, puzzle.solutions)
            if counter.count(layout, moved) != puzzle.solutions:
                continue
        numbers = {name: n for name, n in puzzle.numbers.items() if name != "attempt"}
        return replace(puzzle, board=Board.from_values(layout, moved), name="", numbers=numbers)
    return None


def _seconds(solver: Solver, board: Board) -> float:
    """Return the processor time of a search, with the model that it needs."""
    request = Request(solutions=2, keep=0)
    times = [solver.renewed().attempt(board, request).cpu_ns for _ in range(_SEARCHES)]
    return median(times) / 1e9
