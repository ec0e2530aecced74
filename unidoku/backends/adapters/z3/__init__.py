"""Z3: a Boolean for each candidate, clauses and cardinality constraints, in a live solver.

An Int for each cell and Distinct over the units take a thousand times as long on hard boards,
bit-vectors a hundred times, the solver of finite domains (QF_FD) twice. The constraints of a layout
are asserted once; a board becomes assumptions. A second solution is searched for in a scope that is
then dropped; further ones by clauses that exclude each solution found and that a guard switches off
later.

Making the terms of the usual interface takes longer than solving a board, so the low-level
interface is used. The adapter works around these properties:

- Threads must not share a context: each model has its own.
- Z3 handles Ctrl-C itself during a search and swallows it. That is switched off.
- Making Z3's model of a solution takes longer than the search. Solutions are read from the trail,
  which lists the assigned literals; within a scope the trail is empty.
- ``unknown`` is the answer both at a limit and after an error.
- After an interrupt between two checks the next call fails. So Z3's own timer handles time limits,
  and after an interrupt the model is dropped.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.support.extras import command

SPEC = BackendSpec(
    name="z3",
    target="unidoku.backends.adapters.z3.adapter:Z3",
    summary="Microsoft's Z3, on Booleans in a live solver",
    paradigm="SMT",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit", "seed"}),
        max_values=64,  # asserted in 4 s; 81 values take 10
    ),
    deductions=False,  # each clause costs it more than it saves
    requires=("z3",),
    distributions=("z3-solver",),
    install=command("z3"),
    homepage="https://github.com/Z3Prover/z3",
    licence="MIT",
)
