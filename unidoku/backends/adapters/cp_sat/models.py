"""The encodings of a board for CP-SAT.

A template's variables keep their places in the model, so that a board can be written into their
domains in the model's protocol buffer and erased afterwards.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ortools.sat.python import cp_model

from unidoku.backends.toolkit.budget import Budget
from unidoku.backends.toolkit.clauses import clauses_of_alternatives
from unidoku.backends.toolkit.cover import cover_of, held_candidates, terms_of
from unidoku.backends.toolkit.mdd import Mdd, mdds_of_automata, steps_of
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.relations import clauses_of
from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import SameValues, Sets, Sum
from unidoku.core.layout import Grid, Layout, Unit
from unidoku.core.transforms.lower import Lowered, lower
from unidoku.support.deadline import check_time_limit


class Model:
    """A model that boards are written into; building one may raise LimitReached.

    Attributes:
        native: the model for CP-SAT.
        cells: the number of cells.
        size: the size of the model so far.
    """

    def __init__(self, cells: int) -> None:
        self.native = cp_model.CpModel()
        self.cells = cells
        self.size = ModelSize()

    def write(self, board: Board) -> None:
        """Restrict the variables to the candidates of the board."""

    def erase(self) -> None:
        """Remove the board from the model."""

    def grid(self, values: str) -> Grid:
        """Return the grid from the values of all variables, a text such as ``[3, 1, 2]``.

        The variables of the cells come first. Read one by one, the bindings take half a microsecond
        for each value; read as a text, a twentieth of that.
        """
        return tuple(json.loads(values)[: self.cells])


class BooleanModel(Model):
    """A Boolean for each candidate; exactly one holds, or at most one, of each set of a cover."""

    def __init__(self, layout: Layout, budget: Budget) -> None:
        super().__init__(len(layout))
        self._n = layout.n
        cover = cover_of(layout, budget)
        holds: list[cp_model.IntVar] = []
        for _ in layout.cells:
            self.size.add(layout.n)
            holds += [self.native.new_bool_var("") for _ in range(layout.n)]
        for group in self.size.counted(cover.primary):
            self.native.add_exactly_one(holds[candidate] for candidate in group)
        for group in self.size.counted(cover.secondary):
            self.native.add_at_most_one(holds[candidate] for candidate in group)
        lowered = lower(layout)
        for ones, others in clauses_of(lowered):
            self.size.add(len(ones) + len(others))
            fails = [~holds[candidate] for candidate in ones]
            self.native.add_bool_or([*fails, *[holds[other] for other in others]])
        for constraint in lowered.sets:
            self._add_sets(constraint, holds)
        for sum_ in lowered.sums:
            self._add_sum(sum_, holds)
        for same in lowered.same_values:
            self._add_same_values(same, holds)

        def literal_of(cell: int, value: int) -> cp_model.IntVar:
            return holds[cell * layout.n + value - 1]

        for mdd in mdds_of_automata(lowered):
            _add_line(self, layout.n, mdd, literal_of)
        _add_alternatives(self.native, lowered, literal_of)
        self._size = cover.size
        # Each domain is its first and last value.
        self._domains = [variable.domain for variable in self.native.proto.variables]
        self._true: list[int] = []
        self._false: list[int] = []

    def _add_sets(self, constraint: Sets, holds: list[cp_model.IntVar]) -> None:
        """Choose one set; each value is in one of the cells or in a set that is not chosen."""
        n, model = self._n, self.native
        chosen = [model.new_bool_var("") for _ in constraint.masks]
        model.add_exactly_one(chosen)
        for value in range(n):
            self.size.add(len(chosen))
            _, without = constraint.split(chosen, value + 1)
            model.add_exactly_one(
                [*without, *[holds[cell * n + value] for cell in constraint.cells]]
            )
        low, high = constraint.totals
        if low == high:  # redundant, but propagates more
            self._add_sum(Sum(constraint.cells, (1,) * len(constraint.cells), low, high), holds)

    def _add_sum(self, constraint: Sum, holds: list[cp_model.IntVar]) -> None:
        n = self._n
        self.size.add(n * len(constraint.cells))
        terms = [(holds[candidate], added) for candidate, added in terms_of(constraint, n)]
        total = cp_model.LinearExpr.weighted_sum(*zip(*terms, strict=True))
        self.native.add_linear_constraint(total, constraint.low, constraint.high)

    def _add_same_values(self, constraint: SameValues, holds: list[cp_model.IntVar]) -> None:
        """Demand for each value that both lists hold it equally often."""
        for value in range(self._n):
            self.size.add(2 * len(constraint.cells))
            first, second = (
                [holds[cell * self._n + value] for cell in part] for part in constraint.lists
            )
            weights = [1] * len(first) + [-1] * len(second)
            self.native.add(cp_model.LinearExpr.weighted_sum([*first, *second], weights) == 0)

    def write(self, board: Board) -> None:
        """Set which candidates hold and which do not."""
        self._true, self._false = held_candidates(board)
        for candidate in self._true:
            self._domains[candidate][0] = 1
        for candidate in self._false:
            self._domains[candidate][1] = 0

    def erase(self) -> None:
        """Allow all values again."""
        for candidate in self._true:
            self._domains[candidate][0] = 0
        for candidate in self._false:
            self._domains[candidate][1] = 1

    def grid(self, values: str) -> Grid:
        """Return the grid of the candidates that hold."""
        bits = values[1 : 3 * self._size : 3]  # the digits of "[0, 1, 0]"
        starts = range(0, len(bits), self._n)
        return tuple([bits.index("1", start) - start + 1 for start in starts])


class IntegerModel(Model):
    """A variable for each cell, AllDifferent over the units."""

    def __init__(self, layout: Layout, budget: Budget) -> None:
        super().__init__(len(layout))
        self._all = (1, layout.n)
        _add_integers(self, layout, layout.maximal_units, budget)
        self._domains = [variable.domain for variable in self.native.proto.variables]
        self._written: list[int] = []

    def write(self, board: Board) -> None:
        """Set which values each cell may have."""
        everything = Board.empty(board.layout).candidates
        self._written = [
            cell for cell, mask in enumerate(board.candidates) if mask != everything[cell]
        ]
        for cell in self._written:
            intervals = cp_model.Domain.from_values(values_of(board.candidates[cell]))
            _restrict(self._domains[cell], intervals.flattened_intervals())

    def erase(self) -> None:
        """Allow all values again."""
        for cell in self._written:
            _restrict(self._domains[cell], self._all)


class NaiveModel(Model):
    """The model that tutorials write: givens are constraints, and each board needs a new model."""

    def __init__(self, board: Board, budget: Budget) -> None:
        super().__init__(len(board.layout))
        layout = board.layout
        cells = _add_integers(self, layout, layout.units, budget)
        for cell, given, mask in zip(cells, board.givens, board.candidates, strict=True):
            if given:
                self.native.add(cell == given)
            elif mask != (1 << layout.n) - 1:
                marks = cp_model.Domain.from_values(values_of(mask))
                self.native.add_linear_expression_in_domain(cell, marks)


def _add_integers(
    model: Model, layout: Layout, units: Iterable[Unit], budget: Budget
) -> list[cp_model.IntVar]:
    """Add the units and the rules on a variable for each cell; return the variables."""
    cells = [model.native.new_int_var(1, layout.n, name) for name in layout.names]
    for unit in units:
        model.native.add_all_different([cells[cell] for cell in unit.cells])
        budget.check_time()
    _add_rules(model, layout, cells)
    return cells


def _restrict(domain: Any, intervals: Sequence[int]) -> None:
    """Write a domain: the first and last value of each interval."""
    domain.clear()
    domain.extend(intervals)


_NARROW = 4
"""Up to this many states, lines are encoded by steps, with which takuzu took half the time."""


def _add_line(model: Model, n: int, mdd: Mdd, holds: Callable[[int, int], cp_model.IntVar]) -> None:
    """Demand that a path leads through layers. CP-SAT's own automaton repeats grids."""
    if mdd.is_empty:
        model.native.add_bool_or([])
    elif mdd.width > _NARROW:
        _add_flow(model, n, mdd, holds)
    else:
        _add_steps(model, n, mdd, holds)


