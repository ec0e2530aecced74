"""The interface of every backend: the request that it gets, and the result that it returns.

A backend is one method, `Backend.search`. Everything else is written once: refusals and checks in
`unidoku.backends.solving.policy`, options by name in `unidoku.backends.options`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from numbers import Integral, Real
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, Unpack

from unidoku.backends.keywords import advice
from unidoku.core import display
from unidoku.core.board import Board, TextForm
from unidoku.core.constraints.primitives import Constraint
from unidoku.core.layout import Grid
from unidoku.errors import InputError
from unidoku.support.arguments import named_fields
from unidoku.support.deadline import FOREVER
from unidoku.support.moved import former_keyword
from unidoku.support.text import Word


class Stop(Word):
    """Why a search ended: a fact that the backend reports."""

    EXHAUSTED = "exhausted"
    """The whole search space was covered: all solutions are counted."""
    SOLUTIONS = "solutions"
    """The requested number of solutions was found; there may be more."""
    TIME = "time"
    """The time limit was reached."""
    NODES = "nodes"
    """The node limit was reached."""
    INCOMPLETE = "incomplete"
    """The backend gave up before it covered the search space, because it is not complete."""

    @property
    def answered(self) -> bool:
        """Whether the question was answered, not stopped at a limit."""
        return self in (Stop.EXHAUSTED, Stop.SOLUTIONS)

    @property
    def limit(self) -> str:
        """The reason why a search ended without an answer, as the end of a phrase; or empty."""
        match self:
            case Stop.TIME | Stop.NODES:
                return f" ({self.value.removesuffix('s')} limit)"
            case Stop.INCOMPLETE:
                return " (the backend can do no more)"
            case _:
                return ""


class Status(Word):
    """What is known after a search: derived from count and stop, never reported by a backend."""

    UNSATISFIABLE = "unsatisfiable"
    SATISFIED = "satisfied"
    ALL_SOLUTIONS = "all solutions"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, count: int, stop: Stop | None) -> Status:
        """Return the status of a search that ended with ``count`` solutions."""
        if stop is Stop.EXHAUSTED:
            return cls.ALL_SOLUTIONS if count else cls.UNSATISFIABLE
        return cls.SATISFIED if count else cls.UNKNOWN


_LEAST = (("solutions", 1), ("keep", 0), ("node_limit", 1), ("threads", 1), ("seed", 0))

_UNREACHABLE = (1 << 63) - 1
"""The largest limit of a number: no search counts further, so a larger one is no limit."""

MAX_THREADS = 1024
"""The largest number of threads; a larger one is a slip, because no machine has so many cores."""


class Limits(TypedDict, total=False):
    """The fields of a `Request` as keywords: ``**limits: Unpack[Limits]``."""

    solutions: int | None
    keep: int | None
    time_limit: float | None
    node_limit: int | None
    threads: int
    seed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The limits of a search. None means no limit.

    Args:
        solutions: number of solutions after which to stop; 2 proves or refutes uniqueness.
        keep: number of grids to return; further solutions are only counted.
        time_limit: seconds of wall-clock time, counted from the call; infinity means no limit.
        node_limit: number of nodes of the search tree.
        threads: number of threads that the backend may use.
        seed: seed of the backend's random choices; None for the solver's default.

    Raises:
        InputError: a limit is not positive or has the wrong type.
    """

    solutions: int | None = 1
    keep: int | None = None
    time_limit: float | None = None
    node_limit: int | None = None
    threads: int = 1
    seed: int | None = None

    @classmethod
    def of(cls, **limits: Unpack[Limits]) -> Request:
        """Return the request with these fields; refuse unknown names and bad values."""
        for name, value in limits.items():
            if name not in cls.__slots__:
                hint = " ".join(advice(name, value, cls.__slots__)).strip()
                raise InputError(f"expected a limit of a search, got {name!r}; {hint}")
        try:
            return _request(**limits)
        except TypeError:  # a value that is not hashable is wrong
            return cls(**limits)

    @named_fields
    def __post_init__(self) -> None:
        for name, lowest in _LEAST:
            value = getattr(self, name)
            if value is None and name != "threads":
                continue
            if type(value) is int and lowest <= value <= _UNREACHABLE:
                continue
            if type(value) is bool or not isinstance(value, Integral) or value < lowest:
                raise InputError(f"{name}: expected an int of at least {lowest}, got {value!r}")
            is_counted = name in ("solutions", "keep", "node_limit")
            number = int(value)
            is_endless = is_counted and number > _UNREACHABLE
            object.__setattr__(self, name, None if is_endless else number)
        if self.threads > MAX_THREADS:
            raise InputError(f"threads: expected at most {MAX_THREADS}, got {self.threads}")
        object.__setattr__(self, "time_limit", _time_limit(self.time_limit))


