"""Measures one run in this process: repeated searches under limits, on different forms of a board.

A published time is never a search of a board that the same solver has seen in the same form:

- `Measure.FIRST`: each search has a new solver, a board without tables and no models, so that its
  time includes what the layout costs;
- `Measure.WARM`: the solver keeps its models of layouts. It has searched another board of the
  layout before, and each search gets a form of the board that it has not seen.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from unidoku.backends.base import Request
from unidoku.backends.solving.policy import Attempt, refusals
from unidoku.backends.solving.solver import Solver
from unidoku.backends.toolkit.models import MOST, drop, owned_by
from unidoku.comparison.order import Run
from unidoku.comparison.record import Measure, Outcome, Record, Timing, record_of
from unidoku.comparison.run.limits import Guard
from unidoku.comparison.run.searched import IN_ALL, Searched, mean_of, outcome_of, sample
from unidoku.comparison.run.views import View, Views
from unidoku.core.board import Board
from unidoku.core.caching import forget_layouts
from unidoku.core.layout import Layout, copied
from unidoku.errors import BackendError
from unidoku.support.memory_limit import check_memory_limit

SAMPLE_NS = 30_000_000
"""The least nanoseconds of a sample; the meter itself takes a few hundred thousand."""

_AGAIN = 0.02
"""Seconds for a search that makes the tables of a layout again, whose model is kept."""

_MOST_WARM = MOST // 2
"""Layouts of a backend that are believed to have models; a search may make more than one."""

_GARBAGE = 10_000
"""Allocated objects at which the meter collects garbage, if the process itself does not."""

_MOST_SEEN = 200_000
"""The most forms that a solver has seen, before a new one takes its place: some 13 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurementSettings:
    """How runs are measured.

    Args:
        request: the request of each run; its time limit applies to each single search.
        sample_ns: faster searches are repeated until this time has passed; 0 for one search in each
            run.
        cpu_limit: seconds of processor time that each single search may take, with all processes
            that it starts; None for no limit.
        memory_limit: bytes that a run may use in addition to the memory of its process before; None
            for no limit.
        seed: seed of the symmetric images and relabellings.
        relabel: whether each search gets the board in another form than the searches before;
            without it, a warm sample is one search.
        untimed: whether a run is one search by the solver as the runs before it left it: to find
            faults of kept models. Its times mean nothing.
    """

    request: Request
    sample_ns: int = SAMPLE_NS
    cpu_limit: float | None = None
    memory_limit: int | None = None
    seed: int = 1
    relabel: bool = True
    untimed: bool = False

    def limit_of(self, run: Run) -> float | None:
        """Return the time limit of a run's searches, in seconds."""
        return (run.request or self.request).time_limit

    def request_for(self, solver: Solver, run: Run) -> Request:
        """Return the request of a run, without the time limit if the backend does not support it.

        The limit applies all the same: the process is killed when the time has passed.
        """
        if "time_limit" in solver.spec.capabilities.honours:
            return run.request or self.request
        return replace(run.request or self.request, time_limit=None)


class Task(NamedTuple):
    """A run with the parts that are prepared before it is measured: the forms of its board."""

    run: Run
    views: Views


