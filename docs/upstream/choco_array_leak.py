"""pychoco 0.4.0: `Model.all_different` leaks its array of variables, and with it the whole model.

Expected: the memory of a process that makes model after model stays level.
What happens: the handle of the array that `make_intvar_array` makes is never destroyed. Some
hundred kilobytes stay for each 9x9 model, and collections of garbage grow to seconds.
Unidoku calls `pychoco.backend` and destroys each handle.
"""

import resource

from pychoco.model import Model


def solve() -> None:
    """Make a Latin square of 9, solve it, and forget it."""
    model = Model()
    rows = [[model.intvar(1, 9) for _ in range(9)] for _ in range(9)]
    for unit in (*rows, *zip(*rows, strict=True)):
        model.all_different(list(unit)).post()
    model.get_solver().solve()


for models in range(0, 1200, 300):
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"after {models} models: at most {peak} MB so far")
    for _ in range(300):
        solve()
