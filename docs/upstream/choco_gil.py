"""pychoco 0.4.0: a search holds the interpreter's lock.

Expected: while a native library searches, other threads run, and Ctrl-C is heard.
What happens: all of Python stands still until `solve` returns; Ctrl-C is heard after that.
Unidoku searches in slices of a tenth of a second. A search that a limit stopped goes on from where
it was.
"""

import threading
import time

from pychoco.model import Model

model = Model()
pigeons = [model.intvar(1, 10) for _ in range(11)]
for index, pigeon in enumerate(pigeons):
    for other in pigeons[:index]:
        model.arithm(pigeon, "!=", other).post()
ticks = 0
ended = threading.Event()


def tick() -> None:
    """Count tenths of a second."""
    global ticks  # noqa: PLW0603 - a program of one page
    while not ended.wait(0.1):
        ticks += 1


threading.Thread(target=tick).start()
started = time.perf_counter()
model.get_solver().solve(time_limit="1s")
elapsed = time.perf_counter() - started
print(f"{elapsed:.1f} s of search, in which another thread ran {ticks} times")
ended.set()
