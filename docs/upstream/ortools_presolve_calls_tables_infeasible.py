"""OR-Tools 9.15.6755: presolve calls a small satisfiable model INFEASIBLE.

Expected: OPTIMAL, with every setting; ``SOLUTION`` keeps all constraints, and with its values as
hints fixed the status is OPTIMAL. Seen: INFEASIBLE by default, OPTIMAL without presolve, or with
``presolve_inclusion_work_limit=0``. Six cells hold 1 to 4: the first four differ, the fourth is 1,
the first and the fifth sum to 5; the sixth is 1 or 2, and says whether the second or the third is
as the fifth. The values are Booleans too, as puzzles are often written.
Issues 5274 and 5293 of google/or-tools look alike. Our adapters set that parameter to 0.
"""

from itertools import product
from typing import Any

from ortools.sat.python import cp_model

SOLUTION = (2, 3, 4, 1, 3, 1)
VALUES = range(1, 5)


def status(fixed: tuple[int, ...] = (), **parameters: Any) -> str:
    """Return what CP-SAT says of the model, in which the first cells have these values."""
    model = cp_model.CpModel()
    cells = [model.new_int_var(1, 4, "") for _ in range(6)]
    holds = [{value: model.new_bool_var("") for value in VALUES} for _ in cells]
    for cell, literals in zip(cells, holds, strict=True):
        model.add_exactly_one(literals.values())
        model.add(cell == sum(value * literal for value, literal in literals.items()))
    for value in VALUES:
        model.add_at_most_one(holds[cell][value] for cell in range(4))
        model.add_implication(holds[4][value], holds[0][5 - value])
    model.add_bool_or([holds[3][1]])
    model.add_bool_or([holds[5][1], holds[5][2]])
    for index in (1, 2):
        rows = [row for row in product(VALUES, repeat=3) if row[0] != index or row[1] == row[2]]
        model.add_allowed_assignments([cells[5], cells[4], cells[index]], rows)
    for cell, value in zip(cells, fixed, strict=False):
        model.add(cell == value)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    for name, value in parameters.items():
        setattr(solver.parameters, name, value)
    return solver.status_name(solver.solve(model))


print("as it is:", status())
print("a solution fixed:", status(SOLUTION))
print("without presolve:", status(cp_model_presolve=False))
print("presolve_inclusion_work_limit=0:", status(presolve_inclusion_work_limit=0))
