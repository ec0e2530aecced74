"""OR-Tools CP-SAT, called directly."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ortools.sat.python import cp_model

from unidoku import Board, Layout


class _CountToTwo(cp_model.CpSolverSolutionCallback):
    """Keeps solutions as the text of their values: the bindings are slow value by value."""

    def __init__(self) -> None:
        super().__init__()
        self.solutions: list[str] = []

    def on_solution_callback(self) -> None:
        self.solutions.append(str(self.Response().solution))  # type: ignore[no-untyped-call]
        if len(self.solutions) == 2:
            self.stop_search()


def best(layout: Layout) -> Callable[[Board], int]:
    """A Boolean a candidate, kept; the givens in the domains; no presolve, symmetry or LP."""
    n = layout.n
    model = cp_model.CpModel()
    holds = [model.new_bool_var("") for _ in range(len(layout) * n)]

    def exactly_one(candidates: Sequence[int]) -> None:
        model.add_exactly_one(holds[candidate] for candidate in candidates)

    for cell in layout.cells:
        exactly_one(range(cell * n, cell * n + n))
    for unit in layout.units:
        for value in range(n):
            exactly_one([cell * n + value for cell in unit.cells])
    domains = [variable.domain for variable in model.proto.variables]

    def count(board: Board) -> int:
        given = [cell * n + value - 1 for cell, value in enumerate(board.givens) if value]
        for candidate in given:
            domains[candidate].clear()
            domains[candidate].extend((1, 1))
        solver = cp_model.CpSolver()
        parameters = solver.parameters
        parameters.num_workers = 1
        parameters.enumerate_all_solutions = True
        parameters.cp_model_presolve = False
        parameters.symmetry_level = 0
        parameters.linearization_level = 0
        callback = _CountToTwo()
        solver.solve(model, callback)
        for candidate in given:
            domains[candidate].clear()
            domains[candidate].extend((0, 1))
        return len(callback.solutions)

    return count


def naive(board: Board) -> int:
    """The everyday model: an integer a cell, AllDifferent, the givens as constraints."""
    layout = board.layout
    model = cp_model.CpModel()
    cells = [model.new_int_var(1, layout.n, name) for name in layout.names]
    for unit in layout.units:
        model.add_all_different([cells[cell] for cell in unit.cells])
    for cell, given in enumerate(board.givens):
        if given:
            model.add(cells[cell] == given)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    callback = _CountToTwo()
    solver.solve(model, callback)
    return len(callback.solutions)
