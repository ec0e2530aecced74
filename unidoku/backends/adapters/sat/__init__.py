"""PySAT: the layout as clauses in a live solver, each board as assumptions.

A clause set takes PySAT longer to read than most boards take to be solved, so a solver is kept
with the clauses of its layout, and what it learns on one board helps with the next. Habits of PySAT
and its solvers that are kept from our users:

- None has a time limit, and in the main thread Ctrl-C leaps out of the middle of a solver
  (``longjmp``), which may crash once it is deleted. So each search is cut into slices by a
  budget of conflicts, after which the solver continues with all that it has learnt.
- A variable that occurs in no clause is true to CaDiCaL and false to MiniSat. Only those of
  candidates are read, and each of them occurs.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.shapes import Automaton, Or, Relation, Rows, SameValues, Sets, Sum

SPEC = BackendSpec(
    name="sat",
    target="unidoku.backends.adapters.sat.adapter:Sat",
    summary="PySAT: CaDiCaL, Glucose, MiniSat and others, kept live",
    paradigm="SAT",
    capabilities=Capabilities(
        shapes=frozenset({Relation, Sum, Sets, Automaton, Rows, SameValues, Or}),
        honours=frozenset({"time_limit"}),
    ),
    requires=("pysat",),
    distributions=("python-sat",),
    install="pip install python-sat",
    homepage="https://pysathq.github.io",
    licence="MIT",
)
