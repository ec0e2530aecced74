"""Pumpkin: AllDifferent, Equals and tables; lines by tables with an integer a state."""

from __future__ import annotations

import time
from typing import Any

from pumpkin_solver import Model, SatisfactionResult
from pumpkin_solver import constraints as post

from textbook.facts import Accepted, Differ, Equals, Related, Row, facts
from unidoku import Board


def solve(board: Board) -> tuple[int, float]:
    """Search twice, the first solution forbidden by a table."""
    model = Model()
    tag = model.new_constraint_tag()
    cells = [model.new_integer_variable(1, board.layout.n) for _ in board.layout.cells]
    began = time.perf_counter()
    found = 0
    try:
        for cell, variable in enumerate(cells):
            if len(values := board.values(cell)) < board.layout.n:
                model.add_constraint(post.Table([variable], [[value] for value in values], tag))
        for fact in facts(board):
            its = [cells[cell] for cell in fact.cells]
            match fact:
                case Differ():
                    model.add_constraint(post.AllDifferent(its, tag))
                case Equals(_, total):
                    model.add_constraint(post.Equals(its, total, tag))
                case Related(_, rows) | Row(_, rows):
                    table = [list(row) for row in rows]
                    model.add_constraint(post.Table(its, table, tag))
                case Accepted():
                    _line(model, its, fact, tag)
        began = time.perf_counter()
        while found < 2:
            result = model.satisfy()
            if not isinstance(result, SatisfactionResult.Satisfiable):
                break
            found += 1
            value_in = result._0.int_value
            solution = [value_in(cell) for cell in cells]
            model.add_constraint(post.NegativeTable(cells, [solution], tag))
    except RuntimeError:
        if not model.is_inconsistent():
            raise
    return found, time.perf_counter() - began


def _line(model: Any, its: list[Any], line: Accepted, tag: Any) -> None:
    steps = [list(step) for step in line.steps]
    before = model.new_integer_variable(0, 0)
    for cell in its:
        after = model.new_integer_variable(0, line.states - 1)
        model.add_constraint(post.Table([before, cell, after], steps, tag))
        before = after
    model.add_constraint(post.Table([before], [[state] for state in line.accepting], tag))
