"""The constraints of a layout, kept in Z3, and the search through its low-level interface."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from inspect import signature
from itertools import repeat
from typing import Any, Literal

import z3
from z3 import z3core

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import Value, checked, options_of
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector, collect
from unidoku.backends.toolkit.clauses import Clauses
from unidoku.backends.toolkit.cover import Cover, cover_of, grid_of, held_candidates
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.stopping import stopped_from_outside
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.core.transforms.lower import lower, narrowed
from unidoku.errors import BackendError

CLAUSES_UP_TO = 9
"""Up to this many values, clauses of two literals propagate faster than cardinality constraints."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Z3:
    """Z3's SMT core, used on Booleans only.

    With a seed no model is reused, so that the same seed finds the same solution.

    Statistics: ``init_time`` and ``solve_time`` (seconds), ``nodes`` (decisions), ``failures``
    (conflicts), ``propagations``, ``restarts``.

    Args:
        encoding: how to encode that candidates exclude each other: ``clauses`` of two literals, or
            ``counts``, Z3's at-most-one constraints; by default clauses up to nine values.
        phase: the sign that a decision tries first; ``caching`` repeats the last one.
    """

    encoding: Literal["clauses", "counts"] | None = None
    phase: Literal["positive", "negative", "caching", "random"] = "positive"

    def __post_init__(self) -> None:
        checked("z3", self)

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the options and the parameters of Z3's solvers."""
        parameters = options_of(self) | _parameters_of(self, request.seed or 0)
        parameters["encoding"] = (
            self.encoding or f"clauses up to {CLAUSES_UP_TO} values, counts above"
        )
        return parameters

    def search(self, board: Board, request: Request) -> Result:
        """Check under assumptions; exclude each solution and check again until there are enough."""
        budget, collector = Budget(request), SolutionCollector(request)
        board = narrowed(board)
        try:
            if request.seed is not None:
                model = _Model(self, board.layout, budget, request.seed)
                return model.search(board, budget, collector)
            with _MODELS.lend(
                board.layout, self, lambda: _Model(self, board.layout, budget, 0)
            ) as model:
                return model.search(board, budget, collector)
        except LimitReached as limit:
            return collector.result(limit.stop, {"init_time": budget.elapsed})


def _parameters_of(options: Z3, seed: int) -> dict[str, Value]:
    """Return the parameters of a solver, by Z3's names."""
    return {
        "ctrl_c": False,
        "relevancy": 0,  # for quantifiers only: without it, Booleans are searched faster
        "phase_selection": _PHASES[options.phase],
        "random_seed": seed % 2**32,
    }


