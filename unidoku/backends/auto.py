"""The backend `auto`: `native` first, and a clause-learning solver for hard boards.

`native` decides nearly every board in microseconds or milliseconds, and a few never, because it
learns nothing from its failures. So it gets a limit of failures in a row without a solution for
each board. A board that is not decided by then is handed over to an installed backend that learns,
in the order that was measured best (`auto_table.toml`, made by ``make bench-auto``). That backend
searches the board from the beginning, so that no solution is reported twice or lost. The limit
counts failures, not seconds, so that an answer does not depend on how busy the machine is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from unidoku.backends import BackendSpec, catalogue, find
from unidoku.backends.base import Backend, Capabilities, Request, Result, Stop
from unidoku.backends.batch import STOPS, BatchResult, add_figures, collected, search_each
from unidoku.backends.options import Value, checked, parse_label
from unidoku.backends.solving.policy import refusals
from unidoku.backends.solving.solver import Solver, load
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import (
    ALL_CONSTRAINTS,
)
from unidoku.core.layout import Layout
from unidoku.core.transforms.simplify import WithImplied
from unidoku.errors import BackendError, NotInstalledError, OptionError, UnsupportedError
from unidoku.support.deadline import Deadline
from unidoku.support.logs import logger, tell_once
from unidoku.support.toml import parse_toml

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LOG = logger(__name__)

NAME = "auto"

FIRST = "native"
"""The backend that begins."""

TABLE = Path(__file__).with_name("auto_table.toml")
"""The file with the measurements."""

MANY_VALUES = 16
"""Boards of more values are a separate kind."""

KINDS = {
    "plain": f"up to {MANY_VALUES} values",
    "large": "more values",
    "rules": "with rules",
}
"""The kinds of boards that the table distinguishes, with their descriptions."""

LONGEST_LOAD = 2.0
"""Seconds that loading a backend may take if the table has no figure for it."""

SPEC = BackendSpec(
    name=NAME,
    target="unidoku.backends.auto:Auto",
    summary="the default: native, and a clause-learning solver for hard boards",
    paradigm="portfolio",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit", "node_limit", "threads", "seed"}),
    ),
    distributions=("unidoku",),
    licence="MIT",
    nests=("then",),
)


class _GivesUp(Backend, Protocol):
    """The methods that `auto` needs from the backend that begins."""

    def search_within(self, board: Board, request: Request, failures: int | None) -> Result: ...

    def search_many_within(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request, failures: int | None
    ) -> BatchResult: ...

    def expect(self, layout: Layout, boards: int) -> None: ...

    def prepare(self, layout: Layout) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoTable:
    """The measurements: when a board is handed over, and to which backend.

    Args:
        machine: machine and date of the measurement.
        failures: for each kind of board, the number of failures in a row after which it is handed
            over.
        order: for each kind of board, the backends that learn clauses, best first.
        load: seconds that a search must have left for a backend to be loaded.
    """

    machine: str
    failures: Mapping[str, int]
    order: Mapping[str, tuple[str, ...]]
    load: Mapping[str, float]


@cache
def table() -> AutoTable:
    """Read the table that comes with the package."""
    tables = parse_toml(TABLE.read_text(encoding="utf-8"))
    order = {kind: tuple(names) for kind, names in tables["order"].items()}
    return AutoTable(
        machine=tables["machine"], failures=tables["failures"], order=order, load=tables["load"]
    )


def kind_of(layout: Layout) -> str:
    """Return the kind of a layout's boards, by its name in the table."""
    if layout.rules:
        return "rules"
    return "large" if layout.n > MANY_VALUES else "plain"


