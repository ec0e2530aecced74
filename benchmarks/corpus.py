"""Which puzzles of a collection does each backend decide, kind by kind, and do all backends agree?

The collection is a file in the neutral form, one puzzle on each line, or in another format, from
which only the puzzles count that are read, with our names of the kinds. Each backend searches each
puzzle once for two solutions, in a separate process, and the time to build the model counts. For
each kind of rule, the report states how many puzzles each backend decides in a second and within
its limit. It names the puzzles that fewer than two backends decide, contradictions with known
counts and among backends, failures, refusals, and puzzles that cannot be read.

The runs are a comparison. If its journal is named, the same command continues it. ``--with`` adds
the journals of other backends, or of other limits, to the report.

Usage: python benchmarks/corpus.py FILE [--backends A,B,…] [--time-limit SECONDS] [--workers N]
       [--journal JOURNAL] [--with JOURNAL]... [--report] [--write [--force]]
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from measuring.boards import kinds_of, neutral_puzzles
from measuring.machine import Progress, machine
from measuring.page import UnfitError, bullets, page_parser, publish, table

import unidoku
from unidoku.comparison.cases import Case
from unidoku.comparison.journal import read_header, read_journal
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.verdict import Judge
from unidoku.files.puzzles import puzzles_in
from unidoku.files.source import Source

RESULTS = Path(__file__).parent / "results" / "corpus.md"

BACKENDS = "native,sat,cp-sat,clingo"

QUICK = 1.0
"""Seconds for the first figure of a cell; the second is for the whole limit."""


@dataclass
class Collection:
    """A file of puzzles.

    Args:
        kinds: kinds of the rules of each puzzle, by its name.
        boards: digest of each puzzle that is read, by its name.
        unread: reasons why the others are not read, by their names.
    """

    kinds: dict[str, tuple[str, ...]]
    boards: dict[str, str] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)


@dataclass
class Contents:
    """The contents of journals.

    Args:
        limits: time limit in seconds of each backend.
        runs: run of each backend on each board, by its digest.
        judge: verdict on all of them.
    """

    limits: dict[str, float] = field(default_factory=dict)
    runs: defaultdict[str, dict[str, Record]] = field(default_factory=lambda: defaultdict(dict))
    judge: Judge = field(default_factory=Judge)

    def decided(self, label: str, board: str, seconds: float = math.inf) -> bool:
        """Return whether a backend decided a board within some seconds, or its limit."""
        run = self.runs[label].get(board)
        return (
            run is not None
            and run.outcome is Outcome.SOLVED
            and run.timing.wall_ns <= seconds * 1e9
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked; return the exit code."""
    return publish(_measured, _options(arguments), RESULTS)


def _measured(options: argparse.Namespace) -> Iterable[str]:
    """Measure what is not in the journals; return the lines of the report."""
    puzzles = collection(options.file)
    with tempfile.TemporaryDirectory() as folder:
        journals = list(options.others)
        if not options.report:
            journals.insert(0, options.journal or Path(folder, "corpus.jsonl"))
            if measure(options, journals[0]):
                raise UnfitError(130, "stopped; the same command with --journal goes on", ())
        return report(options.file.name, puzzles, read_journals(journals))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("file", type=Path, metavar="FILE", help="puzzles")
    parser.add_argument("--backends", default=BACKENDS, metavar="A,B,…", help=BACKENDS)
    parser.add_argument("--time-limit", type=float, default=10.0, metavar="SECONDS")
    parser.add_argument("--workers", type=int, default=1, help="processes at the same time")
    parser.add_argument("--journal", type=Path, help="keep the runs here, or go on with these")
    parser.add_argument(
        "--with",
        dest="others",
        type=Path,
        action="append",
        default=[],
        metavar="JOURNAL",
        help="report the runs of a further journal too",
    )
    parser.add_argument("--report", action="store_true", help="measure nothing: --with has it all")
    return parser.parse_args(arguments)


def collection(path: Path) -> Collection:
    """Read the kinds of all puzzles of a file, and which of them are read here.

    Raises:
        ValueError: a line is no object with a name.
        UnidokuError: as `unidoku.read`.
    """
    puzzles = Collection({})
    is_neutral = path.suffix == ".jsonl"
    for puzzle in neutral_puzzles(path) if is_neutral else ():
        puzzles.kinds[puzzle["name"]] = kinds_of(puzzle)

    def skip(position: str, name: str, why: tuple[str, ...]) -> None:
        puzzles.unread[name] = ", ".join(why)

    for known in puzzles_in(Source(str(path), "classic", None), skip):
        puzzles.boards[known.name] = known.board.digest
        if not is_neutral:
            kinds = {rule.kind for rule in known.board.layout.rules}
            puzzles.kinds[known.name] = tuple(sorted(kinds)) or ("no rules",)
    return puzzles


def measure(options: argparse.Namespace, journal: Path) -> bool:
    """Run the comparison, or the rest of it; return whether Ctrl-C ended it."""
    comparison = unidoku.compare(
        options.file,
        options.backends,
        repeats=1,
        solutions=2,
        sample_ms=0,
        relabel=False,
        time_limit=options.time_limit,
        workers=options.workers,
        output=journal,
        resume=journal.exists(),
        watch=Progress(options.file.name),
    )
    return comparison.interrupted is not None


