"""The boards that a program reads: in which format, of which variant, of which sizes."""

from __future__ import annotations

from dataclasses import dataclass

from unidoku.core.board import Board
from unidoku.core.caching import layout_cache
from unidoku.core.layout import Layout
from unidoku.core.propagation.propagate import propagate
from unidoku.core.units import shifted_grid
from unidoku.core.variants import layout as named_layout
from unidoku.core.verify.boards import is_solution
from unidoku.errors import InputError, LayoutError, UnsupportedError
from unidoku.formats.catalogue import find_format
from unidoku.formats.classic.boards import is_classic
from unidoku.formats.puzzles import Puzzle
from unidoku.support.text import listed

_CLASSIC, _TEXT = "classic", "text"

_MOST_GUESSES = 100
"""The largest number of guesses for a filled board; the layout x of 9 values takes about 40."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputWriter:
    """Writes the boards that a program can read, and refuses all others.

    Args:
        format: name of the format.
        variant: the variant whose boards the program takes, where the format has no layout.
        sizes: numbers of values of the boards; empty for any.
    """

    format: str = _TEXT
    variant: str = _CLASSIC
    sizes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        find_format(self.format).load_writer()
        named_layout(self.variant, self.sizes[0] if self.sizes else 9)

    @property
    def ending(self) -> str:
        """The ending of a file's name."""
        return next(iter(find_format(self.format).endings), ".txt")

    def write(self, board: Board) -> str:
        """Return a board as a text.

        Raises:
            UnsupportedError: the program does not take such boards, or its format lacks a part.
        """
        layout, n = board.layout, board.layout.n
        if self.sizes and n not in self.sizes:
            sizes = listed(list(map(str, self.sizes)), "or")
            raise refusal(f"takes boards of {sizes} values, the board has {n}")
        is_text = self.format == _TEXT and self.variant == _CLASSIC and _is_plain(layout)
        if is_text and not board.has_pencil_marks:
            return board.text("line")  # what the writer does, in a tenth of the time
        try:
            written = find_format(self.format).load_writer()([Puzzle(self._plain(board), "", 1)])
        except InputError as error:
            raise refusal(f"reads {self.format}: {error}") from error
        if lost := written.losses.dropped:  # what a writer approximates has the same solutions
            raise refusal(f"reads {self.format}, which leaves out {listed(lost)}")
        return written.text

    def _plain(self, board: Board) -> Board:
        """Return the board, or that of the classic layout if the program adds its variant."""
        if self.variant == _CLASSIC:
            return board
        layout = board.layout
        try:
            if layout == named_layout(self.variant, layout.n):
                return Board.of(named_layout(_CLASSIC, layout.n), board.candidates)
        except LayoutError:
            pass  # there is none of that size
        raise refusal(f"takes boards of the variant {self.variant}, the board is {layout.name}")


@layout_cache(maxsize=16)
def _is_plain(layout: Layout) -> bool:
    """Return whether a line of symbols has all of the boards of a layout but pencil marks."""
    return not layout.rules and not layout.hidden and is_classic(layout)


def refusal(reason: str) -> UnsupportedError:
    """Return the error of a program that cannot be asked, for a reason."""
    return UnsupportedError(reason, (reason,))


@layout_cache(maxsize=16)
def filled_board(layout: Layout) -> Board | None:
    """Return a full board, the first that a program is sent, as it is answered at once.

    None if the layout has no solution, or finding one takes more than a few guesses.
    """
    if len(layout) == layout.n**2:
        for height in range(layout.n, 0, -1):
            if not layout.n % height:
                grid = shifted_grid(layout.n, height)
                if is_solution(Board.empty(layout), grid):
                    return Board.from_values(layout, grid)
    return _searched(layout)


def _searched(layout: Layout) -> Board | None:
    """Return a solution of the empty board that is found with few guesses."""
    stack = [Board.empty(layout)]
    for _ in range(_MOST_GUESSES):
        if not stack:
            break
        board = propagate(stack.pop())
        if board is None:
            continue
        open_cells = [cell for cell in layout.cells if board.candidates[cell].bit_count() > 1]
        if not open_cells:
            return board
        cell = min(open_cells, key=lambda open_cell: board.candidates[open_cell].bit_count())
        mask = board.candidates[cell]
        for part in (mask & (mask - 1), mask & -mask):  # all values but the first, and the first
            marks = [*board.candidates]
            marks[cell] = part
            stack.append(Board.of(layout, tuple(marks)))
    return None
