"""The backend `native`: Unidoku's own solver.

It has two engines, and `choice` picks one: `lanes` searches many boards at once with code compiled
for each layout, and `single` searches one board with code compiled once for all layouts, or as the
plain Python that it is written in.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS

SPEC = BackendSpec(
    name="native",
    target="unidoku.backends.native.adapter:Native",
    summary="Unidoku's own: compiled from the units, many boards at once",
    paradigm="bit-parallel search",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit", "node_limit", "threads"}),
        max_values=64,
        max_sum=1 << 60,  # a search adds up as much twice, in 64 bits
        whole_rules=frozenset({"full-rank"}),
    ),
    distributions=("unidoku",),
    terms=8,  # sums of more cells spare its searches half of their nodes
    licence="MIT",
)
