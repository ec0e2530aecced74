"""How far do short reasons lead, and how large are they?

Each puzzle of a file is solved by the techniques up to SK loop (or others), and by a short
reason where they stall, within a limit of processor time. The report has the puzzles that are
explained to their end with and without short reasons, the sizes of the reasons, and the processor
time of a step. Every step is compared with the only solution of its puzzle; puzzles with several
are left out. Of a folder, such as ``eprime`` of stacs-cp/demystify-rs, each folder in it is a row.

With a journal the measurement can be stopped and resumed: a puzzle in it is not measured again.

Usage: python benchmarks/reasons.py FILE... [--every N] [--start N] [--first N] [--seconds S]
       [--techniques NAMES] [--parts N] [--stalled-in FILE] [--journal FILE] [--write [--force]]
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path

from measuring.journal import Journal
from measuring.machine import machine, say
from measuring.page import UnfitError, page_parser, publish, table

import unidoku
from unidoku import Board, Puzzle
from unidoku.analysis.core_reasons import core_reasons, with_cores
from unidoku.errors import UnidokuError
from unidoku.files.puzzles import puzzles_in
from unidoku.files.source import Source
from unidoku.logic import State, chosen, steps_from

RESULTS = Path(__file__).parent / "results" / "reasons.md"

TECHNIQUES = "..SK loop"
REASON = "short reason"

_LOOK_EVERY = 16
"""Calls between two looks at the clock, which are slow on some systems."""


class _LateError(Exception):
    """The processor time of a puzzle has passed."""


@dataclass(slots=True)
class Explained:
    """What became of one puzzle.

    Args:
        name: its name.
        before: whether techniques alone explain it.
        outcome: ``explained``, ``stalled`` or ``late``.
        sizes: the number of parts of each short reason.
        seconds: the processor time of each step, and of the short reasons.
        wrong: sentences of steps that remove a true candidate.
    """

    name: str
    before: bool = False
    outcome: str = "stalled"
    sizes: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    of_reasons: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def explained(
    name: str, board: Board, limit: float, techniques: str, most: float
) -> Explained | None:
    """Explain a puzzle; None if it has not exactly one solution."""
    result = unidoku.solve(board, solutions=2, time_limit=60)
    if not result.unique:
        return None
    grid = result.solutions[0]
    rows = tuple(with_cores(chosen(f"{techniques}, {REASON}"), core_reasons(most), most))
    record = Explained(name)
    started, calls = time.process_time(), 0

    def tick() -> None:
        nonlocal calls
        calls += 1
        if calls % _LOOK_EVERY == 0 and time.process_time() - started > limit:
            raise _LateError

    try:
        state = State.start(board, tick)
        before = time.process_time()
        for step, after in steps_from(state, rows):
            now = time.process_time()
            record.seconds.append(now - before)
            if step.technique == REASON:
                record.of_reasons.append(now - before)
                record.sizes.append(step.parts)
            if any(not after.candidates[c] >> value - 1 & 1 for c, value in enumerate(grid)):
                record.wrong.append(f"{name}: {step}")
            before, state = now, after
        if state.is_solved:
            record.outcome, record.before = "explained", not record.sizes
    except _LateError:
        record.outcome = "late"
    return record


def report(options: argparse.Namespace) -> Iterator[str]:
    """Explain the puzzles of each file; yield the lines of the report."""
    yield from ("# How far short reasons lead", "", machine(), "")
    yield f"Up to {options.seconds:g} s of processor time a puzzle, every {options.every}. puzzle."
    yield ""
    head = (
        *("puzzles", "number", "explained by techniques", "and short reasons", "out of time"),
        *("reasons", "parts: 1-2", "3-4", "5-8", "9-12", "more", "largest"),
        *("ms a step: median", "of a reason: median", "90 %", "longest"),
    )
    rows, wrong, stalled = [], [], []
    for source in options.files:
        for file in sorted(source.iterdir()) if source.is_dir() else [source]:
            records = list(_all_of(file, options))
            if not records:
                continue
            rows.append(_row(file, records))
            wrong += [sentence for each in records for sentence in each.wrong]
            stalled += [
                f"{each.name} ({each.outcome})" for each in records if each.outcome != "explained"
            ]
    lines = [*table(head, rows), f"Wrong steps: {len(wrong)}.", "", "Not explained to their end: "]
    lines.append(f"{'; '.join(stalled) or 'none'}.")
    yield from lines
    if wrong:
        raise UnfitError(1, f"wrong steps: {wrong[0]}", lines)


def _all_of(file: Path, options: argparse.Namespace) -> Iterator[Explained]:
    sample = islice(_puzzles(file), options.start, None, options.every)
    journal = Journal(options.journal)
    earlier = Journal(options.stalled_in)
    for number, puzzle in enumerate(islice(sample, options.first), start=1):
        name = puzzle.name or str(number)
        key = (f"{file.name}: {name}, {puzzle.board.digest}",)
        if options.stalled_in and (earlier.entries.get(key) or {}).get("outcome") != "stalled":
            continue
        if key not in journal.entries:
            try:
                most = options.parts or math.inf
                each = explained(name, puzzle.board, options.seconds, options.techniques, most)
            except UnidokuError as error:
                say(f"{name}: {error}")
                continue
            journal.add(key, None if each is None else asdict(each))
        if (entry := journal.entries[key]) is not None:
            record = Explained(**entry)
            say(f"{name}: {record.outcome}, {sum(record.seconds):.1f} s, parts {record.sizes}")
            yield record


def _puzzles(file: Path) -> Iterator[Puzzle]:
    """Yield the puzzles of a file, or of all files of a folder that can be read."""
    if not file.is_dir():
        yield from puzzles_in(Source(str(file)), lambda *_: None)
        return
    for path in sorted(file.rglob("*.param")):
        try:
            for puzzle in puzzles_in(Source(str(path)), lambda *_: None):
                yield replace(puzzle, name=puzzle.name or path.stem)
        except UnidokuError as error:
            say(f"{path.name}: {error}")


def _row(file: Path, records: list[Explained]) -> list[str]:
    sizes = Counter(size for each in records for size in each.sizes)
    times = sorted(second for each in records for second in each.seconds)
    of_reasons = sorted(second for each in records for second in each.of_reasons)
    bands = ((1, 2), (3, 4), (5, 8), (9, 12), (13, 10_000))
    counts = [sum(sizes[size] for size in range(low, high + 1)) for low, high in bands]
    last: list[float] = []
    if of_reasons:
        high = of_reasons[len(of_reasons) * 9 // 10]
        last = [statistics.median(of_reasons), high, of_reasons[-1]]
    return [
        file.name,
        f"{len(records):,}",
        f"{sum(each.before for each in records):,}",
        f"{sum(each.outcome == 'explained' for each in records):,}",
        f"{sum(each.outcome == 'late' for each in records):,}",
        f"{sum(counts):,}",
        *(f"{count:,}" for count in counts),
        f"{max(sizes, default=0)}",
        f"{1e3 * statistics.median(times):.1f}" if times else "",
        *([f"{1e3 * second:,.0f}" for second in last] or ["", "", ""]),
    ]


def main() -> int:
    """Run the program; return its exit code."""
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="puzzles")
    parser.add_argument("--every", type=int, default=1, help="explain every so many puzzles only")
    parser.add_argument(
        "--start", type=int, default=0, help="puzzles to leave out before the first"
    )
    parser.add_argument("--first", type=int, default=None, help="the most puzzles of each file")
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="processor seconds for a puzzle"
    )
    parser.add_argument(
        "--techniques", default=TECHNIQUES, metavar="NAMES", help="what comes before short reasons"
    )
    parser.add_argument(
        "--parts", type=int, default=12, help="the largest number of parts of a reason, 0 for any"
    )
    parser.add_argument(
        "--stalled-in",
        type=Path,
        metavar="FILE",
        help="the journal of another run; only what had no reason there is explained",
    )
    parser.add_argument("--journal", type=Path, metavar="FILE", help="what is measured already")
    options = parser.parse_args()
    return publish(report, options, RESULTS)


if __name__ == "__main__":
    sys.exit(main())