class _Model:
    """A solver that holds the constraints of a layout; used by one search at a time."""

    def __init__(self, options: Z3, layout: Layout, budget: Budget, seed: int) -> None:
        self.layout = layout
        self.context = z3.Context()
        self.solver = z3.SimpleSolver(ctx=self.context)
        self.solver.set(**_parameters_of(options, seed))
        self.limit = _NO_LIMIT
        self.guards = 0
        self.excluded: int = 0
        self.counters = dict.fromkeys(_COUNTERS.values(), 0)
        # The addresses that Z3's low-level functions expect.
        self.at = (self.context.ref(), self.solver.solver)
        cover = cover_of(layout, budget)
        self._make_literals(cover, budget)
        encoding = options.encoding or ("clauses" if layout.n <= CLAUSES_UP_TO else "counts")
        self._write(cover, encoding == "clauses", budget)

    def _make_literals(self, cover: Cover, budget: Budget) -> None:
        """Make a constant for each candidate, and its negation."""
        self.boolean = z3core.Z3_mk_bool_sort(self.at[0])
        self.holds: list[Any] = []
        self.fails: list[Any] = []
        for candidate in range(cover.size):
            if candidate % self.layout.n == 0:
                budget.check_time()
            self._add_literal()
        self.candidate_of = {holds.value: at for at, holds in enumerate(self.holds)}

    def _add_literal(self) -> None:
        """Make the next constant of the model, and its negation."""
        holds, fails = self._make_literal(len(self.holds))
        self.holds.append(holds)
        self.fails.append(fails)

    def _make_literal(self, number: int) -> tuple[Any, Any]:
        """Make a Boolean constant with this number as its name; return it, and its negation."""
        context = self.at[0]
        symbol = z3core.Z3_mk_int_symbol(context, number)
        holds = z3core.Z3_mk_const(context, symbol, self.boolean)
        z3core.Z3_inc_ref(context, holds)
        fails = z3core.Z3_mk_not(context, holds)
        z3core.Z3_inc_ref(context, fails)
        return holds, fails

    def _write(self, cover: Cover, clauses: bool, budget: Budget) -> None:
        """Assert the constraints of the layout.

        Args:
            cover: the units, as sets of candidates of which one holds, or at most one.
            clauses: whether "at most one" is a clause for each pair of candidates; otherwise it is
                a count.
            budget: time limit of the search.

        Raises:
            LimitReached: the time has passed.
        """
        for group in ModelSize().counted(cover.primary):
            self._assert_one_of([self.holds[candidate] for candidate in group])
        pairs = cover.exclusive_pairs() if clauses else ()
        for index, (a, b) in enumerate(pairs):
            if index % _PAIRS_BETWEEN_CHECKS == 0:
                budget.check_time()
            self._assert_one_of([self.fails[a], self.fails[b]])
        for clause in Clauses(lower(self.layout), forward=True):
            while len(self.holds) < max(map(abs, clause), default=0):
                self._add_literal()
            literals = (self.holds[x - 1] if x > 0 else self.fails[-x - 1] for x in clause)
            self._assert_one_of(list(literals))
        context, solver = self.at
        for group in () if clauses else (*cover.primary, *cover.secondary):
            budget.check_time()
            size = len(group)
            terms = (z3.Ast * size)(*[self.holds[candidate] for candidate in group])
            z3core.Z3_solver_assert(context, solver, z3core.Z3_mk_atmost(context, size, terms, 1))

    def _assert_one_of(self, literals: Sequence[Any]) -> None:
        context, solver = self.at
        size = len(literals)
        clause = z3core.Z3_mk_or(context, size, (z3.Ast * size)(*literals))
        z3core.Z3_solver_assert(context, solver, clause)

    def search(self, board: Board, budget: Budget, collector: SolutionCollector) -> Result:
        """Enumerate the solutions of a board and leave the solver ready for the next board."""
        init_time = budget.elapsed
        with (
            stopped_from_outside(self.context.interrupt),
            closing(self._solutions(board, budget)) as solutions,
        ):
            stop = collect(solutions, collector)
        statistics = budget.times(init_time) | self._count()
        if stop is Stop.TIME and (budget.left is None or budget.left > 0):
            raise BackendError(f"z3: no decision: {self.solver.reason_unknown()}")
        return collector.result(stop, statistics)

    def _solutions(self, board: Board, budget: Budget) -> Generator[Grid, None, None]:
        """Yield the solutions; raise LimitReached if Z3 does not decide."""
        true, false = held_candidates(board)
        known = set(true)
        assumptions = [self.holds[candidate] for candidate in true]
        assumptions += [self.fails[candidate] for candidate in false]
        if not self._check(assumptions, budget):
            return
        chosen = self._true_candidates()
        yield grid_of(self.layout, chosen)
        others = [self.fails[candidate] for candidate in chosen if candidate not in known]
        if not self._check_for(others, assumptions, budget):
            return
        guard, retired = self._make_literal(len(self.holds) + self.guards)
        self.guards += 1
        assumptions.append(guard)
        try:
            while True:
                self._assert_one_of([*others, retired])
                self.excluded += 1
                if not self._check(assumptions, budget):
                    return
                chosen = self._true_candidates()
                yield grid_of(self.layout, chosen)
                others = [self.fails[candidate] for candidate in chosen if candidate not in known]
        finally:
            self._assert_one_of([retired])

    def _check_for(self, others: Sequence[Any], facts: Sequence[Any], budget: Budget) -> bool:
        """Search for a solution in which one of some literals holds.

        The search runs in a scope, with the known candidates of the board as facts. That there is
        none is proved faster this way than under assumptions, and nothing stays in the solver.
        """
        context, solver = self.at
        z3core.Z3_solver_push(context, solver)
        try:
            size = len(facts)
            fact = z3core.Z3_mk_and(context, size, (z3.Ast * size)(*facts))
            z3core.Z3_solver_assert(context, solver, fact)
            self._assert_one_of(others)
            return self._check([], budget)
        finally:
            z3core.Z3_solver_pop(context, solver, 1)

    def _check(self, assumptions: Sequence[Any], budget: Budget) -> bool:
        """Search for one solution within the time limit; return whether there is one."""
        budget.check_time()
        remaining = budget.left
        limit = _NO_LIMIT if remaining is None else min(math.ceil(remaining * 1000), _NO_LIMIT)
        if not limit <= self.limit <= limit + _TOLERANCE:
            self.solver.set(timeout=limit)
            self.limit = limit
        context, solver = self.at
        size = len(assumptions)
        terms = (z3.Ast * size)(*assumptions)
        answer = z3core.Z3_solver_check_assumptions(context, solver, size, terms)
        if answer == z3.Z3_L_UNDEF:
            raise LimitReached(Stop.TIME)
        return bool(answer == z3.Z3_L_TRUE)

    def _true_candidates(self) -> list[int]:
        """Return the candidates that hold in the solution just found."""
        context, solver = self.at
        trail = z3core.Z3_solver_get_trail(context, solver)
        z3core.Z3_ast_vector_inc_ref(context, trail)
        size = z3core.Z3_ast_vector_size(context, trail)
        literals = map(_literal_of, repeat(context, size), repeat(trail), range(size))
        chosen = [self.candidate_of[literal] for literal in self.candidate_of.keys() & literals]
        z3core.Z3_ast_vector_dec_ref(context, trail)
        return chosen if len(chosen) == len(self.layout) else self._true_in_model()

    def _true_in_model(self) -> list[int]:
        """Return the candidates that hold according to Z3's model."""
        model = self.solver.model()
        return [
            candidate
            for candidate in self.candidate_of.values()
            if z3.is_true(
                model.eval(z3.BoolRef(self.holds[candidate], self.context), model_completion=True)
            )
        ]

    def _count(self) -> dict[str, int]:
        """Return what Z3 counted since the last call."""
        context, solver = self.at
        statistics = z3core.Z3_solver_get_statistics(context, solver)
        z3core.Z3_stats_inc_ref(context, statistics)
        before, now = self.counters, dict.fromkeys(self.counters, 0)
        for number in range(z3core.Z3_stats_size(context, statistics)):
            name = _COUNTERS.get(_name_of(context, statistics, number))
            if name is not None:
                now[name] += _number_of(context, statistics, number)
        z3core.Z3_stats_dec_ref(context, statistics)
        self.counters = now
        return {name: now[name] - before[name] for name in now}


