"""OR-Tools 9.15.6755, ``enumerate_all_solutions`` with two workers: 168 of 288 grids, OPTIMAL.

Expected: the 288 grids of the empty 4x4 Sudoku, or a refusal. Seen: some are not found, and
OPTIMAL says that all were; with ``symmetry_level=0`` all are found, some of them twice. Our
adapter enumerates with one worker, whatever is asked.
"""

from ortools.sat.python import cp_model


class Collect(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self) -> None:
        grids.append(tuple(self.value(cell) for row in cells for cell in row))


model = cp_model.CpModel()
cells = [[model.new_int_var(1, 4, "") for _ in range(4)] for _ in range(4)]
boxes = [[cells[r + i][c + j] for i in (0, 1) for j in (0, 1)] for r in (0, 2) for c in (0, 2)]
for unit in (*cells, *zip(*cells, strict=True), *boxes):
    model.add_all_different(unit)
for workers in (1, 2):
    grids: list[tuple[int, ...]] = []
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = workers
    status = solver.solve(model, Collect())
    print(f"{workers} workers: {len(set(grids))} different solutions, {solver.status_name(status)}")
