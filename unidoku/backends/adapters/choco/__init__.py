"""Choco by its native library: AllDifferent over the units, with the solver's own search.

The library is a Java solver compiled to machine code; pychoco is a thin layer over it. The adapter
works around these properties of the two:

- Python does not run while they search. So the search is cut into slices, between which Python
  handles Ctrl-C; a search that a limit stopped continues where it was.
- A limit that is given to ``solve`` also applies to all later calls; with ``find_solution`` it does
  not.
- The arrays that pychoco makes are never freed and keep their models alive. The adapter frees them.
- Reading the state of a search leaks a third of a megabyte. The clock shows it instead: a search
  that ended before its slice did is complete.
- A Java exception ends the process. The adapter never passes input that raises one.
- Automata raise one with learning on, or if they are nondeterministic. Then lines are tables.

Each board gets a new model, because pychoco cannot reset a solver: this takes a third of the time
of an easy board.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.support.extras import command

SPEC = BackendSpec(
    name="choco",
    target="unidoku.backends.adapters.choco.adapter:Choco",
    summary="Choco by its native library: arc consistency and search",
    paradigm="constraint programming",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit", "node_limit"}),
        max_sum=21_474_836,  # the largest bound of an integer, which it uses 32 bits for
    ),
    requires=("pychoco",),
    distributions=("pychoco",),
    install=command("choco"),
    homepage="https://github.com/chocoteam/pychoco",
    licence="BSD-3-Clause",
    forkable=False,  # its Java part starts threads on import; forked copies lack them and crash
)
