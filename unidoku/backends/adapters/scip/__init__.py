"""SCIP: a 0-1 program with one variable for each candidate, solved by branch and propagation.

The program of a layout is kept; a board changes the upper bounds of its variables only. All
solutions are found in one tree: a constraint handler of ours, asked last, takes the solution of a
node in which all variables are fixed, and cuts the node off. That is how SCIP's own plug-in counts,
which does not return the solutions. It needs

- no presolve, and none of the reductions that keep one solution of several: reductions by duality
  and by symmetry;
- no restarts, which would find solutions again, and no heuristics, whose solutions are not taken;
- whole columns for flows too: they are fixed by propagation, not by a linear relaxation.

SCIP's emphasis on constraint programming solves no linear relaxations.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.support.extras import command

SPEC = BackendSpec(
    name="scip",
    target="unidoku.backends.adapters.scip.adapter:Scip",
    summary="SCIP: a 0-1 program, solved by branch and propagation",
    paradigm="MIP",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit", "seed"}),
        # It takes a row for kept if a millionth is missing (``numerics/feastol``).
        max_sum=100_000,
    ),
    requires=("pyscipopt",),
    distributions=("pyscipopt",),
    install=command("scip"),
    homepage="https://scipopt.org",
    licence="Apache-2.0",
)
