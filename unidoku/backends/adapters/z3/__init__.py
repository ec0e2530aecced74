"""Z3: a Boolean a candidate, clauses and cardinality constraints, in a live solver.

The everyday model, an Int a cell and Distinct over the units, takes a thousand times as long on
hard boards, and bit-vectors a hundred times; Z3's solver of finite domains (QF_FD) takes twice as
long, and overran time limits by up to half a second. The constraints of a layout are asserted
once. A board comes as assumptions. Whether there is a second solution is asked in a scope, which
is dropped; more are found by excluding each that was found, in clauses that a guard retires.

The low-level interface is used: the terms of the usual one take longer to make than a board to
solve. What else is kept from our users:

- Threads must not share a context: each model has its own.
- Z3 takes Ctrl-C for itself during a search, and swallows it. That is switched off.
- Z3's model of a solution takes longer to make than the search for it. Solutions are read from the
  trail, the literals in the order in which they were assigned; within a scope that is empty.
- ``unknown`` is the answer at a limit and in trouble alike.
- An interrupt that comes between two checks makes whatever comes next fail, a push for instance.
  Time limits are left to Z3's own timer; after an interrupt, the model is dropped.
- The counters run on from search to search.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec

SPEC = BackendSpec(
    name="z3",
    target="unidoku.backends.adapters.z3.adapter:Z3",
    summary="Microsoft's Z3, on Booleans in a live solver",
    paradigm="SMT",
    capabilities=Capabilities(
        rules=frozenset({"non-consecutive"}),
        honours=frozenset({"time_limit", "seed"}),
        max_values=64,  # asserted in 4 s; 81 values take 10
    ),
    requires=("z3",),
    distributions=("z3-solver",),
    install="pip install 'unidoku[z3]'",
    homepage="https://github.com/Z3Prover/z3",
    licence="MIT",
)
