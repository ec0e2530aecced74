"""Do published results about puzzles hold for the solvers here?

It fetches nothing. A folder has the collections, as docs/published.md describes, with the published
tables and answers among them. Each set of `published.toml` is a comparison of the backends of its
published table. Its journal is kept, so that the same command continues where an earlier one
stopped. Each set gets its share of the time that is left; what was not run is shown as such.

Usage: python benchmarks/published.py FOLDER [--budget HOURS] [--time-limit SECONDS] [--sets A,B]
       [--journals FOLDER] [--write]
"""

from __future__ import annotations

import argparse
import csv
import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any

from corpus import Contents, read_journals
from measuring.machine import processor, say
from measuring.page import bullets, figure, table
from measuring.telling import Telling

import unidoku
from unidoku.comparison.cases import PuzzleSource
from unidoku.comparison.config import ComparisonPlan
from unidoku.comparison.journal import read_header
from unidoku.comparison.record import Outcome
from unidoku.comparison.session import RunOptions, carry_out
from unidoku.errors import UnidokuError
from unidoku.formats import Puzzle
from unidoku.support.atomic_write import make_folder
from unidoku.support.deadline import Deadline
from unidoku.support.toml import read_toml

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "published.md"
STUDY = HERE / "results" / "study" / "figures.csv"
MARKS = "<!-- measured -->", "<!-- end of what is measured -->"

_SHOWN = 12
"""Names of boards in a list."""

LATE = (Outcome.UNKNOWN, Outcome.TIMEOUT, Outcome.MEMORY, Outcome.LATE)


@dataclass
class Findings:
    """What a set has shown.

    Args:
        puzzles: boards with published counts, by their ids; several files may have a board.
        groups: group of each board, by its id.
        refused: files that are not read, by the reason.
        grids: names of boards with published grids, and what these break.
        journal: runs of the set.
    """

    puzzles: dict[str, Puzzle] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    refused: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    grids: list[tuple[str, str]] = field(default_factory=list)
    journal: Contents = field(default_factory=Contents)

    @cached_property
    def solvers(self) -> Counter[str]:
        """The number of backends that solved each board."""
        return Counter(
            board for name in self.journal.runs for board in self.solved(name, self.puzzles)
        )

    def solved(self, backend: str, boards: Iterable[str]) -> dict[str, float]:
        """Return the seconds of the boards among some that a backend solved."""
        runs = self.journal.runs[backend]
        return {
            board: runs[board].timing.wall_ns / 1e9
            for board in boards
            if board in runs and runs[board].outcome is Outcome.SOLVED
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write where asked; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the collections")
    parser.add_argument("--budget", type=float, default=2.0, help="hours; 0 only reports")
    parser.add_argument("--time-limit", type=float, help="seconds of a search, of every set")
    parser.add_argument("--sets", default="", help="names of the sets to run; all by default")
    parser.add_argument("--journals", type=Path, default=Path("build", "published"))
    parser.add_argument("--workers", type=int, default=2, help="processes at the same time")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name} as well")
    options = parser.parse_args(arguments)
    try:
        if not options.folder.is_dir():
            raise ValueError(f"expected a folder of collections, got {str(options.folder)!r}")
        text = "\n".join(_report(options)).rstrip()
        print(text)
        if options.write:
            before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARKS[0])
            after = rest.partition(MARKS[1])[2]
            page = f"{before}{MARKS[0]}\n\n{text}\n\n{MARKS[1]}{after}"
            PAGE.write_text(page, encoding="utf-8")
    except (OSError, ValueError, UnidokuError) as error:
        say(str(error))
        return 2
    return 0


