"""The backend `auto`: `native` and a solver that learns, which search a board in turns.

`native` decides nearly every board in microseconds or milliseconds, and a few never, because it
learns nothing from its failures. So it searches alone until it has done some work (`BUDGET`). From
then on a backend that learns searches as well: the one that has done less work has the next turn,
and goes on where it paused, so that a board takes at most about twice as long as with the better
of the two. Making the other's model is work too. Work is counted and never timed, see
`unidoku.backends.turns`, so that an answer does not depend on how busy the machine is.

Each of the two searches the whole board, and the result is that of the first one that ends; what
the other found is dropped. Therefore no solution is reported twice or lost. While `native` finds
solutions quickly it goes on alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from unidoku.backends import BackendSpec, catalogue, find
from unidoku.backends.base import Backend, Capabilities, Request, Result, Stop
from unidoku.backends.batch import STOPS, BatchResult, add_figures, collected, search_each
from unidoku.backends.options import Value, checked, parse_label
from unidoku.backends.solving.policy import refusals
from unidoku.backends.solving.projection import shown_part
from unidoku.backends.solving.solver import Solver, load
from unidoku.backends.solving.time_left import out_of_time
from unidoku.backends.toolkit.budget import LimitReached
from unidoku.backends.turns import Turns, at_once
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.core.hidden import expanded
from unidoku.core.layout import Layout
from unidoku.core.transforms.implied import SumFinder
from unidoku.core.transforms.simplify import WithImplied
from unidoku.errors import BackendError, NotInstalledError, OptionError, UnsupportedError
from unidoku.support.deadline import Deadline
from unidoku.support.logs import logger, tell_once

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from unidoku.backends.native.adapter import Native

_LOG = logger(__name__)

NAME = "auto"

FIRST = "native"
"""The backend that begins."""

THEN = "sat"
"""The backend that learns. It can pause, also while it makes its model."""

OTHERS = (THEN, "cp-sat", "clingo", "pumpkin")
"""The backends that are asked before all others for what `native` and `sat` cannot do."""

BUDGET = 700_000
"""Work that `native` does alone, some 0.07 s: hardly a model would be ready earlier."""

TURN = 100_000
"""Work of a turn, some 0.01 s."""

LOADING = 0.1
"""Seconds that a search must have left for a backend to be loaded."""

SPEC = BackendSpec(
    name=NAME,
    target="unidoku.backends.auto:Auto",
    summary="the default: native, and in turns with it a clause-learning solver for hard boards",
    paradigm="portfolio",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit", "node_limit", "threads", "seed"}),
        whole_rules=frozenset({"full-rank"}),  # those of `native`
    ),
    distributions=("unidoku",),
    terms=8,  # as many as `native`
    licence="MIT",
    nests=("then",),
)


@dataclass(frozen=True, slots=True)
class Auto:
    """`native`, and after some work a backend that learns from its failures, in turns.

    A request with a node limit is for `native` alone, unless it refuses the board. A request with a
    seed goes to a backend that honours seeds. A board with several threads is searched by `native`
    with one, and if it is not decided then also by a backend that can use them.

    Args:
        budget: work that `native` does alone, in propagations of about 0.1 µs; no turn has more.
        then: the backend that then searches too, with options or without; by default `sat`. One
            that cannot pause searches to its end once it begins.

    Statistics: those of the backend that answered; if another one searched too also ``turns`` (of
    that one), ``native_work`` and ``then_work`` (work of both, in propagations), and for a batch
    ``then_answered`` (boards that the other one answered).
    """

    budget: int = BUDGET
    then: str | None = None

    def __post_init__(self) -> None:
        checked(NAME, self)
        if self.budget < 1:
            raise OptionError(f"{NAME}: option 'budget': expected 1 or more, got {self.budget}")
        if self.then is not None:
            name, _ = parse_label(self.then)
            if find(name).target in (SPEC.target, find(FIRST).target):
                raise OptionError(f"{NAME}: option 'then': expected another backend, got {name!r}")
            _solver(self.then)
        _first()  # loaded now so that no search waits for it

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the budget, and the backend that follows if it is installed."""
        then = self.then or THEN
        parameters: dict[str, Value] = {"threads": request.threads}
        if request.seed is not None:
            parameters["seed"] = request.seed
        return parameters | {"budget": self.budget, "then": then if _may_be_loaded(then) else ""}

    def search(self, board: Board, request: Request) -> Result:
        """Search one board; raise UnsupportedError if no installed backend supports it."""
        if request.threads > 1 or request.seed is not None:
            return self._search_by_others(board, request)
        if request.node_limit is not None:
            try:
                return _by_first(_first().search(board, request))
            except UnsupportedError as error:
                return self._search_unsupported(board, request, error)
        return self._search(board, request, request)

    def _search(self, board: Board, request: Request, expanded_request: Request) -> Result:
        """Search one board, first as ``expanded_request``."""
        begun, work = time.perf_counter(), 0
        try:
            first = _first().search_in_turns(board, expanded_request, min(TURN, self.budget))
            while work < self.budget:
                work += next(first)
        except StopIteration as end:  # nearly all boards
            return _by_first(end.value)
        except UnsupportedError as error:
            return self._search_unsupported(board, request, error)
        deadline = Deadline(request.time_limit, begun)  # most searches do not need it
        return _in_turns(first, self._then(board, request, deadline), work)

    def _search_by_others(self, board: Board, request: Request) -> Result:
        """Search one board with several threads or a seed, which only other backends honour."""
        limits = [f"threads={request.threads}"] * (request.threads > 1)
        limits += [f"seed={request.seed}"] * (request.seed is not None)
        error = UnsupportedError(
            f"{NAME}: no installed backend can honour {' and '.join(limits)} for one "
            "board; threads share the boards of a batch; see: unidoku backends"
        )
        if request.seed is not None or request.node_limit is not None:
            return self._search_unsupported(board, request, error)
        if not any(self._labels(board.layout, request, anyone=True)):
            raise error
        return self._search(board, request, replace(request, threads=1))

    def _search_unsupported(
        self, board: Board, request: Request, error: UnsupportedError
    ) -> Result:
        """Search a board with the first backend other than `native` that supports it."""
        deadline = Deadline(request.time_limit)
        result = at_once(self._then(board, request, deadline, anyone=True))
        if result is _NONE_CAN:
            raise error
        return result

    def _then(
        self, board: Board, request: Request, deadline: Deadline, *, anyone: bool = False
    ) -> Turns:
        """Search with the first other backend that can; return `_NONE_CAN` if none can."""
        anyone = anyone or request.threads > 1
        for label in self._labels(board.layout, request, anyone=anyone):
            left = deadline.left
            if left is not None and left < LOADING and label not in _in_memory:
                _LOG.debug("%s is not loaded: %.2f s are left", label, left)
                continue
            if (solver := self._loaded(label)) is None:
                continue
            elapsed = deadline.elapsed
            _LOG.info("%s searches too, %s has not decided in %.2f s", label, FIRST, elapsed)
            try:
                result = yield from self._turns_of(solver, board, request, deadline)
            except UnsupportedError as error:
                _LOG.info("%s does not: %s", label, error)
                continue
            except LimitReached:  # while the layout was prepared
                result = out_of_time(board, 0.0)
            figures = dict(result.statistics)
            figures["init_time"] = figures.get("init_time", 0.0) + elapsed
            return replace(result, statistics=figures, answered_by=label)
        return _NONE_CAN

    def _turns_of(
        self, solver: Solver, board: Board, request: Request, deadline: Deadline
    ) -> Turns:
        """Search with another backend, which gets the same deduced rules as without `auto`."""
        plain = board
        if isinstance(board.layout, WithImplied):
            plain = Board.of(board.layout.plain, board.candidates)
        whole = expanded(plain, solver.spec.capabilities.whole_rules)
        if whole is not board:
            board = solver.board_for(whole)
        request = replace(request, time_limit=deadline.limit)
        turns = self._all_turns(solver.backend, board, request)
        result: Result = yield from turns if whole is plain else shown_part(turns, plain, whole)
        return result

    def _all_turns(self, backend: Backend, board: Board, request: Request) -> Turns:
        """Search with a backend in turns, or in a single one if it cannot pause."""
        if (in_turns := getattr(backend, "search_in_turns", None)) is None:
            return backend.search(board, request)
        result: Result = yield from in_turns(board, request, min(TURN, self.budget))
        return result

    def _labels(self, layout: Layout, request: Request, *, anyone: bool) -> Iterator[str]:
        """Yield the labels of backends that support a board, in order, without loading them.

        Args:
            layout: layout of the board.
            request: request of the search.
            anyone: whether backends other than `THEN` may follow, which may be unable to pause.
        """
        labels: tuple[str, ...] = (self.then or THEN,)
        if anyone and not self.then:
            labels = tuple(dict.fromkeys((*OTHERS, *catalogue())))
        plain = layout.plain if isinstance(layout, WithImplied) else layout
        for label in labels:
            can = find(parse_label(label)[0]).capabilities
            if label in (NAME, FIRST) or not can.complete or not _may_be_loaded(label):
                continue
            if not refusals(can, plain, request):
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

    @property
    def find_sums(self) -> SumFinder | None:
        """The function by which `native` finds implied sums."""
        return _first().find_sums

    def expect(self, layout: Layout, boards: int) -> None:
        """Prepare for many boards of a layout."""
        _first().expect(layout, boards)

    def prepare(self, layout: Layout) -> None:
        """Load what `native` needs for a layout."""
        _first().prepare(layout)

    def search_many(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request
    ) -> BatchResult:
        """Search many boards; those that `native` gives up are searched one by one, in turns."""
        budget = None if request.node_limit is not None else self.budget
        if request.seed is not None:
            return self._search_each(layout, cells, request)
        try:
            result = _first().search_many_within(layout, cells, request, budget)
        except UnsupportedError:
            return self._search_each(layout, cells, request)
        hard = (result.stops == STOPS.index(Stop.INCOMPLETE)).nonzero()[0]
        if not len(hard):
            return result
        alone = replace(request, threads=1)
        boards = (Board.from_values(layout, row) for row in cells[hard].tolist())
        results = [self.search(board, alone) for board in boards]
        hard_results = collected(results, cells[hard])
        result.counts[hard], result.stops[hard] = hard_results.counts, hard_results.stops
        result.grids[hard] = hard_results.grids
        figures = dict(result.statistics)
        add_figures(figures, hard_results.statistics)
        figures["then_answered"] = sum(answer.answered_by != FIRST for answer in results)
        return replace(result, statistics=figures)

    def _search_each(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request
    ) -> BatchResult:
        return search_each(lambda _, board: self.search(board, request), layout, cells)


