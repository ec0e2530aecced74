"""PySAT: the layout as clauses in a live solver, each board as assumptions.

PySAT takes longer to read a clause set than to solve most boards, so a solver is kept with the
clauses of its layout, and clauses learned on one board help on the next. The adapter works around
these properties of PySAT and its solvers:

- None has a time limit, and in the main thread Ctrl-C jumps out of the middle of a solver
  (``longjmp``), which may crash when it is deleted. So each search is cut into slices by a budget
  of conflicts, after which the solver continues with everything that it has learned.
- A variable that occurs in no clause is true in CaDiCaL and false in MiniSat. Only the variables of
  candidates are read, and each of these occurs.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS

SPEC = BackendSpec(
    name="sat",
    target="unidoku.backends.adapters.sat.adapter:Sat",
    summary="PySAT: CaDiCaL, Glucose, MiniSat and others, kept live",
    paradigm="SAT",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit"}),
        cores=True,
    ),
    requires=("pysat",),
    distributions=("python-sat",),
    install="pip install python-sat",
    homepage="https://pysathq.github.io",
    licence="MIT",
    guarded=("proof",),
)
