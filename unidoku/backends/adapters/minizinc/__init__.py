"""MiniZinc: a layout is compiled once to FlatZinc, which any of its solvers reads.

To compile takes most of a tenth of a second, to start a solver some milliseconds. So a board's
candidates are written into the FlatZinc of its layout, and the solver is run on that. What it
prints is read as it comes. MiniZinc's own bindings for Python would compile at each call, and
need an event loop, of which a thread can run only one. Habits that are kept from our users:

- ``minizinc --solvers`` lists what is not there: wrappers for the libraries of CPLEX, Gurobi and
  others. Here a solver is a program that reads FlatZinc.
- MiniZinc's all_different does not reach Debian's Gecode. An older name of it does.
- OR-Tools repeats solutions beside an automaton. It is refused more than one there.
- A solver can do what it has a flag for. What it cannot do is refused.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.shapes import Automaton, Or, Region, Relation, Rows, SameValues, Sets, Sum

SPEC = BackendSpec(
    name="minizinc",
    target="unidoku.backends.adapters.minizinc.adapter:MiniZinc",
    summary="MiniZinc: a model for any FlatZinc solver that it finds",
    paradigm="modelling language",
    capabilities=Capabilities(
        shapes=frozenset({Relation, Sum, Sets, Automaton, Rows, SameValues, Region, Or}),
        honours=frozenset({"time_limit", "threads"}),
    ),
    programs=("minizinc",),
    install="apt install minizinc, or the bundle from its homepage",
    homepage="https://www.minizinc.org",
    licence="MPL-2.0",
)
