"""pychoco 0.4.0: a Java exception ends the process, with some hundred lines on standard error.

Expected: an exception in Python.
What happens: "Fatal error: Unhandled exception", and exit. It takes no mistake of the caller's to
get there: a strategy, a limit and a constraint that pychoco offers do it.
Unidoku offers no such strategy, sets no such limit, writes the distance as two differences, and
does not pass on a domain without values.
"""

import subprocess
import sys

CASES = {
    "the round-robin strategy": "solver.set_round_robin_search(*cells)",
    "a limit of restarts": "solver.solve(restart_limit=3)",
    "a distance while learning": (
        "model = Model(lcg=True); a, b = (model.intvar(1, 4) for _ in range(2)); "
        "model.distance(a, b, '!=', 1).post()"
    ),
    "a domain without values": "model.intvar([])",
}
SETUP = """
from pychoco.model import Model
model = Model()
cells = [model.intvar(1, 4) for _ in range(4)]
model.all_different(cells).post()
solver = model.get_solver()
"""

for what, statement in CASES.items():
    program = f"{SETUP}{statement}\nwhile solver.solve(): pass\n"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    print(f"{what}: exit code {run.returncode}; {run.stderr.partition(chr(10))[0]}")
