"""Comparisons in this process, as small as they go: each board once, in one search."""

from __future__ import annotations

from typing import Any

import unidoku
from unidoku.comparison.record import Record


def compared(puzzles: Any, backends: Any, **settings: Any) -> unidoku.Comparison:
    """Compare backends on boards; any keyword of `unidoku.compare` replaces what is usual here."""
    usual: dict[str, Any] = {"engine": "inline", "repeats": 1, "sample_ms": 0}
    return unidoku.compare(puzzles, backends, **usual | settings)


def records_of(puzzles: Any, backends: Any, **settings: Any) -> list[Record]:
    """Compare backends on boards, and return the records of all runs."""
    records: list[Record] = []
    compared(puzzles, backends, watch=lambda _, record: records.append(record), **settings)
    return records
