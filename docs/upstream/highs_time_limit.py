"""HiGHS 1.15.1: presolve and the feasibility jump look at the clock too seldom.

Expected: a run with ``time_limit=0.5`` ends in little more than half a second.
Seen: on the 0-1 program of the Latin squares of order 60 (216,000 columns, 10,800 rows) it takes
twice as long, in presolve; without presolve too, in the feasibility jump, which then finds one.
The adapter: passes the limit on. Up to 25 values a run overruns it by less than 0.1 s.
"""

import time

import highspy
import numpy as np

n = 60
cube = np.arange(n**3, dtype=np.int32).reshape(n, n, n)
rows = np.concatenate([np.moveaxis(cube, axis, 2).reshape(-1, n) for axis in range(3)])
for presolve in ("on", "off"):
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("presolve", presolve)
    highs.setOptionValue("time_limit", 0.5)
    highs.addVars(n**3, np.zeros(n**3), np.ones(n**3))
    highs.changeColsIntegrality(n**3, cube.ravel(), np.ones(n**3, dtype=np.uint8))
    starts = np.arange(0, rows.size, n, dtype=np.int32)
    ones = np.ones(len(rows))
    highs.addRows(len(rows), ones, ones, rows.size, starts, rows.ravel(), np.ones(rows.size))
    started = time.perf_counter()
    highs.run()
    elapsed = time.perf_counter() - started
    print(f"presolve {presolve}: ended after {elapsed:.2f} s, {highs.getModelStatus()}")