@dataclass(frozen=True, slots=True)
class Auto:
    """`native`, and after a number of failures a backend that learns from its failures.

    A request with a node limit is for `native` alone. A request with a seed goes to a backend
    that honours seeds. A board with several threads is handed over, if at all, to a backend that
    can use them.

    Args:
        budget: failures in a row without a solution after which a board is handed over; by default
            from the measured table, ten times as many with rules.
        then: the backend that a board is handed over to, with options or without; by default the
            first in the measured order that is installed and supports the board.

    Statistics: those of the backend that answered; after a hand-over also ``handed_over_after``
        (failures), and for a batch ``handed_over`` (boards).
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
        _first()  # loaded now so that no search waits for it
        table()

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the budget and the order of the installed backends."""
        parameters: dict[str, Value] = {"threads": request.threads}
        if request.seed is not None:
            parameters["seed"] = request.seed
        for kind, order in table().order.items():
            parameters[f"failures_{kind}"] = self.budget or table().failures[kind]
            labels = (self.then,) if self.then else (n for n in order if _may_be_loaded(n))
            parameters[f"then_{kind}"] = ", ".join(labels)
        return parameters

    def search(self, board: Board, request: Request) -> Result:
        """Search one board; raise UnsupportedError if no installed backend supports it."""
        if request.threads > 1 or request.seed is not None:
            return self._search_by_others(board, request)
        return self._search(board, request, request)

    def _search(self, board: Board, request: Request, asked: Request) -> Result:
        """Search one board, first as ``asked``."""
        begun = time.perf_counter()
        failures = self._failures(board.layout, request)
        try:
            result = _first().search_within(board, asked, failures)
        except UnsupportedError as error:
            return self._search_unsupported(board, request, error)
        if result.stop is not Stop.INCOMPLETE:
            return _by_first(result)
        deadline = Deadline(request.time_limit, begun)  # most searches have no time limit
        return self._hand_over(board, request, asked, result, deadline)

    def _search_by_others(self, board: Board, request: Request) -> Result:
        """Search one board with several threads or a seed, which only other backends honour."""
        for label in self._successors(board.layout, request, anyone=True):
            if request.seed is None and request.node_limit is None:
                return self._search(board, request, replace(request, threads=1))
            if (solver := self._loaded(label)) is not None:
                return replace(_ask(solver, board, request), answered_by=label)
        limits = [f"threads={request.threads}"] * (request.threads > 1)
        limits += [f"seed={request.seed}"] * (request.seed is not None)
        raise UnsupportedError(
            f"{NAME}: no installed backend can honour {' and '.join(limits)} for one "
            "board; threads share the boards of a batch; see: unidoku backends"
        )

    def _search_unsupported(
        self, board: Board, request: Request, error: UnsupportedError
    ) -> Result:
        """Search a board that `native` does not support with the first backend that does."""
        for label in self._successors(board.layout, request, anyone=True):
            if (solver := self._loaded(label)) is not None:
                with suppress(UnsupportedError):
                    return replace(_ask(solver, board, request), answered_by=label)
        raise error

    def _hand_over(
        self,
        board: Board,
        request: Request,
        asked: Request,
        given_up: Result,
        deadline: Deadline,
    ) -> Result:
        """Search with the first backend that can, or else continue `native` without a budget."""
        for label in self._successors(board.layout, request):
            if deadline.left is not None and deadline.left < _seconds_to_load(label):
                _LOG.debug("%s is not loaded: %.2f s are left", label, deadline.left)
                continue
            if (solver := self._loaded(label)) is None:
                continue
            elapsed = deadline.elapsed
            _LOG.info("%s takes a board over from %s after %.2f s", label, FIRST, elapsed)
            try:
                found = _ask(solver, board, replace(request, time_limit=deadline.limit))
            except UnsupportedError as error:
                _LOG.info("%s does not take it: %s", label, error)
                continue
            figures = dict(found.statistics, handed_over_after=self._budget(board.layout))
            figures["init_time"] = figures.get("init_time", 0.0) + elapsed
            found = replace(found, statistics=figures, answered_by=label)
            return _better(found, given_up)
        _LOG.info("%s continues: no other backend can take the board over", FIRST)
        found = _first().search(board, replace(asked, time_limit=deadline.limit))
        return _better(_by_first(found), given_up)

    def _successors(
        self, layout: Layout, request: Request, *, anyone: bool = False
    ) -> Iterator[str]:
        """Yield the labels of backends that support a board, in order, without loading them.

        Args:
            layout: layout of the board.
            request: request of the search.
            anyone: whether backends that are not in the table may follow.
        """
        labels: tuple[str, ...] = (self.then,) if self.then else table().order[kind_of(layout)]
        if anyone and not self.then:
            labels = (*labels, *(n for n in catalogue() if n not in (*labels, NAME, FIRST)))
        plain = layout.plain if isinstance(layout, WithImplied) else layout
        for label in labels:
            can = find(parse_label(label)[0]).capabilities
            if can.complete and _may_be_loaded(label) and not refusals(can, plain, request):
                yield label

    def _loaded(self, label: str) -> Solver | None:
        """Return a solver; None if it cannot be loaded and was not requested by name."""
        try:
            return _solver(label)
        except (BackendError, NotInstalledError) as error:
            if self.then:
                raise
            _unloadable.add(label)
            tell_once(__name__, f"{NAME} searches without {label}: {error}")
            return None

    def expect(self, layout: Layout, boards: int) -> None:
        """Prepare for many boards of a layout."""
        _first().expect(layout, boards)

    def prepare(self, layout: Layout) -> None:
        """Load what `native` needs for a layout."""
        _first().prepare(layout)

    def search_many(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request
    ) -> BatchResult:
        """Search many boards; those that `native` gives up are handed over one by one."""
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
        figures["handed_over"] = sum(answer.answered_by != FIRST for answer in results)
        return replace(result, statistics=figures)

    def _search_each(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request
    ) -> BatchResult:
        return search_each(lambda _, board: self.search(board, request), layout, cells)

    def _failures(self, layout: Layout, request: Request) -> int | None:
        """Return after how many failures in a row `native` gives up a board; None for never."""
        return None if request.node_limit is not None else self._budget(layout)

    def _budget(self, layout: Layout) -> int:
        return table().failures[kind_of(layout)] if self.budget is None else self.budget


