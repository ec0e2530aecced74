"""What do our adapters add to the solvers beneath? Measured side by side, in one run.

Each board is solved by our adapter and by the plainest direct use of the same library, asking for
two solutions, in turn and in random order. Prints and writes the ratio of the two, paired by
board, as a geometric mean with a bootstrap interval. Absolute times are those of one machine.

Usage: python benchmarks/adapters.py [--rounds N] [--write]
"""

from __future__ import annotations

import argparse
import math
import platform
import random
import statistics
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import constraint
from ortools.sat.python import cp_model

import unidoku
from unidoku import Board
from unidoku.examples import find_example

RESULTS = Path(__file__).parent / "results" / "adapters.md"
EXAMPLES = ("practice", "dashed", "hardest", "small")

Solve = Callable[[Board], int]


def boards() -> list[Board]:
    """Return boards that both libraries solve in well under a second."""
    return [puzzle.board for name in EXAMPLES for puzzle in find_example(name).puzzles()]


def python_constraint_directly(board: Board) -> int:
    """As its documentation has it: singleton domains, AllDifferent, the first two solutions."""
    problem = constraint.Problem(constraint.BacktrackingSolver())
    for cell in board.layout.cells:
        problem.addVariable(cell, list(board.values(cell)))
    for unit in board.layout.units:
        problem.addConstraint(constraint.AllDifferentConstraint(), list(unit.cells))
    return len(list(islice(problem.getSolutionIter(), 2)))


class _CountToTwo(cp_model.CpSolverSolutionCallback):
    def __init__(self, cells: list[cp_model.IntVar]) -> None:
        super().__init__()
        self.cells = cells
        self.grids: list[list[int]] = []

    def on_solution_callback(self) -> None:
        self.grids.append([self.value(cell) for cell in self.cells])
        if len(self.grids) == 2:
            self.stop_search()


def cp_sat_directly(board: Board) -> int:
    """The everyday model, enumerated by one worker in the calling thread."""
    model = cp_model.CpModel()
    cells = [
        model.new_int_var_from_domain(cp_model.Domain.from_values(board.values(cell)), "")
        for cell in board.layout.cells
    ]
    for unit in board.layout.units:
        model.add_all_different([cells[cell] for cell in unit.cells])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    callback = _CountToTwo(cells)
    solver.solve(model, callback)
    return len(callback.grids)


def through_unidoku(label: str) -> Solve:
    """Return our way: refusals, limits and the check of every grid included."""
    solver = unidoku.load(label)
    request = unidoku.Request(solutions=2, time_limit=60)
    return lambda board: solver.search(board, request).count


def measure(ours: Solve, direct: Solve, rounds: int, seed: int) -> list[tuple[float, float]]:
    """Return (ours, direct) in seconds for each board: the medians over the rounds."""
    order = random.Random(seed)
    pairs = []
    for board in boards():
        assert ours(board) == direct(board), "both must find the same number of solutions"
        times: dict[Solve, list[float]] = {ours: [], direct: []}
        for _ in range(rounds):
            for solve in order.sample([ours, direct], 2):
                started = time.perf_counter()
                solve(board)
                times[solve].append(time.perf_counter() - started)
        pairs.append((statistics.median(times[ours]), statistics.median(times[direct])))
    return pairs


def geometric_mean(ratios: Sequence[float]) -> float:
    """Return the geometric mean."""
    return math.exp(statistics.fmean(map(math.log, ratios)))


def interval(ratios: Sequence[float], seed: int) -> tuple[float, float]:
    """Return a 95 % bootstrap interval of the geometric mean, over boards."""
    order = random.Random(seed)
    means = sorted(geometric_mean(order.choices(ratios, k=len(ratios))) for _ in range(2000))
    return means[49], means[1949]


def main() -> None:
    """Measure, print, and write where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name} as well")
    arguments = parser.parse_args()
    lines = [
        "# What the adapters add",
        "",
        f"Python {platform.python_version()}, {platform.machine()}; {len(boards())} boards of "
        f"{', '.join(EXAMPLES)}; two solutions asked; median of {arguments.rounds} rounds, "
        "interleaved in random order; made by `make bench`.",
        "",
        "| backend | version | ours, median | direct, median | ours / direct | 95 % interval |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for label, direct in (
        ("python-constraint", python_constraint_directly),
        ("cp-sat", cp_sat_directly),
    ):
        pairs = measure(through_unidoku(label), direct, arguments.rounds, seed=1)
        ratios = [ours / plain for ours, plain in pairs]
        low, high = interval(ratios, seed=1)
        ours, plain = (statistics.median(column) * 1e3 for column in zip(*pairs, strict=True))
        lines.append(
            f"| {label} | {unidoku.load(label).spec.version} | {ours:.2f} ms | {plain:.2f} ms | "
            f"{geometric_mean(ratios):.3f} | {low:.3f} to {high:.3f} |"
        )
    text = "\n".join(lines) + "\n"
    print(text)
    if arguments.write:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
