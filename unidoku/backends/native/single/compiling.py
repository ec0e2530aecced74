"""The compiled search, once on a machine: see `unidoku.backends.native.program`."""

from __future__ import annotations

from unidoku.backends.native.program import Program

SEARCH = Program("unidoku.backends.native.single.engine", "search", ("int64",), whole=True)
"""The search; of the address of its registers."""
