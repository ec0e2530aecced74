"""Searches at the same time."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import unidoku
from unidoku import Board, layout

__all__ = ["counted_at_once"]

Variant = tuple[str, int]


def counted_at_once(backend: str, variants: Iterable[Variant]) -> dict[tuple[Variant, int], int]:
    """Return the full grids of variants, each counted by two threads, all at the same time."""
    counts: dict[tuple[Variant, int], int] = {}

    def count(variant: Variant, run: int) -> None:
        board = Board.empty(layout(*variant))
        counts[variant, run] = unidoku.load(backend).solve(board, solutions=None).count

    threads = [
        threading.Thread(target=count, args=(variant, run))
        for variant in variants
        for run in (0, 1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return counts
