"""Section 2: other sizes and other variants, by searcher."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

import unidoku
from measuring.boards import Cells, dug, solved_grids, solved_squares, thinned
from measuring.clock import Settings, repeated, sample
from measuring.contestant import Contestant, batch, compare, single
from measuring.machine import say
from measuring.page import figure, table
from unidoku import Layout, Request
from unidoku.files.examples import find_example

LANES = batch("native[engine=lanes]", "lanes")
IN_PYTHON = single("native[engine=python]")
NORVIG = single("norvig")

FROM_SIZE = 16
"""From this many values on, cp-sat takes part: on smaller boards it only starts up."""

SIZES = ((4, 0.60, 5000), (9, 0.65, 5000), (16, 0.55, 1000), (25, 0.40, 200), (25, 0.50, 200))
"""Values, the share of cells removed, and boards."""

VARIANTS = ("x", "windoku", "jigsaw", "anti-knight", "samurai")
VARIANT_BOARDS = 200
MOST_REMOVED = 0.65

HEAD = ("boards", "searcher", "searched", "decided", "µs a board", "ratio", "nodes")

SIZES_TEXT = """\
Permuted solved boards, a random share of whose cells is removed; at limit 2, with {limit:g} s a
board. *searched* is a sample of the boards, *decided* how many of it within the time; one that is
not counts with the time that it took. *ratio* is the time over that of lanes on all boards."""

VARIANTS_TEXT = """\
Solved boards found by native from a few random givens, of which cells are removed in random order
as long as the solution stays the only one, up to {share:.0%} of them; columns as above."""


def section(settings: Settings, files: Mapping[str, Cells]) -> Iterator[str]:
    """Yield the lines of the section.

    Raises:
        FaultError: counts of solutions differ.
    """
    limit = 0.5 if settings.quick else 10.0
    yield from ("## Sizes", "", *SIZES_TEXT.format(limit=limit).splitlines(), "")
    rows: list[list[str]] = []
    cp_sat = single("cp-sat")
    for n, share, count in SIZES[:3] if settings.quick else SIZES:
        order = np.random.default_rng(n)
        layout = unidoku.layout("classic", n)
        boards = thinned(solved_squares(n, settings.of(count), order), share, order)
        others = [IN_PYTHON, NORVIG, *([cp_sat] if n >= FROM_SIZE else [])]
        rows += _rows(settings, f"{n}×{n}, {share:.0%} removed", layout, boards, others, limit)
    yield from table(HEAD, rows)
    yield from ("## Variants", "", *VARIANTS_TEXT.format(share=MOST_REMOVED).splitlines(), "")
    rows = []
    for variant in VARIANTS[:3] if settings.quick else VARIANTS:
        say(f"{variant}: boards")
        layout = _layout(variant)
        order = np.random.default_rng(5)
        grids = solved_grids(layout, settings.of(VARIANT_BOARDS), order)
        boards = dug(layout, grids, int(MOST_REMOVED * len(layout)), order)
        rows += _rows(settings, variant, layout, boards, [IN_PYTHON, NORVIG], limit)
    yield from table(HEAD, rows)


def _layout(variant: str) -> Layout:
    """Return the layout of size 9; of a jigsaw, with the regions of the example."""
    if variant == "jigsaw":
        return find_example("jigsaw").puzzles()[0].board.layout
    return unidoku.layout(variant)


def _rows(
    settings: Settings,
    name: str,
    layout: Layout,
    cells: Cells,
    others: Sequence[Contestant],
    limit: float,
) -> Iterator[list[str]]:
    """Yield a row a searcher: the lanes, then the others, compared with them."""
    request = Request(solutions=2, keep=1, time_limit=limit)
    LANES.prepare(layout, cells[:1])(request)
    say(f"{name}: lanes")
    lanes = repeated(LANES.prepare(layout, cells), request, settings.seconds)
    for who in (LANES, *others):
        timed, chosen = lanes, np.arange(len(cells))
        if who is not LANES:
            say(f"{name}: {who.name}")
            chosen = sample(who, layout, cells, request, settings.seconds)
            search = who.prepare(layout, cells[chosen])
            timed = repeated(search, request, settings.seconds, least=1)
            compare(name, cells, who.name, timed.result, LANES.name, lanes.result, chosen)
        yield [
            name,
            who.name,
            f"{len(chosen):,} of {len(cells):,}",
            f"{timed.result.answered.sum():,}",
            figure(timed.micros),
            figure(timed.micros / lanes.micros),
            figure(timed.result.nodes / len(chosen)),
        ]
