"""pumpkin-solver 0.5.0: a search holds the interpreter's lock.

Expected: while a native library searches, other threads run, and Ctrl-C is heard.
What happens: all of Python stands still until `satisfy` returns; Ctrl-C is heard after that.
Unidoku searches in slices of a quarter of a second.
"""

import itertools
import threading
import time

from pumpkin_solver import Model, constraints

model = Model()
tag = model.new_constraint_tag()
pigeons = [model.new_integer_variable(1, 11) for _ in range(12)]
for pigeon, other in itertools.combinations(pigeons, 2):
    model.add_constraint(constraints.BinaryNotEquals(pigeon, other, tag))
ticks = 0
ended = threading.Event()


def tick() -> None:
    """Count tenths of a second."""
    global ticks  # noqa: PLW0603 - a program of one page
    while not ended.wait(0.1):
        ticks += 1


threading.Thread(target=tick).start()
started = time.perf_counter()
model.satisfy(timeout=1.0)
elapsed = time.perf_counter() - started
print(f"{elapsed:.1f} s of search, in which another thread ran {ticks} times")
ended.set()
