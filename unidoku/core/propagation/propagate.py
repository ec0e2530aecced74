"""Propagation: deductions from a board without guesses.

Norvig's two rules (https://norvig.com/sudoku.html), on any layout:

1. a cell with one candidate takes that value from its peers (naked single);
2. a unit with one place left for a value puts it there (hidden single). This holds in full
   units only: a smaller unit need not contain every value.

In addition, in each relation of a layout each value of a cell needs a partner in the other cell,
and its other constraints remove candidates as in `unidoku.core.constraints.pruners`.
"""

from __future__ import annotations

from collections.abc import Callable

from unidoku.core.bits import all_values, is_single
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.hidden import expanded
from unidoku.core.layout import Layout
from unidoku.core.propagation.prune import partners_of, removed_at_once, watched_of
from unidoku.core.transforms.implied import with_implied
from unidoku.support.arguments import named_arguments

Candidates = list[int]
"""One candidate set for each cell, changed in place."""


@named_arguments
def propagate(board: BoardLike, *, deductions: bool = True) -> Board | None:
    """Return the board with the candidates that propagation leaves, None on a contradiction.

    None proves that the board has no solutions; a board returned proves nothing.

    Args:
        board: the puzzle: a board, or a text, rows of values or a puzzle as for `unidoku.solve`.
        deductions: whether sums that follow from the rules are used too.
    """
    original = as_board(board)
    board = expanded(original)
    layout = with_implied(board.layout) if deductions else board.layout
    everything = all_values(layout.n)
    candidates = [everything] * len(layout)
    queue = [(cell, everything & ~mask) for cell, mask in enumerate(board.candidates)]
    queue += removed_at_once(layout)
    if not eliminate(layout, candidates, queue):
        return None
    return Board(original.layout, tuple(candidates[: len(original.layout)]))


def eliminate(
    layout: Layout,
    candidates: Candidates,
    queue: list[tuple[int, int]],
    on_step: Callable[[int], None] | None = None,
) -> bool:
    """Remove candidates and all that follows from this; uses a work list, not recursion.

    Args:
        layout: layout of the cells.
        candidates: candidate sets, changed in place; not usable after a contradiction.
        queue: pairs (cell, set of candidates to remove); it is emptied.
        on_step: function called with the number of candidates that each step removed; may raise.

    Returns:
        False if a cell is left without candidates, or a full unit without a place for a value.
    """
    watched = watched_of(layout)
    if watched is None:
        return _eliminate(layout, candidates, queue, on_step, None)
    touched: set[int] = set()
    while True:
        if not _eliminate(layout, candidates, queue, on_step, touched):
            return False
        looked_at = sorted({number for cell in touched for number in watched.by_cell[cell]})
        touched.clear()
        for number in looked_at:
            removals = watched.run[number](candidates)
            if removals is None:
                return False
            queue += removals
        if not queue:
            return True


def _eliminate(
    layout: Layout,
    candidates: Candidates,
    queue: list[tuple[int, int]],
    on_step: Callable[[int], None] | None,
    touched: set[int] | None,
) -> bool:
    """Do the same for constraints other than relations; record the cells that lose candidates."""
    partners = partners_of(layout)
    while queue:
        cell, mask = queue.pop()
        removed = candidates[cell] & mask
        if not removed:
            continue
        remaining = candidates[cell] = candidates[cell] ^ removed
        if on_step is not None:
            on_step(removed.bit_count())
        if not remaining:
            return False
        if touched is not None:
            touched.add(cell)
        if is_single(remaining):
            queue.extend((peer, remaining) for peer in layout.peers[cell])
        if partners:
            for other, table in partners[cell]:
                if gone := candidates[other] & ~table[remaining]:
                    queue.append((other, gone))
        if not _place_hidden_singles(layout, candidates, queue, cell, removed):
            return False
    return True


def _place_hidden_singles(
    layout: Layout, candidates: Candidates, queue: list[tuple[int, int]], cell: int, removed: int
) -> bool:
    """Queue the values that have one place left in a full unit of ``cell`` after a removal."""
    for cells in layout.full_units_of[cell]:
        seen, single = 0, removed
        for other in cells:
            if possible := candidates[other] & single:
                single ^= possible & seen
                if not single:  # each value has two places, as is usual
                    break
                seen |= possible
        else:
            if single & ~seen:
                return False
            for other in cells:
                if hidden := candidates[other] & single:
                    if not is_single(hidden):
                        return False
                    queue.append((other, ~hidden))
    return True
