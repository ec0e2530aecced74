"""pychoco 0.4.0 (Choco 6): activity-based search finds solutions twice.

Expected: `while solver.solve()` finds each of the 576 Latin squares of 4 once.
What happens: more are found. The strategy restarts, and what was found before is found again.
Unidoku does not offer the strategy.
"""

from typing import Any

from pychoco.model import Model

model = Model()
rows = [[model.intvar(1, 4) for _ in range(4)] for _ in range(4)]
for unit in (*rows, *zip(*rows, strict=True)):
    model.all_different(list(unit)).post()
cells = [cell for row in rows for cell in row]
solver: Any = model.get_solver()
solver.set_activity_based_search(*cells)
grids = []
while solver.solve():
    grids.append(tuple(cell.get_value() for cell in cells))
print(f"{len(grids)} found, {len(set(grids))} different")
