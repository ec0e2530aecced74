"""Writes boards as lines of symbols, which contain the givens and nothing else."""

from __future__ import annotations

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.variants import layout as named_layout
from unidoku.errors import LayoutError
from unidoku.formats.interface import one_a_line
from unidoku.formats.losses import Report, Written
from unidoku.formats.puzzles import Puzzle


def _line(puzzle: Puzzle) -> Written:
    board, report = puzzle.board, Report()
    layout = board.layout
    if not is_classic(layout):
        report.drop(f"the layout {layout.name}")
    for kind in sorted({rule.kind for rule in layout.rules}):
        report.drop(f"rules: {kind}")
    if Board.from_values(layout, board.givens) != board:
        report.drop("candidates of cells that are not given")
    for key in ("author", "solution"):
        if getattr(puzzle, key):
            report.drop(key)
    name = f"  # {puzzle.name}" if puzzle.name else ""
    return Written(board.text("line") + name, report.losses)


def is_classic(layout: Layout) -> bool:
    """Return whether a layout has the units of the classic layout, and values from 1."""
    try:
        return layout.first_value == 1 and layout.base == named_layout("classic", layout.n)
    except LayoutError:
        return False


write_text = one_a_line(_line)
