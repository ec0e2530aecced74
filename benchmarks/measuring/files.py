"""Section 1: classic 9x9 boards, by file and by searcher, in one process and in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

import unidoku
from measuring.boards import Cells, relabelled
from measuring.clock import Settings, Timed, in_turn, sample
from measuring.contestant import Contestant, Result, batch, checked, compare, single
from measuring.machine import say
from measuring.page import figure, table
from unidoku import Request

LANES = "lanes"
CONTESTANTS = (
    batch("native[engine=lanes]", LANES),
    checked("native[engine=lanes]", "lanes, with check"),
    batch("native[engine=lanes,bands=false]", "lanes, bands=false"),
    single("native[engine=python]"),
    single("norvig"),
)
LIMITS = (1, 2)

TEXT = """\
Microseconds a board, side by side in one process on one thread: the median of {rounds} rounds, in
each of which all search in random order, the quick ones several times. *lanes* is
`native[engine=lanes]`, all boards of a file in one call, arrays in and arrays out; *with check* is
`Solver.solve_many`, which copies the boards and checks every grid. `native[engine=python]` and
`norvig` search one board after the other, and like the libraries a sample, evenly spread over the
file, as large as they search in {seconds:g} s or so. Files of fewer than {least} boards are
repeated, digits permuted, as lanes idle at the end of a batch. All counts of solutions agree.

*boards* is how many are searched; *ratio* is the time over that of lanes on all boards; *nodes* are
states propagated, the first one included, and of a library the guesses that it says it made;
*rounds* of propagation are those of a lane, idle ones included.
"""


def section(settings: Settings, files: Mapping[str, Cells]) -> Iterator[str]:
    """Yield the lines of the section.

    Raises:
        FaultError: counts of solutions differ.
    """
    yield from ("## Files of classic boards", "")
    yield from TEXT.format(
        rounds=settings.rounds, seconds=settings.seconds, least=settings.least
    ).splitlines()
    yield ""
    who = (*CONTESTANTS, *settings.libraries)
    timed = {name: _measure(settings, name, cells, who) for name, cells in files.items()}
    yield from ("Summary: microseconds a board at limit 2.", "")
    yield from table(
        ["file", *(contestant.name for contestant in who)],
        (
            [name, *(figure(laps[2][contestant.name].micros) for contestant in who)]
            for name, laps in timed.items()
        ),
    )
    for name, laps in timed.items():
        yield from (f"### {name}", "")
        if len(files[name]) < settings.least:
            yield from (f"{len(files[name])} boards, repeated.", "")
        yield from _table(laps, who)


def _table(laps: Mapping[int, Mapping[str, Timed]], who: Sequence[Contestant]) -> list[str]:
    kinds = ("boards", "µs", "ratio", "nodes", "rounds")
    head = ["searcher", *(f"{kind}, limit {limit}" for limit in LIMITS for kind in kinds)]
    rows = [
        [
            contestant.name,
            *(text for limit in LIMITS for text in _fields(laps[limit], contestant.name)),
        ]
        for contestant in who
    ]
    return table(head, rows)


def _fields(laps: Mapping[str, Timed], name: str) -> list[str]:
    result = laps[name].result
    boards = len(result.counts)
    return [
        f"{boards:,}",
        figure(laps[name].micros),
        figure(laps[name].ratio(laps[LANES])),
        figure(result.nodes / boards),
        "–" if result.rounds is None else figure(result.rounds / boards),
    ]


def _measure(
    settings: Settings, name: str, cells: Cells, who: Sequence[Contestant]
) -> dict[int, dict[str, Timed]]:
    """Return by limit and searcher what is measured of a file."""
    layout = unidoku.layout()
    if len(cells) < settings.least:
        order = np.random.default_rng(2)
        cells = np.concatenate([cells, relabelled(cells, settings.least, layout.n, order)])
        cells = cells[: settings.least]
    laps = {}
    solvable: Result | None = None
    for limit in LIMITS:
        say(f"{name}: limit {limit}, {len(cells)} boards, {settings.rounds} rounds")
        request = Request(solutions=limit, keep=1)
        chosen = {
            contestant.name: sample(contestant, layout, cells, request, settings.seconds)
            for contestant in who
        }
        searches = {
            contestant.name: contestant.prepare(layout, cells[chosen[contestant.name]])
            for contestant in who
        }
        results = {contestant: search(request) for contestant, search in searches.items()}
        lanes = results[LANES]
        for contestant, result in results.items():
            title = f"{name}, limit {limit}"
            compare(title, cells, contestant, result, LANES, lanes, chosen[contestant])
        if solvable is not None:
            cut = replace(lanes, counts=np.minimum(lanes.counts, 1))
            compare(name, cells, "lanes at limit 2, cut to 1,", cut, "lanes at limit 1", solvable)
        solvable = lanes
        laps[limit] = in_turn(searches, request, settings.rounds)
    return laps