class Meter:
    """Measures runs; keeps the backends, with their models, from run to run."""

    def __init__(
        self,
        solvers: Mapping[str, Solver],
        measuring: MeasurementSettings,
        loads: dict[str, int] | None = None,
        loading: Callable[[], object] = lambda: None,
        warming: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext,
    ) -> None:
        """Take the solvers, and the mapping in which they store how long their creation took.

        ``loading`` is called before a solver loads what a layout needs; in ``warming`` it searches
        another board than that of the run.
        """
        self._solvers = solvers
        self._renewed: dict[str, Solver] = {}
        self._loading, self._warming = loading, warming
        self._loads = {} if loads is None else loads
        self._measuring = measuring
        self._prepared: set[tuple[str, Layout | None]] = set()
        self._warmed: dict[tuple[str, Layout], int] = {}  # value of _forgotten at that time
        self._forgotten = 0  # how often the tables of all layouts were forgotten
        self._seen: defaultdict[str, set[int]] = defaultdict(set)  # hashes of forms
        self._searched_before: set[str] = set()
        self._views: Views | None = None

    def task(self, run: Run) -> Task:
        """Prepare a run before it is measured.

        Right after a search this takes ten times as long, because the processor's caches then hold
        other data.
        """
        if self._views is None or self._views.block != (run.case.id, run.round, run.image):
            measuring = self._measuring
            self._views = Views(run, measuring.seed, relabel=measuring.relabel)
        self._views.first()
        return Task(run, self._views)

    def measure(self, task: Task, beat: Callable[[], object] = lambda: None) -> Record:
        """Measure a run; every behaviour of the backend except ending the process is an answer.

        The beat is called before and after each search and sample, and restarts the time limit.
        """
        run, label = task.run, task.run.backend
        if len(self._seen[label]) > _MOST_SEEN:
            self._renew(label)
        solver = self._renewed.get(label) or self._solvers[label]
        request = self._measuring.request_for(solver, run)
        started = time.time()
        load_ns = self._loads.pop(label, None)
        if refused := refusals(solver.spec.capabilities, run.case.board.layout, request):
            timing = Timing(load_ns=load_ns)
            outcome = Outcome.UNSUPPORTED
            return record_of(run, outcome, evidence=refused, timing=timing, started=started)
        prepared_ns = self._prepare(run, solver)
        if load_ns is not None:  # the solver has just been made
            load_ns, prepared_ns = load_ns + prepared_ns, 0
        collecting = gc.isenabled()
        gc.disable()  # a collection would hit the next search, not the one that left the garbage
        guard = Guard(self._measuring.memory_limit)
        try:
            searched = self._searched(task, solver, request, beat, guard)
        finally:
            if collecting:
                gc.enable()
            elif gc.get_count()[0] > _GARBAGE:
                gc.collect(1)  # only young objects: all would take as long as a sample
        if searched.first_ns is not None:
            searched = replace(searched, first_ns=searched.first_ns + prepared_ns)
        return searched.record(run, guard, started, load_ns)

    def renew(self) -> None:
        """Forget all that the solvers have seen, except those that were passed in as objects."""
        for label in list(self._searched_before | self._seen.keys()):
            self._renew(label)

    def _renew(self, label: str) -> None:
        """Put a new solver without models in the place of a label's."""
        solver = self._solvers[label]
        drop(label)
        if solver.spec.target:
            self._renewed[label] = solver.renewed()
            self._seen[label].clear()
        self._searched_before.discard(label)
        self._prepared = {key for key in self._prepared if key[0] != label}
        self._warmed = {key: value for key, value in self._warmed.items() if key[0] != label}

    def _prepare(self, run: Run, solver: Solver) -> int:
        """Let a solver load in advance what it would load in the middle of its searches.

        Returns:
            Nanoseconds that this took.
        """
        # What belongs to a layout of one board is part of the time.
        layout = None if run.warm_up is None else run.case.board.layout
        if self._measuring.untimed or (run.backend, layout) in self._prepared:
            return 0
        self._prepared.add((run.backend, layout))
        self._loading()
        begun = time.perf_counter_ns()
        # What fails here also fails in the search, or is not needed.
        with contextlib.suppress(BackendError):
            solver.prepare(run.case.board.layout, self._measuring.request_for(solver, run))
        return time.perf_counter_ns() - begun

    def _searched(
        self,
        task: Task,
        solver: Solver,
        request: Request,
        beat: Callable[[], object],
        guard: Guard,
    ) -> Searched:
        run = task.run
        warm_ns = self._warm_up(run, solver, request)
        try:
            with guard:
                if self._measuring.untimed:
                    view = task.views.first()
                    beat()
                    attempt = solver.attempt(view.board, request, beat)
                    return Searched(self._outcome(attempt, run), attempt, view.way)
                # A program that reads boards has no model of a layout, and is started once.
                if run.warm_up is None and not solver.spec.keeps_program:
                    return self._search_first(task, solver, request, beat)
                measured = self._search_warm(task, solver, request, beat)
        except MemoryError as error:  # between two searches
            return Searched(Outcome.MEMORY, Attempt(error=error))
        if warm_ns is None or run.warm_up is None:
            return measured
        return replace(measured, first_ns=warm_ns, warm_up=run.warm_up.digest)

    def _outcome(self, attempt: Attempt, run: Run) -> Outcome:
        return outcome_of(attempt, self._measuring.limit_of(run), self._measuring.cpu_limit)

    def _search_first(
        self, task: Task, solver: Solver, request: Request, beat: Callable[[], object]
    ) -> Searched:
        """Search with a new solver each time, so that the time includes what the layout costs."""
        label, sample_ns = task.run.backend, self._measuring.sample_ns
        attempts: list[Attempt] = []
        first_ns, begun = None, time.perf_counter_ns()
        while True:
            view = task.views.get(len(attempts)) or task.views.first()
            beat()
            attempt = self._attempt_once(label, solver, view.board, request, beat)
            outcome = self._outcome(attempt, task.run)
            if outcome is not Outcome.SOLVED:
                return Searched(outcome, attempt, view.way, 1, first_ns, Measure.FIRST)
            is_only = not solver.spec.target  # it cannot be made again
            if not is_only and self._is_cold(label, attempt.wall_ns):
                first_ns = attempt.wall_ns  # it may have loaded what all searches of it use
                continue
            attempts.append(attempt)
            lasted = time.perf_counter_ns() - begun
            spent = sum(attempt.wall_ns for attempt in attempts)
            if is_only or spent >= sample_ns or lasted >= IN_ALL * sample_ns:
                break
        attempt = mean_of(attempts)
        outcome, way = self._outcome(attempt, task.run), task.views.first().way
        return Searched(outcome, attempt, way, len(attempts), first_ns, Measure.FIRST)

    def _is_cold(self, label: str, wall_ns: int) -> bool:
        """Return whether a search was a backend's first in this process, and is not to count.

        It counts if it took so long that loading makes no difference.
        """
        is_first = label not in self._searched_before
        self._searched_before.add(label)
        return is_first and wall_ns < IN_ALL * self._measuring.sample_ns

    def _attempt_once(
        self,
        label: str,
        solver: Solver,
        board: Board,
        request: Request,
        beat: Callable[[], object],
    ) -> Attempt:
        """Search with a solver that has seen nothing, on a board that shares nothing."""
        fresh = solver.renewed() if solver.spec.target else solver
        owner = f"{label} once"
        forget_layouts()
        self._forgotten += 1
        with owned_by(owner):
            alone = Board.of(copied(board.layout, Layout), board.candidates)
            attempt = fresh.attempt(alone, request, beat)
        drop(owner)
        return attempt

    def _warm_up(self, run: Run, solver: Solver, request: Request) -> int | None:
        """Search another board of the run's layout, so that its model and tables exist.

        Returns:
            Nanoseconds of the first such search of the layout; None if it was not the first.
        """
        keeps_nothing = solver.spec.whole or solver.spec.keeps_program
        if run.warm_up is None or keeps_nothing or self._measuring.untimed:
            return None
        key = run.backend, run.warm_up.layout
        before = self._warmed.pop(key, None)
        self._warmed[key] = self._forgotten  # the most recently used comes last
        if before == self._forgotten:
            return None
        pairs = [pair for pair in self._warmed if pair[0] == run.backend]
        for pair in pairs[:-_MOST_WARM]:  # their models may have been dropped by now
            del self._warmed[pair]
        if before is not None and request.time_limit is not None:  # the model exists
            request = replace(request, time_limit=min(_AGAIN, request.time_limit))
        self._seen[run.backend].add(hash(run.warm_up))
        begun = time.perf_counter_ns()
        with self._warming(), contextlib.suppress(MemoryError), owned_by(run.backend):
            with Guard(self._measuring.memory_limit):
                failed = solver.attempt(run.warm_up, request).error is not None
            if failed:
                gc.collect()  # its traceback may hold much memory
        return None if before is not None else time.perf_counter_ns() - begun

    def _search_warm(
        self, task: Task, solver: Solver, request: Request, beat: Callable[[], object]
    ) -> Searched:
        """Search forms of the board that the solver has not seen, with what it has kept."""
        label, sample_ns = task.run.backend, self._measuring.sample_ns
        measure = Measure.FIRST if task.run.warm_up is None else Measure.WARM
        if solver.spec.whole:
            measure = Measure.WHOLE
        views = self._unseen(label, task.views)
        view, doubt = next(views, None), ""
        if view is None:
            view, doubt = task.views.first(), "its solver had searched this board before"
        beat()
        with owned_by(label):
            attempt = solver.attempt(view.board, request, beat)
            outcome, loops, way = self._outcome(attempt, task.run), 1, view.way
            another = next(views, None) if attempt.wall_ns < sample_ns else None
            if outcome is Outcome.SOLVED and another is not None:
                boards = (view.board for view in chain([another], views))
                attempt, loops = sample(solver, request, boards, sample_ns, beat)
                outcome, way = self._outcome(attempt, task.run), another.way
        return Searched(outcome, attempt, way, loops, None, measure, doubt=doubt)

    def _unseen(self, label: str, views: Views) -> Iterator[View]:
        """Yield the forms of a board that the solver of a label has not searched."""
        seen = self._seen[label]
        for view in views:
            if view.form not in seen:
                seen.add(view.form)
                yield view


class Inline:
    """Measures runs in the caller's process, one by one: for debugging, profiling, and fakes.

    A backend that hangs or crashes also stops the caller.
    """

    def __init__(self, solvers: Mapping[str, Solver], measuring: MeasurementSettings) -> None:
        """Take the solvers, by the labels that runs name.

        Raises:
            UnsupportedError: this system cannot enforce the memory limit.
        """
        check_memory_limit(measuring.memory_limit)
        self._solvers = dict(solvers)
        self._meter = Meter(self._solvers, measuring)

    def run(self, runs: Iterable[Run]) -> Iterator[Record]:
        """Yield the record of each run, in order."""
        for run in runs:
            yield replace(self._meter.measure(self._meter.task(run)), worker="inline")

    def refresh(self) -> None:
        """Make new solvers; those that were passed in as objects keep their own state."""
        self._meter.renew()

    def close(self) -> None:
        """Drop the models of the solvers: no process was started."""
        self._meter.renew()