@cache
def _first() -> _GivesUp:
    backend: Any = find(FIRST).create({})
    first: _GivesUp = backend
    return first


@lru_cache(maxsize=64)
def _solver(label: str) -> Solver:
    solver = load(label)
    _in_memory.add(label)
    return solver


_unloadable: set[str] = set()
"""The labels of the backends that are installed and could not be loaded."""


def _may_be_loaded(label: str) -> bool:
    """Return whether a backend is installed, as far as is known without importing it."""
    return label not in _unloadable and not find(parse_label(label)[0]).missing


_in_memory: set[str] = set()
"""The labels of the backends that are loaded."""


def _seconds_to_load(label: str) -> float:
    """Return how long it may take until a backend begins to search."""
    if label in _in_memory:
        return 0.0
    return table().load.get(parse_label(label)[0], LONGEST_LOAD)


def _ask(solver: Solver, board: Board, request: Request) -> Result:
    """Search with another backend, which gets the same deduced rules as without `auto`."""
    layout = board.layout
    if isinstance(layout, WithImplied):
        plain = Board.of(layout.plain, board.candidates)
        return solver.searching(layout.plain)(plain, request)
    return solver.backend.search(board, request)


def _by_first(result: Result) -> Result:
    """Mark a result as answered by the backend that begins.

    The result is changed in place, because nothing else refers to it yet and copying it would take
    a tenth of the time of an easy search.
    """
    object.__setattr__(result, "answered_by", FIRST)
    return result


def _better(found: Result, given_up: Result) -> Result:
    """Return the new result, or the earlier one if it has more solutions and neither is decided."""
    if found.stop.answered or found.count >= given_up.count:
        return found
    return replace(found, count=given_up.count, solutions=given_up.solutions)
