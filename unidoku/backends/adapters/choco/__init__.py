"""Choco, by its native library: AllDifferent over the units, the solver's own search.

The library is a Java solver compiled to machine code, and pychoco a thin layer over it. Habits of
the two that are kept from our users:

- The interpreter stands still while they search. So the search goes in slices, between which
  Python hears Ctrl-C; one that a limit stopped goes on from where it was.
- A limit that is given to ``solve`` holds for all later calls, too; to ``find_solution``, not.
- The arrays that pychoco makes are never freed, and hold on to their models. Here all is freed.
- Reading the state of a search leaks a third of a megabyte. It is told from the clock: a search
  that ended before its slice did is complete.
- A Java exception ends the process. What raises one does not get there.
- Automata raise one while it learns, or where they are nondeterministic. Lines are tables there.

Each board gets a model of its own, for pychoco cannot take a solver back to its start: a third of
the time that an easy board takes.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.shapes import Automaton, Or, Region, Relation, Rows, SameValues, Sets, Sum
from unidoku.extras import command

SPEC = BackendSpec(
    name="choco",
    target="unidoku.backends.adapters.choco.adapter:Choco",
    summary="Choco, by its native library: arc consistency and search",
    paradigm="constraint programming",
    capabilities=Capabilities(
        shapes=frozenset({Relation, Sum, Sets, Automaton, Rows, SameValues, Region, Or}),
        honours=frozenset({"time_limit", "node_limit"}),
    ),
    requires=("pychoco",),
    distributions=("pychoco",),
    install=command("choco"),
    homepage="https://github.com/chocoteam/pychoco",
    licence="BSD-3-Clause",
    forkable=False,  # its Java part has threads from the import on; copies without them crash
)
