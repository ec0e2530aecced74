"""OR-Tools CP-SAT as the tutorials use it, made a backend of Unidoku: three dozen lines.

No catalogue lists it; it is named by where it is: examples.textbook_cp_sat:CpSat[num_workers=2].
"""

from dataclasses import dataclass
from typing import ClassVar

from ortools.sat.python import cp_model

from unidoku import Board, Capabilities, Request, Result, Stop


class _Collector(cp_model.CpSolverSolutionCallback):
    def __init__(self, cells: list[cp_model.IntVar], most: int | None) -> None:
        super().__init__()
        self.cells = cells
        self.most = most
        self.grids: list[tuple[int, ...]] = []

    def on_solution_callback(self) -> None:
        self.grids.append(tuple(self.value(cell) for cell in self.cells))
        if len(self.grids) == self.most:
            self.stop_search()


@dataclass(frozen=True)
class CpSat:
    """An integer a cell, AllDifferent a unit, enumerate_all_solutions."""

    capabilities: ClassVar[Capabilities] = Capabilities(honours=frozenset({"time_limit"}))
    num_workers: int = 1

    def search(self, board: Board, request: Request) -> Result:
        model = cp_model.CpModel()
        cells = [
            model.new_int_var_from_domain(
                cp_model.Domain.from_values(board.values(cell)), board.layout.names[cell]
            )
            for cell in board.layout.cells
        ]
        for unit in board.layout.units:
            model.add_all_different(cells[cell] for cell in unit.cells)
        solver = cp_model.CpSolver()
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = self.num_workers
        if request.time_limit:
            solver.parameters.max_time_in_seconds = request.time_limit
        collector = _Collector(cells, request.solutions)
        status = solver.solve(model, collector)
        stop = Stop.EXHAUSTED if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE) else Stop.TIME
        if len(collector.grids) == request.solutions:
            stop = Stop.SOLUTIONS
        return Result(count=len(collector.grids), solutions=tuple(collector.grids), stop=stop)
