"""Measures one run in this process: repeated searches under limits, on renamed boards."""

from __future__ import annotations

import contextlib
import gc
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from unidoku.backends.base import Request, Stop
from unidoku.backends.failure import said, traceback_of
from unidoku.backends.policy import Attempt, refusals
from unidoku.backends.solver import Solver
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record, Timing, Usage
from unidoku.comparison.run.limits import Guard, check_memory_limit
from unidoku.comparison.run.sample import figures, sample
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.core.symmetry import Symmetry, random_symmetry, relabelling
from unidoku.errors import BackendError, WrongAnswerError

__all__ = ["SAMPLE_NS", "Inline", "Measuring", "Meter", "symmetry_of"]

SAMPLE_NS = 30_000_000
"""The least nanoseconds of a sample; the meter itself takes a few hundred thousand."""

_VIEWS = 2
"""Relabelled boards that a sample searches in turn; the one of the first search is last."""

_GARBAGE = 10_000
"""Allocated objects at which the meter collects garbage, if the process itself does not."""

_TRIES = 5
"""The most relabellings tried for a view; boards with few values have few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """How runs are measured.

    Args:
        request: the request of each run; its time limit applies to each single search.
        sample_ns: faster searches are repeated until this time has passed; 0 for one search in each
            run, without a first search before it.
        memory_limit: bytes that a run may use in addition to the memory of its process before; None
            for no limit.
        seed: seed of the symmetric images and relabellings.
        relabel: whether each search gets the board with other names of the values than the search
            before, so that no run depends on one naming, or on what a solver learnt from it.
    """

    request: Request
    sample_ns: int = SAMPLE_NS
    memory_limit: int | None = None
    seed: int = 1
    relabel: bool = True

    def request_for(self, solver: Solver, run: Run) -> Request:
        """Return the request of a run, without the time limit if the backend does not support it.

        The limit applies all the same: the process is killed when the time has passed.
        """
        if "time_limit" in solver.spec.capabilities.honours:
            return run.request or self.request
        return replace(run.request or self.request, time_limit=None)


class _Views:
    """The board of a run under a series of relabellings.

    All backends get the same ones in the same order, so that their times are paired.
    """

    def __init__(self, run: Run, measuring: Measuring) -> None:
        self.of = (run.case.id, run.round, run.image)
        self._board = run.case.board
        self._way: tuple[Symmetry, ...] = ()
        if (image := symmetry_of(run, measuring.seed)) is not None:
            self._board, self._way = image.board(self._board), (image,)
        self._order = random.Random(f"{measuring.seed}:{run.case.id}:{run.round}")
        self._relabel = measuring.relabel
        self._made: list[tuple[Board, tuple[Symmetry, ...]]] = []

    def __getitem__(self, index: int) -> tuple[Board, tuple[Symmetry, ...]]:
        """Return a board, and the symmetries that lead to it from the run's board."""
        while len(self._made) <= index:
            board, way = self._board, self._way
            if self._relabel:
                board, renaming = self._renamed(board)
                way = (*way, renaming)
            self._made.append((board, way))
        return self._made[index]

    def _renamed(self, board: Board) -> tuple[Board, Symmetry]:
        """Return the board with renamed values, different from earlier ones if possible."""
        for _ in range(_TRIES):
            renaming = relabelling(board.layout, self._order)
            renamed = renaming.board(board)
            if all(renamed.candidates != made.candidates for made, _ in self._made):
                break
        return renamed, renaming


def symmetry_of(run: Run, seed: int) -> Symmetry | None:
    """Return the symmetry whose image the run searches; None for the board itself."""
    if not run.image:
        return None
    order = random.Random(f"{seed}:{run.case.id}:{run.image}")
    return random_symmetry(run.case.board.layout, order)


class Task(NamedTuple):
    """A run with the parts that are prepared before it is measured: its renamed boards."""

    run: Run
    views: _Views


