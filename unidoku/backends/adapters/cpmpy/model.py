"""A board as a model of CPMpy, and the process in which most of its solvers search it."""

from __future__ import annotations

import contextlib
import signal
import subprocess
from collections.abc import Iterator
from itertools import repeat
from multiprocessing import Pipe
from typing import Any

import cpmpy
from cpmpy.solvers.solver_interface import ExitStatus
from cpmpy.solvers.utils import SolverLookup

from unidoku.backends.toolkit.budget import Budget
from unidoku.backends.toolkit.clauses import clauses_of_alternatives
from unidoku.backends.toolkit.mdd import Mdd, mdd_of, tables_of
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.rows import members_of, rows_of
from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import Sets, Sum
from unidoku.core.layout import Grid
from unidoku.core.transforms.lower import Lowered, lower
from unidoku.errors import BackendError
from unidoku.parallel.processes import connect, interpreter, keep, release, start
from unidoku.support.deadline import check_time_limit


def model_of(board: Board) -> tuple[list[Any], Any, ModelSize]:
    """Return a variable for each cell, with its candidates as the domain, the model, and its size.

    The candidates of cells in units are not counted.
    """
    cells, model, size = [], cpmpy.Model(), ModelSize()
    for mask in board.candidates:
        lowest, highest = (mask & -mask).bit_length(), mask.bit_length()
        cells.append(cpmpy.intvar(lowest, highest))
        if mask.bit_count() <= highest - lowest:
            model += cpmpy.InDomain(cells[-1], values_of(mask))
    for unit in board.layout.maximal_units:
        model += cpmpy.AllDifferent([cells[cell] for cell in unit.cells])
    for relation in lower(board.layout).relations:
        rows = relation.rows
        for a, b in relation.pairs:
            size.add(2 * len(rows))
            model += cpmpy.Table([cells[a], cells[b]], rows) if rows else False
    for constraint in lower(board.layout).sets:
        model += _sets(constraint, [cells[cell] for cell in constraint.cells])
    for sum_ in lower(board.layout).sums:
        total = cpmpy.sum([w * cells[c] for c, w in zip(sum_.cells, sum_.weights, strict=True)])
        model += [total >= sum_.low, total <= sum_.high]
    for table in lower(board.layout).tables:
        model += cpmpy.Table([cells[cell] for cell in table.cells], table.rows)
    for mdd in map(mdd_of, lower(board.layout).automata, repeat(board.layout.n)):
        model += _mdd_rows(mdd, cells, size)
    model += _clauses(lower(board.layout), cells, size)
    # A solver does not see a variable that occurs in no constraint.
    model += [cell >= 1 for cell in cells]
    return cells, model, size


def _sets(constraint: Sets, inside: list[Any]) -> list[Any]:
    """Return constraints that cells differ and hold one of some sets of values."""
    if (rows := rows_of(constraint)) is not None:
        return [cpmpy.Table(inside, rows) if rows else False]
    chosen = cpmpy.intvar(0, len(constraint.masks) - 1)
    members = members_of(constraint)
    low, high = constraint.totals
    total = cpmpy.sum(inside)
    return [
        cpmpy.AllDifferent(inside),
        *[cpmpy.Table([chosen, cell], members) for cell in inside],
        total >= low,
        total <= high,
    ]


def _mdd_rows(mdd: Mdd, cells: list[Any], size: ModelSize) -> list[Any]:
    """Return a table for each layer, with a variable for the state between two layers.

    ``Regular`` would become OR-Tools' automaton, which reports the same grid repeatedly.
    """
    if mdd.is_empty:
        return [False]
    tables: list[Any] = []
    state: list[Any] = []
    for cell, most, rows in tables_of(mdd):
        size.add(3 * len(rows))
        after = [] if most is None else [cpmpy.intvar(0, most)]
        tables.append(cpmpy.Table([*state, cells[cell], *after], rows))
        state = after
    return tables


