"""How fast are puzzles generated, and are they correct?

Puzzles of each kind are generated twice, without and with ``--minimal``, after a first run that
compiles what the layout needs. Then they are checked, without the code that made them: two other
backends count the solutions of each puzzle, and of each minimal puzzle without each of its givens.
The check is not timed. Puzzles with rules are generated and checked in the same way, and solved by
logic.

Usage: python benchmarks/generate.py [--puzzles N] [--kind KIND]... [--ruled N] [--rules KIND]...
    [--threads N] [--write [--force]]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean

import numpy as np
from measuring.machine import machine, say
from measuring.page import UnfitError, page_parser, publish
from measuring.ruled import EXAMINERS as WITH_RULES
from measuring.ruled import HEADINGS, RULES, ruled_rows
from measuring.table import table

from unidoku import load
from unidoku.generation import Generation, PuzzleRequest, Puzzles
from unidoku.generation.ruled import FAMILIES

RESULTS = Path(__file__).parent / "results" / "generate.md"
RULED = RESULTS.with_name("generate-rules.md")

KINDS = {
    "classic": ("classic", 1),
    "x": ("x", 1),
    "windoku": ("windoku", 1),
    "jigsaw": ("jigsaw", 1),
    "jigsaw, 100 a map": ("jigsaw", 100),
}
"""Variant, and puzzles that share random regions."""

EXAMINERS = ("native[engine=python]", "sat")


def made(variant: str, per_layout: int, minimal: bool, options: argparse.Namespace) -> Generation:
    """Return a run, which makes its puzzles when it is iterated over."""
    return Generation(
        variant=variant,
        request=PuzzleRequest(minimal=minimal),
        count=options.puzzles,
        seed=options.seed,
        per_layout=per_layout,
        threads=options.threads,
    )


def examine(puzzles: Puzzles, minimal: bool) -> Iterator[str]:
    """Yield what is wrong with puzzles."""
    rows, cells = np.nonzero(puzzles.cells)
    without = puzzles.cells[rows]
    without[np.arange(len(rows)), cells] = 0
    for label in EXAMINERS:
        solver = load(label)
        found = solver.solve_many(puzzles.cells, layout=puzzles.layout, solutions=2)
        if not found.unique.all():
            yield f"{label}: {np.count_nonzero(~found.unique)} are not unique"
        if (found.grids != puzzles.grids).any():
            yield f"{label}: another solution than the one they were dug from"
        if minimal:
            counts = solver.solve_many(without, layout=puzzles.layout, solutions=2, keep=0).counts
            if (counts != 2).any():
                yield f"{label}: {np.count_nonzero(counts != 2)} givens are superfluous"


def row(kind: str, minimal: bool, options: argparse.Namespace) -> tuple[list[str], int]:
    """Make the puzzles of a kind and examine them; return a row, and how much is wrong."""
    variant, per_layout = KINDS[kind]
    say(f"{kind}{', minimal' * minimal} …")
    if variant != "jigsaw":
        list(made(variant, per_layout, minimal, options))
    began = time.perf_counter()
    parts = list(made(variant, per_layout, minimal, options))
    seconds = time.perf_counter() - began
    clues = [int(count) for part in parts for count in np.count_nonzero(part.cells, axis=1)]
    wrong = [fault for part in parts for fault in examine(part, minimal)]
    figures = [
        kind + ", minimal" * minimal,
        f"{len(clues):,}",
        f"{seconds:.2f} s",
        f"{len(clues) / seconds:,.0f}",
        f"{mean(clues):.1f}",
        f"{min(clues)}-{max(clues)}",
        "; ".join(wrong) or "none",
    ]
    return figures, len(wrong)


def plain_page(options: argparse.Namespace) -> Iterable[str]:
    """Measure puzzles without rules; return a page of figures."""
    rows, faults = [], 0
    for kind in options.kind or KINDS:
        for minimal in (False, True):
            figures, wrong = row(kind, minimal, options)
            rows.append(figures)
            faults += wrong
    headings = ["kind", "puzzles", "time", "a second", "clues, mean", "least and most", "faults"]
    told = (
        f"Seed {options.seed}, threads: {options.threads}. The first kinds are warm: what their "
        "layout needs was compiled by a run before. Jigsaws have random regions, a map a puzzle "
        "or a hundred, and what they compile is in the time. Faults are found by "
        f"{' and '.join(f'`{label}`' for label in EXAMINERS)}: puzzles that have not exactly one "
        "solution, and of minimal ones givens that can go."
    )
    return _page("How fast puzzles are made", told, table(headings, rows), faults)


def ruled_page(options: argparse.Namespace) -> Iterable[str]:
    """Measure puzzles with rules; return a page of figures."""
    measured = list(ruled_rows(options.ruled, options.seed, options.rules or (*FAMILIES, *RULES)))
    told = (
        f"Seed {options.seed}; processor time of one thread. Families have their usual sizes, and "
        "other rules are laid on classic 9×9 boards. Refused attempts have no single solution "
        "after all changes, or a rule or given that is not needed. "
        f"{' and '.join(f'`{label}`' for label in WITH_RULES)} find the faults: not just the one "
        "solution, and, by the first of them, rules and givens of minimal ones that can go. Some "
        "are solved by logic: those whose path gets to the end without forcing within 5 s are "
        "counted, and the techniques named that are most often the hardest."
    )
    rows = [figures for figures, _ in measured]
    faults = sum(wrong for _, wrong in measured)
    return _page("How fast puzzles with rules are made", told, table(HEADINGS, rows), faults)


def _page(title: str, told: str, lines: Iterable[str], faults: int) -> Iterable[str]:
    page = [f"# {title}", "", machine(), "", told, "", *lines]
    if faults:
        raise UnfitError(1, f"{faults} faults", page)
    return page


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked; return the exit code."""
    parser = page_parser(__doc__, RESULTS, RULED)
    parser.add_argument("--puzzles", type=int, default=1000, help="of each kind")
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this one")
    parser.add_argument("--ruled", type=int, default=100, help="puzzles of each kind with rules")
    parser.add_argument("--rules", action="append", help="only this kind with rules")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    code = 0
    for measure, page, asked, other in (
        (plain_page, RESULTS, options.kind, options.rules),
        (ruled_page, RULED, options.rules, options.kind),
    ):
        if code < 2 and (asked or not other):
            code = max(code, publish(measure, options, page))
    return code


if __name__ == "__main__":
    sys.exit(main())
