"""Human solving techniques as a backend, with an optional search when they stall.

With ``techniques="eliminate, only choice, naked twins"`` and ``search=true`` it is the solver
taught in courses: propagate until stalled, then search depth first.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS, Region

SPEC = BackendSpec(
    name="logic",
    target="unidoku.backends.adapters.logic.adapter:logic",
    summary="human solving techniques, alone or with search",
    paradigm="human techniques",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS - {Region},
        honours=frozenset({"time_limit", "node_limit"}),
        complete=False,  # unless it may search
    ),
    distributions=("unidoku",),
    homepage="https://hodoku.sourceforge.net/en/techniques.php",
    licence="MIT",
)
