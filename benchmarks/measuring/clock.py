"""How long searches take: in turn, in random order, over several rounds, on samples."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from measuring.boards import Cells
from measuring.contestant import Contestant, Result, Search
from unidoku import Layout, Request

FIRST_SAMPLE = 4

SHORT = 0.02
"""Seconds; what takes less is repeated for as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How much is measured.

    Args:
        quick: whether to take a hundredth of the boards, to see that all works.
        rounds: number of rounds of each measurement.
        libraries: further searchers of classic boards.
    """

    quick: bool
    rounds: int
    libraries: Sequence[Contestant] = ()

    @property
    def seconds(self) -> float:
        """For a searcher's sample of boards, and for a measurement that is repeated."""
        return 0.02 if self.quick else 0.5

    @property
    def least(self) -> int:
        """Boards of a file, which is repeated up to that."""
        return 100 if self.quick else 2000

    def of(self, boards: int) -> int:
        """Return how many boards to take where so many are asked for."""
        return max(min(10, boards), boards // 100) if self.quick else boards


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """The result of a searcher and how long it took.

    Args:
        result: of all boards that it searched.
        seconds: time of each round.
    """

    result: Result
    seconds: tuple[float, ...]

    @property
    def micros(self) -> float:
        """Microseconds a board: the median of the rounds."""
        return statistics.median(self.seconds) * 1e6 / len(self.result.counts)

    def ratio(self, other: Timed) -> float:
        """Return how many times as long a board takes here: the median of the rounds' ratios."""
        pairs = zip(self.seconds, other.seconds, strict=True)
        boards = len(other.result.counts) / len(self.result.counts)
        return statistics.median(mine / theirs for mine, theirs in pairs) * boards


def sample(
    who: Contestant, layout: Layout, cells: Cells, request: Request, seconds: float
) -> NDArray[np.intp]:
    """Return the indices of boards, evenly spread, that a searcher needs so many seconds for.

    They are at least `FIRST_SAMPLE`, if there are so many. A searcher that is fast gets all.
    """
    size = len(cells)
    count = size if who.fast else min(size, FIRST_SAMPLE)
    while count < size:
        search = who.prepare(layout, cells[_spread(size, count)])
        begun = time.perf_counter()
        search(request)
        pace = (time.perf_counter() - begun) / count
        if 2 * count * pace > seconds:
            # Those just searched are not fewer than what there is time for.
            count = max(min(count, FIRST_SAMPLE), min(count, int(seconds / pace)))
            break
        count = min(size, 2 * count)
    return _spread(size, count)


def _spread(size: int, count: int) -> NDArray[np.intp]:
    return np.arange(count) * size // count


def in_turn(
    searches: Mapping[str, Search], request: Request, rounds: int, seed: int = 1
) -> dict[str, Timed]:
    """Time each search once a round, in an order that is random in each."""
    order = random.Random(seed)
    results: dict[str, Result] = {}
    seconds: dict[str, list[float]] = {name: [] for name in searches}
    for _ in range(rounds):
        for name in order.sample(list(searches), len(searches)):
            results[name], taken = _lap(searches[name], request)
            seconds[name].append(taken)
    return {name: Timed(result=results[name], seconds=tuple(seconds[name])) for name in searches}


def _lap(search: Search, request: Request) -> tuple[Result, float]:
    """Return the result and the seconds it takes; a short search is repeated.

    Its first time is then not counted: after plain Python has had the processor's caches, a call
    takes a quarter of a millisecond longer.
    """
    begun = time.perf_counter()
    result = search(request)
    taken = time.perf_counter() - begun
    if taken >= SHORT:
        return result, taken
    times = int(SHORT / taken) + 1
    begun = time.perf_counter()
    for _ in range(times):
        search(request)
    return result, (time.perf_counter() - begun) / times


def repeated(search: Search, request: Request, seconds: float, least: int = 3) -> Timed:
    """Time a search over and over for so many seconds, and at least so often."""
    taken: list[float] = []
    while True:
        begun = time.perf_counter()
        result = search(request)
        taken.append(time.perf_counter() - begun)
        if len(taken) >= least and sum(taken) >= seconds:
            return Timed(result=result, seconds=tuple(taken))
