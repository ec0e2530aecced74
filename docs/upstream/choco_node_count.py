"""pychoco 0.4.0: `Solver.get_node_count` returns seconds; two strategies print.

Expected: the number of nodes; nothing on standard output.
What happens: a second definition, lower in the class, returns the time. Second definitions of
`set_dom_over_w_deg_search` and `set_dom_over_w_deg_ref_search` print their variables.
Unidoku asks `pychoco.backend`, where the functions of these names are right and silent.
"""

from typing import Any

from pychoco import backend
from pychoco.model import Model

model = Model()
cells = [model.intvar(1, 4) for _ in range(4)]
model.all_different(cells).post()
solver: Any = model.get_solver()
solver.set_dom_over_w_deg_search(*cells)
while solver.solve():
    pass
print(f"get_node_count: {solver.get_node_count()}")
functions: Any = backend
print(f"backend.get_node_count: {functions.get_node_count(solver._handle)}")
