"""Z3: a Boolean a candidate, clauses and cardinality constraints, in a live solver.

An Int a cell and Distinct over the units takes a thousand times as long on hard boards,
bit-vectors a hundred times, the solver of finite domains (QF_FD) twice. The constraints of a
layout are asserted once; a board comes as assumptions. A second solution is asked for in a scope,
which is dropped; more by excluding each that was found, in clauses that a guard retires.

The terms of the usual interface take longer to make than a board to solve, so that the low-level
one is used. What else is kept from our users:

- Threads must not share a context: each model has its own.
- Z3 takes Ctrl-C for itself during a search, and swallows it. That is switched off.
- Z3's model of a solution takes longer to make than the search for it. Solutions are read from the
  trail, the literals as they were assigned; within a scope that is empty.
- ``unknown`` is the answer at a limit and in trouble alike.
- An interrupt between two checks makes whatever comes next fail. Time limits are left to Z3's own
  timer; after an interrupt, the model is dropped.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.shapes import Automaton, Or, Region, Relation, Rows, SameValues, Sets, Sum
from unidoku.extras import command

SPEC = BackendSpec(
    name="z3",
    target="unidoku.backends.adapters.z3.adapter:Z3",
    summary="Microsoft's Z3, on Booleans in a live solver",
    paradigm="SMT",
    capabilities=Capabilities(
        shapes=frozenset({Relation, Sum, Sets, Automaton, Rows, SameValues, Region, Or}),
        honours=frozenset({"time_limit", "seed"}),
        max_values=64,  # asserted in 4 s; 81 values take 10
    ),
    deductions=False,  # it pays for each clause more than they spare it
    requires=("z3",),
    distributions=("z3-solver",),
    install=command("z3"),
    homepage="https://github.com/Z3Prover/z3",
    licence="MIT",
)
