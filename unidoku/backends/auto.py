"""The backend `auto`: `native` first, and a solver that learns for what is hard for it.

`native` decides nearly every board in microseconds or milliseconds, and a few never: it learns
nothing from its failures. So it has a number of them for each board, counted in a row, without a
solution between them; what it has not decided by then is handed over to a backend that learns, of
those that are installed, in the order that was measured best (`auto_table.toml`, made by ``make
bench-auto``). It searches the board from its beginning, so that no solution is told twice or lost.

Failures are counted and not seconds, so that an answer does not depend on what else a machine does.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from unidoku.backends import BackendSpec, catalogue, find
from unidoku.backends.base import Backend, Capabilities, Request, Result, Stop
from unidoku.backends.batch import STOPS, BatchResult, add_figures, collected, search_each
from unidoku.backends.options import Value, checked, parse_label
from unidoku.backends.policy import refusals
from unidoku.backends.solver import Solver, load
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.shapes import Automaton, Or, Relation, Rows, SameValues, Sets, Sum
from unidoku.core.simplify import Strengthened
from unidoku.deadline import Deadline
from unidoku.errors import BackendError, OptionError, UnsupportedError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["KINDS", "SPEC", "TABLE", "Auto", "AutoTable", "kind_of", "table"]

NAME = "auto"

FIRST = "native"
"""The backend that begins."""

TABLE = Path(__file__).with_name("auto_table.toml")
"""What was measured."""

MANY_VALUES = 16
"""Boards of more values are a kind of their own."""

KINDS = {
    "plain": f"up to {MANY_VALUES} values",
    "large": "more values",
    "rules": "with rules",
}
"""Kinds of boards that the table tells apart, and what they are called."""

LONGEST_LOAD = 2.0
"""Seconds that it may take to load a backend of which the table says nothing."""

SPEC = BackendSpec(
    name=NAME,
    target="unidoku.backends.auto:Auto",
    summary="the default: native, and for what is hard for it a solver that learns",
    paradigm="portfolio",
    capabilities=Capabilities(
        shapes=frozenset({Relation, Sum, Sets, Automaton, Rows, SameValues, Or}),
        honours=frozenset({"time_limit", "node_limit", "threads", "seed"}),
    ),
    distributions=("unidoku",),
    licence="MIT",
)


class _GivesUp(Backend, Protocol):
    """What `auto` asks of the backend that begins."""

    def search_within(self, board: Board, request: Request, failures: int | None) -> Result: ...

    def search_many_within(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request, failures: int | None
    ) -> BatchResult: ...

    def expect(self, layout: Layout, boards: int) -> None: ...

    @staticmethod
    def sums_of_cages(
        layout: Layout, cages: Mapping[int, int], units: int, terms: int
    ) -> Iterable[Sum]: ...

    def prepare(self, layout: Layout) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoTable:
    """What was measured: when a board is handed over, and to whom.

    Args:
        machine: where it was measured, and when.
        failures: for each kind of board, the number of failures in a row after which it is handed
            over.
        order: for each kind of board, the backends that learn clauses, the best first.
        load: seconds that a search must have left for a backend to be loaded.
    """

    machine: str
    failures: Mapping[str, int]
    order: Mapping[str, tuple[str, ...]]
    load: Mapping[str, float]


@cache
def table() -> AutoTable:
    """Read the table that comes with the package."""
    told = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    order = {kind: tuple(names) for kind, names in told["order"].items()}
    return AutoTable(
        machine=told["machine"], failures=told["failures"], order=order, load=told["load"]
    )


def kind_of(layout: Layout) -> str:
    """Return which kind of boards those of a layout are, in the words of the table."""
    if layout.rules:
        return "rules"
    return "large" if layout.n > MANY_VALUES else "plain"


@dataclass(frozen=True, slots=True)
class Auto:
    """`native`, and after a number of failures a backend that learns from them.

    A request with a node limit is for `native` alone; one with a seed goes to a backend that has
    one; a board with several threads is handed over, if at all, to a backend that can use them.

    Args:
        budget: failures in a row without a solution after which a board is handed over; by the
            measured table if not given, ten times as many with rules.
        then: the backend that it is handed over to, with options or without; the first that is
            installed and supports the board, in the measured order, if not given.

    Statistics: those of the backend that answered; after a hand-over ``handed_over_after``
    (failures) too, and for a batch ``handed_over`` (boards).
    """

    budget: int | None = None
    then: str | None = None

    def __post_init__(self) -> None:
        checked(NAME, self)
        if self.budget is not None and self.budget < 1:
            raise OptionError(f"{NAME}: option 'budget': expected 1 or more, got {self.budget}")
        if self.then is not None:
            name, _ = parse_label(self.then)
            if find(name).target in (SPEC.target, find(FIRST).target):
                raise OptionError(f"{NAME}: option 'then': expected another backend, got {name!r}")
            _solver(self.then)
        _first()  # so that no search waits for it
        table()

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the budget, and the order of the backends that are installed."""
        told: dict[str, Value] = {"threads": request.threads}
        if request.seed is not None:
            told["seed"] = request.seed
        for kind, order in table().order.items():
            told[f"failures_{kind}"] = self.budget or table().failures[kind]
            labels = (self.then,) if self.then else (n for n in order if not find(n).missing)
            told[f"then_{kind}"] = ", ".join(labels)
        return told

    def search(self, board: Board, request: Request) -> Result:
        """Search one board; UnsupportedError only if no installed backend supports it."""
        if request.threads > 1 or request.seed is not None:
            return self._search_by_others(board, request)
        return self._search(board, request, request)

    def _search(self, board: Board, request: Request, asked: Request) -> Result:
        """Search one board, first as ``asked``."""
        begun = time.perf_counter()
        failures = self._failures(board.layout, request)
        result = _first().search_within(board, asked, failures)
        if result.stop is not Stop.INCOMPLETE:
            return _by_first(result)
        deadline = Deadline(request.time_limit, begun)  # most searches need none
        return self._hand_over(board, request, asked, result, deadline)

    def _search_by_others(self, board: Board, request: Request) -> Result:
        """Search one board as only other backends can: with several threads, or a seed."""
        for label in self._successors(board.layout, request, anyone=True):
            if request.seed is None and request.node_limit is None:
                return self._search(board, request, replace(request, threads=1))
            if (solver := self._loaded(label)) is not None:
                return replace(_ask(solver, board, request), answered_by=label)
        limits = [f"threads={request.threads}"] * (request.threads > 1)
        limits += [f"seed={request.seed}"] * (request.seed is not None)
        raise UnsupportedError(
            f"{NAME}: no backend that is installed can honour {' and '.join(limits)} for one "
            "board; threads share those of a batch; see: unidoku backends"
        )

    def _hand_over(
        self,
        board: Board,
        request: Request,
        asked: Request,
        given_up: Result,
        deadline: Deadline,
    ) -> Result:
        """Search with the first backend that can, and without one go on without a budget."""
        for label in self._successors(board.layout, request):
            if deadline.left is not None and deadline.left < _seconds_to_load(label):
                continue
            if (solver := self._loaded(label)) is None:
                continue
            elapsed = deadline.elapsed
            try:
                found = _ask(solver, board, replace(request, time_limit=deadline.limit))
            except UnsupportedError:
                continue
            figures = dict(found.statistics, handed_over_after=self._budget(board.layout))
            figures["init_time"] = figures.get("init_time", 0.0) + elapsed
            found = replace(found, statistics=figures, answered_by=label)
            return _better(found, given_up)
        found = _first().search(board, replace(asked, time_limit=deadline.limit))
        return _better(_by_first(found), given_up)

    def _successors(
        self, layout: Layout, request: Request, *, anyone: bool = False
    ) -> Iterator[str]:
        """Yield the labels of the backends that support a board, in order; nothing is loaded.

        Args:
            layout: layout of the board.
            request: what is asked.
            anyone: whether others than those of the table may be asked, after them.
        """
        labels: tuple[str, ...] = (self.then,) if self.then else table().order[kind_of(layout)]
        if anyone and not self.then:
            labels = (*labels, *(n for n in catalogue() if n not in (*labels, NAME, FIRST)))
        plain = layout.said[0] if isinstance(layout, Strengthened) else layout
        for label in labels:
            spec = find(parse_label(label)[0])
            can = spec.capabilities
            if can.complete and not spec.missing and not refusals(can, plain, request):
                yield label

    def _loaded(self, label: str) -> Solver | None:
        """Return a solver; None if it cannot be loaded, and was not asked for by name."""
        try:
            return _solver(label)
        except BackendError:
            if self.then:
                raise
            return None

    def expect(self, layout: Layout, boards: int) -> None:
        """Prepare for many boards of a layout."""
        _first().expect(layout, boards)

    @staticmethod
    def sums_of_cages(
        layout: Layout, cages: Mapping[int, int], units: int, terms: int
    ) -> Iterable[Sum]:
        """Return the sums that follow from cages, as `native` finds them."""
        return _first().sums_of_cages(layout, cages, units, terms)

    def prepare(self, layout: Layout) -> None:
        """Load what `native` needs for a layout."""
        _first().prepare(layout)

    def search_many(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request
    ) -> BatchResult:
        """Search many boards; only those that `native` gives up are handed over, one by one."""
        failures = self._failures(layout, request)
        if request.seed is not None:
            return self._search_each(layout, cells, request)
        try:
            result = _first().search_many_within(layout, cells, request, failures)
        except UnsupportedError:
            return self._search_each(layout, cells, request)
        hard = (result.stops == STOPS.index(Stop.INCOMPLETE)).nonzero()[0]
        if not len(hard):
            return result
        alone = replace(request, threads=1)
        boards = (Board.from_values(layout, row) for row in cells[hard].tolist())
        results = [self.search(board, alone) for board in boards]
        found = collected(results, cells[hard])
        result.counts[hard], result.stops[hard] = found.counts, found.stops
        result.grids[hard] = found.grids
        figures = dict(result.statistics)
        add_figures(figures, found.statistics)
        figures.pop("handed_over_after", None)
        figures["handed_over"] = sum(one.answered_by != FIRST for one in results)
        return replace(result, statistics=figures)

    def _search_each(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request
    ) -> BatchResult:
        return search_each(lambda _, board: self.search(board, request), layout, cells)

    def _failures(self, layout: Layout, request: Request) -> int | None:
        """Return the failures in a row after which `native` is to give up a board, if at all."""
        return None if request.node_limit is not None else self._budget(layout)

    def _budget(self, layout: Layout) -> int:
        return table().failures[kind_of(layout)] if self.budget is None else self.budget


