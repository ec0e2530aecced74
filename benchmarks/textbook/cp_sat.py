"""CP-SAT: an integer a cell, AllDifferent, sums, tables and automata, with its own parameters."""

from __future__ import annotations

import time

from ortools.sat.python import cp_model

from textbook.facts import Accepted, Differ, Equals, Related, Row, facts
from unidoku import Board


def solve(board: Board) -> tuple[int, float]:
    """Solve twice, the first solution forbidden: beside an automaton solutions are repeated."""
    model = cp_model.CpModel()
    cells = [
        model.new_int_var_from_domain(cp_model.Domain.from_values(list(board.values(cell))), name)
        for cell, name in enumerate(board.layout.names)
    ]
    for fact in facts(board):
        its = [cells[cell] for cell in fact.cells]
        match fact:
            case Differ():
                model.add_all_different(its)
            case Equals(_, total):
                model.add(sum(its) == total)
            case Related(_, rows) | Row(_, rows):
                model.add_allowed_assignments(its, rows)
            case Accepted(_, _, accepting, steps):
                model.add_automaton(its, 0, accepting, steps)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    # Without it the presolve of 9.15 calls models infeasible that are not.
    solver.parameters.presolve_inclusion_work_limit = 0
    began = time.perf_counter()
    found = 0
    while found < 2 and solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        found += 1
        model.add_forbidden_assignments(cells, [[solver.value(cell) for cell in cells]])
    return found, time.perf_counter() - began