def _time_limit(seconds: Any) -> float | None:
    """Return a time limit as a request has it: a number of Python, None for no limit."""
    if seconds is None:
        return None
    is_number = type(seconds) is not bool and isinstance(seconds, Real)
    if not is_number or not seconds > 0:
        raise InputError(f"time_limit: expected seconds above 0, got {seconds!r}")
    if seconds >= FOREVER:
        return None
    return seconds if type(seconds) is int else float(seconds)


@lru_cache(maxsize=256, typed=True)
def _request(**limits: Unpack[Limits]) -> Request:
    """Return the request with these fields, from a cache."""
    return Request(**limits)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Result:
    """What a search found.

    Args:
        count: number of solutions found.
        solutions: the grids kept, all different: in ascending order if they are all solutions,
            otherwise in the order found. A backend itself may return them in any order.
        stop: why the search ended.
        statistics: figures of the search, under MiniZinc's names in snake case if there is one:
            ``init_time`` and ``solve_time`` (seconds), ``nodes``, ``failures``, …; each backend
            reports some of them.
        candidates: the candidates of each cell that are left when the backend stops early; no
            solution has a removed one. None if the backend does not report them.
        puzzle: the board that was searched; a backend may leave it out.
        answered_by: label of the backend that answered, if a backend such as `auto` uses others;
            otherwise empty.
    """

    count: int
    solutions: tuple[Grid, ...]
    stop: Stop
    statistics: Mapping[str, float] = field(default_factory=dict)
    candidates: tuple[int, ...] | None = None
    puzzle: Board | None = field(default=None, compare=False)
    answered_by: str = ""

    @property
    def status(self) -> Status:
        """What is known after the search."""
        return Status.of(self.count, self.stop)

    @property
    def unique(self) -> bool | None:
        """Whether there is exactly one solution; None if that is not known."""
        if self.stop is Stop.EXHAUSTED:
            return self.count == 1
        return False if self.count > 1 else None

    def about(self, puzzle: Board) -> Result:
        """Return the result with its puzzle; `dataclasses.replace` takes three times as long."""
        return (
            self
            if self.puzzle is puzzle
            else Result(
                count=self.count,
                solutions=self.solutions,
                stop=self.stop,
                statistics=self.statistics,
                candidates=self.candidates,
                puzzle=puzzle,
                answered_by=self.answered_by,
            )
        )

    def ordered(self) -> Result:
        """Return the result; its grids are in ascending order if they are all solutions.

        >>> Result(count=2, solutions=((2, 1), (1, 2)), stop=Stop.EXHAUSTED).ordered().solutions
        ((1, 2), (2, 1))
        """
        if self.stop is not Stop.EXHAUSTED or len(self.solutions) < self.count:
            return self
        return replace(self, solutions=tuple(sorted(self.solutions)))

    def record(self) -> dict[str, Any]:
        """Return the result as a table for JSON; nan becomes None.

        Solutions have the displayed values, like the text of a board.
        """
        shift = 0 if self.puzzle is None else self.puzzle.layout.first_value - 1
        return {
            "status": self.status.value,
            "stop": self.stop.value,
            "count": self.count,
            "unique": self.unique,
            "answered_by": self.answered_by or None,
            "solutions": [[value + shift for value in grid] for grid in self.solutions],
            "statistics": {
                name: figure if math.isfinite(figure) else None
                for name, figure in self.statistics.items()
            },
        }

    @property
    def board(self) -> Board | None:
        """The first solution as a board; None if no grid was kept or the puzzle is not known."""
        if self.puzzle is None or not self.solutions:
            return None
        return self.puzzle.fill(self.solutions[0])

    def text(self, form: TextForm = "framed") -> str:
        """Return the first solution as text, see `Board.text`; empty if `board` is None.

        So it is empty if there is no solution, or if the search ended before one was found: check
        ``count`` first.
        """
        return "" if self.board is None else self.board.text(form)

    def __str__(self) -> str:
        """Return in words what is known after the search.

        >>> print(Result(count=2, solutions=(), stop=Stop.SOLUTIONS))
        2 solutions found
        """
        solutions = f"{self.count} solution{'' if self.count == 1 else 's'}"
        match self.status:
            case Status.UNSATISFIABLE:
                return "no solutions"
            case Status.ALL_SOLUTIONS:
                return f"exactly {solutions}"
            case Status.SATISFIED if self.stop is Stop.SOLUTIONS:
                return f"{solutions} found"
            case Status.SATISFIED:
                return f"at least {solutions}{self.stop.limit}"
            case Status.UNKNOWN:
                return f"undecided{self.stop.limit}"

    def __repr__(self) -> str:
        """Return the outcome and the effort in one line."""
        known = [f"{name}={figure:.3g}" for name, figure in self.statistics.items()]
        return f"<Result: {self}{'; ' if known else ''}{', '.join(known)}>"

    def _repr_html_(self) -> str:
        """Return the outcome and the first solution as a picture, for notebooks."""
        grid = self.solutions[0] if self.solutions else None
        picture = self.puzzle and display.board_svg and display.board_svg(self.puzzle, grid)
        return f"<p>{self}</p>{picture or ''}"


