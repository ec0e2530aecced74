"""How fast is `native`, and where? Against our other backends, and against foreign libraries.

Measures, and writes a report with these sections: classic boards by file; other sizes and layouts;
a single board. `measuring` has a module for each. Where two searchers count different numbers of
solutions, the board is named and the exit code is 1.

Foreign solvers of classic boards take part as shared libraries: see `measuring/library.py`.

Usage: python benchmarks/native.py [--data FOLDER] [--rounds N] [--library NAME=PATH[:FUNCTION]]...
       [--section NAME]... [--quick] [--write [--force]]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from measuring import files, layouts, single
from measuring.boards import Cells, collection, folder
from measuring.clock import Settings
from measuring.library import library
from measuring.machine import machine, say
from measuring.page import page_parser, publish

RESULTS = Path(__file__).parent / "results" / "native.md"
ROUNDS = 9
QUICK_ROUNDS = 2

Section = Callable[[Settings, Mapping[str, Cells]], Iterator[str]]

SECTIONS: Mapping[str, Section] = {
    "files": files.section,
    "layouts": layouts.section,
    "single": single.section,
}

BOARDS = 2000
"""Boards to make of each kind, where no folder is given."""

LIBRARIES = """\
Libraries: a shared library with a function `size_t solve(const char *board, size_t limit,
uint32_t configuration, char *solution, size_t *guesses)` takes part with
`--library NAME=PATH[:FUNCTION]`. The signature is that of [tdoku](https://github.com/t-dillon/tdoku),
whose function is `TdokuSolverDpllTriadSimd`. It is called from compiled code, a board a call."""


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
    parser.add_argument("--rounds", type=int, metavar="N", help=f"default: {ROUNDS}")
    parser.add_argument("--library", action="append", default=[], metavar="NAME=PATH[:FUNCTION]")
    parser.add_argument("--section", action="append", default=[], choices=list(SECTIONS))
    parser.add_argument("--quick", action="store_true", help="few boards, in about a minute")
    options = parser.parse_args(arguments)
    if options.rounds is not None and options.rounds < 1:
        parser.error(f"--rounds: expected at least 1, got {options.rounds}")
    return options


def _report(options: argparse.Namespace) -> Iterator[str]:
    """Measure; yield the lines of the report."""
    settings = Settings(
        quick=options.quick,
        rounds=options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS),
        libraries=[library(text) for text in options.library],
    )
    say("boards")
    boards = collection(options.data, settings.of(BOARDS))
    yield from ("# How fast native is", "", machine(), "")
    folder = options.data.resolve().name if options.data else ""
    source = f"the folder {folder}" if folder else "made by the program itself"
    yield f"Boards: {source}. Made by `make bench-native`" + (
        " in quick mode, whose figures are rough." if settings.quick else "."
    )
    yield ""
    if settings.libraries:
        names = ", ".join(contestant.name for contestant in settings.libraries)
        yield from (f"Libraries measured: {names}.", "")
    yield from (*LIBRARIES.splitlines(), "")
    for name in options.section or SECTIONS:
        say(f"section {name}")
        yield from SECTIONS[name](settings, boards)


if __name__ == "__main__":
    sys.exit(main())
