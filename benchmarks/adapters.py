"""How much time do our adapters add to their solvers, and how much do they save?

Four interfaces to each solver count up to two solutions of boards of six kinds: our adapter, which
keeps limits; the same library, called directly by the best code that we can write; the formulation
of its tutorials, built for each board; and CPMpy's path to it. Each has its own process and sees
each board once; on each board all of them run in random order. An interface that has used up its
seconds on a kind is left out of the rest of that kind.

Usage: python benchmarks/adapters.py [--data FOLDER] [--boards N] [--seconds S]
       [--backend NAME]... [--kind KIND]... [--write [--force]]
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from measuring.collection import folder
from measuring.kinds import KINDS, kinds
from measuring.machine import beneath, processor, say
from measuring.page import page_parser, publish
from measuring.sides import LIMIT, SIDES, Player, SideError, counter
from measuring.table import figure, table

import unidoku
from unidoku import Board

RESULTS = Path(__file__).parent / "results" / "adapters.md"

Times = dict[tuple[str, str], dict[int, float]]
"""Seconds of a backend's side on boards, by index; `LIMIT` if it was ended there."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked; return the exit code."""
    return publish(_measured, _options(arguments), RESULTS)


def _measured(options: argparse.Namespace) -> Iterable[str]:
    """Measure; return the lines of the report."""
    players = [Player(name, side, counter) for name in options.backend for side in SIDES]
    players = [player for player in players if player.exists]
    measured: dict[str, Times] = {}
    wrong: list[str] = []
    try:
        for kind, boards in kinds(options.data, options.boards):
            if kind in options.kind:
                say(f"{kind}: {len(boards) - 1} boards")
                measured[kind] = _measure(players, boards, options.seconds, wrong)
                if measured.keys() >= set(options.kind):
                    break  # large boards take long to make
    finally:
        for player in players:
            player.end()
    return _report(measured, wrong, options)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    installed = [name for name, spec in unidoku.catalogue().items() if not spec.missing]
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("--data", type=folder, metavar="FOLDER")
    parser.add_argument("--boards", type=int, default=100, help="of each kind")
    parser.add_argument("--seconds", type=float, default=8, help="for each side on a kind")
    parser.add_argument("--backend", action="append", choices=installed)
    parser.add_argument("--kind", action="append", choices=KINDS)
    options = parser.parse_args(arguments)
    options.backend = options.backend or installed
    options.kind = options.kind or list(KINDS)
    return options


def _measure(
    players: Sequence[Player[int]], boards: Sequence[Board], seconds: float, wrong: list[str]
) -> Times:
    """Return the times of all players on all boards but the first, which warms them up.

    Args:
        players: sides of the backends.
        boards: boards with one solution each.
        seconds: time for each player; after that it is left out.
        wrong: list to which wrong answers of CPMpy's path are added, which are not our errors.

    Raises:
        SideError: one failed, or another did not find exactly one solution.
    """
    order = random.Random(1)
    left = {(player.backend, player.side): seconds for player in players}
    times: Times = {key: {} for key in left}
    for index, board in enumerate(boards):
        for player in order.sample(players, len(players)):
            key = player.backend, player.side
            if left[key] <= 0:
                continue
            answer = player.count(board, first=index == 0)
            taken, found = answer or (LIMIT, 1)
            if found != 1:
                said = f"{' '.join(key)} counts {found}, not 1: {board.text('line')}"
                if player.side != "cpmpy":
                    raise SideError(said)
                wrong.append(said)
                continue
            if answer is None:
                left[key] = 0
            if index > 0:
                left[key] -= taken
                times[key][index] = taken
    return times


def _report(
    measured: dict[str, Times], wrong: Sequence[str], options: argparse.Namespace
) -> Iterator[str]:
    yield from ("# What the adapters add, and what they spare", "")
    yield (
        f"{options.boards} boards of each kind, each with one solution, two asked; {processor()}; "
        f"{beneath(options.backend)}. Made by `make bench-adapters`."
    )
    yield from ("", *_NOTES.splitlines(), "")
    yield from ("## Our adapters: median milliseconds a board", "")
    yield from _overview(measured, options.backend)
    for kind, times in measured.items():
        yield from (f"## {kind}", "")
        yield from _table(times, options.backend)
    if wrong:
        yield from ("## Wrong answers by way of CPMpy", "", *(f"- {said}" for said in wrong), "")


_NOTES = f"""\
A time of an adapter has limits, Ctrl-C and the result in it; the check of the grid comes after.
Ratios are those of medians over the boards that both sides had time for, with a 95 % bootstrap
interval over these boards. Layouts are built before: the first board of a kind is not timed.
`>`: cut short by the limit of {LIMIT:.0f} s, after which a board is given up; `–`: there is no such
side, or it did not get to any board."""


def _overview(measured: dict[str, Times], backends: Sequence[str]) -> list[str]:
    """Return a row a backend, a column a kind, the fastest of each kind in bold."""
    columns = {}
    for kind, times in measured.items():
        medians = {name: _median(times[name, "ours"].values()) for name in backends}
        known = [median for median in medians.values() if median is not None]
        best = min(known, default=None)
        columns[kind] = {
            name: f"**{_millis(median)}**" if median == best else _millis(median)
            for name, median in medians.items()
        }
    return table(
        ["backend", *columns],
        ([name, *(column[name] for column in columns.values())] for name in backends),
    )


def _table(times: Times, backends: Sequence[str]) -> list[str]:
    head = ["backend", "boards", "ours, ms", "direct, ms", "ours / direct", "naive / ours"]
    return table(
        [*head, "CPMpy / ours"],
        (
            [
                name,
                str(len(times[name, "ours"])),
                _millis(_median(times[name, "ours"].values())),
                _millis(_median(times.get((name, "direct"), {}).values())),
                _ratio(times, (name, "ours"), (name, "direct")),
                _ratio(times, (name, "naive"), (name, "ours")),
                _ratio(times, (name, "cpmpy"), (name, "ours")),
            ]
            for name in backends
        ),
    )


def _median(values: Collection[float]) -> float | None:
    return statistics.median(values) if values else None


def _millis(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return f"> {LIMIT * 1e3:,.0f}" if seconds >= LIMIT else figure(seconds * 1e3)


def _ratio(times: Times, mine: tuple[str, str], other: tuple[str, str]) -> str:
    """Return a ratio of medians with its interval, over the boards that both have a time for."""
    first, second = times.get(mine, {}), times.get(other, {})
    pairs = [(first[index], second[index]) for index in first if index in second]
    if not pairs:
        return "–"
    ratio = _of_medians(pairs)
    order = random.Random(1)
    drawn = sorted(_of_medians(order.choices(pairs, k=len(pairs))) for _ in range(1000))
    more = "> " if any(seconds >= LIMIT for seconds, _ in pairs) else ""
    return f"{more}{figure(ratio)} ({figure(drawn[24])} to {figure(drawn[974])})"


def _of_medians(pairs: Sequence[tuple[float, float]]) -> float:
    mine, others = zip(*pairs, strict=True)
    return float(statistics.median(mine) / statistics.median(others))


if __name__ == "__main__":
    sys.exit(main())
