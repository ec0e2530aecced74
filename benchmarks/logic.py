"""How many puzzles do techniques solve, family by family, and is every step of theirs correct?

For each collection, the report states how many puzzles the first families solve, how many one more
family, and so on. Each step is compared with the solution, which an exact backend found and proved
to be the only one. Each further family continues where the ones before got stuck.

The collections are files (``--data FOLDER`` with minimal.txt in it; without it, as many puzzles
of our generator) and generated X, windoku and jigsaw puzzles, all minimal.

Puzzles with rules are those of setters (``rules/visible.jsonl`` in the folder, in the neutral form,
grouped by their kinds) and generated ones of each family. Puzzles that an exact backend does not
decide soon are left out.

Usage: python benchmarks/logic.py [--data FOLDER] [--puzzles N] [--section TITLE]...
       [--family NAME]... [--time-limit SECONDS] [--write [--force]]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

from measuring.machine import machine, say
from measuring.page import page_parser, publish
from measuring.table import table

import unidoku
from unidoku import Board
from unidoku.core.bits import is_single
from unidoku.errors import TimeLimitError
from unidoku.files.puzzles import puzzles_in
from unidoku.files.source import Source
from unidoku.generation import generate
from unidoku.generation.ruled import FAMILIES
from unidoku.logic import TECHNIQUES, State, Technique, steps_from, usual
from unidoku.support.deadline import Deadline

RESULTS = Path(__file__).parent / "results" / "logic.md"

STAGES = (
    ("singles", {"singles", "last"}),
    (
        "+ one rule",
        {"pairs", "nonogram", "combinations", "sums", "lines", "same_values", "either"},
    ),
    ("+ locked", {"intersections"}),
    ("+ subsets", {"subsets"}),
    ("+ leftovers", {"leftovers"}),
    ("+ rules and units", {"overlap", "remainders", "compared", "arrangements", "together"}),
    ("+ fish", {"fish", "mutant"}),
    ("+ wings", {"turbot", "wings"}),
    ("+ chains", {"colouring", "chains"}),
    ("+ forcing", {"forcing"}),
)
"""Families in the order in which people learn them."""

SEED, GENERATED, RULED = 1, 200, 50
"""Of the generated puzzles, and how many of each variant, and of each family with rules."""

TRUTH = 60.0
"""Time limit in seconds of the exact backend for each puzzle."""

Truth: TypeAlias = tuple[int, ...]
"""The true candidates of each cell."""

Collection: TypeAlias = tuple[str, list[tuple[Board, str]]]
"""Its name and its boards, each with its only solution or an empty text."""


@dataclass
class Study:
    """The results of a collection.

    Args:
        puzzles: looked at.
        solved: puzzles that each stage was the first to solve.
        steps: uses of each technique.
        wrong: steps that removed what is true, in words.
        late: puzzles on which the techniques ran out of time.
        seconds: for all.
    """

    puzzles: int = 0
    late: int = 0
    solved: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0


EVERY = 100
"""Puzzles between two lines that say how far the study is."""


def stages(unique: bool) -> Iterator[tuple[str, Sequence[Technique]]]:
    """Yield each stage with its techniques and those of all before it, in order of difficulty.

    Args:
        unique: whether those are wanted too that hold for one solution only.
    """
    families: set[str] = set()
    for name, more in STAGES:
        families |= more
        yield name, [row for row in usual() if row.family in families]
    assert families >= {row.family for row in usual()}, "a family is in no stage"
    if unique:
        yield "+ uniqueness", TECHNIQUES


def study(puzzles: Sequence[tuple[Board, Truth]], seconds: float) -> Study:
    """Solve boards stage by stage, each within a time, and compare each step with the solutions."""
    found = Study()
    started = time.perf_counter()
    for number, (board, true) in enumerate(puzzles, start=1):
        if number % EVERY == 0:
            say(f"{number} of {len(puzzles)} puzzles")
        found.puzzles += 1
        try:
            walk(board, true, found, Deadline(seconds))
        except TimeLimitError:
            found.late += 1
    found.seconds = time.perf_counter() - started
    return found


def walk(board: Board, true: Truth, found: Study, deadline: Deadline) -> None:
    """Solve one board stage by stage, each from where the one before stalled."""
    state = State.start(board, partial(deadline.check, "logic"))
    for stage, techniques in stages(unique=all(map(is_single, true))):
        fit = [row for row in techniques if not row.refuses(state.layout)]
        for step, after in steps_from(state, fit):
            found.steps[step.technique] += 1
            state = after
            if any(kept & ~mask for kept, mask in zip(true, after.candidates, strict=False)):
                found.wrong.append(f"{board!r}: {step}")
                return
        if state.is_solved:
            found.solved[stage] += 1
            return


def known(boards: Iterable[tuple[Board, str]]) -> Iterator[tuple[Board, Truth]]:
    """Yield boards with their true candidates; boards that take too long are left out.

    Args:
        boards: each with its only solution as the neutral form has it, or empty.
    """
    for board, solution in boards:
        try:
            if solution:
                numbers = [int(sign, 36) for sign in solution if sign != "#"]
                yield board, tuple(1 << v - board.layout.first_value for v in numbers)
            else:
                yield board, unidoku.true_candidates(board, time_limit=TRUTH).candidates
        except TimeLimitError:
            say(f"not known within {TRUTH:g} s: {board!r}")


def without_rules(options: argparse.Namespace) -> Iterator[Collection]:
    """Yield the name and the boards of each collection of boards without rules."""
    data, count = options.data, options.puzzles
    if data is not None:
        lines = (data / "minimal.txt").read_text().split()[:count]
        yield "minimal.txt", [(Board.parse(line), "") for line in lines]
    for variant in ("classic", "x", "windoku", "jigsaw"):
        if data is None or variant != "classic":
            made = generate(
                variant, count=min(count or GENERATED, GENERATED), minimal=True, seed=SEED
            )
            yield f"{variant}, generated", [(board, "") for board in made]


def with_rules(options: argparse.Namespace) -> Iterator[Collection]:
    """Yield the name and the boards of each collection with rules."""
    data, count = options.data, options.puzzles
    file = data / "rules" / "visible.jsonl" if data else None
    if file is not None and file.exists():
        told = {
            (one := json.loads(line))["name"]: one for line in file.read_text("utf-8").splitlines()
        }
        sorts: defaultdict[str, list[tuple[Board, str]]] = defaultdict(list)
        for puzzle in puzzles_in(Source(str(file)), lambda *left: say(f"not read: {left[1]}")):
            one = told[puzzle.name]
            sort = one.get("family") or one["source"].rpartition(": ")[2]
            sorts[sort].append((puzzle.board, one["solution"] or ""))
        for sort, boards in sorts.items():
            yield f"{file.stem}, {sort}", boards[:count]
    for family in options.family or FAMILIES:
        wanted = min(count or RULED, RULED)
        made = generate(family=family, count=wanted, seed=SEED)
        yield f"{family}, generated", [(board, "") for board in made]


def report(title: str, studies: dict[str, Study], seconds: float) -> list[str]:
    """Return a section of the report in Markdown."""
    names = [name for name, _ in stages(unique=True)]
    rows = []
    for collection, found in studies.items():
        total = 0
        shares = []
        for name in names:
            total += found.solved[name]
            shares.append(f"{total:,}")
        each = f"{1e3 * found.seconds / max(found.puzzles, 1):.1f} ms"
        last = [str(found.late), str(len(found.wrong)), each]
        rows.append([collection, f"{found.puzzles:,}", *shares, *last])
    used = sum((found.steps for found in studies.values()), Counter[str]())
    techniques = [[row.name, f"{used[row.name]:,}"] for row in TECHNIQUES]
    wrong = [f"- {text}\n" for found in studies.values() for text in found.wrong]
    head = ["puzzles", "number", *names, "out of time", "wrong steps", "a puzzle"]
    return [
        f"## {title}",
        "",
        f"{machine()} Up to {seconds:g} s a puzzle.",
        "",
        *table(head, rows),
        "Steps of all of them:",
        "",
        *table(["technique", "steps"], techniques),
        *(["### Wrong steps", "", *wrong] if wrong else []),
    ]


SECTIONS = {
    "Puzzles without rules": without_rules,
    "Puzzles with rules": with_rules,
}
"""Parts of the report, each measured on its own if that is asked for."""

TITLE = "# How far techniques lead\n"


def written() -> Iterator[tuple[str, str]]:
    """Yield the title and the text of each section of the existing page."""
    before = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    for part in before.split("\n## ")[1:]:
        yield part.partition("\n")[0], f"## {part.rstrip()}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Study all collections, print, and write where asked; return the exit code."""
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("--data", type=Path, help="folder with minimal.txt, rules/visible.jsonl")
    parser.add_argument("--puzzles", type=int, help="most of each collection")
    parser.add_argument("--section", choices=SECTIONS, action="append", help="all by default")
    parser.add_argument(
        "--family", choices=FAMILIES, action="append", help="of puzzles with rules; all by default"
    )
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for a puzzle")
    return publish(_page, parser.parse_args(arguments), RESULTS)


def _page(options: argparse.Namespace) -> Iterator[str]:
    """Measure; yield the report, with the other sections of the page if it is to be written."""
    sections = {}
    for title in options.section or SECTIONS:
        studies = {}
        for name, boards in SECTIONS[title](options):
            say(f"{name}: {len(boards)} puzzles")
            studies[name] = study([*known(boards)], options.time_limit)
        sections[title] = "\n".join(report(title, studies, options.time_limit))
    if options.write:
        sections = dict(written()) | sections
    yield TITLE
    yield from (sections[title] for title in SECTIONS if title in sections)


if __name__ == "__main__":
    sys.exit(main())
