"""pychoco 0.4.0: limits that are not kept, fail, or stay.

Expected: "100ms" is a tenth of a second, a limit of backtracks can be set, and a limit given to one
call of `solve` holds for that call.
What happens: "100ms" is no limit at all ("0.1s" is one); `backtrack_limit` passes on another
argument, which is None; a limit that was reached ends all later calls at once.
Unidoku limits by criteria given to `find_solution`, which forgets them: one of time, in
milliseconds, and one of nodes.
"""

import time
from typing import Any

from pychoco.model import Model


def latin_square(n: int) -> Any:
    """Return the solver of an empty Latin square."""
    model = Model()
    rows = [[model.intvar(1, n) for _ in range(n)] for _ in range(n)]
    for unit in (*rows, *zip(*rows, strict=True)):
        model.all_different(list(unit)).post()
    return model.get_solver()


for limit in ("0.1s", "100ms"):
    solver = latin_square(9)
    solver.limit_time(limit)
    started = time.perf_counter()
    while solver.solve() and time.perf_counter() - started < 1:
        pass
    print(f"limit_time({limit!r}): {time.perf_counter() - started:.2f} s")
try:
    latin_square(4).solve(backtrack_limit=5)
except TypeError as error:
    print(f"backtrack_limit=5: TypeError: {error}")
solver = latin_square(4)
print(f"node_limit=3: {solver.solve(node_limit=3)}; then without a limit: {solver.solve()}")
