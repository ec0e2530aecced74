"""Curves: times, or other figures of a case, over a number of the case."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.cases import Case
from unidoku.comparison.statistics.times import Times, median
from unidoku.core.board import Board

MOST_POINTS = 24
"""The most points of a curve; more different numbers are put together, equally many cases each."""

_GROUPS = 12
"""Number of points of which each stands for a range of numbers."""

NUMBERS: Mapping[str, Callable[[Board], float]] = {
    "givens": lambda board: sum(map(bool, board.givens)),
    "holes": lambda board: len(board.layout) - sum(map(bool, board.givens)),
    "cells": lambda board: len(board.layout),
    "size": lambda board: max(board.layout.rows, board.layout.columns),
    "values": lambda board: board.layout.n,
}
"""The numbers that every board has; the size is the larger of its numbers of rows and columns."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Point:
    """The cases whose number lies in a range.

    Args:
        low: the smallest number.
        high: the largest number; equal to ``low`` if it is one number.
        middle: the mean of the numbers.
        cases: how many cases.
        satisfiable: share of the cases with a solution, of those that a backend decided; nan if
            none is.
        solved: how many cases each backend solved, in the order of the times.
        figures: the median figure of each backend; nan if it has none.
    """

    low: float
    high: float
    middle: float
    cases: int
    satisfiable: float
    solved: tuple[int, ...]
    figures: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """A figure of each backend over a number of the cases.

    Args:
        number: name of the number.
        backends: labels of the backends.
        points: the points, in ascending order.
        without: how many cases have no such number.
    """

    number: str
    backends: tuple[str, ...]
    points: tuple[Point, ...]
    without: int


def number_of(case: Case, name: str) -> float | None:
    """Return a number of a case: its own of this name, or one of `NUMBERS`; None without both."""
    if name in case.numbers:
        return case.numbers[name]
    return NUMBERS[name](case.board) if name in NUMBERS else None


def known_numbers(cases: Iterable[Case]) -> list[str]:
    """Return the names of the numbers that cases have."""
    names: dict[str, None] = {}
    for case in cases:
        names.update(dict.fromkeys(case.numbers))
    return [*NUMBERS, *(name for name in names if name not in NUMBERS)]


def curve(
    times: Times,
    number: str,
    figures: NDArray[np.float64],
    satisfiable: NDArray[np.float64],
) -> Curve:
    """Return the curve of a figure over a number of the cases.

    Args:
        times: the times.
        number: name of the number; see `number_of`.
        figures: the figure of each backend and case; nan where there is none.
        satisfiable: for each case 1 if it has a solution, 0 if not, nan if it is not known.
    """
    numbers = np.array(
        [math.nan if (value := number_of(case, number)) is None else value for case in times.cases],
        dtype=np.float64,
    )
    columns_with = np.flatnonzero(~np.isnan(numbers))
    return Curve(
        number=number,
        backends=times.backends,
        points=tuple(
            _point(numbers, columns, times, figures, satisfiable)
            for columns in _together(numbers, columns_with)
        ),
        without=len(times.cases) - len(columns_with),
    )


def _together(
    numbers: NDArray[np.float64], columns: NDArray[np.int64]
) -> Sequence[NDArray[np.int64]]:
    """Return the columns of the cases of each point; equal numbers are in one point."""
    different, group = np.unique(numbers[columns], return_inverse=True)
    if len(different) > MOST_POINTS:
        below = np.searchsorted(np.sort(numbers[columns]), different)  # cases with smaller numbers
        group = np.minimum(below * _GROUPS // len(columns), _GROUPS - 1)[group]
    return [columns[group == which] for which in np.unique(group)]


def _point(
    numbers: NDArray[np.float64],
    columns: NDArray[np.int64],
    times: Times,
    figures: NDArray[np.float64],
    satisfiable: NDArray[np.float64],
) -> Point:
    values = numbers[columns]
    decided = satisfiable[columns]
    decided = decided[~np.isnan(decided)]
    return Point(
        low=float(values.min()),
        high=float(values.max()),
        middle=float(values.mean()),
        cases=len(columns),
        satisfiable=float(decided.mean()) if len(decided) else math.nan,
        solved=tuple(times.solved[:, columns].sum(axis=1).tolist()),
        figures=tuple(median(row[columns]) for row in figures),
    )
