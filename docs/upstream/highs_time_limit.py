"""HiGHS 1.14.0 and 1.15.1: presolve looks at the clock too seldom; a run overruns its time limit.

Expected: a run with ``time_limit=0.5`` ends in little more than half a second.
Seen: on the 0-1 program of a 64×64 Sudoku (262,144 columns, 16,384 rows) it takes 0.6 to 2.6 s.
The adapter: passes the limit on. Up to 25 values a run overruns it by less than 0.1 s.
"""

import time

import highspy
import numpy as np

k = 8
n = k * k
cube = np.arange(n**3, dtype=np.int32).reshape(n, n, n)  # row, column, value
boxes = cube.reshape(k, k, k, k, n).transpose(0, 2, 4, 1, 3)
rows = np.concatenate([np.moveaxis(cube, axis, 2).reshape(-1, n) for axis in range(3)])
rows = np.concatenate([rows, boxes.reshape(-1, n)])
highs = highspy.Highs()
highs.setOptionValue("output_flag", False)
highs.setOptionValue("time_limit", 0.5)
highs.addVars(n**3, np.zeros(n**3), np.ones(n**3))
highs.changeColsIntegrality(n**3, cube.ravel(), np.ones(n**3, dtype=np.uint8))
starts = np.arange(0, rows.size, n, dtype=np.int32)
ones = np.ones(len(rows))
highs.addRows(len(rows), ones, ones, rows.size, starts, rows.ravel(), np.ones(rows.size))
started = time.perf_counter()
highs.run()
elapsed = time.perf_counter() - started
print(f"limit 0.5 s: ended after {elapsed:.2f} s, {highs.getModelStatus()}")