def _add_steps(to: Model, n: int, mdd: Mdd, holds: Callable[[int, int], cp_model.IntVar]) -> None:
    """Encode where states and values lead: a Boolean for each state, one true in each layer."""
    model = to.native
    before: dict[int, cp_model.IntVar] = {}
    for cell, states, steps in steps_of(mdd, n):
        after = {state: model.new_bool_var("") for state in states}
        if after:
            model.add_exactly_one(after.values())
        for state, value, target in to.size.counted(steps):
            fails = [~holds(cell, value), *([~before[state]] if before else [])]
            model.add_bool_or(fails if target is None else [*fails, after[target]])
        before = after


def _add_flow(to: Model, n: int, mdd: Mdd, holds: Callable[[int, int], cp_model.IntVar]) -> None:
    """Encode the same as a flow: a Boolean for each arc and each state."""
    model = to.native
    into: dict[int, list[cp_model.IntVar]] = {}
    for index, (cell, arcs) in enumerate(zip(mdd.cells, mdd.arcs, strict=True)):
        out: defaultdict[int, list[cp_model.IntVar]] = defaultdict(list)
        after: defaultdict[int, list[cp_model.IntVar]] = defaultdict(list)
        by_value: defaultdict[int, list[cp_model.IntVar]] = defaultdict(list)
        for state, value, target in to.size.counted(arcs):
            arc = model.new_bool_var("")
            out[state].append(arc)
            after[target].append(arc)
            by_value[value].append(arc)
        for value in range(1, n + 1):
            to.size.add(len(by_value[value]))
            model.add_exactly_one([~holds(cell, value), *by_value[value]])
        if index:
            for state, leaving in out.items():
                to.size.add(len(leaving) + len(into[state]))
                passed = model.new_bool_var("")
                model.add_exactly_one([~passed, *leaving])
                model.add_exactly_one([~passed, *into[state]])
        into = after