def _clauses(lowered: Lowered, cells: list[Any], size: ModelSize) -> list[Any]:
    """Return alternatives and lists of the same values as clauses that decide fresh variables.

    The variables that CPMpy adds for a disjunction of constraints need not be decided by the cells.
    """
    literals: dict[int, Any] = {}
    sums: dict[int, Sum] = {}
    clauses = []
    for clause in clauses_of_alternatives(lowered, same_values=True, sums=sums):
        size.add(len(clause))
        for variable in map(abs, clause):
            if variable not in literals:
                cell, value = divmod(variable - 1, lowered.n)
                is_fresh = variable > lowered.size
                candidate = cpmpy.boolvar() if is_fresh else cells[cell] == value + 1
                literals[variable], literals[-variable] = candidate, ~candidate
        clauses.append(cpmpy.any([literals[literal] for literal in clause]))
    for number, constraint in sums.items():
        total = cpmpy.sum(
            [w * cells[c] for c, w in zip(constraint.cells, constraint.weights, strict=True)]
        )
        clauses.append(
            literals[number] == cpmpy.all([total >= constraint.low, total <= constraint.high])
        )
    return clauses


def posted(solver: str, board: Board) -> tuple[list[Any], Any, ModelSize]:
    """Return a variable for each cell, a solver with the model of a board, and the model's size.

    The constraints are posted one by one, because CPMpy may take seconds to rewrite all of them.

    Raises:
        LimitReached: the time limit of the search has passed.
    """
    cells, model, size = model_of(board)
    native = SolverLookup.get(solver)
    for constraint in model.constraints:
        check_time_limit()
        native += constraint
    return cells, native, size


def solutions(solver: str, board: Board) -> Iterator[Grid | None]:
    """Yield None once the model is built, then solutions, each forbidden in later solves."""
    cells, native, _ = posted(solver, board)
    yield None
    while native.solve():
        grid = grid_of(cells)
        yield grid
        native += cpmpy.any([cell != value for cell, value in zip(cells, grid, strict=True)])
    status = native.status().exitstatus
    if status is not ExitStatus.UNSATISFIABLE:
        raise RuntimeError(f"the solver ended without an answer: {status.name}")


def grid_of(cells: list[Any]) -> Grid:
    """Return the values that CPMpy wrote into the variables."""
    return tuple(int(cell.value()) for cell in cells)


_WAIT = 0.1
"""Seconds between two checks of the parent, so that Ctrl-C works while it waits."""


class Child:
    """A process that searches boards with the solvers of CPMpy, and can be ended.

    It imports CPMpy once and answers one search after the other. A limit or Ctrl-C during a search
    ends it, and the next search starts another. It runs `main`.
    """

    def __init__(self) -> None:
        self._pipe, other = Pipe()
        handle = other.fileno()
        self._process = start(
            interpreter(f"from {__name__} import main; main({handle})"),
            handle=handle,
            apart=False,  # a comparison kills it together with its worker's process group
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        other.close()
        keep(self._process.pid)

    def solutions(
        self, solver: str, board: Board, most: int | None, budget: Budget
    ) -> Iterator[Grid | None]:
        """Yield None once the model is built, then up to that many solutions.

        After an exception, such as LimitReached, the child cannot be used again. A solver that
        fails, or whose process ends, raises BackendError.
        """
        with contextlib.suppress(OSError):  # a process that has ended is noticed below
            self._pipe.send((solver, board, most))
        while True:
            while not self._pipe.poll(budget.pause(_WAIT)):
                budget.check_time()
            try:
                kind, content = self._pipe.recv()
            except (EOFError, OSError):
                raise BackendError(
                    f"cpmpy[solver={solver}]: the solver's process ended by itself, "
                    f"with code {self._process.wait()}"
                ) from None
            if kind == "failed":
                raise BackendError(f"cpmpy[solver={solver}]: {content}")
            if kind == "ended":
                return
            yield content

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        release(self._process.pid)
        self._process.wait()
        self._pipe.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.end()


def main(handle: int) -> None:
    """Answer requests that come through the inherited pipe, until the parent has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles the terminal's Ctrl-C
    pipe = connect(handle)
    while True:
        try:
            solver, board, most = pipe.recv()
        except EOFError:
            return
        try:
            count = 0
            for grid in solutions(solver, board):
                pipe.send(("found", grid))
                count += grid is not None
                if count == most:
                    break
            pipe.send(("ended", None))
        except Exception as error:  # noqa: BLE001 - the parent reports it
            pipe.send(("failed", f"{type(error).__name__}: {error}"))