@cache
def _first() -> _GivesUp:
    backend: Any = find(FIRST).create({})
    made: _GivesUp = backend
    return made


@lru_cache(maxsize=64)
def _solver(label: str) -> Solver:
    made = load(label)
    _in_memory.add(label)
    return made


_in_memory: set[str] = set()
"""The labels of the backends that are loaded."""


def _seconds_to_load(label: str) -> float:
    """Return how long it may take until a backend begins to search."""
    if label in _in_memory:
        return 0.0
    return table().load.get(parse_label(label)[0], LONGEST_LOAD)


def _ask(solver: Solver, board: Board, request: Request) -> Result:
    """Search by another backend, told of what follows from rules as it is by itself."""
    layout = board.layout
    if isinstance(layout, Strengthened):
        own, _ = layout.said
        return solver.searching(own)(Board.of(own, board.candidates), request)
    return solver.backend.search(board, request)


def _by_first(result: Result) -> Result:
    """Write into a result that it is by the backend that begins.

    It was made for this search and is nobody else's yet; to make another would take as long as a
    tenth of an easy search.
    """
    object.__setattr__(result, "answered_by", FIRST)
    return result


def _better(found: Result, given_up: Result) -> Result:
    """Return what was found, or what was found before if that is more and nothing is decided."""
    if found.stop.answered or found.count >= given_up.count:
        return found
    return replace(found, count=given_up.count, solutions=given_up.solutions)
