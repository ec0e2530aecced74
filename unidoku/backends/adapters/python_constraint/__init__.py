"""python-constraint: AllDifferent over the units, its own backtracking solvers.

By default nothing of ours helps it; a constraint and a solver of our own are options, which the
label names. Both python-constraint2, which is maintained, and the old python-constraint 1.4.0,
which has the same import name, will do.

A Problem is not re-entrant (two iterators over one lose solutions without an error), so each
search makes one. The library has no limits. A `_Watch` among the constraints of every variable is
called by the solver at each assignment: it counts the node, looks at the clock from time to time,
leaves the search by an exception, and lets Ctrl-C through, which compiled code would not hear.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.shapes import Automaton, Or, Region, Relation, Rows, SameValues, Sets, Sum
from unidoku.extras import command

SPEC = BackendSpec(
    name="python-constraint",
    target="unidoku.backends.adapters.python_constraint.adapter:PythonConstraint",
    summary="CSP solver in Python: backtracking with forward checking",
    paradigm="constraint programming",
    capabilities=Capabilities(
        shapes=frozenset({Relation, Sum, Sets, Automaton, Rows, SameValues, Region, Or}),
        honours=frozenset({"time_limit", "node_limit"}),
    ),
    requires=("constraint",),
    distributions=("python-constraint2", "python-constraint"),
    install=command("python-constraint"),
    homepage="https://github.com/python-constraint/python-constraint",
    licence="BSD-2-Clause",
)