def count_text(count: int, stop: Stop) -> str:
    """Return the number of solutions in words; a number alone is exact.

    >>> count_text(3, Stop.EXHAUSTED), count_text(3, Stop.TIME)
    ('3', 'at least 3 (time limit)')
    """
    return f"{'' if stop is Stop.EXHAUSTED else 'at least '}{count}{stop.limit}"


LIMITS = frozenset(field.name for field in fields(Request)) - {"solutions", "keep"}
"""The fields of a request that a backend may lack; every backend honours the other two."""


@former_keyword("shapes", "constraints")
@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a backend supports. Anything else is refused before the search, never ignored.

    Args:
        constraints: the classes of constraints that it supports, see
            `unidoku.core.constraints.primitives`.
        honours: names in `LIMITS` that it honours. A backend that honours ``node_limit`` reports
            ``nodes`` among its statistics.
        max_values: the largest number of values; None for no limit.
        max_sum: the largest number that a weighted sum may reach so that every answer is exact, see
            `unidoku.backends.sum_range`; None for no limit.
        max_solutions: the largest number of solutions that it can look for; None for no limit.
        complete: whether it covers the whole search space, given time; an incomplete backend may
            stop with `Stop.INCOMPLETE`.
        grids: whether it returns a grid for each solution, as far as they are to be kept; a backend
            that only counts solutions may return fewer.
        whole_rules: the kinds of rules that it is given without their hidden cells. Such rules have
            no constraints, so it has to read the rules themselves.
        cores: whether it is a source of cores, with a method `GivesCores.cores`.
    """

    constraints: frozenset[type[Constraint]] = frozenset()
    honours: frozenset[str] = frozenset()
    max_values: int | None = None
    max_sum: int | None = None
    max_solutions: int | None = None
    complete: bool = True
    grids: bool = True
    whole_rules: frozenset[str] = frozenset()
    cores: bool = False

    @named_fields
    def __post_init__(self) -> None:
        if unknown := self.honours - LIMITS:
            raise InputError(f"honours: expected some of {sorted(LIMITS)}, got {sorted(unknown)}")
        if self.max_sum is not None and (type(self.max_sum) is not int or self.max_sum < 1):
            raise InputError(f"max_sum: expected an int of at least 1, got {self.max_sum!r}")


class Backend(Protocol):
    """The adapter of a solver: usually a frozen dataclass whose fields are its options."""

    def search(self, board: Board, request: Request) -> Result:
        """Search the board for solutions, within the request's limits.

        It is called only with boards and requests that its capabilities cover, and perhaps from
        several threads. It must not keep state that another call could see. A search that has
        found as many solutions as requested reports that as its stop, even if there are no more.
        """


Core: TypeAlias = tuple[int, ...] | Literal[Stop.NODES] | None
"""Assumptions that contradict clauses, None if they do not, or that it was not decided."""


class Cores(Protocol):
    """Clauses in a live solver that names assumptions which contradict them.

    Literals are those of DIMACS: variables from 1, negated by their sign.
    """

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause, for good."""

    def core(self, assumptions: Sequence[int], conflicts: int | None = None) -> Core:
        """Return some of the assumptions that no model of the clauses satisfies together.

        Returns:
            The assumptions, not always the fewest; None if there is a model; `Stop.NODES` if that
            was not decided within so many conflicts.
        """

    def model(self) -> Sequence[int]:
        """Return a literal for each variable in order: the model that the last question found.

        Empty if the source tells none.
        """

    def prefer(self, literals: Sequence[int]) -> None:
        """Have models satisfy literals where a choice is free; a source may ignore it."""


class GivesCores(Protocol):
    """A backend that is a source of cores, as `Capabilities.cores` says."""

    def cores(self) -> Cores:
        """Return a live solver without clauses."""
