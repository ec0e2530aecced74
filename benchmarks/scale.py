"""How often is the rating on Sudoku Explainer's scale the one that Sukaku Explainer gives?

A line of the file is a board and its numbers: rating, pearl, diamond, such as 7.2/1.2/1.2. With
--write the table replaces the one on the page of results.

Usage: python benchmarks/scale.py FILE [--write --force]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from measuring.page import page_parser, publish, table

import unidoku

RESULTS = Path(__file__).parent / "results" / "rating.md"
HEADING = "## Sudoku Explainer's scale"
BOUNDS = (1.5, 2.5, 4.0, 5.0, 6.5, 8.0, 9.0, 20.0)


def report(options: argparse.Namespace) -> Iterator[str]:
    """Yield the page: what is there of other measurements, and the table."""
    found: dict[float, list[tuple[bool, bool, float]]] = defaultdict(list)
    others = []
    for text, numbers in map(str.split, options.file.read_text("utf-8").splitlines()):
        start = time.process_time()
        rating = unidoku.rate(text, scale="explainer")
        seconds = time.process_time() - start
        first = float(numbers.partition("/")[0])
        same = rating.rating == first
        found[min(b for b in BOUNDS if first <= b)].append((same, str(rating) == numbers, seconds))
        if str(rating) != numbers:
            others.append(f"- `{text}`: {numbers}, here {rating}")
    if RESULTS.exists():
        yield RESULTS.read_text("utf-8").partition(HEADING)[0]
    yield from (HEADING, "", f"{options.file.name}, by the rating there; processor time.", "")
    head = ("rating up to", "boards", "the same", "pearl, diamond too", "mean ms", "longest ms")
    every = [each for bound in sorted(found) for each in found[bound]]
    rows = [(f"{bound}", found[bound]) for bound in sorted(found)]
    yield from table(head, (_row(*row) for row in [*rows, ("all", every)]))
    yield from ["Where they differ:", "", *(others or ["- nowhere"])]


def _row(name: str, boards: list[tuple[bool, bool, float]]) -> list[str]:
    same, all_same, seconds = (list(column) for column in zip(*boards, strict=True))
    longest, mean = 1e3 * max(seconds), 1e3 * sum(seconds) / len(seconds)
    counts = [f"{count:,}" for count in (len(boards), sum(same), sum(all_same))]
    return [name, *counts, f"{mean:,.0f}", f"{longest:,.0f}"]


if __name__ == "__main__":
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("file", type=Path, help="boards with their numbers")
    sys.exit(publish(report, parser.parse_args(), RESULTS))
