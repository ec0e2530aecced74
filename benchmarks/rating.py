"""Are a solver's nodes a property of a board, or luck, and over how many symmetric copies?

Each backend decides many symmetric copies of each board. Two disjoint sets of k copies give two
rankings of the boards, by the geometric mean of the nodes: if nodes show how hard a board is, the
rankings agree. The rank correlation is Spearman's, averaged over random choices of the two sets.
`unidoku rate` takes as many copies as it needs for rankings that agree.

Usage: python benchmarks/rating.py --data FOLDER [--file NAME]... [--backend LABEL]...
       [--boards N] [--seed N] [--write [--force]]
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import StatisticsError, correlation, fmean

from measuring.collection import collection, folder
from measuring.machine import say
from measuring.page import page_parser, publish
from measuring.table import table

import unidoku
from unidoku import Board
from unidoku.analysis.rate import Effort, measure

RESULTS = Path(__file__).parent / "results" / "rating.md"

SIZES = (1, 2, 5, 10, 20)
"""Numbers of images in a set."""

CHOICES = 100
"""Random choices of two sets of images that a correlation is the mean of."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked; return the exit code."""
    return publish(_report, _options(arguments), RESULTS)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument(
        "--data",
        type=folder,
        metavar="FOLDER",
        help="*.txt of classic boards, one a line; boards are made if not given, or empty",
    )
    parser.add_argument("--file", action="append", metavar="NAME", help="default: top95, or all")
    parser.add_argument(
        "--backend", action="append", metavar="LABEL", help="default: three of ours"
    )
    parser.add_argument("--boards", type=int, default=100, help="of each file, the first")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    options.backend = options.backend or ["norvig", "exact-cover", "native"]
    return options


def _report(options: argparse.Namespace) -> Iterator[str]:
    yield from ("# Are nodes a property of a board?", "")
    yield (
        "Spearman's rank correlation between two rankings of the boards by a solver's nodes: the "
        f"geometric means over two disjoint sets of k random images, averaged over {CHOICES} "
        "choices of the sets. 1 is the same ranking, 0 is chance. The last column says how many "
        "boards share the commonest mean: those are ranked by nothing."
    )
    yield ""
    files = collection(options.data, options.boards)
    names = options.file or [name for name in files if name == "top95"] or list(files)
    for name in names:
        if name not in files:
            raise ValueError(f"expected one of the files {', '.join(files)}, got {name!r}")
        cells = files[name][: options.boards]
        boards = [Board.from_values(unidoku.layout(), map(int, row)) for row in cells]
        yield from (f"## {name}, {len(boards)} boards", "")
        head = ["backend", *(f"k = {size}" for size in SIZES), "boards with one mean"]
        yield from table(head, [_row(label, boards, options.seed) for label in options.backend])


def _row(label: str, boards: Sequence[Board], seed: int) -> list[str]:
    say(label)
    solver = unidoku.load(label)
    images = 2 * max(SIZES)
    efforts = [
        measure(board, solver, isomorphs=images, seed=seed + index)
        for index, board in enumerate(boards)
    ]
    order = random.Random(seed)
    means = [round(effort.mean, 6) for effort in efforts]
    common = max(map(means.count, means))
    return [label, *(f"{_agreement(efforts, size, order):.2f}" for size in SIZES), str(common)]


def _agreement(efforts: Sequence[Effort], size: int, order: random.Random) -> float:
    """Return the mean correlation of rankings by two sets of so many images."""
    found = []
    for _ in range(CHOICES):
        halves: tuple[list[float], list[float]] = ([], [])
        for effort in efforts:
            nodes = order.sample(effort.nodes, 2 * size)
            for half, chosen in zip(halves, (nodes[:size], nodes[size:]), strict=True):
                one = Effort(backend=effort.backend, nodes=tuple(chosen), confidence=0.95)
                half.append(one.mean)
        found.append(spearman(*halves))
    return fmean(found)


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the rank correlation, nan if all numbers are one; equal ones share their mean rank.

    >>> spearman([1, 2, 3], [10, 30, 20])
    0.5
    """
    try:
        return correlation(_ranks(one), _ranks(other))
    except StatisticsError:
        return math.nan


def _ranks(numbers: Sequence[float]) -> list[float]:
    ordered = sorted(numbers)
    first = {number: ordered.index(number) for number in set(ordered)}
    return [first[number] + (ordered.count(number) - 1) / 2 for number in numbers]


if __name__ == "__main__":
    sys.exit(main())
