"""The 0-1 program of a layout, kept in HiGHS, and the search for one solution after another."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import highspy
import numpy as np
from numpy.typing import NDArray

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import Value, checked, options_of
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector, collect
from unidoku.backends.toolkit.cover import grid_of
from unidoku.backends.toolkit.linear import LinearProgram
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.stopping import stopped_from_outside
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.core.transforms.lower import narrowed
from unidoku.errors import BackendError

_Candidates: TypeAlias = NDArray[np.bool_]
"""For each candidate, whether it may hold."""

_Holding: TypeAlias = NDArray[np.int32]
"""The candidates that hold in a solution, one for each cell, ascending."""

_PROGRAMS_WITHIN = (
    "mip_heuristic_run_rins",
    "mip_heuristic_run_rens",
    "mip_heuristic_run_root_reduced_cost",
    "mip_allow_restart",
)

_JUMP = "mip_heuristic_run_feasibility_jump"
_JUMP_FROM = 256
"""If at least this many candidates are left, the feasibility jump is faster than the search.

It finds the first grids of an empty 9×9 board in a tenth of the time, of 25×25 in two seconds,
while the search had none after thirty; on small boards it takes most of a run.
"""


_TO_STOP = 1e-6
"""Seconds for each term of a program after which HiGHS ends a run whose time is up.

Its presolve looks at the clock only between steps over the whole program: measured were 0.3 to 1 µs
on programs of 200,000 to 800,000 terms.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Highs:
    """HiGHS, the linear and integer optimiser.

    Statistics: ``init_time`` and ``solve_time`` (seconds), ``runs`` (runs of HiGHS), ``nodes``
        (nodes of its trees; a run that presolve decides has none), ``simplex_iterations``.

    Args:
        presolve: whether HiGHS first reduces the program; without it hard boards take twice as long
            and other boards up to four times. With rules, a program that it calls infeasible is run
            again without presolve, which may be wrong there.
        heuristics: whether HiGHS uses its default heuristics: it looks for solutions in
            subprograms, restarts at the root once enough variables are fixed, and uses the
            feasibility jump.
    """

    presolve: bool = True
    heuristics: bool = False

    def __post_init__(self) -> None:
        checked("highs", self)

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the options and the parameters of HiGHS other than the time limit."""
        parameters = options_of(self) | _parameters_of(self) | {"random_seed": _seed(request.seed)}
        if not self.heuristics:
            parameters[_JUMP] = f"from {_JUMP_FROM} candidates"
        return parameters

    def search(self, board: Board, request: Request) -> Result:
        """Run the program of the layout, with the board's candidates as bounds."""
        budget, collector = Budget(request), SolutionCollector(request)
        board = narrowed(board)
        layout = board.layout
        try:
            with _PROGRAMS.lend(layout, self, lambda: _Program(layout, self, budget)) as program:
                program.start(request.seed, budget)
                init_time = budget.elapsed
                with stopped_from_outside(program.interrupt):
                    stop = collect(program.solutions(board), collector)
        except LimitReached as limit:  # raised while the rows were written
            return collector.result(limit.stop, {"init_time": budget.elapsed})
        statistics = budget.times(init_time) | {
            "runs": program.runs,
            "nodes": program.nodes,
            "simplex_iterations": program.iterations,
        }
        return collector.result(stop, statistics)


def _parameters_of(options: Highs) -> dict[str, Value]:
    """Return the options of HiGHS for a program, by their names in HiGHS."""
    programs_within = dict.fromkeys(_PROGRAMS_WITHIN, options.heuristics)
    presolve = "choose" if options.presolve else "off"
    return {"output_flag": False, "threads": 1, "presolve": presolve, **programs_within}


def _seed(seed: int | None) -> int:
    return (seed or 0) % 2**31


