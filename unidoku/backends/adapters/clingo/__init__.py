"""clingo: a layout as a program, grounded once; a board as assumptions.

As an answer-set program, with facts for the cells, the values and the units, a layout reads ::

    { holds(C,V) : value(V) } :- cell(C).
    :- cell(C), not holds(C,V) : value(V).
    :- full(U), value(V), not holds(C,V) : in(C,U).
    :- holds(C,V), holds(C,W), V < W.
    :- holds(C,V), holds(D,V), in(C,U), in(D,U), C < D.

Its ground rules are written directly to clingo's backend, up to five times as fast as grounding the
text, in steps between which the clock is checked. The adapter works around these properties:

- A live control keeps nogoods and signs, which slow down later boards: after some hundred hard ones
  a search took four times as long. They are dropped; activities, which help, are kept.
- An interrupt that comes while no search runs stops the next search. The adapter clears it by a
  search that is interrupted at once.
- Ctrl-C in a callback of the Python interface ends the process. The underlying C interface searches
  without callbacks, and reads grids and counters faster.
- It writes warnings to stderr, for example about more threads than processors. They are dropped.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.support.extras import command

SPEC = BackendSpec(
    name="clingo",
    target="unidoku.backends.adapters.clingo.adapter:Clingo",
    summary="Potassco's clingo, grounded once for each layout, boards as assumptions",
    paradigm="answer-set programming",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit", "threads", "seed"}),
        max_values=81,  # written in 3 s; 100 values take 6
        cores=True,
        max_sum=1 << 24,  # which all candidates add up at most 73 times, in 32 bits
    ),
    requires=("clingo",),
    distributions=("clingo",),
    install=command("clingo"),
    homepage="https://potassco.org/clingo/",
    licence="MIT",
)
