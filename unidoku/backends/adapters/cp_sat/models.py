"""The ways to say a board to CP-SAT.

A template's variables keep their places in the model, so that a board is written into their
domains in its protocol buffer, and erased afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ortools.sat.python import cp_model

from unidoku.backends.toolkit.budget import Budget
from unidoku.backends.toolkit.cover import cover_of, held_candidates
from unidoku.backends.toolkit.relations import clauses_of, relations_of
from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout


class Model:
    """A model that boards are written into; building one may raise LimitReached.

    Attributes:
        native: what CP-SAT is given.
    """

    def __init__(self) -> None:
        self.native = cp_model.CpModel()

    def write(self, board: Board) -> None:
        """Restrict the variables to the candidates of the board."""

    def erase(self) -> None:
        """Take the board out again."""

    def grid(self, values: str) -> Grid:
        """Return the grid that the values of all variables say, a text such as ``[3, 1, 2]``.

        Value by value the bindings take half a microsecond each; as a text a twentieth.
        """
        return tuple(json.loads(values))


class BooleanModel(Model):
    """A Boolean for each candidate; exactly one holds, or at most one, of each set of a cover."""

    def __init__(self, layout: Layout, budget: Budget) -> None:
        super().__init__()
        self._n = layout.n
        cover = cover_of(layout, budget)
        holds = [self.native.new_bool_var("") for _ in range(cover.size)]
        for group in cover.primary:
            self.native.add_exactly_one(holds[candidate] for candidate in group)
            budget.check_time()
        for group in cover.secondary:
            self.native.add_at_most_one(holds[candidate] for candidate in group)
            budget.check_time()
        for ones, others in clauses_of(layout):
            fails = [~holds[one] for one in ones]
            self.native.add_bool_or([*fails, *[holds[other] for other in others]])
            budget.check_time()
        # Each is its first and last value.
        self._domains = [variable.domain for variable in self.native.proto.variables]
        self._true: list[int] = []
        self._false: list[int] = []

    def write(self, board: Board) -> None:
        """Say which candidates hold, and which do not."""
        self._true, self._false = held_candidates(board)
        for candidate in self._true:
            self._domains[candidate][0] = 1
        for candidate in self._false:
            self._domains[candidate][1] = 0

    def erase(self) -> None:
        """Allow everything again."""
        for candidate in self._true:
            self._domains[candidate][0] = 0
        for candidate in self._false:
            self._domains[candidate][1] = 1

    def grid(self, values: str) -> Grid:
        """Return the grid of the candidates that hold."""
        bits = values[1::3]  # of "[0, 1, 0]" the digits
        starts = range(0, len(bits), self._n)
        return tuple([bits.index("1", start) - start + 1 for start in starts])


class IntegerModel(Model):
    """A variable for each cell, AllDifferent over the units."""

    def __init__(self, layout: Layout, budget: Budget) -> None:
        super().__init__()
        self._all = (1, layout.n)
        cells = [self.native.new_int_var(1, layout.n, name) for name in layout.names]
        for unit in layout.maximal_units:
            self.native.add_all_different([cells[cell] for cell in unit.cells])
            budget.check_time()
        _add_rules(self.native, layout, cells)
        self._domains = [variable.domain for variable in self.native.proto.variables]
        self._written: list[int] = []

    def write(self, board: Board) -> None:
        """Say which values each cell may have."""
        everything = Board.empty(board.layout).candidates
        self._written = [
            cell for cell, mask in enumerate(board.candidates) if mask != everything[cell]
        ]
        for cell in self._written:
            intervals = cp_model.Domain.from_values(values_of(board.candidates[cell]))
            _restrict(self._domains[cell], intervals.flattened_intervals())

    def erase(self) -> None:
        """Allow everything again."""
        for cell in self._written:
            _restrict(self._domains[cell], self._all)


class NaiveModel(Model):
    """What tutorials write: the givens are constraints, and a board needs a model of its own."""

    def __init__(self, board: Board, budget: Budget) -> None:
        super().__init__()
        layout = board.layout
        cells = [self.native.new_int_var(1, layout.n, name) for name in layout.names]
        for unit in layout.units:
            self.native.add_all_different([cells[cell] for cell in unit.cells])
            budget.check_time()
        _add_rules(self.native, layout, cells)
        for cell, (given, mask) in enumerate(zip(board.givens, board.candidates, strict=True)):
            if given:
                self.native.add(cells[cell] == given)
            elif mask != (1 << layout.n) - 1:
                marks = cp_model.Domain.from_values(values_of(mask))
                self.native.add_linear_expression_in_domain(cells[cell], marks)


def _restrict(domain: Any, intervals: Sequence[int]) -> None:
    """Write a domain: the first and last value of each interval."""
    domain.clear()
    domain.extend(intervals)


def _add_rules(model: cp_model.CpModel, layout: Layout, cells: list[cp_model.IntVar]) -> None:
    everything = (1 << layout.n) - 1
    for relation in relations_of(layout):
        table = enumerate(relation.table, start=1)
        apart = [(v, w) for v, mask in table for w in values_of(everything & ~mask)]
        for a, b in relation.pairs:
            model.add_forbidden_assignments([cells[a], cells[b]], apart)
