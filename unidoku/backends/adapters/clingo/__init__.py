"""clingo: a layout as a program, grounded once; a board as assumptions.

As an answer-set program, with facts for the cells, the values and the units, a layout reads ::

    { holds(C,V) : value(V) } :- cell(C).
    :- cell(C), not holds(C,V) : value(V).
    :- full(U), value(V), not holds(C,V) : in(C,U).
    :- holds(C,V), holds(C,W), V < W.
    :- holds(C,V), holds(D,V), in(C,U), in(D,U), C < D.

Its ground rules are written straight to clingo's backend: up to five times as fast as grounding
the text, in steps between which the clock can be looked at. What else is kept from our users:

- A live control keeps nogoods and signs, which weigh on the boards that follow: after some hundred
  hard ones a search took four times as long. They are forgotten; activities, which help, are kept.
- An interrupt that comes when no search runs stops the next one. It is used up where that can be.
- Ctrl-C in one of the callbacks of the Python interface ends the process. The C interface beneath
  searches without callbacks, and reads grids and counters faster.
- It writes warnings to stderr, such as of more threads than processors. They are swallowed.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.shapes import Automaton, Or, Region, Relation, Rows, SameValues, Sets, Sum
from unidoku.extras import command

SPEC = BackendSpec(
    name="clingo",
    target="unidoku.backends.adapters.clingo.adapter:Clingo",
    summary="Potassco's clingo, grounded once a layout, boards as assumptions",
    paradigm="answer-set programming",
    capabilities=Capabilities(
        shapes=frozenset({Relation, Sum, Sets, Automaton, Rows, SameValues, Region, Or}),
        honours=frozenset({"time_limit", "threads", "seed"}),
        max_values=81,  # written in 3 s; 100 values take 6
    ),
    requires=("clingo",),
    distributions=("clingo",),
    install=command("clingo"),
    homepage="https://potassco.org/clingo/",
    licence="MIT",
)
