"""OR-Tools CP-SAT: one Boolean for each candidate, with the solver's own enumeration.

A model is built once for a layout; the givens are written into the domains of its variables
before a solve and removed after it. The adapter works around these properties of CP-SAT:

- With more than one worker its enumeration loses solutions and still says OPTIMAL (168 of the
  288 grids of the empty 4x4 board). More than one solution and more than one worker are refused.
- It handles Ctrl-C itself: the first is swallowed during a solve, and one after a solve ends the
  process without cleanup. Its handler is switched off, and Unidoku's handler asks it to stop.
- Presolve usually takes most of the time and only pays on models that are solved once. It is off by
  default, as are symmetries and linear relaxations.
- Presolve calls some satisfiable models with tables infeasible. The part that does is always off.
- Its automaton constraint has one solution reported hundreds of times. Clauses or a flow replace
  it.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.support.extras import command

SPEC = BackendSpec(
    name="cp-sat",
    target="unidoku.backends.adapters.cp_sat.adapter:CpSat",
    summary="OR-Tools CP-SAT",
    paradigm="lazy clause generation",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit", "threads", "seed"}),
        max_sum=1 << 55,  # which all candidates add up at most 73 times, to less than its 2^62
    ),
    requires=("ortools",),
    distributions=("ortools",),
    install=command("cp-sat"),
    homepage="https://developers.google.com/optimization/cp/cp_solver",
    licence="Apache-2.0",
    threads_option="num_workers",
)
