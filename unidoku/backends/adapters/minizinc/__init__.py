"""MiniZinc: a layout is compiled once to FlatZinc, which any of MiniZinc's solvers reads.

Compiling takes most of a tenth of a second, starting a solver some milliseconds. So a board's
candidates are written into the FlatZinc of its layout, and the solver runs on that. Its output is
read as it is printed. MiniZinc's own Python bindings would compile at each call and need an event
loop, of which a thread can run only one. The adapter works around these properties:

- ``minizinc --solvers`` also lists solvers that are not installed: wrappers for the libraries of
  CPLEX, Gurobi and others. Here a solver is a program that reads FlatZinc.
- Debian's Gecode does not know MiniZinc's all_different. It knows an older name of it.
- OR-Tools repeats solutions of models with an automaton. More than one solution is refused there.
- A solver supports only what it has a flag for. Other requests are refused.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS

SPEC = BackendSpec(
    name="minizinc",
    target="unidoku.backends.adapters.minizinc.adapter:MiniZinc",
    summary="MiniZinc: a model for any installed FlatZinc solver",
    paradigm="modelling language",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit", "threads"}),
        max_sum=21_474_836,  # Choco's, which is the least of the solvers that it runs
    ),
    programs=("minizinc",),
    install="apt install minizinc, or the bundle from its homepage",
    homepage="https://www.minizinc.org",
    licence="MPL-2.0",
    whole=True,
)
