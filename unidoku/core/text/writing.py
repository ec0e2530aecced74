"""Write boards as text: one line, framed, or a candidate grid, all of which can be read back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, assert_never, get_args

from unidoku.core.bits import value_of, values_of
from unidoku.core.layout import Layout
from unidoku.core.text.symbols import NO_CANDIDATES
from unidoku.errors import InputError

TextForm: TypeAlias = Literal["line", "framed", "candidates"]


def write(layout: Layout, candidates: Sequence[int], form: TextForm) -> str:
    """Return a board, given as a candidate set for each cell, as text; see `Board.text`."""
    if form not in get_args(TextForm):
        raise InputError(
            f"expected a form of text of {', '.join(get_args(TextForm))}, got {form!r}"
        )
    match form:
        case "line":
            separator = "" if layout.has_digits_only else " "
            return separator.join(_givens(layout, candidates))
        case "framed":
            return _framed(layout, _givens(layout, candidates))
        case "candidates":
            return _framed(layout, [_candidates(layout, mask) for mask in candidates])
        case _:
            assert_never(form)


def _givens(layout: Layout, candidates: Sequence[int]) -> list[str]:
    return [layout.shown[value_of(mask)] for mask in candidates]


def _candidates(layout: Layout, mask: int) -> str:
    separator = "" if layout.has_digits_only else ","
    return separator.join(map(layout.shown.__getitem__, values_of(mask))) or NO_CANDIDATES


def _framed(layout: Layout, texts: Sequence[str]) -> str:
    """Arrange the cells in rows, with bars and borders between the boxes."""
    width = max(map(len, texts))
    bars = [_is_edge(layout, column, across=True) for column in range(layout.columns)]
    lines = []
    for row in range(layout.rows):
        cells = [layout.cell_at.get((row, column)) for column in range(layout.columns)]
        if _is_edge(layout, row, across=False):
            above = [(row - 1, column) in layout.cell_at for column in range(layout.columns)]
            covered = [cell is not None or up for cell, up in zip(cells, above, strict=True)]
            lines.append(_join(["-" * width if dash else "" for dash in covered], bars, width, "+"))
        padded = ["" if cell is None else texts[cell].center(width) for cell in cells]
        lines.append(_join(padded, bars, width, "|"))
    return "\n".join(lines)


def _join(parts: list[str], bars: list[bool], width: int, bar: str) -> str:
    """Join the parts of a line; an empty part is a hole, and bars are only next to parts."""
    line = ""
    for left, part, at_bar in zip(["", *parts], parts, bars, strict=False):
        fill = "-" if bar == "+" else " "
        before, after = (fill if left else " "), (fill if part else " ")
        if at_bar:
            line += before + (bar if left or part else " ") + after
        elif line:
            line += after
        line += part or " " * width
    return line.rstrip()


def _is_edge(layout: Layout, index: int, *, across: bool) -> bool:
    """Return whether no box spans the line before a column (across) or row, except the first."""
    axis = 1 if across else 0
    beyond = [
        {layout.positions[cell][axis] >= index for cell in unit.cells}
        for unit in layout.units
        if unit.kind == "box"
    ]
    return index > 0 and bool(beyond) and {False, True} not in beyond
