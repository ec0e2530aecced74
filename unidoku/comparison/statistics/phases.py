"""Phases: where the time goes, and which backend is fastest for a given number of boards."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.record import Measure
from unidoku.comparison.results import MEASURES
from unidoku.comparison.statistics.times import Times, median


@dataclass(frozen=True, slots=True, kw_only=True)
class Phases:
    """Medians over the cases that a backend solved, in seconds; nan if it solved none.

    Each is a separate median, so they need not add up to the median of the whole.

    Args:
        backend: label of the backend.
        load: time to import and create the backend, over all cases where a run had to. It includes
            imports that several labels of one backend share, but not imports that another backend
            made earlier.
        first: time of what came before, such as a worker's first search of a layout, over the cases
            where a run had it. It includes tables and code that later searches find ready.
        init: time before the search: building the model.
        solve: time in the search.
        decode: the rest: conversion in the adapter, before and after.
    """

    backend: str
    load: float
    first: float
    init: float
    solve: float
    decode: float


def phases(times: Times) -> list[Phases]:
    """Return the phases of each backend, in the order of the times."""

    def of_solved(values: NDArray[np.float64], row: int) -> float:
        return median(values[row, times.solved[row]])

    return [
        Phases(
            backend=label,
            load=median(times.load[row]),
            first=of_solved(times.first, row),
            init=of_solved(times.init, row),
            solve=of_solved(times.solve, row),
            decode=of_solved(times.decode, row),
        )
        for row, label in enumerate(times.backends)
    ]


def ranking(times: Times, boards: int) -> list[tuple[str, float]]:
    """Return the end-to-end seconds for each of that many boards solved in one go, fastest first.

    A board costs the mean over the cases that all these backends solved, so that no backend gains
    by leaving out hard ones, plus its share of the one-off cost, which is the median of
    `Times.one_off`. Cases whose times include what their layout costs are left out, and so are
    backends that solved nothing, and the twin. If no case is left, every figure is nan.
    """
    rows = [row for row in times.competitors.tolist() if times.solved[row].any()]
    is_beside = times.measure != MEASURES.index(Measure.FIRST)
    usable = (times.solved & is_beside)[rows].all(axis=0)
    shared = usable if rows else np.zeros(len(times.cases), dtype=bool)
    shares = []
    for row in rows:
        solved = times.solved[row]
        one_off = median(times.one_off[row, solved])
        warm = float(times.seconds[row, shared].mean()) if shared.any() else math.nan
        share = 0.0 if math.isnan(one_off) else max(one_off, 0.0) / boards
        shares.append((times.backends[row], warm + share))
    return sorted(shares, key=lambda entry: (entry[1], entry[0]))
