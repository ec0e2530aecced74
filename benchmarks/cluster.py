"""How much faster do several processes solve a file of boards than one?

Generates puzzles, writes a file of symmetric copies of them to a temporary folder, and solves and
counts it from file to file with one process, and with ``local:N`` or the workers of a Dask cluster,
alternately. The ratio is that of the medians. Before the measurement the processes have started and
compiled what they need. Each call writes a new file, and ends when it is on the disk.

Usage: python benchmarks/cluster.py [--boards 1000000] [--processes 2] [--rounds 5]
       [--backend native] [--scheduler tcp://host:port]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

import unidoku
from unidoku.cluster import executor_for
from unidoku.formats.lines import write_lines

MADE = 500
"""Puzzles that are made; the others are the same with other names of the values."""

CALLS: dict[str, tuple[Callable[..., object], dict[str, int]]] = {
    "solve, text to text": (unidoku.solve_file, {}),
    "count --limit 2": (unidoku.count_file, {"solutions": 2}),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--boards", type=int, default=1_000_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--scheduler", help="a scheduler of Dask instead of local:N")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--backend", default="native")
    options = parser.parse_args(arguments)
    others = options.scheduler or f"{options.processes} processes"
    with (
        TemporaryDirectory() as folder,
        executor_for(options.scheduler or f"local:{options.processes}") as executor,
    ):
        path = Path(folder, "boards.txt")
        write_boards(path, options.boards)
        for name, (call, asked) in CALLS.items():
            measure = Measure(call, path, {"backend": options.backend, **asked})
            measure(executor)  # the processes start, and compile or load
            took = [(measure(None), measure(executor)) for _ in range(options.rounds)]
            one, several = (median(times) for times in zip(*took, strict=True))
            print(
                f"{name}: one process {one:.2f} s, {others} {several:.2f} s, "
                f"ratio {one / several:.2f}"
            )
    return 0


class Measure:
    """Calls and measures, in seconds."""

    def __init__(self, call: Callable[..., object], path: Path, asked: dict[str, object]) -> None:
        self._call = call
        self._path = path
        self._asked = asked

    def __call__(self, executor: Executor | None) -> float:
        """Return the seconds that a call takes: of processes, or here if there is no executor."""
        out = self._path.with_name("out.txt")
        out.unlink(missing_ok=True)
        begin = time.perf_counter()
        self._call(self._path, out, executor=executor, **self._asked)
        return time.perf_counter() - begin


def write_boards(path: Path, count: int) -> None:
    """Write so many puzzles: some that are made, with their values renamed at random."""
    made = np.array([list(board.givens) for board in unidoku.generate(count=MADE, seed=1)])
    random = np.random.default_rng(1)
    layout = unidoku.layout("classic", 9)
    with path.open("wb") as file:
        for start in range(0, count, 1 << 16):
            size = min(count - start, 1 << 16)
            names = np.zeros((size, 10), np.uint8)
            names[:, 1:] = random.random((size, 9)).argsort(axis=1) + 1
            chosen = made[random.integers(len(made), size=size)]
            file.write(write_lines(layout, np.take_along_axis(names, chosen, axis=1)))


if __name__ == "__main__":
    sys.exit(main())
