"""A board as a model of CPMpy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import Any

import cpmpy
from cpmpy.solvers.solver_interface import ExitStatus
from cpmpy.solvers.utils import SolverLookup

from unidoku.backends.toolkit.clauses import clauses_of_alternatives
from unidoku.backends.toolkit.mdd import Mdd, mdd_of, tables_of
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.rows import members_of, rows_of
from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import Sets, Sum
from unidoku.core.layout import Grid
from unidoku.core.transforms.lower import Lowered, lower
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
