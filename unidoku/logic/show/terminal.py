"""A path in the terminal: grids in colour."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from unidoku.logic import State, Step
from unidoku.logic.show.grid import SIGNS, Kind, Piece, candidate_grid, candidate_list, grid_width
from unidoku.support.language import message

_STYLES: dict[Kind, str] = {
    "": "",
    "line": "dim",
    "given": "bold",
    "found": "blue",
    "pattern": "bold cyan",
    "fin": "bold yellow",
    "gone": "bold red strike",
    "placed": "bold green reverse",
}

MEANINGS: dict[Kind, str] = {
    "pattern": "rests on",
    "fin": "fin",
    "gone": "leaves",
    "placed": "is placed",
}


def grid_text(state: State, step: Step | None, width: int) -> Text:
    """Return the candidates of a state, with those of a step marked, and the key to the signs.

    A grid wider than ``width`` characters becomes a list of the cells of the step.
    """
    if grid_width(state.layout) <= width or step is None:
        lines = candidate_grid(state, step)
    else:
        lines = candidate_list(state, step)
    if key := _key(lines):
        lines.append(key)
    return Text("\n").join(map(_styled, lines))


def _key(lines: Iterable[Iterable[Piece]]) -> list[Piece]:
    used = {kind for line in lines for _, kind in line}
    pieces: list[Piece] = []
    for kind, meaning in MEANINGS.items():
        if kind in used:
            pieces += [(SIGNS[kind], kind), (f" {message(meaning)}   ", "")]
    return pieces


def _styled(pieces: Iterable[Piece]) -> Text:
    line = Text(no_wrap=True, overflow="ignore", end="")
    for text, kind in pieces:
        line.append(text, _STYLES[kind])
    return line