@dataclass(frozen=True, slots=True)
class Measured:
    """The result of a run: all fields of its record that the run does not determine."""

    outcome: Outcome
    evidence: tuple[str, ...] = ()
    timing: Timing = Timing()  # noqa: RUF009 - it is immutable
    usage: Usage = Usage()  # noqa: RUF009 - as above
    started: float = 0.0
    stop: Stop | None = None
    count: int = 0
    solutions: tuple[Grid, ...] = ()
    statistics: Mapping[str, float] = field(default_factory=dict)
    traceback: str = ""
    printed: str = ""
    answered_by: str = ""

    def record(self, run: Run, worker: str) -> Record:
        """Return the record of the run, measured by this worker."""
        return Record(  # written out, which takes three quarters of the time
            key=run.key,
            case=run.case.id,
            backend=run.backend,
            round=run.round,
            image=run.image,
            outcome=self.outcome,
            stop=self.stop,
            count=self.count,
            solutions=self.solutions,
            timing=self.timing,
            usage=self.usage,
            worker=worker,
            started=self.started,
            statistics=self.statistics,
            evidence=self.evidence,
            traceback=self.traceback,
            printed=self.printed,
            answered_by=self.answered_by,
        )


class Meter:
    """Measures runs; keeps the backends, with their models, from run to run."""

    def __init__(
        self,
        solvers: Mapping[str, Solver],
        measuring: Measuring,
        loads: dict[str, int] | None = None,
        loading: Callable[[], object] = lambda: None,
    ) -> None:
        """Take the solvers, and the mapping in which they store how long their creation took.

        ``loading`` is called before a solver loads what a layout needs.
        """
        self._solvers = solvers
        self._loading = loading
        self._loads = {} if loads is None else loads
        self._measuring = measuring
        self._seen: set[tuple[str, int]] = set()
        self._views: _Views | None = None

    def task(self, run: Run) -> Task:
        """Prepare a run.

        The same work takes ten times as long right after a search, because the caches of the
        processor then hold other data.
        """
        if self._views is None or self._views.of != (run.case.id, run.round, run.image):
            self._views = _Views(run, self._measuring)
        if self._measuring.sample_ns:
            self._views[1]
        return Task(run, self._views)

    def measure(self, task: Task, beat: Callable[[], object] = lambda: None) -> Measured:
        """Measure a run; every behaviour of the backend except ending the process is an answer.

        The beat is called before and after each search and sample, and restarts the time limit.
        """
        label = task.run.backend
        solver = self._solvers[label]
        request = self._measuring.request_for(solver, task.run)
        started = time.time()
        load_ns = self._loads.pop(label, None)
        if refused := refusals(solver.spec.capabilities, task.run.case.board.layout, request):
            timing = Timing(load_ns=load_ns)
            return Measured(Outcome.UNSUPPORTED, refused, timing, started=started)
        prepared_ns = self._prepare(task, solver)
        if prepared_ns is not None and load_ns is not None:  # the solver has just been made
            load_ns, prepared_ns = load_ns + prepared_ns, 0
        collecting = gc.isenabled()
        gc.disable()  # a collection would hit the next search, not the one that left the garbage
        guard = Guard(self._measuring.memory_limit)
        try:
            with guard:
                searched = self._search(task, solver, request, beat, prepared_ns)
        except MemoryError as error:  # between two searches
            searched = _Searched(Outcome.MEMORY, Attempt(error=error))
        finally:
            if collecting:
                gc.enable()
            elif gc.get_count()[0] > _GARBAGE:
                gc.collect(1)  # only young objects: all would take as long as a sample
        return searched.found(guard, started, load_ns)

    def _prepare(self, task: Task, solver: Solver) -> int | None:
        """Let a solver load in advance what it would load in the middle of a layout's searches.

        Returns:
            Nanoseconds that this took; None if the layout was measured before, or there are no
            samples.
        """
        layout = task.run.case.board.layout
        seen = (task.run.backend, hash(layout))
        if not self._measuring.sample_ns or seen in self._seen:
            return None
        self._seen.add(seen)
        self._loading()
        begun = time.perf_counter_ns()
        # What fails here also fails in the search, or is not needed.
        with contextlib.suppress(BackendError):
            solver.prepare(layout)
        return time.perf_counter_ns() - begun

    def _search(
        self,
        task: Task,
        solver: Solver,
        request: Request,
        beat: Callable[[], object],
        prepared_ns: int | None,
    ) -> _Searched:
        """Search once, or as often as a sample needs."""
        sample_ns, views = self._measuring.sample_ns, task.views
        first_ns = None
        used = 0  # number of views searched once before the sample
        beat()
        attempt = solver.attempt(views[used][0], request, beat)
        if attempt.refused:
            return _Searched(Outcome.UNSUPPORTED, attempt)
        if prepared_ns is not None:
            # This search may have loaded a library and built a model; it is recorded separately.
            first_ns = prepared_ns + attempt.wall_ns
            if _outcome(attempt) is Outcome.SOLVED:
                used += 1
                beat()
                attempt = solver.attempt(views[used][0], request, beat)
        outcome, loops, way = _outcome(attempt), 1, views[used][1]
        if outcome is Outcome.SOLVED and attempt.wall_ns < sample_ns:
            loops = -(-sample_ns // max(attempt.wall_ns, 1))
            boards = [views[used + 1 - k][0] for k in range(min(loops, _VIEWS))]
            attempt, loops = sample(solver, request, boards, sample_ns, beat)
            outcome, way = _outcome(attempt), views[used + 1][1]
        return _Searched(outcome, attempt, way, loops, first_ns)


@dataclass(frozen=True, slots=True)
class _Searched:
    """The searches of a run."""

    outcome: Outcome
    attempt: Attempt = Attempt()  # noqa: RUF009 - it is immutable; of a sample, the means
    way: Sequence[Symmetry] = ()  # from the board of the run to the board searched
    loops: int = 1  # number of searches
    first_ns: int | None = None  # the time of the first search of the layout

    def found(self, guard: Guard, started: float, load_ns: int | None) -> Measured:
        """Return the result of the run, with its grids mapped back to its own board."""
        timing = self._timing(load_ns)
        usage = guard.usage(timing)
        evidence, error = self.attempt.refused or self.attempt.wrong, self.attempt.error
        where = ""
        if error is not None and not self.attempt.refused:
            evidence, where = (said(error),), traceback_of(error)
        if (result := self.attempt.result) is None:
            return Measured(self.outcome, evidence, timing, usage, started, traceback=where)
        grids = tuple(_undone(grid, self.way) for grid in result.solutions)
        found = result.stop, result.count, grids, figures(result.statistics)
        by = result.answered_by
        return Measured(self.outcome, evidence, timing, usage, started, *found, answered_by=by)

    def _timing(self, load_ns: int | None) -> Timing:
        """Return the times, divided into phases as the backend reports them."""
        wall, result = self.attempt.wall_ns, self.attempt.result
        init, solve = 0, wall
        if result is not None and "solve_time" in (said := result.statistics):
            told = figures(said)
            init = round(min(max(0, told.get("init_time", 0) * 1e9), wall))
            solve = round(min(max(0, told.get("solve_time", 0) * 1e9), wall - init))
        return Timing(
            wall_ns=wall,
            cpu_ns=self.attempt.cpu_ns,
            init_ns=init,
            solve_ns=solve,
            decode_ns=wall - init - solve,
            load_ns=load_ns,
            first_ns=self.first_ns,
            loops=self.loops,
        )


class Inline:
    """Measures runs in the caller's process, one by one: for debugging, profiling, and fakes.

    A backend that hangs or crashes also stops the caller.
    """

    def __init__(self, solvers: Mapping[str, Solver], measuring: Measuring) -> None:
        """Take the solvers, by the labels that runs name.

        Raises:
            UnsupportedError: this system cannot enforce the memory limit.
        """
        check_memory_limit(measuring.memory_limit)
        self._solvers = solvers
        self._measuring = measuring
        self.refresh()

    def run(self, runs: Iterable[Run]) -> Iterator[Record]:
        """Yield the record of each run, in order."""
        for run in runs:
            yield self._meter.measure(self._meter.task(run)).record(run, "inline")

    def refresh(self) -> None:
        """Forget which layouts were measured; the backends keep their own state."""
        self._meter = Meter(self._solvers, self._measuring)

    def close(self) -> None:
        """Do nothing: no process was started."""


def _outcome(attempt: Attempt) -> Outcome:
    if attempt.error is not None:
        if isinstance(attempt.error, WrongAnswerError):
            return Outcome.WRONG
        return Outcome.MEMORY if _is_memory(attempt.error) else Outcome.FAILED
    if attempt.wrong:
        return Outcome.WRONG
    answered = attempt.result is not None and attempt.result.stop.answered
    return Outcome.SOLVED if answered else Outcome.UNKNOWN


def _is_memory(error: BaseException | None) -> bool:
    """Return whether an error is, or came from, a MemoryError."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__ or error.__context__
    return error is not None


def _undone(grid: Grid, way: Sequence[Symmetry]) -> Grid:
    try:
        for step in reversed(way):
            grid = step.inverse.grid(grid)
    except (IndexError, TypeError, ValueError):
        return grid  # not a grid of the board; the record reports that it is wrong
    return grid