def _in_turns(first: Turns, then: Turns, done: int) -> Result:
    """Continue a search of `native` in turns with another backend; return the first answer.

    An engine that ends without an answer leaves the rest to the other. At a time limit both end so,
    and the result with more solutions is returned.

    Args:
        first: the search of `native`.
        then: the search of the other backend, which has not begun.
        done: work that `native` has done.
    """
    work = {first: done, then: 0}
    searching = [first, then]
    results: list[Result] = []
    turns = 0
    try:
        while searching and not (results and results[-1].stop.answered):
            engine = min(searching, key=work.__getitem__)
            turns += engine is then
            try:
                work[engine] += next(engine)
            except StopIteration as end:
                searching.remove(engine)
                if end.value is not _NONE_CAN:
                    results.append(_by_first(end.value) if engine is first else end.value)
    finally:
        for engine in searching:
            engine.close()
    best = (
        results[-1] if results[-1].stop.answered else max(results, key=lambda result: result.count)
    )
    figures = {"turns": turns, "native_work": work[first], "then_work": work[then]}
    return replace(best, statistics={**best.statistics, **figures})


@cache
def _first() -> Native:
    backend: Any = find(FIRST).create({})
    first: Native = backend
    return first


@lru_cache(maxsize=64)
def _solver(label: str) -> Solver:
    solver = load(label)
    _in_memory.add(label)
    return solver


_in_memory: set[str] = set()
"""The labels of the backends that are loaded."""

_unloadable: set[str] = set()
"""The labels of the backends that are installed and could not be loaded."""


def _may_be_loaded(label: str) -> bool:
    """Return whether a backend is installed, as far as is known without importing it."""
    return label not in _unloadable and not find(parse_label(label)[0]).missing


_NONE_CAN = Result(count=0, solutions=(), stop=Stop.INCOMPLETE)
"""The result where no other backend can search."""


def _by_first(result: Result) -> Result:
    """Mark a result as answered by the backend that begins.

    The result is changed in place, because nothing else refers to it yet and copying it would take
    a tenth of the time of an easy search.
    """
    object.__setattr__(result, "answered_by", FIRST)
    return result
