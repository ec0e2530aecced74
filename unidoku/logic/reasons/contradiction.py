"""Why a board has no solution: givens, cells, values in units and rules that contradict."""

from __future__ import annotations

from collections.abc import Callable

from unidoku.core.bits import bits_of
from unidoku.core.board import Board
from unidoku.core.hidden import expanded
from unidoku.logic.reasons.parts import Part
from unidoku.logic.reasons.propagation import Propagation
from unidoku.logic.reasons.words import parts_in_words


def contradicting(board: Board, tick: Callable[[], None]) -> tuple[Part, ...]:
    """Return parts of a board, givens too, of which none can be left out, and which contradict.

    Empty if propagation finds no contradiction.
    """
    return _found(Propagation.from_givens(expanded(board), tick))


def contradiction(board: Board, tick: Callable[[], None]) -> tuple[str, ...]:
    """Return the parts of a contradiction in words; empty if propagation finds none."""
    using = Propagation.from_givens(expanded(board), tick)
    return parts_in_words(using, _found(using))


def _found(using: Propagation) -> tuple[Part, ...]:
    found = using.refuted(using.given)
    if found is None:
        return ()
    smallest = using.smallest(using.given, found)
    return tuple(using.parts.all[number] for number in bits_of(smallest))
