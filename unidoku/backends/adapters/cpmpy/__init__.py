"""CPMpy: AllDifferent over the units, for any solver that CPMpy knows; a cross-check of adapters.

CPMpy translates models for solvers independently of Unidoku's adapters, so that a mistake in an
encoding of either shows. The adapter works around these properties:

- Constraints given to a solver stay, and results are written into the variables. So each search has
  its own variables, model and solver.
- OR-Tools with several workers loses solutions (168 of the 288 grids of the empty 4x4 board) and
  CPMpy calls the result OPTIMAL. Here it uses one worker.
- OR-Tools' presolve calls some satisfiable models with tables infeasible: a part of it is off. Its
  automaton constraint repeats solutions: here lines are tables.
- Its statuses at a limit on solutions differ by solver: the adapter's own count decides.
- Most of its solvers overrun a time limit, and some may end the process. All except OR-Tools run in
  a separate process, which is ended at the limit.
- HiGHS calls some feasible models that CPMpy writes for it infeasible. It is not offered.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.support.extras import command

SPEC = BackendSpec(
    name="cpmpy",
    target="unidoku.backends.adapters.cpmpy.adapter:CPMpy",
    summary="CPMpy: a bridge to many solvers",
    paradigm="modelling library",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit"}),
        max_sum=21_474_836,  # Choco's, which is the least of the solvers that it runs
    ),
    requires=("cpmpy",),
    distributions=("cpmpy",),
    install=command("cpmpy"),
    homepage="https://github.com/CPMpy/cpmpy",
    licence="Apache-2.0",
)
