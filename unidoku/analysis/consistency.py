"""Levels of consistency: which boards need no search if a solver propagates so much.

Helmut Simonis, "Sudoku as a Constraint Problem" (2005), compares how many puzzles are solved
without search by the propagation of all-different constraints, and with *shaving* on top of it: a
value whose assumption propagation refutes is removed. What is found of rules is the same at all
levels: what `unidoku.core.propagation` finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from unidoku.core.bits import all_values, bit, is_single, values_of
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.hidden import expanded
from unidoku.core.propagation.prune import partners_of, removed_at_once, watched_of
from unidoku.core.transforms.implied import with_implied
from unidoku.errors import InputError
from unidoku.logic.geometry import union
from unidoku.logic.matching import overfull, tight
from unidoku.support.arguments import named_arguments
from unidoku.support.deadline import Deadline
from unidoku.support.table import Column, Table
from unidoku.support.text import plural

Filter: TypeAlias = Callable[[list[int], bool], list[int] | None]
"""Removes candidates of the cells of a unit, which may be one with all values; None if it cannot
hold."""


def _pairs(sets: list[int], is_full: bool) -> list[int] | None:
    """Take the value of each decided cell from the others: all-different as pairs of cells."""
    decided = 0
    for mask in sets:
        if is_single(mask):
            if decided & mask:
                return None
            decided |= mask
    left = [mask if is_single(mask) else mask & ~decided for mask in sets]
    return left if all(left) else None


def _singles(sets: list[int], is_full: bool) -> list[int] | None:
    """Do the same, and give a value with one cell left in a full unit to that cell."""
    pairs = _pairs(sets, is_full)
    if pairs is None or not is_full:
        return pairs
    once = twice = 0
    for mask in pairs:
        twice |= once & mask
        once |= mask
    if once != all_values(len(sets)):
        return None
    only = once & ~twice
    left = [mask & only or mask for mask in pairs]
    return left if all(mask & (mask - 1) == 0 for mask in left if mask & only) else None


def _bounds(sets: list[int], is_full: bool) -> list[int] | None:
    """Make bounds consistent by Hall intervals: k cells whose values are k neighbours have them."""
    left = _pairs(sets, is_full)
    if left is None:
        return None
    lows = sorted({mask & -mask for mask in left})
    highs = sorted({bit(mask.bit_length()) for mask in left})
    for low in lows:
        for high in highs:
            interval = (high << 1) - low
            if high < low:
                continue
            inside = [not mask & ~interval for mask in left]
            count = sum(inside)
            if count > interval.bit_count():
                return None
            if count == interval.bit_count():
                left = [
                    mask if is_inside else _outside(mask, interval)
                    for mask, is_inside in zip(left, inside, strict=True)
                ]
                if not all(left):
                    return None
    return left


def _outside(mask: int, interval: int) -> int:
    """Move the least and the largest value of a set out of an interval; values between stay."""
    while mask & -mask & interval:
        mask &= mask - 1
    while mask and bit(mask.bit_length()) & interval:
        mask ^= bit(mask.bit_length())
    return mask


def _domains(sets: list[int], is_full: bool) -> list[int] | None:
    """Remove all values that no assignment of different values has, by matching (Régin 1994)."""
    if not all(sets) or overfull(sets):
        return None
    left = list(sets)
    while True:
        before = tuple(left)
        for group in tight(before):
            together = union(left[index] for index in group)
            for index in range(len(left)):
                if index not in group:
                    left[index] &= ~together
        if tuple(left) == before:
            return left


@dataclass(frozen=True, slots=True)
class Level:
    """A level of consistency.

    Args:
        name: its name.
        meaning: what is propagated, in words.
        filter: what is removed from the cells of a unit.
        shaves: whether values that propagation refutes are removed as well.
    """

    name: str
    meaning: str
    filter: Filter
    shaves: bool = False


_PLAIN = (
    Level(
        "forward checking",
        "all-different as pairs: a decided cell takes its value from its peers",
        _pairs,
    ),
    Level("singles", "also values with one cell left in a unit, as norvig does", _singles),
    Level("bounds", "all-different by the least and largest values: Hall intervals", _bounds),
    Level("domains", "all that follows from each unit: generalised arc consistency", _domains),
)

_SHAVING = "and values whose assumption this refutes are removed"

LEVELS = (
    *_PLAIN,
    *(Level(f"{plain.name} + shaving", _SHAVING, plain.filter, shaves=True) for plain in _PLAIN),
)
"""All levels."""

_STRONGER = {
    "forward checking": ("singles", "bounds", "domains"),
    "singles": ("domains",),
    "bounds": ("domains",),
}
"""The levels that remove all that a level removes, besides shaving with it."""


@named_arguments
def consistent(
    board: BoardLike, level: str = "domains", *, time_limit: float | None = None
) -> Board | None:
    """Return the board with the candidates that a level leaves, None if it has no solution.

    >>> board = "1... ..1. .1.. ...."
    >>> [consistent(board, level).values("D4") for level in ("forward checking", "singles")]
    [(1, 2, 3, 4), (1,)]

    Args:
        board: the puzzle: a board, or a text, rows of values or a puzzle as for `unidoku.solve`.
        level: name of one of `LEVELS`.
        time_limit: seconds.

    Raises:
        TimeLimitError: the time limit was reached.
    """
    puzzle = as_board(board)
    narrowed = _Propagation(puzzle, _level(level), Deadline(time_limit)).run()
    return None if narrowed is None else Board(puzzle.layout, tuple(narrowed[: len(puzzle.layout)]))


def _level(name: str) -> Level:
    for level in LEVELS:
        if level.name == name:
            return level
    names = ", ".join(level.name for level in LEVELS)
    raise InputError(f"level: expected one of {names}; got {name!r}")


class _Propagation:
    """The propagation of one board by one level."""

    def __init__(self, board: Board, level: Level, deadline: Deadline) -> None:
        board = expanded(board)
        self._board = board
        self._layout = with_implied(board.layout)
        self._level = level
        self._deadline = deadline
        none = ((),) * len(self._layout)
        self._partners = partners_of(self._layout) or none
        watched = watched_of(self._layout)
        self._run = watched.run if watched else ()
        self._rules_of: Sequence[Sequence[int]] = watched.by_cell if watched else none
        self._units = self._layout.maximal_units
        self._units_of: list[list[int]] = [[] for _ in self._layout.cells]
        for index, unit in enumerate(self._units):
            for cell in unit.cells:
                self._units_of[cell].append(index)

    def run(self) -> list[int] | None:
        """Return the candidates that are left, None on a contradiction."""
        candidates = list(self._board.candidates)
        for cell, gone in removed_at_once(self._layout):
            candidates[cell] &= ~gone
        narrowed = self._fixpoint(candidates, range(len(candidates)))
        if self._level.shaves and narrowed is not None:
            return self._shaved(narrowed)
        return narrowed

    def _shaved(self, candidates: list[int]) -> list[int] | None:
        """Remove candidates whose assumption leads to a contradiction, until there are none."""
        quiet = 0  # cells in a row in which nothing was removed
        cell = 0
        while quiet < len(candidates):
            before = candidates[cell]
            if not is_single(before):
                for value in values_of(before):
                    self._deadline.check("the levels of consistency")
                    assumed = candidates.copy()
                    assumed[cell] = bit(value)
                    if candidates[cell] & bit(value) and self._fixpoint(assumed, [cell]) is None:
                        candidates[cell] &= ~bit(value)
                        narrowed = self._fixpoint(candidates, [cell])
                        if narrowed is None:
                            return None
                        candidates = narrowed
            quiet = quiet + 1 if candidates[cell] == before else 0
            cell = (cell + 1) % len(candidates)
        return candidates

    def _fixpoint(self, candidates: list[int], changed: Iterable[int]) -> list[int] | None:
        """Propagate what follows from changed cells, in place; None on a contradiction."""
        todo = dict.fromkeys(changed)
        while todo:
            if not all(candidates[cell] for cell in todo):
                return None
            units = dict.fromkeys(unit for cell in todo for unit in self._units_of[cell])
            rules = sorted({rule for cell in todo for rule in self._rules_of[cell]})
            removals = [
                (other, ~table[candidates[cell]])
                for cell in todo
                for other, table in self._partners[cell]
            ]
            todo = {}
            for unit in units:
                cells = self._units[unit].cells
                sets = [candidates[cell] for cell in cells]
                left = self._level.filter(sets, len(cells) == self._layout.n)
                if left is None:
                    return None
                for cell, old, new in zip(cells, sets, left, strict=True):
                    if new != old:
                        candidates[cell] = new
                        todo[cell] = None
            for rule in rules:
                by_rule = self._run[rule](candidates)
                if by_rule is None:
                    return None
                removals += by_rule
            for cell, gone in removals:
                if candidates[cell] & gone:
                    candidates[cell] &= ~gone
                    todo[cell] = None
        return candidates


def solving_levels(board: Board, *, time_limit: float | None = None) -> dict[str, bool]:
    """Return for each level whether it decides all cells of a board, or finds a contradiction.

    Raises:
        TimeLimitError: the time limit was reached.
    """
    deadline = Deadline(time_limit)
    solves: dict[str, bool] = {}
    for level in LEVELS:
        if level.name not in solves:
            left = _Propagation(board, level, deadline).run()
            solves[level.name] = left is None or all(map(is_single, left))
        if solves[level.name] and not level.shaves:
            stronger = (level.name, *_STRONGER.get(level.name, ()))
            solves |= {f"{name} + shaving": True for name in stronger}
            solves |= dict.fromkeys(stronger, True)
    return {level.name: solves[level.name] for level in LEVELS}


def levels_table(boards: Sequence[dict[str, bool]]) -> Table:
    """Return the share of boards that each level solves, from the results of `solving_levels`."""
    rows = []
    for level in LEVELS:
        solved = sum(board[level.name] for board in boards)
        rows.append((level.name, solved, 100 * solved / len(boards), level.meaning))
    return Table(
        title=f"Solved without search, of {plural(len(boards), 'board')}",
        columns=(
            Column("level"),
            Column("solved", "{:,}".format),
            Column("share", "{:.1f} %".format),
            Column("what is propagated", kind="name"),
        ),
        rows=tuple(rows),
    )
