"""Backends that misjudge constraints of some lengths: ``tests.helpers.wrong.lengths:…``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, assert_never

from tests.helpers.wrong.mutants import SERVES
from tests.helpers.wrong.rules import Misreads
from unidoku import Board, Capabilities, Layout, Request, Result
from unidoku.backends.adapters.norvig import Norvig
from unidoku.core.constraints.automaton import Machine
from unidoku.core.constraints.operations import cells_of
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Region,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
    interned_rows,
)
from unidoku.core.rules import AnyOf, Killer, Rule, SumOfCells
from unidoku.testing.truth import ConstraintRule

BANDS = {"short": range(2, 6), "middle": range(6, 10), "long": range(10, 1000)}
"""Numbers of cells."""

CONSTRAINTS = {
    cls.name: cls for cls in (Relation, Sum, Sets, Automaton, Table, SameValues, Region, Or)
}
"""The constraints by name."""


@dataclass(frozen=True, slots=True)
class RepeatsInLongCages(Misreads):
    """In a cage of more than five cells the last one may repeat a value; the sum is right."""

    def misread(self, rule: Rule) -> Rule:
        if not isinstance(rule, Killer) or len(rule.cage) <= 5:
            return rule
        differ: list[Rule] = [Killer(rule.cage[:-1])]
        if rule.total is not None:
            differ.append(SumOfCells(rule.cage, rule.total))
        return AnyOf((tuple(differ),))


@dataclass(frozen=True, slots=True)
class Misjudges:
    """Is wrong about the last cell, or the like, of one shape if that has so many cells."""

    capabilities: ClassVar[Capabilities] = SERVES
    constraint: str = "sums"
    band: str = "long"

    def search(self, board: Board, request: Request) -> Result:
        return Norvig().search(self.misread(board), request)

    def misread(self, board: Board) -> Board:
        """Return the board that is solved; the same one if it has no such constraint."""
        rules = [self._misread(rule, board.layout) for rule in board.layout.rules]
        if rules == list(board.layout.rules):
            return board
        return Board(replace(board.layout, rules=tuple(rules)), board.candidates)

    def _misread(self, rule: Rule, layout: Layout) -> Rule:
        if rule.needs_auxiliary or rule.auxiliary_domains(layout):
            return rule
        constraints = tuple(rule.constraints(layout))
        read = tuple(
            misjudged(constraint, layout.n)
            if type(constraint) is CONSTRAINTS[self.constraint]
            and len(set(cells_of(constraint))) in BANDS[self.band]
            else constraint
            for constraint in constraints
        )
        return rule if read == constraints else ConstraintRule(rule.cells, read)


def misjudged(constraint: Constraint, n: int) -> Constraint:
    """Return a constraint that is nearly the same."""
    match constraint:
        case Relation(table, pairs):
            return Relation(table, pairs[:-1])
        case Sum(cells, weights, low, high):
            return Sum(cells, weights, low, high + 1)
        case Sets(cells, masks):
            less = {mask & ~(1 << bit) for mask in masks for bit in range(n) if mask >> bit & 1}
            return Sets(cells[:-1], tuple(sorted(less)))
        case Automaton(cells, machine):
            return Automaton(cells[:-1], _one_step_before(machine))
        case Table(cells, rows):
            return Table(cells[:-1], interned_rows(tuple(sorted({row[:-1] for row in rows}))))
        case SameValues(cells, others, differ):
            return SameValues(cells[:-1], others[:-1], differ)
        case Region():
            return replace(constraint, pairs=tuple(combinations(sorted(constraint.cells), 2)))
        case Or(branches):
            return Or(branches[:-1]) if len(branches) > 1 else constraint
        case _:
            assert_never(constraint)


def _one_step_before(machine: Machine) -> Machine:
    """Return a machine that accepts what some value would complete."""
    accepting = sum(
        1 << state
        for state, row in enumerate(machine.steps)
        if any(targets & machine.accepting for targets in row)
    )
    return Machine(machine.starts, accepting, machine.steps)
