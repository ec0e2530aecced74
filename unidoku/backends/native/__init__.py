"""The backend `native`: Unidoku's own solver.

It has three engines, and `choice` picks one: `lanes` searches many boards at once with code
compiled for each layout, `single` searches one board with code compiled once for all layouts, and
`python` is plain Python, which needs no compilation.
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
    ),
    distributions=("unidoku",),
    terms=8,  # sums of more cells spare its searches half of their nodes
    licence="MIT",
)
