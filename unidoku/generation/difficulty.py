"""Puzzles of a wished difficulty: the hardest technique that they need is the one named."""

from __future__ import annotations

from typing import Literal, TypeAlias

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.logic import Ending, explain, technique, up_to
from unidoku.logic.catalogue import check_layout, chosen

__all__ = ["Refused", "check_difficulty", "difference"]

Refused: TypeAlias = Literal["easier", "harder"]


def check_difficulty(name: str, layout: Layout) -> None:
    """Refuse a technique that does not exist, or does not hold on a layout.

    Raises:
        InputError: as it says.
    """
    technique(name)
    check_layout(up_to(name), layout)


def difference(board: Board, name: str, time_limit: float | None = None) -> Refused | None:
    """Say how a puzzle differs from the wished difficulty; None if it does not.

    Args:
        board: a puzzle with one solution.
        name: a technique; of a name that several share, any.
        time_limit: seconds.

    Raises:
        InputError: there is no such technique.
        TimeLimitError: the time limit came first.
    """
    path = explain(board, up_to(name), time_limit=time_limit).finished()
    if path.outcome is not Ending.SOLVED:
        return "harder"
    hardest = path.hardest
    if hardest is None or hardest.technique not in {row.name for row in chosen(name)}:
        return "easier"
    return None
