"""Solving as people do, as a backend: techniques, and search where they stall, if that is wanted.

With ``techniques="eliminate, only choice, naked twins"`` and ``search=true`` it is the solver
that courses teach: propagate until stalled, then depth first.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.shapes import Automaton, Or, Relation, Rows, SameValues, Sets, Sum

SPEC = BackendSpec(
    name="logic",
    target="unidoku.backends.adapters.logic.adapter:logic",
    summary="the techniques of people, alone or with search",
    paradigm="human techniques",
    capabilities=Capabilities(
        shapes=frozenset({Relation, Sum, Sets, SameValues, Automaton, Rows, Or}),
        honours=frozenset({"time_limit", "node_limit"}),
        complete=False,  # unless it may search
    ),
    distributions=("unidoku",),
    homepage="https://hodoku.sourceforge.net/en/techniques.php",
    licence="MIT",
)
