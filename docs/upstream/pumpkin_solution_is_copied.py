"""pumpkin-solver 0.5.0: each look at `_0` of a result copies the solution.

Expected: `result._0.int_value(x)` in a loop costs as much as with `solution = result._0` before it.
What happens: it takes hundreds of times as long, because the attribute is a copy each time.
Unidoku looks once.
"""

import time

from pumpkin_solver import Model, constraints

model = Model()
tag = model.new_constraint_tag()
cells = [model.new_integer_variable(1, 40) for _ in range(40)]
cells += [model.new_integer_variable(1, 9) for _ in range(2000)]
model.add_constraint(constraints.AllDifferent(cells[:40], tag))
result = model.satisfy()
started = time.perf_counter()
many = [result._0.int_value(cell) for cell in cells]
between = time.perf_counter()
value_in = result._0.int_value
once = [value_in(cell) for cell in cells]
ended = time.perf_counter()
assert many == once
print(f"{(between - started) * 1e3:.2f} ms, and {(ended - between) * 1e3:.2f} ms with one look")
