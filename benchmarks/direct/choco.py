"""Choco without our adapter: pychoco's functions for handles, and the way of its documentation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pychoco import backend
from pychoco.model import Model

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.rules import NonConsecutive

_choco: Any = backend  # says that it is typed, and is not
_Model: Any = Model


def best(layout: Layout) -> Callable[[Board], int]:
    """Count up to two solutions by handles alone, each of them freed; no limit, no grid."""
    n = layout.n
    units = [unit.cells for unit in layout.maximal_units]
    pairs = [
        pair for rule in layout.rules if isinstance(rule, NonConsecutive) for pair in rule.pairs
    ]

    def array(variables: list[Any], owned: list[Any]) -> Any:
        made = _choco.create_intvar_array(len(variables))
        owned.append(made)
        put = _choco.intvar_array_set
        for index, variable in enumerate(variables):
            put(made, variable, index)
        return made

    def domain(board: Board, cell: int, owned: list[Any]) -> Any:
        values = board.values(cell)
        made = _choco.create_int_array(len(values))
        owned.append(made)
        for index, value in enumerate(values):
            _choco.int_array_set(made, value, index)
        return made

    def count(board: Board) -> int:
        if 0 in board.candidates:
            return 0
        model = _choco.create_model()
        solver = _choco.get_solver(model)
        owned = [model, solver]
        constants: dict[int, Any] = {}
        variables = []
        unknown = []
        for cell, given in enumerate(board.givens):
            if given:
                if given not in constants:
                    constants[given] = _choco.intvar_i(model, given)
                    owned.append(constants[given])
                variables.append(constants[given])
                continue
            if board.candidates[cell] == (1 << n) - 1:
                variable = _choco.intvar_ii(model, 1, n)
            else:
                variable = _choco.intvar_arr(model, domain(board, cell, owned))
            variables.append(variable)
            unknown.append(variable)
        owned += unknown
        for cells in units:
            unit = array([variables[cell] for cell in cells], owned)
            constraint = _choco.all_different(model, unit, "AC")
            _choco.post(constraint)
            owned.append(constraint)
        for a, b in pairs:
            constraint = _choco.distance_iv_iv_i(model, variables[a], variables[b], "!=", 1)
            _choco.post(constraint)
            owned.append(constraint)
        if unknown:
            _choco.set_failure_rate_based_search(solver, array(unknown, owned))
        stops = _choco.create_criterion_array(0)
        owned.append(stops)
        found = 0
        while found < 2 and _choco.solve(solver, stops):
            found += 1
        for handle in owned:
            _choco.chocosolver_handles_destroy(handle)
        return found

    return count


def naive(board: Board) -> int:
    """Count up to two solutions by pychoco's classes, as its notebook on Sudoku has it."""
    model = _Model()
    variables = [
        model.intvar(list(values)) for values in map(board.values, board.layout.cells) if values
    ]
    if len(variables) < len(board.layout):
        return 0
    for unit in board.layout.units:
        model.all_different([variables[cell] for cell in unit.cells]).post()
    for rule in board.layout.rules:
        assert isinstance(rule, NonConsecutive)
        for a, b in rule.pairs:
            model.distance(variables[a], variables[b], "!=", 1).post()
    solver = model.get_solver()
    found = 0
    while found < 2 and solver.solve():
        found += 1
    return found
