"""python-constraint: AllDifferent over the units, its own backtracking solvers.

By default nothing of ours helps it. A constraint and a solver of our own, which its interface
invites, are options: with them it is our propagation and our order that are timed under its
name, and their labels say so.

Adapts the maintained distribution, python-constraint2, and the old python-constraint 1.4.0,
which has the same import name.

A Problem is not re-entrant (two iterators over one lose solutions without an error), so each
search makes one. The library has no limits of its own. A `_Watch` stands among the constraints
of every variable, so that the solver itself calls it at each assignment; it counts the node,
looks at the clock from time to time, and leaves the search by an exception. It also lets Ctrl-C
through: between its calls the compiled solver runs no Python code in which a signal could be
handled.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec

SPEC = BackendSpec(
    name="python-constraint",
    target="unidoku.backends.adapters.python_constraint.adapter:PythonConstraint",
    summary="CSP solver in Python: backtracking with forward checking",
    paradigm="constraint programming",
    capabilities=Capabilities(
        rules=frozenset({"non-consecutive"}), honours=frozenset({"time_limit", "node_limit"})
    ),
    requires=("constraint",),
    distributions=("python-constraint2", "python-constraint"),
    install="pip install 'unidoku[python-constraint]'",
    homepage="https://github.com/python-constraint/python-constraint",
    licence="BSD-2-Clause",
)