def _report(options: argparse.Namespace) -> Iterator[str]:
    """Run each set for its share of the time; yield the lines of the page."""
    tables = read_toml(HERE / "published.toml")
    chosen = [name for name in options.sets.split(",") if name]
    sets = [entry for entry in tables["sets"] if not chosen or entry["name"] in chosen]
    make_folder(options.journals)
    findings = {entry["name"]: _read(entry, options.folder) for entry in sets}
    budget = options.budget * 3600
    clock = Deadline(budget or None)
    journals = {name: options.journals / f"{name}.jsonl" for name in findings}
    is_stopped = False
    shares = sum(entry["share"] for entry in sets) + tables["telling"]["share"]
    for entry in sorted(sets, key=itemgetter("share")):  # those that need little time first
        name = entry["name"]
        entry["time_limit"] = options.time_limit or entry["time_limit"]
        seconds = (budget - clock.elapsed) * entry["share"] / shares
        shares -= entry["share"]
        if findings[name].puzzles and seconds > 0 and not is_stopped:
            is_stopped = _run(entry, findings[name], journals[name], seconds, options.workers)
    sections: list[str] = []
    orders: list[str] = []
    versions: dict[str, str] = {}
    for entry in sets:
        name = entry["name"]
        if journals[name].exists():
            findings[name].journal = read_journals([journals[name]])
            versions |= read_header(journals[name]).environment["backends"]
        sections += _section(entry, findings[name], options.folder)
        orders.append(_order(entry, findings[name]))
    if not chosen or "telling" in chosen:
        telling = Telling(tables["telling"], options.journals / "telling")
        if budget and not is_stopped:
            telling.make(clock)
        sections += telling.section()
    names = ", ".join(dict.fromkeys(versions.values()))
    yield f"Measured on {processor()}, {options.workers} at a time, with {names}."
    yield from ("", *sections)
    yield from bullets(
        "## What is not here", [f"{title}: {why}" for title, why in tables["absent"]]
    )
    yield from ("## The published boards beside the study", "")
    yield "Backends that both measured, by boards solved and then by the median time, of the boards"
    yield "that all of the set searched; in the study by boards solved and the geometric mean."
    yield from ("", *orders)


