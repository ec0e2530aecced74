"""Mistakes: what somebody entered on a board that cannot be right, told in stages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from unidoku.analysis.showing import NO_REASON, Shown, cell_named, contradicting, shown, value_named
from unidoku.backends.base import Limits, Result
from unidoku.backends.solving.solver import Solver
from unidoku.core.bits import bit, is_single, values_of
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, NamedBoard, as_board
from unidoku.core.layout import Layout
from unidoku.errors import InputError, TimeLimitError, UnsupportedError
from unidoku.logic import State
from unidoku.support.ddmin import ddmin
from unidoku.support.deadline import Deadline
from unidoku.support.language import listing, message
from unidoku.support.text import listed

Entries = BoardLike | Mapping[str, int | str]
"""What was entered: the board as it is now, or values by the names of their cells."""

_MOST_COMPARED = 6
"""The most wrong entries whose reasons are compared."""

_WORK = "mistakes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """Something that cannot be right, on a board without solutions.

    Args:
        cells: the cells whose entries cannot all be right: each of them is wrong if the puzzle has
            one solution; none if the puzzle itself has no solution.
        where: the first row, or other unit, that has one of them.
        parts: what the reason consists of, each in words.
        words: which entry is wrong and why, or why the puzzle has no solution.
    """

    cells: tuple[int, ...]
    where: str
    parts: tuple[str, ...]
    words: str

    @property
    def stages(self) -> tuple[str, str, str]:
        """What to tell first, second and last: that something is wrong, its row, and why."""
        look = (
            message("look again at {unit}", unit=self.where)
            if self.cells
            else message("the puzzle itself has no solution")
        )
        return message("something is wrong"), look, self.words


def with_entries(givens: Board, entries: Entries) -> Board:
    """Return a board with what was entered.

    Raises:
        InputError: an entry is in no cell, is no value, or is not what the puzzle gives.
    """
    layout = givens.layout
    masks = [*givens.candidates]
    if isinstance(entries, Mapping):
        entered = [
            (cell_named(layout, name), bit(value_named(layout, value)))
            for name, value in entries.items()
        ]
    else:
        board = as_board(entries, None if isinstance(entries, Board | NamedBoard) else layout)
        if board.layout.base != layout.base:
            raise InputError(
                f"entries: expected a board of the puzzle's layout, {layout}, got {board.layout}"
            )
        entered = [*enumerate(board.candidates)]
    for cell, values in entered:
        if not masks[cell] & values:
            may, got = (
                listed((layout.shown[value] for value in values_of(mask)), "or")
                for mask in (masks[cell], values)
            )
            raise InputError(
                f"entries: expected {may} in {layout.names[cell]}, as the puzzle says, got {got}"
            )
        masks[cell] &= values
    return Board(layout, tuple(masks))


def has_solution(board: Board, solver: Solver, deadline: Deadline) -> bool | None:
    """Return whether a board has a solution; None if that is not decided in time."""
    if board.problems():
        return False
    with suppress(TimeLimitError, UnsupportedError):
        result = _solved(board, 1, solver, deadline)
        return True if result.count else False if result.stop.answered else None
    return None


def find_mistake(puzzle: Board, entered: Board, solver: Solver, deadline: Deadline) -> Mistake:
    """Return what is wrong on a board without solutions, with the smallest reason.

    Args:
        puzzle: the puzzle.
        entered: the puzzle with what was entered: cells have fewer candidates, or other ones.
        solver: an exact solver.
        deadline: deadline of everything; after it, what is wrong may be more than needed.
    """
    layout = puzzle.layout
    masks = zip(entered.candidates, puzzle.candidates, strict=True)
    filled = [cell for cell, (mask, before) in enumerate(masks) if mask != before]
    result = None if puzzle.problems() else _solved(puzzle, 2, solver, deadline)
    if not filled or result is None or (result.stop.answered and not result.count):
        reason, parts = contradicting(puzzle, lambda: deadline.check(_WORK))
        return Mistake(cells=(), where=message("the puzzle"), parts=parts, words=reason)
    if result.unique:
        (solution,) = result.solutions
        cells = [cell for cell in filled if not entered.candidates[cell] & bit(solution[cell])]
        right = _with(puzzle, entered, set(filled) - set(cells))
    else:
        cells = _irreducible(puzzle, entered, filled, solver, deadline)
        right = puzzle
    if len(cells) > 1 and not result.unique:
        reason, parts = contradicting(_with(puzzle, entered, cells), lambda: deadline.check(_WORK))
        words = message(
            "{facts} cannot all be right: {reason}", facts=_in_words(entered, cells), reason=reason
        )
        return Mistake(cells=tuple(cells), where=_where(layout, cells[0]), parts=parts, words=words)
    easiest, shortest = _alone(right, entered, cells, deadline)
    words = message("{facts} cannot be right", facts=_in_words(entered, [easiest]))
    if shortest is not None:
        cell, value = layout.names[easiest], _value(entered, easiest)
        fact = message("{cell} cannot be {value}", cell=cell, value=value)
        reason = shortest.reason if shortest.step is not None else message(NO_REASON)
        words = message("{fact}: {reason}", fact=fact, reason=reason)
    others = [layout.names[cell] for cell in cells if cell != easiest]
    also_wrong = message("; also wrong: {cells}", cells=listing(others)) if others else ""
    return Mistake(
        cells=tuple(cells),
        where=_where(layout, easiest),
        parts=shortest.parts if shortest else (),
        words=f"{words}{also_wrong}",
    )


def _irreducible(
    puzzle: Board, entered: Board, filled: Sequence[int], solver: Solver, deadline: Deadline
) -> list[int]:
    """Return entries without a common solution, of which none can be left out in time."""

    def shows(cells: Sequence[int]) -> bool:
        board = _with(puzzle, entered, cells)
        return not deadline.passed and has_solution(board, solver, deadline) is False

    return ddmin(filled, shows)


def _alone(
    right: Board, entered: Board, cells: Sequence[int], deadline: Deadline
) -> tuple[int, Shown | None]:
    """Return the wrong entry that is the easiest to show wrong, and what shows it."""
    state = State.start(right, lambda: deadline.check(_WORK))
    values = {cell: entered.candidates[cell] for cell in cells}
    compared = [
        (cell, shown(state, cell, mask.bit_length(), is_placed=False))
        for cell, mask in values.items()
        if is_single(mask)
    ]
    return min(
        compared[:_MOST_COMPARED],
        key=lambda item: (item[1].step is None, len(item[1].before), len(item[1].parts)),
        default=(cells[0], None),
    )


def _with(puzzle: Board, entered: Board, cells: Iterable[int]) -> Board:
    """Return the puzzle with the entries of some cells."""
    masks = [*puzzle.candidates]
    for cell in cells:
        masks[cell] = entered.candidates[cell]
    return Board(puzzle.layout, tuple(masks))


def _solved(board: Board, most: int, solver: Solver, deadline: Deadline) -> Result:
    return solver.solve(board, **Limits(solutions=most, time_limit=deadline.limit))


def _where(layout: Layout, cell: int) -> str:
    """Return the first unit of a cell, which mostly is its row; or the cell."""
    unit = next((unit for unit in layout.units if cell in unit.cells), None)
    return layout.names[cell] if unit is None else str(unit.named(layout).words)


def _value(entered: Board, cell: int) -> str:
    return entered.layout.shown[entered.candidates[cell].bit_length()]


def _in_words(entered: Board, cells: Sequence[int]) -> str:
    """Return entries in words: ``A1 is 3``, ``the values written in A2``."""
    names = entered.layout.names
    return listing(
        message("{cell} is {value}", cell=names[cell], value=_value(entered, cell))
        if is_single(entered.candidates[cell])
        else message("the values written in {cell}", cell=names[cell])
        for cell in cells
    )
