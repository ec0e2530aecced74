"""CPMpy 1.1.1, ``solveAll`` by OR-Tools 9.15.6755 with two workers: 168 of 288 grids, OPTIMAL.

Expected: the 288 grids of the empty 4x4 Sudoku, or a refusal. Seen: solutions are missing, and
the status says that all were found. Our adapters of both enumerate with one worker.
"""

import cpmpy as cp

for workers in (1, 2):
    cells = cp.intvar(1, 4, shape=(4, 4))
    boxes = [cells[r : r + 2, c : c + 2] for r in (0, 2) for c in (0, 2)]
    model = cp.Model([cp.AllDifferent(unit) for unit in (*cells, *cells.T, *boxes)])
    count = model.solveAll(solver="ortools", num_workers=workers)
    print(f"{workers} workers: {count} solutions, {model.status().exitstatus.name}")
