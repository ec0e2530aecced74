"""The bench: measures one run after the other, in the process that it is in."""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unidoku.backends.base import Request
from unidoku.backends.solver import Attempt, Solver
from unidoku.comparison.plan import Run
from unidoku.comparison.record import Outcome, Record, record_of
from unidoku.comparison.run.memory import Memory
from unidoku.comparison.run.sample import sample
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.core.symmetry import Symmetry, random_symmetry, relabelling

__all__ = ["SAMPLE_NS", "Bench", "Measuring", "symmetry_of"]

SAMPLE_NS = 25_000_000
"""Nanoseconds a sample lasts at least; what the bench does besides takes a half to one million."""

_VIEWS = 2
"""Relabelled boards among which a sample goes round."""

_GARBAGE = 10_000
"""Objects of which, in a process that does not collect, some may be garbage in cycles."""

_TRIES = 5
"""Relabellings drawn for a view; boards of few values have few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """How runs are measured.

    Args:
        request: what each run asks; its time limit is of each single search.
        sample_ns: searches that are faster than this are repeated until it has passed; 0 is
            one search a run, the first one too.
        memory_limit: bytes that a run may use above what its process held before; None is no
            limit.
        seed: of the symmetric images and relabellings.
        relabel: give each search the board with other names of the values than the one before,
            so that no run depends on one naming's luck, or on what a solver learnt from it.
    """

    request: Request
    sample_ns: int = SAMPLE_NS
    memory_limit: int | None = None
    seed: int = 1
    relabel: bool = True

    def request_for(self, solver: Solver, run: Run) -> Request:
        """Return what a run asks, without the time limit if the backend does not honour it.

        The limit is kept all the same: the process is ended when it comes.
        """
        if "time_limit" in solver.spec.capabilities.honours:
            return run.request or self.request
        return replace(run.request or self.request, time_limit=None)


class _Views:
    """The board of a run under a run of relabellings, each made when it is first wanted.

    All backends get the same ones, in the same order, so that their times are paired.
    """

    def __init__(self, run: Run, measuring: Measuring) -> None:
        self.of = (run.case.id, run.round, run.image)
        self._board = run.case.board
        self._image = symmetry_of(run, measuring.seed)
        self._order = random.Random(f"{measuring.seed}:{run.case.id}:{run.round}")
        self._relabel = measuring.relabel
        self._made: list[tuple[Board, tuple[Symmetry, ...]]] = []

    def __getitem__(self, index: int) -> tuple[Board, tuple[Symmetry, ...]]:
        """Return a board, and what was done to it, in this order."""
        while len(self._made) <= index:
            board, steps = self._board, []
            if self._image is not None:
                board = self._image.board(board)
                steps.append(self._image)
            if self._relabel:
                board, renaming = self._renamed(board)
                steps.append(renaming)
            self._made.append((board, tuple(steps)))
        return self._made[index]

    def _renamed(self, board: Board) -> tuple[Board, Symmetry]:
        """Return the board under other names, none of the boards before if that can be had."""
        for _ in range(_TRIES):
            renaming = relabelling(board.layout, self._order)
            renamed = renaming.board(board)
            if all(renamed.candidates != made.candidates for made, _ in self._made):
                break
        return renamed, renaming


def symmetry_of(run: Run, seed: int) -> Symmetry | None:
    """Return the symmetry whose image the run is about; None for the board itself."""
    if not run.image:
        return None
    order = random.Random(f"{seed}:{run.case.id}:{run.image}")
    return random_symmetry(run.case.board.layout, order)


class Bench:
    """Measures runs; keeps the backends, and with them their models, from run to run."""

    def __init__(
        self,
        solvers: Mapping[str, Solver],
        measuring: Measuring,
        worker: str = "",
        loads: dict[str, int] | None = None,
    ) -> None:
        """Take the solvers, by the labels that runs name.

        Args:
            solvers: by label.
            measuring: how to measure.
            worker: what records say of who ran them.
            loads: where ``solvers`` leaves the nanoseconds that making one took.
        """
        self._solvers = solvers
        self._loads = {} if loads is None else loads
        self._measuring = measuring
        self._worker = worker
        self._seen: set[tuple[str, int]] = set()
        self._views: _Views | None = None

    def run(self, run: Run, beat: Callable[[], object] = lambda: None) -> Record:
        """Measure a run; whatever the backend does short of ending the process is a record.

        Args:
            run: the run.
            beat: called before and after each search, and each sample: the time limit begins anew.
        """
        solver = self._solvers[run.backend]
        request = self._measuring.request_for(solver, run)
        started = time.time()
        if refused := solver.spec.capabilities.lacking(run.case.board, request):
            return self._record(run, Outcome.UNSUPPORTED, started, evidence=tuple(refused))
        if self._views is None or self._views.of != (run.case.id, run.round, run.image):
            self._views = _Views(run, self._measuring)
        collecting = gc.isenabled()
        gc.disable()  # a collection falls on whoever allocates next, not on who left the garbage
        memory = Memory(self._measuring.memory_limit)
        try:
            with memory:
                measured = self._measure(run, solver, request, self._views, beat)
        except MemoryError as error:  # in the bench itself, between two searches
            measured = {"outcome": Outcome.MEMORY, "evidence": (f"MemoryError: {error}",)}
        finally:
            if collecting:
                gc.enable()
            elif gc.get_count()[0] > _GARBAGE:
                gc.collect(1)  # the young ones: to look at all takes as long as a sample
        measured |= memory.figures(measured)
        return self._record(run, measured.pop("outcome"), started, **measured)

    def _record(self, run: Run, outcome: Outcome, started: float, **figures: Any) -> Record:
        return record_of(
            run,
            outcome,
            load_ns=self._loads.pop(run.backend, None),
            worker=self._worker,
            started=started,
            **figures,
        )

    def _measure(
        self, run: Run, solver: Solver, request: Request, views: _Views, beat: Callable[[], object]
    ) -> dict[str, Any]:
        sample_ns = self._measuring.sample_ns
        seen = (run.backend, hash(run.case.board.layout))
        first_ns = None
        used = 0  # views, each searched once before the sample
        beat()
        attempt = solver.attempt(views[used][0], request, beat)
        if sample_ns and seen not in self._seen:
            # It may have loaded a library and built a model; it is told apart.
            self._seen.add(seen)
            first_ns = attempt.wall_ns
            if _outcome(attempt) is Outcome.SOLVED:
                used += 1
                beat()
                attempt = solver.attempt(views[used][0], request, beat)
        outcome, loops, done = _outcome(attempt), 1, views[used][1]
        if outcome is Outcome.SOLVED and attempt.wall_ns < sample_ns:
            loops = -(-sample_ns // max(attempt.wall_ns, 1))
            boards = [views[used + 1 + k][0] for k in range(min(loops, _VIEWS))]
            attempt, loops = sample(solver, request, boards, sample_ns, beat)
            outcome, done = _outcome(attempt), views[used + 1][1]
        return _figures(attempt, outcome, done, loops) | {"first_ns": first_ns}


def _outcome(attempt: Attempt) -> Outcome:
    if attempt.error is not None:
        return Outcome.MEMORY if _is_memory(attempt.error) else Outcome.FAILED
    if attempt.wrong:
        return Outcome.WRONG
    answered = attempt.result is not None and attempt.result.stop.answered
    return Outcome.SOLVED if answered else Outcome.UNKNOWN


def _is_memory(error: BaseException) -> bool:
    """Tell whether an error is, or came from, memory that could not be had."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, MemoryError):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def _figures(
    attempt: Attempt, outcome: Outcome, done: Sequence[Symmetry], loops: int
) -> dict[str, Any]:
    """Return the fields of a record that an attempt tells."""
    figures: dict[str, Any] = {
        "outcome": outcome,
        "wall_ns": attempt.wall_ns,
        "cpu_ns": attempt.cpu_ns,
        "loops": loops,
        "evidence": attempt.wrong,
        "solve_ns": attempt.wall_ns,
    }
    if attempt.error is not None:
        figures["evidence"] = (f"{type(attempt.error).__name__}: {attempt.error}",)
    result = attempt.result
    if result is None:
        return figures
    figures |= {"stop": result.stop, "count": result.count, "statistics": dict(result.statistics)}
    figures["solutions"] = tuple(_undone(grid, done) for grid in result.solutions)
    if "solve_time" in result.statistics:
        init = min(round(result.statistics.get("init_time", 0) * 1e9), attempt.wall_ns)
        solve = min(round(result.statistics["solve_time"] * 1e9), attempt.wall_ns - init)
        decode = attempt.wall_ns - init - solve
        figures |= {"init_ns": init, "solve_ns": solve, "decode_ns": decode}
    return figures


def _undone(grid: Grid, done: Sequence[Symmetry]) -> Grid:
    try:
        for step in reversed(done):
            grid = step.inverse.grid(grid)
    except (IndexError, TypeError, ValueError):
        return grid  # no grid of the board; the record says that it is wrong
    return grid
