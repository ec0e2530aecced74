"""The search through Choco's native library, in slices of a tenth of a second."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from unidoku.backends.adapters.choco.library import backend
from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import checked
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector
from unidoku.backends.toolkit.clauses import clauses_of_alternatives
from unidoku.backends.toolkit.mdd import Mdd, mdd_of, tables_of
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.relations import differences_of
from unidoku.backends.toolkit.rows import members_of, rows_of
from unidoku.core.bits import all_values, is_single, values_of
from unidoku.core.board import Board
from unidoku.core.constraints.automaton import Machine
from unidoku.core.constraints.primitives import Sets, Sum
from unidoku.core.layout import Grid
from unidoku.core.transforms.lower import Lowered, lower, narrowed
from unidoku.support.deadline import time_limit_scope

_choco: Any = backend  # claims to be typed, but is not
_free = _choco.chocosolver_handles_destroy

_MOST_STEPS = 10_000
"""The largest number of steps along a line for Choco's own constraint, which it posts in 0.06 s."""

_SLICE = 0.1
"""Seconds that the solver searches before Python runs again."""

_COLLECTION = 1.2e-6
"""Seconds for each object of a model that a collection of garbage takes in the library, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choco:
    """Choco with its consistency levels, search strategies and learning as options.

    Statistics: ``init_time`` and ``solve_time`` (seconds), ``nodes``, ``failures``.

    On boards of more than 80 values a single propagation may take some tenths of a second, and a
    time limit takes effect only after it.

    Args:
        consistency: consistency of AllDifferent, by Choco's names; ``AC`` is arc consistency, after
            Zhang. ``AC_REGIN``: arc consistency, after Régin. ``BC``: bounds consistency.
            ``DEFAULT``: bounds consistency, and arc consistency now and then. ``FC``: values of
            decided cells are removed from the others. ``NEQS``: a constraint for each pair of
            cells.
        strategy: how the next cell is chosen, by pychoco's names; ``default`` leaves it to Choco.
        learning: learn a clause from each failure (lazy clause generation). With ``FC`` it is as
            fast on hard boards as ``AC`` is without it, and slower on easy ones.
    """

    consistency: Literal["AC", "AC_REGIN", "BC", "DEFAULT", "FC", "NEQS"] = "AC"
    strategy: Literal[
        "default",
        "dom_over_w_deg",
        "dom_over_w_deg_ref",
        "conflict_history",
        "failure_rate_based",
        "failure_length_based",
        "pick_on_dom",
        "min_dom_lb",
        "min_dom_ub",
        "input_order_lb",
        "input_order_ub",
    ] = "failure_rate_based"
    learning: bool = False

    def __post_init__(self) -> None:
        checked("choco", self)

    def search(self, board: Board, request: Request) -> Result:
        """Enumerate the solutions of a model that is made for this call only."""
        budget, collector = Budget(request), SolutionCollector(request)
        board = narrowed(board)
        if 0 in board.candidates:
            return collector.result(Stop.EXHAUSTED, {})
        run = _Run()
        try:
            with time_limit_scope(partial(run.check_time, budget)):
                run.build(board, self)
            init_time = budget.elapsed
            stop = run.search(collector, budget, request.node_limit)
            statistics = budget.times(init_time) | {
                "nodes": _choco.get_node_count(run.solver),
                "failures": _choco.get_fail_count(run.solver),
            }
        except LimitReached as limit:
            return collector.result(limit.stop, {"init_time": budget.elapsed})
        finally:
            run.free()
        return collector.result(stop, statistics)


class _Run:
    """A model, its search, and the handles of all objects that the library made for them."""

    def __init__(self) -> None:
        self.model: Any = None
        self.solver: Any = None
        self._handles: list[Any] = []
        self._values: list[int] = []  # values of the givens; 0 for cells with a variable
        self._open: list[tuple[int, Any]] = []  # cells without a given, and their variables
        self._automata: dict[Machine, Any] = {}
        self._size = ModelSize()

    def free(self) -> None:
        """Release all handles, so that the library frees their objects."""
        for handle in self._handles:
            _free(handle)

    def check_time(self, budget: Budget) -> None:
        """Raise LimitReached if it has to end."""
        if self._has_to_end(budget):
            raise LimitReached(Stop.TIME)

    def _has_to_end(self, budget: Budget) -> bool:
        """Return whether less time is left than the library may take for a single call."""
        left = budget.left
        return left is not None and left <= len(self._handles) * _COLLECTION

    def build(self, board: Board, options: Choco) -> None:
        """Make a variable for each cell, a constraint for each unit, and the strategy."""
        self.model = self._owned(_new_model(options.learning))
        self.solver = self._owned(_choco.get_solver(self.model))
        variables = self._variables(board)
        for unit in board.layout.maximal_units:
            array = self._array([variables[cell] for cell in unit.cells])
            self._post(_choco.all_different(self.model, array, options.consistency))
        for relation in lower(board.layout).relations:
            differences = differences_of(relation.table)
            rows = self._rows(relation.rows) if differences is None else None
            for a, b in relation.pairs:
                x, y = variables[a], variables[b]
                for difference in differences or ():
                    self._post(_choco.arithm_iv_iv_cst(self.model, y, "!=", x, "+", difference))
                if rows is not None:
                    self._post(_choco.table(self.model, self._array([x, y]), rows, True, "CT+"))
        for constraint in lower(board.layout).sets:
            self._post_sets(constraint, variables, options.consistency)
        for sum_ in lower(board.layout).sums:
            self._post_sum(sum_, variables)
        for automaton in lower(board.layout).automata:
            # Choco's own constraint ends the process if a variable occurs twice, and cannot be
            # interrupted while it is posted.
            repeats = len(set(automaton.cells)) < len(automaton.cells)
            steps = len(automaton.machine.steps) * len(automaton.cells) * board.layout.n
            is_large = steps > _MOST_STEPS
            if options.learning or repeats or is_large or not automaton.machine.is_deterministic:
                self._post_mdd(mdd_of(automaton, board.layout.n), variables)
            else:
                cells = [variables[cell] for cell in automaton.cells]
                self._post_regular(automaton.machine, cells)
        for table in lower(board.layout).tables:
            self._post_rows(self._array([variables[cell] for cell in table.cells]), table.rows)
        self._post_clauses(lower(board.layout), variables)
        if options.strategy != "default" and self._open:
            array = self._array([variable for _, variable in self._open])
            getattr(_choco, f"set_{options.strategy}_search")(self.solver, array)

    def _post_sets(self, constraint: Sets, variables: list[Any], consistency: str) -> None:
        """Post that cells differ and hold one of the sets, as rows if there are not too many."""
        cells = self._array([variables[cell] for cell in constraint.cells])
        rows = rows_of(constraint)
        if rows is not None:
            self._post_rows(cells, rows)
            return
        self._post(_choco.all_different(self.model, cells, consistency))
        chosen = self._owned(_choco.intvar_ii(self.model, 0, len(constraint.masks) - 1))
        members = self._rows(members_of(constraint))
        for cell in constraint.cells:
            pair = self._array([chosen, variables[cell]])
            self._post(_choco.table(self.model, pair, members, True, "CT+"))
        low, high = constraint.totals
        if low == high:
            self._post_sum(
                Sum(constraint.cells, (1,) * len(constraint.cells), low, high), variables
            )

    def _post_rows(self, cells: Any, rows: Sequence[Sequence[int]]) -> None:
        """Post that cells hold one of some rows; a table without rows would end the process."""
        if rows:
            self._post(_choco.table(self.model, cells, self._rows(rows), True, "CT+"))
        else:
            self._post(_choco.sum_iv_i(self.model, cells, "=", -1))

    def _post_regular(self, machine: Machine, cells: list[Any]) -> None:
        """Post that a machine accepts cells; a nondeterministic one would end the process."""
        if machine not in self._automata:
            self._automata[machine] = self._automaton(machine)
        self._post(_choco.regular(self.model, self._array(cells), self._automata[machine]))

    def _automaton(self, machine: Machine) -> Any:
        automaton = self._owned(_choco.create_fa())
        states = [_choco.add_state(automaton) for _ in machine.steps]
        values: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for state, value, target in self._size.counted(machine.transitions):
            values[state, target].append(value)
        for (state, target), candidates in values.items():
            variables = self._ints(candidates)
            _choco.add_transition(automaton, states[state], states[target], variables)
        accepting = [state for index, state in enumerate(states) if machine.accepting >> index & 1]
        _choco.set_initial_state(automaton, states[machine.starts.bit_length() - 1])
        _choco.set_final(automaton, self._ints(accepting))
        return automaton

    def _post_mdd(self, mdd: Mdd, variables: list[Any]) -> None:
        """Post that a path leads through layers, with a table for each and variables for states."""
        if mdd.is_empty:
            self._post_rows(self._array([variables[cell] for cell in mdd.cells]), ())
            return
        state: list[Any] = []
        for cell, most, rows in tables_of(mdd):
            after = []
            if most is not None:
                after.append(self._owned(_choco.intvar_ii(self.model, 0, most)))
            self._post_rows(self._array([*state, variables[cell], *after]), rows)
            state = after

    def _post_clauses(self, lowered: Lowered, variables: list[Any]) -> None:
        """Post alternatives and lists of the same values as clauses that decide fresh variables."""
        booleans: dict[int, Any] = {}
        sums: dict[int, Sum] = {}
        for clause in clauses_of_alternatives(lowered, same_values=True, sums=sums):
            for variable in map(abs, clause):
                if variable not in booleans:
                    boolean = booleans[variable] = self._owned(_choco.boolvar(self.model))
                    if variable <= lowered.size:
                        cell, value = divmod(variable - 1, lowered.n)
                        _choco.reify_x_eq_c(self.model, variables[cell], value + 1, boolean)
            signs = ([x for x in clause if x > 0], [-x for x in clause if x < 0])
            clauses = [self._booleans([booleans[x] for x in literals]) for literals in signs]
            _choco.add_clauses(self.model, *clauses)
        for number, constraint in sums.items():
            within = [self._owned(_choco.reify(sum_)) for sum_ in self._sums(constraint, variables)]
            both = self._booleans(within)
            _choco.add_clauses_bool_and_array_eq_var(self.model, both, booleans[number])

    def _booleans(self, variables: Sequence[Any]) -> Any:
        return self._filled(_choco.create_boolvar_array, _choco.boolvar_array_set, variables)

    def _post_sum(self, constraint: Sum, variables: list[Any]) -> None:
        for within in self._sums(constraint, variables):
            _choco.post(within)

    def _sums(self, constraint: Sum, variables: list[Any]) -> Iterator[Any]:
        """Yield the constraints that a sum lies within its bounds."""
        cells = self._array([variables[cell] for cell in constraint.cells])
        weights = self._ints(constraint.weights)
        exact = constraint.low == constraint.high
        for sign, bound in (
            [("=", constraint.low)] if exact else [(">=", constraint.low), ("<=", constraint.high)]
        ):
            yield self._owned(_choco.scalar_i(self.model, cells, weights, sign, bound))

    def _variables(self, board: Board) -> list[Any]:
        """Return a variable for each cell; cells with the same given share a constant."""
        n = board.layout.n
        everything = all_values(n)
        constants: dict[int, Any] = {}
        domains: dict[int, Any] = {}
        variables = []
        for cell, mask in enumerate(board.candidates):
            self._size.add(n)
            if is_single(mask):
                value = mask.bit_length()
                if value not in constants:
                    constants[value] = self._owned(_choco.intvar_i(self.model, value))
                self._values.append(value)
                variables.append(constants[value])
                continue
            if mask == everything:
                variable = _choco.intvar_ii(self.model, 1, n)
            else:
                if mask not in domains:
                    domains[mask] = self._ints(values_of(mask))
                variable = _choco.intvar_arr(self.model, domains[mask])
            self._values.append(0)
            self._open.append((cell, variable))
            self._handles.append(variable)
            variables.append(variable)
        return variables

    def search(self, collector: SolutionCollector, budget: Budget, node_limit: int | None) -> Stop:
        """Search in slices until there are enough solutions, no more, or a limit is reached."""
        stops = self._owned(_choco.create_criterion_array(1 if node_limit is None else 2))
        if node_limit is not None:
            _set_criterion(stops, 1, _choco.node_counter(self.model, node_limit))
        started = budget.elapsed  # the solver's clock starts later and is behind this one
        while True:
            if self._has_to_end(budget):
                return Stop.TIME
            end = math.ceil((budget.elapsed - started + budget.pause(_SLICE)) * 1000)
            _set_criterion(stops, 0, _choco.time_counter(self.model, end))
            while (solution := _choco.find_solution(self.solver, stops)) is not None:
                _free(solution)
                if collector.add(self._grid() if collector.keeps_next else None):
                    return Stop.SOLUTIONS
            if node_limit is not None and _choco.get_node_count(self.solver) >= node_limit:
                return Stop.NODES  # also if the slice is over: another slice would add a node
            if (budget.elapsed - started) * 1000 < end:
                return Stop.EXHAUSTED

    def _grid(self) -> Grid:
        """Read the current solution of the search."""
        values = self._values.copy()
        read = _choco.get_intvar_value
        for cell, variable in self._open:
            values[cell] = read(variable)
        return tuple(values)

    def _owned(self, handle: Any) -> Any:
        self._handles.append(handle)
        return handle

    def _rows(self, rows: Sequence[Sequence[int]]) -> Any:
        """Return rows of values in the library's form."""
        table = self._owned(_choco.create_int_2d_array(len(rows)))
        for index, row in enumerate(rows):
            _choco.int_2d_array_set(table, self._ints(row), index)
        return table

    def _ints(self, values: Sequence[int]) -> Any:
        return self._filled(_choco.create_int_array, _choco.int_array_set, values)

    def _array(self, variables: Sequence[Any]) -> Any:
        return self._filled(_choco.create_intvar_array, _choco.intvar_array_set, variables)

    def _filled(self, create: Any, put: Any, items: Sequence[Any]) -> Any:
        """Return an array of the library that contains the items."""
        self._size.add(len(items))
        array = self._owned(create(len(items)))
        for index, item in enumerate(items):
            put(array, item, index)
        return array

    def _post(self, constraint: Any) -> None:
        _choco.post(self._owned(constraint))


def _new_model(learning: bool) -> Any:
    if not learning:
        return _choco.create_model()
    settings = _choco.init_settings()
    _choco.set_lcg(settings, learning)
    model = _choco.create_model_s_s("board", settings)
    _free(settings)
    return model


def _set_criterion(stops: Any, index: int, criterion: Any) -> None:
    _choco.criterion_array_set(stops, criterion, index)
    _free(criterion)
