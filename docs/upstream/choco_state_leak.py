"""pychoco 0.4.0: each call of `Solver.get_search_state` leaks up to half a megabyte.

Expected: a getter costs no memory.
What happens: the state's name is made a C string that is never closed. It stays pinned, and with it
the piece of the Java heap that it is in.
Unidoku tells the state from the clock: a search that ended before its limit is complete.
"""

import itertools
import resource

from pychoco.model import Model

for asked in (False, True):
    for _ in range(200):
        model = Model()
        rows = [[model.intvar(1, 9) for _ in range(9)] for _ in range(9)]
        for unit in (*rows, *zip(*rows, strict=True)):
            for cell, other in itertools.combinations(unit, 2):
                model.arithm(cell, "!=", other).post()
        solver = model.get_solver()
        solver.solve()
        if asked:
            solver.get_search_state()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"200 models, the state asked: {asked}; at most {peak} MB so far")
