"""Choco by pychoco's classes: AllDifferent, sums, tables, regular, and its default search."""

from __future__ import annotations

import time
from typing import Any

from pychoco.model import Model
from pychoco.objects.automaton.finite_automaton import FiniteAutomaton

from textbook.facts import Accepted, Differ, Equals, Related, Row, facts
from unidoku import Board

_Model: Any = Model  # says that it is typed, and is not
_Automaton: Any = FiniteAutomaton


def solve(board: Board) -> tuple[int, float]:
    """Ask for two solutions."""
    model = _Model()
    cells = [model.intvar(list(board.values(cell))) for cell in board.layout.cells]
    automata: dict[object, Any] = {}
    for fact in facts(board):
        its = [cells[cell] for cell in fact.cells]
        match fact:
            case Differ():
                model.all_different(its).post()
            case Equals(_, total):
                model.sum(its, "=", total).post()
            case Related(_, rows) | Row(_, rows):
                model.table(its, [list(row) for row in rows]).post()
            case Accepted(_, _, accepting, steps):
                key = accepting, steps
                if key not in automata:
                    automata[key] = _automaton(fact)
                model.regular(its, automata[key]).post()
    solver = model.get_solver()
    began = time.perf_counter()
    found = 0
    while found < 2 and solver.solve():
        found += 1
    return found, time.perf_counter() - began


def _automaton(line: Accepted) -> Any:
    automaton = _Automaton()
    states = [automaton.add_state() for _ in range(line.states)]
    automaton.set_initial_state(states[0])
    automaton.set_final(*[states[state] for state in line.accepting])
    for state, value, target in line.steps:
        automaton.add_transition(states[state], states[target], value)
    return automaton
