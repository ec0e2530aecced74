"""Who searches: one interface to batches, single boards and foreign libraries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

import unidoku
from measuring.boards import Cells, text_of
from measuring.page import FaultError
from unidoku import Layout, Request
from unidoku.backends.batch import STOPS, BatchBackend


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a search of boards.

    Args:
        counts: number of solutions of each board.
        answered: whether each board was decided within its limits.
        nodes: total number of nodes, as the searcher counts them.
        rounds: rounds of propagation for all lanes, times lanes; None without lanes.
    """

    counts: NDArray[np.int64]
    answered: NDArray[np.bool_]
    nodes: float
    rounds: float | None = None


Search: TypeAlias = Callable[[Request], Result]
"""A search of boards that stand ready: what is timed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """A searcher.

    Args:
        name: in the tables.
        prepare: reads boards into what the searcher works on, which is not timed.
        fast: whether it searches all boards; others search a sample.
    """

    name: str
    prepare: Callable[[Layout, Cells], Search]
    fast: bool = False


def batch(label: str, name: str | None = None) -> Contestant:
    """Return a backend that searches many boards at once: arrays in, arrays out."""
    backend = cast(BatchBackend, unidoku.load(label).backend)

    def prepare(layout: Layout, cells: Cells) -> Search:
        return lambda request: _of_batch(backend.search_many(layout, cells, request))

    return Contestant(name=name or label, prepare=prepare, fast=True)


def checked(label: str, name: str) -> Contestant:
    """Return a backend's solver as its users call it: every grid is checked."""
    solver = unidoku.load(label)

    def prepare(layout: Layout, cells: Cells) -> Search:
        return lambda request: _of_batch(
            solver.solve_many(
                cells,
                layout=layout,
                solutions=request.solutions,
                time_limit=request.time_limit,
                threads=request.threads,
            )
        )

    return Contestant(name=name, prepare=prepare, fast=True)


def _of_batch(result: unidoku.BatchResult) -> Result:
    limits = [index for index, stop in enumerate(STOPS) if not stop.answered]
    figures = result.statistics
    return Result(
        counts=result.counts,
        answered=~np.isin(result.stops, limits),
        nodes=figures["nodes"],
        rounds=figures["rounds"] * figures["lanes"],
    )


def single(label: str) -> Contestant:
    """Return a backend that searches one board after the other; the grids are not checked."""
    backend = unidoku.load(label).backend

    def prepare(layout: Layout, cells: Cells) -> Search:
        boards = [unidoku.Board.from_values(layout, row) for row in cells.tolist()]

        def search(request: Request) -> Result:
            results = [backend.search(board, request) for board in boards]
            return Result(
                counts=np.array([result.count for result in results], np.int64),
                answered=np.array([result.stop.answered for result in results]),
                nodes=sum(result.statistics["nodes"] for result in results),
            )

        return search

    return Contestant(name=label, prepare=prepare)


def compare(
    title: str,
    cells: Cells,
    name: str,
    result: Result,
    other_name: str,
    other: Result,
    chosen: NDArray[np.intp] | slice = slice(None),
) -> None:
    """Compare the counts of two searchers where both have an answer.

    Args:
        title: name of the boards.
        cells: boards that the other one searched.
        name: name of the first.
        result: of the first.
        other_name: name of the other.
        other: the result of the other.
        chosen: indices of the boards that the first one searched.

    Raises:
        FaultError: they differ; the message names the first such board.
    """
    counts = other.counts[chosen]
    wrong = (result.counts != counts) & result.answered & other.answered[chosen]
    for board in np.flatnonzero(wrong)[:1]:
        raise FaultError(
            f"disagreement: {title}: {name} counts {result.counts[board]} solutions and "
            f"{other_name} {counts[board]}, on the board {text_of(cells[chosen][board])}"
        )
