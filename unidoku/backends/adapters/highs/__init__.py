"""HiGHS: a 0-1 program with one variable for each candidate, solved by branch and cut.

The program of a layout is kept; a board changes the upper bounds of its variables only. The
objective is zero, so the first feasible point ends a run. A no-good cut, a row that the known
solution violates, excludes it from the next run. A row for each known solution would make each run
slower than the last. So a cell in which two solutions differ splits the board, and each part has
one known solution: 2 N runs for N solutions, with one cut at a time.

The adapter works around these properties of HiGHS:

- RINS, RENS and other programs within the program cost more than they gain and stop late. They,
  restarts, and on small boards the feasibility jump are switched off.
- The number of threads is fixed by the first run of HiGHS in the calling thread: a run that asks
  for another number fails. The adapter requests one thread, and accepts the existing number if that
  is refused.
- It takes a variable for 0 or 1, and a row for kept, if only a millionth is missing
  (``mip_feasibility_tolerance``). What a sum reaches, and up to twice as much in an alternative, is
  multiplied by that and must stay below 1: larger sums are refused.
- It ignores Ctrl-C. Its time limit is read while it runs, so it can be set to zero then.

On boards of more than 25 values its presolve checks the clock so seldom that a search overruns its
time limit, on an empty 36×36 board by some tenths of a second.
"""

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.support.extras import command

SPEC = BackendSpec(
    name="highs",
    target="unidoku.backends.adapters.highs.adapter:Highs",
    summary="HiGHS: a 0-1 program, solved by branch and cut",
    paradigm="MIP",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit", "seed"}),
        max_sum=100_000,  # see the tolerances above
    ),
    requires=("highspy",),
    distributions=("highspy",),
    install=command("highs"),
    homepage="https://highs.dev",
    licence="MIT",
)
