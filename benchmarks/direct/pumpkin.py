"""Pumpkin without our adapter: the same model in one go, and the tutorial's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pumpkin_solver import Comparator, Model, Predicate, SatisfactionResult
from pumpkin_solver import constraints as post

from unidoku.core.bits import is_single, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.rules import NonConsecutive


def best(layout: Layout) -> Callable[[Board], int]:
    """Count up to two solutions: AllDifferent, propagation, then clauses for what is left."""
    n = layout.n
    units = [unit.cells for unit in layout.maximal_units]
    full_units = [unit.cells for unit in layout.full_units]

    def count(board: Board) -> int:
        if 0 in board.candidates:
            return 0
        model = Model()
        try:
            return search(model, board)
        except RuntimeError:
            if not model.is_inconsistent():
                raise
            return 0

    def search(model: Any, board: Board) -> int:
        tag = model.new_constraint_tag()
        candidates = list(board.candidates)
        variables = [
            model.new_integer_variable((mask & -mask).bit_length(), mask.bit_length())
            for mask in candidates
        ]
        _remove_gaps(model, variables, candidates, tag)
        for cells in units:
            model.add_constraint(post.AllDifferent([variables[cell] for cell in cells], tag))
        _add_rules(model, variables, layout, tag)
        model.propagate_to_fixpoint()
        if model.is_inconsistent():
            return 0
        contains = model.contains
        unknown = []
        for cell, mask in enumerate(candidates):
            if not is_single(mask):
                variable = variables[cell]
                left = 0
                for value in values_of(mask):
                    if contains(variable, value):
                        left |= 1 << (value - 1)
                candidates[cell] = left
                if not is_single(left):
                    unknown.append(cell)
        holds: dict[tuple[int, int], Any] = {}
        for cells in full_units:
            held = 0
            for cell in cells:
                if is_single(candidates[cell]):
                    held |= candidates[cell]
            for value in values_of(~held & ((1 << n) - 1)):
                literals = []
                for cell in cells:
                    if candidates[cell] >> (value - 1) & 1:
                        if (cell, value) not in holds:
                            predicate = Predicate(variables[cell], Comparator.Equal, value)
                            holds[cell, value] = model.predicate_as_boolean(predicate, tag)
                        literals.append(holds[cell, value])
                model.add_constraint(post.Clause(literals, tag))
        result = model.satisfy()
        if not isinstance(result, SatisfactionResult.Satisfiable):
            return 0
        if not unknown:
            return 1
        value_in = result._0.int_value  # each look at _0 copies the solution
        solution = [value_in(variables[cell]) for cell in unknown]
        other = post.NegativeTable([variables[cell] for cell in unknown], [solution], tag)
        try:
            model.add_constraint(other)
        except RuntimeError:
            return 1
        return 1 + isinstance(model.satisfy(), SatisfactionResult.Satisfiable)

    return count


def _remove_gaps(model: Any, variables: list[Any], candidates: list[int], tag: Any) -> None:
    for variable, mask in zip(variables, candidates, strict=True):
        for value in values_of(((1 << mask.bit_length()) - (mask & -mask)) & ~mask):
            model.add_constraint(post.NotEquals([variable], value, tag))


def _add_rules(model: Any, variables: list[Any], layout: Layout, tag: Any) -> None:
    for rule in layout.rules:
        assert isinstance(rule, NonConsecutive)
        for a, b in rule.pairs:
            for x, y in ((variables[a], variables[b]), (variables[b], variables[a])):
                model.add_constraint(post.BinaryNotEquals(x.offset(1), y, tag))


def naive(board: Board) -> int:
    """Count up to two solutions: AllDifferent, equalities for the givens, a forbidden table."""
    model = Model()
    tag = model.new_constraint_tag()
    variables = [model.new_integer_variable(1, board.layout.n) for _ in board.layout.cells]
    found = 0
    try:
        for unit in board.layout.units:
            model.add_constraint(post.AllDifferent([variables[cell] for cell in unit.cells], tag))
        _add_rules(model, variables, board.layout, tag)
        for variable, mask in zip(variables, board.candidates, strict=True):
            table = [[value] for value in values_of(mask)]
            model.add_constraint(post.Table([variable], table, tag))
        while found < 2:
            result = model.satisfy()
            if not isinstance(result, SatisfactionResult.Satisfiable):
                return found
            found += 1
            solution = list(map(result._0.int_value, variables))
            model.add_constraint(post.NegativeTable(variables, [solution], tag))
    except RuntimeError:
        if not model.is_inconsistent():
            raise
    return found