MOST_EXCLUDED = 2000
"""How many solutions of earlier boards a model may exclude before it is replaced."""

_MODELS: Models[_Model] = Models(lambda model: model.excluded > MOST_EXCLUDED)

_PHASES = {"negative": 0, "positive": 1, "caching": 2, "random": 5}

_COUNTERS = {
    b"decisions": "nodes",
    b"conflicts": "failures",
    b"propagations": "propagations",
    b"restarts": "restarts",
}
"""Z3's counters under our names."""

_PAIRS_BETWEEN_CHECKS = 1024

_NO_LIMIT = 2**32 - 1
"""Milliseconds that mean no limit."""

_TOLERANCE = 20
"""Milliseconds by which a limit may be late: setting it takes as long as some searches."""


def _unchecked(function: Callable[..., object], result: Any) -> Callable[..., Any]:
    """Return a low-level function without its check for errors, in a third of the time."""
    address = ctypes.cast(signature(function).parameters["_elems"].default.f, ctypes.c_void_p)
    return ctypes.PYFUNCTYPE(result)(address.value or 0)


_literal_of = _unchecked(z3core.Z3_ast_vector_get, ctypes.c_void_p)
_name_of = _unchecked(z3core.Z3_stats_get_key, ctypes.c_char_p)
_number_of = _unchecked(z3core.Z3_stats_get_uint_value, ctypes.c_uint)
