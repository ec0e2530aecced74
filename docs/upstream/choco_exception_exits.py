"""pychoco 0.4.0: a Java exception ends the process, with some hundred lines on standard error.

Expected: an exception in Python.
What happens: "Fatal error: Unhandled exception", and exit. It takes no mistake of the caller's to
get there: a strategy, a limit and a constraint that pychoco offers do it.
Unidoku offers no such strategy, sets no such limit, writes the distance as two differences, and
does not pass on a domain without values. A line that is learnt on, or whose automaton is
nondeterministic, is told as tables: Choco finds its grids, and then calls them wrong.
"""

import subprocess
import sys

AUTOMATON = """
from pychoco.objects.automaton.finite_automaton import FiniteAutomaton
automaton = FiniteAutomaton()
first, last = automaton.add_state(), automaton.add_state()
automaton.set_initial_state(first)
automaton.set_final(last)
automaton.add_transition(first, last, 1, 2, 3, 4)
"""

CASES = {
    "the round-robin strategy": "solver.set_round_robin_search(*cells)",
    "a limit of restarts": "solver.solve(restart_limit=3)",
    "a distance while learning": (
        "model = Model(lcg=True); a, b = (model.intvar(1, 4) for _ in range(2)); "
        "model.distance(a, b, '!=', 1).post()"
    ),
    "a domain without values": "model.intvar([])",
    "an automaton while learning": (
        f"{AUTOMATON}model = Model(lcg=True); model.regular([model.intvar(1, 4)], automaton).post()"
    ),
    "a nondeterministic automaton": (
        f"{AUTOMATON}automaton.add_transition(first, first, 1, 2, 3, 4); "
        "model.regular(cells, automaton).post()"
    ),
}
SETUP = """
from pychoco.model import Model
model = Model()
cells = [model.intvar(1, 4) for _ in range(4)]
model.all_different(cells).post()
solver = model.get_solver()
"""

for name, statement in CASES.items():
    program = f"{SETUP}{statement}\nwhile solver.solve(): pass\n"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    print(f"{name}: exit code {run.returncode}; {run.stderr.partition(chr(10))[0]}")
