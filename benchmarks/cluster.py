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
from unidoku.formats.lines import write_lines
from unidoku.parallel.executors import executor_for

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
        parts = [] if options.scheduler else split(path, options.processes)
        for name, (call, asked) in CALLS.items():
            measure = Measure(call, path, parts, {"backend": options.backend, **asked})
            measure.all(executor)  # the processes start, and compile or load
            took = [measure.all(executor) for _ in range(options.rounds)]
            one, several, *apart = (median(times) for times in zip(*took, strict=True))
            print(
                f"{name}: one process {one:.2f} s, {others} {several:.2f} s, "
                f"ratio {one / several:.2f}"
                + "".join(f"; at most {one / least:.2f}, in {least:.2f} s" for least in apart)
            )
    return 0


class Measure:
    """Calls and measures, in seconds."""

    def __init__(
        self,
        call: Callable[..., object],
        path: Path,
        parts: Sequence[Path],
        asked: dict[str, object],
    ) -> None:
        self._call = call
        self._path = path
        self._parts = parts
        self._asked = asked

    def all(self, executor: Executor) -> list[float]:
        """Return the seconds that a call takes here, of processes, and of processes apart."""
        took = [self._took(None), self._took(executor)]
        return [*took, self._apart(executor)] if self._parts else took

    def _took(self, executor: Executor | None) -> float:
        """Return the seconds that a call takes: of processes, or here if there is no executor."""
        out = _new_out(self._path)
        begin = time.perf_counter()
        self._call(self._path, out, executor=executor, **self._asked)
        return time.perf_counter() - begin

    def _apart(self, executor: Executor) -> float:
        """Return the seconds in which each part is answered in a process of its own."""
        outs = [_new_out(part) for part in self._parts]
        begin = time.perf_counter()
        futures = [
            executor.submit(self._call, part, out, **self._asked)
            for part, out in zip(self._parts, outs, strict=True)
        ]
        for future in futures:
            future.result()
        return time.perf_counter() - begin


def _new_out(path: Path) -> Path:
    """Return where to write the answers of a file, where nothing is."""
    out = path.with_name(f"out-{path.name}")
    out.unlink(missing_ok=True)
    return out


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


def split(path: Path, count: int) -> list[Path]:
    """Write so many files, each with an equal share of the boards of a file."""
    lines = path.read_bytes().splitlines(keepends=True)
    ends = [len(lines) * number // count for number in range(count + 1)]
    parts = [path.with_name(f"part{number}.txt") for number in range(count)]
    for part, start, end in zip(parts, ends, ends[1:], strict=False):
        part.write_bytes(b"".join(lines[start:end]))
    return parts


if __name__ == "__main__":
    sys.exit(main())