def read_journals(journals: Iterable[Path]) -> Contents:
    """Read journals; where two have a run of one backend on one board, the first one's counts."""
    contents = Contents()
    for journal in journals:
        plan = read_header(journal).plan
        for label in plan["backends"]:
            contents.limits.setdefault(label, plan["time_limit"])
        for entry in read_journal(journal):
            if isinstance(entry, Case):
                contents.judge.add_case(entry)
            elif entry.case not in contents.runs[entry.backend]:
                contents.judge.add(entry)
                contents.runs[entry.backend][entry.case] = entry
    return contents


def report(name: str, puzzles: Collection, contents: Contents) -> Iterator[str]:
    """Yield the lines of the report."""
    yield from ("# What each backend decides, kind by kind", "", machine(), "")
    yield (
        f"{name}: {len(puzzles.kinds)} puzzles, of which {len(puzzles.boards)} are read. Made by "
        "`python benchmarks/corpus.py`. A puzzle is decided when two solutions are found, or "
        "one or none proved to be all; the time is that of one search, its model built anew."
    )
    yield ""
    yield from _backends(puzzles, contents)
    yield from _by_kind(puzzles, contents)
    yield from _few(puzzles, contents)
    yield from _contradictions(puzzles, contents)
    yield from _failures(puzzles, contents)
    yield from _refused(puzzles, contents)
    yield from bullets("## Not read", [f"{name}: {why}" for name, why in puzzles.unread.items()])


def _backends(puzzles: Collection, contents: Contents) -> Iterator[str]:
    """Yield a row a backend."""
    yield from ("## Backends", "")
    rows = []
    for label, limit in contents.limits.items():
        runs = [contents.runs[label].get(board) for board in puzzles.boards.values()]
        ended = Counter(run.outcome for run in runs if run is not None)
        failed = ended[Outcome.FAILED] + ended[Outcome.CRASHED] + ended[Outcome.WRONG]
        late = ended[Outcome.UNKNOWN] + ended[Outcome.TIMEOUT] + ended[Outcome.MEMORY]
        decided = [
            _decided(label, puzzles.boards.values(), contents, end) for end in (QUICK, math.inf)
        ]
        figures = [*decided, late, ended[Outcome.UNSUPPORTED], failed]
        rows.append([label, f"{limit:g} s", *map(str, figures)])
    head = ["backend", "limit", "in 1 s", "in all", "not in time", "refused", "failed or wrong"]
    yield from table(head, rows)


def _decided(label: str, boards: Iterable[str], contents: Contents, seconds: float) -> int:
    return sum(contents.decided(label, board, seconds) for board in boards)


def _by_kind(puzzles: Collection, contents: Contents) -> Iterator[str]:
    """Yield a row a kind: of the puzzles with it, those decided in a second and in all."""
    yield from ("## Kinds", "")
    yield "Puzzles with a rule of the kind, those read, and those decided in 1 s, and in all time."
    yield ""
    names_of: defaultdict[str, list[str]] = defaultdict(list)
    for name, kinds in puzzles.kinds.items():
        for kind in kinds:
            names_of[kind].append(name)
    rows = []
    for kind, names in sorted(names_of.items()):
        boards = [puzzles.boards[name] for name in names if name in puzzles.boards]
        cells = []
        for label, limit in contents.limits.items():
            quick, slow = (_decided(label, boards, contents, end) for end in (QUICK, math.inf))
            cells.append(str(quick) if limit <= QUICK else f"{quick}, {slow}")
        shares = cells if boards else ["–"] * len(cells)
        rows.append([kind, str(len(names)), str(len(boards)), *shares])
    yield from table(["kind", "puzzles", "read", *contents.limits], rows)


def _few(puzzles: Collection, contents: Contents) -> Iterator[str]:
    """Yield what fewer than two backends decide."""
    lines = []
    for name, board in puzzles.boards.items():
        by = [label for label in contents.limits if contents.decided(label, board)]
        if len(by) < 2:
            kinds = ", ".join(puzzles.kinds[name])
            lines.append(f"{name} ({kinds}): {by[0] if by else 'nobody'}")
    yield from bullets("## Decided by fewer than two backends", lines)


def _contradictions(puzzles: Collection, contents: Contents) -> Iterator[str]:
    verdict = contents.judge.verdict()
    lines = [
        f"{disagreement.case.name}: {disagreement.kind}: {disagreement.evidence}"
        for disagreement in verdict.disagreements
    ]
    yield from bullets("## Contradictions, with known counts and among backends", lines)


def _failures(puzzles: Collection, contents: Contents) -> Iterator[str]:
    ends = (Outcome.FAILED, Outcome.CRASHED, Outcome.WRONG, Outcome.MEMORY)
    lines = [
        f"{label} on {name}: {run.outcome}, {'; '.join(run.evidence)[:200]}"
        for label in contents.limits
        for name, board in puzzles.boards.items()
        if (run := contents.runs[label].get(board)) is not None and run.outcome in ends
    ]
    yield from bullets("## Failed, crashed or wrong", lines)


def _refused(puzzles: Collection, contents: Contents) -> Iterator[str]:
    """Yield what each backend refuses, and how often."""
    lines = []
    for label in contents.limits:
        runs = (contents.runs[label].get(board) for board in puzzles.boards.values())
        reasons = Counter(
            reason.partition(":")[0]
            for run in runs
            if run is not None and run.outcome is Outcome.UNSUPPORTED
            for reason in run.evidence
        )
        lines += [f"{label}: {reason} ({count})" for reason, count in reasons.most_common()]
    yield from bullets("## Refused", lines)


if __name__ == "__main__":
    sys.exit(main())
