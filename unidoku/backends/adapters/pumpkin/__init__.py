"""Pumpkin: AllDifferent, a clause for the places of each value, and lazy clause generation.

The adapter works around these properties of its Python package:

- It handles Ctrl-C only between two calls. So the search is cut into slices by its own time limit;
  after each slice it restarts at the root with everything that it has learned.
- A search that its limit stops at the root cannot be continued: the next call panics, which ends
  the process. The state of the root shows this: what was learned last is not propagated yet. Then a
  new model replaces the old one and starts without the candidates removed so far.
- There is no enumeration: each solution is forbidden before the next search.
- A model can be used only in the thread that made it.

Each board gets a new model: clauses learned on other boards only slow a search down.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.support.extras import command

SPEC = BackendSpec(
    name="pumpkin",
    target="unidoku.backends.adapters.pumpkin.adapter:Pumpkin",
    summary="Pumpkin, a clause-learning constraint solver in Rust",
    paradigm="lazy clause generation",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit"}),
        max_values=64,  # modelling an empty board takes five seconds, ten with 81 values
        max_sum=1 << 30,  # and as much again from there to a bound, in 32 bits
    ),
    requires=("pumpkin_solver",),
    distributions=("pumpkin-solver",),
    install=command("pumpkin"),
    homepage="https://github.com/ConSol-Lab/Pumpkin",
    licence="MIT OR Apache-2.0",
)
