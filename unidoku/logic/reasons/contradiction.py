"""Why a board has no solution: givens, cells, values in units and rules that contradict."""

from __future__ import annotations

from collections.abc import Callable

from unidoku.core.bits import bits_of
from unidoku.core.board import Board
from unidoku.core.hidden import expanded
from unidoku.logic.reasons.parts import Part
from unidoku.logic.reasons.propagation import Propagation
from unidoku.logic.reasons.words import parts_in_words


def contradiction(
    board: Board, tick: Callable[[], None]
) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """Return parts of a board, givens too, that contradict each other, and the same in words.

    None can be left out. Empty if propagation finds no contradiction.
    """
    using = Propagation.from_givens(expanded(board), tick)
    refutation = using.refuted(using.given)
    if refutation is None:
        return (), ()
    smallest = using.smallest(using.given, refutation)
    parts = tuple(using.parts.all[number] for number in bits_of(smallest))
    return parts, parts_in_words(using, parts)
