"""The rules of a board in the words of textbooks: differ, sums, pairs, rows, automata."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod
from typing import TypeAlias

from unidoku import Board
from unidoku.core.constraints.automaton import Machine
from unidoku.core.constraints.primitives import Automaton, Relation
from unidoku.core.rules import KenKen, Killer, Renban, SumOfCells


@dataclass(frozen=True, slots=True)
class Differ:
    """Cells differ."""

    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Equals:
    """The values of cells sum to a total."""

    cells: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Related:
    """The values of two cells are one of some pairs."""

    cells: tuple[int, ...]
    allowed: tuple[tuple[int, int], ...]

    def forbidden(self, n: int) -> Iterator[tuple[int, int]]:
        """Yield the other pairs."""
        allowed = {*self.allowed}
        values = range(1, n + 1)
        yield from ((v, w) for v in values for w in values if (v, w) not in allowed)


@dataclass(frozen=True, slots=True)
class Row:
    """The values of cells are one of some rows."""

    cells: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Accepted:
    """A deterministic automaton, whose states are numbered from 0, the start, accepts cells."""

    cells: tuple[int, ...]
    states: int
    accepting: tuple[int, ...]
    steps: tuple[tuple[int, int, int], ...]


Fact: TypeAlias = Differ | Equals | Related | Row | Accepted


def facts(board: Board) -> Iterator[Fact]:
    """Yield what the units and rules of a board say.

    Raises:
        ValueError: a rule that no family has.
    """
    layout = board.layout
    yield from (Differ(unit.cells) for unit in layout.units)
    for rule in layout.rules:
        match rule:
            case Killer(cage, int(total)):
                if len(cage) > 1:
                    yield Differ(cage)
                yield Equals(cage, total)
            case SumOfCells(cells, total):
                # Rules speak of the values that people see.
                yield Equals(cells, total - (layout.first_value - 1) * len(cells))
            case KenKen(cage, total, "+"):
                yield Equals(cage, total)
            case KenKen(cage, total, "*"):
                every = product(range(1, layout.n + 1), repeat=len(cage))
                yield Row(cage, tuple(row for row in every if prod(row) == total))
            case Renban(line):
                yield Differ(line)
                near = _pairs(layout.n, len(line))
                yield from (Related(pair, near) for pair in combinations(line, 2))
            case _:
                for constraint in rule.constraints(layout):
                    match constraint:
                        case Relation(_, pairs):
                            yield from (Related(pair, tuple(constraint.rows)) for pair in pairs)
                        case Automaton(cells, machine):
                            yield _accepted(cells, machine)
                        case _:
                            raise ValueError(f"expected a rule of a family, got {rule}")


def _pairs(n: int, apart: int) -> tuple[tuple[int, int], ...]:
    every = product(range(1, n + 1), repeat=2)
    return tuple((a, b) for a, b in every if abs(a - b) < apart)


def _accepted(cells: Sequence[int], machine: Machine) -> Accepted:
    """Return a machine with its sets of states as states."""
    number_of = {machine.starts: 0}
    steps = []
    waiting = [machine.starts]
    n = len(machine.steps[0])
    while waiting:
        states = waiting.pop()
        for value in range(1, n + 1):
            if after := machine.after(states, value):
                if after not in number_of:
                    number_of[after] = len(number_of)
                    waiting.append(after)
                steps.append((number_of[states], value, number_of[after]))
    accepting = tuple(at for states, at in number_of.items() if states & machine.accepting)
    return Accepted(tuple(cells), len(number_of), accepting, tuple(steps))


def partial_sums(fact: Equals, n: int) -> Accepted:
    """Return a sum as an automaton of the partial sums, which libraries of clauses need."""
    states = range(fact.total + 1)
    steps = [(s, v, s + v) for s in states for v in range(1, n + 1) if s + v in states]
    return Accepted(fact.cells, len(states), (fact.total,), tuple(steps))
