"""The backend `native`: a layout's units compiled into its own solver.

Two engines, between which `choice` decides: `lanes` works many boards at once and is compiled for
each layout, `python` is plain Python that is there at once.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.shapes import Automaton, Or, Region, Relation, Rows, SameValues, Sets, Sum

SPEC = BackendSpec(
    name="native",
    target="unidoku.backends.native.adapter:Native",
    summary="Unidoku's own: compiled from the units, many boards at once",
    paradigm="bit-parallel search",
    capabilities=Capabilities(
        shapes=frozenset({Relation, Sum, Sets, Automaton, Rows, SameValues, Region, Or}),
        honours=frozenset({"time_limit", "node_limit", "threads"}),
    ),
    distributions=("unidoku",),
    terms=8,  # sums of more cells spare its searches half of their nodes
    licence="MIT",
)
