"""The compiled search, once on a machine: see `unidoku.backends.native.program`."""

from __future__ import annotations

from array import array

from unidoku.backends.native.program import Program
from unidoku.backends.native.single import registers as reg

SEARCH = Program("unidoku.backends.native.single.engine", "search", ("int64",), whole=True)
"""The search; of the address of its registers."""


def places_of(registers: array[int]) -> tuple[int, int, int]:
    """Return what the search is called with: the places of its result, and of all its numbers."""
    at, _ = registers.buffer_info()
    return at + 8 * reg.PAUSE, at + 8 * reg.EXCEPTION, at
