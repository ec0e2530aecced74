"""What propagation of the single engine alone leaves of a few cells."""

from __future__ import annotations

import time
from collections.abc import Sequence

from unidoku import Board, Layout, Request
from unidoku.backends.native.single import search as single
from unidoku.backends.native.single.build import tables_of
from unidoku.core.rules import Rule


def left(board: Board) -> tuple[int, ...]:
    """Return the candidates that propagation alone leaves."""
    single.search_board(board, Request(solutions=1, node_limit=1), time.perf_counter())
    *_, memory = tables_of(board.layout).idle
    return tuple(memory._numbers[: len(board.layout)])


def in_a_row(length: int, n: int, rules: Sequence[Rule]) -> Layout:
    """Return a layout without units."""
    return Layout.from_units(n, [], shape=(1, length), rules=rules)


def kinds(layout: Layout) -> set[int]:
    """Return the kinds of its constraints."""
    return set(tables_of(layout).arrays[0])
