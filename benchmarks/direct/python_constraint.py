"""python-constraint, called directly."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import constraint

from unidoku import Board, Layout
from unidoku.core.bits import values_of


def best(layout: Layout) -> Callable[[Board], int]:
    """AllDifferent over the units, singleton domains, and not the default solver of version 2."""
    units = [list(unit.cells) for unit in layout.maximal_units]

    def count(board: Board) -> int:
        if 0 in board.candidates:
            return 0
        problem = constraint.Problem(constraint.BacktrackingSolver())
        for cell, mask in enumerate(board.candidates):
            problem.addVariable(cell, list(values_of(mask)))
        for unit in units:
            problem.addConstraint(constraint.AllDifferentConstraint(), unit)
        return len(list(islice(problem.getSolutionIter(), 2)))

    return count


def naive(board: Board) -> int:
    """Full domains, the givens as constraints, all solutions of the default solver, cut to two."""
    layout = board.layout
    problem = constraint.Problem()
    problem.addVariables(list(layout.cells), list(range(1, layout.n + 1)))
    for unit in layout.units:
        problem.addConstraint(constraint.AllDifferentConstraint(), list(unit.cells))
    for cell, given in enumerate(board.givens):
        if given:
            problem.addConstraint(constraint.InSetConstraint([given]), [cell])
    return len(list(islice(problem.getSolutionIter(), 2)))
