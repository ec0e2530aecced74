"""How long does a question take: why must a cell hold a value, or why can it not?

Random cells and values of the puzzles of a file are asked about, with the backend `auto`. The
first question about a puzzle is apart: it makes the solutions and the steps that the others share.
The times are of the processor. With a journal the measurement can be stopped and resumed.

Usage: python benchmarks/why.py FILE... [--questions N] [--longer] [--every N] [--start N]
       [--journal FILE] [--write [--force]]
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

from measuring.journal import Journal
from measuring.machine import machine, say
from measuring.page import page_parser, publish, table

import unidoku
from unidoku import Board
from unidoku.analysis.why import Verdict
from unidoku.errors import UnidokuError
from unidoku.files.puzzles import puzzles_in
from unidoku.files.source import Source
from unidoku.logic import State
from unidoku.logic.reasons.parts import parts_of

RESULTS = Path(__file__).parent / "results" / "why.md"

LIMIT = 60
"""The most seconds for a question."""

FAST = (10, 50)
"""The milliseconds of the targets, on classic boards and on all."""


@dataclass(slots=True)
class Asked:
    """The questions about one puzzle.

    Args:
        build: milliseconds of the first state and the parts.
        times: milliseconds of each question.
        sizes: the number of parts of each reason that was found.
        unshown: the number of answers without the reason that they should have.
    """

    build: float
    times: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    unshown: int = 0


def asked(board: Board, questions: int, *, longer: bool = False) -> Asked:
    """Ask about random cells and values of a board, and look longer for reasons if it is said."""
    rng = random.Random(board.digest)
    before = time.process_time()
    state = State.start(board)
    parts_of(state.layout)
    record = Asked(_since(before))
    for _ in range(questions):
        cell, value = rng.randrange(len(board.layout)), rng.randint(1, board.layout.n)
        before = time.process_time()
        shown = board.layout.shown[value]
        answer = unidoku.why(board, cell, shown, time_limit=LIMIT, longer=longer)
        record.times.append(_since(before))
        if answer.step is not None:
            record.sizes.append(answer.step.parts or len(answer.parts))
        elif answer.verdict in (Verdict.MUST, Verdict.CANNOT):
            record.unshown += 1
    return record


def _since(before: float) -> float:
    return 1e3 * (time.process_time() - before)


def report(options: argparse.Namespace) -> Iterator[str]:
    """Ask about the puzzles of each file; yield the lines of the report."""
    yield from ("# How long a question takes", "", machine(), "")
    yield f"{options.questions} random cells and values a puzzle, milliseconds of processor time."
    yield ""
    under = [f"under {limit}" for limit in FAST]
    head = ("puzzles", "", "number", "median", "90 %", "longest", *under)
    rows, notes = [], []
    for file in options.files:
        records = [*_all_of(file, options)]
        times = {
            "state and parts": [each.build for each in records],
            "first questions": [each.times[0] for each in records],
            "the others": [spent for each in records for spent in each.times[1:]],
            "all questions": [spent for each in records for spent in each.times],
        }
        rows += [[file.name, title, *_figures(values)] for title, values in times.items() if values]
        sizes = sorted(size for each in records for size in each.sizes)
        notes.append(
            f"{file.name}: {len(sizes):,} reasons of {statistics.median(sizes):g} parts in the "
            f"middle, nine in ten of at most {sizes[len(sizes) * 9 // 10]}; "
            f"{sum(each.unshown for each in records)} answers without a reason."
        )
    yield from (*table(head, rows), *notes)


def _figures(times: Sequence[float]) -> Iterator[str]:
    ordered = sorted(times)
    yield f"{len(ordered):,}"
    for spent in (statistics.median(ordered), ordered[len(ordered) * 9 // 10], ordered[-1]):
        yield f"{spent:,.1f}"
    for limit in FAST:
        yield f"{sum(spent < limit for spent in ordered) / len(ordered):.1%}"


def _all_of(file: Path, options: argparse.Namespace) -> Iterator[Asked]:
    journal = Journal(options.journal)
    unidoku.why("1... ..2. .3.. ...4", "A2", 2)  # loads what all questions need
    puzzles = puzzles_in(Source(str(file)), lambda *_: None)
    for number, puzzle in enumerate(islice(puzzles, options.start, None, options.every)):
        name = puzzle.name or str(number)
        how = (options.questions, "longer") if options.longer else (options.questions,)
        key = (f"{file.name}: {name}, {puzzle.board.digest}", *how)
        if key not in journal.entries:
            try:
                journal.add(
                    key, asdict(asked(puzzle.board, options.questions, longer=options.longer))
                )
            except UnidokuError as error:
                say(f"{name}: {error}")
                continue
        yield Asked(**journal.entries[key])


def main() -> int:
    """Run the program; return its exit code."""
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="puzzles")
    parser.add_argument("--questions", type=int, default=4, help="questions about a puzzle")
    parser.add_argument("--longer", action="store_true", help="look some seconds for a reason")
    parser.add_argument("--every", type=int, default=1, help="take every so many puzzles only")
    parser.add_argument("--start", type=int, default=0, help="puzzles to leave out before")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="what is measured already")
    options = parser.parse_args()
    return publish(report, options, RESULTS)


if __name__ == "__main__":
    sys.exit(main())
