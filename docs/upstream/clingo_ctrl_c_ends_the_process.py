"""clingo 5.8.3: Ctrl-C during `Control.solve` ends the process, without KeyboardInterrupt.

Expected: once the search is interrupted, KeyboardInterrupt is raised from `solve`.
What happens: "error in SolveEventHandler::on_statistics going to terminate", and exit without
clean-up. `solve` registers its event callback even if it is given no handlers, so that the first
Python code after the search, in which the pending signal is heard, is in a callback that may not
raise.
Unidoku searches through the C interface, without callbacks.
"""

import subprocess
import sys

PROGRAM = """
import os, signal, threading, time
from clingo import Control
control = Control(["0"])
control.add("1 { in(P,H) : H = 1..12 } 1 :- P = 1..13. :- in(P,H), in(Q,H), P < Q.")
control.ground()
def ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)
    control.interrupt()
threading.Timer(0.3, ctrl_c).start()
try:
    control.solve()
except KeyboardInterrupt:
    print("KeyboardInterrupt, as expected")
"""

run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
print(f"exit code {run.returncode}; stdout: {run.stdout!r}; stderr: {run.stderr.strip()!r}")
