"""OR-Tools 9.15.6755: beside ``add_automaton`` one solution is reported again and again.

Expected: with ``enumerate_all_solutions`` the 50 orders of 1 to 5 of which two are higher than all
before them, each once. Seen: 390 calls of the callback, for 50 solutions, with and without
presolve; of 1 to 6 and three 30,922 calls for 225. Our adapter says a line as a flow of Booleans,
each of which the line decides, and CPMpy is told tables.
"""

from collections import Counter

from ortools.sat.python import cp_model


class Count(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self) -> None:
        calls[tuple(map(self.value, cells))] += 1


SIZE, SEEN = 5, 2
model = cp_model.CpModel()
cells = [model.new_int_var(1, SIZE, "") for _ in range(SIZE)]
model.add_all_different(cells)
# A state is the highest value so far, and how many were higher than all before them.
number = {
    (top, seen): top * (SEEN + 1) + seen for top in range(SIZE + 1) for seen in range(SEEN + 1)
}
steps = []
for (top, seen), state in number.items():
    for value in range(1, SIZE + 1):
        after = (value, seen + 1) if value > top else (top, seen)
        if after in number:
            steps.append((state, value, number[after]))
last = [state for (_, seen), state in number.items() if seen == SEEN]
model.add_automaton(cells, number[0, 0], last, steps)
for presolve in (True, False):
    calls: Counter[tuple[int, ...]] = Counter()
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.cp_model_presolve = presolve
    status = solver.status_name(solver.solve(model, Count()))
    print(f"presolve={presolve}: {len(calls)} solutions in {calls.total()} calls, {status}")
