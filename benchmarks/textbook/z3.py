"""Z3: an integer a cell, Distinct, sums, and an integer a state of a line."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import Any

import z3

from textbook.facts import Accepted, Differ, Equals, Related, Row, facts
from unidoku import Board


def solve(board: Board) -> tuple[int, float]:
    """Check twice, the first solution excluded."""
    cells = z3.IntVector("cell", len(board.layout))
    solver = z3.Solver()
    for cell, variable in enumerate(cells):
        solver.add(variable >= 1, variable <= board.layout.n)
        if len(values := board.values(cell)) < board.layout.n:
            solver.add(z3.Or([variable == value for value in values]))
    for number, fact in enumerate(facts(board)):
        its = [cells[cell] for cell in fact.cells]
        match fact:
            case Differ():
                solver.add(z3.Distinct(its))
            case Equals(_, total):
                solver.add(z3.Sum(its) == total)
            case Related(_, rows) | Row(_, rows):
                same = (
                    z3.And([a == value for a, value in zip(its, row, strict=True)]) for row in rows
                )
                solver.add(z3.Or([*same]))
            case Accepted():
                _line(solver, its, fact, number)
    began = time.perf_counter()
    found = 0
    while found < 2 and solver.check() == z3.sat:
        found += 1
        model = solver.model()
        solver.add(z3.Or([cell != model[cell] for cell in cells]))
    return found, time.perf_counter() - began


def _line(solver: Any, its: list[Any], line: Accepted, number: int) -> None:
    """Say of each cell which states may come after which: by values, and by the states."""
    states = z3.IntVector(f"state{number}", len(its) + 1)
    solver.add(states[0] == 0)
    values: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for state, value, target in line.steps:
        values[state, target].append(value)
    for cell, before, after in zip(its, states, states[1:], strict=False):
        steps = (
            z3.And(before == state, after == target, z3.Or([cell == value for value in some]))
            for (state, target), some in values.items()
        )
        solver.add(z3.Or([*steps]))
    solver.add(z3.Or([states[len(its)] == state for state in line.accepting]))
