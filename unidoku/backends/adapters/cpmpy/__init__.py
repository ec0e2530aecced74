"""CPMpy: AllDifferent over the units, for any solver that it knows; a cross-check of our adapters.

Its way from a model to a solver is not ours, so that a mistake in an encoding of either shows.
Habits that are kept from our users:

- What was given to a solver stays, and results are written into the variables. So each search
  has variables, a model and a solver of its own.
- OR-Tools with several workers loses solutions (168 of the 288 grids of the empty 4x4 board) and
  CPMpy calls it OPTIMAL. Here it has one.
- OR-Tools' presolve calls some satisfiable models with tables infeasible: a part of it is off. Its
  automaton constraint repeats solutions: lines are tables here.
- For a limit on solutions its statuses differ by solver: what we count is what decides.
- Most of its solvers overrun a time limit, and some may end the process. All but OR-Tools work in
  a process of their own, which is ended at the limit.
- HiGHS calls some models that CPMpy writes for it infeasible which are not. It is not offered.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.shapes import Automaton, Or, Region, Relation, Rows, SameValues, Sets, Sum
from unidoku.extras import command

SPEC = BackendSpec(
    name="cpmpy",
    target="unidoku.backends.adapters.cpmpy.adapter:CPMpy",
    summary="CPMpy: a bridge to the solvers that it knows",
    paradigm="modelling library",
    capabilities=Capabilities(
        shapes=frozenset({Relation, Sum, Sets, Automaton, Rows, SameValues, Region, Or}),
        honours=frozenset({"time_limit"}),
    ),
    requires=("cpmpy",),
    distributions=("cpmpy",),
    install=command("cpmpy"),
    homepage="https://github.com/CPMpy/cpmpy",
    licence="Apache-2.0",
)
