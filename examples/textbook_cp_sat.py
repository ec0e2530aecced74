"""OR-Tools CP-SAT as the tutorials use it, made a backend of Unidoku.

No catalogue lists it; it is named by where it is: textbook_cp_sat:CpSat[num_workers=2].
"""

from dataclasses import dataclass
from typing import ClassVar

from ortools.sat.python import cp_model

from unidoku import Automaton, Board, Capabilities, Relation, Request, Result, Stop, Table
from unidoku.core.constraints.primitives import Constraint


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
    """An integer a cell, AllDifferent a unit, enumerate_all_solutions.

    Rules are told as they are: lines to add_automaton, tables to add_allowed_assignments.

    Args:
        num_workers: of CP-SAT.
        booleans: whether there is a Boolean a candidate besides, which the units speak of.
    """

    capabilities: ClassVar[Capabilities] = Capabilities(
        constraints=frozenset({Relation, Automaton, Table}), honours=frozenset({"time_limit"})
    )
    num_workers: int = 1
    booleans: bool = False

    def search(self, board: Board, request: Request) -> Result:
        model = cp_model.CpModel()
        cells = [model.new_int_var(1, board.layout.n, name) for name in board.layout.names]
        _tell_units(model, board, cells, self.booleans)
        for constraint in board.layout.constraints:
            _tell(model, constraint, cells)
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
        kept = tuple(collector.grids[: request.keep])
        return Result(count=len(collector.grids), solutions=kept, stop=stop)


def _tell_units(
    model: cp_model.CpModel, board: Board, cells: list[cp_model.IntVar], booleans: bool
) -> None:
    values = range(1, board.layout.n + 1)
    if not booleans:
        for unit in board.layout.units:
            model.add_all_different(cells[cell] for cell in unit.cells)
        for cell in board.layout.cells:
            model.add_allowed_assignments([cells[cell]], [(v,) for v in board.values(cell)])
        return
    holds = [[model.new_bool_var("") for _ in values] for _ in cells]
    for variable, its in zip(cells, holds, strict=True):
        model.add_exactly_one(its)
        model.add(variable == sum(value * one for value, one in zip(values, its, strict=True)))
    for unit in board.layout.units:
        for value in values:
            model.add_at_most_one(holds[cell][value - 1] for cell in unit.cells)
    for cell in board.layout.cells:
        model.add_bool_or([holds[cell][value - 1] for value in board.values(cell)])


def _tell(model: cp_model.CpModel, constraint: Constraint, cells: list[cp_model.IntVar]) -> None:
    match constraint:
        case Relation(_, pairs):
            for a, b in pairs:
                model.add_allowed_assignments([cells[a], cells[b]], constraint.rows)
        case Table(own, rows):
            model.add_allowed_assignments([cells[cell] for cell in own], rows)
        case Automaton(own, machine):
            last = [at for at in range(len(machine.steps)) if machine.accepting >> at & 1]
            first = machine.starts.bit_length() - 1
            model.add_automaton([cells[cell] for cell in own], first, last, machine.transitions)
