"""pumpkin-solver 0.5.0: a panic aborts the process; some need no more than a number.

Expected: an exception in Python, such as ValueError.
What happens: SIGABRT, after some lines on standard error.
Unidoku passes on no timeout but small ones, and makes no variable without values.
"""

import subprocess
import sys

SETUP = "from pumpkin_solver import Model; model = Model(); "

for statement in (
    "model.satisfy(timeout=-1.0)",
    "model.satisfy(timeout=float('inf'))",
    "model.new_integer_variable(2, 1)",
):
    run = subprocess.run(
        [sys.executable, "-c", SETUP + statement], capture_output=True, text=True, check=False
    )
    lines = [line for line in run.stderr.splitlines() if "annot" in line]
    print(f"{statement}: exit code {run.returncode}; {lines}")
