"""How hard a board is: for a person, by the techniques it takes; for a search, by its nodes.

A single search says little: which cell comes first is luck, and a solver's nodes on a board and on
a turned image of it differ by an order of magnitude. The geometric mean over images of the board
under symmetries of its layout is a property of the board; see benchmarks/results/rating.md.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.solver import Solver
from unidoku.comparison.statistics.student import student_quantile
from unidoku.core.board import Board, BoardLike, as_board
from unidoku.core.symmetry import random_symmetry
from unidoku.errors import InputError, TimeLimitError, UnsupportedError
from unidoku.logic import TECHNIQUES, Ending, Technique, explain, technique

__all__ = ["Difficulty", "Effort", "measure", "rate"]

_SHIFT = 1
"""Added to each number of nodes, and taken from their mean: a board may take no node at all."""

_MOMENT = 0.001
"""Seconds that the last search has when the time is over: no limit can be 0."""

_LEVELS = (
    ("easy", 14, 800),
    ("medium", 100, 1000),
    ("hard", 200, 1600),
    ("unfair", 400, 1800),
)
"""HoDoKu's levels: up to which score of a technique, and up to which sum; then ``extreme``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difficulty:
    """How hard a board is by logic.

    Args:
        outcome: whether the techniques solve it.
        hardest: the name of the hardest technique needed, so far if it is not solved; empty if
            there was no step.
        rating: of the hardest step, on Sudoku Explainer's scale.
        score: the sum of all steps' scores, on HoDoKu's scale.
        level: HoDoKu's: that of the hardest technique by its score, raised while the sum exceeds
            what the level allows; empty if it is not solved. Where a cell is both a hidden and
            a naked single, HoDoKu counts the cheaper naked one, so its sums are lower.
        counts: steps by technique, the easiest technique first.
    """

    outcome: Ending
    hardest: str
    rating: float
    score: int
    level: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How many nodes a backend takes to decide whether a board has exactly one solution.

    Args:
        backend: the label.
        nodes: of each image of the board.
        confidence: of the interval.
    """

    backend: str
    nodes: tuple[int, ...]
    confidence: float

    @property
    def mean(self) -> float:
        """The geometric mean of the nodes, each taken one higher, less one."""
        return math.exp(fmean(self._logarithms)) - _SHIFT

    @property
    def interval(self) -> tuple[float, float]:
        """Where the mean over all images lies with that confidence; Student's t, in logarithms.

        The upper end of a few images that differ by orders of magnitude may be infinity.
        """
        values = self._logarithms
        quantile = student_quantile(self.confidence, len(values) - 1)
        reach = quantile * stdev(values) / math.sqrt(len(values))
        middle = fmean(values)
        return max(_exp(middle - reach) - _SHIFT, 0.0), _exp(middle + reach) - _SHIFT

    @property
    def _logarithms(self) -> list[float]:
        return [math.log(nodes + _SHIFT) for nodes in self.nodes]


def _exp(exponent: float) -> float:
    """Return the exponential, infinity where it is too large for a float."""
    try:
        return math.exp(exponent)
    except OverflowError:
        return math.inf


def rate(
    board: BoardLike,
    techniques: Sequence[Technique] | None = None,
    *,
    time_limit: float | None = None,
) -> Difficulty:
    """Rate a board by logic.

    >>> found = rate("1... ..2. .3.. ...4")
    >>> found.hardest, found.rating, found.level
    ('hidden single', 1.2, 'easy')

    Args:
        board: the puzzle.
        techniques: those that may be used; the usual ones if not given.
        time_limit: seconds.

    Raises:
        UnsupportedError: a technique does not hold on the board's layout.
        TimeLimitError: the time limit came first.
    """
    path = explain(as_board(board), techniques, time_limit=time_limit).finished()
    counts = path.counts
    return Difficulty(
        outcome=path.outcome,
        hardest=path.hardest.technique if path.hardest else "",
        rating=path.rating,
        score=path.score,
        level=_level(counts, path.score) if path.outcome is Ending.SOLVED else "",
        counts={row.name: counts[row.name] for row in TECHNIQUES if row.name in counts},
    )


def measure(
    board: Board,
    solver: Solver,
    *,
    isomorphs: int = 20,
    seed: int = 0,
    confidence: float = 0.95,
    time_limit: float | None = None,
) -> Effort:
    """Measure how many nodes a board takes, over random images of it.

    Args:
        board: the puzzle.
        solver: whose nodes are counted; it looks for a second solution.
        isomorphs: how many images, under random symmetries of the board's layout.
        seed: of the symmetries.
        confidence: of the interval around the mean.
        time_limit: seconds for all images together.

    Raises:
        InputError: fewer than two isomorphs, or a confidence that is not between 0 and 1.
        UnsupportedError: the backend reports no nodes, or cannot decide the board.
        TimeLimitError: the time limit came first.
    """
    if isomorphs < 2:
        raise InputError(f"expected at least 2 isomorphs, got {isomorphs}: one has no spread")
    if not 0 < confidence < 1:
        raise InputError(f"expected a confidence between 0 and 1, got {confidence}")
    order = random.Random(seed)
    deadline = None if time_limit is None else time.perf_counter() + time_limit
    nodes = []
    for _ in range(isomorphs):
        image = random_symmetry(board.layout, order).board(board)
        left = None if deadline is None else max(deadline - time.perf_counter(), _MOMENT)
        result = solver.search(image, Request(solutions=2, keep=0, time_limit=left))
        if result.stop is Stop.TIME:
            raise TimeLimitError(f"{solver.label}: not at an end within {time_limit:g} s")
        nodes.append(_nodes(result, solver))
    return Effort(backend=solver.label, nodes=tuple(nodes), confidence=confidence)


def _nodes(result: Result, solver: Solver) -> int:
    """Return the nodes of a search that decided how many solutions there are."""
    if "nodes" not in result.statistics or not result.stop.answered:
        lacking = "reports nodes" if result.stop.answered else "decides every board"
        raise UnsupportedError(
            f"expected a backend that {lacking}, got {solver.label!r}; "
            "choose another, such as native or norvig"
        )
    return int(result.statistics["nodes"])


def _level(names: Mapping[str, int], score: int) -> str:
    """Return HoDoKu's level of a board that these techniques solve with this sum of scores."""
    highest = max((technique(name).score for name in names), default=0)
    for level, most, limit in _LEVELS:
        if highest <= most and score <= limit:
            return level
    return "extreme"