class _Program:
    """The program of a layout, and the counters of the search that uses it."""

    def __init__(self, layout: Layout, options: Highs, budget: Budget) -> None:
        self.layout = layout
        self.doubts = options.presolve and bool(layout.rules)
        self.jump_from = 0 if options.heuristics else _JUMP_FROM
        self.highs = highspy.Highs()
        for name, value in _parameters_of(options).items():
            self._set(name, value)
        self._check("passModel", self.highs.passModel(_lp(layout, budget)))
        self.terms = self.highs.getNumNz()
        self.size = len(layout) * layout.n
        self.rows = self.highs.getNumRow()
        self.columns = np.arange(self.size, dtype=np.int32)
        self.zeros = np.zeros(self.size)

    def start(self, seed: int | None, budget: Budget) -> None:
        """Reset the state of the last search."""
        self._set("random_seed", _seed(seed))
        self.budget = budget
        self.bounds: _Candidates | None = None
        self.runs = self.nodes = self.iterations = 0

    def interrupt(self) -> None:
        """End the current run; called from another thread."""
        self.highs.setOptionValue("time_limit", 0.0)

    def solutions(self, board: Board) -> Iterator[Grid]:
        """Yield the solutions; raise LimitReached when the time limit has passed."""
        n = self.layout.n
        parts: list[tuple[_Candidates, _Holding | None]] = [(_candidates(board), None)]
        while parts:
            part, known = parts.pop()
            columns = self._run(part, known)
            if columns is None:
                continue
            yield grid_of(self.layout, columns.tolist())
            if known is None:
                parts.append((part, columns))
                continue
            given = known[np.argmax(known != columns)]
            first = given - given % n
            without, within = part.copy(), part.copy()
            without[given] = within[first : first + n] = False
            within[given] = True
            parts += [(without, columns), (within, known)]

    def _run(self, part: _Candidates, known: _Holding | None) -> _Holding | None:
        """Return a solution among some candidates that is not the known one, or None."""
        highs = self.highs
        if part is not self.bounds:
            # Each change of a bound, even to its old value, costs the next run a twentieth.
            self.bounds = part
            self._set(_JUMP, int(np.count_nonzero(part)) >= self.jump_from)
            highs.changeColsBounds(self.size, self.columns, self.zeros, part.astype(np.float64))
        if known is not None:
            size = len(known)
            highs.addRow(-math.inf, size - 1, size, known, np.ones(size))
        try:
            columns = self._solution_within_limit()
            if columns is None and self.doubts:
                columns = self._solution_without_presolve()
            return columns
        finally:
            if known is not None:
                highs.deleteRows(1, np.array([self.rows], dtype=np.int32))

    def _solution_within_limit(self) -> _Holding | None:
        """Run the program, and return its solution, None if there is none."""
        remaining = self.budget.left_to_search(self.terms * _TO_STOP)
        self._set("time_limit", math.inf if remaining is None else remaining)
        if self.highs.run() == highspy.HighsStatus.kError:
            self._set("threads", 0)
            self._check("run", self.highs.run())
        self._count()
        return self._solution_of_run()

    def _solution_without_presolve(self) -> _Holding | None:
        """Run the program again: presolve calls some programs of rules infeasible that are not.

        See docs/upstream/highs_wrongly_infeasible.py.
        """
        self._set("presolve", "off")
        try:
            return self._solution_within_limit()
        finally:
            self._set("presolve", "choose")

    def _count(self) -> None:
        self.runs += 1
        self.nodes += max(int(self.highs.getInfoValue("mip_node_count")[1]), 0)
        self.iterations += max(int(self.highs.getInfoValue("simplex_iteration_count")[1]), 0)

    def _solution_of_run(self) -> _Holding | None:
        """Return the solution of the last run, None if there is none."""
        status = self.highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        if status == highspy.HighsModelStatus.kTimeLimit:
            raise LimitReached(Stop.TIME)
        if status != highspy.HighsModelStatus.kOptimal:
            status_text = self.highs.modelStatusToString(status)
            raise BackendError(
                f"highs: expected a solution, none, or a time limit; got {status_text!r}"
            )
        values = np.array(self.highs.getSolution().col_value)
        columns = np.flatnonzero(values[: self.size] > 0.5).astype(np.int32)
        if len(columns) != len(self.layout):
            raise BackendError("highs: expected 0 or 1, or nearly so, got a solution in fractions")
        return columns

    def _set(self, option: str, value: float | str | bool) -> None:
        self._check(option, self.highs.setOptionValue(option, value))

    def _check(self, call: str, status: Any) -> None:
        if status != highspy.HighsStatus.kOk:
            raise BackendError(f"highs: {call} ended with {status}")


_PROGRAMS: Models[_Program] = Models()


def _candidates(board: Board) -> _Candidates:
    """Return the candidates that the board leaves."""
    n = board.layout.n
    size = (n + 7) // 8
    masks = b"".join([mask.to_bytes(size, "little") for mask in board.candidates])
    bits = np.unpackbits(np.frombuffer(masks, np.uint8), bitorder="little")
    return np.ascontiguousarray(bits.reshape(-1, 8 * size)[:, :n].ravel()).astype(np.bool_)


def _lp(layout: Layout, budget: Budget) -> highspy.HighsLp:
    """Return a layout as a program for HiGHS."""
    program = LinearProgram(layout, budget)
    least, most, starts = array("d"), array("d"), array("i", [0])
    indices, weights_of_terms = array("i"), array("d")
    for low, high, columns, weights in program.rows():
        least.append(low)
        most.append(high)
        indices.extend(columns)
        weights_of_terms.extend(weights)
        starts.append(len(indices))
    lp = highspy.HighsLp()
    whole = program.whole
    lp.num_col_ = size = len(whole)
    lp.num_row_ = len(least)
    lp.col_cost_ = np.zeros(size)
    lp.col_lower_ = np.zeros(size)
    lp.col_upper_ = np.ones(size)
    lp.row_lower_ = np.frombuffer(least)
    lp.row_upper_ = np.frombuffer(most)
    kinds = highspy.HighsVarType
    lp.integrality_ = [kinds.kInteger if each else kinds.kContinuous for each in whole]
    matrix = lp.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.num_col_ = size
    matrix.num_row_ = len(least)
    matrix.start_ = np.frombuffer(starts, np.int32)
    matrix.index_ = np.frombuffer(indices, np.int32)
    matrix.value_ = np.frombuffer(weights_of_terms)
    return lp
