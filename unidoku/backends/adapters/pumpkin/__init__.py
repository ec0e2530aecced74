"""Pumpkin: AllDifferent, a clause for the places of each value, and lazy clause generation.

Habits of its Python package that are kept from our users:

- It hears Ctrl-C only between two calls. So the search goes in slices of its own time limit,
  between which it starts again at the root, with all that it has learned.
- A search that its limit stops at the root cannot be continued: the next call panics, which ends
  the process. That is read off the root, where what was learned last is not propagated yet. Such
  a model is left for a new one, which begins with all candidates that were removed.
- There is no enumeration: each solution is forbidden before the next is looked for.
- A model belongs to the thread that made it.

Each board gets a model of its own: what a kept one learned for other boards only slows it down.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.shapes import Automaton, Or, Region, Relation, Rows, SameValues, Sets, Sum
from unidoku.extras import command

SPEC = BackendSpec(
    name="pumpkin",
    target="unidoku.backends.adapters.pumpkin.adapter:Pumpkin",
    summary="Pumpkin, a clause-learning constraint solver in Rust",
    paradigm="lazy clause generation",
    capabilities=Capabilities(
        shapes=frozenset({Relation, Sum, Sets, Automaton, Rows, SameValues, Region, Or}),
        honours=frozenset({"time_limit"}),
        max_values=64,  # an empty board takes five seconds to be modelled, of 81 values ten
    ),
    requires=("pumpkin_solver",),
    distributions=("pumpkin-solver",),
    install=command("pumpkin"),
    homepage="https://github.com/ConSol-Lab/Pumpkin",
    licence="MIT OR Apache-2.0",
)
