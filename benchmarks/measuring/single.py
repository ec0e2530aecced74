"""Section 3: one board at a time through the Python API, everything being warm."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

import unidoku
from measuring.boards import Cells, chosen, text_of
from measuring.clock import Settings
from measuring.machine import say
from measuring.page import figure, table
from unidoku import Board, Request

Item = TypeVar("Item")

LABELS = ("native[engine=lanes]", "native", "native[engine=python]", "norvig")
BOARDS = 200

TEXT = """\
Microseconds, the median over {boards} boards of {name}, two solutions asked: *parse* is
`Board.parse`, *search* the backend's own work, *check* `verify` of the grid; *all* is `Board.parse`
and `solver.solve`, measured by itself."""


def section(settings: Settings, files: Mapping[str, Cells]) -> Iterator[str]:
    """Yield the lines of the section."""
    name, cells = chosen(files)
    texts = [text_of(row) for row in cells[: min(BOARDS, max(20, settings.of(BOARDS)))]]
    yield from ("## A single board", "")
    yield from (*TEXT.format(boards=len(texts), name=name).splitlines(), "")
    request = Request(solutions=2)
    rows = []
    for label in LABELS:
        say(f"a single board: {label}")
        solver = unidoku.load(label)
        boards = [Board.parse(text) for text in texts]
        grids = [(board, solver.search(board, request).solutions) for board in boards]
        parts = (
            _micros(settings, Board.parse, texts),
            _micros(settings, lambda board: solver.backend.search(board, request), boards),  # noqa: B023 - called here
            _micros(settings, _check, grids),
            _micros(settings, lambda text: solver.solve(Board.parse(text), solutions=2), texts),  # noqa: B023 - as above
        )
        rows.append([label, *map(figure, parts)])
    yield from table(["backend", "parse", "search", "check", "all"], rows)


def _check(pair: tuple[Board, tuple[unidoku.Grid, ...]]) -> None:
    board, grids = pair
    for grid in grids:
        assert not unidoku.verify(board, grid), "the grid has been checked before"


def _micros(settings: Settings, work: Callable[[Item], object], items: list[Item]) -> float:
    """Return the median over items of the median over the rounds, the first not counted."""
    medians = []
    for item in items:
        seconds = []
        for _ in range(1 + settings.rounds):
            begun = time.perf_counter()
            work(item)
            seconds.append(time.perf_counter() - begun)
        medians.append(statistics.median(seconds[1:]))
    return statistics.median(medians) * 1e6
