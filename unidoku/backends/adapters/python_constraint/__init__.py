"""python-constraint: AllDifferent over the units, with its own backtracking solvers.

Units get no help from Unidoku, rules have its propagation as constraints. Both python-constraint2,
which is maintained, and the old python-constraint 1.4.0, which has the same import name, are
supported.

A Problem is not re-entrant (two iterators over one lose solutions without an error), so each search
makes a new one. The library has no limits. The solver calls a `_Watch` among the constraints of
every variable at each assignment: it counts the node, checks the clock from time to time, leaves
the search by an exception, and handles Ctrl-C, which compiled code ignores.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.support.extras import command

SPEC = BackendSpec(
    name="python-constraint",
    target="unidoku.backends.adapters.python_constraint.adapter:PythonConstraint",
    summary="CSP solver in Python: backtracking with forward checking",
    paradigm="constraint programming",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit", "node_limit"}),
    ),
    requires=("constraint",),
    distributions=("python-constraint2", "python-constraint"),
    install=command("python-constraint"),
    homepage="https://github.com/python-constraint/python-constraint",
    licence="BSD-2-Clause",
)