def _read(entry: Mapping[str, Any], folder: Path) -> Findings:
    """Read the boards of a set, with their published grids and counts."""
    findings = Findings()
    answers = {}
    if (path := folder / entry.get("answers", "-")).is_file():
        with path.open(newline="") as file:
            answers = {row["file"]: row for row in csv.DictReader(file)}
    for path in sorted(path for glob in entry["files"] for path in folder.glob(glob)):
        try:
            puzzles = list(unidoku.read(path))
        except UnidokuError as error:
            findings.refused[str(error).partition(": ")[2]].append(path.name)
            continue
        most = entry.get("most", len(puzzles))
        chosen = puzzles[:: max(1, len(puzzles) // most)][:most]
        for index, puzzle in enumerate(chosen, start=1):
            name = path.stem if len(puzzles) == 1 else f"{path.stem} {index}"
            answer = answers.get(path.name, {})
            count = int(answer["solutions"]) if answer.get("complete") == "yes" else None
            known = replace(puzzle, name=name, solutions=count, numbers={})
            if (board := puzzle.board.digest) in findings.puzzles:
                continue
            findings.puzzles[board] = known
            group = re.match(entry.get("group", "()"), name)
            findings.groups[board] = group[1] if group else name
            if (grid := _grid(path, puzzle)) is not None:
                findings.grids.append(
                    (name, "; ".join(map(str, unidoku.verify(puzzle.board, grid))))
                )
    return findings


def _grid(path: Path, puzzle: Puzzle) -> tuple[int, ...] | None:
    """Return the published grid of a board: that of its file, or of the file beside it."""
    for suffix in (".out", ".szn"):
        if (answer := path.with_suffix(suffix)).is_file():
            values = re.search(r"\[([\d,\s]*)\]", answer.read_text(encoding="utf-8"))
            return tuple(map(int, values[1].split(","))) if values else None
    return puzzle.solution


def _run(
    entry: Mapping[str, Any], findings: Findings, path: Path, end: float, workers: int
) -> bool:
    """Run what the journal lacks, until the time is up; return whether Ctrl-C ended it."""
    say(f"{entry['name']}: {len(findings.puzzles)} boards, at most {end:.0f} s")
    plan = ComparisonPlan(
        backends=tuple(entry["backends"]),
        puzzles=(PuzzleSource(boards=tuple(findings.puzzles.values())),),
        repeats=1,
        time_limit=entry["time_limit"],
        solutions=entry["solutions"],
        sample_ms=0,
        workers=workers,
    )
    options = RunOptions(journal=path, resume=path.exists(), deadline=Deadline(end))
    return carry_out(plan, options).interrupted is not None


def _section(entry: Mapping[str, Any], findings: Findings, folder: Path) -> Iterator[str]:
    """Yield what was published of a set, what was measured, and what differs."""
    puzzles, journal = findings.puzzles, findings.journal
    yield from (f"## {entry['title']}", "", f"**Published.** {entry['published']}", "")
    yield f"**Measured.** {len(puzzles)} boards, at most {entry['time_limit']:g} s a search,"
    yield f"of at most so many solutions: {entry['solutions']}. {entry['differs']}"
    yield ""
    if not puzzles:
        yield from ("Not run: the folder does not have this collection.", "")
        return
    yield from _figures(entry, findings)
    if entry.get("table") == "survey":
        yield from _survey(entry, findings, folder)
    if entry.get("table") == "speeds":
        yield from _speeds(entry, findings, folder)
    verdict = journal.judge.verdict()
    wrong = [f"{d.case.name}: {d.kind}: {d.evidence}" for d in verdict.disagreements]
    wrong += [f"{name}: the published grid breaks {why}" for name, why in findings.grids if why]
    sure = sum(run.complete for runs in journal.runs.values() for run in runs.values())
    counts = sum(puzzle.solutions is not None for puzzle in puzzles.values())
    confirmed = sum(number > 1 for number in findings.solvers.values())
    yield f"Of {len(puzzles)} boards that are read, {len(findings.solvers)} are solved, and"
    yield f"{confirmed} of these are confirmed: two backends or more solve them. {sure} answers are"
    yield "complete."
    yield f"Ours are compared with {len(findings.grids)} published grids and {counts} counts."
    yield from ("", *bullets("Disagreements:", wrong))
    tried = {board for runs in journal.runs.values() for board in runs} & puzzles.keys()
    for title, number in (("Solved by one backend only:", 1), ("Solved by none in its time:", 0)):
        names = [puzzles[b].name for b in puzzles if b in tried and findings.solvers[b] == number]
        if names:
            yield from (f"{title} {_shortened(names)}.", "")
    if findings.refused:
        whys = [f"{why}: {', '.join(names)}" for why, names in findings.refused.items()]
        yield from bullets("Files that are not read:", whys)


def _shortened(names: Sequence[str]) -> str:
    """Return names with commas between them; of many, the first ones and how many more."""
    shown = ", ".join(names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def _figures(entry: Mapping[str, Any], findings: Findings) -> Iterator[str]:
    """Yield a row for each group and backend."""
    rows = []
    for group in dict.fromkeys(findings.groups.values()):
        boards = [board for board, name in findings.groups.items() if name == group]
        for backend in entry["backends"]:
            runs = findings.journal.runs[backend]
            ended = Counter(runs[board].outcome for board in boards if board in runs)
            seconds = findings.solved(backend, boards)
            late, refused = sum(ended[end] for end in LATE), ended[Outcome.UNSUPPORTED]
            failed = ended.total() - len(seconds) - late - refused
            unrun = len(boards) - ended.total()
            median = figure(statistics.median(seconds.values())) if seconds else "–"
            confirmed = sum(findings.solvers[board] > 1 for board in seconds)
            figures = [
                f"{len(seconds)} of {len(boards)}",
                confirmed,
                median,
                late,
                refused,
                failed,
                unrun,
            ]
            rows.append([backend, group or entry["name"], *map(str, figures)])
    head = [
        "backend",
        "boards",
        "solved",
        "confirmed",
        "median s",
        "late",
        "refused",
        "failed",
        "not run",
    ]
    yield from table(head, rows)


def _plain(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())


def _survey(entry: Mapping[str, Any], findings: Findings, folder: Path) -> Iterator[str]:
    """Yield the published seconds of each board beside ours; + is not solved in time."""
    path = folder / entry["figures"]
    if not path.is_file():
        yield from (f"Not shown: the folder has no {entry['figures']}.", "")
        return
    lines = path.read_text(encoding="utf-8").splitlines()
    head, *rows = ([cell.strip() for cell in line.split(",")] for line in lines)
    boards = {_plain(puzzle.name): board for board, puzzle in findings.puzzles.items()}
    shown = []
    for number, name, _, _, *theirs in rows:
        board = boards.get(_plain(name))
        ours = [_seconds(findings, backend, board) for backend in entry["backends"]]
        shown.append([f"{name} ({number})", *(cell or "–" for cell in theirs), *ours])
    listed = [cells for cells in shown if cells[-1] != "no board"]
    solved = (
        sum(cell not in ("+", "–", "not run") for cell in column)
        for column in zip(*listed, strict=True)
    )
    shown.append([f"solved, of {len(listed)} that are here", *list(map(str, solved))[1:]])
    yield "Seconds of each board; + is not solved in time. The published ones come from other"
    yield "machines: compare columns only within one machine."
    yield ""
    columns = [f"{name}, published" for name in head[4:]] + [
        f"{b}, here" for b in entry["backends"]
    ]
    yield from table(["board", *columns], shown)


def _seconds(findings: Findings, backend: str, board: str | None) -> str:
    if board is None:
        return "no board"
    if (run := findings.journal.runs[backend].get(board)) is None:
        return "not run"
    return figure(run.timing.wall_ns / 1e9) if run.outcome is Outcome.SOLVED else "+"


def _speeds(entry: Mapping[str, Any], findings: Findings, folder: Path) -> Iterator[str]:
    """Yield how many times as fast one solver is as others, published and here, file by file."""
    published: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for path in sorted(folder.glob(entry["figures"])):
        head: list[str] = []
        for words in map(str.split, path.read_text(encoding="utf-8").splitlines()):
            if words and words[0].startswith("puzzles"):
                head = words
            elif len(words) == len(head) + 1:
                published[words[0]].append(dict(zip(head, words[1:], strict=True)))
    if not published:
        yield from (f"Not shown: the folder has no {entry['figures']}.", "")
        return
    rows = []
    for group, column in entry["columns"].items():
        boards = [board for board, name in findings.groups.items() if name == group]
        row = [group]
        for theirs, ours in entry["pairs"]:
            pairs = zip(*(published[name] for name in theirs), strict=True)
            ratios = [float(a[column]) / float(b[column]) for a, b in pairs]
            row.append(f"{figure(min(ratios))} to {figure(max(ratios))}")
            mine, other = (findings.solved(backend, boards) for backend in ours)
            common = mine.keys() & other.keys()
            ratio = sum(other[board] for board in common) / (
                sum(mine[board] for board in common) or 1
            )
            row.append(f"{figure(ratio)} on {len(common)} of {len(boards)}")
        rows.append(row)
    yield "How many times as fast: the published range over the machines, and ours."
    yield ""
    head = [" : ".join(names) for pair in entry["pairs"] for names in pair]
    yield from table(["file", *head], rows)


def _order(entry: Mapping[str, Any], findings: Findings) -> str:
    """Return a line: the order of backends on a set and on the study's family, and why."""
    with STUDY.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["stage"] == "first"]
    family = [row for row in rows if row["family"] == entry["family"]]
    theirs = sorted(family, key=lambda row: (-int(row["solved"]), float(row["geometric_mean_s"])))
    runs = [findings.journal.runs[backend].keys() for backend in entry["backends"]]
    common = findings.puzzles.keys() & set.intersection(*map(set, runs))
    times = {b: s for b in entry["backends"] if (s := findings.solved(b, common))}
    ours = sorted(times, key=lambda b: (-len(times[b]), statistics.median(times[b].values())))
    study = [row["backend"] for row in theirs if row["backend"] in times]
    ours = [backend for backend in ours if backend in study]
    if not ours:
        return f"- {entry['title']}: not run, or no family of the study."
    same = "the same order" if ours == study else f"in the study {', '.join(study)}"
    return f"- {entry['title']}, {entry['family']}: {', '.join(ours)}; {same}. {entry['why']}"


if __name__ == "__main__":
    sys.exit(main())
