"""Z3 without Unidoku: as fast as it goes, and as it is taught."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from inspect import signature
from itertools import repeat

import z3
from z3 import z3core

from unidoku import Board, Layout
from unidoku.backends.toolkit.cover import cover_of
from unidoku.backends.toolkit.relations import clauses_of
from unidoku.core.bits import values_of
from unidoku.core.transforms.lower import lower

CLAUSES_UP_TO = 9
"""Values up to which clauses of two literals beat cardinality constraints."""


def best(layout: Layout) -> Callable[[Board], int]:
    """Assert Booleans once, by the low-level interface; assume the board, read the trail.

    The solution found is excluded in a scope, where the board is asserted.
    """
    owner = z3.Context()
    simple = z3.SimpleSolver(ctx=owner)
    simple.set(relevancy=0, phase_selection=1)
    context, solver = owner.ref(), simple.solver
    cover = cover_of(layout)
    boolean = z3core.Z3_mk_bool_sort(context)
    holds, fails = [], []
    for candidate in range(cover.size):
        symbol = z3core.Z3_mk_int_symbol(context, candidate)
        holds.append(z3core.Z3_mk_const(context, symbol, boolean))
        z3core.Z3_inc_ref(context, holds[-1])
        fails.append(z3core.Z3_mk_not(context, holds[-1]))
        z3core.Z3_inc_ref(context, fails[-1])
    candidate_of = {literal.value: candidate for candidate, literal in enumerate(holds)}
    function = signature(z3core.Z3_ast_vector_get).parameters["_elems"].default.f
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    literal_of = ctypes.PYFUNCTYPE(ctypes.c_void_p)(address)
    ast = z3.Ast

    def assert_one_of(literals: list[z3.Ast]) -> None:
        size = len(literals)
        clause = z3core.Z3_mk_or(context, size, (ast * size)(*literals))
        z3core.Z3_solver_assert(context, solver, clause)

    for group in cover.primary:
        assert_one_of([holds[candidate] for candidate in group])
    if layout.n <= CLAUSES_UP_TO:
        for a, b in cover.exclusive_pairs():
            assert_one_of([fails[a], fails[b]])
    else:
        for group in (*cover.primary, *cover.secondary):
            size = len(group)
            literals = (ast * size)(*[holds[candidate] for candidate in group])
            z3core.Z3_solver_assert(
                context, solver, z3core.Z3_mk_atmost(context, size, literals, 1)
            )
        for ones, others in clauses_of(lower(layout)):
            assert_one_of([*[fails[one] for one in ones], *[holds[other] for other in others]])
    n = layout.n
    everything = (1 << n) - 1

    def count(board: Board) -> int:
        assert simple.ctx is owner, "both live as long as this function"
        known = set()
        assumed = []
        start = 0
        for mask in board.candidates:
            if mask != everything:
                if mask and not mask & (mask - 1):
                    known.add(start + mask.bit_length() - 1)
                else:
                    assumed += [fails[start + value - 1] for value in values_of(everything & ~mask)]
            start += n
        assumed += [holds[candidate] for candidate in known]
        size = len(assumed)
        literals = (ast * size)(*assumed)
        if z3core.Z3_solver_check_assumptions(context, solver, size, literals) != z3.Z3_L_TRUE:
            return 0
        trail = z3core.Z3_solver_get_trail(context, solver)
        z3core.Z3_ast_vector_inc_ref(context, trail)
        length = z3core.Z3_ast_vector_size(context, trail)
        assigned = map(literal_of, repeat(context, length), repeat(trail), range(length))
        found = {candidate_of[literal] for literal in candidate_of.keys() & assigned}
        z3core.Z3_ast_vector_dec_ref(context, trail)
        z3core.Z3_solver_push(context, solver)
        facts = z3core.Z3_mk_and(context, size, literals)
        z3core.Z3_solver_assert(context, solver, facts)
        assert_one_of([fails[candidate] for candidate in found - known])
        answer = z3core.Z3_solver_check_assumptions(context, solver, 0, None)
        z3core.Z3_solver_pop(context, solver, 1)
        return 2 if answer == z3.Z3_L_TRUE else 1

    return count


def naive(board: Board) -> int:
    """Integers, Distinct and an equation a given; then the solution found is excluded."""
    cells = z3.IntVector("cell", len(board.layout))
    solver = z3.Solver()
    for cell, variable in enumerate(cells):
        values = board.values(cell)
        solver.add(variable >= 1, variable <= board.layout.n)
        if len(values) < board.layout.n:
            solver.add(z3.Or([variable == value for value in values]))
    for unit in board.layout.units:
        solver.add(z3.Distinct([cells[cell] for cell in unit.cells]))
    models = 0
    while models < 2 and solver.check() == z3.sat:
        models += 1
        model = solver.model()
        solver.add(z3.Or([variable != model[variable] for variable in cells]))
    return models
