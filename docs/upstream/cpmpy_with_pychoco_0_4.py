"""CPMpy 1.1.1 with pychoco 0.4.0: solutions are lost, or the process ends.

Expected: the two Latin squares of these pencil marks, and the three pairs of Booleans of which one
holds; CPMpy asks for ``pychoco<0.3``, yet ``supported()`` says yes to 0.4.0. Seen: one of each, or
the process ends with code 99. Our bridge refuses ``cpmpy[solver=choco]`` with such a pychoco.
"""

import subprocess
import sys

PROGRAM = """
import cpmpy as cp
print("supported:", cp.SolverLookup.get("choco").supported())
cells = cp.intvar(1, 6, shape=(6, 6))
rows = [[(r + c) % 6 for c in range(6)] for r in (1, 0, 2, 3, 4, 5)]
both = {
    (r, c): sorted({rows[r][c] + 1, rows[r ^ (r < 2)][c] + 1}) for r in range(6) for c in range(6)
}
marks = [cp.InDomain(cells[at], values) for at, values in both.items()]
model = cp.Model([cp.AllDifferent(unit) for unit in (*cells, *cells.T)], marks)
pair = cp.boolvar(shape=2)
for model, variables, known in ((model, cells.flat, 2), (cp.Model(cp.sum(pair) >= 1), pair, 3)):
    solver = cp.SolverLookup.get("choco", model)
    found = 0
    while solver.solve():
        found += 1
        solver += cp.any([variable != variable.value() for variable in variables])
    print(found, "of", known, "solutions", flush=True)
"""
ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
print(ran.stdout + f"exit code {ran.returncode}: {ran.stderr.strip()[-200:]}")
