"""How hard a board is: for a person, by the techniques it needs; for a search, by its nodes.

A single number says little about puzzles with rules. A setter asks whether a solver has to try
values, where there is only one way on, and how many things have to be held in mind at once.

One search shows little too: the order of the cells is luck, and the nodes of a solver on a board
and on a rotated copy of it differ by an order of magnitude. The geometric mean over symmetric
copies of the board is a property of the board; see benchmarks/results/rating.md.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice
from statistics import fmean, stdev
from typing import Any, Literal, TypeAlias, get_args, overload

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.solving.solver import Solver, load
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.layout import Layout
from unidoku.core.symmetry import random_symmetry
from unidoku.errors import InputError, TimeLimitError, UnsupportedError, nearest
from unidoku.logic import (
    TECHNIQUES,
    Ending,
    State,
    Step,
    Technique,
    Walkthrough,
    chosen,
    technique,
    walk_through,
)
from unidoku.logic.catalogue import FORCING, REASON, level_of
from unidoku.logic.explainer.scale import ScaleRating, refuse_layout, scale_rating
from unidoku.logic.walkthrough import conclusion
from unidoku.parallel.killable import confinable
from unidoku.support.arguments import named_arguments
from unidoku.support.cancel import Cancel
from unidoku.support.deadline import Deadline, time_limit_scope
from unidoku.support.t_distribution import student_quantile
from unidoku.support.table import Column, Table
from unidoku.support.text import plural

_MOST_OPENINGS = 10
"""The largest number of openings of a step that are counted."""

_SINGLES = "singles"
"""The family of singles (see `Technique.family`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What a setter wants to know of a solution by logic.

    Args:
        forcing: number of steps that try a value and find a contradiction.
        openings: the mean number of ways on at each step: steps of its technique, of all singles
            together, at most ten counted. Forcing and short reasons count as one.
        narrow: number of steps with a single way on.
        largest_reason: number of parts of the largest short reason; 0 if there is none.
    """

    forcing: int
    openings: float
    narrow: int
    largest_reason: int

    def __str__(self) -> str:
        """Return it in words: ``no forcing; 5.2 openings a step, one at 3 steps``."""
        forcing = f"{plural(self.forcing, 'step')} of forcing" if self.forcing else "no forcing"
        text = f"{forcing}; {self.openings:.1f} openings a step"
        if self.narrow:
            text += f", one at {plural(self.narrow, 'step')}"
        if self.largest_reason:
            text += f"; the largest reason has {plural(self.largest_reason, 'part')}"
        return text

    def record(self) -> dict[str, Any]:
        """Return it as a table for JSON."""
        return asdict(self)


def course(walkthrough: Walkthrough, techniques: Sequence[Technique]) -> Course:
    """Return how a walkthrough by some techniques goes.

    Cost: about that of the walkthrough.

    Raises:
        TimeLimitError: the time limit of the walkthrough was reached.
    """
    pairs = list(zip(walkthrough.states, walkthrough.steps, strict=False))
    counts = [_openings(state, step, techniques) for state, step in pairs]
    return Course(
        forcing=sum(_family(step) == FORCING for _, step in pairs),
        openings=fmean(counts) if counts else 0.0,
        narrow=counts.count(1),
        largest_reason=max((step.parts for _, step in pairs), default=0),
    )


def _family(step: Step) -> str:
    return technique(step.technique).family


def _openings(state: State, step: Step, techniques: Sequence[Technique]) -> int:
    """Return in how many ways a step of the same technique leads on, single ones all alike."""
    row = technique(step.technique)
    if row.family == FORCING or row.name == REASON:
        return 1
    rows = [row]
    if row.family == _SINGLES:
        rows = [other for other in techniques if other.family == _SINGLES]
    steps = (other for each in rows for other in each.steps(state))
    ways: set[tuple[object, object]] = set()
    for other in islice(steps, 4 * _MOST_OPENINGS):
        ways.add((other.placements, other.eliminations))
        if len(ways) == _MOST_OPENINGS:
            break
    return len(ways)


Scale: TypeAlias = Literal["unidoku", "explainer"]
"""A scale of ratings: that of the techniques of `unidoku.logic`, or Sudoku Explainer's own."""

SCALES: tuple[Scale, ...] = get_args(Scale)

_SHIFT = 1
"""Added to each number of nodes, and subtracted from their mean, as a board may take no node."""

_LATE = "time limit"
"""Shown for a figure that is unknown because of the time limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difficulty:
    """How hard a board is by logic.

    Args:
        outcome: whether the techniques solve it.
        hardest: name of the hardest technique needed, or used so far if the board is not solved;
            empty if there was no step.
        rating: rating of the hardest step, on Sudoku Explainer's scale.
        score: sum of the scores of all steps, on HoDoKu's scale.
        level: HoDoKu's level: that of the technique with the highest score, raised until it
            allows the sum of scores; empty if the board is not solved. Where a cell is both a
            hidden and a naked single, HoDoKu counts the cheaper naked one, so its sums are lower.
            With rules, or another number of values, the sum does not count. At most five short
            contradictions (`is_short_contradiction`) make a board ``unfair``, not ``extreme``,
            and are left out of the sum.
        counts: number of steps by technique, the easiest technique first.
        course: how the solution goes: forcing, openings, the largest reason.
    """

    outcome: Ending
    hardest: str
    rating: float
    score: int
    level: str
    counts: Mapping[str, int]
    course: Course

    @property
    def conclusion(self) -> str:
        """The hardest technique, and whether the board is solved, in words."""
        return conclusion(self.outcome, self.hardest, "not solved by logic")

    def __repr__(self) -> str:
        """Return the rating as one phrase."""
        level = f", {self.level}" if self.level else ""
        return f"<Difficulty: {self.conclusion} ({self.rating:.1f}), score {self.score:,}{level}>"

    def record(self) -> dict[str, Any]:
        """Return the rating as a table for JSON."""
        return {
            "outcome": self.outcome.value,
            "hardest": self.hardest or None,
            "rating": self.rating,
            "score": self.score,
            "level": self.level or None,
            "counts": dict(self.counts),
            "course": self.course.record(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How many nodes a backend takes to decide whether a board has exactly one solution.

    Args:
        backend: label of the backend.
        nodes: number of nodes for each symmetric copy of the board.
        confidence: confidence of the interval, such as 0.95.
    """

    backend: str
    nodes: tuple[int, ...]
    confidence: float

    @property
    def mean(self) -> float:
        """The geometric mean of the nodes plus one, minus one."""
        return math.exp(fmean(self._logarithms)) - _SHIFT

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the mean over all copies, by Student's t in logarithms.

        Its upper end may be infinity for a few copies that differ by orders of magnitude.
        """
        values = self._logarithms
        quantile = student_quantile(self.confidence, len(values) - 1)
        reach = quantile * stdev(values) / math.sqrt(len(values))
        middle = fmean(values)
        return max(_exp(middle - reach) - _SHIFT, 0.0), _exp(middle + reach) - _SHIFT

    def __str__(self) -> str:
        """Return the mean and its interval."""
        low, high = self.interval
        return f"{self.mean:,.1f} ({low:,.1f} to {high:,.1f})"

    def __repr__(self) -> str:
        """Name the backend, the mean and its interval."""
        return f"<Effort of {self.backend}: {self} nodes>"

    def record(self) -> dict[str, Any]:
        """Return the effort as a table for JSON; an infinite end of the interval is None."""
        return {
            "mean": self.mean,
            "interval": [None if math.isinf(end) else end for end in self.interval],
            "confidence": self.confidence,
            "images": list(self.nodes),
        }

    @property
    def _logarithms(self) -> list[float]:
        return [math.log(nodes + _SHIFT) for nodes in self.nodes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """The rating of one board by logic and by searches.

    Args:
        board: the puzzle.
        name: name of the puzzle, empty if it has none.
        difficulty: the rating by logic, on either scale; None if the time limit was reached.
        efforts: the effort of each backend by its label; None if the time limit was reached.
    """

    board: Board
    name: str
    difficulty: Difficulty | ScaleRating | None
    efforts: Mapping[str, Effort | None]

    @property
    def is_complete(self) -> bool:
        """Whether logic solves the board and no time limit was reached."""
        solved = self.difficulty is not None and self.difficulty.outcome is Ending.SOLVED
        return solved and None not in self.efforts.values()

    def record(self) -> dict[str, Any]:
        """Return the rating as a table for JSON."""
        return {
            **self.board.record(self.name),
            "logic": self.difficulty.record() if self.difficulty else None,
            "nodes": {
                label: effort.record() if effort else None for label, effort in self.efforts.items()
            },
        }


def _text(form: str, without: str = "") -> Callable[[object], str]:
    """Return a function that writes a value in a form, and None as another text."""
    return lambda value: without if value is None else form.format(value)


_OF_SCALE: Mapping[Scale, tuple[Column, Column]] = {
    "unidoku": (Column("score", _text("{:,}")), Column("level", _text("{}"))),
    "explainer": (Column("pearl", _text("{:.1f}")), Column("diamond", _text("{:.1f}"))),
}
"""The columns of a table of ratings that only one scale has."""


def rating_table(
    ratings: Sequence[Rating], confidence: float = 0.95, *, scale: Scale = "unidoku"
) -> Table:
    """Return ratings as a table, one row for each board.

    All efforts have the same backends and this confidence, which the headings show, and all ratings
    by logic are on the same scale.
    """
    labels = list(ratings[0].efforts) if ratings else []
    columns = (
        *(Column("board"), Column("hardest technique"), Column("rating", _text("{:.1f}"))),
        *_OF_SCALE[scale],
        *(
            Column(f"{label} nodes ({100 * confidence:g} %)", _text("{}", _LATE))
            for label in labels
        ),
    )
    rows = []
    for number, rating in enumerate(ratings, start=1):
        difficulty = rating.difficulty
        logic: tuple[object, ...] = (_LATE, None, None, None)
        if isinstance(difficulty, ScaleRating):
            logic = (difficulty.conclusion, difficulty.rating, difficulty.pearl, difficulty.diamond)
        elif difficulty is not None:
            logic = (difficulty.conclusion, difficulty.rating, difficulty.score, difficulty.level)
        rows.append((rating.name or str(number), *logic, *rating.efforts.values()))
    return Table(title="Ratings", columns=columns, rows=tuple(rows))


def steps_table(difficulty: Difficulty | ScaleRating) -> Table:
    """Return the number of steps by technique as a table, the easiest technique first."""
    columns = (Column("technique"), Column("steps"))
    return Table(title="Steps", columns=columns, rows=tuple(difficulty.counts.items()))


def _exp(exponent: float) -> float:
    """Return the exponential, infinity where it is too large for a float."""
    try:
        return math.exp(exponent)
    except OverflowError:
        return math.inf


@overload
def rate(
    board: BoardLike,
    *,
    techniques: str | Sequence[Technique] = "usual",
    scale: Literal["unidoku"] = "unidoku",
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
) -> Difficulty: ...


@overload
def rate(
    board: BoardLike,
    *,
    scale: Literal["explainer"],
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
) -> ScaleRating: ...


@named_arguments
@confinable()
def rate(
    board: BoardLike,
    *,
    techniques: str | Sequence[Technique] = "usual",
    scale: Scale = "unidoku",
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
) -> Difficulty | ScaleRating:
    """Rate a board by logic: the hardest technique that it needs, and the score of all steps.

    >>> rate("1... ..2. .3.. ...4")
    <Difficulty: hidden single (1.2), score 88, easy>

    Args:
        board: the puzzle: a board, a text, or rows of values.
        techniques: techniques or their names, as for `unidoku.explain`.
        scale: ``explainer`` for the number that Sudoku Explainer gives, by its own techniques: a
            `ScaleRating`; only for classic boards with exactly one solution.
        variant: how to read a text or rows, as for `unidoku.explain`.
        time_limit: seconds.
        cancel: a token that ends the call, as in `unidoku.solve`.
        untrusted: whether the call is made in a confined process, as in `unidoku.solve`.
        memory_limit: its memory limit.

    Raises:
        InputError, UnsupportedError: as for `unidoku.explain`.
        InputError: there is no such scale; techniques are given for the explainer's, or the board
            has several solutions.
        TimeLimitError: the time limit was reached.
        Cancelled: the token was cancelled.
    """
    if scale == "explainer":
        if techniques != "usual":
            raise InputError("techniques: the explainer's scale has its own; leave them out")
        return _rate_by_explainer(as_board(board, variant), Deadline(time_limit))
    if scale not in SCALES:
        raise InputError(f"scale: expected a known one, got {scale!r}; {nearest(scale, SCALES)}")
    rows = chosen(techniques) if isinstance(techniques, str) else techniques
    board = as_board(board, variant)
    walkthrough = walk_through(board, techniques=rows, time_limit=time_limit).finished()
    counts = walkthrough.counts
    return Difficulty(
        outcome=walkthrough.outcome,
        hardest=walkthrough.hardest.technique if walkthrough.hardest else "",
        rating=walkthrough.rating,
        score=walkthrough.score,
        level=level_of(walkthrough.steps, walkthrough.board.layout)
        if walkthrough.outcome is Ending.SOLVED
        else "",
        counts={row.name: counts[row.name] for row in TECHNIQUES if row.name in counts},
        course=course(walkthrough, rows),
    )


def _rate_by_explainer(board: Board, deadline: Deadline) -> ScaleRating:
    """Return the rating on the explainer's scale of a board that may have no or several solutions.

    Raises:
        InputError: the board has several solutions.
        UnsupportedError, TimeLimitError: as for `scale_rating`.
    """
    refuse_layout(board.layout, "scale", "use the scale unidoku")
    request = Request(solutions=2, keep=0, time_limit=deadline.limit)
    result = load("native").search(board, request)
    if result.stop is Stop.TIME:
        deadline.check("rate")
    if result.count > 1:
        raise InputError(
            "rate: expected a board with one solution, got one with several; techniques of the "
            "explainer's scale rest on that, so use the scale unidoku"
        )
    if result.count == 0:
        return ScaleRating.without_solution()
    with time_limit_scope(lambda: deadline.check("logic")):
        return scale_rating(board)


def measure(
    board: Board,
    solver: Solver,
    *,
    isomorphs: int = 20,
    seed: int = 0,
    confidence: float = 0.95,
    time_limit: float | None = None,
) -> Effort:
    """Measure how many nodes a board takes, over random symmetric copies of it.

    Args:
        board: the puzzle.
        solver: the solver whose nodes are counted, in a search for two solutions.
        isomorphs: number of symmetric copies.
        seed: seed of the random symmetries.
        confidence: confidence of the interval around the mean.
        time_limit: seconds for all copies together.

    Raises:
        InputError: fewer than two isomorphs, or a confidence that is not between 0 and 1.
        UnsupportedError: the backend reports no nodes, or cannot decide the board.
        TimeLimitError: the time limit was reached.
    """
    if isomorphs < 2:
        raise InputError(
            f"isomorphs: expected at least 2, because one has no spread, got {isomorphs}"
        )
    if not 0 < confidence < 1:
        raise InputError(f"expected a confidence between 0 and 1, got {confidence}")
    order = random.Random(seed)
    deadline = Deadline(time_limit)
    nodes: list[int] = []
    for _ in range(isomorphs):
        image = random_symmetry(board.layout, order).board(board)
        result = solver.search(image, Request(solutions=2, keep=0, time_limit=deadline.limit))
        if result.stop is Stop.TIME:
            raise TimeLimitError(
                f"{solver.label}: time limit of {time_limit:g} s reached after {len(nodes)} of "
                f"{isomorphs} images"
            )
        nodes.append(_nodes(result, solver))
    return Effort(backend=solver.label, nodes=tuple(nodes), confidence=confidence)


def rate_and_measure(
    board: Board,
    solvers: Iterable[Solver],
    *,
    name: str = "",
    techniques: str | Sequence[Technique] = "usual",
    scale: Scale = "unidoku",
    time_limit: float | None = None,
    **options: Any,
) -> Rating:
    """Rate a board by logic and by the nodes of several solvers; see `rate` and `measure`.

    Args:
        board: the puzzle.
        solvers: the solvers whose nodes are counted.
        name: name of the puzzle.
        techniques: as for `rate`.
        scale: as for `rate`.
        time_limit: seconds for logic, and for each solver; a slower figure stays unknown.
        options: further options of `measure`.
    """
    efforts: dict[str, Effort | None] = {}
    for solver in solvers:
        efforts[solver.label] = None
        with suppress(TimeLimitError):
            efforts[solver.label] = measure(board, solver, time_limit=time_limit, **options)
    difficulty: Difficulty | ScaleRating | None = None
    with suppress(TimeLimitError):
        if scale == "explainer":
            difficulty = rate(board, scale=scale, time_limit=time_limit)
        else:
            difficulty = rate(board, techniques=techniques, time_limit=time_limit)
    return Rating(board=board, name=name, difficulty=difficulty, efforts=efforts)


def _nodes(result: Result, solver: Solver) -> int:
    """Return the nodes of a search that decided how many solutions there are."""
    if "nodes" not in result.statistics or not result.stop.answered:
        lacking = "reports nodes" if result.stop.answered else "decides every board"
        raise UnsupportedError(
            f"expected a backend that {lacking}, got {solver.label!r}; "
            "choose another, such as native or norvig"
        )
    return int(result.statistics["nodes"])
