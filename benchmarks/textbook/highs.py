"""HiGHS: a column a candidate, sums as rows, pairs that exclude each other, lines as flows."""

from __future__ import annotations

import time
from typing import Any

import highspy

from textbook.facts import Accepted, Differ, Equals, Related, Row, facts
from unidoku import Board


def solve(board: Board) -> tuple[int, float]:
    """Write the program with highspy's expressions, and solve it twice."""
    n = board.layout.n
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    x = [[highs.addBinary() for _ in range(n)] for _ in board.layout.cells]
    for cell, row in enumerate(x):
        highs.addConstr(sum(row) == 1)
        highs.addConstr(sum(row[value - 1] for value in board.values(cell)) == 1)
    for fact in facts(board):
        match fact:
            case Differ(cells):
                for value in range(n):
                    total = sum(x[cell][value] for cell in cells)
                    highs.addConstr(total == 1 if len(cells) == n else total <= 1)
            case Equals(cells, total):
                values = [(value + 1) * x[cell][value] for cell in cells for value in range(n)]
                highs.addConstr(sum(values) == total)
            case Related((a, b), _):
                for v, w in fact.forbidden(n):
                    highs.addConstr(x[a][v - 1] + x[b][w - 1] <= 1)
            case Row(cells, rows):
                chosen = [highs.addBinary() for _ in rows]
                highs.addConstr(sum(chosen) == 1)
                for its, row_values in zip(chosen, rows, strict=True):
                    for cell, value in zip(cells, row_values, strict=True):
                        highs.addConstr(its <= x[cell][value - 1])
            case Accepted():
                _flow(highs, x, fact)
    began = time.perf_counter()
    found = 0
    while found < 2:
        highs.run()
        status = highs.getModelStatus()
        if status == highspy.HighsModelStatus.kSolveError:  # 1.14 on some boards, by its presolve
            highs.setOptionValue("presolve", "off")
            highs.run()
            status = highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            break
        if status != highspy.HighsModelStatus.kOptimal:
            raise RuntimeError(f"expected a solution or none, got {status}")
        found += 1
        values = highs.getSolution().col_value
        true = [variable for row in x for variable in row if values[variable.index] > 0.5]
        highs.addConstr(sum(true) <= len(true) - 1)
    return found, time.perf_counter() - began


def _flow(highs: Any, x: list[list[Any]], line: Accepted) -> None:
    """Send one unit through the states of a line: a column a step at each cell."""
    into: dict[int, list[Any]] = {}
    reached = {0}
    for index, cell in enumerate(line.cells):
        out: dict[int, list[Any]] = {}
        after: dict[int, list[Any]] = {}
        by_value: dict[int, list[Any]] = {}
        for state, value, target in line.steps:
            if state in reached:
                arc = highs.addBinary()
                out.setdefault(state, []).append(arc)
                after.setdefault(target, []).append(arc)
                by_value.setdefault(value, []).append(arc)
        for state in reached:
            flow = sum(out.get(state, [])) - sum(into.get(state, []))
            if index:
                if state in out or state in into:
                    highs.addConstr(flow == 0)
            else:
                highs.addConstr(sum(out[state]) == 1)
        for value, column in enumerate(x[cell], start=1):
            highs.addConstr(
                sum(by_value[value]) - column == 0 if value in by_value else column == 0
            )
        into, reached = after, {*after}
    highs.addConstr(sum(arc for state in line.accepting for arc in into.get(state, [])) == 1)
