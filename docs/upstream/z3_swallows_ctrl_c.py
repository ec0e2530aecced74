"""Z3 5.4.0: Ctrl-C during `Solver.check` ends the search, and nothing else.

Expected: KeyboardInterrupt, as Ctrl-C is in a Python program, once the search is interrupted.
What happens: `check` returns ``unknown`` and the program goes on, to its next search for instance,
as if a limit had been reached. Z3 puts a signal handler of its own in the place of Python's.
Unidoku sets the parameter ``ctrl_c`` to false, and interrupts the search itself.
"""

import subprocess
import sys

PROGRAM = """
import os, signal, threading, z3
pigeons = [[z3.Bool(f"in_{p}_{h}") for h in range(11)] for p in range(12)]
solver = z3.SimpleSolver()
for holes in pigeons:
    solver.add(z3.Or(holes))
for hole in zip(*pigeons):
    for at, a in enumerate(hole):
        solver.add([z3.Not(z3.And(a, b)) for b in hole[at + 1:]])
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    print(solver.check(), solver.reason_unknown())
except KeyboardInterrupt:
    print("KeyboardInterrupt, as expected")
"""

run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
print(f"exit code {run.returncode}; stdout: {run.stdout!r}; stderr: {run.stderr.strip()!r}")
