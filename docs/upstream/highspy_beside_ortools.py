"""highspy 1.15.1 and ortools 9.15.6755 cannot be imported in one process, in either order.

Expected: both can be used. Seen: each brings a libhighs.so.1 of its own, of different versions;
the loader takes the one that is there for the other's, and the import fails with an undefined
symbol. highspy up to 1.14.0 has HiGHS inside its module, so our extra asks for ``highspy<1.15``.
"""

import subprocess
import sys

for first, second in (
    ("ortools.sat.python.cp_model", "highspy"),
    ("highspy", "ortools.linear_solver.pywraplp"),
):
    program = f"import {first}, {second}"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    print(f"{program}: {(ran.stderr.splitlines() or ['both imported'])[-1]}")
