"""Figures of a study with their intervals: the ranking, and how much each backend adds.

Intervals are 95 % and over boards: each board is one observation. They are percentiles of a
bootstrap, except for the ratios, which are those of `unidoku.comparison.statistics.pairs.pair`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.statistics.pairs import PairedTimes, pairs_with
from unidoku.comparison.statistics.times import Times

SEED = 1
DRAWS = 2000
TICK = 1e-9
"""Seconds of one tick of the clock; a time of 0 counts as one tick."""

_TAILS = (0.025, 0.975)
_LEAST_BOARDS = 3

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval, whose ends are nan if there are too few boards."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The figures of a backend on some boards.

    Args:
        backend: its label.
        cases: number of boards that it searched.
        solved: number of boards that it solved in all rounds.
        par2: mean seconds; an unsolved board costs twice the limit.
        typical: the geometric mean of the same times, which one slow start hardly changes.
        ratio: ratio of its times to those of the first backend, on the boards that both solved;
            None for the first.
        fastest: number of boards on which it was the fastest of all.
    """

    backend: str
    cases: int
    solved: int
    par2: Estimate
    typical: Estimate
    ratio: PairedTimes | None
    fastest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """The contribution of a backend to all others together.

    Args:
        backend: its label.
        percent: percentage by which PAR2 of the virtual best rises without it.
        unique: number of boards that no other solved.
        fastest: number of boards on which it was the fastest.
    """

    backend: str
    percent: Estimate
    unique: int
    fastest: int


def penalised(times: Times) -> Array:
    """Return seconds by backend and board, twice the limit if a board is not solved.

    It is nan if there was no run.
    """
    limit = 2 * (times.time_limit or 0.0)
    seconds = np.where(times.solved, times.seconds, limit)
    return np.where(times.outcome >= 0, seconds, np.nan)


@cache
def samples(boards: int) -> NDArray[np.int64]:
    """Return the samples of the bootstrap: rows of as many boards, drawn with replacement."""
    return np.random.default_rng(SEED).integers(boards, size=(DRAWS, boards))


def estimated(boards: int, figure: Callable[[NDArray[np.int64]], Array]) -> Estimate:
    """Return a figure about boards, with its bootstrap interval.

    The function takes rows of numbers of boards, and returns the figure of each row.
    """
    value = float(figure(np.arange(boards)[None])[0])
    if boards < _LEAST_BOARDS:
        return Estimate(value, np.nan, np.nan)
    low, high = np.quantile(figure(samples(boards)), _TAILS)
    return Estimate(value, float(low), float(high))


@cache
def standings(times: Times) -> tuple[Standing, ...]:
    """Return the backends in order: most boards solved first, ties by speed.

    The fastest is the one with the least geometric mean: it weighs all boards alike, and the slow
    start of a new process, which falls on some board or other, hardly moves it.
    """
    seconds = penalised(times)
    measured = [row[~np.isnan(row)] for row in seconds]
    typical = [_geometric(row) for row in measured]
    solved = times.solved.sum(axis=1).tolist()
    order = sorted(
        range(len(measured)),
        key=lambda row: (-solved[row], typical[row].value, times.backends[row]),
    )
    pairs = pairs_with(times, times.backends[order[0]])
    fastest = _fastest(times)
    return tuple(
        Standing(
            backend=times.backends[row],
            cases=len(measured[row]),
            solved=solved[row],
            par2=_mean(measured[row]),
            typical=typical[row],
            ratio=pairs.get(times.backends[row]),
            fastest=fastest[row],
        )
        for row in order
    )


def together(times: Times) -> float:
    """Return the geometric mean of the least time for each board, as in `Standing.typical`."""
    ran = (times.outcome >= 0).any(axis=0)
    return _geometric(np.nanmin(penalised(times)[:, ran], axis=0)).value


def missed(times: Times) -> list[Missed]:
    """Return the contribution of each backend to the virtual best, the largest first."""
    ran = (times.outcome >= 0).any(axis=0)
    seconds = np.where(np.isnan(penalised(times)), 2 * (times.time_limit or 0.0), penalised(times))
    seconds, solved = seconds[:, ran], times.solved[:, ran]
    fastest = _fastest(times)
    rows = []
    best = seconds.min(axis=0)
    for row, label in enumerate(times.backends):
        others = np.delete(seconds, row, axis=0).min(axis=0, initial=2 * (times.time_limit or 0))

        def rise(drawn: NDArray[np.int64], others: Array = others) -> Array:
            percent: Array = 100 * (others[drawn].sum(axis=1) / best[drawn].sum(axis=1) - 1)
            return percent

        alone = solved[row] & ~np.delete(solved, row, axis=0).any(axis=0)
        rows.append(
            Missed(
                backend=label,
                percent=estimated(int(ran.sum()), rise),
                unique=int(alone.sum()),
                fastest=fastest[row],
            )
        )
    return sorted(rows, key=lambda row: (-row.percent.value, -row.fastest, row.backend))


def _mean(seconds: Array) -> Estimate:
    return estimated(len(seconds), lambda drawn: seconds[drawn].mean(axis=1))


def _geometric(seconds: Array) -> Estimate:
    logs = np.log(np.maximum(seconds, TICK))
    return estimated(len(logs), lambda drawn: np.exp(logs[drawn].mean(axis=1)))


def _fastest(times: Times) -> list[int]:
    """Return for each backend the number of boards that it solved fastest of all."""
    seconds = np.where(times.solved, times.seconds, np.inf)
    winners = seconds.argmin(axis=0)[np.isfinite(seconds.min(axis=0))]
    return [int((winners == row).sum()) for row in range(len(times.backends))]