def _add_alternatives(
    model: cp_model.CpModel, lowered: Lowered, holds: Callable[[int, int], cp_model.IntVar]
) -> None:
    """Demand one branch of each alternative, by clauses that decide all fresh variables."""
    literals: dict[int, Any] = {}
    sums: dict[int, Sum] = {}
    for clause in clauses_of_alternatives(lowered, sums=sums):
        for variable in map(abs, clause):
            if variable not in literals:
                cell, value = divmod(variable - 1, lowered.n)
                is_fresh = variable > lowered.size
                boolean = model.new_bool_var("") if is_fresh else holds(cell, value + 1)
                literals[variable], literals[-variable] = boolean, ~boolean
        model.add_bool_or([literals[literal] for literal in clause])
    for number, constraint in sums.items():
        check_time_limit()
        terms = [
            (holds(candidate // lowered.n, candidate % lowered.n + 1), added)
            for candidate, added in terms_of(constraint, lowered.n)
        ]
        total = cp_model.LinearExpr.weighted_sum(*zip(*terms, strict=True))
        inside = cp_model.Domain(constraint.low, constraint.high)
        model.add_linear_expression_in_domain(total, inside).only_enforce_if(literals[number])
        outside = inside.complement()
        model.add_linear_expression_in_domain(total, outside).only_enforce_if(literals[-number])


def _add_rules(to: Model, layout: Layout, cells: list[cp_model.IntVar]) -> None:
    model, size = to.native, to.size
    everything = (1 << layout.n) - 1
    for relation in lower(layout).relations:
        table = enumerate(relation.table, start=1)
        apart = [(v, w) for v, mask in table for w in values_of(everything & ~mask)]
        for a, b in relation.pairs:
            size.add(2 * len(apart))
            model.add_forbidden_assignments([cells[a], cells[b]], apart)
    for constraint in lower(layout).sets:
        inside = [cells[cell] for cell in constraint.cells]
        model.add_all_different(inside)
        chosen = [model.new_bool_var("") for _ in constraint.masks]
        model.add_exactly_one(chosen)
        for y, mask in zip(chosen, constraint.masks, strict=True):
            values = cp_model.Domain.from_values(values_of(mask))
            for cell in inside:
                size.add(len(constraint.cells))
                model.add_linear_expression_in_domain(cell, values).only_enforce_if(y)
    for sum_ in lower(layout).sums:
        total = cp_model.LinearExpr.weighted_sum([cells[c] for c in sum_.cells], sum_.weights)
        model.add_linear_constraint(total, sum_.low, sum_.high)
    is_value: dict[tuple[int, int], cp_model.IntVar] = {}

    def holds(cell: int, value: int) -> cp_model.IntVar:
        if (cell, value) not in is_value:
            size.add(4)
            literal = is_value[cell, value] = model.new_bool_var("")
            model.add(cells[cell] == value).only_enforce_if(literal)
            model.add(cells[cell] != value).only_enforce_if(~literal)
        return is_value[cell, value]

    for mdd in mdds_of_automata(lower(layout)):
        _add_line(to, layout.n, mdd, holds)
    for same in lower(layout).same_values:
        for value in range(1, layout.n + 1):
            literals, others = ([holds(cell, value) for cell in part] for part in same.lists)
            model.add(cp_model.LinearExpr.sum(literals) == cp_model.LinearExpr.sum(others))
    _add_alternatives(model, lower(layout), holds)
