"""pumpkin-solver 0.5.0: `satisfy` after a `satisfy` that ran out of time at the root panics.

Expected: the second call goes on, or begins anew. It does where the first ran out below the root.
What happens: "assertion failed: (self.is_ready() || self.is_conflicting()) && …", and the process
is aborted, as after every panic of this build. A search that learns a fact which holds at the root
looks at the clock there: after about one timeout in a hundred the next call is the last.
Unidoku tells from the domains at the root whether the search was stopped there, and then makes a
new model.
"""

import subprocess
import sys

PROGRAM = """
from pumpkin_solver import Model, constraints
model = Model()
tag = model.new_constraint_tag()
cells = [model.new_integer_variable(1, 9) for _ in range(9)]
model.add_constraint(constraints.AllDifferent(cells, tag))
print(model.satisfy(timeout=0.0), flush=True)
print(model.satisfy(), flush=True)
"""

run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
print(f"exit code {run.returncode}; stdout: {run.stdout.strip()!r}")
print(*(line for line in run.stderr.splitlines() if "panicked" in line or "assertion" in line))
