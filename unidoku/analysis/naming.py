"""The cell and the value that a question is about, by the names that people use."""

from __future__ import annotations

from unidoku.core.cells import CellLike
from unidoku.core.layout import Layout
from unidoku.errors import InputError


def cell_named(layout: Layout, cell: CellLike) -> int:
    """Return the number of a cell that is shown; raise `InputError` for others."""
    if (number := layout.cell(cell)) < len(layout):
        return number
    ends = f"{layout.names[0]} to {layout.names[len(layout) - 1]}"
    raise InputError(f"expected a cell from {ends}, got {cell!r}")


def value_named(layout: Layout, value: str | int) -> int:
    """Return the number from 1 of a value as people see it."""
    for number in () if isinstance(value, bool) else range(1, layout.n + 1):
        if value in (layout.shown[number], layout.number(number)):
            return number
    ends = f"{layout.shown[1]} to {layout.shown[layout.n]}"
    raise InputError(f"expected a value from {ends}, got {value!r}")
